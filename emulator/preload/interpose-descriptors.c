/* The node's descriptors, and the functions that duplicate and close descriptors. */
#include "preload/interpose.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#define DESCRIPTORS_MAX 65536

/* By descriptor; each entry holds a reference. */
static struct node_file *files[DESCRIPTORS_MAX];

struct node_file *interpose_file(int fd)
{
    if (fd < 0 || fd >= DESCRIPTORS_MAX)
        return NULL;
    return __atomic_load_n(&files[fd], __ATOMIC_ACQUIRE);
}

/* Takes the descriptor, which is or is about to be closed, from its file. */
static void forget(int fd)
{
    if (!interpose_file(fd))
        return;
    struct node_file *file = __atomic_exchange_n(&files[fd], NULL, __ATOMIC_ACQ_REL);
    if (file)
        node_release(file);
}

int interpose_keep(int fd, struct node_file *file)
{
    if (fd >= DESCRIPTORS_MAX) {
        node_release(file);
        close(fd);
        errno = EMFILE;
        return -1;
    }
    __atomic_store_n(&files[fd], file, __ATOMIC_RELEASE);
    return 0;
}

/* `to` is a new descriptor of what `from` is one of, or -1. */
static int duplicated(int from, int to)
{
    struct node_file *file = interpose_file(from);

    if (to < 0 || !file)
        return to;
    node_retain(file);
    return interpose_keep(to, file) ? -1 : to;
}

EXPORT int close(int fd)
{
    NEXT(close, int, int)

    forget(fd);
    return next(fd);
}

EXPORT int close_range(unsigned first, unsigned last, int flags)
{
    NEXT(close_range, int, unsigned, unsigned, int)

    for (unsigned fd = first; flags == 0 && fd <= last && fd < DESCRIPTORS_MAX; fd++)
        forget((int)fd);
    return next(first, last, flags);
}

EXPORT void closefrom(int first)
{
    NEXT(closefrom, void, int)

    for (int fd = first < 0 ? 0 : first; fd < DESCRIPTORS_MAX; fd++)
        forget(fd);
    next(first);
}

EXPORT int dup(int fd)
{
    NEXT(dup, int, int)

    return duplicated(fd, next(fd));
}

/* Only on success does what `to` was end. */
#define DUPLICATE_TO(result)                                                                       \
    int made = (result);                                                                           \
    if (made < 0 || from == to)                                                                    \
        return made;                                                                               \
    forget(to);                                                                                    \
    return duplicated(from, made);

EXPORT int dup2(int from, int to){NEXT(dup2, int, int, int) DUPLICATE_TO(next(from, to))}

EXPORT int dup3(int from, int to,
                int flags){NEXT(dup3, int, int, int, int) DUPLICATE_TO(next(from, to, flags))}

/* Its third argument is a number or a pointer; both are passed the same way. */
#define FCNTL(name)                                                                                \
    EXPORT int name(int fd, int command, ...)                                                      \
    {                                                                                              \
        NEXT(name, int, int, int, ...)                                                             \
        va_list arguments;                                                                         \
        void *argument;                                                                            \
        int result;                                                                                \
                                                                                                   \
        va_start(arguments, command);                                                              \
        argument = va_arg(arguments, void *);                                                      \
        va_end(arguments);                                                                         \
        result = next(fd, command, argument);                                                      \
        return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? duplicated(fd, result) : result; \
    }

FCNTL(fcntl) FCNTL(fcntl64)
