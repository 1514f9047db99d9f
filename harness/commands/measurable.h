/* `vebench doctor --measure`: whether this machine can be measured, by measuring it. */
#ifndef VEBENCH_MEASURABLE_H
#define VEBENCH_MEASURABLE_H

#include "cli/cli.h"
#include "commands/doctor.h"
#include "rows/records.h"
#include "selftest/selftest.h"
#include "ze/clients.h"

/* What is known before it is judged. */
struct measurable {
    struct target target;
    struct selftest test;
    const struct machine_gpu *gpu; /* the device's, or NULL */
    const struct clients *clients; /* other ones */
    const struct records *records; /* of the sweep; NULL: there is none */
    const char *kernel;            /* release of the running kernel */
};

/* Reports a line about each of these, with the command that changes what is wrong. */
void measurable_judge(struct doctor *doctor, const struct measurable *measurable);

/* Runs the short form on the device that `selector` names, and writes its line to `out`. Nothing if
 * the device is emulated or cannot be opened: the run itself says why. */
void measurable_short(const char *selector, FILE *out);

/* The whole: about a minute. Writes lines and verdict to `out`, and those with the rows of the
 * sweep to the file of --output, doctor-<UTC time>.txt by default. `*wrong` gets the number of
 * lines that have to change. STATUS_FAILED if the device cannot be opened or the file not be
 * written. */
enum status command_measurable(const struct cli *cli, FILE *out, unsigned *wrong,
                               struct error *error);

#endif
