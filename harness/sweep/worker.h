/* The process that measures: only it opens the driver, and it does one configuration at a time on
 * request. If a kernel, the driver or its compiler crashes it, no more than that is lost. */
#ifndef VEBENCH_WORKER_H
#define VEBENCH_WORKER_H

#include "sweep/sweep.h"
#include "ze/watch.h"

/* The configuration to measure, which also determines the module. */
struct order {
    size_t sequence; /* of the configuration in the run */
    size_t family;   /* index in the request's families */
    struct configuration configuration;
    double allowance_s;    /* time for its rounds; 0: unlimited */
    unsigned first_rounds; /* as in struct measure_options */
    bool compiles_lead;    /* beside the module, if that is to be compiled */
};

/* The child's side of a fork: serves orders from the socket until its end. Never returns. */
_Noreturn void worker_main(int socket, struct watch *watch, const struct sweep_request *request);

#endif
