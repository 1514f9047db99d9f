/* Memory and events that two processes share by handles (IPC): what one has written, a kernel of
 * the other reads, and the other way round, while both have it; their queues wait for each other.
 * The host works out what memory has to contain.
 *
 *     shared-memory WORK.spv
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "l0.h"

/* Not a whole number of the pieces in which memory may be moved. */
enum { WORDS = (9 << 20) / 4 + 1024, BYTES = WORDS * 4, PART = 4096, GROUP = 64 };

enum { PARENTS_FIRST = 3, CHILDS = 5, PARENTS_SECOND = 7 };

struct process {
    ze_module_handle_t module;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    uint32_t *staging; /* BYTES of host memory */
    int other;         /* a socket to the other process */
};

/* Its context has one device: an event pool that it opens is of as many packets as its first device
 * has stacks, which in a context of all devices to driver 26.27 is the whole GPU, also where
 * programs see a device for each stack (EventPool::openEventPoolIpcHandle). */
static struct process open_process(const char *module, int other)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};

    l0_open();
    CHECK(zeContextDestroy(l0_context));
    CHECK(zeContextCreateEx(l0_driver, &description, 1, &l0_device, &l0_context));
    return (struct process){
        .module = l0_module(l0_context, module),
        .queue = l0_queue(l0_context, 0),
        .list = l0_list(l0_context, 0),
        .staging = l0_allocate(l0_context, MEMORY_HOST, BYTES),
        .other = other,
    };
}

static void close_process(struct process *process)
{
    l0_free(l0_context, MEMORY_HOST, process->staging);
    CHECK(zeCommandListDestroy(process->list));
    CHECK(zeCommandQueueDestroy(process->queue));
    CHECK(zeModuleDestroy(process->module));
    l0_close();
}

static void run(struct process *process)
{
    CHECK(zeCommandListClose(process->list));
    l0_run(process->queue, process->list);
    CHECK(zeCommandListReset(process->list));
}

static void copy(struct process *process, void *to, const void *from)
{
    CHECK(zeCommandListAppendMemoryCopy(process->list, to, from, BYTES, NULL, 0, NULL));
    run(process);
}

/* A kernel adds to the first words and to the last. */
static void add(struct process *process, uint32_t *memory, uint32_t value)
{
    const ze_group_count_t groups = {PART / GROUP, 1, 1};
    ze_kernel_handle_t kernel = l0_kernel(process->module, "add", GROUP);

    for (int i = 0; i < 2; i++) {
        l0_arguments(kernel, memory + (i ? WORDS - PART : 0), value);
        CHECK(zeCommandListAppendLaunchKernel(process->list, kernel, &groups, NULL, 0, NULL));
    }
    run(process);
    CHECK(zeKernelDestroy(kernel));
}

/* Noise, and where kernels add what they have added. */
static void expect(struct process *process, const uint32_t *memory, uint32_t added)
{
    static uint32_t wanted[WORDS];

    l0_noise(wanted, BYTES, 1);
    for (uint32_t i = 0; i < PART; i++) {
        wanted[i] += added;
        wanted[WORDS - 1 - i] += added;
    }
    copy(process, process->staging, memory);
    EXPECT_BYTES(process->staging, wanted, BYTES);
}

/* A word to the other process, and one from it. */
static void tell(const struct process *process)
{
    EXPECT(write(process->other, "x", 1) == 1);
}

static void await(const struct process *process)
{
    char word;

    EXPECT(read(process->other, &word, 1) == 1);
}

union descriptor_room {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr aligned;
};

static struct msghdr message(struct iovec *data, union descriptor_room *room)
{
    return (struct msghdr){
        .msg_iov = data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(*room)};
}

/* The first word of a handle is a descriptor, which goes along with it. Handles of memory and of
 * events have the same form. */
static void send_handle(int socket, ze_ipc_mem_handle_t *handle)
{
    union descriptor_room room = {.bytes = {0}};
    struct iovec data = {handle, sizeof(*handle)};
    struct msghdr sent = message(&data, &room);
    struct cmsghdr *control = CMSG_FIRSTHDR(&sent);

    control->cmsg_level = SOL_SOCKET;
    control->cmsg_type = SCM_RIGHTS;
    control->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(control), handle->data, sizeof(int));
    EXPECT(sendmsg(socket, &sent, 0) == (ssize_t)sizeof(*handle));
}

