/* One connection to one device: everything a measurement needs that outlives a configuration. */
#ifndef VEBENCH_SESSION_H
#define VEBENCH_SESSION_H

#include "base/error.h"
#include "base/variant.h"
#include "ze/conditions.h"
#include "ze/device-kind.h"
#include "ze/device.h"
#include "ze/list-events.h"
#include "ze/target.h"
#include "ze/ticks.h"
#include "ze/watch.h"
#include "ze/ze-api.h"

#include <stdbool.h>

/* Regular lists submitted one after another. */
#define REGULAR_LISTS_MAX 3

struct client_watch;
struct counters;
struct lead;

struct session {
    struct ze_api ze;
    struct device_list devices;
    const struct device *device; /* the selected one, in `devices` */
    enum device_kind kind;
    bool is_deterministic; /* times repeat exactly: see device-kind.h */
    bool counts_cycles;    /* built-in kernels get others beside them that count their cycles, if
                              the compiler can; by default where times do not repeat */
    char loader_version[VERSION_TEXT_BYTES];
    struct timer timer;
    double peak_bandwidth;        /* of the device's memory in bytes/s; 0 if unknown */
    struct conditions conditions; /* of a model all unknown */
    bool sysman_is_apart;         /* zesInit() has been called: system management has handles of its
                                     own */
    zes_device_handle_t sysman;   /* of the selected device, or NULL */
    struct lead *lead;            /* runs before each timed kernel, see lead.h; NULL: none */
    struct counters *counters;    /* of the hardware, see counters.h; NULL: none */
    struct client_watch *clients; /* other programs on the GPU, see clients.h; NULL: unwatched */
    char lead_failure[ERROR_TEXT_BYTES]; /* why there is no lead; empty if there is */
    bool samples_clock;                  /* the next execution samples the clock while it runs */
    uint64_t sample_after_ns;            /* delay of that after the submission */
    double sampled_mhz;                  /* the clock sampled while the timed kernel ran; 0: none */
    uint32_t throttle_reasons;           /* seen in any sample: zes_freq_throttle_reason_flags_t */
    ze_command_list_handle_t bridge; /* submitted behind the next list, so that the device is busy
                                        until another follows; NULL: none. See lead.h */
    uint64_t bridge_ns;              /* its length */
    bool is_bridging;                /* one is under way */
    bool has_slept;                  /* the device, since the last spin that wakes it (lead.h) */
    uint64_t idle_since_ns;          /* when the host saw the last list done; 0: never */
    uint64_t pause_ns;               /* the longest of the last pauses between lists */
    uint64_t timeout_ns;             /* the longest wait for one launch */
    bool is_repeated;                /* the list has the timed launch twice, once untimed */
    uint64_t expected_ns; /* maximum host time of a launch; 0: unknown. A launch that takes
                             many times as long is given up before the timeout */
    bool lost;            /* a wait timed out or the driver said so */
    struct watch *watch;  /* informed of what the session waits for; may be NULL */

    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    uint32_t ordinal; /* of the queue's group */
    bool is_adopted;  /* context and queue are another's, see session_adopt() */
    /* By whether they execute in order: 0, 1. lists[0][0] and events[0] always exist, others when
     * needed. */
    ze_command_list_handle_t lists[2][REGULAR_LISTS_MAX], immediate[2];
    struct list_events events[2];
    unsigned open;               /* index of the one being recorded, the last */
    enum list_kind kind_of_list; /* of the list that is being filled */
    unsigned char *eviction;     /* device memory whose use empties the caches */
    unsigned timed;              /* kernels in the list */
    unsigned trailing;           /* of these, behind the one that counts */
    bool spans; /* the time that counts begins with the timed kernel before that one */
    uint64_t submission_start_ns; /* of the list, or of the immediate list's last kernel */
    uint64_t submission_end_ns;
    /* From the last execution of the timed kernels; also used to detect stale timestamps. */
    ze_kernel_timestamp_result_t stamps[TIMED_KERNELS_MAX];
};

/* The kernel of a list that counts, the last but for `trailing` ones, or what `spans` adds to it,
 * as timed in the two timestamp domains, and its submission by the host's clock. */
struct launch_time {
    uint64_t kernel_ticks;  /* while the kernel's context was running */
    uint64_t global_ticks;  /* from start to end */
    uint64_t gap_ticks;     /* since the end of the kernel before it in the list; 0 without one */
    bool one_domain;        /* the driver gave identical values for both */
    uint64_t submission_ns; /* the call that submits the list, or the kernel of an immediate one */
    uint64_t completion_ns; /* from the start of that call until the host sees the kernel done */
    double host_ns; /* the same, less what was timed before the kernel in its list, such as a lead;
                       NaN on an emulated device, which the host's clock does not measure */
};

