/* An exclusive lock on a file that a program writes for a while. A file beside it, FILE.lock, holds
 * the lock and says who has it. The kernel releases the lock when the process ends, however it
 * ends; what then remains is a file beside which the next run takes the lock. Child processes do
 * not have it. */
#ifndef VEBENCH_FILE_LOCK_H
#define VEBENCH_FILE_LOCK_H

#include "base/error.h"

#include <stdbool.h>

struct file_lock {
    char *path;     /* of the file beside; owned; NULL: there is no lock */
    int descriptor; /* of it */
    bool is_held;   /* false if the file system has no locks */
};

/* Locks `path`, which need not exist; a link stands for what it points to. `about` is what others
 * are told of this process after its number, such as "on HOST since TIME: COMMAND". STATUS_FAILED,
 * with what the holder has said about itself and what to do, if another process has the lock; also
 * if no file can be made beside it. A file system without locks is no error. */
enum status file_lock_take(struct file_lock *lock, const char *path, const char *about,
                           struct error *error);

/* Removes the file beside, and ends the lock, if there is one. */
void file_lock_release(struct file_lock *lock);

#endif
