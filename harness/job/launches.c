#include "job/launches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_DEFAULT "8,16,32"
#define LARGEST_COUNT 0x40000000u

/* "X", "X,Y" or "X,Y,Z"; the others are 1. */
static enum status read_dimensions(const char *option, const char *text, unsigned value[3],
                                   struct error *error)
{
    const char *at = text;

    value[0] = value[1] = value[2] = 1;
    for (size_t i = 0; at && i < 3; i++) {
        char *end;

        errno = 0;
        unsigned long number = strtoul(at, &end, 10);
        if (errno || end == at || *at == '-' || number == 0 || number > LARGEST_COUNT)
            break;
        value[i] = (unsigned)number;
        if (*end == '\0')
            return STATUS_OK;
        at = *end == ',' ? end + 1 : NULL;
    }
    return error_set(error, STATUS_USAGE,
                     "%s %s: give one to three whole numbers from 1 on, separated by commas",
                     option, text);
}

static enum status add_shape(struct job *job, const unsigned local[3], const unsigned global[3],
                             struct error *error)
{
    struct job_shape *shape = &job->shape[job->shape_count];

    if (job->shape_count == JOB_SHAPES_MAX)
        return error_set(error, STATUS_USAGE, "--local: more than %d work-groups", JOB_SHAPES_MAX);
    shape->divides = true;
    for (size_t i = 0; i < 3; i++) {
        shape->local[i] = local[i];
        shape->global[i] = global[i];
        shape->divides = shape->divides && global[i] % local[i] == 0;
    }
    job->shape_count++;
    return STATUS_OK;
}

static enum status read_local(struct job *job, const char *text, const unsigned global[3],
                              struct error *error)
{
    static const struct axis axis = {
        .name = "--local", .kind = AXIS_COUNT, .least = 1, .largest = 4096};
    struct axis_values values;
    unsigned local[3];
    enum status status;

    if (!strchr(text, ':')) {
        status = read_dimensions("--local", text, local, error);
        return status == STATUS_OK ? add_shape(job, local, global, error) : status;
    }
    status = axis_parse(&axis, text, &values, error);
    for (size_t i = 0; status == STATUS_OK && i < values.count; i++) {
        local[0] = values.value[i].number;
        local[1] = local[2] = 1;
        status = add_shape(job, local, global, error);
    }
    return status;
}

/* What the compared kernel says of its own holds for the job where the job does not say it. */
static enum status read_shapes(struct job *job, struct error *error)
{
    const struct job_request *request = job->request;
    const struct job_launch_words *own = job->launch[job->subject].words;
    const char *text = request->global || !own ? request->global : own->global;
    struct job_words locals = request->locals;
    unsigned global[3];
    bool any = false;

    if (own && own->local && locals.count == 0)
        locals = (struct job_words){{own->local}, 1};
    if (!text || locals.count == 0)
        return error_set(error, STATUS_USAGE,
                         "a launch needs its work-items, --global X[,Y[,Z]], and those of a "
                         "work-group, --local X[,Y[,Z]]");
    enum status status = read_dimensions("--global", text, global, error);
    for (size_t i = 0; status == STATUS_OK && i < locals.count; i++)
        status = read_local(job, locals.word[i], global, error);
    for (size_t i = 0; i < job->shape_count; i++)
        any = any || job->shape[i].divides;
    if (status != STATUS_OK || any)
        return status;
    return error_set(error, STATUS_USAGE,
                     "--global %s is no multiple of --local %s: work-groups are all of one size; "
                     "round it up, and let the kernel skip what is too much",
                     text, locals.word[0]);
}

/* The work-items that one of several launches has of its own. */
static enum status read_own_items(const struct job *job, struct job_launch *launch,
                                  struct error *error)
{
    const struct job_launch_words *words = launch->words;
    enum status status = STATUS_OK;

