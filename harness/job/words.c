#include "job/words.h"

#include "family/near.h"
#include "job/half.h"
#include "job/launches.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_MOST      (UINT64_C(1) << 40)
#define IMAGE_SIDE_MOST 65536u

/* One argument of one launch. */
struct place {
    const struct job_launch *launch;
    size_t index;
};

static const struct spirv_argument *argument_at(struct place at)
{
    return &at.launch->kernel.argument[at.index];
}

/* "argument 1 (out) of sum" */
static void argument_title(struct place at, char *text, size_t bytes)
{
    const char *name = argument_at(at)->name;

    snprintf(text, bytes, "argument %zu%s%s%s of %s", at.index, name[0] ? " (" : "", name,
             name[0] ? ")" : "", at.launch->kernel.name);
}

/* The argument of a kernel that "NAME=..." or "INDEX=..." means, or SPIRV_ARGUMENTS_MAX. */
static size_t find_argument(const struct spirv_kernel *kernel, const char *word)
{
    size_t bytes = strcspn(word, "=");
    char *end;
    unsigned long number = strtoul(word, &end, 10);

    if (end == word + bytes && bytes && number < kernel->argument_count)
        return number;
    for (size_t i = 0; i < kernel->argument_count; i++) {
        const char *name = kernel->argument[i].name;

        if (strlen(name) == bytes && !strncmp(name, word, bytes))
            return i;
    }
    return SPIRV_ARGUMENTS_MAX;
}

/* What one of several launches says of its argument: the job's name of it, or a number; or NULL. */
static const char *passed(struct place at)
{
    const struct job_launch_words *words = at.launch->words;

    for (size_t i = words ? words->arguments.count : 0; i-- > 0;) {
        if (find_argument(&at.launch->kernel, words->arguments.word[i]) == at.index)
            return strchr(words->arguments.word[i], '=') + 1;
    }
    return NULL;
}

/* What the job's words call the argument. */
static void argument_word(struct place at, char text[SPIRV_NAME_BYTES])
{
    const char *other = passed(at), *name = other ? other : argument_at(at)->name;

    if (name[0])
        snprintf(text, SPIRV_NAME_BYTES, "%s", name);
    else
        snprintf(text, SPIRV_NAME_BYTES, "%zu", at.index);
}

/* Does "NAME=..." mean it? */
static bool is_meant(struct place at, const char *word)
{
    char name[SPIRV_NAME_BYTES];

    if (!at.launch->words)
        return find_argument(&at.launch->kernel, word) == at.index;
    argument_word(at, name);
    return strlen(name) == strcspn(word, "=") && !strncmp(name, word, strlen(name));
}

/* The first argument of any launch that it means. */
static bool find_meant(const struct job *job, const char *word, struct place *at)
{
    for (size_t l = 0; l < job->launch_count; l++) {
        for (size_t i = 0; i < job->launch[l].kernel.argument_count; i++) {
            *at = (struct place){&job->launch[l], i};
            if (is_meant(*at, word))
                return true;
        }
    }
    return false;
}

/* The kernel's arguments, by number and name. */
static void append_arguments(const struct spirv_kernel *kernel, const char *word,
                             struct error *error)
{
    struct near near = near_begin(word, strcspn(word, "="));

    error_append(error, "; the arguments of %s are", kernel->name);
    for (size_t i = 0; i < kernel->argument_count; i++) {
        error_append(error, "%s %zu", i ? "," : "", i);
        if (kernel->argument[i].name[0])
            error_append(error, " (%s)", kernel->argument[i].name);
        near_consider(&near, kernel->argument[i].name);
    }
    near_append(&near, "", error);
}

/* Is it a number in the place of a name? */
static bool is_literal(struct place at)
{
    const struct spirv_argument *argument = argument_at(at);

    return passed(at) && argument->kind != SPIRV_BUFFER && argument->kind != SPIRV_IMAGE;
}

/* What the launches call their arguments, each name once. */
static void append_names(const struct job *job, const char *word, struct error *error)
{
    struct near near = near_begin(word, strcspn(word, "="));
    const char *before = "; the launches have";

    for (size_t l = 0; l < job->launch_count; l++) {
        for (size_t i = 0; i < job->launch[l].kernel.argument_count; i++) {
            struct place at = {&job->launch[l], i}, first;
            char name[SPIRV_NAME_BYTES];

            argument_word(at, name);
            if (is_literal(at) || !find_meant(job, name, &first) || first.launch != at.launch ||
                first.index != i)
                continue;
            error_append(error, "%s %s", before, name);
            near_consider(&near, name);
            before = ",";
        }
    }
    near_append(&near, "", error);
}

