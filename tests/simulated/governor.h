/* The clock of a simulated GPU as a function of time: it approaches that of the present load with
 * the time constant of its direction. Times are in ns since the simulation began. */
#ifndef TESTS_SIMULATED_GOVERNOR_H
#define TESTS_SIMULATED_GOVERNOR_H

#include "settings.h"

#include <stdbool.h>

enum load { LOAD_IDLE, LOAD_NARROW, LOAD_WIDE, LOAD_HEAVY };

/* The GPU has been idle for ever. */
void governor_begin(const struct settings *settings);

/* From now on the full clock is that much lower. */
void governor_lower(double part);

/* The device is idle until then. */
void governor_idle_until(double ns);

/* Does so many cycles of work under that load, from `governor_now()` on; returns the time taken. */
double governor_work(enum load load, double cycles);

/* Does work that takes so long at any clock. Returns the cycles that pass. */
double governor_wait(enum load load, double ns);

/* How far the device's time has come. */
double governor_now(void);

/* The clock in MHz at a time before or after governor_now(), the device being idle after it; 0 if
 * it sleeps. */
double governor_mhz(double ns);

#endif
