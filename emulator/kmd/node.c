#include "kmd/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void node_log(const struct node *node, const char *format, ...)
{
    char line[512];
    va_list arguments;

    if (!node->settings.log_commands || !node->settings.log)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    node->settings.log(node->settings.context, line);
}

bool node_is_lost(struct node *node)
{
    if (faults_strike(node->faults, FAULT_DEVICE_LOST))
        node->is_lost = true;
    return node->is_lost;
}

void node_plan_faults(struct node *node, const struct faults *faults)
{
    node->faults = faults;
    cs_plan_faults(node->cs, faults);
}

struct node *node_create(const struct vesim_device *device, const struct vesim_settings *settings,
                         char *error, size_t error_size)
{
    struct node *node = calloc(1, sizeof(*node));
    pthread_condattr_t monotonic;

    snprintf(error, error_size, "out of memory");
    if (!node)
        return NULL;
    node->device = *device;
    node->settings = *settings;
    if (memory_init(&node->memory)) {
        snprintf(error, error_size,
                 "cannot create the GPU's memory; does the system lack "
                 "memfd_create or large files?");
        goto fail;
    }
    node->cs = cs_create(&node->device, settings);
    if (!node->cs) {
        close(node->memory.fd);
        goto fail;
    }
    pthread_mutex_init(&node->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&node->idle, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return node;
fail:
    free(node);
    return NULL;
}

uint64_t node_progress(const struct node *node)
{
    return __atomic_load_n(&node->changes, __ATOMIC_RELAXED) + cs_progress(node->cs);
}

void node_disown(struct node *node)
{
    node->disowned = true;
}

struct node_file *node_open(struct node *node, int *fd)
{
    struct node_file *file = calloc(1, sizeof(*file));
    uint32_t id;

    if (!file) {
        errno = ENOMEM;
        return NULL;
    }
    file->node = node;
    file->references = 1;
    pthread_mutex_lock(&node->lock);
    if (file_add_context(file, &id)) { /* the default context, id 0 */
        pthread_mutex_unlock(&node->lock);
        free(file);
        errno = ENOMEM;
        return NULL;
    }
    pthread_mutex_unlock(&node->lock);

    *fd = fcntl(node->memory.fd, F_DUPFD_CLOEXEC, 0);
    if (*fd < 0) {
        node_release(file);
        errno = EMFILE;
        return NULL;
    }
    return file;
}

void node_retain(struct node_file *file)
{
    __atomic_add_fetch(&file->references, 1, __ATOMIC_RELAXED);
}

void node_release(struct node_file *file)
{
    struct node *node = file->node;

    if (__atomic_sub_fetch(&file->references, 1, __ATOMIC_ACQ_REL))
        return;
    if (node->disowned) /* inherited by a forked child: its threads are not here */
        return;
    for (uint32_t i = 0; i < file->context_slots; i++) {
        pthread_mutex_lock(&node->lock);
        struct gem_context *context = file_take_context(file, i);
        pthread_mutex_unlock(&node->lock);
        if (context)
            gem_context_free(context, true);
    }
    pthread_mutex_lock(&node->lock);
    for (uint32_t i = 0; i < file->vm_slots; i++) {
        if (file->vms[i])
            vm_put(node, file->vms[i]);
    }
    for (uint32_t i = 0; i < file->buffer_slots; i++) {
        if (file->buffers[i])
            buffer_put(node, file->buffers[i]);
    }
    pthread_mutex_unlock(&node->lock);
    free(file->contexts);
    free(file->vms);
    free(file->buffers);
    free(file);
}
