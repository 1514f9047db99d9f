/* Buffers that processes share by descriptors (DRM PRIME). A descriptor is a file in memory with
 * the buffer's pages, where the kernel would give a dma-buf: it has the buffer's size, and goes
 * from one process to another as any descriptor does. Its name says where the pages are. */
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kmd/node.h"
#include "kmd/page.h"
#include "kmd/shared-pages.h"

/* By region. */
static const char *const names[REGIONS_MAX] = {"vesim host memory", "vesim device memory",
                                               "vesim device memory of stack 1"};

/* Makes the buffer's pages those of a file, unless they are. node->lock held. */
static int make_file(struct node *node, struct buffer_object *buffer)
{
    if (buffer->fd >= 0)
        return 0;
    if (buffer->userptr)
        return -EINVAL;
    int fd = memfd_create(names[buffer->region], MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    int status = ftruncate(fd, (off_t)buffer->size)
                     ? -errno
                     : shared_pages_move(buffer->host, buffer->size, fd);
    if (status) {
        close(fd);
        return status;
    }
    buffer_share(node, buffer, fd);
    return 0;
}

int ioctl_prime_export(struct node_file *file, void *argument)
{
    struct drm_prime_handle *request = argument;
    int status = -ENOENT;

    if (request->flags & ~(uint32_t)(DRM_CLOEXEC | DRM_RDWR))
        return -EINVAL;
    pthread_mutex_lock(&file->node->lock);
    struct buffer_object *buffer = file_buffer(file, request->handle);
    if (buffer)
        status = make_file(file->node, buffer);
    if (!status) {
        request->fd =
            fcntl(buffer->fd, request->flags & DRM_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
        status = request->fd < 0 ? -errno : 0;
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}

/* Whether a descriptor is of a buffer of this device, and of which region. */
static bool is_buffer(const struct node *node, int fd, unsigned *region)
{
    char path[64], name[64], wanted[64];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, name, sizeof(name) - 1);
    name[length < 0 ? 0 : length] = 0;
    for (*region = 0; *region < region_count(&node->device); ++*region) {
        snprintf(wanted, sizeof(wanted), "/memfd:%s (deleted)", names[*region]);
        if (strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

/* A buffer of the process that has these pages already, or NULL. */
static struct buffer_object *find_shared(const struct node *node, const struct stat *pages)
{
    struct buffer_object *buffer = node->shared;
    struct stat other;

    while (buffer && (fstat(buffer->fd, &other) || other.st_ino != pages->st_ino ||
                      other.st_dev != pages->st_dev))
        buffer = buffer->next_shared;
    return buffer;
}

static struct buffer_object *import(struct node *node, int fd, uint64_t size, unsigned region)
{
    int kept = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    return kept < 0 ? NULL : buffer_import(node, kept, size, region);
}

static uint32_t find_handle(const struct node_file *file, const struct buffer_object *buffer)
{
    for (uint32_t i = 0; i < file->buffer_slots; i++)
        if (file->buffers[i] == buffer)
            return i + 1;
    return 0;
}

int ioctl_prime_import(struct node_file *file, void *argument)
{
    struct drm_prime_handle *request = argument;
    struct stat pages;
    int status = 0;
    unsigned region;

    if (fstat(request->fd, &pages))
        return -errno;
    if (!is_buffer(file->node, request->fd, &region) || pages.st_size <= 0 ||
        pages.st_size & PAGE_MASK)
        return -EINVAL;
    pthread_mutex_lock(&file->node->lock);
    struct buffer_object *buffer = find_shared(file->node, &pages);
    request->handle = buffer ? find_handle(file, buffer) : 0;
    if (!request->handle) {
        if (buffer)
            buffer->references++;
        else
            buffer = import(file->node, request->fd, (uint64_t)pages.st_size, region);
        status = file_add_buffer(file, buffer, &request->handle);
    }
    pthread_mutex_unlock(&file->node->lock);
    return status;
}
