/* The sweeps of vebench bench: `vebench run` started on the GPU of this machine, or under vesim on
 * a modelled one. */
#ifndef VEBENCH_BENCH_SWEEP_H
#define VEBENCH_BENCH_SWEEP_H

#include "cli/cli.h"

#include <limits.h>
#include <signal.h>

struct bench_device {
    char vebench[PATH_MAX]; /* this program */
    char vesim[PATH_MAX];
    const char *model; /* the device that vesim is to be, NULL: what Level Zero shows */
    bool is_model;     /* emulated, whoever started the emulator */
};

/* The device that is asked for by --emulate or by BENCH_DEVICE; else the GPU if one answers; else
 * the modelled Arc A380. Says on `messages` which and why. */
enum status bench_find_device(struct bench_device *device, const struct cli *cli, FILE *messages,
                              struct error *error);

/* Runs `vebench run --output FILE`, with the options of `cli` that run and bench share and then
 * `words`, up to a NULL, and waits for it. `*code` is its exit status. STATUS_FAILED where it
 * cannot be started or dies. */
/* Fills in where this program and vesim are. */
enum status bench_find_programs(struct bench_device *device, struct error *error);

/* Does vesim run there? */
bool bench_has_vesim(const struct bench_device *device);

enum status bench_run(const struct bench_device *device, const struct cli *cli, const char *file,
                      const char *const *words, int *code, struct error *error);

#endif
