#include "preload/seconds.h"

#include <stddef.h>
#include <string.h>

/* More is no limit but a mistake: 31 years. */
#define SECONDS_MAX 1e9

/* strtod() would read it as the program's locale says. */
int seconds_read(const char *text, double *seconds)
{
    double read = 0, unit = 0; /* of the next digit behind the point; 0: before it */
    size_t digits = 0;

    for (; *text; text++) {
        if (*text == '.' && unit == 0) {
            unit = 0.1;
        } else if (*text >= '0' && *text <= '9') {
            read = unit > 0 ? read + (*text - '0') * unit : read * 10 + (*text - '0');
            unit *= 0.1;
            digits++;
        } else {
            return -1;
        }
    }
    if (!digits || read > SECONDS_MAX)
        return -1;
    *seconds = read;
    return 0;
}

int after_hang_read(const char *text, double *seconds)
{
    double read;

    if (strcmp(text, "wait") == 0) {
        *seconds = -1;
        return 0;
    }
    if (seconds_read(text, &read) || read <= 0)
        return -1;
    *seconds = read;
    return 0;
}
