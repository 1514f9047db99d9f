/* A verdict as bars: the best way at each sub-group size, at equal work, with 95 % intervals. */
#ifndef VEBENCH_VERDICT_BARS_H
#define VEBENCH_VERDICT_BARS_H

#include "model/verdict.h"

#include <stdio.h>

/* Writes the inside of a drawing, for drawing_put(). Returns its height. */
double verdict_bars_draw(FILE *out, const struct verdict *verdict);

#endif
