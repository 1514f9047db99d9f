#include "job/verify-job.h"

#include "job/half.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define WHO_BYTES   200
#define VALUE_BYTES 40

struct job_reference {
    char who[WHO_BYTES];     /* has computed it */
    unsigned workgroup_size; /* of that launch */
    bool is_there;
    size_t bytes;               /* of the whole */
    size_t offset[BUFFERS_MAX]; /* of the recorder's buffers */
    size_t source[BUFFERS_MAX]; /* of the job's: the recorder's buffer, or BUFFERS_MAX for none */
    unsigned char data[];
};

static void fill_pattern(unsigned char *at, size_t bytes)
{
    static const uint32_t pattern = BUFFER_UNWRITTEN;

    for (size_t i = 0; i < bytes; i++)
        at[i] = ((const unsigned char *)&pattern)[i % sizeof(pattern)];
}

static size_t guard_of(const struct job_buffer *buffer)
{
    return buffer->is_image ? 0 : JOB_GUARD_BYTES;
}

enum status job_prepare(struct workspace *workspace, const struct configuration *configuration,
                        struct error *error)
{
    const struct job *job = workspace->common;
    enum status status = STATUS_OK;

    (void)configuration;
    for (size_t i = 0; status == STATUS_OK && i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffer[i];
        unsigned char *initial = workspace->buffers[i].initial;

        fill_pattern(initial, workspace->buffers[i].bytes);
        if (buffer->has_contents)
            status =
                contents_fill(&buffer->contents, initial + guard_of(buffer), buffer->bytes, error);
    }
    return status;
}

static double float_at(const struct job_buffer *buffer, const unsigned char *memory, size_t index)
{
    const unsigned char *at = memory + index * buffer->element_bytes;
    uint16_t half;
    float single;
    double number;

    switch (buffer->element_bytes) {
    case sizeof(half):
        memcpy(&half, at, sizeof(half));
        return (double)half_to_float(half);
    case sizeof(number):
        memcpy(&number, at, sizeof(number));
        return number;
    default:
        memcpy(&single, at, sizeof(single));
        return (double)single;
    }
}

void job_element_text(const struct job_buffer *buffer, const void *memory, size_t index, char *text,
                      size_t bytes)
{
    const unsigned char *at = (const unsigned char *)memory + index * buffer->element_bytes;
    uint64_t number = 0;

    if (buffer->is_float) {
        snprintf(text, bytes, "%.9g", float_at(buffer, memory, index));
        return;
    }
    memcpy(&number, at,
           buffer->element_bytes < sizeof(number) ? buffer->element_bytes : sizeof(number));
    snprintf(text, bytes, "%llu (0x%llx)", (unsigned long long)number, (unsigned long long)number);
}

/* The first element that is not as expected, or `count`. */
static size_t find_difference(const struct job *job, const struct job_buffer *buffer,
                              const unsigned char *found, const unsigned char *expected,
                              size_t count)
{
    double scale = 0.0;

    if (!buffer->is_float || !(job->tolerance > 0.0)) {
        for (size_t i = 0; i < count; i++) {
            if (memcmp(found + i * buffer->element_bytes, expected + i * buffer->element_bytes,
                       buffer->element_bytes) != 0)
                return i;
        }
        return count;
    }
    for (size_t i = 0; i < count; i++)
        scale = fmax(scale, fabs(float_at(buffer, expected, i)));
    for (size_t i = 0; i < count; i++) {
        double a = float_at(buffer, found, i), b = float_at(buffer, expected, i);
        bool same = !memcmp(found + i * buffer->element_bytes, expected + i * buffer->element_bytes,
                            buffer->element_bytes);

        /* Negated so that NaN counts as a difference. */
        if (!same && !(fabs(a - b) <= job->tolerance * scale))
            return i;
    }
    return count;
}

static enum status compare(const struct job *job, const struct job_buffer *buffer,
                           const unsigned char *found, const unsigned char *expected, size_t bytes,
                           const char *who, struct error *error)
{
    size_t count = bytes / buffer->element_bytes;
    size_t at = find_difference(job, buffer, found, expected, count);
    char is[VALUE_BYTES], must[VALUE_BYTES];

    if (at == count)
        return STATUS_OK;
    job_element_text(buffer, found, at, is, sizeof(is));
    job_element_text(buffer, expected, at, must, sizeof(must));
    error_set(error, STATUS_FAILED, "wrong result: %s[%zu] is %s, and %s has %s there",
              buffer->name, at, is, who, must);
    if (buffer->is_float && !(job->tolerance > 0.0))
        error_append(error, "; what differs by rounding passes with --tolerance");
    return STATUS_FAILED;
}

