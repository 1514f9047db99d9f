/* Units of values as they appear in rows, such as "ns/barrier". */
#ifndef VEBENCH_UNIT_H
#define VEBENCH_UNIT_H

#include <stdbool.h>

/* What people are shown times in. In the order of the choices of --time-unit. */
enum time_unit { TIME_AUTO, TIME_NS, TIME_US, TIME_MS, TIME_CYCLES };

/* "ns", "us", "ms", "cycles"; TIME_AUTO has no name. */
const char *time_unit_name(enum time_unit unit);

/* The factor from nanoseconds. NaN for cycles of a clock that is unknown, and for TIME_AUTO. */
double time_unit_per_ns(enum time_unit unit, double clock_mhz);

#define UNIT_BYTES 64

/* "us/barrier" of "ns/barrier". Other than times, units stay. Returns `text`. */
const char *unit_shown(const char *unit, enum time_unit shown, char text[UNIT_BYTES]);

/* Is it a time: "ns" or "ns/THING"? */
bool unit_is_time(const char *unit);

/* What a time is per: "/THING", or "" for "ns". */
const char *unit_per(const char *unit);

#endif
