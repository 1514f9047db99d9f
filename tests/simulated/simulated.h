/* The parts of the simulated Level Zero driver. */
#ifndef TESTS_SIMULATED_SIMULATED_H
#define TESTS_SIMULATED_SIMULATED_H

#include "settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#define XE_CORES         2u
#define EUS_PER_CORE     8u
#define THREADS_PER_EU   8u
#define MEMORY_BANDWIDTH 100000000000u /* bytes/s, of a tile */

/* Newer than the oldest supported headers. */
ze_result_t ZE_APICALL zesInit(uint32_t flags);
ze_result_t ZE_APICALL zesDriverGet(uint32_t *count, zes_driver_handle_t *drivers);
ze_result_t ZE_APICALL zesDeviceGet(zes_driver_handle_t driver, uint32_t *count,
                                    zes_device_handle_t *handles);

/* Newer headers declare it, with a type of their own for the UUID. */
ze_result_t ZE_APICALL simulated_device_by_uuid(
    zes_driver_handle_t driver, ze_device_uuid_t uuid, zes_device_handle_t *device,
    ze_bool_t *is_tile, uint32_t *tile) __asm__("zesDriverGetDeviceByUuidExp");

extern struct settings settings;

/* Every function of the driver begins with it: takes the host's time of a call, and returns the
 * failure that the settings want from it. */
ze_result_t enter(const char *call);

/* What the specification of Level Zero calls invalid. */
#define REQUIRE(so, otherwise)                                                                     \
    do {                                                                                           \
        if (!(so))                                                                                 \
            return otherwise;                                                                      \
    } while (0)

#define ENTER()                                                                                    \
    do {                                                                                           \
        ze_result_t wanted = enter(__func__);                                                      \
        if (wanted != ZE_RESULT_SUCCESS)                                                           \
            return wanted;                                                                         \
    } while (0)

/* Lists, events, kernels, memory...: what is made and not yet destroyed. When a context is
 * destroyed, nothing may be. */
extern unsigned simulated_objects;

/* The host now works on what it has measured. */
void simulated_work_on_host(void);

/* A card, or a tile of it. */
struct simulated_device {
    bool is_tile;
    uint32_t tile;
};

/* A kernel as it is launched; its handle is the address of one. */
struct simulated_launch {
    char name[80];
    uint64_t arguments[8];
    uint32_t group_size, group_count;
    uint32_t *elapsed; /* that its longest thread's cycles raise; NULL: it does not count them */
};

/* The event's timestamps and when it is signalled, by the host's clock. */
struct simulated_event {
    bool is_made, is_timed, is_host_visible;
    bool counts;         /* appending a command sets it back */
    double signalled_ns; /* negative: not yet */
    ze_kernel_timestamp_result_t stamps;
};

/* Of so many rows, `pitch` bytes apart at both ends. */
struct simulated_copy {
    unsigned char *to;
    const unsigned char *from;
    size_t bytes, rows, pitch; /* bytes of a row */
};

/* The one engine of the process: works through what it is given in order. */
void engine_begin(void);
void engine_submit(void); /* work arrives now */
void engine_launch(const struct simulated_launch *launch, struct simulated_event *signal);
void engine_copy(const struct simulated_copy *copy, struct simulated_event *signal);
void engine_signal(struct simulated_event *signal);

/* Its timestamp counter at a time, all bits. */
uint64_t engine_ticks(double ns);

/* The tile whose engine it is; the clock of others is an idle one's. */
extern uint32_t engine_tile;

#endif
