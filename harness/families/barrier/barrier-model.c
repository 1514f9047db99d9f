/* Family `barrier`: fits the cost of a barrier beyond the loop around it, for each scope, fence and
 * sub-group size. */
#include "model/advise-ladder.h"
#include "model/family-model.h"
#include "model/fit-ladder.h"

const struct family_model family_barrier_model = {
    .family = "barrier",
    .rank = 10,
    .fit = fit_ladders,
    .predict = predict_ladder,
    .advise = advise_tasks, /* a task is a scope and a fence: less cannot replace more */
};
