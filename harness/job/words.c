#include "job/words.h"

#include "family/near.h"
#include "job/half.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_DEFAULT   "8,16,32"
#define BYTES_MOST      (UINT64_C(1) << 40)
#define LARGEST_COUNT   0x40000000u
#define IMAGE_SIDE_MOST 65536u

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

static enum status read_shapes(struct job *job, struct error *error)
{
    const struct job_request *request = job->request;
    unsigned global[3];
    bool any = false;

    if (!request->global || request->locals.count == 0)
        return error_set(error, STATUS_USAGE,
                         "a launch needs its work-items, --global X[,Y[,Z]], and those of a "
                         "work-group, --local X[,Y[,Z]]");
    enum status status = read_dimensions("--global", request->global, global, error);
    for (size_t i = 0; status == STATUS_OK && i < request->locals.count; i++)
        status = read_local(job, request->locals.word[i], global, error);
    for (size_t i = 0; i < job->shape_count; i++)
        any = any || job->shape[i].divides;
    if (status != STATUS_OK || any)
        return status;
    return error_set(error, STATUS_USAGE,
                     "--global %s is no multiple of --local %s: work-groups are all of one size; "
                     "round it up, and let the kernel skip what is too much",
                     request->global, request->locals.word[0]);
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
    enum status status = read_shapes(job, error);

    if (status == STATUS_OK)
        status = read_sizes(job, error);
    return status == STATUS_OK ? read_tolerance(job, error) : status;
}

/* "argument 1 (out) of sum" */
static void argument_title(const struct job *job, size_t index, char *text, size_t bytes)
{
    const char *name = job->kernel.argument[index].name;

    snprintf(text, bytes, "argument %zu%s%s%s of %s", index, name[0] ? " (" : "", name,
             name[0] ? ")" : "", job->kernel.name);
}

/* What an option calls the argument. */
static void argument_word(const struct job *job, size_t index, char text[SPIRV_NAME_BYTES])
{
    const char *name = job->kernel.argument[index].name;

    if (name[0])
        memmove(text, name, SPIRV_NAME_BYTES);
    else
        snprintf(text, SPIRV_NAME_BYTES, "%zu", index);
}

/* The argument that "NAME=..." or "INDEX=..." means, or SPIRV_ARGUMENTS_MAX. */
static size_t find_argument(const struct job *job, const char *word)
{
    size_t bytes = strcspn(word, "=");
    char *end;
    unsigned long number = strtoul(word, &end, 10);

    if (end == word + bytes && bytes && number < job->kernel.argument_count)
        return number;
    for (size_t i = 0; i < job->kernel.argument_count; i++) {
        const char *name = job->kernel.argument[i].name;

        if (strlen(name) == bytes && !strncmp(name, word, bytes))
            return i;
    }
    return SPIRV_ARGUMENTS_MAX;
}

