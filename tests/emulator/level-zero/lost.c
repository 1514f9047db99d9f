/* A kernel faults a moment after it began, and what a program does then:
 *     level-zero-lost SPIRV_FILE error   it gets its error, cleans up and ends
 *                                again   and tries once more, in a new context
 *                                beside  and another queue goes on, after a pause
 *                                yield   and it yields the processor for a while, for its own
 * reasons poll    it asks an event, for ever, and never the driver for errors fork    one child
 * polls, another works, and the parent waits for both Prints without flushing. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "l0.h"

#define BAD_ADDRESS UINT64_C(0xdead0000)

/* A pause is longer than the test lets anybody wait for lost work. */
enum { STEPS = 200000, BYTES = 65536, ROUNDS = 2, PAUSE_S = 8 };

static const ze_group_count_t one_group = {1, 1, 1};

/* What is to be lost. */
struct work {
    ze_context_handle_t context;
    ze_module_handle_t module;
    ze_kernel_handle_t chain, store;
    uint64_t *memory;
    struct event_set events;
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
};

static struct work make_work(ze_context_handle_t context, const char *spirv, uint64_t address)
{
    struct work work = {.context = context,
                        .module = l0_module(context, spirv),
                        .memory = l0_allocate(context, MEMORY_HOST, 4096),
                        .events = l0_events(context, 0),
                        .queue = l0_queue(context, 0),
                        .list = l0_list(context, 0)};

    memset(work.memory, 0, 4096);
    work.memory[0] = address ? address : (uintptr_t)(work.memory + 64);
    work.chain = l0_kernel(work.module, "chain", 16);
    work.store = l0_kernel(work.module, "add_through", 16);
    l0_arguments(work.chain, work.memory + 32, STEPS);
    l0_arguments(work.store, work.memory, 7);
    CHECK(zeCommandListAppendLaunchKernel(work.list, work.chain, &one_group, NULL, 0, NULL));
    CHECK(zeCommandListAppendBarrier(work.list, NULL, 0, NULL));
    CHECK(zeCommandListAppendLaunchKernel(work.list, work.store, &one_group, work.events.event[0],
                                          0, NULL));
    CHECK(zeCommandListClose(work.list));
    return work;
}

/* The driver need not say that all went well, but has to return. */
static void release(struct work *work)
{
    zeCommandListDestroy(work->list);
    zeCommandQueueDestroy(work->queue);
    l0_destroy_events(&work->events);
    zeMemFree(work->context, work->memory);
    zeKernelDestroy(work->chain);
    zeKernelDestroy(work->store);
    zeModuleDestroy(work->module);
}

static void start(struct work *work)
{
    CHECK(zeCommandQueueExecuteCommandLists(work->queue, 1, &work->list, NULL));
    puts("started");
}

static void lose(struct work *work)
{
    start(work);
    EXPECT_RESULT(zeCommandQueueSynchronize(work->queue, UINT64_MAX), ZE_RESULT_ERROR_DEVICE_LOST);
    puts("device lost");
}

static void try_again(const char *spirv)
{
    const ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context;

    CHECK(zeContextCreate(l0_driver, &description, &context));
    struct work work = make_work(context, spirv, 0);
    ze_result_t result = zeCommandQueueExecuteCommandLists(work.queue, 1, &work.list, NULL);
    if (result == ZE_RESULT_SUCCESS)
        result = zeCommandQueueSynchronize(work.queue, UINT64_MAX);
    printf("again 0x%x\n", (unsigned)result);
    EXPECT(result != ZE_RESULT_SUCCESS || ((uint32_t *)(work.memory + 64))[15] == 7);
    release(&work);
    zeContextDestroy(context);
}

static void copy(ze_command_queue_handle_t queue, uint32_t ordinal, uint32_t seed)
{
    uint8_t *from = l0_allocate(l0_context, MEMORY_HOST, BYTES),
            *to = l0_allocate(l0_context, MEMORY_HOST, BYTES);
    ze_command_list_handle_t list = l0_list(l0_context, ordinal);

    l0_noise(from, BYTES, seed);
    memset(to, 0, BYTES);
    CHECK(zeCommandListAppendMemoryCopy(list, to, from, BYTES, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    l0_run(queue, list);
    EXPECT_BYTES(to, from, BYTES);
    CHECK(zeCommandListDestroy(list));
    l0_free(l0_context, MEMORY_HOST, to);
    l0_free(l0_context, MEMORY_HOST, from);
}

static int go_on_beside(struct work *work)
{
    uint32_t copies;

    if (!l0_copy_group(&copies)) {
        puts("skipped: a device with one engine");
        return 77;
    }
    ze_command_queue_handle_t other = l0_queue(l0_context, copies);
    copy(other, copies, 1);
    lose(work);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        l0_sleep_ms(PAUSE_S * 1000);
        copy(other, copies, 2 + i);
    }
    CHECK(zeCommandQueueDestroy(other));
    return 0;
}

static void yield_for_a_while(void)
{
    const time_t until = time(NULL) + PAUSE_S;

    while (time(NULL) < until)
        sched_yield();
}

__attribute__((noreturn)) static void poll_for_ever(struct work *work)
{
    start(work);
    for (;;) {
        if (zeEventQueryStatus(work->events.event[0]) == ZE_RESULT_SUCCESS)
            exit(1); /* what faulted has not signalled */
        sched_yield();
    }
}

static void child(const char *spirv, uint64_t address)
{
    l0_open();
    struct work work = make_work(l0_context, spirv, address);

    if (address)
        poll_for_ever(&work);
    l0_run(work.queue, work.list);
    EXPECT(((uint32_t *)(work.memory + 64))[15] == 7);
    release(&work);
    l0_close();
    exit(0);
}

static int wait_for(pid_t process)
{
    int status = 0;

    EXPECT(waitpid(process, &status, 0) == process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The second child works when the first has long been lost. */
static void fork_children(const char *spirv)
{
    const uint64_t addresses[] = {BAD_ADDRESS, 0};

    for (int i = 0; i < 2; i++) {
        fflush(stdout);
        pid_t process = fork();

        EXPECT(process >= 0);
        if (process == 0)
            child(spirv, addresses[i]);
        printf("child %d: status %d\n", i, wait_for(process));
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc == 3 ? argv[2] : "";
    int status = 0;

    if (argc != 3)
        return 2;
    if (strcmp(mode, "fork") == 0) {
        fork_children(argv[1]);
        return 0;
    }
    l0_open();
    struct work work = make_work(l0_context, argv[1], BAD_ADDRESS);
    if (strcmp(mode, "poll") == 0)
        poll_for_ever(&work);
    else if (strcmp(mode, "beside") == 0)
        status = go_on_beside(&work);
    else
        lose(&work);
    if (strcmp(mode, "yield") == 0)
        yield_for_a_while();
    release(&work);
    if (strcmp(mode, "again") == 0)
        try_again(argv[1]);
    zeContextDestroy(l0_context);
    puts("alive");
    return status;
}
