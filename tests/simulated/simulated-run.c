#include "simulated-run.h"

#include "process.h"

#include <stdio.h>

#define VARIABLES_MAX 8

int simulated_run(const struct simulated_run *run, char *const *arguments, const char *out,
                  const char *err)
{
    char settings[600], preload[600], loader[600], seed[24] = "";
    const char *environment[VARIABLES_MAX] = {settings, preload, loader};

    if (run->seed > 0)
        snprintf(seed, sizeof(seed), " seed=%u", run->seed);
    snprintf(settings, sizeof(settings), "SIMULATED_GPU=%s%s", run->settings, seed);
    snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", run->library);
    snprintf(loader, sizeof(loader), "VEBENCH_ZE_LOADER=%s", run->library);
    for (unsigned i = 0; run->environment && run->environment[i] && i + 4 < VARIABLES_MAX; i++)
        environment[3 + i] = run->environment[i];
    return process_run(arguments, environment, out, err);
}
