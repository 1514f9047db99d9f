#include "preload/process-node.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "preload/after-hang.h"
#include "preload/environment.h"
#include "preload/interpose.h"

static struct node *the_node;
static bool failed;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool making_here;

static struct node *make_node(void)
{
    struct vesim_settings settings;
    struct vesim_device device;
    struct node *node = NULL;
    double after_hang = AFTER_HANG_SECONDS;
    char error[512];

    if (!environment_read(&device, &settings, error, sizeof(error)) &&
        !environment_after_hang(&after_hang, error, sizeof(error)))
        node = node_create(&device, &settings, error, sizeof(error));
    if (!node) {
        fprintf(stderr, "vesim: %s\n", error);
        return NULL;
    }
    node_plan_faults(node, interpose_faults());
    /* Whoever limits a kernel's time does not want to wait longer for one that is no more. */
    if (settings.time_limit_s > 0 && settings.time_limit_s < after_hang)
        after_hang = fmax(settings.time_limit_s, AFTER_HANG_LEAST_SECONDS);
    after_hang_plan(after_hang, environment_prints_stacks());
    return node;
}

/* A forked child gets a node of its own if it opens one. */
static void forget_in_child(void)
{
    if (the_node)
        node_disown(the_node);
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
