#include "simulated.h"

#include "governor.h"
#include "host-clock.h"
#include "kernels.h"
#include "planted.h"

#include "base/prng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static double uniform(void)
{
    return ((double)(prng_next(&engine.prng) >> 11) + 0.5) / 9007199254740992.0;
}

void engine_begin(void)
{
    prng_seed(&engine.prng, (uint64_t)settings.seed);
    governor_begin(&settings);
}

static double normal(void)
{
    double radius = sqrt(-2.0 * log(uniform()));

    return radius * cos(TURN * uniform());
}

uint64_t engine_ticks(double ns)
{
    return FIRST_TICK + (uint64_t)(ns * settings.timer_hz * (1.0 + settings.timer_error) / 1e9);
}

static uint64_t stamp(double ns)
{
    uint64_t ticks = engine_ticks(ns);

    return settings.timer_bits < 64.0 ? ticks & ((UINT64_C(1) << (unsigned)settings.timer_bits) - 1)
                                      : ticks;
}

static void put_stamps(struct simulated_event *signal, double start, double context_end,
                       double global_end)
{
    signal->stamps.global.kernelStart = stamp(start);
    signal->stamps.global.kernelEnd = stamp(global_end);
    signal->stamps.context.kernelStart = stamp(start);
    signal->stamps.context.kernelEnd = stamp(context_end);
}

void engine_submit(void)
{
    if (settings.flip_loss > 0.0)
        governor_lower(uniform() < 0.5 ? settings.flip_loss : 0.0);
    governor_idle_until(host_clock_now() + SUBMISSION_NS);
}

void engine_signal(struct simulated_event *signal)
{
    if (signal)
        signal->signalled_ns = governor_now();
}

/* Of timestamps, a copy has those of its start and end. */
void engine_copy(const struct simulated_copy *copy, struct simulated_event *signal)
{
    double start = governor_now(), bytes = (double)copy->bytes * (double)copy->rows;

    for (size_t row = 0; row < copy->rows; row++)
        memcpy(copy->to + row * copy->pitch, copy->from + row * copy->pitch, copy->bytes);
    governor_wait(LOAD_NARROW, PLANTED_COPY_NS + bytes / PLANTED_COPY_BYTES_PER_NS);
    engine_signal(signal);
    if (signal)
        put_stamps(signal, start, governor_now(), governor_now());
}

static enum load load_of(const struct simulated_launch *launch)
{
    return 2 * kernel_threads(launch) >= XE_CORES * EUS_PER_CORE * THREADS_PER_EU ? LOAD_WIDE
                                                                                  : LOAD_NARROW;
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

/* A kernel that counts its own cycles. */
static void count(const struct simulated_launch *l, const struct kernel_work *work, double cycles)
{
    uint32_t counted = (uint32_t)(cycles * (1.0 + settings.counter_error));

    if (l->elapsed && !work->is_spin && counted > *l->elapsed)
        *l->elapsed = counted;
}

static bool is_heavy(const struct simulated_launch *l, const struct kernel_work *work)
{
    return settings.heavy_loss > 0.0 && !work->is_spin &&
           (!settings.heavy_kernel[0] || !strcmp(settings.heavy_kernel, l->name));
}

void engine_launch(const struct simulated_launch *l, struct simulated_event *signal)
{
    enum load load = load_of(l);
    struct kernel_work work;
    double shared = 0.0;

    if (!kernel_run(l, &work)) {
        fprintf(stderr, "the simulated GPU has no kernel %s\n", l->name);
        exit(EXIT_FAILURE);
    }
    if (is_heavy(l, &work))
        load = LOAD_HEAVY;
    double uncore = work.is_spin ? 0.0 : settings.uncore_share;
    bool may_be_late = !work.is_spin || settings.late_spins > 0.0;
    governor_wait(LOAD_NARROW, KERNEL_GAP_NS);
    double start = governor_now(), slow = slowness();
    /* The first and the last part of the launch's own time is not the work's. */
    governor_work(load, settings.launch_cycles * slow);
    double began = governor_now();
    double cycles = work.cycles * slow * (1.0 - uncore);
    governor_work(load, cycles);
    double core_ns = governor_now() - began;
    cycles += governor_wait(load, work.cycles * slow * uncore * 1e3 / settings.max_mhz);
    cycles += governor_wait(load, work.memory_ns * slow);
    count(l, &work, cycles);
    if (may_be_late && uniform() < settings.late_rate)
        governor_wait(load, settings.late_us * 1e3);
    if (!work.is_spin && core_ns > 0.0)
        note(l, work.cycles * (1.0 - uncore) * slow, core_ns);
    double context_end = governor_now();
    if (uniform() < settings.shared_rate)
        shared = settings.shared_us * 1e3;
    governor_wait(load, shared);
    if (!signal)
        return;
    put_stamps(signal, start, context_end, governor_now());
    engine_signal(signal);
}
