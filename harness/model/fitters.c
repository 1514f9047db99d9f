/* The fitters, in the order in which a model lists their parameters. A new one is a file
 * fit-FAMILY.c and two lines here. */
#include "fit.h"

extern const struct fitter fitter_barrier;

const struct fitter *const fitters[] = {
    &fitter_barrier,
};

const size_t fitter_count = sizeof fitters / sizeof fitters[0];
