/* Requests to the node of xe as a program makes them: run this under
 * `vesim --device a380 --kernel-driver xe`. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "i915.h"
#include "xe.h"

enum { PAGE = 4096, SYSTEM = 1, LOCAL = 2 };
#define SECOND INT64_C(1000000000)

static void tells_what_it_is(void **state)
{
    char name[8] = "";
    struct drm_version version = {.name = name, .name_len = sizeof(name)};
    uint32_t size;

    (void)state;
    assert_int_equal(request(DRM_IOCTL_VERSION, &version), 0);
    assert_string_equal(name, "xe");
    struct xe_config *config = xe_query(XE_QUERY_CONFIG, &size);
    assert_int_equal(config->count, XE_CONFIG_WORDS);
    assert_int_equal(config->words[XE_CONFIG_DEVICE] & 0xffff, 0x56a5);
    assert_int_equal(config->words[XE_CONFIG_FLAGS],
                     XE_CONFIG_HAS_LOCAL_MEMORY | XE_CONFIG_HAS_MIRROR);
    free(config);
    struct xe_memory_regions *regions = xe_query(XE_QUERY_MEMORY_REGIONS, &size);
    assert_int_equal(regions->count, 2);
    assert_int_equal(regions->regions[1].memory_class, XE_MEMORY_LOCAL);
    free(regions);
    struct xe_engines *engines = xe_query(XE_QUERY_ENGINES, &size);
    assert_int_equal(engines->count, 3);
    free(engines);
}

/* The masks follow one another, each with its size. */
static void tells_its_topology(void **state)
{
    uint32_t size, at = 0, bits[XE_TOPOLOGY_SIMD16_VES + 1] = {0};

    (void)state;
    uint8_t *reply = xe_query(XE_QUERY_GT_TOPOLOGY, &size);
    while (at < size) {
        struct xe_topology_mask mask;

        memcpy(&mask, reply + at, sizeof(mask));
        assert_in_range(mask.kind, XE_TOPOLOGY_GEOMETRY, XE_TOPOLOGY_SIMD16_VES);
        for (at += sizeof(mask); mask.bytes; mask.bytes--, at++)
            bits[mask.kind] += (uint32_t)__builtin_popcount(reply[at]);
    }
    assert_int_equal(at, size);
    assert_int_equal(bits[XE_TOPOLOGY_COMPUTE], 8);
    assert_int_equal(bits[XE_TOPOLOGY_GEOMETRY], 8);
    assert_int_equal(bits[XE_TOPOLOGY_VES], 16);
    free(reply);
}

static void clocks_at_one_time(void **state)
{
    struct xe_engine_cycles cycles = {.clock = CLOCK_MONOTONIC_RAW};
    struct xe_device_query asked = {
        .query = XE_QUERY_ENGINE_CYCLES, .size = sizeof(cycles), .data = (uintptr_t)&cycles};

    (void)state;
    assert_int_equal(request(XE(XE_DEVICE_QUERY, asked), &asked), 0);
    assert_true(cycles.cycles > 0 && cycles.host_ns > 0 && cycles.width == 36);
    cycles.clock = 12345;
    assert_int_equal(request(XE(XE_DEVICE_QUERY, asked), &asked), EINVAL);
    cycles = (struct xe_engine_cycles){.engine = {.engine_class = XE_ENGINE_COMPUTE, .number = 1},
                                       .clock = CLOCK_MONOTONIC_RAW};
    assert_int_equal(request(XE(XE_DEVICE_QUERY, asked), &asked), EINVAL);
}

static void *map_buffer(uint32_t handle, size_t size)
{
    struct xe_gem_mmap_offset argument = {.handle = handle};

    assert_int_equal(request(XE(XE_GEM_MMAP_OFFSET, argument), &argument), 0);
    void *mapped =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, node_fd, (off_t)argument.offset);
    assert_ptr_not_equal(mapped, MAP_FAILED);
    return mapped;
}

static uint32_t create_queue(uint32_t vm)
{
    const struct xe_engine_instance engine = {.engine_class = XE_ENGINE_COMPUTE};
    struct xe_exec_queue_create argument = {
        .width = 1, .placements = 1, .vm = vm, .instances = (uintptr_t)&engine};

    assert_int_equal(request(XE(XE_EXEC_QUEUE_CREATE, argument), &argument), 0);
    return argument.queue;
}

