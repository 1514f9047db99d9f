/* The sweeps of vebench bench: starts `vebench run` on this machine's GPU, or under vesim on an
 * emulated one. */
#ifndef VEBENCH_BENCH_SWEEP_H
#define VEBENCH_BENCH_SWEEP_H

#include "cli/cli.h"

#include <limits.h>
#include <signal.h>

struct bench_device {
    char vebench[PATH_MAX]; /* this program */
    char vesim[PATH_MAX];
    const char *emulate; /* what vesim is to emulate; NULL: whatever Level Zero reports */
    bool is_emulated;    /* emulated, no matter who started the emulator */
};

/* The device that --emulate or BENCH_DEVICE asks for; else the GPU, if one responds; else an
 * emulated Arc A380. Reports the choice and the reason on `messages`. */
enum status bench_find_device(struct bench_device *device, const struct cli *cli, FILE *messages,
                              struct error *error);

/* Fills in the paths of this program and vesim. */
enum status bench_find_programs(struct bench_device *device, struct error *error);

/* Starts the command line of `cli` again under vesim, in the place of this program, on the device
 * that --emulate names. Returns only if that fails. */
enum status bench_become_emulated(const struct cli *cli, struct error *error);

/* Whether vesim can be run. */
bool bench_has_vesim(const struct bench_device *device);

/* The GPU that --device or BENCH_GPU asks for, else the best. */
const char *bench_selector(const struct cli *cli);

/* Are a few axes measured in more detail, too? After the default sweep of a GPU, or if the user
 * asks for it; but only after all of it: of a part it is not known which rows exist already. */
bool bench_wants_detail(const struct bench_device *device, const struct cli *cli);

/* Runs `vebench run --output FILE` with the options of `cli` that run and bench share, followed by
 * `words` up to a NULL, and waits for it. `*code` is its exit status. STATUS_FAILED if it cannot be
 * started or is killed. */
enum status bench_run(const struct bench_device *device, const struct cli *cli, const char *file,
                      const char *const *words, int *code, struct error *error);

#endif
