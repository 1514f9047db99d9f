/* What a rank other than 0 does: it starts workers for the sweep in rank 0, passes messages between
 * the two, watches over the limits of its workers, and says how they end. */
#ifndef VEBENCH_AGENT_H
#define VEBENCH_AGENT_H

#include "sweep/sweep.h"

/* Serves the sweep until its stream ends. STATUS_FAILED if no worker can be created. */
enum status agent_serve(const struct sweep_request *request, struct error *error);

#endif
