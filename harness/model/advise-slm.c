/* Shared local memory: strides to avoid, and from how many hardware threads on they are felt. */
#include "model/advise.h"

#include <math.h>
#include <string.h>

#define LANES       16u /* of a message */
#define STRIDES_MAX 64u /* words */
#define BANKS_MAX   1024u

/* Turns of one message whose lanes lie `stride` words apart. */
static unsigned turns_of(unsigned stride, unsigned banks)
{
    unsigned most = 0;

    for (unsigned bank = 0; bank < banks; bank++) {
        unsigned turns = 0;

        for (unsigned lane = 0; lane < LANES; lane++)
            turns += lane * stride % banks == bank;
        most = turns > most ? turns : most;
    }
    return most;
}

static void advise_strides(struct advising *a, unsigned banks)
{
    bool any = false;

    fprintf(a->out,
            "%u banks: a message of %u lanes takes one turn at strides of 1 word and all odd ones; "
            "avoid",
            banks, LANES);
    for (unsigned stride = 2; stride <= STRIDES_MAX; stride *= 2) {
        unsigned turns = turns_of(stride, banks);

        if (turns < 2)
            continue;
        fprintf(a->out, "%s %s %u (%u turns)", any ? "," : "",
                stride == STRIDES_MAX ? "multiples of" : "odd multiples of", stride, turns);
        any = true;
    }
    fprintf(a->out, "%s; a word of padding after every 32 makes such a stride odd\n",
            any ? "" : " none");
}

/* Hidden: while the turns of all threads take less than one access. */
static void advise_access(struct advising *a, const struct parameter *access,
                          const struct parameter_place *place, unsigned banks)
{
    const struct parameter *turn =
        model_find(a->model, "slm.%s.simd%u.turn", place->variant, place->subgroup_size);
    double messages = ceil((double)place->subgroup_size / LANES);

    fprintf(a->out, "%s, sub-group %u: an access takes ", place->variant, place->subgroup_size);
    estimate_print(a->out, &(struct estimate){access->value, access->interval});
    fprintf(a->out, " %s", access->unit);
    if (turn && turn->value > 0.0) {
        double threads = access->value / (turn->value * messages);

        fprintf(a->out,
                "; the banks bind from %.3g hardware threads on at 1 turn, %.3g at 2, %.3g at %u",
                threads, threads / 2.0, threads / turns_of(banks, banks), turns_of(banks, banks));
    }
    fputc('\n', a->out);
}

static enum status advise_slm(struct advising *a)
{
    const struct parameter *banks = model_find(a->model, "slm.banks");
    struct parameter_place place;

    if (!banks || !(banks->value >= 1.0 && banks->value <= BANKS_MAX))
        return STATUS_OK;
    a->said++;
    advise_strides(a, (unsigned)banks->value);
    for (size_t i = 0; i < a->model->parameter_count; i++) {
        const struct parameter *p = &a->model->parameter[i];

        if (parameter_place(p, "slm", &place) && !strcmp(place.rest, "access"))
            advise_access(a, p, &place, (unsigned)banks->value);
    }
    return STATUS_OK;
}

const struct adviser adviser_slm = {"slm", advise_slm};
