/* One launch: recorded, executed, verified. */
#ifndef VEBENCH_LAUNCH_H
#define VEBENCH_LAUNCH_H

#include "family/family.h"

/* Are its outputs read back and verified? Not those of a launch that only primes: the copies would
 * take from the caches what it has left there. */
bool launch_is_read_back(const struct launch *launch);

/* Does a timed launch follow the same one in its list, to find the caches as that has left them, or
 * the code alone? An iteration's time needs none: the code of all is fetched by the first. */
bool launch_follows_same(const struct variant *variant);

/* Records copying the inputs to the device, the session's lead (if the clock is to be `held` and
 * the variant is not observed), the kernel, and copying the outputs to the host, then closes
 * the list. An immediate list executes them at once. Kernels of other variants that the launch
 * consists of are recorded outside of the lead, unless they are timed. `kernels`: those of all
 * variants; for LAUNCH_COUNT this one has its counting kernel. */
enum status launch_record(const struct family *family, struct workspace *workspace,
                          const struct kernel *kernels, const struct launch *launch,
                          enum list_kind list, bool held, struct error *error);

/* Executes and times what is recorded. */
enum status launch_execute(struct workspace *workspace, struct launch_time *time,
                           struct error *error);

/* Copies the outputs to the host once more, after what a family has executed by itself. */
enum status launch_copy_out(struct workspace *workspace, struct error *error);

/* The time in ticks. The kernel's own time excludes what other contexts did in the meantime;
 * drivers that do not keep it return zero or the global time. */
double launch_ticks(const struct launch_time *time);

#endif
