/* The command line of vebench, parsed and nothing done yet. */
#ifndef VEBENCH_CLI_H
#define VEBENCH_CLI_H

#include "cli/predict-command.h"
#include "measure/sweep.h"

enum command {
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_DEVICES,
    COMMAND_LIST,
    COMMAND_RUN,
    COMMAND_COMPARE,
    COMMAND_REPORT,
    COMMAND_FIT,
    COMMAND_CHECK,
    COMMAND_PREDICT,
    COMMAND_ADVISE,
};

#define FILES_MAX 64

struct cli {
    enum command command;
    bool as_json;
    const char *device;           /* selector or NULL */
    const char *output;           /* NULL: a name from the time */
    const char *samples;          /* NULL: none */
    unsigned timeout_s;           /* 0: the default */
    const char *model;            /* NULL: none */
    const char *files[FILES_MAX]; /* words after a command that takes files */
    size_t file_count;
    double threshold;         /* relative; negative: the default */
    const char *base_samples; /* NULL: none */
    const char *new_samples;
    unsigned sizes[2];     /* sub-group sizes to compare; 0: each with its own */
    const char *as_device; /* file for the description of a fitted device, or NULL */
    struct sweep_request request;
    struct predict_request predict; /* but for what `request` holds for all commands */
};

/* Texts stay in argv. STATUS_USAGE with one line for anything not understood. */
enum status cli_parse(struct cli *cli, int argc, char **argv, struct error *error);

/* The text of --help, in parts up to a NULL. */
extern const char *const cli_help[];

#endif
