/*
 * The Level Zero loader with one fault in it, for VEBENCH_ZE_LOADER: what a driver does to a
 * program that no kernel interface can express. It is linked with the real loader, which has all
 * functions that are not here.
 *
 * FAULT is KIND@FUNCTION:N[+|*]: at the N-th call of the function, counted from 1 over all
 * processes that share the file FAULT_COUNT, which has a byte for each; with a '+', also at all
 * later calls in the same process, with a '*' in any. Without FAULT calls of the function in
 * FAULT_COUNTED are counted and no more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <level_zero/ze_api.h>

enum kind {
    NONE,
    CRASH,
    EXIT,
    HANG,
    LOST,
    UNKNOWN,
    MEMORY,
    BUILD,
    NOT_READY,
    STALE,
    UNMAP,
    BITS64,
    PARENT,
    IDLE
};

static const char *const kinds[] = {
    [NONE] = "none",           [CRASH] = "crash",     [EXIT] = "exit",     [HANG] = "hang",
    [LOST] = "lost",           [UNKNOWN] = "unknown", [MEMORY] = "memory", [BUILD] = "build",
    [NOT_READY] = "not-ready", [STALE] = "stale",     [UNMAP] = "unmap",   [BITS64] = "64-bit",
    [PARENT] = "parent",       [IDLE] = "idle",
};

#define IDLE_US 100000
enum { PAGE_BYTES = 4096 };

static bool struck; /* in this process */

/* The number of this call over all processes. */
static unsigned count_call(void)
{
    const char *path = getenv("FAULT_COUNT");
    int fd = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666) : -1;
    struct stat status = {0};

    if (fd < 0 || write(fd, "x", 1) != 1 || fstat(fd, &status) != 0)
        abort();
    close(fd);
    return (unsigned)status.st_size;
}

/* What is to happen at this call. */
static enum kind fault_at(const char *function)
{
    const char *fault = getenv("FAULT"), *counted = getenv("FAULT_COUNTED");
    char kind[32] = "", name[80] = "", more = 0;
    unsigned n = 0;

    if (!fault) {
        if (counted && strcmp(counted, function) == 0)
            count_call();
        return NONE;
    }
    if (sscanf(fault, "%31[^@]@%79[^:]:%u%c", kind, name, &n, &more) < 3)
        abort();
    if (strcmp(name, function) != 0)
        return NONE;
    unsigned call = count_call();
    if (call != n && !(more == '+' && struck) && !(more == '*' && call > n))
        return NONE;
    struck = true;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (strcmp(kinds[i], kind) == 0)
            return (enum kind)i;
    }
    abort();
}

/* What any function can do. */
static ze_result_t strike(enum kind kind)
{
    switch (kind) {
    case CRASH:
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        break;
    case EXIT:
        exit(1);
    case HANG:
        for (;;)
            pause();
    case PARENT: /* of the worker process */
        kill(getppid(), SIGKILL);
        break;
    case IDLE: /* the device takes its time, and the host has nothing to do */
        usleep(IDLE_US);
        break;
    case LOST:
        return ZE_RESULT_ERROR_DEVICE_LOST;
    case UNKNOWN:
        return ZE_RESULT_ERROR_UNKNOWN;
    case MEMORY:
        return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    case BUILD:
        return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
    case NOT_READY:
        return ZE_RESULT_NOT_READY;
    default:
        break;
    }
    return ZE_RESULT_SUCCESS;
}

#define EXPORT __attribute__((visibility("default")))