/* The errno, or 0. `fence`, unless NULL, gets 1. */
static int serve_bind(uint32_t vm, struct xe_bind bind, uint64_t *fence)
{
    const struct xe_sync sync = {.type = XE_SYNC_USER_FENCE,
                                 .flags = XE_SYNC_SIGNAL,
                                 .address = (uintptr_t)fence,
                                 .value = 1};
    struct xe_vm_bind argument = {.vm = vm,
                                  .count = 1,
                                  .binds.one = bind,
                                  .sync_count = fence != NULL,
                                  .syncs = (uintptr_t)&sync};

    return request(XE(XE_VM_BIND, argument), &argument);
}

static void bind_buffer(uint32_t vm, uint32_t buffer, uint64_t address, uint64_t size)
{
    uint64_t fence = 0;

    assert_int_equal(
        serve_bind(vm, (struct xe_bind){.buffer = buffer, .address = address, .range = size},
                   &fence),
        0);
    assert_int_equal(fence, 1);
}

/* Runs the batch at a GPU address, which signals `value` at the address of a fence. */
static int execute_batch(uint32_t queue, uint64_t batch, uint64_t fence, uint64_t value)
{
    const struct xe_sync sync = {
        .type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .address = fence, .value = value};
    struct xe_exec argument = {
        .queue = queue, .sync_count = 1, .syncs = (uintptr_t)&sync, .address = batch, .batches = 1};

    return request(XE(XE_EXEC, argument), &argument);
}

static int wait_fence(uint32_t queue, const uint64_t *fence, uint64_t value, int64_t timeout)
{
    struct xe_wait_user_fence argument = {.address = (uintptr_t)fence,
                                          .test = XE_FENCE_GREATER_EQUAL,
                                          .value = value,
                                          .mask = UINT64_MAX,
                                          .timeout = timeout,
                                          .queue = queue};

    return request(XE(XE_WAIT_USER_FENCE, argument), &argument);
}

/* A page of batch, a page of results and a page of fences, bound one after another. */
struct job {
    uint32_t vm, queue, buffer;
    uint32_t *batch, *results;
    uint64_t *fence;
};

#define BATCH_AT   ADDRESS
#define RESULTS_AT (ADDRESS + PAGE)
#define FENCE_AT   (ADDRESS + 2 * PAGE)

static struct job create_job(uint32_t placement)
{
    struct job job = {.vm = xe_create_vm(), .buffer = xe_create_buffer(3 * PAGE, placement)};

    job.queue = create_queue(job.vm);
    job.batch = map_buffer(job.buffer, 3 * PAGE);
    job.results = job.batch + PAGE / 4;
    job.fence = (uint64_t *)(void *)(job.batch + 2 * PAGE / 4);
    bind_buffer(job.vm, job.buffer, ADDRESS, 3 * PAGE);
    return job;
}

static void release_job(const struct job *job)
{
    struct xe_exec_queue_destroy queue = {.queue = job->queue};
    struct xe_vm_destroy vm = {.vm = job->vm};

    assert_int_equal(request(XE(XE_EXEC_QUEUE_DESTROY, queue), &queue), 0);
    assert_int_equal(request(XE(XE_VM_DESTROY, vm), &vm), 0);
    munmap(job->batch, 3 * PAGE);
    close_buffer(job->buffer);
}

static void runs_batches_and_signals(void **state)
{
    (void)state;
    for (uint32_t placement = SYSTEM; placement <= LOCAL; placement++) {
        const struct job job = create_job(placement);

        for (uint32_t value = 1; value <= 3; value++) {
            store_batch(job.batch, RESULTS_AT, 100 + value);
            assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, value), 0);
            assert_int_equal(wait_fence(job.queue, job.fence, value, SECOND * 20), 0);
            assert_int_equal(job.results[0], 100 + value);
        }
        assert_int_equal(wait_fence(job.queue, job.fence, 4, SECOND / 100), ETIME);
        release_job(&job);
    }
}

/* What is bound stays, even without its handle, until it is unbound: then the batch faults, and the
 * queue runs nothing more. */
