#include "base/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char time_unit[] = "ns";

const char *time_unit_name(enum time_unit unit)
{
    static const char *const names[] = {"", "ns", "us", "ms", "cycles"};

    return names[unit];
}

double time_unit_per_ns(enum time_unit unit, double clock_mhz)
{
    switch (unit) {
    case TIME_NS:
        return 1.0;
    case TIME_US:
        return 1e-3;
    case TIME_MS:
        return 1e-6;
    case TIME_CYCLES:
        return clock_mhz > 0.0 ? clock_mhz / 1000.0 : NAN;
    case TIME_AUTO:
        break;
    }
    return NAN;
}

const char *unit_shown(const char *unit, enum time_unit shown, char text[UNIT_BYTES])
{
    if (unit_is_time(unit) && shown != TIME_AUTO)
        snprintf(text, UNIT_BYTES, "%s%s", time_unit_name(shown), unit_per(unit));
    else
        snprintf(text, UNIT_BYTES, "%s", unit);
    return text;
}

bool unit_is_time(const char *unit)
{
    size_t bytes = sizeof(time_unit) - 1;

    return !strncmp(unit, time_unit, bytes) && (unit[bytes] == '/' || unit[bytes] == '\0');
}

const char *unit_per(const char *unit)
{
    return unit_is_time(unit) ? unit + sizeof(time_unit) - 1 : "";
}
