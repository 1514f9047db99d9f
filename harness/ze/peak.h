/* Peak memory bandwidth of the device. */
#ifndef VEBENCH_PEAK_H
#define VEBENCH_PEAK_H

#include "ze/session.h"

/* In bytes/s, summed over all memory modules: from the driver's system management, or from the
 * emulator if there is one; 0 if neither provides it. */
double peak_bandwidth(const struct session *session);

#endif
