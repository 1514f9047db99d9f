#include "simulated.h"

#include "governor.h"
#include "host-clock.h"
#include "planted.h"

#include "barrier-simulation.h"
#include "base/prng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUBGROUP_SIZE 16u
#define SUBMISSION_NS 8000.0 /* until work has arrived at the device */
#define KERNEL_GAP_NS 700.0
#define FIRST_TICK    UINT64_C(0xff000000) /* so that 32 bits wrap within a run */
#define TURN          6.28318530717958647692

uint32_t engine_tile;

static struct {
    struct prng prng;
    double busy_before_ns; /* of the first launch: where steps and drift begin */
    bool has_begun;
} engine;

void engine_begin(void)
{
    prng_seed(&engine.prng, (uint64_t)settings.seed);
    governor_begin(&settings);
}

static double uniform(void)
{
    return ((double)(prng_next(&engine.prng) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
    double radius = sqrt(-2.0 * log(uniform()));

    return radius * cos(TURN * uniform());
}

uint64_t engine_ticks(double ns)
{
    return FIRST_TICK + (uint64_t)(ns * settings.timer_hz / 1e9);
}

static uint64_t stamp(double ns)
{
    uint64_t ticks = engine_ticks(ns);

    return settings.timer_bits < 64.0 ? ticks & ((UINT64_C(1) << (unsigned)settings.timer_bits) - 1)
                                      : ticks;
}

void engine_submit(void)
{
    governor_idle_until(host_clock_now() + SUBMISSION_NS);
}

void engine_copy(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    governor_wait(LOAD_NARROW, 2000.0 + (double)bytes / 20.0);
}

void engine_signal(struct simulated_event *signal)
{
    if (signal)
        signal->signalled_ns = governor_now();
}

static unsigned threads_of(const struct simulated_launch *l)
{
    return (l->group_size + SUBGROUP_SIZE - 1) / SUBGROUP_SIZE * l->group_count;
}

static enum load load_of(const struct simulated_launch *launch)
{
    return 2 * threads_of(launch) >= XE_CORES * EUS_PER_CORE * THREADS_PER_EU ? LOAD_WIDE
                                                                              : LOAD_NARROW;
}

static void *pointer(const struct simulated_launch *launch, unsigned argument)
{
    void *memory;

    memcpy(&memory, &launch->arguments[argument], sizeof(memory));
    return memory;
}

static void run_barrier(const struct simulated_launch *l)
{
    const struct barrier_arguments arguments = {
        l->group_size,
        l->group_count,
        (uint32_t)l->arguments[3],
        (uint32_t)l->arguments[4],
        (uint32_t)l->arguments[5],
        (uint32_t)l->arguments[6],
    };
    uint32_t *witness = pointer(l, 1);

    barrier_simulate(&arguments, pointer(l, 0));
    for (size_t i = 0; i < (size_t)l->group_size * l->group_count; i++)
        witness[i] = SUBGROUP_SIZE;
}

static void run_counted(const struct simulated_launch *l)
{
    uint32_t *counts = pointer(l, 0), *witness = pointer(l, 1);
    uint32_t first = (uint32_t)l->arguments[2];

    for (uint32_t i = 0; first < l->group_count && i < l->group_size; i++) {
        counts[i] += l->group_count - first;
        witness[i] = SUBGROUP_SIZE;
    }
}

/* What the kernel does, and the cycles that its work takes, without those of the launch. */
static double run(const struct simulated_launch *l, bool *is_spin)
{
    unsigned threads = (l->group_size + SUBGROUP_SIZE - 1) / SUBGROUP_SIZE;
    double barrier = planted_barrier_cycles(l->name, threads);
    double spin = (double)(uint32_t)l->arguments[1] * PLANTED_SPIN_CYCLES;

    *is_spin = !strncmp(l->name, "spin", 4);
    if (*is_spin) {
        uint64_t counted = !strcmp(l->name, "spin") ? 0 : (uint64_t)spin;

        memcpy(pointer(l, 0), &counted, sizeof(counted));
        return spin;
    }
    if (barrier >= 0.0) {
        run_barrier(l);
        return barrier * (double)(uint32_t)l->arguments[3];
    }
    if (!strcmp(l->name, "launch_counted"))
        run_counted(l);
    return !strncmp(l->name, "launch_", 7) ? PLANTED_GROUP_CYCLES * (l->group_count - 1) : -1.0;
}

/* By how much everything takes longer now. */
static double slowness(void)
{
    double s;

    if (!engine.has_begun)
        engine.busy_before_ns = governor_now();
    engine.has_begun = true;
    s = (governor_now() - engine.busy_before_ns) / 1e9;
    return (1.0 + settings.drift * s) *
           (1.0 + (settings.step_ms > 0.0 && s * 1e3 > settings.step_ms ? settings.step : 0.0)) *
           (1.0 + settings.noise * normal());
}

/* The clock that the kernel's own work had, and the time of one of its iterations. */
static void note(const struct simulated_launch *l, double cycles, double ns)
{
    FILE *file = settings.log[0] ? fopen(settings.log, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "%s %u %u %.1f %.3f\n", l->name, l->group_size, l->group_count, cycles,
            cycles * 1e3 / ns);
    fclose(file);
}

void engine_launch(const struct simulated_launch *l, struct simulated_event *signal)
{
    enum load load = load_of(l);
    bool is_spin;
    double work = run(l, &is_spin), uncore = is_spin ? 0.0 : settings.uncore_share, shared = 0.0;

    if (work < 0.0) {
        fprintf(stderr, "the simulated GPU has no kernel %s\n", l->name);
        exit(EXIT_FAILURE);
    }
    governor_wait(LOAD_NARROW, KERNEL_GAP_NS);
    double start = governor_now(), slow = slowness();
    /* The first and the last part of the launch's own time is not the work's. */
    governor_work(load, settings.launch_cycles * slow);
    double began = governor_now();
    governor_work(load, work * slow * (1.0 - uncore));
    double core_ns = governor_now() - began;
    governor_wait(load, work * slow * uncore * 1e3 / settings.max_mhz);
    if (!is_spin && uniform() < settings.late_rate)
        governor_wait(load, settings.late_us * 1e3);
    if (!is_spin && core_ns > 0.0)
        note(l, work * (1.0 - uncore) * slow, core_ns);
    double context_end = governor_now();
    if (uniform() < settings.shared_rate)
        shared = settings.shared_us * 1e3;
    governor_wait(load, shared);
    if (!signal)
        return;
    signal->stamps.global.kernelStart = stamp(start);
    signal->stamps.global.kernelEnd = stamp(governor_now());
    signal->stamps.context.kernelStart = stamp(start);
    signal->stamps.context.kernelEnd = stamp(context_end);
    signal->signalled_ns = governor_now();
}
