/* Family `collective`: fits what one reduction or scan over a sub-group adds to a chain of them, in
 * registers and through shared local memory. */
#include "families/chain/chain-model.h"
#include "model/fit-ladder.h"

const struct family_model family_collective_model = {
    .family = "collective",
    .rank = 60,
    .fit = fit_ladders,
    .predict = predict_ladder,
    .advise = advise_chain,
};
