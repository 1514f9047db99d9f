/* The fitters, in the order in which a model lists their parameters. A new one is a file
 * fit-FAMILY.c and two lines here. */
#include "model/fit.h"

extern const struct fitter fitter_atomics, fitter_bandwidth, fitter_barrier, fitter_collective,
    fitter_divergence, fitter_exchange, fitter_latency, fitter_launch, fitter_memory_8,
    fitter_memory_16, fitter_memory_32, fitter_memory_64, fitter_pipeline, fitter_slm;

const struct fitter *const fitters[] = {
    &fitter_barrier,   &fitter_latency,  &fitter_memory_8, &fitter_memory_16,  &fitter_memory_32,
    &fitter_memory_64, &fitter_slm,      &fitter_exchange, &fitter_collective, &fitter_divergence,
    &fitter_launch,    &fitter_pipeline, &fitter_atomics,  &fitter_bandwidth,
};

const size_t fitter_count = sizeof fitters / sizeof fitters[0];