static void bans_a_queue_that_faults(void **state)
{
    const struct job job = create_job(SYSTEM);
    struct xe_exec_queue_get_property property = {.queue = job.queue,
                                                  .property = XE_EXEC_QUEUE_BANNED};
    const uint32_t other = xe_create_buffer(PAGE, SYSTEM);
    const uint64_t there = ADDRESS + 16 * PAGE;

    (void)state;
    bind_buffer(job.vm, other, there, PAGE);
    close_buffer(other);
    store_batch(job.batch, there, 7);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 1), 0);
    assert_int_equal(wait_fence(job.queue, job.fence, 1, SECOND * 20), 0);
    assert_int_equal(request(XE(XE_EXEC_QUEUE_GET_PROPERTY, property), &property), 0);
    assert_int_equal(property.value, 0);

    const struct xe_bind unbind = {.operation = XE_BIND_UNMAP, .address = there, .range = PAGE};
    assert_int_equal(serve_bind(job.vm, unbind, NULL), 0);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 2), 0);
    assert_int_equal(wait_fence(job.queue, job.fence, 2, SECOND * 20), EIO);
    assert_int_equal(request(XE(XE_EXEC_QUEUE_GET_PROPERTY, property), &property), 0);
    assert_int_equal(property.value, 1);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 3), ECANCELED);
    release_job(&job);
}

/* MI_SEMAPHORE_WAIT, polling until the first of the results is 1. */
static const uint32_t wait_for_results[] = {0x0e00c002, 1, (uint32_t)RESULTS_AT, RESULTS_AT >> 32};

/* A batch that waits at a semaphore sees what is bound until it may go on. */
static void sees_what_is_bound_while_it_waits(void **state)
{
    const struct job job = create_job(SYSTEM);
    const uint64_t there = ADDRESS + 16 * PAGE;
    const uint32_t late = xe_create_buffer(PAGE, SYSTEM);
    uint32_t *word = map_buffer(late, PAGE);

    (void)state;
    memcpy(job.batch, wait_for_results, sizeof(wait_for_results));
    store_batch(job.batch + 4, there, 9);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 1), 0);
    assert_int_equal(wait_fence(job.queue, job.fence, 1, SECOND / 100), ETIME);
    bind_buffer(job.vm, late, there, PAGE);
    __atomic_store_n(job.results, 1, __ATOMIC_RELEASE);
    assert_int_equal(wait_fence(job.queue, job.fence, 1, SECOND * 20), 0);
    assert_int_equal(word[0], 9);
    munmap(word, PAGE);
    release_job(&job);
}

/* Bytes of the device's own memory that are allocated. */
static uint64_t used_memory(void)
{
    uint32_t size;
    struct xe_memory_regions *regions = xe_query(XE_QUERY_MEMORY_REGIONS, &size);
    uint64_t used = regions->regions[1].used;

    free(regions);
    return used;
}

/* What is unbound is free again while a batch waits, though the batch could access it before. */
static void frees_what_is_unbound_while_it_waits(void **state)
{
    const struct job job = create_job(SYSTEM);
    const uint64_t there = ADDRESS + 16 * PAGE, before = used_memory();
    const uint32_t early = xe_create_buffer(16 * PAGE, LOCAL);
    const struct xe_bind unbind = {
        .operation = XE_BIND_UNMAP, .address = there, .range = 16 * PAGE};

    (void)state;
    bind_buffer(job.vm, early, there, 16 * PAGE);
    close_buffer(early);
    memcpy(job.batch, wait_for_results, sizeof(wait_for_results));
    store_batch(job.batch + 4, RESULTS_AT, 9);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 1), 0);
    assert_int_equal(wait_fence(job.queue, job.fence, 1, SECOND / 100), ETIME);
    assert_int_equal(used_memory(), before + 16 * PAGE);
    assert_int_equal(serve_bind(job.vm, unbind, NULL), 0);
    for (int times = 0; times < 20000 && used_memory() > before; times++)
        usleep(1000);
    assert_int_equal(used_memory(), before);
    __atomic_store_n(job.results, 1, __ATOMIC_RELEASE);
    assert_int_equal(wait_fence(job.queue, job.fence, 1, SECOND * 20), 0);
    assert_int_equal(job.results[0], 9);
    release_job(&job);
}

/* A range in the middle of a binding leaves what is before and behind. */
static void unbinds_parts(void **state)
{
    const struct job job = create_job(SYSTEM);
    const uint64_t first = ADDRESS + 16 * PAGE;
    const uint32_t five = xe_create_buffer(5 * PAGE, SYSTEM), one = xe_create_buffer(PAGE, SYSTEM);
    uint32_t *words = map_buffer(five, 5 * PAGE), *word = map_buffer(one, PAGE), value = 0;

    (void)state;
    bind_buffer(job.vm, five, first, 5 * PAGE);
    bind_buffer(job.vm, one, first + 2 * PAGE, PAGE); /* replaces the middle */
    for (uint32_t page = 0; page < 5; page++) {
        store_batch(job.batch, first + page * PAGE, 10 + page);
        assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, ++value), 0);
        assert_int_equal(wait_fence(job.queue, job.fence, value, SECOND * 20), 0);
        assert_int_equal(page == 2 ? word[0] : words[page * PAGE / 4], 10 + page);
    }
    assert_int_equal(words[2 * PAGE / 4], 0);
    munmap(words, 5 * PAGE);
    munmap(word, PAGE);
    release_job(&job);
}

