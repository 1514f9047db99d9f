/* `vebench devices` and `vebench list`: what is here, for people and as JSON. */
#ifndef VEBENCH_INVENTORY_H
#define VEBENCH_INVENTORY_H

#include "base/error.h"
#include "measure/session.h"

#include <stdbool.h>
#include <stdio.h>

enum status inventory_devices(FILE *out, const struct session *session, bool as_json,
                              struct error *error);
enum status inventory_families(FILE *out, bool as_json, struct error *error);

#endif
