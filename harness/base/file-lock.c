#include "base/file-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OWNER_BYTES 400
#define TRIES       100u

/* What a lock's file begins with: anything else is somebody's own. */
static const char mark[] = "written by process ";

static enum status cannot_lock(const char *path, struct error *error)
{
    return error_set(
        error, STATUS_FAILED,
        "cannot write to %s: its lock %s.lock: %s; name a file in a folder that exists "
        "and that you may write to",
        path, path, strerror(errno));
}

/* The name of the lock's file, which the caller frees; NULL if there is no memory. */
static char *lock_name(const char *path)
{
    char *target = realpath(path, NULL);
    const char *name = target ? target : path;
    size_t bytes = strlen(name) + sizeof(".lock");
    char *text = malloc(bytes);

    if (text)
        snprintf(text, bytes, "%s.lock", name);
    free(target);
    return text;
}

/* Reads what the holder has written. False if the file is not a lock's. */
static bool read_owner(int descriptor, char owner[OWNER_BYTES])
{
    ssize_t bytes = pread(descriptor, owner, OWNER_BYTES - 1, 0);

    owner[bytes > 0 ? bytes : 0] = '\0';
    owner[strcspn(owner, "\n")] = '\0';
    return bytes <= 0 || !strncmp(owner, mark, strlen(mark));
}

/* `holder` as far as the kernel knows it, 0 if it does not, such as on another machine. What the
 * file says is of an earlier holder if it names another process. */
static enum status refuse(const char *path, int descriptor, long holder, struct error *error)
{
    char owner[OWNER_BYTES];

    if (!read_owner(descriptor, owner) || !owner[0] ||
        (holder > 0 && strtol(owner + strlen(mark), NULL, 10) != holder))
        snprintf(owner, sizeof(owner), "%s%ld", mark, holder);
    return error_set(error, STATUS_FAILED,
                     "%s is being %s; wait for it to end or stop it, or name another file", path,
                     owner);
}

/* For people: on a full disk the lock holds without it. */
static void write_owner(int descriptor, const char *about)
{
    char owner[OWNER_BYTES];

    snprintf(owner, sizeof(owner) - 1, "%s%ld %s", mark, (long)getpid(), about);
    owner[strcspn(owner, "\r\n")] = '\0';
    strcat(owner, "\n");
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, owner, strlen(owner), 0) < 0)
        return;
}

/* Is what has been opened still there under its name? The holder before may have removed it. */
static bool is_there(int descriptor, const char *name)
{
    struct stat opened, named;

    return fstat(descriptor, &opened) == 0 && lstat(name, &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

static bool has_no_locks(int cause)
{
    return cause == ENOLCK || cause == ENOSYS || cause == EOPNOTSUPP || cause == EINVAL;
}

/* Locks what has been opened. `*gone` tells that it must be opened again. */
static enum status lock_opened(struct file_lock *lock, const char *path, const char *about,
                               bool *gone, struct error *error)
{
    struct flock region = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char owner[OWNER_BYTES];
    struct stat status;

    if (fstat(lock->descriptor, &status) != 0 || !S_ISREG(status.st_mode) ||
        !read_owner(lock->descriptor, owner))
        return error_set(error, STATUS_FAILED,
                         "cannot lock %s: %s is there and is no lock of this program; move it away",
                         path, lock->path);
    lock->is_held = fcntl(lock->descriptor, F_SETLK, &region) == 0;
    int cause = errno;
    if (!lock->is_held && has_no_locks(cause))
        return STATUS_OK;
    if (!lock->is_held && cause != EACCES && cause != EAGAIN)
        return cannot_lock(path, error);
    if (!lock->is_held) {
        bool known = fcntl(lock->descriptor, F_GETLK, &region) == 0 && region.l_type != F_UNLCK;

        return refuse(path, lock->descriptor, known ? (long)region.l_pid : 0, error);
    }
    *gone = !is_there(lock->descriptor, lock->path);
    if (!*gone)
        write_owner(lock->descriptor, about);
    return STATUS_OK;
}

static enum status try_lock(struct file_lock *lock, const char *path, const char *about, bool *gone,
                            struct error *error)
{
    lock->descriptor =
        open(lock->path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (lock->descriptor < 0)
        return cannot_lock(path, error);
    enum status status = lock_opened(lock, path, about, gone, error);
    if (status != STATUS_OK || *gone)
        close(lock->descriptor);
    return status;
}

enum status file_lock_take(struct file_lock *lock, const char *path, const char *about,
                           struct error *error)
{
    enum status status = STATUS_OK;
    bool gone = true;

    *lock = (struct file_lock){.path = lock_name(path), .descriptor = -1};
    if (!lock->path)
        return error_out_of_memory(error);
    for (unsigned i = 0; status == STATUS_OK && gone && i < TRIES; i++) {
        gone = false;
        status = try_lock(lock, path, about, &gone, error);
    }
    if (status == STATUS_OK && gone)
        status =
            error_set(error, STATUS_FAILED, "cannot lock %s: others begin and end there", path);
    if (status != STATUS_OK) {
        free(lock->path);
        lock->path = NULL;
    }
    return status;
}

void file_lock_release(struct file_lock *lock)
{
    if (!lock->path)
        return;
    unlink(lock->path); /* before the lock ends: later it may be another's */
    close(lock->descriptor);
    free(lock->path);
    *lock = (struct file_lock){.path = NULL, .descriptor = -1};
}