static void binds_the_programs_memory(void **state)
{
    const struct job job = create_job(SYSTEM);
    uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t there = ADDRESS + 16 * PAGE;
    struct xe_bind bind = {.operation = XE_BIND_MAP_USERPTR,
                           .offset = (uintptr_t)page,
                           .address = there,
                           .range = PAGE};

    (void)state;
    assert_int_equal(serve_bind(job.vm, bind, NULL), 0);
    store_batch(job.batch, there, 42);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 1), 0);
    assert_int_equal(wait_fence(job.queue, job.fence, 1, SECOND * 20), 0);
    assert_int_equal(page[0], 42);
    bind.offset = PAGE; /* where nothing is */
    assert_int_equal(serve_bind(job.vm, bind, NULL), EFAULT);
    release_job(&job);
    munmap(page, PAGE);
}

static int create_queue_with(uint32_t vm, struct xe_set_property *set)
{
    const struct xe_engine_instance engine = {.engine_class = XE_ENGINE_COMPUTE};
    struct xe_exec_queue_create argument = {.extensions = (uintptr_t)set,
                                            .width = 1,
                                            .placements = 1,
                                            .vm = vm,
                                            .instances = (uintptr_t)&engine};
    struct xe_exec_queue_destroy end;
    int status = request(XE(XE_EXEC_QUEUE_CREATE, argument), &argument);

    end = (struct xe_exec_queue_destroy){.queue = argument.queue};
    if (!status)
        assert_int_equal(request(XE(XE_EXEC_QUEUE_DESTROY, end), &end), 0);
    return status;
}

/* As Linux does: only who may raise priorities gets one above the normal. */
static void queues_have_properties(void **state)
{
    const uint32_t vm = xe_create_vm();
    struct xe_set_property set = {.property = XE_QUEUE_PRIORITY, .value = XE_PRIORITY_LOW};
    uint32_t size;
    struct xe_config *config = xe_query(XE_QUERY_CONFIG, &size);
    const uint64_t highest = config->words[XE_CONFIG_PRIORITY];

    (void)state;
    free(config);
    assert_int_equal(create_queue_with(vm, &set), 0);
    set.value = XE_PRIORITY_NORMAL;
    assert_int_equal(create_queue_with(vm, &set), 0);
    set.value = XE_PRIORITY_HIGH;
    assert_int_equal(create_queue_with(vm, &set), highest < XE_PRIORITY_HIGH ? EPERM : 0);
    set.value = XE_PRIORITY_HIGH + 1;
    assert_int_equal(create_queue_with(vm, &set), EINVAL);
    set = (struct xe_set_property){.property = XE_QUEUE_TIMESLICE, .value = 1000};
    assert_int_equal(create_queue_with(vm, &set), 0);
    set.property = XE_QUEUE_GROUP; /* of Xe3P */
    assert_int_equal(create_queue_with(vm, &set), EINVAL);
    set = (struct xe_set_property){.base.name = 9, .property = XE_QUEUE_TIMESLICE};
    assert_int_equal(create_queue_with(vm, &set), EINVAL);
    set = (struct xe_set_property){.base.next = (uintptr_t)&set, .property = XE_QUEUE_TIMESLICE};
    assert_int_equal(create_queue_with(vm, &set), E2BIG); /* a loop */
}

static int create_vm_with(uint32_t flags)
{
    struct xe_vm_create create = {.flags = flags};
    int status = request(XE(XE_VM_CREATE, create), &create);
    struct xe_vm_destroy end = {.vm = create.vm};

    if (!status)
        assert_int_equal(request(XE(XE_VM_DESTROY, end), &end), 0);
    return status;
}

