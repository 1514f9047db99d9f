#include "answer/kernel-explain.h"

#include "job/contents.h"
#include "predict/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BUFFER     (UINT64_C(1) << 32)
#define BUFFER_ALIGNMENT (UINT64_C(1) << 16)

/* A launch as the predictor takes it. */
struct predicted_launch {
    struct predict_kernel kernel;
    struct predict_launch launch;
    void *memory[PREDICT_ARGUMENTS_MAX]; /* owned: contents of buffers */
};

static void launch_free(struct predicted_launch *made)
{
    for (size_t i = 0; i < PREDICT_ARGUMENTS_MAX; i++)
        free(made->memory[i]);
}

/* Memory as a launch finds it, without the guards. */
static enum status add_job_buffer(struct predicted_launch *made, const struct job_buffer *buffer,
                                  size_t argument, struct error *error)
{
    struct predict_launch *launch = &made->launch;
    size_t index = launch->buffer_count++;
    struct predict_buffer *to = &launch->buffer[index];
    uint64_t end = index ? to[-1].address + to[-1].bytes : FIRST_BUFFER;

    *to = (struct predict_buffer){.address = (end + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT *
                                             BUFFER_ALIGNMENT,
                                  .bytes = buffer->bytes};
    launch->argument[argument].value = to->address;
    if (!buffer->has_contents)
        return STATUS_OK;
    made->memory[index] = malloc(buffer->bytes);
    to->host = made->memory[index];
    return to->host ? contents_fill(&buffer->contents, made->memory[index], buffer->bytes, error)
                    : error_out_of_memory(error);
}

static enum status add_job_argument(struct predicted_launch *made, const struct job *job,
                                    const struct predict_signature *signature, size_t index,
                                    unsigned items, struct error *error)
{
    const struct job_argument *from = &job->launch[job->subject].argument[index];

    if (from->kind == JOB_BUFFER && job->buffer[from->buffer].is_image)
        return error_set(error, STATUS_UNSUPPORTED, "kernels with images are not predicted");
    if (signature->argument[index].kind == ARGUMENT_UNUSED)
        return STATUS_OK;
    made->launch.argument[index].bytes = signature->argument[index].bytes;
    made->launch.argument[index].value = from->value;
    switch (from->kind) {
    case JOB_BUFFER:
        return add_job_buffer(made, &job->buffer[from->buffer], index, error);
    case JOB_LOCAL:
        made->launch.argument[index].is_local = true;
        made->launch.argument[index].bytes = from->is_per_item ? from->bytes * items : from->bytes;
        return STATUS_OK;
    case JOB_NUMBER:
        return STATUS_OK;
    case JOB_DATA:
        break;
    }
    if (from->bytes > sizeof(from->value))
        return error_set(error, STATUS_UNSUPPORTED,
                         "structures and vectors of more than 8 bytes by value are not predicted");
    memcpy(&made->launch.argument[index].value, from->data, from->bytes);
    return STATUS_OK;
}

static enum status make_launch(struct predicted_launch *made, struct predictor *predictor,
                               const struct job *job, const struct verdict_candidate *c,
                               struct error *error)
{
    const struct variant *variant = &job->variants[family_variant(&job->family, c->variant)];
    const struct spirv_module *module = variant_module(&job->family, variant, c->subgroup_size);
    const struct job_shape *shape = job_launch_shape(job, variant->own, c->workgroup_size);
    struct predict_signature signature;

    const struct spirv_kernel *kernel = &job->launch[job->subject].kernel;

    memset(made, 0, sizeof(*made));
    if (job->launch_count > 1)
        return error_set(error, STATUS_UNSUPPORTED,
                         "launches of several kernels are not predicted");
    if (!module || !shape || kernel->argument_count > PREDICT_ARGUMENTS_MAX)
        return error_set(error, STATUS_UNSUPPORTED, "it is no launch that can be predicted");
    made->kernel = (struct predict_kernel){.spirv = module->bytes,
                                           .spirv_bytes = module->size_bytes,
                                           .name = kernel->name,
                                           .options = variant->build_flags};
    for (size_t i = 0; i < 3; i++) {
        made->launch.local[i] = shape->local[i];
        made->launch.count[i] = shape->global[i] / shape->local[i];
    }
    made->launch.argument_count = kernel->argument_count;
    made->launch.event = PREDICT_EVENT_BEHIND;
    enum status status = predict_signature(predictor, &made->kernel, &signature, error);
    for (size_t i = 0; status == STATUS_OK && i < kernel->argument_count; i++)
        status = add_job_argument(made, job, &signature, i, c->workgroup_size, error);
    return status;
}

static enum status explain(struct explained *explained, struct predictor *predictor,
                           const struct job *job, struct error *error)
{
    struct predicted_launch made;
    struct launch_sample sample;
    enum status status = make_launch(&made, predictor, job, explained->candidate, error);

    if (status == STATUS_OK)
        status = sample_launch(&sample, predictor, &made.kernel, &made.launch, error);
    if (status == STATUS_OK) {
        explained->is_predicted = true;
        explained->outcome = sample.outcome;
        explained->predicted_ns = sample.outcome.cycles * 1000.0 / predictor_clock_mhz(predictor);
    }
    launch_free(&made);
    return status;
}

/* A model of nothing but the name of the device: all figures are those of its description. */
static void name_device(struct model *model, const struct record *row)
{
    memset(model, 0, sizeof(*model));
    model->clock_mhz = NAN;
    memcpy(model->device_name, row->device_name, sizeof(model->device_name));
    memcpy(model->device_uuid, row->device_uuid, sizeof(model->device_uuid));
    memcpy(model->device_kind, row->device_kind, sizeof(model->device_kind));
}

/* Those that cannot be predicted say why. */
static enum status explain_all(struct kernel_answer *answer, struct predictor *predictor,
                               struct error *error)
{
    for (size_t p = 0; p < answer->part_count; p++) {
        struct answer_part *part = &answer->part[p];

        for (size_t i = 0; i < part->explained_count; i++) {
            struct explained *explained = &part->explained[i];
            enum status status = explain(explained, predictor, answer->job, error);

            if (status == STATUS_NO_MEMORY)
                return status;
            if (status != STATUS_OK)
                memcpy(explained->why, error->text, sizeof(explained->why));
        }
    }
    return STATUS_OK;
}

static void explain_none(struct kernel_answer *answer, const struct error *why)
{
    for (size_t p = 0; p < answer->part_count; p++) {
        for (size_t i = 0; i < answer->part[p].explained_count; i++)
            memcpy(answer->part[p].explained[i].why, why->text, sizeof(why->text));
    }
}

enum status kernel_explain(struct kernel_answer *answer, const struct answer_settings *settings,
                           struct error *error)
{
    struct model *model = malloc(sizeof(*model));
    const struct predictor_settings predictor_settings = {
        .model = model, .figures = settings->figures, .base = settings->base};
    struct predictor *predictor;

    if (!model)
        return error_out_of_memory(error);
    name_device(model, &answer->records.record[0]);
    enum status status = predictor_open(&predictor, &predictor_settings, error);
    if (status == STATUS_OK) {
        status = explain_all(answer, predictor, error);
        predictor_close(predictor);
    } else if (status != STATUS_NO_MEMORY) {
        explain_none(answer, error);
        status = STATUS_OK;
    }
    free(model);
    return status;
}
