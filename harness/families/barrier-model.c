/* Family `barrier`: fits the cost of a barrier beyond the loop around it, for each scope, fence and
 * sub-group size. */
#include "model/advise-ladder.h"
#include "model/family-model.h"
#include "model/fit-ladder.h"

#include <string.h>

/* The task is scope and fence: a barrier that guarantees less cannot replace one that guarantees
 * more. */
static size_t barrier_task(const char *variant)
{
    return strlen(variant);
}

static enum status advise_barrier(struct advising *a)
{
    return advise_tasks(a, barrier_task);
}

const struct family_model family_barrier_model = {
    .family = "barrier",
    .rank = 10,
    .fit = fit_ladders,
    .predict = predict_ladder,
    .advise = advise_barrier,
};
