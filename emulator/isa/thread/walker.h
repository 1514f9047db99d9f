/* One compute walker command in plain terms: what GPGPU_WALKER (Gen9 to Gen12LP) or COMPUTE_WALKER
 * (Xe-HP and later) asks the thread dispatcher to do, with the contributions of the interface
 * descriptor, the state base addresses and the front-end state already resolved. The command
 * streamer fills it in; the dispatcher reads it. */
#ifndef VESIM_WALKER_H
#define VESIM_WALKER_H

#include <stdbool.h>
#include <stdint.h>

/* How work-item ids reach the registers of a thread. */
enum local_id_source {
    LOCAL_ID_FROM_MEMORY,   /* the driver wrote them after the cross-thread data */
    LOCAL_ID_FROM_HARDWARE, /* COMPUTE_WALKER generates them ("Generate Local ID") */
};

/* The most barriers that a work-group can have. */
#define WALKER_BARRIERS 32

/* Barriers of a work-group, by the field of an interface descriptor (compute-runtime,
 * NUMBER_OF_BARRIERS). */
static inline uint32_t walker_barriers(uint32_t field)
{
    static const uint8_t barriers[8] = {0, 1, 2, 4, 8, 16, 24, WALKER_BARRIERS};

    return barriers[field & 7];
}

struct walker {
    uint64_t kernel_address;   /* GPU virtual address of the first instruction */
    uint64_t instruction_base; /* base of instruction addresses, to which `ip` is relative */

    uint32_t simd_width;        /* 8, 16 or 32: lanes of one hardware thread */
    uint32_t group_start[3];    /* first work-group id per dimension (x, y, z) */
    uint32_t group_end[3];      /* one past the last work-group id */
    uint32_t threads_per_group; /* hardware threads in a work-group */
    uint32_t execution_mask;    /* active lanes in a group's last thread; other threads run full */

    uint64_t indirect_address;   /* GPU virtual address of the cross-thread data */
    uint32_t cross_thread_bytes; /* read from indirect_address by every thread; 0: none */
    uint32_t per_thread_bytes;   /* thread t's part is at t * per_thread_bytes behind the
                                    cross-thread data (LOCAL_ID_FROM_MEMORY); 0: none */
    bool lacks_per_thread_data;  /* threads have the registers for it, with nothing in them */
    enum local_id_source local_id_source;
    uint32_t local_id_dimensions; /* 1 to 3: how many ids the hardware generates (x; x,y; x,y,z) */
    uint32_t local_size[3];       /* work-group size in work-items, for hardware-generated ids */
    uint32_t walk_order;          /* COMPUTE_WALKER's Walk Order field, 0 to 5; 0 is x y z */
    uint32_t inline_data[16];     /* COMPUTE_WALKER's inline data, one register */
    uint32_t inline_bytes;        /* of them; 0: none */

    uint32_t slm_bytes; /* per work-group: the allocated shared local memory (a power of 2) */
    uint32_t barriers;  /* per work-group, at most WALKER_BARRIERS */
    uint32_t
        grf_registers; /* of a thread: 128, or 256 in large-GRF mode; on Xe3 32, 64 and so on */
    uint32_t threads_per_ve; /* most resident threads per VE; 0: as many as the device has */

    uint64_t surface_state_base; /* GPU virtual address */
    uint64_t bindless_surface_base;
    uint64_t bindless_sampler_base;
    uint64_t dynamic_state_base;
    uint64_t general_state_base;
    uint32_t binding_table_offset; /* bytes from surface_state_base */
    uint32_t
        sampler_state_offset; /* bytes from dynamic_state_base, as r0.3 hands it to the kernel */

    uint64_t scratch_address;          /* Gen12LP: GPU virtual address; 0: no scratch space */
    uint32_t scratch_bytes_per_thread; /* Gen12LP: a power of 2 */
    uint32_t scratch_surface_offset;   /* Xe-HP and later: the scratch surface state, bytes from
                                          surface_state_base, as r0.5 hands it to the kernel */

    bool single_program_flow; /* the kernel starts with cr0's single-program-flow bit set */
    bool denorm_retain;       /* initial value in cr0: keep denormals */
    uint32_t rounding_mode;   /* 0 nearest even, 1 up, 2 down, 3 toward zero */

    bool wrong_lane; /* a planned fault: a lane of the walk's first thread has a wrong id */
};

#endif
