#include "sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "process.h"

enum { ARGUMENTS_MAX = 32, PATH_CHARS = 256 };

const char *sweep_device;

int sweep_execute(const char *const *arguments, const char *const *environment, const char *out,
                  const char *err)
{
    char *argv[ARGUMENTS_MAX] = {
        getenv("VESIM"), "--device", (char *)sweep_device, "--", getenv("VEBENCH"), "run",
    };
    size_t count = 6;

    assert_non_null(sweep_device);
    assert_non_null(argv[0]);
    assert_non_null(argv[4]);
    for (; *arguments; arguments++) {
        assert_true(count + 1 < ARGUMENTS_MAX);
        argv[count++] = (char *)*arguments;
    }
    return process_run(argv, environment, out, err);
}

void sweep_rows(struct csv_file *csv, const char *name, const char *const *arguments,
                const char *const *environment)
{
    char output[PATH_CHARS], out[PATH_CHARS], err[PATH_CHARS];
    const char *all[ARGUMENTS_MAX] = {"--output", output};
    size_t count = 2;

    assert_non_null(sweep_device);
    snprintf(output, sizeof(output), "%s-%s.csv", sweep_device, name);
    snprintf(out, sizeof(out), "%s-%s.out", sweep_device, name);
    snprintf(err, sizeof(err), "%s-%s.err", sweep_device, name);
    for (; *arguments; arguments++) {
        assert_true(count + 1 < ARGUMENTS_MAX);
        all[count++] = *arguments;
    }
    remove(output); /* vebench does not write over results */
    int status = sweep_execute(all, environment, out, err);
    if (status != 0 || csv_file_load(csv, output) != 0) {
        process_show_file(out);
        process_show_file(err);
        fail_msg("vebench on the emulated %s ended with %d", sweep_device, status);
    }
}
