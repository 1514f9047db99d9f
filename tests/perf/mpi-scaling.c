/*
 * How a sweep over 1, 2 and 4 ranks scales when devices are what takes the time: each launch waits
 * 100 ms in which the host has nothing to do (the faulty loader's `idle`), so that the dealing is
 * measured, and not the processors that emulate.
 *
 * Arguments: mpiexec, vesim, vebench, the loader.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "process.h"

enum { TEXT_CHARS = 4096 };

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Seconds of a sweep of 16 configurations over so many ranks; negative if it failed. */
static double sweep_s(char **argv, const char *ranks)
{
    char loader[TEXT_CHARS];
    const char *const environment[] = {loader,
                                       "FAULT=idle@zeCommandQueueExecuteCommandLists:1*",
                                       "FAULT_COUNT=scaling-count",
                                       "OMPI_ALLOW_RUN_AS_ROOT=1",
                                       "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                       "OMPI_MCA_rmaps_base_oversubscribe=1",
                                       NULL};
    char *command[] = {argv[1],
                       "-n",
                       (char *)ranks,
                       argv[2],
                       "--device",
                       "a380",
                       "--",
                       argv[3],
                       "run",
                       "barrier",
                       "--mpi",
                       "--axis",
                       "subgroup_size=16,32",
                       "--axis",
                       "workgroup_size=32,64,128,256",
                       "--axis",
                       "workgroup_count=1,2",
                       "--variant",
                       "work_group_none",
                       "-q",
                       "--output",
                       "scaling.csv",
                       "--force",
                       NULL};
    double start = now_s();

    snprintf(loader, sizeof(loader), "VEBENCH_ZE_LOADER=%s", argv[4]);
    remove("scaling-count");
    if (process_run(command, environment, "/dev/null", "scaling.err") != 0) {
        process_show_file("scaling.err");
        return -1.0;
    }
    return now_s() - start;
}

int main(int argc, char **argv)
{
    static const char *const ranks[] = {"1", "2", "4"};
    double alone = 0.0;

    if (argc != 5)
        return 2;
    puts("16 configurations, devices that idle\n\nranks  seconds  times as fast");
    for (size_t i = 0; i < sizeof(ranks) / sizeof(*ranks); i++) {
        double seconds = sweep_s(argv, ranks[i]);

        if (seconds < 0.0)
            return 1;
        alone = i ? alone : seconds;
        printf("%5s %8.1f %14.2f\n", ranks[i], seconds, alone / seconds);
        fflush(stdout);
    }
    return 0;
}