static void address_spaces_have_modes(void **state)
{
    (void)state;
    assert_int_equal(create_vm_with(0), 0);
    assert_int_equal(create_vm_with(XE_VM_SCRATCH_PAGE | XE_VM_LONG_RUNNING), 0);
    assert_int_equal(create_vm_with(XE_VM_LONG_RUNNING | XE_VM_FAULT_MODE), 0);
    assert_int_equal(create_vm_with(XE_VM_LONG_RUNNING | XE_VM_FAULT_MODE | XE_VM_NO_OVERCOMMIT),
                     0);
    assert_int_equal(create_vm_with(XE_VM_FAULT_MODE), EINVAL);
    assert_int_equal(create_vm_with(XE_VM_LONG_RUNNING | XE_VM_NO_OVERCOMMIT), EINVAL);
    assert_int_equal(create_vm_with(XE_VM_LONG_RUNNING | XE_VM_FAULT_MODE | XE_VM_SCRATCH_PAGE),
                     EINVAL);
    assert_int_equal(create_vm_with(16), EINVAL);
}

static int advise(struct xe_madvise advice)
{
    return request(DRM_IOW(DRM_COMMAND_BASE + XE_MADVISE, struct xe_madvise), &advice);
}

/* Advice on a range of addresses is taken if Linux takes it. */
static void takes_advice(void **state)
{
    const struct xe_madvise good = {.vm = xe_create_vm(), .start = ADDRESS, .range = PAGE};
    struct xe_madvise advice = good;

    (void)state;
    assert_int_equal(advise(advice), 0); /* to the device's own memory */
    advice.advice.place.device = XE_PLACE_SYSTEM;
    advice.advice.place.migrates = XE_MIGRATE_SYSTEM_PAGES;
    assert_int_equal(advise(advice), 0);
    advice.advice.place.device = XE_PLACE_SYSTEM - 1;
    assert_int_equal(advise(advice), EINVAL);

    advice = good;
    advice.type = XE_ADVICE_ATOMICS;
    advice.advice.other.value = XE_ATOMICS_GLOBAL;
    assert_int_equal(advise(advice), 0);
    advice.advice.other.value = XE_ATOMICS_CPU + 1;
    assert_int_equal(advise(advice), EINVAL);

    advice.advice.other.value = 31;
    assert_int_equal(advise(advice), EINVAL);
    advice.type = XE_ADVICE_CACHING;
    assert_int_equal(advise(advice), 0);
    advice.type = XE_ADVICE_CACHING + 1;
    assert_int_equal(advise(advice), EINVAL);

    advice = good;
    advice.range = PAGE / 2;
    assert_int_equal(advise(advice), EINVAL);
    advice.range = 0;
    assert_int_equal(advise(advice), EINVAL);
    advice = good;
    advice.vm += 100;
    assert_int_equal(advise(advice), ENOENT);
}

/* The job's batch, in another address space, which mirrors the program's. */
static struct job create_mirrored_job(void)
{
    struct job job = create_job(SYSTEM);
    struct xe_vm_create create = {.flags = XE_VM_LONG_RUNNING | XE_VM_FAULT_MODE};
    struct xe_exec_queue_destroy queue = {.queue = job.queue};
    struct xe_vm_destroy vm = {.vm = job.vm};
    const struct xe_bind all = {.flags = XE_BIND_MIRROR, .range = UINT64_C(1) << 48};

    assert_int_equal(serve_bind(job.vm, all, NULL), EINVAL); /* not in fault mode */
    assert_int_equal(request(XE(XE_EXEC_QUEUE_DESTROY, queue), &queue), 0);
    assert_int_equal(request(XE(XE_VM_DESTROY, vm), &vm), 0);
    assert_int_equal(request(XE(XE_VM_CREATE, create), &create), 0);
    job.vm = create.vm;
    job.queue = create_queue(job.vm);
    assert_int_equal(serve_bind(job.vm, all, NULL), 0);
    bind_buffer(job.vm, job.buffer, ADDRESS, 3 * PAGE);
    return job;
}

/* What is bound comes first, and what is unbound is the program's again. */
static void mirrors_the_programs_memory(void **state)
{
    const struct job job = create_mirrored_job();
    uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const uint64_t there = (uintptr_t)page;
    const struct xe_bind unbind = {.operation = XE_BIND_UNMAP, .address = there, .range = PAGE};
    uint32_t *results = job.results;

    (void)state;
    for (uint32_t value = 1; value <= 3; value++) {
        if (value == 2)
            assert_int_equal(serve_bind(job.vm,
                                        (struct xe_bind){.buffer = job.buffer,
                                                         .offset = PAGE,
                                                         .address = there,
                                                         .range = PAGE},
                                        NULL),
                             0);
        if (value == 3)
            assert_int_equal(serve_bind(job.vm, unbind, NULL), 0);
        store_batch(job.batch, there, 40 + value);
        assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, value), 0);
        assert_int_equal(wait_fence(job.queue, job.fence, value, SECOND * 20), 0);
        assert_int_equal(page[0], value == 2 ? 41 : 40 + value);
        assert_int_equal(results[0], value == 1 ? 0 : 42);
    }
    munmap(page, PAGE);
    store_batch(job.batch, there, 44);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, FENCE_AT, 4), 0);
    assert_int_equal(wait_fence(job.queue, job.fence, 4, SECOND * 20), EIO);
    release_job(&job);
}