static enum status check_words(const struct job *job, const struct job *other, const char *option,
                               const struct job_words *words, struct error *error)
{
    for (size_t w = 0; w < words->count; w++) {
        const char *word = words->word[w], *equals = strchr(word, '=');
        struct place at;

        if (equals && equals[1] &&
            (find_meant(job, word, &at) || (other && find_meant(other, word, &at))))
            continue;
        error_set(error, STATUS_USAGE, "%s %s: %s", option, word,
                  equals && equals[1] ? "there is no such argument" : "write NAME=VALUE");
        if (job->launch[0].words)
            append_names(job, word, error);
        else
            append_arguments(&job->launch[0].kernel, word, error);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

enum status job_check_words(const struct job *job, const struct job *other, struct error *error)
{
    enum status status = check_words(job, other, "--arg", &job->request->arguments, error);

    return status == STATUS_OK ? check_words(job, other, "--buffer", &job->request->buffers, error)
                               : status;
}

/* May the reference, a kernel of its own, have an argument that no launch has? */
static bool shares_words(const struct job_request *request)
{
    return request->launches && request->reference;
}

/* Does the kernel have all arguments that its launch names? */
static enum status check_passed(const struct job_launch *launch, struct error *error)
{
    for (size_t w = 0; launch->words && w < launch->words->arguments.count; w++) {
        const char *word = launch->words->arguments.word[w];

        if (find_argument(&launch->kernel, word) != SPIRV_ARGUMENTS_MAX)
            continue;
        error_set(error, STATUS_USAGE, "%.*s: there is no such argument", (int)strcspn(word, "="),
                  word);
        append_arguments(&launch->kernel, word, error);
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

/* The value given for an argument, the `nth` one from the last, or NULL. */
static const char *given(const struct job_words *words, struct place at, size_t nth)
{
    for (size_t i = words->count; i-- > 0;) {
        if (is_meant(at, words->word[i]) && nth-- == 0)
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

/* What --buffer says of one: its contents, the file that it must be equal to, or both. The last
 * word comes first, and counts: the command line's before a file's. */
static enum status read_contents(struct job *job, struct place at, struct job_buffer *buffer,
                                 struct error *error)
{
    const char *text;
    char option[SPIRV_NAME_BYTES + 16];
    enum status status = STATUS_OK;
    bool is_told = false;
    size_t nth = 0;

    choose_contents(buffer, at.index);
    snprintf(option, sizeof(option), "--buffer %s", buffer->name);
    while (status == STATUS_OK && (text = given(&job->request->buffers, at, nth++)) != NULL) {
        if (text[0] == '@') {
            const struct contents file = {.rule = CONTENTS_FILE, .path = text + 1};
            uint64_t bytes;

            if (buffer->expected)
                continue;
            buffer->expected = text + 1;
            status = contents_file_bytes(&file, &bytes, error);
        } else if (!is_told) {
            status = contents_read(&buffer->contents, option, text, error);
            buffer->has_contents = is_told = true;
        }
    }
    return status;
}

/* The buffer of that name which an earlier launch has, too; or NULL. */
static struct job_buffer *find_buffer(struct job *job, const char *name)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        if (!strcmp(job->buffer[i].name, name))
            return &job->buffer[i];
    }
    return NULL;
}

/* Launches that follow one another find what those before them have left. */
static bool is_only_stored(const struct job *job, struct place at)
{
    return job->launch_count == 1 && at.index < 64 && at.launch->only_stored >> at.index & 1;
}

/* A buffer of an earlier launch: what it is stays as that has it. */
static enum status share_buffer(const struct job *job, struct place at, struct job_buffer *buffer,
                                const char *title, struct error *error)
{
    const struct spirv_argument *argument = argument_at(at);
    bool is_image = argument->kind == SPIRV_IMAGE;

    if (buffer->is_image != is_image ||
        (is_image && buffer->image.dimensions != argument->dimensions))
        return error_set(error, STATUS_USAGE,
                         "%s is %s, and %s is something else in a launch before", title,
                         is_image ? "an image" : "memory", buffer->name);
    buffer->is_output |= !argument->is_const;
    buffer->is_only_stored &= is_only_stored(job, at);
    return STATUS_OK;
}

static enum status read_buffer(struct job *job, struct place at, struct job_buffer *buffer,
                               const char *title, const char *text, struct error *error)
{
    const struct spirv_argument *argument = argument_at(at);
    struct contents file = {.rule = CONTENTS_FILE};
    uint64_t bytes = 0;
    bool each = false;

    buffer->element_bytes = argument->bytes ? argument->bytes : sizeof(uint32_t);
    buffer->is_float = argument->is_float;
    enum status status = read_contents(job, at, buffer, error);
    if (status != STATUS_OK)
        return status;
    file.path = buffer->contents.rule == CONTENTS_FILE ? buffer->contents.path : buffer->expected;
    if (!text && !file.path && at.launch->words)
        return error_set(error, STATUS_USAGE,
                         "%s points to memory, and the job's arguments have no %s with its bytes",
                         title, buffer->name);
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

static enum status read_image_argument(struct job *job, struct place at, struct job_buffer *buffer,
                                       const char *title, const char *text, struct error *error)
{
    static const char *const sides[] = {"WIDTH", "WIDTH,HEIGHT", "WIDTH,HEIGHT,DEPTH"};
    const struct spirv_argument *argument = argument_at(at);

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
    buffer->bytes = image_bytes(&buffer->image);
    return read_contents(job, at, buffer, error);
}

/* Global memory or an image, of this launch alone or shared with earlier ones. */
static enum status read_pointer_word(struct job *job, struct place at, const char *title,
                                     const char *text, struct job_argument *read,
                                     struct error *error)
{
    const struct spirv_argument *argument = argument_at(at);
    char word[SPIRV_NAME_BYTES];

    argument_word(at, word);
    struct job_buffer *buffer = find_buffer(job, word);
    read->kind = JOB_BUFFER;
    if (buffer) {
        read->buffer = (size_t)(buffer - job->buffer);
        return share_buffer(job, at, buffer, title, error);
    }
    if (job->buffer_count == BUFFERS_MAX)
        return error_set(error, STATUS_USAGE, "more than %d buffers", BUFFERS_MAX);
    read->buffer = job->buffer_count++;
    buffer = &job->buffer[read->buffer];
    memcpy(buffer->name, word, sizeof(buffer->name));
    buffer->is_output = !argument->is_const;
    buffer->is_only_stored = is_only_stored(job, at);
    return argument->kind == SPIRV_IMAGE ? read_image_argument(job, at, buffer, title, text, error)
                                         : read_buffer(job, at, buffer, title, text, error);
}

/* A number, a structure or local memory. */
static enum status read_value(struct place at, const char *title, const char *word,
                              const char *text, struct job_argument *read, struct error *error)
{
    const struct spirv_argument *argument = argument_at(at);

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

static enum status read_argument_word(struct job *job, struct job_launch *launch, size_t index,
                                      struct error *error)
{
    struct place at = {launch, index};
    const struct spirv_argument *argument = argument_at(at);
    const char *text = given(&job->request->arguments, at, 0);
    char title[SPIRV_NAME_BYTES * 2 + 40], word[SPIRV_NAME_BYTES];

    argument_title(at, title, sizeof(title));
    argument_word(at, word);
    if (argument->kind == SPIRV_OTHER)
        return error_set(error, STATUS_USAGE,
                         "%s is a sampler, an array of images or a pipe, which vebench kernel "
                         "cannot pass: declare samplers in the kernel, read memory",
                         title);
    if (argument->kind == SPIRV_IMAGE || argument->kind == SPIRV_BUFFER)
        return read_pointer_word(job, at, title, text, &launch->argument[index], error);
    if (given(&job->request->buffers, at, 0))
        return error_set(error, STATUS_USAGE, "--buffer %s: %s is no global memory", word, title);
    if (!text)
        text = passed(at);
    if (!text)
        return error_set(error, STATUS_USAGE, "%s is missing: give --arg %s=%s", title, word,
                         argument->kind == SPIRV_LOCAL    ? "BYTES, or BYTES*local for each "
                                                            "work-item of a work-group"
                         : argument->kind == SPIRV_NUMBER ? "NUMBER"
                                                          : "@FILE");
    return read_value(at, title, word, text, &launch->argument[index], error);
}

static enum status read_arguments(struct job *job, struct job_launch *launch, struct error *error)
{
    enum status status = check_passed(launch, error);

    for (size_t i = 0; status == STATUS_OK && i < launch->kernel.argument_count; i++)
        status = read_argument_word(job, launch, i, error);
    return job_blame(launch, status, error);
}

enum status job_read_arguments(struct job *job, struct error *error)
{
    enum status status = shares_words(job->request) ? STATUS_OK : job_check_words(job, NULL, error);

    for (size_t l = 0; status == STATUS_OK && l < job->launch_count; l++)
        status = read_arguments(job, &job->launch[l], error);
    if (status == STATUS_OK && job->buffer_count == 0)
        return error_set(error, STATUS_USAGE,
                         "%s has no global memory among its arguments: nothing could tell whether "
                         "it computes anything",
                         job->title);
    return status;
}
