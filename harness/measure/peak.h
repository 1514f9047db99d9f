/* What the memory of the device can do at the most. */
#ifndef VEBENCH_PEAK_H
#define VEBENCH_PEAK_H

#include "measure/session.h"

/* In bytes/s, all memory modules together: from the driver's system management, or from the
 * emulator where there is one; 0 where neither says. */
double peak_bandwidth(const struct session *session);

#endif
