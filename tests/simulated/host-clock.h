/* The host's clock of the process that uses a simulated GPU: it goes on by calls alone, so that
 * what is measured depends neither on the machine nor on its load. The library is preloaded: its
 * clock_gettime(), nanosleep() and stat() stand for libc's. Until host_clock_begin() they do the
 * same as those. */
#ifndef TESTS_SIMULATED_HOST_CLOCK_H
#define TESTS_SIMULATED_HOST_CLOCK_H

/* Each reading takes reading_ns. */
void host_clock_begin(double reading_ns);

/* ns since then. */
double host_clock_now(void);
void host_clock_advance(double ns);
void host_clock_advance_to(double ns);

#endif
