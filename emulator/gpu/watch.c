#include "gpu/watch.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "gpu/endless.h"

/* A look costs less than a microsecond, a trial of a walk that goes on less than a millisecond;
 * between two trials it executes a quarter more. */
enum { EVERY = 1 << 22, TRIALS_FROM = 4, GROWTH = 4 };

/* A walk that polls is tried again after this part of the time for which it may. */
enum { POLLING_TRIALS = 32 };

static double host_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void watch_init(struct watch *watch)
{
    *watch = (struct watch){.every = EVERY};
}

void watch_begin(struct watch *watch)
{
    *watch = (struct watch){.every = watch->every,
                            .next = watch->every,
                            .next_trial = TRIALS_FROM * watch->every,
                            .began = host_seconds()};
}

/* A thread that runs, else one that waits; NULL if there is none. */
static struct thread_slot *some_slot(const struct walk *walk)
{
    const struct gpu *gpu = walk->gpu;
    struct thread_slot *waiting = NULL;

    for (uint32_t core = 0; core < gpu->core_count; core++)
        for (uint64_t i = 0; i < gpu->device->ves_per_xe_core; i++)
            for (uint64_t j = 0; j < gpu->device->threads_per_ve; j++) {
                struct thread_slot *slot = gpu->cores[core].ves[i].slots[j];

                if (slot && slot->state == SLOT_READY)
                    return slot;
                waiting = slot ? slot : waiting;
            }
    return waiting;
}

/* Stops the walk at the thread's next instruction. */
static int stop(struct walk *walk, struct thread_slot *slot, enum vesim_fault_kind kind,
                const char *what)
{
    if (slot) {
        struct vesim_fault *of_core = slot->thread.fault;

        slot->thread.fault = walk->fault;
        thread_fault(&slot->thread, &walk->program->insts[slot->thread.index], "%s", what);
        slot->thread.fault = of_core;
    } else { /* the last thread has just ended */
        *walk->fault = (struct vesim_fault){.kernel = walk->program->address};
        snprintf(walk->fault->message, sizeof(walk->fault->message), "%s: kernel at 0x%llx", what,
                 (unsigned long long)walk->program->address);
    }
    walk->fault->kind = kind;
    return -EFAULT;
}

/* Stops it at a limit that the user knows as `name`, if at all. */
static int stop_at(struct walk *walk, struct thread_slot *slot, enum vesim_fault_kind kind,
                   const char *what, const char *name)
{
    char text[180];

    if (name)
        snprintf(text, sizeof(text), "%.100s (%.40s sets another limit)", what, name);
    else
        snprintf(text, sizeof(text), "%.150s", what);
    return stop(walk, slot, kind, text);
}

int watch_stop_at_limit(struct walk *walk)
{
    const struct vesim_settings *settings = &walk->gpu->settings;
    char what[80];

    snprintf(what, sizeof(what), "still running after %llu instructions",
             (unsigned long long)settings->instruction_limit);
    return stop_at(walk, some_slot(walk), VESIM_FAULT_LIMIT, what,
                   settings->limit_names.instructions);
}

static int stop_late(struct walk *walk)
{
    const struct vesim_settings *settings = &walk->gpu->settings;
    char what[80];

    snprintf(what, sizeof(what), "still running after %g seconds", settings->time_limit_s);
    return stop_at(walk, some_slot(walk), VESIM_FAULT_LIMIT, what, settings->limit_names.time);
}

static int stop_endless(struct walk *walk, const struct endless_finding *finding)
{
    char what[150];

    snprintf(what, sizeof(what),
             "endless loop: the threads that run (%u) repeat all their registers and change no "
             "memory",
             finding->threads);
    return stop(walk, finding->slot, VESIM_FAULT_ENDLESS, what);
}

static int stop_polling(struct walk *walk, const struct endless_finding *finding)
{
    const struct vesim_settings *settings = &walk->gpu->settings;
    char what[100];

    snprintf(
        what, sizeof(what),
        "endless loop: for %g seconds the threads that run (%u) only wait for memory to change",
        settings->poll_limit_s, finding->threads);
    return stop_at(walk, finding->slot, VESIM_FAULT_ENDLESS, what, settings->limit_names.polling);
}

/* One that polls is tried again soon; one that goes on, when it has gone on for a while. */
static int try_to_end(struct walk *walk, uint64_t executed, double now)
{
    struct watch *watch = &walk->gpu->watch;
    const double patience = walk->gpu->settings.poll_limit_s;
    struct endless_finding finding;

    if (watch->polls_since > 0 && now - watch->tried < patience / POLLING_TRIALS)
        return 0;
    enum endless found = endless_find(walk, &finding);
    if (found == ENDLESS_YES)
        return stop_endless(walk, &finding);
    if (found == ENDLESS_NO) {
        watch->next_trial = executed + executed / GROWTH;
        watch->polls_since = 0;
        return 0;
    }
    watch->tried = now;
    if (watch->polls_since <= 0)
        watch->polls_since = now;
    return patience > 0 && now - watch->polls_since >= patience ? stop_polling(walk, &finding) : 0;
}

static void tell(const struct walk *walk, uint64_t executed, double seconds, bool ended)
{
    const struct vesim_settings *settings = &walk->gpu->settings;
    const struct walker *walker = walk->walker;
    struct vesim_progress progress = {.kernel_address = walker->kernel_address,
                                      .instructions = executed,
                                      .groups = 1,
                                      .groups_done = walk->started - walk->running,
                                      .seconds = seconds,
                                      .ended = ended};

    for (unsigned i = 0; i < 3; i++)
        progress.groups *= walker->group_end[i] - walker->group_start[i];
    settings->progress(settings->context, &progress);
}

int watch_look(struct walk *walk, uint64_t executed)
{
    const struct vesim_settings *settings = &walk->gpu->settings;
    struct watch *watch = &walk->gpu->watch;
    double now = host_seconds();

    watch->next = executed + watch->every;
    if (settings->progress) {
        tell(walk, executed, now - watch->began, false);
        watch->told = true;
    }
    if (settings->time_limit_s > 0 && now - watch->began >= settings->time_limit_s)
        return stop_late(walk);
    return executed >= watch->next_trial ? try_to_end(walk, executed, now) : 0;
}

void watch_end(const struct walk *walk)
{
    if (walk->gpu->watch.told)
        tell(walk, walk->executed, host_seconds() - walk->gpu->watch.began, true);
}
