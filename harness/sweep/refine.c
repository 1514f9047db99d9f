#include "sweep/refine.h"

#include "measure/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH 2u /* of the rounds, from batch to batch */
/* A batch may go on for half as many rounds again. */
#define CONFIRMATION 1.5
/* By how much a batch may take longer than the one before suggests. */
#define ALLOWANCE 1.05
#define PART      0.5 /* of the time left, for a pass */

static enum status no_memory(struct error *error)
{
    return error_out_of_memory(error);
}

/* False if there is no memory; the array is then as it was. */
static bool grow(void *array, size_t count, size_t element_bytes)
{
    void **bytes = array;
    void *more = realloc(*bytes, count * element_bytes);

    if (more)
        *bytes = more;
    return more != NULL;
}

static unsigned rounds_of(const struct task *task)
{
    size_t rounds = 0;

    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (task->measurements[v].values.count > rounds)
            rounds = task->measurements[v].values.count;
    }
    return (unsigned)rounds;
}

static unsigned sample_rounds_of(const struct task *task)
{
    unsigned rounds = 0;

    for (size_t i = 0; i < task->sample_count; i++) {
        if (task->samples[i].round >= rounds)
            rounds = task->samples[i].round + 1;
    }
    return rounds;
}

static struct kept after_first(struct task *task)
{
    return (struct kept){.task = task,
                         .rounds = rounds_of(task),
                         .batches = 1,
                         .sample_rounds = sample_rounds_of(task),
                         .batch_s = task->seconds,
                         .spent_s = task->seconds,
                         .is_ended = !(task->seconds > 0.0) || task_has_failed(task)};
}

/* Once they are stored. */
static void drop_samples(struct task *task)
{
    free(task->samples);
    task->samples = NULL;
    task->sample_count = task->sample_room = 0;
}

enum status refine_keep(struct refinement *r, struct task *task, struct error *error)
{
    size_t room = r->room ? 2 * r->room : 64;

    if (r->count == r->room) {
        if (!grow(&r->kept, room, sizeof(*r->kept)))
            return no_memory(error);
        r->room = room;
    }
    r->kept[r->count++] = after_first(task);
    drop_samples(task);
    return STATUS_OK;
}

static unsigned next_rounds(const struct refinement *r, const struct kept *kept)
{
    return GROWTH * kept->rounds < r->stop.max ? GROWTH * kept->rounds : r->stop.max;
}

double refine_cost(const struct refinement *r, const struct kept *kept)
{
    double rounds = fmin(CONFIRMATION * next_rounds(r, kept), r->stop.max);

    return ALLOWANCE * kept->batch_s * rounds / kept->rounds;
}

/* May more rounds narrow a variant's interval, or tell that a disturbance has passed? */
static bool is_open(const struct refinement *r, const struct kept *kept, size_t variant)
{
    const struct task *task = kept->task;
    const struct measurement *m = &task->measurements[variant];
    bool is_doubtful = m->outcome == OUTCOME_UNRELIABLE;

    if ((m->outcome != OUTCOME_OK && !is_doubtful) || m->values.count == 0)
        return false;
    return (is_doubtful && kept->batches < MOST_BATCHES) ||
           (kept->rounds < r->stop.max &&
            !measurement_is_steady(m, task->family, &task->configuration, variant, &r->stop));
}

double refine_width(const struct refinement *r, const struct kept *kept)
{
    const struct task *task = kept->task;
    double widest = 0.0;

    if (kept->is_ended || kept->rounds == 0 ||
        (r->each_s > 0.0 && kept->spent_s + refine_cost(r, kept) > r->each_s))
        return 0.0;
    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (is_open(r, kept, v))
            widest = fmax(widest, measurement_width(&task->measurements[v], task->family,
                                                    &task->configuration, v));
    }
    return widest;
}

bool refine_wants(const struct refinement *r, struct task *task)
{
    struct kept kept = after_first(task);

    return refine_width(r, &kept) > 0.0;
}

struct candidate {
    size_t index;
    double width, cost_s;
};