static enum status compare_file(struct workspace *workspace, const struct job *job, size_t index,
                                const unsigned char *found, struct error *error)
{
    const struct job_buffer *buffer = &job->buffer[index];
    const struct contents contents = {.rule = CONTENTS_FILE, .path = buffer->expected};
    unsigned char *expected = workspace_scratch(workspace, buffer->bytes, error);
    uint64_t bytes = 0;

    if (!expected)
        return STATUS_FAILED;
    enum status status = contents_file_bytes(&contents, &bytes, error);
    if (status == STATUS_OK)
        status = contents_fill(&contents, expected, buffer->bytes, error);
    if (status != STATUS_OK)
        return status;
    return compare(job, buffer, found, expected, bytes < buffer->bytes ? bytes : buffer->bytes,
                   buffer->expected, error);
}

/* How far from the buffer outwards bytes of a guard are not as they were; 0: all are. */
static size_t broken_guard(const struct buffer *buffer, bool before)
{
    const unsigned char *initial = buffer->initial, *result = buffer->result;
    size_t reach = 0;

    for (size_t i = 0; i < JOB_GUARD_BYTES; i++) {
        size_t at = before ? JOB_GUARD_BYTES - 1 - i : buffer->bytes - JOB_GUARD_BYTES + i;

        if (initial[at] != result[at])
            reach = i + 1;
    }
    return reach;
}

static enum status check_guards(const struct workspace *workspace, const struct job *job,
                                struct error *error)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct buffer *buffer = &workspace->buffers[i];
        const char *name = job->buffer[i].name;

        if (!buffer->result || job->buffer[i].is_image)
            continue;
        for (int before = 0; before < 2; before++) {
            size_t reach = broken_guard(buffer, before);

            if (reach)
                return error_set(
                    error, STATUS_FAILED,
                    "the kernel writes up to %zu bytes %s of %s, which has %zu: give it more "
                    "with --arg %s=BYTES if that is meant",
                    reach, before ? "before the beginning" : "behind the end", name,
                    job->buffer[i].bytes, name);
        }
    }
    return STATUS_OK;
}

/* Has no work-item changed anything, though nobody has said what memory holds before? Stores to
 * nowhere are dropped by some drivers' kernels. */
static enum status check_written(const struct workspace *workspace, const struct job *job,
                                 struct error *error)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffer[i];
        size_t guard = guard_of(buffer);

        if (buffer->is_output &&
            (buffer->has_contents ||
             memcmp((const unsigned char *)workspace->buffers[i].initial + guard,
                    (const unsigned char *)workspace->buffers[i].result + guard, buffer->bytes)))
            return STATUS_OK;
    }
    return error_set(
        error, STATUS_FAILED,
        "the kernel has left its buffers as they were: what it writes goes elsewhere, its "
        "arguments make it skip the work, or it writes what was there (--buffer NAME=CONTENTS says "
        "what is there before)");
}

static void record(const struct workspace *workspace, const struct job *job,
                   const struct launch *launch)
{
    struct job_reference *reference = job->reference;

    for (size_t i = 0; i < job->buffer_count; i++) {
        if (job->buffer[i].is_output)
            memcpy(reference->data + reference->offset[i],
                   (const unsigned char *)workspace->buffers[i].result + guard_of(&job->buffer[i]),
                   job->buffer[i].bytes);
    }
    snprintf(reference->who, sizeof(reference->who), "%s with sub-groups of %u, work-groups of %u",
             job->title, launch->configuration.subgroup_size, launch->configuration.workgroup_size);
    reference->workgroup_size = launch->configuration.workgroup_size;
    reference->is_there = true;
}

enum status job_verify(struct workspace *workspace, const struct launch *launch,
                       struct error *error)
{
    const struct job *job = workspace->common;
    const struct job_reference *reference = job->reference;
    enum status status = check_guards(workspace, job, error);

