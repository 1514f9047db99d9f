/* Requests to the i915 node as a program makes them: run this under `vesim --device a380`. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "i915.h"

static void refuses_what_it_does_not_know(void **state)
{
    struct drm_i915_getparam param = {.param = 9999, .value = &(int){0}};
    struct drm_i915_query_item item = {.query_id = 9999};
    struct drm_i915_query query = {.num_items = 1, .items_ptr = (uintptr_t)&item};
    struct drm_i915_reg_read reg = {.offset = 0x1234};

    (void)state;
    assert_int_equal(request(DRM_IOCTL_I915_GETPARAM, &param), EINVAL);
    assert_int_equal(request(DRM_IOCTL_I915_QUERY, &query), 0);
    assert_int_equal(item.length, -EINVAL);
    assert_int_equal(request(DRM_IOCTL_I915_REG_READ, &reg), EINVAL);
    assert_int_equal(request(DRM_IOWR(0xff, int), &(int){0}), EINVAL);
    assert_int_equal(request(_IO('x', 1), NULL), ENOTTY);
    assert_int_equal(request(_IOWR('d', 0x56, int), &(int){0}), EINVAL); /* too small */
}

/* Like the kernel: an unmapped address gives EFAULT, wherever it occurs. */
static void survives_bad_addresses(void **state)
{
    const uint64_t bad = 4096, beyond = UINT64_C(1) << 60;
    struct drm_i915_gem_exec_object2 *nowhere = (void *)(uintptr_t)bad;
    struct drm_i915_getparam param = {.param = I915_PARAM_CHIPSET_ID, .value = (int *)nowhere};
    struct drm_i915_query query = {.num_items = 1, .items_ptr = bad};
    struct drm_i915_query_item item = {
        .query_id = DRM_I915_QUERY_ENGINE_INFO, .length = 4096, .data_ptr = bad};
    struct drm_i915_query answered = {.num_items = 1, .items_ptr = (uintptr_t)&item};
    struct drm_i915_gem_create_ext create_ext = {.size = 4096, .extensions = beyond};
    struct drm_i915_gem_create_ext_memory_regions regions = {
        .base.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS, .num_regions = 1, .regions = bad};
    struct drm_i915_gem_create_ext with_regions = {.size = 4096, .extensions = (uintptr_t)&regions};
    struct drm_i915_gem_context_create_ext context = {
        .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS, .extensions = bad};
    struct drm_i915_gem_context_param engines = {
        .param = I915_CONTEXT_PARAM_ENGINES, .size = 16, .value = bad};

    (void)state;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_WAIT, NULL), EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_GETPARAM, &param), EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_QUERY, &query), EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_QUERY, &answered), 0);
    assert_int_equal(item.length, -EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &create_ext), EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &with_regions), EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context), EFAULT);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &engines), EFAULT);
    assert_int_equal(execute(nowhere, 1, 0), EFAULT);
}

/* The first version of a structure is shorter; the missing fields are zero, not the memory after
 * it. */
static void takes_short_structures(void **state)
{
    struct {
        struct drm_i915_gem_context_create create;
        uint64_t behind;
    } argument = {.create.pad = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS, .behind = 1};

    (void)state;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &argument), 0);
    assert_true(argument.create.ctx_id != 0);
}

static int set_priority(int64_t priority, uint32_t size)
{
    struct drm_i915_gem_context_param param = {
        .param = I915_CONTEXT_PARAM_PRIORITY, .size = size, .value = (uint64_t)priority};

    return request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
}

/* As Linux does: only who has CAP_SYS_NICE raises them. */
static void contexts_have_priorities(void **state)
{
    struct drm_i915_gem_context_param param = {.param = I915_CONTEXT_PARAM_PRIORITY};

    (void)state;
    assert_int_equal(set_priority(I915_CONTEXT_MIN_USER_PRIORITY, 0), 0);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param), 0);
    assert_int_equal((int64_t)param.value, I915_CONTEXT_MIN_USER_PRIORITY);
    assert_int_equal(set_priority(I915_CONTEXT_MIN_USER_PRIORITY - 1, 0), EINVAL);
    assert_int_equal(set_priority(I915_CONTEXT_MAX_USER_PRIORITY + 1, 0), EINVAL);
    assert_int_equal(set_priority(0, 8), EINVAL);
    int raised = set_priority(I915_CONTEXT_MAX_USER_PRIORITY, 0);
    assert_true(raised == 0 || raised == EPERM);
    assert_int_equal(set_priority(I915_CONTEXT_DEFAULT_PRIORITY, 0), 0);
}

