/* The rule that decides when a measurement is done. */
#ifndef VEBENCH_STOP_H
#define VEBENCH_STOP_H

#include "base/error.h"

#include <stdbool.h>

/* Rounds go on until the standard error of each value is small enough, but for at least `min` and
 * at most `max` rounds. */
struct stop_rule {
    double stdrel;     /* relative to the value or, if larger, a tenth of the loop's time: a
                          difference may be zero, and no error is small relative to that */
    unsigned min, max; /* rounds */
};

/* Replaces zeros in `asked` by defaults for the kind of device. On an emulated device, equal
 * launches take equal times and are slow on the host: two rounds, and a third where they differ by
 * more than 0.5 %. On hardware: 0.5 %, 10 to 60 rounds. */
struct stop_rule stop_complete(const struct stop_rule *asked, bool hardware);

/* Parses "stdrel=0.5%,min=10,max=60", each at most once and in any order; sets 0 for what is
 * missing. STATUS_USAGE for anything else. */
enum status stop_parse(const char *text, struct stop_rule *rule, struct error *error);

/* What the error of a value is relative to: the value or, if larger, a tenth of its loop's time in
 * the same unit, which is 0 without one. */
double stop_scale(double value, double loop);

/* Is a value with this standard error known well enough? */
bool stop_is_steady(const struct stop_rule *rule, double value, double standard_error, double loop);

#endif
