/* Runs vebench, unmodified, above the simulated GPU. */
#ifndef TESTS_SIMULATED_RUN_H
#define TESTS_SIMULATED_RUN_H

struct simulated_run {
    const char *library;            /* simulated-gpu.so */
    const char *settings;           /* see settings.h */
    unsigned seed;                  /* 0: that of the settings */
    const char *const *environment; /* further variables, NULL at the end; NULL: none */
};

/* Returns the exit status as process_run() does. */
int simulated_run(const struct simulated_run *run, char *const *arguments, const char *out,
                  const char *err);

#endif
