/* Operations per second against operations per byte, under what bounds them. */
#ifndef VEBENCH_ROOFLINE_H
#define VEBENCH_ROOFLINE_H

#include "page/plots.h"

/* The largest launches of matrix products, by type of element. Every roof is measured or
 * stated by the device, none is computed from a number of lanes: a results file does not have it.
 */
void roofline_collect(const struct plot_source *source, struct plot_data *data);

#endif
