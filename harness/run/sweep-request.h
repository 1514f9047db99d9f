/* What the command line asks to be measured. Texts are borrowed from the command line. */
#ifndef VEBENCH_SWEEP_REQUEST_H
#define VEBENCH_SWEEP_REQUEST_H

#include "cli/cli.h"
#include "sweep/sweep.h"

/* The family called `name`. STATUS_USAGE, naming all families, if there is none. */
enum status request_family(const char *name, const struct family **family, struct error *error);

/* run: the families that the words name, each once, or all if there are no words. `show` receives
 * what families have to show, if that is asked for. */
enum status request_sweep(const struct cli *cli, FILE *show, struct sweep_request *request,
                          struct error *error);

/* The same without any family. */
enum status request_settings(const struct cli *cli, FILE *show, struct sweep_request *request,
                             struct error *error);

/* Adds the families that the words name, or all of them, each once. */
enum status request_families(const struct cli *cli, struct sweep_request *request,
                             struct error *error);

/* An option that may be repeated, and where its values go. */
struct repeated {
    const struct words *words;
    const char *name; /* without "--" */
    const char **list;
    size_t room;
    size_t *count;
};

/* Copies the values of `options` options. STATUS_USAGE, naming the option, if there are more than
 * there is room for. */
enum status request_words(const struct repeated *repeated, size_t options, struct error *error);

#endif
