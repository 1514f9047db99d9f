/* Operations per second against operations per byte, below the roofs that limit them. */
#ifndef VEBENCH_ROOFLINE_H
#define VEBENCH_ROOFLINE_H

#include "report/plots.h"

/* Shows the largest launches of matrix products, by element type. Every roof is measured or stated
 * by the device; none is computed from a number of lanes, which results files do not have. */
void roofline_collect(const struct plot_source *source, struct plot_data *data);

#endif
