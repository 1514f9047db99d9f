/* Address spaces, mappings and the program's own memory: run this under `vesim --device a380`. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "i915.h"

static void user_memory_works(void **state)
{
    uint32_t *words = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr userptr = {.user_ptr = (uintptr_t)words, .user_size = 8192};
    struct drm_i915_gem_userptr odd = {.user_ptr = (uintptr_t)words + 8, .user_size = 4096};

    (void)state;
    words[0] = 0x10000002;
    words[1] = ADDRESS + 4096;
    words[2] = 0;
    words[3] = 43;
    words[4] = BATCH_END;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_USERPTR, &odd), EINVAL);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_USERPTR, &userptr), 0);
    struct drm_i915_gem_exec_object2 object = pinned(userptr.handle, ADDRESS);
    assert_int_equal(execute(&object, 1, 0), 0);
    assert_int_equal(wait_for(userptr.handle, -1), 0);
    assert_int_equal(words[1024], 43);
    close_buffer(userptr.handle);

    munmap(words, 8192);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_USERPTR, &userptr), 0);
    object = pinned(userptr.handle, ADDRESS);
    assert_int_equal(execute(&object, 1, 0), EFAULT); /* nothing is there any more */
    close_buffer(userptr.handle);
}

static void protected_user_pointers_are_refused(void **state)
{
    static const int protections[] = {PROT_READ, PROT_NONE};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        uint8_t *pages =
            mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        struct drm_i915_gem_userptr userptr = {.user_ptr = (uintptr_t)pages, .user_size = 8192};

        assert_ptr_not_equal(pages, MAP_FAILED);
        assert_int_equal(mprotect(pages + 4096, 4096, protections[i]), 0);
        assert_int_equal(request(DRM_IOCTL_I915_GEM_USERPTR, &userptr), 0);
        struct drm_i915_gem_exec_object2 object = pinned(userptr.handle, ADDRESS);
        assert_int_equal(execute(&object, 1, 0), EFAULT);
        close_buffer(userptr.handle);
        munmap(pages, 8192);
    }
}

/* A buffer stays where a submission has bound it, until it is closed or another replaces it. */
static void bindings_outlive_submissions(void **state)
{
    uint32_t context = create_context(), batch_handle = create(4096), data_handle = create(4096),
             other_handle = create(4096);
    uint32_t *batch = map(batch_handle, 4096), *data = map(data_handle, 4096),
             *other = map(other_handle, 4096);
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(data_handle, ADDRESS + 4096),
                                                   pinned(batch_handle, ADDRESS)};

    (void)state;
    batch[0] = BATCH_END;
    assert_int_equal(execute(objects, 2, context), 0);
    assert_int_equal(wait_for(batch_handle, -1), 0);
    batch[0] = 0x10000002; /* MI_STORE_DATA_IMM */
    batch[1] = ADDRESS + 4096;
    batch[2] = 0;
    batch[3] = 44;
    batch[4] = BATCH_END;
    assert_int_equal(execute(&objects[1], 1, context), 0); /* data is not listed */
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(data[0], 44);

    objects[0] = pinned(other_handle, ADDRESS + 4096);
    batch[3] = 45;
    assert_int_equal(execute(objects, 2, context), 0);
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(data[0], 44);
    assert_int_equal(other[0], 45);

    close_buffer(other_handle);
    assert_int_equal(execute(&objects[1], 1, context), 0); /* a fault: nothing is there any more */
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(execute(&objects[1], 1, context), EIO);
    munmap(batch, 4096);
    munmap(data, 4096);
    munmap(other, 4096);
    close_buffer(batch_handle);
    close_buffer(data_handle);
}

/* A batch that waits until `*flag` is 1, then stores at ADDRESS + 8192. */
static void waiting_batch(uint32_t *batch)
{
    batch[0] = 0x0e00c003; /* MI_SEMAPHORE_WAIT, poll until equal */
    batch[1] = 1;
    batch[2] = ADDRESS + 4096;
    batch[3] = batch[4] = 0;
    store_batch(batch + 5, ADDRESS + 8192, 51);
}

static sigjmp_buf back;
static volatile sig_atomic_t handled;

static void program_handler(int number)
{
    handled = number;
    siglongjmp(back, 1);
}

/* The program touches memory that it may not, and has a handler for that. */
static void trap_of_the_program(void *page)
{
    handled = 0;
    if (!sigsetjmp(back, 1))
        *(volatile uint32_t *)page = 1;
    assert_int_equal(handled, SIGSEGV);
}

