/* `vebench doctor`: what this machine offers, and how to fix what is wrong. */
#ifndef VEBENCH_DOCTOR_H
#define VEBENCH_DOCTOR_H

#include "commands/machine.h"

#include <stdbool.h>
#include <stdio.h>

enum diagnosis { DIAGNOSIS_OK, DIAGNOSIS_NOTE, DIAGNOSIS_WRONG };

/* Counts of the findings. */
struct doctor {
    FILE *out;
    FILE *report; /* gets every line, too; NULL: there is none */
    unsigned wrong;
    bool no_gpu;           /* without a GPU, a driver without devices is no error */
    char first_wrong[160]; /* the first finding of that kind; empty: none */
};

/* Reports a finding about something in a line. */
void diagnose(struct doctor *doctor, enum diagnosis diagnosis, const char *about,
              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Reports the command that changes what was found last. */
void mend(struct doctor *doctor, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Reports what the machine's files say, one line each, with the command that fixes what is wrong
 * below it. `processors`: number that this process may use. */
void doctor_machine(struct doctor *doctor, const struct machine *machine, unsigned processors);

/* Reports environment variables that change the driver's behaviour. */
void doctor_environment(struct doctor *doctor);

/* Runs all checks, those of the driver in a child process. Returns the number of problems. */
unsigned command_doctor(FILE *out);

#endif
