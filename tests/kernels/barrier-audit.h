/* The audit of the barrier kernels' machine code: do the variants differ by the barrier, and by
 * nothing else? The cost of a barrier is measured as a difference between kernels, so everything
 * which differs between them ends up in the result. */
#ifndef TESTS_KERNELS_BARRIER_AUDIT_H
#define TESTS_KERNELS_BARRIER_AUDIT_H

#include <stdbool.h>

#include "listing.h"

/* What a target's compiler makes of a barrier. */
struct barrier_target {
    const char *name;
    size_t payload_setup;   /* instructions which build the signal's payload */
    size_t global_fences;   /* fences of a work-group barrier with CLK_GLOBAL_MEM_FENCE */
    unsigned message_lanes; /* that a message takes at most */
    const char *wait;       /* for the barrier */
    bool in_order;          /* the compiler leaves the rest as it is without the barrier */
};

#define BARRIER_VARIANTS 9

/* Loads the machine code of a kernel; fails the test if it cannot. */
typedef void load_listing(struct listing *listing, void *context, const char *kernel);

/* Compares all variants with barrier_none, and fails the test at the first difference that is not
 * their barrier. */
void barrier_audit(const struct barrier_target *target, unsigned subgroup_size, load_listing *load,
                   void *context);

#endif
