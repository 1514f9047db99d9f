/* Shared by the pages of families `exchange` and `collective`. */
#ifndef VEBENCH_CHAIN_PAGE_H
#define VEBENCH_CHAIN_PAGE_H

#include "report/plot-data.h"

/* One panel per sub-group size, one bar per way of an exchange. */
bool place_chain(const struct record *record, struct plot_point *point);

#endif
