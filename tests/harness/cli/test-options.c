/* The tables of the command line are consistent. */
#include "test.h"

#include "cli/cli.h"
#include "cli/wrap.h"
#include "family/axes.h"
#include "family/near.h"
#include "parse-words.h"

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

/* Defaults by command; options before, between and after words; words after "--". */
static void test_parse(void **state)
{
    struct cli cli;

    (void)state;
    assert_int_equal(PARSE(&cli, "compare", "a.csv", "b.csv"), STATUS_OK);
    assert_near(cli.threshold, 0.01, 1e-12);
    assert_int_equal(PARSE(&cli, "check", "m.json", "b.csv"), STATUS_OK);
    assert_near(cli.threshold, 0.05, 1e-12);
    assert_int_equal(PARSE(&cli, "--threshold=3%", "compare", "a.csv", "--sizes", "8,16", "b.csv"),
                     STATUS_OK);
    assert_int_equal(cli.command, COMMAND_COMPARE);
    assert_int_equal(cli.words.count, 2);
    assert_int_equal(cli.sizes[1], 16);
    assert_near(cli.threshold, 0.03, 1e-12);
    assert_int_equal(cli.left, 0);
    assert_int_equal(PARSE(&cli, "compare", "a1", "a2", "--", "b1", "--threshold", "4", "b2"),
                     STATUS_OK);
    assert_int_equal(cli.words.count, 4);
    assert_int_equal(cli.left, 2);
    assert_string_equal(cli.words.word[2], "b1");
    assert_near(cli.threshold, 0.04, 1e-12);
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

/* Parses a line of one command with one option, and words that the command could have. */
static enum status parse_option(enum command command, const struct option_row *row,
                                const char *value, struct error *error)
{
    char option[64], text[64];
    char *argv[8] = {"vebench", (char *)cli_commands[command].name, option};
    struct cli cli;
    int count = 3;

    snprintf(option, sizeof(option), "--%s", row->name);
    snprintf(text, sizeof(text), "%s", value);
    if (row->type != OPTION_FLAG)
        argv[count++] = text;
    if (row->type == OPTION_TWO)
        argv[count++] = text;
    return cli_parse(&cli, count, argv, error);
}

static bool is_one_line(const char *text)
{
    return text[0] && !strchr(text, '\n');
}

/* Every option with every command that does not have it: an error that names the option and the
 * commands that do. */
static void test_options_of_others(void **state)
{
    size_t tried = 0;

    (void)state;
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct option_row *row = &cli_options[i];

        for (size_t c = 0; c < COMMANDS; c++) {
            struct error error = {0};
            char option[64];

            if (cli_option(row->name, (enum command)c))
                continue;
            snprintf(option, sizeof(option), "--%s ", row->name);
            assert_int_equal(parse_option((enum command)c, row, "1", &error), STATUS_USAGE);
            assert_true(is_one_line(error.text));
            assert_non_null(strstr(error.text, option));
            const char *others = strstr(error.text, ", but of ");
            assert_non_null(others);
            for (size_t other = 0; other < COMMANDS; other++) {
                if (cli_option(row->name, (enum command)other))
                    assert_non_null(strstr(others, cli_commands[other].name));
            }
            tried++;
        }
    }
    assert_true(tried > cli_option_count);
}

/* No number, too small, too large: each is an error that names the option and the value. */
static void expect_no_number(const struct option_row *row, const char *value)
{
    for (size_t c = 0; c < COMMANDS; c++) {
        struct error error = {0};
        char named[128];

        if (!(row->commands & (1u << c)))
            continue;
        snprintf(named, sizeof(named), "--%s %s: ", row->name, value);
        assert_int_equal(parse_option((enum command)c, row, value, &error), STATUS_USAGE);
        assert_true(is_one_line(error.text));
        assert_non_null(strstr(error.text, named));
    }
}

static void test_numbers(void **state)
{
    static const char *const never[] = {"",    "x",   "1x", "-1",   "-0.5",
                                        "nan", "inf", "--", "1e99", "1 2"};
    static const char *const not_whole[] = {"0.5", " 1", "+1", "0x", "18446744073709551616"};
    static const char *const no_pair[] = {"8",   "8,",  ",8",   "8,16,32",
                                          "0,8", "8,0", "8;16", "8,-16"};
    size_t tried = 0;

    (void)state;
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct option_row *row = &cli_options[i];
        bool is_number = row->type == OPTION_NUMBER, is_pair = row->type == OPTION_PAIR;
        char text[32];

        if (!is_number && !is_pair && row->type != OPTION_PERCENT)
            continue;
        tried++;
        for (size_t n = 0; n < sizeof(never) / sizeof(never[0]); n++)
            expect_no_number(row, never[n]);
        for (size_t n = 0; !(row->type == OPTION_PERCENT) && n < 5; n++)
            expect_no_number(row, not_whole[n]);
        for (size_t n = 0; is_pair && n < sizeof(no_pair) / sizeof(no_pair[0]); n++)
            expect_no_number(row, no_pair[n]);
        if (is_number && row->least > 0) {
            snprintf(text, sizeof(text), "%llu", (unsigned long long)row->least - 1);
            expect_no_number(row, text);
        }
        if (is_number && row->most < UINT64_MAX) {
            snprintf(text, sizeof(text), "%llu", (unsigned long long)row->most + 1);
            expect_no_number(row, text);
        }
    }
    assert_true(tried >= 3);
}

static const char *nearest(const char *word)
{
    static const char *const names[] = {"barrier", "slm", "subgroup_size", "report", "resume"};
    struct near near = near_begin(word, strlen(word));

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        near_consider(&near, names[i]);
    return near.best;
}

/* A letter more, less, another or two swapped, as in hand-counted examples; nothing for a word that
 * has more wrong than right. */
static void test_what_was_meant(void **state)
{
    (void)state;
    assert_string_equal(nearest("barier"), "barrier");
    assert_string_equal(nearest("barriers"), "barrier");
    assert_string_equal(nearest("bartier"), "barrier");
    assert_string_equal(nearest("abrrier"), "barrier");
    assert_string_equal(nearest("subgruop_size"), "subgroup_size");
    assert_string_equal(nearest("sml"), "slm");
    assert_string_equal(nearest("resume"), "resume");
    assert_null(nearest("x"));
    assert_null(nearest("latency"));
    assert_null(nearest("an-option-far-longer-than-any-name-that-there-is"));
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
        cmocka_unit_test(test_options_of_others),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_what_was_meant),
        cmocka_unit_test(test_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
