/* One launch: recorded, executed, verified. */
#ifndef VEBENCH_LAUNCH_H
#define VEBENCH_LAUNCH_H

#include "measure/family.h"

/* Records inputs to the device, the session's lead where the clock is to be `held` and the variant
 * is timed by its slope, the kernel, outputs to the host, and closes the list; an immediate list
 * executes them. */
enum status launch_record(const struct family *family, struct workspace *workspace,
                          const struct kernel *kernel, const struct launch *launch,
                          enum list_kind list, bool held, struct error *error);

/* Executes what is recorded and takes its time. */
enum status launch_execute(struct workspace *workspace, struct launch_time *time,
                           struct error *error);

/* The time in ticks. The kernel's own time excludes what other contexts did meanwhile; drivers that
 * do not keep it return zero or the global time. */
double launch_ticks(const struct launch_time *time);

#endif
