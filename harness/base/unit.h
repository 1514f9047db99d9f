/* Units of values as they appear in rows, such as "ns/barrier". */
#ifndef VEBENCH_UNIT_H
#define VEBENCH_UNIT_H

#include <stdbool.h>

/* Is it a time: "ns" or "ns/THING"? */
bool unit_is_time(const char *unit);

/* What a time is per: "/THING", or "" for "ns". */
const char *unit_per(const char *unit);

#endif
