#include "base/unit.h"

#include <string.h>

static const char time_unit[] = "ns";

bool unit_is_time(const char *unit)
{
    size_t bytes = sizeof(time_unit) - 1;

    return !strncmp(unit, time_unit, bytes) && (unit[bytes] == '/' || unit[bytes] == '\0');
}

const char *unit_per(const char *unit)
{
    return unit_is_time(unit) ? unit + sizeof(time_unit) - 1 : "";
}
