/* Family `barrier`, what its rows say: what a barrier costs beyond the loop around it, for each
 * scope, fence and sub-group size. */
#include "model/advise-ladder.h"
#include "model/family-model.h"
#include "model/fit-ladder.h"

#include <string.h>

/* Scope and fence: a barrier that promises less is no choice instead of one that promises more. */
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