/* Loads Level Zero and lists the devices. `loader` is the path of the loader, NULL for the default.
 * On failure there is nothing to close. */
enum status session_connect(struct session *session, const char *loader, struct error *error);

/* Selects a device and creates a queue, a list and events on it. On failure, session_close must
 * still be called. A `timeout_s` of 0 means the default. */
enum status session_open(struct session *session, const char *selector, unsigned timeout_s,
                         struct error *error);

/* What a program already has of a device. */
struct session_handles {
    ze_context_handle_t context;
    ze_device_handle_t device;
    ze_command_queue_handle_t queue; /* asynchronous */
    uint32_t queue_ordinal;          /* of its group, which runs kernels */
};

/* In the place of session_open(): on a context and a queue that stay the caller's. STATUS_USAGE for
 * a device that session_connect() has not found. */
enum status session_adopt(struct session *session, const struct session_handles *handles,
                          unsigned timeout_s, struct error *error);

/* A further regular list of the session's device; its caller destroys it. */
enum status session_create_list(struct session *session, bool in_order,
                                ze_command_list_handle_t *list, struct error *error);

/* Waits until the device has nothing left to do. */
void session_rest(struct session *session);

/* The place of the kernel that counts among those in the list; there has to be one. */
unsigned session_subject(const struct session *session);

/* The place of the timed kernel with which the time that counts begins: the same, unless that
 * `spans` two. */
unsigned session_first(const struct session *session);

/* Safe on a session that is open, partly open or only connected. Does not touch a lost device: the
 * driver would wait for it forever. */
void session_close(struct session *session);

/* Fills in what rows report about the open session. */
void session_target(const struct session *session, struct target *target);

/* Allocate memory for kernels (device) and for the host's side of copies (host); freed with
 * session_free, which accepts NULL. */
enum status session_alloc_device(struct session *session, size_t bytes, void **memory,
                                 struct error *error);
enum status session_alloc_host(struct session *session, size_t bytes, void **memory,
                               struct error *error);
void session_free(struct session *session, void *memory);

/* Recording: begin, then copies, barriers, up to TIMED_KERNELS_MAX timed kernels and any number of
 * others, then end. All groups of a `cooperative` kernel are resident together. An immediate list
 * executes each command at once; its timestamps may include host time. Lists that execute in order
 * are for devices that have them. */
enum status session_begin_list(struct session *session, enum list_kind kind, struct error *error);
enum status session_append_copy(struct session *session, void *to, const void *from, size_t bytes,
                                struct error *error);
/* Copies the first `row_bytes` of each `pitch` bytes; `bytes` is a multiple of that, and both ends
 * are laid out alike. */
enum status session_append_copy_rows(struct session *session, void *to, const void *from,
                                     size_t bytes, uint32_t row_bytes, uint32_t pitch,
                                     struct error *error);
/* A copy that counts as a timed kernel. */
enum status session_append_timed_copy(struct session *session, void *to, const void *from,
                                      size_t bytes, struct error *error);
enum status session_append_barrier(struct session *session, struct error *error);
/* A barrier behind which the host sees what is before it: drivers write the caches back. */
enum status session_append_write_back(struct session *session, struct error *error);
/* Copies more than the last-level cache holds, and a barrier behind it. */
enum status session_append_eviction(struct session *session, struct error *error);
enum status session_append_kernel(struct session *session, ze_kernel_handle_t kernel,
                                  const uint32_t group_count[3], bool cooperative,
                                  struct error *error);
enum status session_append_untimed(struct session *session, ze_kernel_handle_t kernel,
                                   const uint32_t group_count[3], struct error *error);
/* Ends the list and begins another, submitted after it: a driver may refuse cooperative kernels in
 * a list with others, and copies may be kernels too. Does nothing for immediate lists. */
enum status session_next_list(struct session *session, struct error *error);
/* The list being recorded, and its events. */
ze_command_list_handle_t session_list(const struct session *session);
const struct list_events *session_events(const struct session *session);
enum status session_end_list(struct session *session, struct error *error);

/* Submits the list unless it is immediate, waits up to the session's timeout for its last kernel
 * and for its end, and reads the kernels' times. STATUS_LOST after a timeout. */
enum status session_execute(struct session *session, struct launch_time *time, struct error *error);

#endif
