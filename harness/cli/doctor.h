/* `vebench doctor`: what this machine offers, and what to do about what is wrong. */
#ifndef VEBENCH_DOCTOR_H
#define VEBENCH_DOCTOR_H

#include "cli/machine.h"

#include <stdio.h>

/* What has been found, counted. */
struct doctor {
    FILE *out;
    unsigned wrong;
    bool no_gpu; /* the machine has none, so that a driver without devices is no wonder */
};

/* Says what the machine's files tell, a line each, and below what is wrong the command that mends
 * it. `processors` that this process may use. */
void doctor_machine(struct doctor *doctor, const struct machine *machine, unsigned processors);

/* Says what variables that change the driver's mind are set. */
void doctor_environment(struct doctor *doctor);

/* All of it, the driver included, which is asked in a process of its own. Returns how many things
 * are wrong. */
unsigned command_doctor(FILE *out);

#endif
