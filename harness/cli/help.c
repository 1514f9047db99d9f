#include "cli/help.h"

#include "cli/wrap.h"
#include "family/near.h"

#include <string.h>

#define NAME_COLUMN   2
#define TEXT_COLUMN   14 /* of command summaries */
#define OPTION_COLUMN 27 /* of option descriptions */

void help_option_name(const struct option_row *option, char *text, size_t bytes)
{
    char letter[8] = "";

    if (option->letter)
        snprintf(letter, sizeof(letter), "-%c, ", option->letter);
    snprintf(text, bytes, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
}

static void put_entry(FILE *out, const char *name, const char *text, unsigned column,
                      unsigned width)
{
    unsigned at = NAME_COLUMN + (unsigned)strlen(name);

    fprintf(out, "%*s%s", NAME_COLUMN, "", name);
    if (at + 2 > column) {
        fputc('\n', out);
        at = 0;
    }
    fprintf(out, "%*s", (int)(column - at), "");
    wrap_put(out, text, column, column, width);
}

void help_overview(FILE *out, unsigned width)
{
    char names[200] = "";

    wrap_put(out,
             "vebench measures what synchronisation and memory access cost on the vector engines "
             "of an Intel GPU.",
             0, 0, width);
    fputs("\nusage: vebench COMMAND [WORD...] [OPTION...]\n\n", out);
    for (size_t i = 0; i < COMMANDS; i++)
        put_entry(out, cli_commands[i].name, cli_commands[i].summary, TEXT_COLUMN, width);
    for (size_t i = 0; i < help_topic_count; i++) {
        strcat(names, i ? ", " : " ");
        strcat(names, help_topics[i].name);
    }
    fputs("\nvebench help COMMAND explains one, with its options; vebench help TOPIC one of\n",
          out);
    wrap_put(out, names, 0, 0, width);
}

static void put_option(FILE *out, const struct option_row *option, unsigned width)
{
    char name[80], text[400];
    bool says_default = option->fallback && option->type != OPTION_FLAG;

    help_option_name(option, name, sizeof(name));
    snprintf(text, sizeof(text), "%s%s%s%s", option->help, says_default ? " (default: " : "",
             says_default ? option->fallback : "", says_default ? ")" : "");
    put_entry(out, name, text, OPTION_COLUMN, width);
}

void help_command(FILE *out, enum command command, unsigned width)
{
    const struct command_row *row = &cli_commands[command];

    fprintf(out, "usage: vebench %s%s%s [OPTION...]\n\n", row->name, *row->words ? " " : "",
            row->words);
    wrap_put(out, row->details ? row->details : row->summary, 0, 0, width);
    fputc('\n', out);
    for (size_t i = 0; i < cli_option_count; i++) {
        if (cli_options[i].commands & (1u << command))
            put_option(out, &cli_options[i], width);
    }
    for (size_t i = 0; i < sizeof(row->example) / sizeof(row->example[0]) && row->example[i];
         i += 2)
        fprintf(out, "\n  %s\n      %s\n", row->example[i], row->example[i + 1]);
}

static enum status no_help(const char *word, struct error *error)
{
    struct near near = near_begin(word, strlen(word));

    error_set(error, STATUS_USAGE, "there is no help on %s, only on", word);
    for (size_t i = 0; i < COMMANDS; i++) {
        error_append(error, " %s,", cli_commands[i].name);
        near_consider(&near, cli_commands[i].name);
    }
    for (size_t i = 0; i < help_topic_count; i++) {
        error_append(error, " %s%s", help_topics[i].name, i + 1 < help_topic_count ? "," : "");
        near_consider(&near, help_topics[i].name);
    }
    near_append(&near, "", error);
    return STATUS_USAGE;
}

enum status help_word(FILE *out, const char *word, unsigned width, struct error *error)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (!strcmp(word, cli_commands[i].name)) {
            help_command(out, (enum command)i, width);
            return STATUS_OK;
        }
    }
    for (size_t i = 0; i < help_topic_count; i++) {
        if (!strcmp(word, help_topics[i].name)) {
            help_topics[i].put(out, width);
            return STATUS_OK;
        }
    }
    return no_help(word, error);
}
