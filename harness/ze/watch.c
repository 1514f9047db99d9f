#include "ze/watch.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <time.h>

#define SECOND_NS 1000000000u

struct watch {
    _Atomic int stage;
    _Atomic uint64_t limit_ns;
    _Atomic uint64_t until_ns; /* CLOCK_MONOTONIC */
};

struct watch *watch_create(void)
{
    void *page =
        mmap(NULL, sizeof(struct watch), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return page == MAP_FAILED ? NULL : page;
}

void watch_destroy(struct watch *watch)
{
    if (watch)
        munmap(watch, sizeof(*watch));
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec;
}

void watch_extend(struct watch *watch, uint64_t limit_ns)
{
    if (!watch)
        return;
    atomic_store(&watch->limit_ns, limit_ns);
    atomic_store(&watch->until_ns, now_ns() + limit_ns);
}

enum watch_stage watch_enter(struct watch *watch, enum watch_stage stage, uint64_t limit_ns)
{
    enum watch_stage before = watch ? watch_stage(watch) : WATCH_IDLE;

    if (watch) {
        atomic_store(&watch->stage, stage);
        watch_extend(watch, limit_ns);
    }
    return before;
}

enum watch_stage watch_stage(const struct watch *watch)
{
    return (enum watch_stage)atomic_load(&watch->stage);
}

int64_t watch_left_ns(const struct watch *watch)
{
    return (int64_t)(atomic_load(&watch->until_ns) - now_ns());
}

uint64_t watch_limit_ns(const struct watch *watch)
{
    return atomic_load(&watch->limit_ns);
}

const char *watch_stage_name(enum watch_stage stage)
{
    static const char *const names[] = {
        [WATCH_START] = "start",
        [WATCH_IDLE] = "waiting",
        [WATCH_COMPILATION] = "compilation",
        [WATCH_SETUP] = "setup",
        [WATCH_COMMAND] = "a command of --prepare or --cleanup",
        [WATCH_CALIBRATION] = "calibration",
        [WATCH_TIMING] = "timing",
        [WATCH_COUNTING] = "counting",
        [WATCH_VERIFICATION] = "verification",
        [WATCH_END] = "end",
    };

    return names[stage];
}
