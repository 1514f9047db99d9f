/* `vebench devices` and `vebench list`: what is here, for people and as JSON. */
#ifndef VEBENCH_INVENTORY_H
#define VEBENCH_INVENTORY_H

#include "base/error.h"
#include "measure/family.h"
#include "measure/session.h"

#include <stdbool.h>
#include <stdio.h>

enum status inventory_devices(FILE *out, const struct session *session, bool as_json,
                              struct error *error);

/* The families of the list, as JSON all there is, for people their axes and variants; without any,
 * all families, for people a line each. */
enum status inventory_families(FILE *out, const struct family *const *chosen, size_t count,
                               bool as_json, struct error *error);

#endif
