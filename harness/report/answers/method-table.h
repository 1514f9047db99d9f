/* Below the map of a family: every method of an operation by sub-group size, at equal work. */
#ifndef VEBENCH_METHOD_TABLE_H
#define VEBENCH_METHOD_TABLE_H

#include "model/verdict.h"

#include <stdio.h>

/* A folded table of the verdicts on these rows that rank more than one method; nothing if there are
 * none. A row that is not ok shows its status. */
void method_table_put(FILE *out, const struct records *records, const struct verdicts *all);

#endif
