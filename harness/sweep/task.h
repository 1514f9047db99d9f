/* One configuration of a sweep as a unit of work, and its results. */
#ifndef VEBENCH_TASK_H
#define VEBENCH_TASK_H

#include "measure/estimate.h"
#include "measure/measure.h"
#include "measure/module-image.h"
#include "ze/kernel.h"

/* A task that is left out gets no rows in this run. */
enum task_state { TASK_WAITING, TASK_COMPILING, TASK_MEASURING, TASK_DONE, TASK_LEFT_OUT };

struct task {
    const struct family *family;
    struct configuration configuration;
    struct module_image *image; /* borrowed; shared between tasks */
    size_t sequence;            /* in the plan */
    size_t family_index;        /* of its family in the request */
    struct duration estimate;
    double allowance_s;    /* time for its rounds; 0: unlimited */
    unsigned first_rounds; /* as in struct measure_options */
    double seconds;        /* since it was given out, or that its measurement took */
    size_t variants;       /* taking part, as far as is known without compiling */
    enum task_state state;
    bool shown;     /* its start has been reported */
    bool is_stored; /* its rows are in the store: */
    size_t entry;   /* the number of its entry there */

    /* Owned; NULL before task_begin(). */
    struct measurement *measurements; /* one per variant */
    struct kernel *kernels;           /* one per variant; a handle only tells that there was a
                                         kernel */
    struct sample *samples;
    size_t sample_count, sample_room;
    struct count *counts;
    size_t count_count, count_room;
    char *text; /* for people to read, or NULL */

    /* Value and half interval of each variant, NaN where there is none; kept to the end, owned.
     * NULL: nobody needs them, or it is not done. */
    double *noted;
};

/* Allocates the results, with none for any variant yet. Fails only when out of memory. */
enum status task_begin(struct task *task, struct error *error);
/* Frees the results, except what is noted. */
void task_release(struct task *task);

/* Notes what a variant has shown. Fails only when out of memory. */
enum status task_note(struct task *task, size_t variant, double value, double half,
                      struct error *error);

/* Takes out, with the reason, the variants that are not requested or cannot run in the
 * configuration, as far as is known without the driver. */
struct sweep_request;
void task_check(struct task *task, const struct sweep_request *request,
                const struct device *device);
/* Takes out one variant as excluded, skipped or failed, depending on the error's status. */
void task_take_out(struct task *task, size_t variant, const struct error *error);
/* Takes out variants whose baseline is out. */
void task_follow_baselines(struct task *task);

/* Is no variant left to run? */
bool task_is_settled(const struct task *task);

/* Takes in a message about the task. False if it makes no sense or memory ran out. */
struct wire_message;
bool task_receive(struct task *task, const struct wire_message *message);

/* Ends the task: variants that have neither a result nor another reason fail with this one. */
void task_fail(struct task *task, const char *reason);

/* Fails all variants that were to be measured or have been, with this reason. */
void task_reject(struct task *task, const char *reason);

/* Did anything fail, or end in a way that cannot be told apart from a failure? */
bool task_has_failed(const struct task *task);

#endif
