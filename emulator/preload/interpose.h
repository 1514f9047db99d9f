/* The C library's functions behind those that this library interposes. */
#ifndef VESIM_INTERPOSE_H
#define VESIM_INTERPOSE_H

#include "preload/process-node.h"
#include "preload/sysfs.h"

/* The next function of that name in search order, e.g. the C library's. Never NULL: the program
 * ends with a message if there is none. */
void *interpose_next(const char *name);

/* Defines `next`, a pointer to the real function of the same type. */
#define NEXT(name, type, ...)                                                                      \
    static type (*next_##name)(__VA_ARGS__);                                                       \
    type (*next)(__VA_ARGS__) = __atomic_load_n(&next_##name, __ATOMIC_RELAXED);                   \
    if (!next) {                                                                                   \
        *(void **)&next = interpose_next(#name);                                                   \
        __atomic_store_n(&next_##name, next, __ATOMIC_RELAXED);                                    \
    }

#define EXPORT __attribute__((visibility("default")))

/* What is at `path`: NULL with `*ours` false if that is the machine's to say; otherwise the entry,
 * or NULL with errno set. */
const struct sysfs_entry *interpose_find(const char *path, bool *ours);

/* From now on, an access of the GPU to memory that the program has taken away is a fault of the GPU
 * (memory/guard.h). */
void interpose_guard_signals(void);

/* Opens an entry as open(2) does with `flags`. Returns a descriptor, or -1 with errno set. */
int interpose_open_entry(const struct sysfs_entry *entry, int flags);

/* The open file of a descriptor, or NULL if it is none of the node. */
struct node_file *interpose_file(int fd);

/* Remembers a new descriptor of the file. Returns 0, or -1 with errno set, the descriptor closed
 * and the file released. */
int interpose_keep(int fd, struct node_file *file);

/* The plan of faults that the environment gave (VESIM_FAULTS), or NULL. */
const struct faults *interpose_faults(void);

#endif
