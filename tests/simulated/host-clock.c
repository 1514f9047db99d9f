#include "host-clock.h"

#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Ahead of any machine's monotonic clock: processes without a simulated GPU never find that one
 * with it is late. */
#define EPOCH_S      1000000000L

#define OVERSLEEP_NS 55000.0 /* Linux' default timer slack is 50 us (prctl(2)) */

static struct {
    bool is_virtual;
    double now_ns, reading_ns;
} host;

void host_clock_begin(double reading_ns)
{
    host.is_virtual = true;
    host.reading_ns = reading_ns;
}

double host_clock_now(void)
{
    return host.now_ns;
}

void host_clock_advance(double ns)
{
    host.now_ns += ns;
}

void host_clock_advance_to(double ns)
{
    if (ns > host.now_ns)
        host.now_ns = ns;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (!host.is_virtual || (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_RAW))
        return (int)syscall(SYS_clock_gettime, clock, time);
    host.now_ns += host.reading_ns;
    time->tv_sec = EPOCH_S + (time_t)(host.now_ns / 1e9);
    time->tv_nsec = (long)(host.now_ns - (double)(time_t)(host.now_ns / 1e9) * 1e9);
    return 0;
}

int nanosleep(const struct timespec *pause, struct timespec *left)
{
    if (!host.is_virtual)
        return (int)syscall(SYS_nanosleep, pause, left);
    host.now_ns += (double)pause->tv_sec * 1e9 + (double)pause->tv_nsec + OVERSLEEP_NS;
    return 0;
}
