/* Access to the program's memory as a kernel driver does it: an unmapped address is the caller's
 * error, not a crash; and what is checked is a copy, which no other thread can change. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "kmd/node.h"

typedef ssize_t copy_function(pid_t, const struct iovec *, unsigned long, const struct iovec *,
                              unsigned long, unsigned long);

static int copy(copy_function *function, void *ours, uint64_t address, size_t size, bool write)
{
    const struct iovec here = {ours, size};
    const struct iovec there = {(void *)(uintptr_t)address, size};

    if (size == 0)
        return 0;
    ssize_t copied = function(getpid(), &here, 1, &there, 1, 0);
    if (copied == (ssize_t)size)
        return 0;
    if (copied >= 0 || errno == EFAULT)
        return -EFAULT;
    /* Where a sandbox forbids the call, the program's addresses are trusted. */
    if (write)
        memcpy(there.iov_base, ours, size);
    else
        memcpy(ours, there.iov_base, size);
    return 0;
}

int user_read(void *to, uint64_t address, size_t size)
{
    return copy(process_vm_readv, to, address, size, false);
}

int user_write(uint64_t address, const void *from, size_t size)
{
    /* The system call only reads this side, but its type does not say so. */
    return copy(process_vm_writev, (void *)(uintptr_t)from, address, size, true);
}

/* Only the kernel's list of mappings tells a page's protection without touching it. Without that
 * list, every address is trusted. */
bool user_may_write(uint64_t address, uint64_t size)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    uint64_t start, end, until = address;
    char line[512], mode[5];

    if (!maps)
        return true;
    while (until < address + size && fgets(line, sizeof(line), maps)) {
        bool whole = strchr(line, '\n');

        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &start, &end, mode) == 3 &&
            start <= until && until < end) {
            if (mode[0] != 'r' || mode[1] != 'w')
                break;
            until = end;
        }
        while (!whole && fgets(line, sizeof(line), maps)) /* the rest of a long path */
            whole = strchr(line, '\n');
    }
    fclose(maps);
    return until >= address + size;
}
