/* One connection to one device: everything a measurement needs that outlives a configuration. */
#ifndef VEBENCH_SESSION_H
#define VEBENCH_SESSION_H

#include "base/error.h"
#include "measure/device-kind.h"
#include "measure/device.h"
#include "measure/target.h"
#include "measure/ticks.h"
#include "measure/watch.h"
#include "measure/ze-api.h"

#include <stdbool.h>

/* Kernels of one list that can be timed. */
#define TIMED_KERNELS_MAX 2

/* Regular lists that are submitted one after the other. */
#define REGULAR_LISTS_MAX 3

enum list_kind {
    LIST_REGULAR,   /* recorded, then submitted whole */
    LIST_IMMEDIATE, /* every command is submitted as it is appended */
};

/* "regular", "immediate". */
const char *list_kind_name(enum list_kind kind);

struct lead;

struct session {
    struct ze_api ze;
    struct device_list devices;
    const struct device *device; /* the chosen one, in `devices` */
    enum device_kind kind;
    char loader_version[VERSION_TEXT_BYTES];
    struct timer timer;
    double peak_bandwidth;      /* of the device's memory in bytes/s; 0 where nobody says */
    bool sysman_is_apart;       /* zesInit() has been called: it has handles of its own */
    zes_device_handle_t sysman; /* of the chosen device, or NULL */
    struct lead *lead;          /* before each timed kernel, see lead.h; NULL: none */
    bool samples_clock;         /* the next execution asks for the clock while it runs */
    uint64_t sample_after_ns;   /* so long after the submission */
    double sampled_mhz;         /* what it was told; 0: nothing */
    uint64_t timeout_ns;        /* the longest wait for one launch */
    uint64_t expected_ns;       /* of host time for a launch, at the most; 0: unknown. What
                                   takes many times as long is given up before the timeout */
    bool lost;                  /* a wait timed out or the driver said so */
    struct watch *watch;        /* told what the session waits for; may be NULL */

    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t lists[REGULAR_LISTS_MAX]; /* the first always, others when needed */
    unsigned open;                      /* which of them is being recorded, the last one */
    ze_command_list_handle_t immediate; /* made when first asked for */
    enum list_kind kind_of_list;        /* which of the two is being filled */
    ze_event_pool_handle_t event_pool;
    ze_event_handle_t events[TIMED_KERNELS_MAX]; /* of the timed kernels */
    ze_event_handle_t end;                       /* of an immediate list */
    unsigned timed;                              /* kernels in the list */
    uint64_t submission_start_ns; /* of the list, or of the immediate list's last kernel */
    uint64_t submission_end_ns;
    /* Of the timed kernels as executed last; also tell an answer that is stale. */
    ze_kernel_timestamp_result_t stamps[TIMED_KERNELS_MAX];
};

/* What the two timestamp domains say about the last kernel of a list, and the host's clock about
 * its submission. */
struct launch_time {
    uint64_t kernel_ticks;  /* while the kernel's context was running */
    uint64_t global_ticks;  /* from start to end */
    uint64_t gap_ticks;     /* since the end of the kernel before it in the list; 0 without one */
    bool one_domain;        /* the driver gave the same values for both */
    uint64_t submission_ns; /* the call that submits the list, or the kernel of an immediate one */
    uint64_t completion_ns; /* from the start of that call until the host sees the kernel done */
};

/* Loads Level Zero and lists the devices. `loader` is the loader's file, NULL for the usual one.
 * On failure there is nothing to close. */
enum status session_connect(struct session *session, const char *loader, struct error *error);

/* Chooses a device and makes queue, list and event on it. On failure, session_close still has to
 * be called. `timeout_s` of 0 asks for the default. */
enum status session_open(struct session *session, const char *selector, unsigned timeout_s,
                         struct error *error);

/* Safe on a session that is open, half open or only connected. A lost device is left alone: the
 * driver would wait for it for ever. */
void session_close(struct session *session);

/* What rows say of the open session. */
void session_target(const struct session *session, struct target *target);

/* Memory for kernels (device) and for the host's side of copies (host); freed with session_free,
 * which takes NULL. */
enum status session_alloc_device(struct session *session, size_t bytes, void **memory,
                                 struct error *error);
enum status session_alloc_host(struct session *session, size_t bytes, void **memory,
                               struct error *error);
void session_free(struct session *session, void *memory);

/* Recording: begin, then copies, barriers and up to TIMED_KERNELS_MAX kernels, then end. All
 * groups of a `cooperative` kernel are resident together. An immediate list executes what it is
 * given at once; what its timestamps say may include the host. */
enum status session_begin_list(struct session *session, enum list_kind kind, struct error *error);
enum status session_append_copy(struct session *session, void *to, const void *from, size_t bytes,
                                struct error *error);
enum status session_append_barrier(struct session *session, struct error *error);
enum status session_append_kernel(struct session *session, ze_kernel_handle_t kernel,
                                  const uint32_t group_count[3], bool cooperative,
                                  struct error *error);
/* Ends the list and begins another, to be submitted after it: a driver may refuse cooperative
 * kernels in a list with others, and copies may be kernels too. Nothing to do for immediate lists.
 */
enum status session_next_list(struct session *session, struct error *error);
enum status session_end_list(struct session *session, struct error *error);

/* Submits the list unless it is an immediate one, waits at most the session's timeout for its last
 * kernel and for its end, and reads the kernels' times. STATUS_LOST after a timeout. */
enum status session_execute(struct session *session, struct launch_time *time, struct error *error);

#endif
