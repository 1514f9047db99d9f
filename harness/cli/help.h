/* Help, from the tables of options.c: for terminals, as documentation and as a manual page. */
#ifndef VEBENCH_HELP_H
#define VEBENCH_HELP_H

#include "cli/cli.h"

struct topic_row {
    const char *name;
    const char *summary;
    void (*put)(FILE *out, unsigned width); /* lines of at most `width` columns where possible */
};

extern const struct topic_row help_topics[];
extern const size_t help_topic_count;

/* "--output FILE" */
void help_option_name(const struct option_row *option, char *text, size_t bytes);

/* What each command is for. */
void help_overview(FILE *out, unsigned width);

void help_command(FILE *out, enum command command, unsigned width);

/* Help on a command or a topic. STATUS_USAGE if the word is neither. */
enum status help_word(FILE *out, const char *word, unsigned width, struct error *error);

/* Everything, as Markdown for docs/command-line.md and as a manual page in man(7). */
void help_markdown(FILE *out, unsigned width);
void help_manual(FILE *out, unsigned width);

#endif
