#include "streamer/device-time.h"

#include <time.h>

#include "streamer/context.h"

__extension__ typedef unsigned __int128 uint128; /* cycles times hertz overflow 64 bits */

uint64_t host_time_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t ticks_in(const struct vesim_device *device, uint64_t cycles)
{
    return (uint64_t)((uint128)cycles * device->timestamp_frequency / (device->core_clock * 1000));
}

/* Ticks from the device's start to that time of the host. */
static uint64_t host_ticks(const struct cs *cs, uint64_t host_ns)
{
    uint64_t ns = host_ns > cs->host_start_ns ? host_ns - cs->host_start_ns : 0;

    return (uint64_t)((uint128)ns * cs->device->timestamp_frequency / 1000000000);
}

/* Faults are planned for times of the GPU's work, and strike at the same point of every run. */
static bool follows_host(const struct cs *cs)
{
    return cs->settings.follows_host && !cs->faults;
}

static uint64_t idle_ticks(const struct cs_stack *stack)
{
    return __atomic_load_n(&stack->time.idle_ticks, __ATOMIC_RELAXED);
}

uint64_t device_time_now(const struct cs_stack *stack)
{
    return ticks_in(stack->cs->device, stack->clock) + idle_ticks(stack);
}

void device_time_idle_until(struct cs_stack *stack, uint64_t host_ns)
{
    uint64_t until = host_ticks(stack->cs, host_ns) + stack->cs->ahead_ticks;
    uint64_t now = device_time_now(stack);

    if (follows_host(stack->cs) && until > now)
        __atomic_store_n(&stack->time.idle_ticks, idle_ticks(stack) + (until - now + 1) / 2 * 2,
                         __ATOMIC_RELAXED);
}

void device_time_go_to(struct cs_stack *stack, uint64_t clock, uint64_t ticks)
{
    uint64_t now = device_time_now(stack), until = ticks > now ? ticks : now;

    clock_advance(stack, clock);
    uint64_t work = ticks_in(stack->cs->device, stack->clock);
    __atomic_store_n(&stack->time.idle_ticks, until > work ? (until - work + 1) / 2 * 2 : 0,
                     __ATOMIC_RELAXED);
}

void device_time_work_ended(struct cs_stack *stack)
{
    uint64_t host = host_ticks(stack->cs, host_time_ns()), now = device_time_now(stack);

    if (now > host + stack->cs->ahead_ticks)
        stack->cs->ahead_ticks = now - host;
}

/* Ticks in cycle 0. */
static uint64_t ticks_at_start(const struct cs *cs)
{
    uint64_t planned = cs->faults ? faults_ticks(cs->faults, cs->device->timestamp_frequency) : 0;

    return planned ? planned : TICKS_AT_START;
}

/* Ticks of work up to core cycle `cycles` without the last `away` of them. */
static uint64_t work_ticks(const struct cs *cs, uint64_t cycles, uint64_t away)
{
    const struct vesim_device *device = cs->device;
    double hz = (double)device->timestamp_frequency, cycle_ns = 1e6 / (double)device->core_clock;

    if (!cs->faults)
        return ticks_in(device, cycles - away);
    double time = faults_time(cs->faults, (double)cycles * cycle_ns) - (double)away * cycle_ns;
    return (uint64_t)(time / 1e9 * hz);
}

uint64_t stack_ticks(const struct cs_stack *stack, uint64_t cycles)
{
    return ticks_at_start(stack->cs) + work_ticks(stack->cs, cycles, 0) + idle_ticks(stack);
}

uint64_t context_ticks(const struct cs_stack *stack, uint64_t cycles, uint64_t away)
{
    const struct cs *cs = stack->cs;

    return ticks_at_start(cs) - CONTEXT_TICKS_LATER + work_ticks(cs, cycles, away);
}

uint64_t context_away_cycles(const struct cs_context *context)
{
    return context->stack->clock - context_active_cycles(context);
}

uint64_t context_active_cycles(const struct cs_context *context)
{
    return context->active_cycles + (context->stack->clock - context->turn_start);
}
