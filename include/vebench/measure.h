/* Measuring as a library: a program that has a Level Zero context, queue and kernel of its own
 * hands over a launch and gets its device time, with an interval and the clock, measured as
 * `vebench run` measures (docs/measurement.md). SYCL programs get the handles by interop:
 * sycl::get_native.
 *
 * The library prints nothing and keeps no state outside the meters it returns. It makes command
 * lists, events and a little memory in the caller's context, submits to the caller's queue, and
 * frees what it has made. Functions that can fail return 0, or -1 with one line in `error` (no
 * newline, at most `error_bytes` including its NUL). A meter is used by one thread at a time. */
#ifndef VEBENCH_MEASURE_LIBRARY_H
#define VEBENCH_MEASURE_LIBRARY_H

#include <level_zero/ze_api.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The project's version, as printed by `vebench --version`. */
const char *vebench_measure_version(void);

struct vebench_meter;

/* What measures on a device. All handles stay the caller's, and live longer than the meter. */
struct vebench_meter_of {
    ze_context_handle_t context;
    ze_device_handle_t device;
    ze_command_queue_handle_t queue; /* asynchronous; nothing else is on it during a measurement */
    uint32_t queue_ordinal;          /* of its group, as in its descriptor */
    unsigned timeout_s;              /* the longest wait for a launch; 0: 20 s, on a model 300 s */
};

/* Finds out, on a GPU within some seconds, how long a warm-up has to be. */
int vebench_meter_open(struct vebench_meter **meter, const struct vebench_meter_of *of, char *error,
                       size_t error_bytes);
void vebench_meter_close(struct vebench_meter *meter);

struct vebench_launch {
    ze_kernel_handle_t kernel; /* with all its arguments set */
    uint32_t local[3];         /* work-items of a work-group; 0 means 1 */
    uint32_t groups[3];        /* work-groups; 0 means 1 */

    /* Called on the host after each launch, timed or not, once it is done: checks what the kernel
     * has computed, and puts back what it has changed and would trip over. Not 0: the result is
     * wrong. NULL: nobody looks. */
    int (*after)(void *context);
    void *context;
};

/* Zeros mean the defaults, which depend on the device: docs/measurement.md. */
struct vebench_rounds {
    unsigned least, most;   /* timed launches */
    double standard_error;  /* relative: the launches end once it is below */
    unsigned host_launches; /* more, for `host_ns`; 0: 10 */
};

enum { VEBENCH_MEASURED_REASON_BYTES = 512 };

struct vebench_measured {
    double ns;                        /* device time of a launch: a robust mean */
    double ci95_low_ns, ci95_high_ns; /* its interval */
    double min_ns, median_ns, max_ns;
    size_t launches;  /* behind these */
    double host_ns;   /* from submission until the host sees it done: median of launches without a
                         warm-up. The host's time: of a model it says nothing */
    double clock_mhz; /* during the launches; NaN: unknown */
    double clock_spread;                        /* between its 5 % and 95 % quantiles, relative */
    bool clock_counted;                         /* by cycles, not by asking system management */
    double cycles;                              /* `ns` at that clock; NaN: unknown */
    uint32_t lanes;                             /* of the machine code */
    uint32_t spill_bytes;                       /* of a hardware thread */
    bool is_emulated;                           /* not certain to be a GPU */
    bool is_reliable;                           /* false: measured, but see the reason */
    char reason[VEBENCH_MEASURED_REASON_BYTES]; /* what to know of the time; may be empty */
};

/* -1 also if after() says that a result is wrong. A launch that does not end within the time limit
 * loses the device: the meter is then of no more use. `rounds` may be NULL. */
int vebench_meter_measure(struct vebench_meter *meter, const struct vebench_launch *launch,
                          const struct vebench_rounds *rounds, struct vebench_measured *measured,
                          char *error, size_t error_bytes);

#ifdef __cplusplus
}
#endif

#endif
