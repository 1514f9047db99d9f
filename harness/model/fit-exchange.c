/* Exchanges between the lanes of a sub-group, and reductions and scans over it, in registers and
 * through shared local memory: what one adds to a chain of them. */
#include "model/fit-ladder.h"

static enum status fit_exchange(struct fit *fit)
{
    return fit_ladders(fit, "exchange");
}

const struct fitter fitter_exchange = {
    .family = "exchange", .fit = fit_exchange, .predict = predict_ladder};

static enum status fit_collective(struct fit *fit)
{
    return fit_ladders(fit, "collective");
}

const struct fitter fitter_collective = {
    .family = "collective", .fit = fit_collective, .predict = predict_ladder};
