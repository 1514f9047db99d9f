/* Shared by the Level Zero tests that use a device. A failing call or check ends the program with
 * its line on stderr. */
#ifndef L0_H
#define L0_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <level_zero/ze_api.h>

#define CHECK(call)           l0_check((call), __FILE__, __LINE__, #call)
#define EXPECT(condition)     l0_expect((condition), __FILE__, __LINE__, #condition)
#define EXPECT_RESULT(a, b)   l0_expect_result((a), (b), __FILE__, __LINE__, #a)
#define EXPECT_BYTES(a, b, n) l0_expect_bytes((a), (b), (n), __FILE__, __LINE__)

void l0_check(ze_result_t result, const char *file, int line, const char *what);
void l0_expect(bool holds, const char *file, int line, const char *what);
void l0_expect_result(ze_result_t got, ze_result_t wanted, const char *file, int line,
                      const char *what);
void l0_expect_bytes(const void *got, const void *wanted, size_t size, const char *file, int line);

extern ze_driver_handle_t l0_driver;
extern ze_device_handle_t l0_device;
extern ze_context_handle_t l0_context;

void l0_open(void);
void l0_close(void);

/* The queue groups of the device: their ordinals are 0 to l0_groups() - 1. */
uint32_t l0_groups(void);
ze_command_queue_group_properties_t l0_group(uint32_t ordinal);
bool l0_computes(uint32_t ordinal);
/* A group that copies but does not compute; false if the driver offers none. */
bool l0_copy_group(uint32_t *ordinal);

enum memory_kind { MEMORY_HOST, MEMORY_DEVICE, MEMORY_SHARED, MEMORY_PLAIN, MEMORY_KINDS };
extern const char *const l0_memory_names[MEMORY_KINDS];
void *l0_allocate(ze_context_handle_t context, enum memory_kind kind, size_t size);
void l0_free(ze_context_handle_t context, enum memory_kind kind, void *memory);

/* The first queue of a group, or that of a number. */
ze_command_queue_handle_t l0_queue(ze_context_handle_t context, uint32_t ordinal);
ze_command_queue_handle_t l0_queue_at(ze_context_handle_t context, uint32_t ordinal,
                                      uint32_t index);
ze_command_list_handle_t l0_list(ze_context_handle_t context, uint32_t ordinal);
ze_command_list_handle_t l0_immediate(ze_context_handle_t context, uint32_t ordinal,
                                      ze_command_queue_mode_t mode);
/* Executes a closed list and waits for its end. */
void l0_run(ze_command_queue_handle_t queue, ze_command_list_handle_t list);

struct event_set {
    ze_event_pool_handle_t pool;
    ze_event_handle_t event[8];
};
struct event_set l0_events(ze_context_handle_t context, ze_event_pool_flags_t flags);
/* The same of a pool whose description an extension adds to. */
struct event_set l0_events_of(ze_context_handle_t context, ze_event_pool_flags_t flags,
                              const void *extension);
/* Events with timestamps, of a scope, 0 for none; those above have that of the host. */
struct event_set l0_timed_events(ze_context_handle_t context, ze_event_scope_flags_t scope);
void l0_destroy_events(struct event_set *events);

ze_module_handle_t l0_module(ze_context_handle_t context, const char *path);
/* One to be linked with others. */
ze_module_handle_t l0_library(ze_context_handle_t context, const char *path);
/* A kernel of (buffer, number), with work-groups of `group_size`. */
ze_kernel_handle_t l0_kernel(ze_module_handle_t module, const char *name, uint32_t group_size);
void l0_arguments(ze_kernel_handle_t kernel, void *data, uint32_t number);

/* The same bytes for the same seed. */
void l0_noise(void *to, size_t size, uint32_t seed);
void l0_sleep_ms(unsigned milliseconds);

#endif
