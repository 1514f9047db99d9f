/* The host's processors. */
#ifndef VEBENCH_PROCESSORS_H
#define VEBENCH_PROCESSORS_H

/* How many this process may run on; at least 1. */
unsigned processors_available(void);

#endif
