/* What the command line asks for, in the form that the other components take. Texts are borrowed
 * from the command line. */
#ifndef VEBENCH_REQUESTS_H
#define VEBENCH_REQUESTS_H

#include "cli/cli.h"
#include "cli/isa-command.h"
#include "cli/predict-command.h"
#include "measure/sweep.h"

/* The family called `name`. STATUS_USAGE, naming all families, if there is none. */
enum status request_family(const char *name, const struct family **family, struct error *error);

/* run: the families that the words name, each once, or all if there are no words. `show` receives
 * what families have to show, if that is asked for. */
enum status request_sweep(const struct cli *cli, FILE *show, struct sweep_request *request,
                          struct error *error);

enum status request_predict(const struct cli *cli, struct predict_request *request,
                            struct error *error);

/* isa: as for run; `chosen` has room for SWEEP_FAMILIES_MAX and is borrowed by the request. */
enum status request_isa(const struct cli *cli, const struct family **chosen,
                        struct isa_command *command, struct error *error);

#endif
