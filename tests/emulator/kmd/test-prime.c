/* Buffers that processes share by descriptors. Run this under `vesim --device a380`. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "i915.h"

/* More than one of the pieces in which pages move, and not a whole number of them. */
enum { BYTES = (9 << 20) + 4096, WORDS = BYTES / 4 };

static uint32_t sent[WORDS];

static int export(uint32_t handle, int *fd)
{
    struct drm_prime_handle argument = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    int status = request(DRM_IOCTL_PRIME_HANDLE_TO_FD, &argument);

    *fd = argument.fd;
    return status;
}

static int import(int fd, uint32_t *handle)
{
    struct drm_prime_handle argument = {.fd = fd};
    int status = request(DRM_IOCTL_PRIME_FD_TO_HANDLE, &argument);

    *handle = argument.handle;
    return status;
}

static uint32_t noise(uint32_t i)
{
    return i * 2654435761u;
}

static void all_mappings_stay(void **state)
{
    uint32_t handle = create(BYTES), *first = map(handle, BYTES), *second = map(handle, BYTES);
    int fd, again;

    (void)state;
    for (uint32_t i = 0; i < WORDS; i++)
        first[i] = noise(i);
    assert_int_equal(mprotect(second, 4096, PROT_READ), 0);
    assert_int_equal(export(handle, &fd), 0);
    assert_int_equal(export(handle, &again), 0);
    assert_int_equal(lseek(fd, 0, SEEK_END), BYTES);
    assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
    const uint32_t *other = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, again, 0);
    assert_ptr_not_equal(other, MAP_FAILED);
    for (uint32_t i = 0; i < WORDS; i++) {
        assert_int_equal(other[i], noise(i));
        assert_int_equal(second[i], noise(i));
        first[i] = i;
        assert_int_equal(second[i], i);
    }
    second[1024] = 7;
    uint32_t *third = map(handle, BYTES); /* made afterwards */
    assert_int_equal(third[1024], 7);
    third[WORDS - 1] = 8;
    close_buffer(handle);
    assert_int_equal(other[1024], 7);
    assert_int_equal(other[WORDS - 1], 8);
    for (int i = 0; i < 3; i++)
        munmap((uint32_t *[]){first, second, third}[i], BYTES);
    munmap((void *)(uintptr_t)other, BYTES);
    close(fd);
    close(again);
}

static void engines_go_on_using_it(void **state)
{
    uint32_t handle = create(BYTES), batch_handle = create(4096);
    uint32_t *batch = map(batch_handle, 4096);
    const uint64_t address = 0x10000000;
    struct drm_i915_gem_exec_object2 objects[2] = {pinned(handle, address),
                                                   pinned(batch_handle, ADDRESS)};
    int fd;

    (void)state;
    for (uint32_t turn = 0; turn < 2; turn++) {
        store_batch(batch, address + BYTES - 4 - 4 * turn, 60 + turn);
        assert_int_equal(execute(objects, 2, 0), 0);
        assert_int_equal(wait_for(batch_handle, -1), 0);
        if (turn == 0)
            assert_int_equal(export(handle, &fd), 0);
    }
    const uint32_t *other = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(other, MAP_FAILED);
    assert_int_equal(other[WORDS - 1], 60);
    assert_int_equal(other[WORDS - 2], 61);
    munmap((void *)(uintptr_t)other, BYTES);
    munmap(batch, 4096);
    close(fd);
    close_buffer(handle);
    close_buffer(batch_handle);
}

/* As in the kernel: a file has one handle of a buffer, another file its own. */
static void files_have_handles(void **state)
{
    uint32_t handle = create(4096), same, *words = map(handle, 4096);
    int fd, first_node = node_fd, second_node = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

    (void)state;
    words[0] = 1;
    assert_int_equal(export(handle, &fd), 0);
    assert_int_equal(import(fd, &same), 0);
    assert_int_equal(same, handle);
    node_fd = second_node;
    assert_int_equal(import(fd, &same), 0);
    uint32_t *seen = map(same, 4096);
    node_fd = first_node;
    close_buffer(handle);
    words[1] = 2;
    assert_int_equal(seen[0], 1);
    assert_int_equal(seen[1], 2);
    assert_int_equal(import(fd, &handle), 0); /* what is left of it in the other file */
    seen[2] = 3;
    assert_int_equal(words[2], 3);
    close(second_node);
    close_buffer(handle);
    assert_int_equal(words[2], 3);
    munmap(words, 4096);
    munmap(seen, 4096);
    close(fd);
}

/* A thread writes to all words in turn, again and again. */
static volatile bool stop;

static void *write_words(void *argument)
{
    uint32_t *words = argument;

    for (uint32_t i = 0, value = 1; !stop; i = (i + 1021) % WORDS)
        words[i] = sent[i] = value++;
    return NULL;
}

static void no_write_is_lost(void **state)
{
    uint32_t handle = create(BYTES), *words = map(handle, BYTES);
    pthread_t thread;
    int fd;

    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, write_words, words), 0);
    assert_int_equal(export(handle, &fd), 0);
    stop = true;
    pthread_join(thread, NULL);
    const uint32_t *other = mmap(NULL, BYTES, PROT_READ, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(other, MAP_FAILED);
    assert_memory_equal(other, sent, BYTES);
    munmap(words, BYTES);
    munmap((void *)(uintptr_t)other, BYTES);
    close(fd);
    close_buffer(handle);
}

static void what_is_no_buffer_is_refused(void **state)
{
    uint32_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr userptr = {.user_ptr = (uintptr_t)page, .user_size = 4096};
    int fd = memfd_create("a file", MFD_CLOEXEC);
    uint32_t handle;

    (void)state;
    assert_int_equal(ftruncate(fd, 4096), 0);
    assert_int_equal(import(fd, &handle), EINVAL);
    assert_int_equal(import(node_fd, &handle), EINVAL);
    assert_int_equal(import(-1, &handle), EBADF);
    close(fd);
    assert_int_equal(request(DRM_IOCTL_I915_GEM_USERPTR, &userptr), 0);
    assert_int_equal(export(userptr.handle, &fd), EINVAL);
    assert_int_equal(export(1000, &fd), ENOENT);
    close_buffer(userptr.handle);
    munmap(page, 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_mappings_stay), TEST(engines_go_on_using_it),       TEST(files_have_handles),
        TEST(no_write_is_lost),  TEST(what_is_no_buffer_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