    if (status == STATUS_OK)
        status = check_written(workspace, job, error);
    if (status == STATUS_OK && job->records)
        record(workspace, job, launch);
    for (size_t i = 0; status == STATUS_OK && i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffer[i];
        const unsigned char *found = workspace->buffers[i].result;

        if (!buffer->is_output)
            continue;
        found += guard_of(buffer);
        if (buffer->expected)
            status = compare_file(workspace, job, i, found, error);
        else if (!job->records && reference && reference->is_there &&
                 reference->source[i] != BUFFERS_MAX)
            status = compare(job, buffer, found,
                             reference->data + reference->offset[reference->source[i]],
                             buffer->bytes, reference->who, error);
        if (status != STATUS_OK && !buffer->expected &&
            reference->workgroup_size != launch->configuration.workgroup_size)
            error_append(error, "; what is meant to depend on the size of work-groups is measured "
                                "in a run for each size");
    }
    return status;
}

/* The recorder's buffer that stands for one of the job's: its like in order, or, where names of
 * several launches tell them apart, in name; or BUFFERS_MAX. */
static size_t recorded_buffer(const struct job *job, const struct job *recorder, size_t buffer)
{
    if (!job->request->launches)
        return buffer;
    for (size_t i = 0; i < recorder->buffer_count; i++) {
        if (!strcmp(recorder->buffer[i].name, job->buffer[buffer].name))
            return i;
    }
    return BUFFERS_MAX;
}

/* Finds what the recorder computes of the job's outputs, from equal contents. */
static enum status match_buffers(const struct job *job, struct job *recorder,
                                 size_t source[BUFFERS_MAX], struct error *error)
{
    bool is_alike = job->request->launches || recorder->buffer_count == job->buffer_count;
    size_t outputs = 0;

    for (size_t i = 0; is_alike && i < job->buffer_count; i++) {
        const struct job_buffer *buffer = &job->buffer[i];
        size_t at = source[i] = recorded_buffer(job, recorder, i);

        if (at == BUFFERS_MAX)
            continue;
        is_alike = recorder->buffer[at].bytes == buffer->bytes;
        recorder->buffer[at].contents = buffer->contents;
        recorder->buffer[at].has_contents = buffer->has_contents;
        if (buffer->is_output && recorder->buffer[at].is_output)
            outputs++;
        else
            source[i] = BUFFERS_MAX;
    }
    if (!is_alike)
        return error_set(error, STATUS_USAGE,
                         "--reference %s: its kernel must have the arguments of %s",
                         job->request->reference, job->title);
    if (!outputs)
        return error_set(error, STATUS_USAGE,
                         "--reference %s: %s writes no buffer that the job writes, so there is "
                         "nothing to compare",
                         job->request->reference, recorder->title);
    return STATUS_OK;
}

enum status job_record(struct job *job, struct job *recorder, struct error *error)
{
    size_t offset[BUFFERS_MAX], source[BUFFERS_MAX], bytes = 0;
    enum status status = match_buffers(job, recorder, source, error);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < recorder->buffer_count; i++) {
        offset[i] = bytes;
        bytes += recorder->buffer[i].is_output ? recorder->buffer[i].bytes : 0;
    }
    struct job_reference *reference = mmap(NULL, sizeof(*reference) + bytes, PROT_READ | PROT_WRITE,
                                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (reference == MAP_FAILED)
        return error_out_of_memory(error);
    reference->bytes = sizeof(*reference) + bytes;
    memcpy(reference->offset, offset, recorder->buffer_count * sizeof(*offset));
    memcpy(reference->source, source, job->buffer_count * sizeof(*source));
    job->reference = recorder->reference = reference;
    job->has_reference = true;
    return STATUS_OK;
}

bool job_is_recorded(const struct job *job)
{
    return job->reference && job->reference->is_there;
}

bool job_is_expected(const struct job *job)
{
    for (size_t i = 0; i < job->buffer_count; i++) {
        if (job->buffer[i].is_output && !job->buffer[i].expected)
            return false;
    }
    return true;
}

void job_forget_reference(struct job *job)
{
    if (job->has_reference)
        munmap(job->reference, job->reference->bytes);
    job->reference = NULL;
    job->has_reference = false;
}
