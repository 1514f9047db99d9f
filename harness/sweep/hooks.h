/* Commands of the user around the measurement of a configuration: one may wait until the device has
 * cooled down, set its clock, or start what it shall be measured beside. */
#ifndef VEBENCH_HOOKS_H
#define VEBENCH_HOOKS_H

#include "family/family.h"
#include "ze/watch.h"

/* Texts for the shell, borrowed; NULL: none. */
struct hooks {
    const char *prepare; /* before a configuration */
    const char *cleanup; /* after it, however it ended */
};

/* The configuration that a command is told of, in its environment: VEBENCH_BENCHMARK,
 * VEBENCH_SUBGROUP_SIZE, VEBENCH_WORKGROUP_SIZE, VEBENCH_WORKGROUP_COUNT, VEBENCH_PARAMETERS,
 * VEBENCH_SEQUENCE, VEBENCH_PCI_ADDRESS. */
struct hook_place {
    const struct family *family;
    const struct configuration *configuration;
    const struct device *device;
    size_t sequence; /* of the configuration in the run */
};

/* Runs a command by the shell and waits for it. Its output goes to standard error, so that it
 * cannot get between the rows. STATUS_FAILED, which names `option`, the command and its exit
 * status, unless that is 0. */
enum status hook_run(const char *option, const char *command, const struct hook_place *place,
                     struct watch *watch, struct error *error);

#endif
