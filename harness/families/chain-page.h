/* What the pages of families `exchange` and `collective` share. */
#ifndef VEBENCH_CHAIN_PAGE_H
#define VEBENCH_CHAIN_PAGE_H

#include "page/plot-data.h"

/* A panel for each sub-group size, a bar for each way of an exchange. */
bool place_chain(const struct record *record, struct plot_point *point);

#endif
