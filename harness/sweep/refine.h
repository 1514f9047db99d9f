/* The passes of a run with a time budget, after a first one over all configurations with the fewest
 * rounds: configurations that are not steady yet are measured again with twice as many rounds,
 * those with the widest intervals first, as far as the time goes. Then the newest intervals
 * decide again. */
#ifndef VEBENCH_REFINE_H
#define VEBENCH_REFINE_H

#include "base/error.h"
#include "sweep/task.h"

/* A configuration whose results are kept after its rows have been stored. */
struct kept {
    struct task *task; /* borrowed, with the results of its newest sound batch */
    unsigned rounds;   /* of that batch */
    unsigned batches;
    unsigned sample_rounds; /* of all batches, as numbered in the samples */
    double batch_s;         /* time of the newest batch */
    double spent_s;         /* of all of them */
    bool is_ended;          /* something failed: it is not measured again */
};

struct refinement {
    struct stop_rule stop;
    double each_s;     /* time for all batches of a configuration; 0: unlimited */
    struct kept *kept; /* owned; in the order of the plan */
    size_t count, room;
    struct task *again; /* of the current pass; owned */
    size_t *chosen;     /* which each of these is; owned */
    size_t again_count;
};

/* May the finished task be measured again? */
bool refine_wants(const struct refinement *refinement, struct task *task);

/* Takes in a finished task, which goes on to own its results, but not its samples: those are
 * stored. */
enum status refine_keep(struct refinement *refinement, struct task *task, struct error *error);

/* Half the widest interval of its variants that more rounds may narrow, relative to the value (as
 * measurement_width()). 0: it is steady, or has had all the rounds, batches or time that it may. */
double refine_width(const struct refinement *refinement, const struct kept *kept);

/* Seconds that its next batch may take. */
double refine_cost(const struct refinement *refinement, const struct kept *kept);

/* Chooses the tasks of the next pass, the widest first. They take at most half of `left_s`,
 * so that a later pass can choose by what this one has found, or all of it if the widest
 * would not fit otherwise. `again` gets them in the order of the plan. None: nothing that needs
 * more rounds fits. */
enum status refine_choose(struct refinement *refinement, double left_s, struct error *error);

/* Takes in task `i` of the pass, which is done: its results replace the ones before, unless they
 * are fewer because the worker or the device failed. Returns the kept task if its
 * results are new, or NULL. Of task `i` nothing is left. */
struct task *refine_take(struct refinement *refinement, size_t i);

/* The tasks have moved from `before` to `after`. */
void refine_move(struct refinement *refinement, const struct task *before, struct task *after);

/* Frees the samples of the pass, when they are stored. */
void refine_drop_samples(struct refinement *refinement);

void refine_free(struct refinement *refinement);

#endif
