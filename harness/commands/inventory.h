/* `vebench devices` and `vebench list`: what is available, for people and as JSON. */
#ifndef VEBENCH_INVENTORY_H
#define VEBENCH_INVENTORY_H

#include "base/error.h"
#include "family/family.h"
#include "ze/session.h"

#include <stdbool.h>
#include <stdio.h>

/* `counters`: also the groups of counters that each can count launches with, for which
 * counters_prepare() has been called; JSON has the counters themselves. A device without any says
 * why. */
enum status inventory_devices(FILE *out, const struct session *session, bool counters, bool as_json,
                              struct error *error);

/* Lists the chosen families, or all if none are chosen. JSON has everything; for people, chosen
 * families come with their axes and variants, all families with one line each. */
enum status inventory_families(FILE *out, const struct family *const *chosen, size_t count,
                               bool as_json, struct error *error);

#endif
