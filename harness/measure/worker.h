/* The process that measures: it alone opens the driver, and does one configuration at a time as it
 * is told to. Whatever a kernel, the driver or its compiler does to it costs no more than that. */
#ifndef VEBENCH_WORKER_H
#define VEBENCH_WORKER_H

#include "measure/sweep.h"
#include "measure/watch.h"

/* Which configuration, and so which module. */
struct order {
    size_t sequence; /* of the configuration in the run */
    const struct family *family;
    struct configuration configuration;
    double allowance_s; /* for its rounds; 0: any */
};

/* The child's side of a fork: serves orders from the socket until its end. Never returns. */
_Noreturn void worker_main(int socket, struct watch *watch, const struct sweep_request *request);

#endif
