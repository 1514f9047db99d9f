/* When a measurement is done. */
#ifndef VEBENCH_STOP_H
#define VEBENCH_STOP_H

#include "base/error.h"

#include <stdbool.h>

/* Rounds go on until the standard error of each value is small enough, but at least `min` and at
 * most `max` of them. */
struct stop_rule {
    double stdrel;     /* of the value, or of a tenth of the loop's time where the value is less: a
                          difference may be zero, and nothing is small beside that */
    unsigned min, max; /* rounds */
};

/* What is 0 in `asked` by the kind of device. On a model all launches of a kind take the same time,
 * and the host waits long for each: three rounds. On hardware 0.5 %, 10 to 60 rounds. */
struct stop_rule stop_complete(const struct stop_rule *asked, bool hardware);

/* "stdrel=0.5%,min=10,max=60", each once at the most and in any order; 0 for what is not named.
 * STATUS_USAGE where the text is none of that. */
enum status stop_parse(const char *text, struct stop_rule *rule, struct error *error);

/* Is a value with this standard error known well enough? `loop` is the time of its loop in the same
 * unit, 0 without one. */
bool stop_is_steady(const struct stop_rule *rule, double value, double standard_error, double loop);

#endif
