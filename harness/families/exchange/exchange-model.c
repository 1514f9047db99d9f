/* Family `exchange`: fits what one exchange between the lanes of a sub-group adds to a chain of
 * them, in registers and through shared local memory. */
#include "families/chain/chain-model.h"
#include "model/fit-ladder.h"

const struct family_model family_exchange_model = {
    .family = "exchange",
    .rank = 50,
    .fit = fit_ladders,
    .predict = predict_ladder,
    .advise = advise_chain,
};