static void buffers_live_and_die(void **state)
{
    struct drm_i915_gem_create none = {.size = 0}, huge = {.size = UINT64_MAX};
    struct drm_i915_gem_mmap_offset offset = {.handle = 77};
    struct drm_gem_close twice;
    uint32_t handle = create(5000);
    uint32_t *words = map(handle, 8192);

    (void)state;
    words[2047] = 7;
    assert_int_equal(wait_for(handle, 0), 0);
    munmap(words, 8192);
    close_buffer(handle);
    twice.handle = handle;
    assert_int_equal(request(DRM_IOCTL_GEM_CLOSE, &twice), EINVAL);
    assert_int_equal(wait_for(handle, -1), ENOENT);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &offset), ENOENT);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE, &none), EINVAL);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE, &huge), ENOMEM);
    handle = create(4096); /* new memory is zero, wherever it comes from */
    words = map(handle, 4096);
    assert_int_equal(words[0], 0);
    munmap(words, 4096);
    close_buffer(handle);
}

static void regions_end(void **state)
{
    struct drm_i915_gem_memory_class_instance where = {.memory_class = I915_MEMORY_CLASS_DEVICE};
    struct drm_i915_gem_create_ext_memory_regions regions = {.base.name =
                                                                 I915_GEM_CREATE_EXT_MEMORY_REGIONS,
                                                             .num_regions = 1,
                                                             .regions = (uintptr_t)&where};
    struct drm_i915_gem_create_ext big = {.size = UINT64_C(4) << 30,
                                          .extensions = (uintptr_t)&regions};
    struct drm_i915_gem_create_ext again = big;

    (void)state;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &big), 0);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &again), ENOMEM);
    close_buffer(big.handle);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &again), 0);
    close_buffer(again.handle);
    where.memory_class = 9;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &again), EINVAL);
    regions.base.next_extension = (uintptr_t)&regions; /* a loop */
    where.memory_class = I915_MEMORY_CLASS_SYSTEM;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &again), E2BIG);
}

static void executes(void **state)
{
    uint32_t handle = create(4096), target = create(4096);
    uint32_t *batch = map(handle, 4096), *words = map(target, 4096);
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(target, ADDRESS + 4096),
                                                   pinned(handle, ADDRESS)};
    struct drm_i915_gem_exec_object2 twice[3] = {objects[0], objects[0], objects[1]};

    (void)state;
    batch[0] = 0x10000002; /* MI_STORE_DATA_IMM */
    batch[1] = ADDRESS + 4096;
    batch[2] = 0;
    batch[3] = 42;
    batch[4] = BATCH_END;
    assert_int_equal(execute(objects, 2, 0), 0);
    assert_int_equal(wait_for(handle, -1), 0);
    assert_int_equal(words[0], 42);
    batch[3] = 43;
    assert_int_equal(execute(twice, 3, 0), 0); /* an object listed twice where it is */
    assert_int_equal(wait_for(handle, -1), 0);
    assert_int_equal(words[0], 43);

    assert_int_equal(execute(objects, 2, 99), ENOENT); /* no such context */
    assert_int_equal(execute(objects, 0, 0), EINVAL);
    objects[0].offset = ADDRESS; /* overlaps */
    assert_int_equal(execute(objects, 2, 0), EINVAL);
    objects[0].offset = ADDRESS + 4096;
    objects[0].flags = 0; /* not pinned */
    assert_int_equal(execute(objects, 2, 0), EINVAL);
    objects[0] = pinned(12345, ADDRESS + 4096);
    assert_int_equal(execute(objects, 2, 0), ENOENT);
    munmap(batch, 4096);
    munmap(words, 4096);
    close_buffer(handle);
    close_buffer(target);
}

static void closed_buffers_live_while_they_run(void **state)
{
    uint32_t handle = create(4096), flag = create(4096), context = create_context();
    struct drm_i915_gem_context_destroy destroy = {.ctx_id = context};
    uint32_t *batch = map(handle, 4096), *words = map(flag, 4096);
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(flag, ADDRESS + 4096),
                                                   pinned(handle, ADDRESS)};

    (void)state;
    batch[0] = 0x0e00c003; /* MI_SEMAPHORE_WAIT, poll until equal */
    batch[1] = 1;
    batch[2] = ADDRESS + 4096;
    batch[3] = batch[4] = 0;
    batch[5] = 0x10000002;
    batch[6] = ADDRESS + 4096 + 8;
    batch[7] = 0;
    batch[8] = 42;
    batch[9] = BATCH_END;
    assert_int_equal(execute(objects, 2, context), 0);
    assert_int_equal(wait_for(flag, 0), ETIME);
    assert_int_equal(wait_for(flag, 1000000), ETIME);
    munmap(batch, 4096);
    close_buffer(handle);
    __atomic_store_n(&words[0], 1, __ATOMIC_RELEASE);
    assert_int_equal(wait_for(flag, -1), 0);
    assert_int_equal(words[2], 42);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy), 0);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy), ENOENT);
    munmap(words, 4096);
    close_buffer(flag);
}

