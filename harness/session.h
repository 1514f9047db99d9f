/* One connection to one device: everything a measurement needs that outlives a configuration. */
#ifndef VEBENCH_SESSION_H
#define VEBENCH_SESSION_H

#include "device-kind.h"
#include "device.h"
#include "error.h"
#include "ticks.h"
#include "ze-api.h"

#include <signal.h>
#include <stdbool.h>

struct session {
    struct ze_api ze;
    struct device_list devices;
    const struct device *device; /* the chosen one, in `devices` */
    enum device_kind kind;
    char loader_version[VERSION_TEXT_BYTES];
    struct timer timer;
    uint64_t timeout_ns;               /* the longest wait for one launch */
    const volatile sig_atomic_t *stop; /* set by a signal handler; may be NULL */
    bool lost;                         /* a wait timed out or the driver said so */

    ze_context_handle_t context;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    ze_event_pool_handle_t event_pool;
    ze_event_handle_t event;             /* of the timed kernel */
    ze_kernel_timestamp_result_t before; /* of the launch before, to recognise a stale answer */
};

/* What the two timestamp domains say about one kernel. */
struct launch_time {
    uint64_t kernel_ticks; /* while the kernel's context was running */
    uint64_t global_ticks; /* from start to end */
    bool one_domain;       /* the driver gave the same values for both */
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

/* Has the user asked to stop? STATUS_INTERRUPTED if so. */
enum status session_check_stop(const struct session *session, struct error *error);

/* Memory for kernels (device) and for the host's side of copies (host); freed with session_free,
 * which takes NULL. */
enum status session_alloc_device(struct session *session, size_t bytes, void **memory,
                                 struct error *error);
enum status session_alloc_host(struct session *session, size_t bytes, void **memory,
                               struct error *error);
void session_free(struct session *session, void *memory);

/* Recording: begin, then copies, barriers and one timed kernel, then end. All groups of a
 * `cooperative` kernel are resident together. The list is a regular
 * one: what immediate lists time may include the host. */
enum status session_begin_list(struct session *session, struct error *error);
enum status session_append_copy(struct session *session, void *to, const void *from, size_t bytes,
                                struct error *error);
enum status session_append_barrier(struct session *session, struct error *error);
enum status session_append_kernel(struct session *session, ze_kernel_handle_t kernel,
                                  const uint32_t group_count[3], bool cooperative,
                                  struct error *error);
enum status session_end_list(struct session *session, struct error *error);

/* Submits the list, waits at most the session's timeout for its kernel and its end, and reads the
 * kernel's time. STATUS_LOST after a timeout. */
enum status session_execute(struct session *session, struct launch_time *time, struct error *error);

#endif
