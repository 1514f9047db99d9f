/* Where the rows of each family stand in its plot; see struct plot. */
#ifndef VEBENCH_PLOT_PLACES_H
#define VEBENCH_PLOT_PLACES_H

#include "page/plot-data.h"

bool place_barrier(const struct record *record, struct plot_point *point);
bool place_latency(const struct record *record, struct plot_point *point);
bool place_pattern(const struct record *record, struct plot_point *point);
bool place_in_flight(const struct record *record, struct plot_point *point);
bool place_slm(const struct record *record, struct plot_point *point);
bool place_exchange(const struct record *record, struct plot_point *point); /* and collective */
bool place_atomics(const struct record *record, struct plot_point *point);
bool place_divergence(const struct record *record, struct plot_point *point);
bool place_registers(const struct record *record, struct plot_point *point);
bool place_transpose(const struct record *record, struct plot_point *point);
bool place_matmul(const struct record *record, struct plot_point *point);

#endif
