/* A stack's time: what its timestamp counters show.
 *
 * It goes on by the GPU's work, in core cycles, and, in a session that follows the host, by the
 * host's monotonic clock while the GPU has nothing to do. The two are kept apart: no cycle of the
 * model depends on the host, and idle time is whole pairs of ticks, so that what a program sees of
 * a kernel's duration is the same in every run. */
#ifndef VESIM_DEVICE_TIME_H
#define VESIM_DEVICE_TIME_H

#include <stdbool.h>
#include <stdint.h>

struct cs_stack;
struct cs_context;

struct device_time {
    uint64_t idle_ticks; /* in which the stack had nothing to do; even */
};

/* The host's monotonic clock. */
uint64_t host_time_ns(void);

/* Lock held. The stack had nothing to do until the host's time `host_ns`; no effect if its own time
 * is past that already, or does not follow the host's. */
void device_time_idle_until(struct cs_stack *stack, uint64_t host_ns);

/* Ticks of the stack's work and idle time. Lock held. */
uint64_t device_time_now(const struct cs_stack *stack);

/* Lock held. Goes to cycle `clock` at `ticks`, or stays at the later of either. */
void device_time_go_to(struct cs_stack *stack, uint64_t clock, uint64_t ticks);

/* Lock held. The stack has ended its work for now. */
void device_time_work_ended(struct cs_stack *stack);

/* What the timestamp counter shows at core cycle `cycles`. */
uint64_t stack_ticks(const struct cs_stack *stack, uint64_t cycles);

/* What a context's own counter shows then, which stood still for `away` cycles in which others ran,
 * and while the GPU was idle. */
uint64_t context_ticks(const struct cs_stack *stack, uint64_t cycles, uint64_t away);

/* Cycles up to now in which the context had no turn. */
uint64_t context_away_cycles(const struct cs_context *context);

/* The context's own time, for CTX_TIMESTAMP. */
uint64_t context_active_cycles(const struct cs_context *context);

#endif