/* An address that no other mapping takes once its page is gone: any thread of the process may fill
 * a hole among other mappings before the GPU gets there. */
#define FAR_AWAY ((void *)(uintptr_t)0x200000000000)

/* Only the GPU is stopped: the program's own traps remain the program's. */
static void user_memory_may_go(void **state)
{
    const struct sigaction action = {.sa_handler = program_handler, .sa_flags = SA_NODEFER};
    uint32_t flag_handle = create(4096), batch_handle = create(4096);
    uint32_t *flag = map(flag_handle, 4096), *batch = map(batch_handle, 4096);
    struct sigaction before, now;

    (void)state;
    assert_int_equal(sigaction(SIGSEGV, &action, &before), 0);
    for (int round = 0; round < 3; round++) {
        uint32_t *page =
            mmap(FAR_AWAY, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        struct drm_i915_gem_userptr userptr = {.user_ptr = (uintptr_t)page, .user_size = 4096};
        uint32_t context = create_context();
        struct drm_i915_reset_stats stats = {.ctx_id = context};
        struct drm_i915_gem_exec_object2 objects[3];

        assert_int_equal(request(DRM_IOCTL_I915_GEM_USERPTR, &userptr), 0);
        objects[0] = pinned(userptr.handle, ADDRESS + 8192);
        objects[1] = pinned(flag_handle, ADDRESS + 4096);
        objects[2] = pinned(batch_handle, ADDRESS);
        waiting_batch(batch);
        flag[0] = 0;
        assert_int_equal(execute(objects, 3, context), 0);
        if (round == 0)
            assert_int_equal(munmap(page, 4096), 0);
        else
            assert_int_equal(mprotect(page, 4096, round == 1 ? PROT_READ : PROT_NONE), 0);
        __atomic_store_n(&flag[0], 1, __ATOMIC_RELEASE);
        assert_int_equal(wait_for(batch_handle, -1), 0);
        assert_int_equal(request(DRM_IOCTL_I915_GET_RESET_STATS, &stats), 0);
        assert_int_equal(stats.batch_active, 1);
        assert_int_equal(execute(objects, 3, context), EIO);
        assert_int_equal(handled, 0);
        close_buffer(userptr.handle);
        if (round)
            munmap(page, 4096);
    }
    trap_of_the_program(
        flag = mmap(flag, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    trap_of_the_program(flag);
    assert_int_equal(sigaction(SIGSEGV, &before, &now), 0);
    assert_ptr_equal(now.sa_handler, program_handler); /* what it has installed is what it sees */
    munmap(flag, 4096);
    munmap(batch, 4096);
    close_buffer(flag_handle);
    close_buffer(batch_handle);
}

/* A trap without a handler ends the process as usual. */
static void traps_end_the_process(void **state)
{
    const struct rlimit no_core = {0, 0};
    int status;
    pid_t child = fork();

    (void)state;
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGSEGV, SIG_DFL); /* not the test's or a sanitizer's */
        *(volatile uint32_t *)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGSEGV);

    child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGBUS, SIG_IGN);
        kill(getpid(), SIGBUS);
        signal(SIGBUS, SIG_DFL);
        kill(getpid(), SIGBUS);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGBUS);
}

static uint32_t context_in(uint32_t vm)
{
    struct drm_i915_gem_context_create_ext_setparam set = {
        .base.name = I915_CONTEXT_CREATE_EXT_SETPARAM,
        .param = {.param = I915_CONTEXT_PARAM_VM, .value = vm}};
    struct drm_i915_gem_context_create_ext argument = {
        .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS, .extensions = (uintptr_t)&set};

    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &argument), 0);
    return argument.ctx_id;
}

/* What one context has bound is visible to all contexts that share its address space, and to no
 * other. */
