/* The plan of faults, read before the program can fork: what strikes is counted over all that come
 * of it, so that a program which replaces a process that has met a fault does not meet it again. */
#include <stdio.h>
#include <stdlib.h>

#include "preload/interpose.h"

static struct faults faults;
static bool planned;

__attribute__((constructor)) static void plan_faults(void)
{
    const char *text = getenv("VESIM_FAULTS");
    char error[512];

    if (!text || !*text)
        return;
    planned = !faults_parse(&faults, text, error, sizeof(error));
    if (!planned)
        fprintf(stderr, "vesim: VESIM_FAULTS: %s\n", error);
}

const struct faults *interpose_faults(void)
{
    return planned ? &faults : NULL;
}
