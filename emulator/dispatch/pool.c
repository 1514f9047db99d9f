/* A job's items are claimed one by one. Who comes late finds none left, so that a helper which the
 * host does not run holds nobody up. Helpers wait for the next job in a loop for a while, for jobs
 * come every few microseconds in a walk, and then asleep. */
#include "dispatch/pool.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "memory/guard.h"

/* Turns of the loop before a thread goes to sleep: some tens of microseconds. */
enum { PATIENCE = 4000 };

struct helper {
    struct pool *pool;
    unsigned number; /* from 1; the caller is 0 */
    pthread_t thread;
};

struct pool {
    struct helper *helpers;
    unsigned helper_count;
    atomic_ullong job; /* number of the current one, from 1 */
    atomic_bool closing;
    /* Of the current job. Read after an item of it has been claimed, for until that is done there
     * is no other; `count` before, when a wrong one only leads to a claim that fails. */
    pool_work work;
    void *context;
    atomic_uint count;
    atomic_uint done;
    /* An item of job n is free while it says 2n, and taken when it says 2n + 1. */
    atomic_ullong claims[POOL_MAX_ITEMS];
    atomic_uint sleepers;
    atomic_bool caller_sleeps;
    pthread_mutex_t lock;
    pthread_cond_t posted, finished;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Claims and does items of job `job` until none is left, beginning with a share of one's own. */
static void take_part(struct pool *pool, unsigned long long job, unsigned number)
{
    unsigned count = atomic_load_explicit(&pool->count, memory_order_relaxed);
    unsigned first = count * number / (pool->helper_count + 1);
    for (unsigned i = 0; i < count; i++) {
        unsigned item = first + i < count ? first + i : first + i - count;
        unsigned long long unclaimed = 2 * job;
        if (!atomic_compare_exchange_strong(&pool->claims[item], &unclaimed, 2 * job + 1))
            continue;
        unsigned all = atomic_load_explicit(&pool->count, memory_order_relaxed);
        pool->work(pool->context, item);
        if (atomic_fetch_add(&pool->done, 1) + 1 == all && atomic_load(&pool->caller_sleeps)) {
            pthread_mutex_lock(&pool->lock);
            pthread_cond_signal(&pool->finished);
            pthread_mutex_unlock(&pool->lock);
        }
    }
}

/* Waits for a job other than `last`; returns its number, or 0 when the pool closes. */
static unsigned long long next_job(struct pool *pool, unsigned long long last)
{
    for (unsigned i = 0; i < PATIENCE; i++) {
        unsigned long long job = atomic_load(&pool->job);
        if (atomic_load(&pool->closing))
            return 0;
        if (job != last)
            return job;
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->sleepers, 1);
    while (atomic_load(&pool->job) == last && !atomic_load(&pool->closing))
        pthread_cond_wait(&pool->posted, &pool->lock);
    atomic_fetch_sub(&pool->sleepers, 1);
    pthread_mutex_unlock(&pool->lock);
    return atomic_load(&pool->closing) ? 0 : atomic_load(&pool->job);
}

static void *help(void *argument)
{
    struct helper *helper = argument;
    unsigned long long job = 0;
    fesetenv(FE_DFL_ENV);
    while ((job = next_job(helper->pool, job)))
        take_part(helper->pool, job, helper->number);
    return NULL;
}

static int start_helper(struct helper *helper)
{
    sigset_t before;
    memory_guard_block_signals(&before);
    int status = pthread_create(&helper->thread, NULL, help, helper);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

struct pool *pool_create(unsigned helpers)
{
    struct pool *pool = calloc(1, sizeof(*pool));
    if (!pool)
        return NULL;
    pool->helpers = calloc(helpers, sizeof(*pool->helpers));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->posted, NULL);
    pthread_cond_init(&pool->finished, NULL);
    /* set before the first starts: the shares depend on it */
    pool->helper_count = pool->helpers ? helpers : 0;
    for (unsigned i = 0; i < pool->helper_count; i++) {
        pool->helpers[i] = (struct helper){.pool = pool, .number = i + 1};
        if (start_helper(&pool->helpers[i]))
            pool->helper_count = i;
    }
    if (pool->helper_count == 0) {
        pool_destroy(pool);
        return NULL;
    }
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->closing, true);
    pthread_cond_broadcast(&pool->posted);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->helper_count; i++)
        pthread_join(pool->helpers[i].thread, NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->posted);
    pthread_mutex_destroy(&pool->lock);
    free(pool->helpers);
    free(pool);
}

static void post(struct pool *pool, pool_work work, void *context, uint32_t count)
{
    unsigned long long job = atomic_load(&pool->job) + 1;
    pool->work = work;
    pool->context = context;
    atomic_store(&pool->done, 0);
    atomic_store(&pool->count, count);
    for (uint32_t i = 0; i < count; i++)
        atomic_store_explicit(&pool->claims[i], 2 * job, memory_order_release);
    atomic_store(&pool->job, job);
    if (atomic_load(&pool->sleepers)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_broadcast(&pool->posted);
        pthread_mutex_unlock(&pool->lock);
    }
}

static void wait_for_all(struct pool *pool, uint32_t count)
{
    for (unsigned i = 0; i < PATIENCE; i++) {
        if (atomic_load(&pool->done) == count)
            return;
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    atomic_store(&pool->caller_sleeps, true);
    while (atomic_load(&pool->done) != count)
        pthread_cond_wait(&pool->finished, &pool->lock);
    atomic_store(&pool->caller_sleeps, false);
    pthread_mutex_unlock(&pool->lock);
}

void pool_run(struct pool *pool, pool_work work, void *context, uint32_t count)
{
    post(pool, work, context, count);
    take_part(pool, atomic_load(&pool->job), 0);
    wait_for_all(pool, count);
}
