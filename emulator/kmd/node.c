#include "kmd/node.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct node *the_node;
static bool failed;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool making_here;

void node_log(const struct node *node, const char *format, ...)
{
    char line[512];
    va_list arguments;

    if (!node->verbose)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof(line), format, arguments);
    va_end(arguments);
    fprintf(stderr, "vesim: %s\n", line); /* one call: lines of threads do not mix */
}

static struct node *make_node(void)
{
    const char *name = getenv("VESIM_DEVICE"), *log = getenv("VESIM_LOG");
    struct node *node = calloc(1, sizeof(*node));
    pthread_condattr_t monotonic;
    char error[512] = "out of memory";

    if (!node)
        goto fail;
    node->verbose = log && *log && strcmp(log, "0") != 0;
    if (device_load(&node->device, name && *name ? name : "a380", error, sizeof(error)))
        goto fail;
    if (memory_init(&node->memory)) {
        snprintf(error, sizeof(error),
                 "cannot create the GPU's memory; does the system lack "
                 "memfd_create or large files?");
        goto fail;
    }
    node->cs = cs_create(&node->device, node->verbose);
    if (!node->cs) {
        snprintf(error, sizeof(error), "out of memory");
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
    fprintf(stderr, "vesim: %s\n", error);
    free(node);
    return NULL;
}

/* A forked child has none of the threads that drive the parent's node, and shares its memory. It
 * gets a node of its own if it opens one; what it inherits fails with EIO. */
static void forget_in_child(void)
{
    the_node = NULL;
    pthread_mutex_init(&making, NULL);
}

bool node_is_being_made(void)
{
    return making_here;
}

struct node *node_get(void)
{
    static bool handler;

    pthread_mutex_lock(&making);
    if (!handler) {
        pthread_atfork(NULL, NULL, forget_in_child);
        handler = true;
    }
    if (!the_node && !failed) {
        making_here = true;
        __atomic_store_n(&the_node, make_node(), __ATOMIC_RELEASE);
        failed = !the_node;
        making_here = false;
    }
    pthread_mutex_unlock(&making);
    return the_node;
}

struct node *node_if_made(void)
{
    return __atomic_load_n(&the_node, __ATOMIC_ACQUIRE);
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
    if (node != the_node) /* a forked child's inheritance: its threads are not here */
        return;
    for (uint32_t i = 0; i < file->context_slots; i++) {
        struct gem_context *context;

        pthread_mutex_lock(&node->lock);
        context = file_take_context(file, i);
        pthread_mutex_unlock(&node->lock);
        if (context)
            gem_context_free(context, true);
    }
    pthread_mutex_lock(&node->lock);
    for (uint32_t i = 0; i < file->vm_slots; i++) {
        if (file->vms[i])
            vm_put(file->vms[i]);
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