/* A function that strikes where it is time, and else does what it does. */
#define FAULTY(name, parameters, ...)                                                              \
    EXPORT ze_result_t ZE_APICALL name parameters                                                  \
    {                                                                                              \
        ze_result_t(ZE_APICALL *next) parameters;                                                  \
        ze_result_t result = strike(fault_at(#name));                                              \
                                                                                                   \
        *(void **)&next = dlsym(RTLD_NEXT, #name);                                                 \
        return result == ZE_RESULT_SUCCESS ? next(__VA_ARGS__) : result;                           \
    }

FAULTY(zeInit, (ze_init_flags_t flags), flags)
FAULTY(zeModuleCreate,
       (ze_context_handle_t context, ze_device_handle_t device, const ze_module_desc_t *desc,
        ze_module_handle_t *module, ze_module_build_log_handle_t *log),
       context, device, desc, module, log)
FAULTY(zeMemAllocDevice,
       (ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc, size_t size,
        size_t alignment, ze_device_handle_t device, void **memory),
       context, desc, size, alignment, device, memory)
FAULTY(zeCommandQueueExecuteCommandLists,
       (ze_command_queue_handle_t queue, uint32_t count, ze_command_list_handle_t *lists,
        ze_fence_handle_t fence),
       queue, count, lists, fence)
FAULTY(zeEventHostSynchronize, (ze_event_handle_t event, uint64_t timeout), event, timeout)
FAULTY(zeContextDestroy, (ze_context_handle_t context), context)

/* The page that the last copy of a list goes to, where results are read from. */
static char *results;

EXPORT ze_result_t ZE_APICALL zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
                                                            const void *from, size_t bytes,
                                                            ze_event_handle_t signal,
                                                            uint32_t count,
                                                            ze_event_handle_t *events)
{
    ze_result_t(ZE_APICALL * next)(ze_command_list_handle_t, void *, const void *, size_t,
                                   ze_event_handle_t, uint32_t, ze_event_handle_t *);

    results = (char *)to - (uintptr_t)to % PAGE_BYTES;
    *(void **)&next = dlsym(RTLD_NEXT, "zeCommandListAppendMemoryCopy");
    return next(list, to, from, bytes, signal, count, events);
}

/* Who reads the results now crashes. */
static void unmap_results(void)
{
    signal(SIGSEGV, SIG_DFL);
    if (!results || mprotect(results, PAGE_BYTES, PROT_NONE) != 0)
        abort();
}

/* What the event answered before, kept for as many events as a session has. */
static ze_kernel_timestamp_result_t *stamps_before(ze_event_handle_t event)
{
    enum { EVENTS_MAX = 16 };
    static struct {
        ze_event_handle_t event;
        ze_kernel_timestamp_result_t stamps;
    } known[EVENTS_MAX];
    size_t i = 0;

    while (known[i].event && known[i].event != event) {
        if (++i == EVENTS_MAX)
            abort();
    }
    known[i].event = event;
    return &known[i].stamps;
}

/* An event whose timestamps nobody has written shows those of the launch before. */
EXPORT ze_result_t ZE_APICALL zeEventQueryKernelTimestamp(ze_event_handle_t event,
                                                          ze_kernel_timestamp_result_t *stamps)
{
    ze_kernel_timestamp_result_t *before = stamps_before(event);
    ze_result_t(ZE_APICALL * next)(ze_event_handle_t, ze_kernel_timestamp_result_t *);
    enum kind kind = fault_at("zeEventQueryKernelTimestamp");
    ze_result_t result = strike(kind);

    *(void **)&next = dlsym(RTLD_NEXT, "zeEventQueryKernelTimestamp");
    if (result != ZE_RESULT_SUCCESS)
        return result;
    result = next(event, stamps);
    if (kind == STALE)
        *stamps = *before;
    if (kind == UNMAP)
        unmap_results();
    *before = *stamps;
    return result;
}

/* A device whose timestamps have 64 bits, as from Lunar Lake on. */
EXPORT ze_result_t ZE_APICALL zeDeviceGetProperties(ze_device_handle_t device,
                                                    ze_device_properties_t *properties)
{
    ze_result_t(ZE_APICALL * next)(ze_device_handle_t, ze_device_properties_t *);
    enum kind kind = fault_at("zeDeviceGetProperties");
    ze_result_t result = strike(kind);

    *(void **)&next = dlsym(RTLD_NEXT, "zeDeviceGetProperties");
    if (result != ZE_RESULT_SUCCESS)
        return result;
    result = next(device, properties);
    if (kind == BITS64)
        properties->timestampValidBits = properties->kernelTimestampValidBits = 64;
    return result;
}
