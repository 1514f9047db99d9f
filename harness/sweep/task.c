#include "sweep/task.h"

#include "ranks/wire.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status task_begin(struct task *task, struct error *error)
{
    size_t variants = task->family->variant_count;

    task_release(task);
    task->measurements = calloc(variants, sizeof(*task->measurements));
    task->kernels = calloc(variants, sizeof(*task->kernels));
    if (!task->measurements || !task->kernels)
        return error_out_of_memory(error);
    for (size_t v = 0; v < variants; v++)
        task->measurements[v].verified = -1;
    return STATUS_OK;
}

void task_release(struct task *task)
{
    free(task->measurements);
    free(task->kernels);
    free(task->samples);
    free(task->counts);
    free(task->text);
    task->measurements = NULL;
    task->kernels = NULL;
    task->samples = NULL;
    task->sample_count = task->sample_room = 0;
    task->counts = NULL;
    task->count_count = task->count_room = 0;
    task->text = NULL;
}

enum status task_note(struct task *task, size_t variant, double value, double half,
                      struct error *error)
{
    size_t variants = task->family->variant_count;

    if (!task->noted) {
        task->noted = malloc(2 * variants * sizeof(*task->noted));
        if (!task->noted)
            return error_out_of_memory(error);
        for (size_t i = 0; i < 2 * variants; i++)
            task->noted[i] = NAN;
    }
    task->noted[variant] = value;
    task->noted[variants + variant] = half;
    return STATUS_OK;
}

void task_take_out(struct task *task, size_t variant, const struct error *error)
{
    struct measurement *m = &task->measurements[variant];

    m->outcome = error->status == STATUS_EXCLUDED      ? OUTCOME_EXCLUDED
                 : error->status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED
                                                       : OUTCOME_FAILED;
    snprintf(m->reason, REASON_BYTES, "%s", error->text);
}

/* If the device or the variant lacks the sub-group size, loading the kernels reports it. */
static enum status check_variant(const struct task *task, const struct sweep_request *request,
                                 const struct device *device, size_t variant, struct error *error)
{
    const struct family *family = task->family;
    unsigned size = task->configuration.subgroup_size;

    if (!sweep_needs(request, family, variant))
        return error_set(error, STATUS_EXCLUDED, "not asked for");
    const enum row_outcome outcome = task->measurements[variant].outcome;

    if ((outcome != OUTCOME_OK && outcome != OUTCOME_SKIPPED) || !family->check ||
        !device_has_subgroup_size(device, size) ||
        !variant_has_size(&family->variants[variant], size))
        return STATUS_OK;
    enum status status =
        family->check(device, &task->configuration, &family->variants[variant], error);
    /* A kernel that is skipped is left out where it means nothing. */
    return outcome == OUTCOME_OK || status == STATUS_EXCLUDED ? status : STATUS_OK;
}

void task_check(struct task *task, const struct sweep_request *request, const struct device *device)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        struct error error;

        if (check_variant(task, request, device, v, &error) != STATUS_OK)
            task_take_out(task, v, &error);
    }
}

static void follow_baseline(struct measurement *variant, const struct measurement *baseline)
{
    char reason[REASON_BYTES]; /* a copy, because the compiler cannot tell that the two do not
                                  overlap */

    if (baseline->outcome == OUTCOME_OK)
        return;
    snprintf(reason, sizeof(reason), "no baseline: %.500s", baseline->reason);
    variant->outcome = baseline->outcome;
    memcpy(variant->reason, reason, sizeof(reason));
}

void task_follow_baselines(struct task *task)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        size_t baseline = family_baseline(task->family, v);

        if (baseline != VARIANTS_MAX && task->measurements[v].outcome == OUTCOME_OK)
            follow_baseline(&task->measurements[v], &task->measurements[baseline]);
    }
}

bool task_is_settled(const struct task *task)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (task->measurements[v].outcome == OUTCOME_OK)
            return false;
    }
    return true;
}

static bool receive_array(void *array, size_t count, size_t element_bytes,
                          const struct wire_message *message)
{
    if (message->bytes != count * element_bytes)
        return false;
    memcpy(array, message->data, message->bytes);
    return true;
}

/* Makes room for one more element. False if out of memory. */
static bool grow_array(void **array, size_t count, size_t *room, size_t element_bytes)
{
    size_t more = 2 * *room + 64;

    if (count < *room)
        return true;
    void *larger = realloc(*array, more * element_bytes);
    if (!larger)
        return false;
    *array = larger;
    *room = more;
    return true;
}

static bool receive_sample(struct task *task, const struct wire_message *message)
{
    void *samples = task->samples;
    bool grown =
        grow_array(&samples, task->sample_count, &task->sample_room, sizeof(*task->samples));

    task->samples = samples;
    return grown &&
           receive_array(&task->samples[task->sample_count++], 1, sizeof(*task->samples), message);
}

static bool receive_count(struct task *task, const struct wire_message *message)
{
    void *counts = task->counts;
    bool grown = grow_array(&counts, task->count_count, &task->count_room, sizeof(*task->counts));

    task->counts = counts;
    return grown &&
           receive_array(&task->counts[task->count_count++], 1, sizeof(*task->counts), message);
}

static bool receive_text(struct task *task, const struct wire_message *message)
{
    free(task->text);
    task->text = malloc(message->bytes + 1);
    if (!task->text)
        return false;
    memcpy(task->text, message->data, message->bytes);
    task->text[message->bytes] = '\0';
    return true;
}

bool task_receive(struct task *task, const struct wire_message *message)
{
    size_t variants = task->family->variant_count;

    switch (message->kind) {
    case WIRE_KERNELS:
        return receive_array(task->kernels, variants, sizeof(*task->kernels), message);
    case WIRE_MEASUREMENTS:
        return receive_array(task->measurements, variants, sizeof(*task->measurements), message);
    case WIRE_SAMPLE:
        return receive_sample(task, message);
    case WIRE_COUNT:
        return receive_count(task, message);
    case WIRE_TEXT:
        return receive_text(task, message);
    default:
        return false;
    }
}

void task_fail(struct task *task, const char *reason)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        struct measurement *m = &task->measurements[v];

        if (m->outcome != OUTCOME_OK || m->values.count > 0)
            continue;
        m->outcome = OUTCOME_FAILED;
        snprintf(m->reason, REASON_BYTES, "not measured: %.900s", reason);
    }
}

void task_reject(struct task *task, const char *reason)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        struct measurement *m = &task->measurements[v];

        if (m->outcome != OUTCOME_OK && m->outcome != OUTCOME_UNRELIABLE)
            continue;
        m->outcome = OUTCOME_FAILED;
        snprintf(m->reason, REASON_BYTES, "%s", reason);
    }
}

bool task_has_failed(const struct task *task)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (task->measurements[v].outcome == OUTCOME_FAILED)
            return true;
    }
    return false;
}