static void address_spaces_are_shared(void **state)
{
    struct drm_i915_gem_vm_control vm = {0}, none = {.vm_id = 77};
    struct drm_i915_gem_context_param param = {.param = I915_CONTEXT_PARAM_VM};
    uint32_t batch_handle = create(4096), data_handle = create(4096);
    uint32_t *batch = map(batch_handle, 4096), *data = map(data_handle, 4096);
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(data_handle, ADDRESS + 4096),
                                                   pinned(batch_handle, ADDRESS)};

    (void)state;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
    assert_int_not_equal(vm.vm_id, 0);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_VM_DESTROY, &none), ENOENT);
    uint32_t first = context_in(vm.vm_id);
    uint32_t second = context_in(vm.vm_id);
    uint32_t third = create_context();
    assert_int_equal(request(DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), 0); /* contexts keep it */
    assert_int_equal(request(DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), ENOENT);

    batch[0] = BATCH_END;
    assert_int_equal(execute(objects, 2, first), 0);
    assert_int_equal(wait_for(batch_handle, -1), 0);
    store_batch(batch, ADDRESS + 4096, 46);
    assert_int_equal(execute(&objects[1], 1, second), 0); /* data is not listed */
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(data[0], 46);

    param.ctx_id = second; /* by an id of the context's own address space, to a third context */
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &param), 0);
    param.ctx_id = third;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), 0);
    batch[3] = 47;
    assert_int_equal(execute(&objects[1], 1, third), 0);
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(data[0], 47);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), EINVAL); /* in use */
    param.ctx_id = create_context();
    param.value = 1234;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param), ENOENT);

    assert_int_equal(execute(&objects[1], 1, 0), 0); /* another address space: a fault */
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(execute(&objects[1], 1, 0), EIO);
    munmap(batch, 4096);
    munmap(data, 4096);
    close_buffer(batch_handle);
    close_buffer(data_handle);
}

/* Pages stay as long as they are mapped, whatever happens to the handle. */
static void mappings_outlive_handles(void **state)
{
    struct drm_i915_gem_mmap_offset where = {.flags = I915_MMAP_OFFSET_WB};
    uint32_t handle = create(3 * 4096), batch_handle = create(4096);
    uint32_t *words = map(handle, 3 * 4096), *batch = map(batch_handle, 4096);
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(handle, ADDRESS + 4096),
                                                   pinned(batch_handle, ADDRESS)};
    void *place = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    where.handle = handle;
    assert_int_equal(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &where), 0);
    /* a part, at a place of the program's choice, to read only */
    uint32_t *last =
        mmap(place, 4096, PROT_READ, MAP_SHARED | MAP_FIXED, node_fd, (off_t)where.offset + 8192);
    assert_ptr_equal(last, place);
    assert_ptr_equal(mmap(NULL, 8192, PROT_READ, MAP_SHARED, node_fd, (off_t)where.offset + 8192),
                     MAP_FAILED);
    assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_SHARED, node_fd, (off_t)1 << 60), MAP_FAILED);
    assert_ptr_equal(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, node_fd, (off_t)where.offset),
                     MAP_FAILED);

    store_batch(batch, ADDRESS + 4096 + 8192 + 4, 48);
    assert_int_equal(execute(objects, 2, 0), 0);
    assert_int_equal(wait_for(batch_handle, -1), 0);
    words[0] = 49;
    close_buffer(handle);
    assert_int_equal(last[1], 48);
    assert_int_equal(words[2049], 48);
    assert_int_equal(words[0], 49);
    words[2049] = 50;
    assert_int_equal(last[1], 50);
    munmap(place, 8192);
    munmap(words, 3 * 4096);
    munmap(batch, 4096);
    close_buffer(batch_handle);
}

/* A range that the program has unmapped and maps again, as drivers do that reserve addresses: no
 * buffer's pages may have moved in. */
static void pages_stay_out_of_the_programs_ranges(void **state)
{
    enum { BYTES = 1 << 20 };
    uint8_t *range = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    (void)state;
    assert_ptr_not_equal(range, MAP_FAILED);
    munmap(range, BYTES);
    uint32_t data_handle = create(BYTES), batch_handle = create(4096);
    assert_ptr_equal(mmap(range, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
                     range);

    uint32_t *batch = map(batch_handle, 4096), *data = map(data_handle, BYTES);
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(data_handle, ADDRESS + 4096),
                                                   pinned(batch_handle, ADDRESS)};
    store_batch(batch, ADDRESS + 4096, 52);
    assert_int_equal(execute(objects, 2, 0), 0);
    assert_int_equal(wait_for(batch_handle, -1), 0);
    assert_int_equal(data[0], 52);
    munmap(data, BYTES);
    munmap(batch, 4096);
    munmap(range, BYTES);
    close_buffer(data_handle);
    close_buffer(batch_handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(user_memory_works),
        TEST(protected_user_pointers_are_refused),
        TEST(user_memory_may_go),
        TEST(traps_end_the_process),
        TEST(bindings_outlive_submissions),
        TEST(address_spaces_are_shared),
        TEST(mappings_outlive_handles),
        TEST(pages_stay_out_of_the_programs_ranges),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
