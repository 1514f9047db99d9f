/* Runs `vebench run` on an emulated device and reads the CSV it leaves. */
#ifndef TESTS_DRIVER_SWEEP_H
#define TESTS_DRIVER_SWEEP_H

#include "csv-file.h"

/*
 * Runs the sweep with VESIM and VEBENCH from the environment, on the emulated device of the test's
 * first argument. `arguments` are what follows `run` (NULL-terminated), `environment` is as in
 * process_run(). The result is left in NAME.csv, replacing an older one. Fails the running test,
 * after showing what the programs said, unless all of it went well.
 */
void sweep_rows(struct csv_file *csv, const char *name, const char *const *arguments,
                const char *const *environment);

/*
 * Runs `vebench run` likewise, with `arguments` behind it (NULL-terminated), and what it prints in
 * files. Returns its exit status as process_run() does.
 */
int sweep_execute(const char *const *arguments, const char *const *environment, const char *out,
                  const char *err);

/* The emulated device's name; to be set by main(). */
extern const char *sweep_device;

#endif
