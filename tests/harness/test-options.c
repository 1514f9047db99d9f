/* The tables of the command line are consistent. */
#include "test.h"

#include "cli/cli.h"
#include "cli/wrap.h"
#include "measure/axes.h"

#include <stdlib.h>
#include <string.h>

/* One parser serves all commands, so a name takes a value everywhere or nowhere, and has one
 * letter; a command has a name once. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct option_row *row = &cli_options[i];

        assert_true(row->commands != 0);
        assert_true(row->help && strlen(row->help) > 5 && strlen(row->help) < 300);
        assert_int_equal(row->type != OPTION_FLAG, row->argument != NULL);
        assert_int_equal(row->type == OPTION_CHOICE, row->choices != NULL);
        assert_true(row->type != OPTION_NUMBER || row->most > row->least);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(row->name, cli_options[j].name) != 0)
                continue;
            assert_int_equal(row->commands & cli_options[j].commands, 0);
            assert_int_equal(row->type == OPTION_FLAG, cli_options[j].type == OPTION_FLAG);
            assert_int_equal(row->letter, cli_options[j].letter);
        }
    }
    for (size_t c = 0; c < COMMANDS; c++) {
        assert_non_null(cli_commands[c].name);
        assert_non_null(cli_commands[c].summary);
        for (size_t n = 0; n < 4 && cli_commands[c].needs[n]; n++)
            assert_non_null(cli_option(cli_commands[c].needs[n], (enum command)c));
    }
}

static enum status parse(struct cli *cli, char **words)
{
    struct error error;
    int count = 0;

    while (words[count])
        count++;
    return cli_parse(cli, count, words, &error);
}

#define PARSE(cli, ...) parse(cli, (char *[]){"vebench", __VA_ARGS__, NULL})

/* Defaults by command; options before, between and after words; words after "--". */
static void test_parse(void **state)
{
    struct cli cli;

    (void)state;
    assert_int_equal(PARSE(&cli, "compare", "a.csv", "b.csv"), STATUS_OK);
    assert_near(cli.threshold, 0.01, 1e-12);
    assert_int_equal(PARSE(&cli, "check", "m.json", "b.csv"), STATUS_OK);
    assert_near(cli.threshold, 0.05, 1e-12);
    assert_int_equal(PARSE(&cli, "--threshold=3", "compare", "a.csv", "--sizes", "8,16", "b.csv"),
                     STATUS_OK);
    assert_int_equal(cli.command, COMMAND_COMPARE);
    assert_int_equal(cli.words.count, 2);
    assert_int_equal(cli.sizes[1], 16);
    assert_near(cli.threshold, 0.03, 1e-12);
    assert_int_equal(PARSE(&cli, "report", "-o", "page", "--", "--odd.csv"), STATUS_OK);
    assert_string_equal(cli.words.word[0], "--odd.csv");
    assert_string_equal(cli.output, "page");
    assert_int_equal(PARSE(&cli, "run", "--preset", "full", "--axis", "a=1", "--axis", "b=2"),
                     STATUS_OK);
    assert_int_equal(cli.preset, PRESET_FULL);
    assert_int_equal(cli.axes.count, 2);
    assert_int_equal(cli.seed, 0x5eed);
    assert_int_equal(cli.format, FORMAT_CSV);
    assert_int_equal(PARSE(&cli, "run", "--preset", "quick", "--format", "table"), STATUS_OK);
    assert_int_equal(cli.preset, PRESET_QUICK);
    assert_int_equal(cli.format, FORMAT_TABLE);
    assert_int_equal(PARSE(&cli, "run"), STATUS_OK);
    assert_int_equal(cli.preset, PRESET_DEFAULT);
    assert_int_equal(PARSE(&cli, "run", "--help", "--nonsense"), STATUS_USAGE);
    assert_int_equal(PARSE(&cli, "fit", "--help"), STATUS_OK);
    assert_true(cli.help);
}

static void test_wrap(void **state)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    (void)state;
    assert_non_null(out);
    fputs("ab", out);
    wrap_put(out, "one two  three-is-long µµµ", 2, 1, 8);
    fclose(out);
    assert_string_equal(text, "abone\n two\n three-is-long\n µµµ\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_parse),
        cmocka_unit_test(test_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