static int wider_first(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;

    if (a->width != b->width)
        return a->width > b->width ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static int by_index(const void *left, const void *right)
{
    const size_t *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Lists what may be measured again, the widest first. */
static size_t list_candidates(const struct refinement *r, double left_s,
                              struct candidate *candidates)
{
    size_t count = 0;

    for (size_t i = 0; i < r->count; i++) {
        struct candidate c = {i, refine_width(r, &r->kept[i]), 0.0};

        if (!(c.width > 0.0))
            continue;
        c.cost_s = refine_cost(r, &r->kept[i]);
        if (c.cost_s <= left_s)
            candidates[count++] = c;
    }
    qsort(candidates, count, sizeof(*candidates), wider_first);
    return count;
}

/* Chooses those that fit, the widest in any case. */
static void choose(struct refinement *r, const struct candidate *candidates, size_t count,
                   double left_s)
{
    double taken_s = 0.0;

    r->again_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct candidate *c = &candidates[i];

        if (taken_s > 0.0 && taken_s + c->cost_s > PART * left_s)
            continue;
        taken_s += c->cost_s;
        r->chosen[r->again_count++] = c->index;
    }
    qsort(r->chosen, r->again_count, sizeof(*r->chosen), by_index);
}

/* A task of the pass: like the kept one, without its results. */
static struct task measured_again(const struct refinement *r, const struct kept *kept)
{
    const struct task *task = kept->task;

    return (struct task){.family = task->family,
                         .configuration = task->configuration,
                         .image = task->image,
                         .sequence = task->sequence,
                         .family_index = task->family_index,
                         .estimate = task->estimate,
                         .first_rounds = next_rounds(r, kept)};
}

enum status refine_choose(struct refinement *r, double left_s, struct error *error)
{
    struct candidate *candidates = calloc(r->count + 1, sizeof(*candidates));

    r->again_count = 0;
    if (!candidates || !grow(&r->again, r->count + 1, sizeof(*r->again)) ||
        !grow(&r->chosen, r->count + 1, sizeof(*r->chosen))) {
        free(candidates);
        return no_memory(error);
    }
    choose(r, candidates, list_candidates(r, left_s, candidates), left_s);
    free(candidates);
    for (size_t i = 0; i < r->again_count; i++)
        r->again[i] = measured_again(r, &r->kept[r->chosen[i]]);
    return STATUS_OK;
}

/* Has a variant lost its result to a fault of worker or device? A wrong result is news. */
static bool has_lost(const struct task *before, const struct task *after)
{
    for (size_t v = 0; v < before->family->variant_count; v++) {
        if (before->measurements[v].values.count > 0 && after->measurements[v].verified != 0 &&
            after->measurements[v].outcome == OUTCOME_FAILED)
            return true;
    }
    return false;
}

/* Puts the results of a batch into the place of those before. */
static void replace(struct kept *kept, struct task *again)
{
    struct task *task = kept->task;

    kept->rounds = rounds_of(again);
    kept->batches++;
    kept->batch_s = again->seconds;
    kept->spent_s += again->seconds;
    for (size_t s = 0; s < again->sample_count; s++)
        again->samples[s].round += kept->sample_rounds;
    if (again->sample_count)
        kept->sample_rounds = sample_rounds_of(again);
    task_release(task);
    task->measurements = again->measurements;
    task->kernels = again->kernels;
    task->samples = again->samples;
    task->sample_count = again->sample_count;
    task->sample_room = again->sample_room;
    again->measurements = NULL;
    again->kernels = NULL;
    again->samples = NULL;
}

struct task *refine_take(struct refinement *r, size_t i)
{
    struct kept *kept = &r->kept[r->chosen[i]];
    struct task *again = &r->again[i], *task = kept->task;
    bool is_new = false;

    if (again->state == TASK_DONE) {
        kept->is_ended = !(again->seconds > 0.0) || task_has_failed(again);
        is_new = !has_lost(task, again);
    }
    if (is_new)
        replace(kept, again);
    task_release(again);
    return is_new ? task : NULL;
}

void refine_move(struct refinement *r, const struct task *before, struct task *after)
{
    for (size_t i = 0; i < r->count; i++)
        r->kept[i].task = after + (r->kept[i].task - before);
}

void refine_drop_samples(struct refinement *r)
{
    for (size_t i = 0; i < r->count; i++)
        drop_samples(r->kept[i].task);
}

void refine_free(struct refinement *r)
{
    for (size_t i = 0; i < r->again_count; i++)
        task_release(&r->again[i]);
    free(r->kept);
    free(r->again);
    free(r->chosen);
}