    launch->has_global = words->global != NULL;
    launch->has_local = words->local != NULL;
    if (launch->has_global)
        status = read_dimensions("global", words->global, launch->global, error);
    if (status == STATUS_OK && launch->has_local)
        status = read_dimensions("local", words->local, launch->local, error);
    if (status != STATUS_OK)
        return status;
    if ((!launch->has_global && !job->request->global) ||
        (!launch->has_local && job->request->locals.count == 0))
        return error_set(error, STATUS_USAGE,
                         "this launch needs its work-items, global, and those of a work-group, "
                         "local: neither it nor the job has both");
    for (size_t i = 0; launch->has_global && launch->has_local && i < 3; i++) {
        if (launch->global[i] % launch->local[i] != 0)
            return error_set(error, STATUS_USAGE, "global %s is no multiple of local %s",
                             words->global, words->local);
    }
    return STATUS_OK;
}

/* Which launches there are, and which of them are timed. */
static enum status read_sequence(struct job *job, struct error *error)
{
    const struct job_request *request = job->request;
    enum status status = STATUS_OK;

    job->launch_count = 1;
    if (!request->launches)
        return STATUS_OK;
    if (request->kernel)
        return error_set(error, STATUS_USAGE,
                         "%s: a job with launches has no kernel of its own: each launch names its",
                         request->kernel);
    job->launch_count = request->launch_count;
    job->subject = job->launch_count - 1;
    job->times_all = job->launch_count > 1;
    for (size_t l = 0; l < job->launch_count; l++) {
        job->launch[l].words = &request->launches[l];
        if (!request->launches[l].is_timed)
            continue;
        job->subject = l;
        job->times_all = false;
    }
    for (size_t l = 0; status == STATUS_OK && l < job->launch_count; l++)
        status = job_blame(&job->launch[l], read_own_items(job, &job->launch[l], error), error);
    return status;
}

static enum status read_sizes(struct job *job, struct error *error)
{
    static const struct axis axis = {
        .name = "--sizes", .kind = AXIS_POWER_OF_TWO, .least = 8, .largest = 32};
    const struct axis_units units = {1, 1, 1, 1};
    unsigned numbers[AXIS_VALUES_MAX];
    struct axis_values values;
    enum status status = axis_parse(
        &axis, job->request->sizes ? job->request->sizes : SIZES_DEFAULT, &values, error);

    if (status != STATUS_OK)
        return status;
    job->size_count = axis_resolve(&values, &units, numbers);
    memcpy(job->size, numbers, job->size_count * sizeof(*numbers));
    return STATUS_OK;
}

static enum status read_tolerance(struct job *job, struct error *error)
{
    const char *text = job->request->tolerance;
    char *end;

    if (!text)
        return STATUS_OK;
    job->tolerance = strtod(text, &end);
    if (end != text && *end == '\0' && job->tolerance > 0.0 && job->tolerance < 1.0)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--tolerance %s: give how far a number may be off, as a share of the largest "
                     "one of its buffer, such as 1e-5",
                     text);
}

enum status job_read_launches(struct job *job, struct error *error)
{
    enum status status = read_sequence(job, error);

    if (status == STATUS_OK)
        status = read_shapes(job, error);
    if (status == STATUS_OK)
        status = read_sizes(job, error);
    return status == STATUS_OK ? read_tolerance(job, error) : status;
}

void job_reference_launch(const struct job *job, struct job_launch_words *launch)
{
    const struct job_request *request = job->request;
    const struct job_launch_words *timed = &request->launches[job->subject];

    *launch = (struct job_launch_words){
        .where = request->reference,
        .global = request->global ? NULL : timed->global,
        .local = request->locals.count ? NULL : timed->local,
    };
}

const char *job_launch_source(const struct job *job, const struct job_launch *launch)
{
    return launch->words && launch->words->source ? launch->words->source : job->request->source;
}

enum status job_blame(const struct job_launch *launch, enum status status, struct error *error)
{
    struct error at = *error;

    if (status == STATUS_OK || !launch->words)
        return status;
    error_set(error, status, "%s: ", launch->words->where);
    error_append(error, "%s", at.text);
    return status;
}