/* Its stores go nowhere; it is not to be read, and no larger. */
static void has_a_barrier_page(void **state)
{
    struct xe_gem_mmap_offset barrier = {.flags = XE_MMAP_BARRIER}, with_buffer = barrier;
    struct xe_gem_mmap_offset unknown = {.flags = 2};

    (void)state;
    with_buffer.handle = xe_create_buffer(PAGE, SYSTEM);
    assert_int_equal(request(XE(XE_GEM_MMAP_OFFSET, with_buffer), &with_buffer), EINVAL);
    assert_int_equal(request(XE(XE_GEM_MMAP_OFFSET, unknown), &unknown), EINVAL);
    assert_int_equal(request(XE(XE_GEM_MMAP_OFFSET, barrier), &barrier), 0);
    const off_t at = (off_t)barrier.offset;
    uint32_t *page = mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, node_fd, at);
    assert_ptr_not_equal(page, MAP_FAILED);
    page[0] = page[1023] = 0xdeadbeef;
    assert_int_equal(munmap(page, PAGE), 0);
    assert_ptr_equal(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, node_fd, at), MAP_FAILED);
    assert_ptr_equal(mmap(NULL, 2 * PAGE, PROT_WRITE, MAP_SHARED, node_fd, at), MAP_FAILED);
}

static void refuses_what_makes_no_sense(void **state)
{
    const struct job job = create_job(SYSTEM);
    struct xe_device_query unknown = {.query = 99};
    struct xe_gem_create nowhere = {.size = PAGE}, odd = {.size = 100, .placement = SYSTEM};
    struct xe_bind beyond = {.buffer = job.buffer, .address = ADDRESS, .range = 4 * PAGE};
    struct xe_bind no_buffer = {.buffer = 999, .address = ADDRESS, .range = PAGE};
    struct xe_bind empty = {.buffer = job.buffer, .address = ADDRESS};
    struct xe_bind wrong = {.operation = 77, .address = ADDRESS, .range = PAGE};

    (void)state;
    assert_int_equal(request(XE(XE_DEVICE_QUERY, unknown), &unknown), EINVAL);
    assert_int_equal(request(XE(XE_GEM_CREATE, nowhere), &nowhere), EINVAL);
    assert_int_equal(request(XE(XE_GEM_CREATE, odd), &odd), EINVAL);
    assert_int_equal(serve_bind(job.vm, beyond, NULL), EINVAL);
    assert_int_equal(serve_bind(job.vm, no_buffer, NULL), ENOENT);
    assert_int_equal(serve_bind(job.vm, empty, NULL), EINVAL);
    assert_int_equal(serve_bind(job.vm, wrong, NULL), EINVAL);
    assert_int_equal(serve_bind(999, empty, NULL), ENOENT);
    assert_int_equal(execute_batch(999, BATCH_AT, FENCE_AT, 1), ENOENT);
    assert_int_equal(execute_batch(job.queue, BATCH_AT, 0, 1), EINVAL); /* no fence there */
    assert_int_equal(wait_fence(0, NULL, 1, 0), EFAULT);
    assert_int_equal(request(DRM_IOWR(DRM_COMMAND_BASE + 0x3f, int), &(int){0}), EINVAL);
    release_job(&job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tells_what_it_is),
        TEST(tells_its_topology),
        TEST(clocks_at_one_time),
        TEST(runs_batches_and_signals),
        TEST(bans_a_queue_that_faults),
        TEST(sees_what_is_bound_while_it_waits),
        TEST(frees_what_is_unbound_while_it_waits),
        TEST(unbinds_parts),
        TEST(binds_the_programs_memory),
        TEST(queues_have_properties),
        TEST(address_spaces_have_modes),
        TEST(takes_advice),
        TEST(mirrors_the_programs_memory),
        TEST(has_a_barrier_page),
        TEST(refuses_what_makes_no_sense),
    };

    return cmocka_run_group_tests_name("xe node", tests, NULL, NULL);
}
