/* `vebench doctor`: what this machine offers, and how to fix what is wrong. */
#ifndef VEBENCH_DOCTOR_H
#define VEBENCH_DOCTOR_H

#include "commands/machine.h"

#include <stdio.h>

/* Counts of the findings. */
struct doctor {
    FILE *out;
    unsigned wrong;
    bool no_gpu; /* without a GPU, a driver without devices is no error */
};

/* Reports what the machine's files say, one line each, with the command that fixes what is wrong
 * below it. `processors`: number that this process may use. */
void doctor_machine(struct doctor *doctor, const struct machine *machine, unsigned processors);

/* Reports environment variables that change the driver's behaviour. */
void doctor_environment(struct doctor *doctor);

/* Runs all checks, those of the driver in a child process. Returns the number of problems. */
unsigned command_doctor(FILE *out);

#endif
