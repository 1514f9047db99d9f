/* Units of values, as rows name them: "ns/barrier". */
#ifndef VEBENCH_UNIT_H
#define VEBENCH_UNIT_H

#include <stdbool.h>

/* Is it a time, "ns" or "ns/THING"? */
bool unit_is_time(const char *unit);

/* What a time is of: "/THING", or "" for "ns". */
const char *unit_per(const char *unit);

#endif