/* Returns the descriptor that came along. */
static int receive_handle(int socket, ze_ipc_mem_handle_t *handle)
{
    union descriptor_room room = {.bytes = {0}};
    struct iovec data = {handle, sizeof(*handle)};
    struct msghdr received = message(&data, &room);
    int descriptor;

    EXPECT(recvmsg(socket, &received, 0) == (ssize_t)sizeof(*handle));
    const struct cmsghdr *control = CMSG_FIRSTHDR(&received);
    EXPECT(control != NULL && control->cmsg_type == SCM_RIGHTS);
    memcpy(&descriptor, CMSG_DATA(control), sizeof(descriptor));
    return descriptor;
}

/* Memory that a device of two stacks has divided between them has a handle for each part, which
 * extensions of Intel's driver get and open (level_zero/api/internal/l0_memory.h). */
typedef ze_result_t get_handles_function(ze_context_handle_t, const void *, uint32_t *,
                                         ze_ipc_mem_handle_t *);
typedef ze_result_t open_handles_function(ze_context_handle_t, ze_device_handle_t, uint32_t,
                                          ze_ipc_mem_handle_t *, ze_ipc_memory_flags_t, void **);

union extension {
    void *address;
    get_handles_function *get_handles;
    open_handles_function *open_handles;
};

static union extension find_extension(const char *name)
{
    union extension extension = {NULL};

    zeDriverGetExtensionFunctionAddress(l0_driver, name, &extension.address); /* NULL: has it not */
    return extension;
}

enum { PARTS_MAX = 2 };

/* Sends as many as there are, and their number before. */
static void send_handles(int socket, const void *memory)
{
    ze_ipc_mem_handle_t handles[PARTS_MAX];
    const union extension extension = find_extension("zexMemGetIpcHandles");
    uint32_t count = 0;

    if (extension.address)
        CHECK(extension.get_handles(l0_context, memory, &count, NULL));
    EXPECT(count <= PARTS_MAX);
    if (count > 1)
        CHECK(extension.get_handles(l0_context, memory, &count, handles));
    else
        CHECK(zeMemGetIpcHandle(l0_context, memory, &handles[0]));
    count = count > 1 ? count : 1;
    EXPECT(write(socket, &count, sizeof(count)) == sizeof(count));
    for (uint32_t i = 0; i < count; i++)
        send_handle(socket, &handles[i]);
}

/* Later drivers find the descriptor by the process that the handle names, earlier ones want that of
 * this process in it. */
static void *open_handle(ze_ipc_mem_handle_t handle, int descriptor)
{
    void *memory = NULL;

    if (zeMemOpenIpcHandle(l0_context, l0_device, handle, 0, &memory) != ZE_RESULT_SUCCESS) {
        memcpy(handle.data, &descriptor, sizeof(descriptor));
        CHECK(zeMemOpenIpcHandle(l0_context, l0_device, handle, 0, &memory));
    }
    return memory;
}

static void *open_handles(int socket)
{
    ze_ipc_mem_handle_t handles[PARTS_MAX];
    int descriptor = -1;
    uint32_t count;
    void *memory;

    EXPECT(read(socket, &count, sizeof(count)) == sizeof(count) && count <= PARTS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        descriptor = receive_handle(socket, &handles[i]);
        if (count > 1)
            memcpy(handles[i].data, &descriptor, sizeof(descriptor));
    }
    if (count == 1)
        return open_handle(handles[0], descriptor);
    CHECK(find_extension("zexMemOpenIpcHandles")
              .open_handles(l0_context, l0_device, count, handles, 0, &memory));
    return memory;
}

static void offer(struct process *process, enum memory_kind kind)
{
    uint32_t *memory = l0_allocate(l0_context, kind, BYTES);

    l0_noise(process->staging, BYTES, 1);
    copy(process, memory, process->staging);
    add(process, memory, PARENTS_FIRST);
    expect(process, memory, PARENTS_FIRST);
    send_handles(process->other, memory);
    await(process);
    expect(process, memory, PARENTS_FIRST + CHILDS);
    if (kind == MEMORY_HOST) /* as the program itself sees it */
        EXPECT_BYTES(memory, process->staging, BYTES);
    add(process, memory, PARENTS_SECOND);
    tell(process);
    await(process);
    l0_free(l0_context, kind, memory);
}