static enum status check_words(const struct job *job, const char *option,
                               const struct job_words *words, struct error *error)
{
    for (size_t w = 0; w < words->count; w++) {
        const char *word = words->word[w], *equals = strchr(word, '=');
        struct near near = near_begin(word, strcspn(word, "="));

        if (equals && equals[1] && find_argument(job, word) != SPIRV_ARGUMENTS_MAX)
            continue;
        error_set(error, STATUS_USAGE, "%s %s: %s; the arguments of %s are", option, word,
                  equals && equals[1] ? "there is no such argument" : "write NAME=VALUE",
                  job->kernel.name);
        for (size_t i = 0; i < job->kernel.argument_count; i++) {
            error_append(error, "%s %zu", i ? "," : "", i);
            if (job->kernel.argument[i].name[0])
                error_append(error, " (%s)", job->kernel.argument[i].name);
            near_consider(&near, job->kernel.argument[i].name);
        }
        near_append(&near, "", error);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

/* The value given for an argument, the `nth` one from the last, or NULL. */
static const char *given(const struct job *job, const struct job_words *words, size_t index,
                         size_t nth)
{
    for (size_t i = words->count; i-- > 0;) {
        if (find_argument(job, words->word[i]) == index && nth-- == 0)
            return strchr(words->word[i], '=') + 1;
    }
    return NULL;
}

/* Bytes, with the suffix K, M or G; of local memory for each work-item with "*local" behind. */
static bool read_bytes(const char *text, bool may_be_each, size_t *bytes, bool *each)
{
    static const char per_item[] = "*local";
    char *end;

    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (errno || end == text || *text == '-' || number > BYTES_MOST)
        return false;
    unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
    end += shift > 0;
    number <<= shift;
    *each = may_be_each && !strcmp(end, per_item);
    *bytes = (size_t)number;
    return (*end == '\0' || *each) && number > 0 && number <= BYTES_MOST;
}

static enum status read_number(const struct spirv_argument *argument, const char *title,
                               const char *text, uint64_t *value, struct error *error)
{
    char *end;

    errno = 0;
    *value = 0;
    if (argument->is_float) {
        double number = strtod(text, &end);
        float single = (float)number;
        uint16_t half = half_from_float(single);

        if (argument->bytes == sizeof(number))
            memcpy(value, &number, sizeof(number));
        else if (argument->bytes == sizeof(single))
            memcpy(value, &single, sizeof(single));
        else
            memcpy(value, &half, sizeof(half));
    } else if (*text == '-') {
        *value = (uint64_t)strtoll(text, &end, 0);
    } else {
        *value = strtoull(text, &end, 0);
        unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
        end += shift > 0;
        *value <<= shift;
    }
    if (errno || end == text || *end)
        return error_set(error, STATUS_USAGE, "%s is a %snumber, and %s is none", title,
                         argument->is_float ? "" : "whole ", text);
    return STATUS_OK;
}

static enum status read_data(struct job_argument *argument, const char *title, const char *text,
                             struct error *error)
{
    const struct contents contents = {.rule = CONTENTS_FILE, .path = text + 1};
    uint64_t bytes = 0;

    if (text[0] != '@')
        return error_set(error, STATUS_USAGE,
                         "%s is passed by value: give its bytes in a file, as @FILE", title);
    enum status status = contents_file_bytes(&contents, &bytes, error);
    if (status != STATUS_OK)
        return status;
    argument->data = malloc(bytes);
    argument->bytes = bytes;
    return argument->data ? contents_fill(&contents, argument->data, bytes, error)
                          : error_out_of_memory(error);
}

static enum contents_rule rule_for(const struct job_buffer *buffer)
{
    switch (buffer->is_float ? buffer->element_bytes : 0) {
    case sizeof(uint16_t):
        return CONTENTS_HALF;
    case sizeof(float):
        return CONTENTS_FLOAT;
    case sizeof(double):
        return CONTENTS_DOUBLE;
    default:
        return CONTENTS_RANDOM;
    }
}

/* Where nobody says what is in a buffer: numbers of its type if it is only read, else what marks
 * memory that nobody has written. */
static void choose_contents(struct job_buffer *buffer, size_t index)
{
    buffer->has_contents = !buffer->is_output;
    buffer->contents =
        (struct contents){.rule = rule_for(buffer), .seed = index + 1, .limit = UINT64_C(1) << 32};
}

/* What --buffer says of one: its contents, the file that it must be equal to, or both. */
static enum status read_contents(struct job *job, size_t index, struct job_buffer *buffer,
                                 struct error *error)
{
    const char *text;
    char option[SPIRV_NAME_BYTES + 16];
    enum status status = STATUS_OK;
    size_t nth = 0;

    choose_contents(buffer, index);
    snprintf(option, sizeof(option), "--buffer %s", buffer->name);
    while (status == STATUS_OK &&
           (text = given(job, &job->request->buffers, index, nth++)) != NULL) {
        if (text[0] == '@') {
            const struct contents file = {.rule = CONTENTS_FILE, .path = text + 1};
            uint64_t bytes;

            buffer->expected = text + 1;
            status = contents_file_bytes(&file, &bytes, error);
            continue;
        }
        status = contents_read(&buffer->contents, option, text, error);
        buffer->has_contents = true;
    }
    return status;
}

static enum status read_buffer(struct job *job, size_t index, const char *title, const char *text,
                               struct error *error)
{
    const struct spirv_argument *argument = &job->kernel.argument[index];
    struct job_buffer *buffer = &job->buffer[job->buffer_count];
    struct contents file = {.rule = CONTENTS_FILE};
    uint64_t bytes = 0;
    bool each = false;

    if (job->buffer_count == BUFFERS_MAX)
        return error_set(error, STATUS_USAGE, "more than %d buffers", BUFFERS_MAX);
    argument_word(job, index, buffer->name);
    buffer->element_bytes = argument->bytes ? argument->bytes : sizeof(uint32_t);
    buffer->is_float = argument->is_float;
    buffer->is_output = !argument->is_const;
    enum status status = read_contents(job, index, buffer, error);
    if (status != STATUS_OK)
        return status;
    file.path = buffer->contents.rule == CONTENTS_FILE ? buffer->contents.path : buffer->expected;
    if (!text && !file.path)
        return error_set(error, STATUS_USAGE,
                         "%s points to memory: give its bytes, --arg %s=BYTES, such as 4M", title,
                         buffer->name);
    if (text && !read_bytes(text, false, &buffer->bytes, &each))
        return error_set(error, STATUS_USAGE,
                         "--arg %s=%s: it points to memory: give its bytes, such as 4M",
                         buffer->name, text);
    if (!text)
        status = contents_file_bytes(&file, &bytes, error);
    if (!text)
        buffer->bytes = bytes;
    job->argument[index] = (struct job_argument){.kind = JOB_BUFFER, .buffer = job->buffer_count++};
    return status;
}

/* "64,48:rgba8", for an image. */
static bool read_image(const char *text, unsigned dimensions, struct image_plan *plan)
{
    const char *at = text;

    plan->dimensions = dimensions;
    plan->size[0] = plan->size[1] = plan->size[2] = 1;
    for (unsigned i = 0; i < dimensions; i++) {
        char *end;

        errno = 0;
        unsigned long number = strtoul(at, &end, 10);
        if (errno || end == at || *at == '-' || number == 0 || number > IMAGE_SIDE_MOST ||
            *end != (i + 1 < dimensions ? ',' : ':'))
            return false;
        plan->size[i] = (uint32_t)number;
        at = end + 1;
    }
    plan->format = image_format_find(at, strlen(at));
    return plan->format != NULL;
}

static enum status read_image_argument(struct job *job, size_t index, const char *title,
                                       const char *text, struct error *error)
{
    static const char *const sides[] = {"WIDTH", "WIDTH,HEIGHT", "WIDTH,HEIGHT,DEPTH"};
    const struct spirv_argument *argument = &job->kernel.argument[index];
    struct job_buffer *buffer = &job->buffer[job->buffer_count];

    if (job->buffer_count == BUFFERS_MAX)
        return error_set(error, STATUS_USAGE, "more than %d buffers", BUFFERS_MAX);
    argument_word(job, index, buffer->name);
    if (!text || !read_image(text, argument->dimensions, &buffer->image))
        return error_set(error, STATUS_USAGE,
                         "%s is an image: give --arg %s=%s:FORMAT, such as 64%s:rgba8; a format is "
                         "%s",
                         title, buffer->name, sides[argument->dimensions - 1],
                         argument->dimensions == 1   ? ""
                         : argument->dimensions == 2 ? ",64"
                                                     : ",64,64",
                         IMAGE_FORMATS_TEXT);
    buffer->is_image = true;
    buffer->element_bytes = buffer->image.format->channel_bytes;
    buffer->is_float = buffer->image.format->is_float;
    buffer->is_output = !argument->is_const;
    buffer->bytes = image_bytes(&buffer->image);
    job->argument[index] = (struct job_argument){.kind = JOB_BUFFER, .buffer = job->buffer_count++};
    return read_contents(job, index, buffer, error);
}

static enum status read_argument_word(struct job *job, size_t index, struct error *error)
{
    const struct spirv_argument *argument = &job->kernel.argument[index];
    const char *text = given(job, &job->request->arguments, index, 0);
    struct job_argument *read = &job->argument[index];
    char title[SPIRV_NAME_BYTES * 2 + 40], word[SPIRV_NAME_BYTES];

    argument_title(job, index, title, sizeof(title));
    argument_word(job, index, word);
    if (argument->kind == SPIRV_OTHER)
        return error_set(error, STATUS_USAGE,
                         "%s is a sampler, an array of images or a pipe, which vebench kernel "
                         "cannot pass: declare samplers in the kernel, read memory",
                         title);
    if (argument->kind == SPIRV_IMAGE)
        return read_image_argument(job, index, title, text, error);
    if (argument->kind == SPIRV_BUFFER)
        return read_buffer(job, index, title, text, error);
    if (given(job, &job->request->buffers, index, 0))
        return error_set(error, STATUS_USAGE, "--buffer %s: %s is no global memory", word, title);
    if (!text)
        return error_set(error, STATUS_USAGE, "%s is missing: give --arg %s=%s", title, word,
                         argument->kind == SPIRV_LOCAL    ? "BYTES, or BYTES*local for each "
                                                            "work-item of a work-group"
                         : argument->kind == SPIRV_NUMBER ? "NUMBER"
                                                          : "@FILE");
    if (argument->kind == SPIRV_VALUE) {
        read->kind = JOB_DATA;
        return read_data(read, title, text, error);
    }
    if (argument->kind == SPIRV_NUMBER) {
        read->kind = JOB_NUMBER;
        read->bytes = argument->bytes;
        return read_number(argument, title, text, &read->value, error);
    }
    read->kind = JOB_LOCAL;
    if (read_bytes(text, true, &read->bytes, &read->is_per_item))
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "--arg %s=%s: it is shared local memory: give its bytes, such as 1K, or "
                     "4*local: four for each work-item of a work-group",
                     word, text);
}

enum status job_read_arguments(struct job *job, struct error *error)
{
    enum status status = check_words(job, "--arg", &job->request->arguments, error);

    if (status == STATUS_OK)
        status = check_words(job, "--buffer", &job->request->buffers, error);
    for (size_t i = 0; status == STATUS_OK && i < job->kernel.argument_count; i++)
        status = read_argument_word(job, i, error);
    if (status == STATUS_OK && job->buffer_count == 0)
        return error_set(error, STATUS_USAGE,
                         "%s has no global memory among its arguments: nothing could tell whether "
                         "it computes anything",
                         job->kernel.name);
    return status;
}
