/* Threads claim a job's items one by one: first from their own share, then from the others'. A
 * helper that the host does not schedule in time finds none left and delays nobody. Helpers spin
 * for a while for the next job, as a walk brings one every few microseconds, and then sleep.
 *
 * Data written by different threads is in different cache lines where possible: a line that bounces
 * for every item costs as much as several emulated instructions. */
#include "gpu/pool.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory/guard.h"

/* Spins before a thread goes to sleep: tens of microseconds. */
enum { PATIENCE = 4000 };

struct helper {
    struct pool *pool;
    unsigned number; /* from 1; the caller is 0 */
    pthread_t thread;
};

enum { HOST_LINE_BYTES = 64 };

/* A thread's share of a job's items. */
struct share {
    alignas(HOST_LINE_BYTES) atomic_ullong left; /* see share_left() */
};

struct pool {
    struct helper *helpers;
    unsigned helper_count;
    struct share *shares; /* of the caller and of each helper */
    /* The current job. Read only after claiming one of its items: no other job begins until that
     * item is done. */
    pool_work work;
    void *context;
    unsigned count;
    alignas(HOST_LINE_BYTES) atomic_uint job; /* number of the current job, from 1; 0 is skipped */
    atomic_bool closing;
    alignas(HOST_LINE_BYTES) atomic_uint done;
    atomic_bool caller_sleeps;
    alignas(HOST_LINE_BYTES) atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t posted, finished;
};

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* A share whose unclaimed items are [next, end). */
static unsigned long long share_left(unsigned job, unsigned next, unsigned end)
{
    return (unsigned long long)job << 32 | next << 16 | end;
}

/* Claims an item of a share; false if none is left. */
static bool claim(struct share *share, unsigned job, unsigned *item)
{
    unsigned long long left = atomic_load(&share->left);

    for (;;) {
        unsigned next = left >> 16 & 0xffff, end = left & 0xffff;

        if ((unsigned)(left >> 32) != job || next == end)
            return false;
        if (atomic_compare_exchange_weak(&share->left, &left, share_left(job, next + 1, end))) {
            *item = next;
            return true;
        }
    }
}

static void note_done(struct pool *pool, unsigned items, unsigned all)
{
    if (atomic_fetch_add(&pool->done, items) + items == all && atomic_load(&pool->caller_sleeps)) {
        pthread_mutex_lock(&pool->lock);
        pthread_cond_signal(&pool->finished);
        pthread_mutex_unlock(&pool->lock);
    }
}

/* Claims and executes items of a share until none is left. */
static void do_share(struct pool *pool, struct share *share, unsigned job)
{
    unsigned item, all = 0, items = 0;

    for (; claim(share, job, &item); items++) {
        all = pool->count;
        pool->work(pool->context, item);
    }
    if (items)
        note_done(pool, items, all);
}

static void take_part(struct pool *pool, unsigned job, unsigned number)
{
    unsigned threads = pool->helper_count + 1;

    for (unsigned i = 0; i < threads; i++)
        do_share(pool, &pool->shares[(number + i) % threads], job);
}

/* Waits for a job other than `last`; returns its number, or 0 when the pool closes. */
static unsigned next_job(struct pool *pool, unsigned last)
{
    for (unsigned i = 0; i < PATIENCE; i++) {
        unsigned job = atomic_load(&pool->job);

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
    unsigned job = 0;

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
    struct pool *pool = aligned_alloc(alignof(struct pool), sizeof(*pool));

    if (!pool)
        return NULL;
    memset(pool, 0, sizeof(*pool));
    pool->helpers = calloc(helpers, sizeof(*pool->helpers));
    pool->shares = aligned_alloc(alignof(struct share), (helpers + 1) * sizeof(*pool->shares));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->posted, NULL);
    pthread_cond_init(&pool->finished, NULL);
    for (unsigned i = 0; pool->shares && i <= helpers; i++)
        atomic_init(&pool->shares[i].left, 0);
    /* set before the first thread starts: shares depend on it */
    pool->helper_count = pool->helpers && pool->shares ? helpers : 0;
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
    free(pool->shares);
    free(pool->helpers);
    free(pool);
}

static void post(struct pool *pool, pool_work work, void *context, uint32_t count)
{
    unsigned job = atomic_load(&pool->job) + 1, threads = pool->helper_count + 1;

    job += job == 0;
    pool->work = work;
    pool->context = context;
    pool->count = count;
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    for (unsigned i = 0; i < threads; i++)
        atomic_store_explicit(&pool->shares[i].left,
                              share_left(job, count * i / threads, count * (i + 1) / threads),
                              memory_order_release);
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
