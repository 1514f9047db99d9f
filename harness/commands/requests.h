/* What the command line asks of predictions and of the audit. Texts are borrowed from the command
 * line. */
#ifndef VEBENCH_REQUESTS_H
#define VEBENCH_REQUESTS_H

#include "commands/isa-command.h"
#include "commands/predict-command.h"
#include "run/sweep-request.h"

enum status request_predict(const struct cli *cli, struct predict_request *request,
                            struct error *error);

/* isa: as for run; `chosen` has room for SWEEP_FAMILIES_MAX and is borrowed by the request. */
enum status request_isa(const struct cli *cli, const struct family **chosen,
                        struct isa_command *command, struct error *error);

#endif
