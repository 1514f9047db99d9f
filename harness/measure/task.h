/* One configuration of a sweep as work to be done, and what has come of it. */
#ifndef VEBENCH_TASK_H
#define VEBENCH_TASK_H

#include "measure/estimate.h"
#include "measure/kernel.h"
#include "measure/measure.h"
#include "measure/module-image.h"

enum task_state { TASK_WAITING, TASK_COMPILING, TASK_MEASURING, TASK_DONE };

struct task {
    const struct family *family;
    struct configuration configuration;
    struct module_image *image; /* borrowed; several tasks have the same */
    size_t sequence;            /* in the plan */
    struct duration estimate;
    double allowance_s; /* for its rounds; 0: any */
    size_t variants;    /* that take part, as far as is known without compiling */
    enum task_state state;
    bool shown; /* somebody was told that it has started */

    /* Owned; NULL before it has begun. */
    struct measurement *measurements; /* one per variant */
    struct kernel *kernels;           /* one per variant; a handle says no more than that there was
                                         a kernel */
    struct sample *samples;
    size_t sample_count, sample_room;
    char *text; /* for a person to read, or NULL */
};

/* Room for the results, all variants without any. STATUS_FAILED: no memory. */
enum status task_begin(struct task *task, struct error *error);
/* Frees the results. */
void task_release(struct task *task);

/* Takes out, with the reason, the variants that are not asked for or cannot run in the
 * configuration, as far as that is known without the driver. */
struct sweep_request;
void task_check(struct task *task, const struct sweep_request *request,
                const struct device *device);
/* Takes out one variant: excluded, skipped or failed by the error's status. */
void task_take_out(struct task *task, size_t variant, const struct error *error);
/* A variant goes where its baseline goes. */
void task_follow_baselines(struct task *task);

/* Takes in a message about it. False where it makes no sense, or there is no memory. */
struct wire_message;
bool task_receive(struct task *task, const struct wire_message *message);

/* It ends here: what has no result and no other reason for it failed for this one. */
void task_fail(struct task *task, const char *reason);

/* Did anything fail, or cannot be told apart from a failure? */
bool task_has_failed(const struct task *task);

#endif