static void accept_offer(struct process *process)
{
    uint32_t *memory = open_handles(process->other);

    expect(process, memory, PARENTS_FIRST);
    add(process, memory, CHILDS);
    tell(process);
    await(process);
    expect(process, memory, PARENTS_FIRST + CHILDS + PARENTS_SECOND);
    CHECK(zeMemCloseIpcHandle(l0_context, memory));
    tell(process);
}

enum { PARENT_SIGNALS, CHILD_SIGNALS, EVENTS };

static void make_events(ze_event_pool_handle_t pool, ze_event_handle_t *events)
{
    for (uint32_t i = 0; i < EVENTS; i++) {
        const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                       .index = i,
                                       .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                       .wait = ZE_EVENT_SCOPE_FLAG_HOST};

        CHECK(zeEventCreate(pool, &event, &events[i]));
    }
}

static void destroy_events(ze_event_handle_t *events)
{
    for (uint32_t i = 0; i < EVENTS; i++)
        CHECK(zeEventDestroy(events[i]));
}

/* Before memory: where the kernel has no pidfd_getfd(2), driver 26.27 starts a server that hands
 * out descriptors of memory, and from then on asks it for those of events, which it does not know.
 */
static void offer_events(struct process *process)
{
    const ze_event_pool_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                              .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                                                       ZE_EVENT_POOL_FLAG_IPC,
                                              .count = EVENTS};
    ze_event_pool_handle_t pool;
    ze_event_handle_t events[EVENTS];
    ze_ipc_event_pool_handle_t pool_handle;
    ze_ipc_mem_handle_t handle;

    CHECK(zeEventPoolCreate(l0_context, &description, 1, &l0_device, &pool));
    make_events(pool, events); /* which clears them */
    CHECK(zeEventPoolGetIpcHandle(pool, &pool_handle));
    memcpy(&handle, &pool_handle, sizeof(handle));
    send_handle(process->other, &handle);
    await(process);
    EXPECT_RESULT(zeEventQueryStatus(events[CHILD_SIGNALS]), ZE_RESULT_NOT_READY);
    CHECK(zeCommandListAppendSignalEvent(process->list, events[PARENT_SIGNALS]));
    run(process);
    CHECK(zeEventHostSynchronize(events[CHILD_SIGNALS], UINT64_MAX));
    await(process);
    destroy_events(events);
    CHECK(zeEventPoolDestroy(pool));
}

static void accept_events(struct process *process)
{
    ze_ipc_mem_handle_t handle;
    ze_ipc_event_pool_handle_t pool_handle;
    ze_event_pool_handle_t pool;
    ze_event_handle_t events[EVENTS];
    int descriptor = receive_handle(process->other, &handle);

    memcpy(&pool_handle, &handle, sizeof(pool_handle));
    if (zeEventPoolOpenIpcHandle(l0_context, pool_handle, &pool) != ZE_RESULT_SUCCESS) {
        memcpy(pool_handle.data, &descriptor, sizeof(descriptor)); /* as in open_handle() */
        CHECK(zeEventPoolOpenIpcHandle(l0_context, pool_handle, &pool));
    }
    make_events(pool, events);
    EXPECT_RESULT(zeEventQueryStatus(events[PARENT_SIGNALS]), ZE_RESULT_NOT_READY);
    tell(process);
    CHECK(zeCommandListAppendBarrier(process->list, events[CHILD_SIGNALS], 1,
                                     &events[PARENT_SIGNALS]));
    run(process);
    CHECK(zeEventQueryStatus(events[PARENT_SIGNALS]));
    destroy_events(events);
    CHECK(zeEventPoolCloseIpcHandle(pool));
    tell(process);
}

static const enum memory_kind kinds[] = {MEMORY_DEVICE, MEMORY_HOST};
enum { KINDS = sizeof(kinds) / sizeof(*kinds) };

int main(int argc, char **argv)
{
    int sockets[2], status;

    EXPECT(argc == 2);
    EXPECT(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    pid_t child = fork(); /* before either has a driver */
    EXPECT(child >= 0);
    close(sockets[child == 0]);
    struct process process = open_process(argv[1], sockets[child != 0]);
    if (child)
        offer_events(&process);
    else
        accept_events(&process);
    for (int i = 0; i < KINDS; i++) {
        if (child)
            offer(&process, kinds[i]);
        else
            accept_offer(&process);
    }
    close_process(&process);
    if (!child)
        return 0;
    EXPECT(waitpid(child, &status, 0) == child && status == 0);
    printf("%d kinds of memory, and events, both ways\n", KINDS);
    return 0;
}
