/* The command line of vebench. options.c holds one table of commands and one of options; the
 * parser, the help, docs/command-line.md, the manual page and shell completion are all derived from
 * them. */
#ifndef VEBENCH_CLI_H
#define VEBENCH_CLI_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum command {
    COMMAND_BENCH,
    COMMAND_RUN,
    COMMAND_KERNEL,
    COMMAND_REPORT,
    COMMAND_COMPARE,
    COMMAND_FLEET,
    COMMAND_PLAUSIBLE,
    COMMAND_FIT,
    COMMAND_CHECK,
    COMMAND_PREDICT,
    COMMAND_ADVISE,
    COMMAND_ISA,
    COMMAND_WATCH,
    COMMAND_DEVICES,
    COMMAND_DOCTOR,
    COMMAND_LIST,
    COMMAND_HELP,
    COMMAND_COMPLETION,
    COMMANDS
};

#define WORDS_MAX 64

/* Borrowed from argv. */
struct words {
    const char *word[WORDS_MAX];
    size_t count;
};

/* The values of --format, in the order of the choices. */
enum cli_format {
    FORMAT_CSV,
    FORMAT_JSON,
    FORMAT_JSONL,
    FORMAT_MARKDOWN,
    FORMAT_TABLE,
    FORMAT_OPENMETRICS, /* fleet only, as the next */
    FORMAT_JUNIT,
};

/* The same for devices and list. */
enum cli_listing { LISTING_TABLE, LISTING_JSON };

/* What was asked for, one member per option: NULL, 0, false or empty if not given and without a
 * default. */
struct cli {
    enum command command;
    char *const *argv; /* all of it */
    bool help, version;
    bool resume;
    struct words words; /* after the command */
    bool mpi, each, history;
    bool json, list_counters, show, dry_run, build_only, detail, all, measure, force, table, quiet,
        verbose;
    uint64_t format;    /* enum cli_format */
    uint64_t listing;   /* enum cli_listing */
    uint64_t time_unit; /* enum time_unit */
    uint64_t preset;    /* enum preset */
    uint64_t rounds, seed, timeout_s, jobs;
    uint64_t sizes[2]; /* sub-group sizes to compare */
    double threshold;  /* relative change */
    const char *device, *emulate, *output, *samples, *stop, *budget, *model, *base_samples,
        *new_samples, *as_device, *base, *like, *prepare, *cleanup, *counters, *racks;
    const char *family, *kernel, *global, *local, *trips, *compiler_options;
    bool divided; /* compare: there is a "--" between the sides */
    size_t left;  /* words before it */
    struct words axes, spirv, arguments, buffers, rows, variants, notes;
    struct words defines, locals, option_words;
    const char *lane_sizes, *grf, *caches, *page, *tolerance, *reference;
    uint64_t loop, lanes, event_scope;
    bool loop_listing;
    const char *target, *diff[2];
    const char *baseline, *junit, *driver;
    bool update, times;
};

/* What the words after a command, or the value of an option, are; for shell completion. */
enum word_kind {
    WORDS_NONE,
    WORDS_TEXT,
    WORDS_FILES,
    WORDS_FOLDER,
    WORDS_FAMILIES,
    WORDS_AXES,    /* NAME=VALUES, with the name of an axis */
    WORDS_DEVICES, /* emulated devices */
    WORDS_CHOICES,
};

struct command_row {
    const char *name;
    const char *words;   /* "RESULTS.csv...", or "" */
    const char *summary; /* one line */
    const char *details; /* paragraphs, or NULL */
    enum word_kind kind;
    const char *choices;    /* for the words, separated by '|' */
    size_t fewest, most;    /* number of words */
    const char *takes;      /* what messages say the words must be */
    const char *needs[4];   /* required options */
    const char *example[6]; /* pairs: a command line and what it does */
};

enum option_type {
    OPTION_FLAG,    /* bool */
    OPTION_TEXT,    /* const char * */
    OPTION_TWO,     /* const char *[2]: takes two words */
    OPTION_WORDS,   /* struct words: may be given more than once */
    OPTION_NUMBER,  /* uint64_t from `least` to `most` */
    OPTION_PAIR,    /* uint64_t[2], "16,32", each from `least` to `most` */
    OPTION_PERCENT, /* double: a fraction */
    OPTION_CHOICE,  /* uint64_t: index in `choices` */
};

/* What the command does with a file that an option names, for the rules of base/file-guard.h. */
enum file_role { FILE_NONE, FILE_READ, FILE_WRITTEN };

struct option_row {
    const char *name; /* without "--" */
    char letter;      /* 0: none */
    enum option_type type;
    enum word_kind kind; /* of its value */
    enum file_role role;
    unsigned commands;    /* that have it, as bits 1 << COMMAND_... */
    size_t offset;        /* offset in struct cli */
    const char *argument; /* name of its value in the help */
    const char *choices;  /* separated by '|' */
    uint64_t least, most;
    const char *fallback; /* default value; NULL: none */
    const char *help;
};

struct exit_row {
    int status;
    const char *meaning;
};

extern const struct command_row cli_commands[COMMANDS];
extern const struct option_row cli_options[];
extern const size_t cli_option_count;
extern const struct exit_row cli_exits[];
extern const size_t cli_exit_count;

/* Exit statuses. */
enum {
    CLI_DONE = 0,
    CLI_FAILED = 1,
    CLI_USAGE = 2,
    CLI_FOUND = 3,         /* something was found to be slower, or off */
    CLI_INTERRUPTED = 130, /* by SIGINT */
    CLI_TERMINATED = 143,  /* by SIGTERM */
};

/* The row of an option for a command, or NULL if the command does not have it. */
const struct option_row *cli_option(const char *name, enum command command);

/* STATUS_USAGE with a one-line message for anything not understood. Texts are borrowed from
 * argv. */
enum status cli_parse(struct cli *cli, int argc, char **argv, struct error *error);

/* Whether the command may write its output files; the rules are in base/file-guard.h. */
enum status cli_guard(const struct cli *cli, struct error *error);

#endif
