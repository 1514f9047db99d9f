#include "job/job.h"

#include "job/launches.h"
#include "job/modules.h"
#include "job/predict-words.h"
#include "job/verify-job.h"
#include "job/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINT_BYTES 96

const struct job_shape *job_launch_shape(const struct job *job, const struct job_variant *variant,
                                         unsigned workgroup_size)
{
    for (size_t i = 0; i < job->shape_count; i++) {
        const struct job_shape *shape = &job->shape[i];

        if (job_shape_items(shape) == workgroup_size &&
            (!variant->shape || variant->shape == shape))
            return shape;
    }
    return NULL;
}

void job_launch_items(const struct job_variant *variant, const struct job_shape *shape,
                      struct job_shape *items)
{
    const struct job_launch *launch = variant->launch;

    *items = *shape;
    items->divides = true;
    for (size_t i = 0; i < 3; i++) {
        if (launch->has_local)
            items->local[i] = launch->local[i];
        if (launch->has_global)
            items->global[i] = launch->global[i];
        items->divides = items->divides && items->global[i] % items->local[i] == 0;
    }
}

/* False if the variant has no launch of that size. */
static bool shape_of(const struct configuration *configuration, const struct variant *variant,
                     struct job_shape *items)
{
    const struct job_variant *own = variant->own;
    const struct job_shape *shape = job_launch_shape(own->job, own, configuration->workgroup_size);

    if (shape)
        job_launch_items(own, shape, items);
    return shape != NULL;
}

/* Work-groups along a dimension, rounded up. */
static unsigned groups_along(const struct job_shape *shape, size_t i)
{
    return (shape->global[i] + shape->local[i] - 1) / shape->local[i];
}

static unsigned groups_of(const struct job_shape *shape)
{
    return groups_along(shape, 0) * groups_along(shape, 1) * groups_along(shape, 2);
}

static void job_geometry(const struct launch *launch, struct geometry *geometry)
{
    struct job_shape items;

    if (!shape_of(&launch->configuration, launch->variant, &items))
        return;
    for (size_t i = 0; i < 3; i++) {
        geometry->size[i] = items.local[i];
        geometry->count[i] = groups_along(&items, i);
    }
}

/* Every work-group must be whole. */
static enum status check_items(const struct job_shape *items, const struct job_launch *launch,
                               struct error *error)
{
    bool is_single = launch->words == NULL;

    for (size_t i = 0; i < 3; i++) {
        if (items->global[i] % items->local[i] != 0)
            return error_set(error, STATUS_UNSUPPORTED,
                             "%u work-items%s%s are no multiple of a work-group's %u: with %s %u "
                             "they are, if the kernel skips what is too much",
                             items->global[i], is_single ? "" : " of ",
                             is_single ? "" : launch->kernel.name, items->local[i],
                             is_single ? "--global" : "global",
                             groups_along(items, i) * items->local[i]);
    }
    return STATUS_OK;
}

static enum status job_check(const struct device *device, const struct configuration *c,
                             const struct variant *variant, struct error *error)
{
    const struct job_variant *own = variant->own;
    const struct job *job = own->job;
    enum status status = STATUS_OK;
    struct job_shape items;

    (void)device;
    if (variant->is_part)
        return error_set(error, STATUS_EXCLUDED, "a part of other launches");
    if (!shape_of(c, variant, &items))
        return error_set(error, STATUS_EXCLUDED, "another shape of work-groups");
    for (size_t l = 0; status == STATUS_OK && l < job->launch_count; l++) {
        const struct variant *part =
            &job->variants[job_part_variant(job, (size_t)(variant - job->variants), l)];

        if (shape_of(c, part, &items))
            status = check_items(&items, &job->launch[l], error);
    }
    return status;
}

static void job_arguments(const struct workspace *workspace, const struct launch *launch,
                          struct arguments *arguments)
{
    const struct job *job = workspace->common;
    const struct job_variant *variant = launch->variant->own;
    struct job_shape items = {{0}, {0}, false};

    shape_of(&launch->configuration, launch->variant, &items);
    for (size_t i = 0; i < variant->launch->kernel.argument_count; i++) {
        const struct job_argument *a = &variant->launch->argument[i];
        const struct buffer *buffer = a->kind == JOB_BUFFER ? &workspace->buffers[a->buffer] : NULL;

        if (buffer && job->buffer[a->buffer].is_image)
            argument_data(arguments, &buffer->image, sizeof(buffer->image));
        else if (buffer)
            argument_ulong(arguments, (uint64_t)(uintptr_t)buffer->device + JOB_GUARD_BYTES);
        else if (a->kind == JOB_LOCAL)
            argument_local(arguments,
                           a->is_per_item ? a->bytes * job_shape_items(&items) : a->bytes);
        else
            argument_data(arguments, a->kind == JOB_DATA ? a->data : &a->value, a->bytes);
    }
}