static void hangs_are_told(void **state)
{
    uint32_t handle = create(4096), context = create_context();
    uint32_t *batch = map(handle, 4096);
    struct drm_i915_gem_exec_object2 object = pinned(handle, ADDRESS);
    struct drm_i915_reset_stats stats = {.ctx_id = context}, other = {.ctx_id = 0};

    (void)state;
    batch[0] = 0xffffffff;
    assert_int_equal(request(DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
    assert_int_equal(stats.batch_active, 0);
    assert_int_equal(execute(&object, 1, context), 0);
    assert_int_equal(wait_for(handle, -1), 0);
    assert_int_equal(request(DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
    assert_int_equal(stats.batch_active, 1);
    assert_int_equal(execute(&object, 1, context), EIO);
    assert_int_equal(request(DRM_IOCTL_I915_GET_RESET_STATS, &other), 0);
    assert_int_equal(other.batch_active, 0);
    batch[0] = BATCH_END;
    assert_int_equal(execute(&object, 1, 0), 0);
    assert_int_equal(wait_for(handle, -1), 0);
    munmap(batch, 4096);
    close_buffer(handle);
}

static void engine_maps_are_checked(void **state)
{
    I915_DEFINE_CONTEXT_PARAM_ENGINES(engines, 2) = {
        .engines = {{I915_ENGINE_CLASS_RENDER, 0}, {I915_ENGINE_CLASS_COPY, 0}}};
    struct drm_i915_gem_context_param param = {.ctx_id = create_context(),
                                               .param = I915_CONTEXT_PARAM_ENGINES,
                                               .size = sizeof(engines),
                                               .value = (uintptr_t)&engines};
    uint32_t handle = create(4096), *batch = map(handle, 4096);
    struct drm_i915_gem_exec_object2 object = pinned(handle, ADDRESS);
    struct drm_i915_gem_execbuffer2 argument = {
        .buffers_ptr = (uintptr_t)&object, .buffer_count = 1, .rsvd1 = param.ctx_id};

    (void)state;
    batch[0] = BATCH_END;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
    for (uint64_t engine = 0; engine < 64; engine++) {
        argument.flags = I915_EXEC_NO_RELOC | engine;
        assert_int_equal(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &argument),
                         engine < 2 ? 0 : EINVAL);
    }
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), EINVAL); /* in use */
    param.ctx_id = create_context();
    engines.engines[0].engine_class = I915_ENGINE_CLASS_VIDEO;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), ENOENT);
    assert_int_equal(wait_for(handle, -1), 0);
    munmap(batch, 4096);
    close_buffer(handle);
}

static void children_get_their_own(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        struct drm_i915_gem_create argument = {.size = 4096};

        if (request(DRM_IOCTL_I915_GEM_CREATE, &argument) != EIO)
            _exit(1);
        if (close(node_fd))
            _exit(2);
        node_fd = open("/dev/dri/renderD128", O_RDWR);
        _exit(node_fd < 0 || request(DRM_IOCTL_I915_GEM_CREATE, &argument) ? 3 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close_buffer(create(4096));
}

static void survives_random_requests(void **state)
{
    uint32_t random = 1;
    uint64_t words[64];

    (void)state;
    for (unsigned round = 0; round < 20000; round++) {
        unsigned number = (random >> 16) % 0x80;

        for (unsigned i = 0; i < 64; i++) {
            random = random * 1664525 + 1013904223;
            words[i] = random >> 29 ? random >> 28 : 0; /* small, and no pointer */
        }
        /* Requests that follow pointers get none here; the kernel would answer bad ones with
         * EFAULT. */
        if (number == 0x00 || number == 0x40 + DRM_I915_GETPARAM ||
            number == 0x40 + DRM_I915_QUERY || number == 0x40 + DRM_I915_GEM_EXECBUFFER2 ||
            number == 0x40 + DRM_I915_GEM_CONTEXT_SETPARAM ||
            number == 0x40 + DRM_I915_GEM_CONTEXT_CREATE ||
            number == 0x40 + DRM_I915_GEM_CREATE_EXT)
            continue;
        ioctl(node_fd, _IOC(_IOC_READ | _IOC_WRITE, 'd', number, sizeof(words)), words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(refuses_what_it_does_not_know),
        TEST(survives_bad_addresses),
        TEST(takes_short_structures),
        TEST(contexts_have_priorities),
        TEST(buffers_live_and_die),
        TEST(regions_end),
        TEST(executes),
        TEST(closed_buffers_live_while_they_run),
        TEST(hangs_are_told),
        TEST(engine_maps_are_checked),
        TEST(children_get_their_own),
        TEST(survives_random_requests),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
