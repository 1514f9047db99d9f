#include "model/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEP_ELEMENTS 16.0 /* of a work-item, as the families' kernels have them */

double fit_bytes_in_flight(const struct record *r)
{
    double bits = strtod(r->benchmark + strlen("memory_"), NULL), groups = r->workgroup_count;
    double threads = record_threads(r);

    if (r->xe_cores && r->threads_per_xe_core)
        groups = fmin(groups, r->xe_cores * floor(r->threads_per_xe_core / threads));
    return groups * r->workgroup_size * STEP_ELEMENTS * bits / 8.0;
}
