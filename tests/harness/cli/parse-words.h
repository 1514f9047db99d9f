/* Parses a command line that is written as words. */
#ifndef VEBENCH_TEST_PARSE_WORDS_H
#define VEBENCH_TEST_PARSE_WORDS_H

#include "cli/cli.h"

/* `words` end with NULL; the first is the program's name. */
static inline enum status parse_words(struct cli *cli, char **words)
{
    struct error error;
    int count = 0;

    while (words[count])
        count++;
    return cli_parse(cli, count, words, &error);
}

#define PARSE(cli, ...) parse_words(cli, (char *[]){"vebench", __VA_ARGS__, NULL})

#endif