static char *text_of(unsigned number)
{
    char *text = malloc(16);

    if (text)
        snprintf(text, 16, "%u", number);
    return text;
}

/* The axes have the first launch; the others are points. */
static enum status make_axes(struct job *job, struct error *error)
{
    static const char *const names[] = {"subgroup_size", "workgroup_size", "workgroup_count"};
    const struct job_shape *first = &job->shape[0];
    const unsigned numbers[] = {job->size[0], job_shape_items(first), groups_of(first)};
    size_t count = 0;

    job->points = calloc(job->size_count * job->shape_count + 1, sizeof(*job->points));
    for (size_t i = 0; i < COMMON_AXES; i++) {
        job->texts[i] = text_of(numbers[i]);
        job->axes[i] = (struct axis){.name = names[i],
                                     .means = "of the launch",
                                     .defaults = job->texts[i],
                                     .kind = AXIS_COUNT,
                                     .least = 1,
                                     .largest = 0x7fffffff};
    }
    bool is_whole = job->points && job->texts[0] && job->texts[1] && job->texts[2];
    for (size_t i = 0; is_whole && i < job->size_count * job->shape_count; i++) {
        const struct job_shape *shape = &job->shape[i % job->shape_count];
        char *point = job->points[count++] = malloc(POINT_BYTES);

        is_whole = point != NULL;
        if (point)
            snprintf(point, POINT_BYTES, "subgroup_size=%u workgroup_size=%u workgroup_count=%u",
                     job->size[i / job->shape_count], job_shape_items(shape), groups_of(shape));
    }
    return is_whole ? STATUS_OK : error_out_of_memory(error);
}

static void make_family(struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++)
        job->plan[i] = (struct buffer_plan){
            .name = job->buffer[i].name,
            .use = !job->buffer[i].is_output       ? BUFFER_INPUT
                   : job->buffer[i].is_only_stored ? BUFFER_ONLY_STORED
                                                   : BUFFER_IN_OUT,
            .size = job->buffer[i].bytes + (size_t)2 * JOB_GUARD_BYTES,
            .image = job->buffer[i].is_image ? &job->buffer[i].image : NULL,
        };
    job->family = (struct family){
        .name = job->family_name,
        .measures = "a kernel of the user's",
        .unit = "ns/launch",
        .baseline_unit = "ns/launch",
        .axes = job->axes,
        .axis_count = COMMON_AXES,
        .points = (const char *const *)job->points,
        .variants = job->variants,
        .variant_count = job->variant_count * job->launch_count,
        .modules = job->modules,
        .module_count = job->module_count,
        .own = job,
        .buffers = job->plan,
        .buffer_count = job->buffer_count,
        .geometry = job_geometry,
        .check = job_check,
        .prepare = job_prepare,
        .arguments = job_arguments,
        .lists_buffers = true,
        .predict_words = job_predict_words,
        .verify = job_verify,
    };
}

enum status job_open(struct job *job, const struct job_request *request, struct error *error)
{
    memset(job, 0, sizeof(*job));
    job->request = request;
    enum status status = job_read_launches(job, error);
    if (status == STATUS_OK)
        status = job_make_variants(job, error);
    if (status == STATUS_OK)
        status = job_make_modules(job, error);
    if (status == STATUS_OK)
        status = job_read_arguments(job, error);
    if (status == STATUS_OK)
        status = make_axes(job, error);
    if (status == STATUS_OK)
        make_family(job);
    else
        job_close(job);
    return status;
}

void job_close(struct job *job)
{
    job_forget_reference(job);
    for (size_t i = 0; job->points && job->points[i]; i++)
        free(job->points[i]);
    free(job->points);
    for (size_t i = 0; i <= COMMON_AXES; i++)
        free(job->texts[i]);
    for (size_t l = 0; l < job->launch_count; l++) {
        for (size_t i = 0; i < job->launch[l].kernel.argument_count; i++)
            free(job->launch[l].argument[i].data);
    }
    job_free_modules(job);
    memset(job, 0, sizeof(*job));
}
