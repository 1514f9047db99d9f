/* Barriers: what one costs beyond the loop around it, for each scope, fence and sub-group size. */
#include "model/fit-ladder.h"

static enum status fit_barrier(struct fit *fit)
{
    return fit_ladders(fit, "barrier");
}

const struct fitter fitter_barrier = {
    .family = "barrier", .fit = fit_barrier, .predict = predict_ladder};
