/* The answer of the command `fleet` for programs that watch over machines. */
#ifndef VEBENCH_FLEET_MONITOR_H
#define VEBENCH_FLEET_MONITOR_H

#include "compare/fleet-causes.h"

#include <stdio.h>

/* Metrics in the text format of OpenMetrics 1.0, which Prometheus takes too: for each GPU its
 * figures, how many of them are slow, and its clock; for each cause by how much it slows down. */
void fleet_put_openmetrics(FILE *out, const struct fleet *fleet, const struct fleet_causes *causes);

/* A test report as JUnit's: a test for each GPU, by host and UUID, which fails if the GPU is slower
 * than its peers, and one for each group that is. */
void fleet_put_junit(FILE *out, const struct fleet *fleet, const struct fleet_causes *causes);

#endif
