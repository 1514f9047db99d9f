/* What a job keeps alive until the GPU has let go of it, and what it signals then. */
#include <errno.h>
#include <stdlib.h>

#include "kmd/node.h"

struct submission *submission_create(struct node *node)
{
    struct submission *submission = calloc(1, sizeof(*submission));

    if (submission)
        submission->node = node;
    return submission;
}

int submission_reserve(struct submission *submission, size_t count)
{
    submission->buffers = calloc(count ? count : 1, sizeof(submission->buffers[0]));
    return submission->buffers ? 0 : -ENOMEM;
}

void submission_keep(struct submission *submission, struct buffer_object *buffer)
{
    buffer->references++;
    submission->buffers[submission->count++] = buffer;
}

void submission_release_buffers(struct submission *submission)
{
    for (uint32_t i = 0; i < submission->count; i++)
        buffer_put(submission->node, submission->buffers[i]);
    free(submission->buffers);
    submission->buffers = NULL;
    submission->count = 0;
}

/* A job that faulted signals nothing. */
static void signal_fences(const struct submission *submission)
{
    const struct cs_outcome *outcome = &submission->outcome;

    if (!outcome->executed || outcome->fault.kind != VESIM_FAULT_NONE)
        return;
    for (uint32_t i = 0; i < submission->fence_count; i++) {
        const struct fence *fence = &submission->fences[i];

        if (fence->buffer->userptr) /* which the program may have unmapped */
            user_write((uintptr_t)fence->at, &fence->value, sizeof(fence->value));
        else
            __atomic_store_n(fence->at, fence->value, __ATOMIC_RELEASE);
    }
}

void submission_done(void *owner)
{
    struct submission *submission = owner;
    struct node *node = submission->node;

    pthread_mutex_lock(&node->lock);
    signal_fences(submission);
    for (uint32_t i = 0; i < submission->fence_count; i++)
        buffer_put(node, submission->fences[i].buffer);
    for (uint32_t i = 0; i < submission->listed; i++)
        submission->buffers[i]->busy--;
    submission_release_buffers(submission);
    if (submission->vm)
        vm_put(node, submission->vm);
    pthread_cond_broadcast(&node->idle);
    pthread_mutex_unlock(&node->lock);
    free(submission->fences);
    free(submission);
}
