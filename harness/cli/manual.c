#include "cli/help.h"

#include "base/streams.h"
#include "base/version.h"
#include "cli/wrap.h"

#include <stdlib.h>
#include <string.h>

#define MARKDOWN_WIDTH 100

/* Escapes what would begin a Markdown tag or end a table cell. */
static void put_markdown(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("<|*_", *text))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void put_markdown_options(FILE *out, enum command command)
{
    fputs("| option | default | meaning |\n|---|---|---|\n", out);
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct option_row *option = &cli_options[i];
        char name[80];

        if (!(option->commands & (1u << command)) || !strcmp(option->name, "help") ||
            !strcmp(option->name, "version"))
            continue;
        help_option_name(option, name, sizeof(name));
        fprintf(out, "| `%s` | %s%s| ", name, option->fallback ? option->fallback : "",
                option->fallback ? " " : "");
        put_markdown(out, option->help);
        fputs(" |\n", out);
    }
}

static bool has_options(enum command command)
{
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct option_row *option = &cli_options[i];

        if (option->commands & (1u << command) && option->commands != (1u << COMMANDS) - 1)
            return true;
    }
    return false;
}

static void put_markdown_command(FILE *out, enum command command)
{
    const struct command_row *row = &cli_commands[command];

    fprintf(out, "\n## vebench %s%s%s\n\n", row->name, *row->words ? " " : "", row->words);
    wrap_put(out, row->details ? row->details : row->summary, 0, 0, MARKDOWN_WIDTH);
    if (has_options(command)) {
        fputc('\n', out);
        put_markdown_options(out, command);
    }
    for (size_t i = 0; i < sizeof(row->example) / sizeof(row->example[0]) && row->example[i];
         i += 2)
        fprintf(out, "%s    %s  # %s\n", i ? "" : "\n", row->example[i], row->example[i + 1]);
}

void help_markdown(FILE *out, unsigned width)
{
    (void)width;
    fputs("# The command line of vebench\n\n"
          "`vebench help markdown` writes this page from the tables of `harness/cli/options.c`.\n"
          "`--help` and `--version` go with every command.\n\n"
          "| command | what for |\n|---|---|\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "| `%s` | %s |\n", cli_commands[i].name, cli_commands[i].summary);
    for (size_t i = 0; i < COMMANDS; i++)
        put_markdown_command(out, (enum command)i);
    fputs("\n## Exit status\n\n| status | meaning |\n|---|---|\n", out);
    for (size_t i = 0; i < cli_exit_count; i++)
        fprintf(out, "| %d | %s |\n", cli_exits[i].status, cli_exits[i].meaning);
    for (size_t i = 0; i < help_topic_count; i++) {
        if (strcmp(help_topics[i].name, "axes") != 0 &&
            strcmp(help_topics[i].name, "environment") != 0 &&
            strcmp(help_topics[i].name, "spirv") != 0)
            continue;
        fprintf(out, "\n## vebench help %s\n\n```\n", help_topics[i].name);
        help_topics[i].put(out, MARKDOWN_WIDTH);
        fputs("```\n", out);
    }
}

/* man(7): a line must not begin with a control character, and a hyphen-minus is written \-. */
static void put_roff(FILE *out, const char *text)
{
    bool begins = true;

    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        if (*text == '-')
            fputs("\\-", out);
        else if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
        begins = *text == '\n';
    }
}

static void put_roff_option(FILE *out, const struct option_row *option)
{
    fputs(".TP\n", out);
    if (option->letter)
        fprintf(out, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB", out);
    put_roff(out, "--");
    put_roff(out, option->name);
    fputs("\\fR", out);
    if (option->argument) {
        fputs(" \\fI", out);
        put_roff(out, option->argument);
        fputs("\\fR", out);
    }
    fputc('\n', out);
    put_roff(out, option->help);
    if (option->fallback) {
        fputs(" (default: ", out);
        put_roff(out, option->fallback);
        fputc(')', out);
    }
    fputc('\n', out);
}

static void put_roff_command(FILE *out, enum command command)
{
    const struct command_row *row = &cli_commands[command];

    fprintf(out, ".SS \"vebench %s", row->name);
    fputs(*row->words ? " " : "", out);
    put_roff(out, row->words);
    fputs("\"\n", out);
    put_roff(out, row->details ? row->details : row->summary);
    fputc('\n', out);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_options[i].commands & (1u << command))
            put_roff_option(out, &cli_options[i]);
    }
}

static void put_roff_topic(FILE *out, const char *name, const char *heading)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = stream_open_text(&text, &bytes);
    struct error ignored;

    if (!memory)
        return;
    for (size_t i = 0; i < help_topic_count; i++) {
        if (!strcmp(help_topics[i].name, name))
            help_topics[i].put(memory, WRAP_WIDTH - 10);
    }
    if (stream_close_text(memory, &text, &ignored) == STATUS_OK) {
        fprintf(out, ".SH %s\n.nf\n", heading);
        put_roff(out, text);
        fputs(".fi\n", out);
    }
    free(text);
}

void help_manual(FILE *out, unsigned width)
{
    (void)width;
    fprintf(out, ".TH VEBENCH 1 \"\" \"vebench %s\" \"User Commands\"\n", vebench_version());
    fputs(".SH NAME\nvebench \\- measure synchronisation and memory access on Intel GPUs\n"
          ".SH SYNOPSIS\n\\fBvebench\\fR \\fICOMMAND\\fR [\\fIWORD\\fR...] [\\fIOPTION\\fR...]\n"
          ".SH DESCRIPTION\n"
          "Measures what barriers, exchanges between work\\-items and memory accesses cost on the\n"
          "vector engines of an Intel GPU, by sub\\-group size, through Level Zero.\n"
          ".SH COMMANDS\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        put_roff_command(out, (enum command)i);
    put_roff_topic(out, "axes", "AXES");
    put_roff_topic(out, "exit", "\"EXIT STATUS\"");
    put_roff_topic(out, "environment", "ENVIRONMENT");
    fputs(".SH SEE ALSO\nvesim(1)\n", out);
}
