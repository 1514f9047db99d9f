#include "base/processors.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MAX 64u

unsigned processors_available(void)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&allowed);
}

void *processors_allocate(size_t bytes)
{
    void *memory = mmap(NULL, bytes + 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

void processors_free(void *memory, size_t bytes)
{
    if (memory)
        munmap(memory, bytes + 1);
}

void processors_divide(size_t count, unsigned processes,
                       void (*work)(void *context, size_t i, size_t end), void *context)
{
    size_t most = processes < PROCESSES_MAX ? processes : PROCESSES_MAX;
    size_t shares = count < most ? count : most;
    pid_t child[PROCESSES_MAX];

    fflush(NULL);
    for (size_t i = 1; i < shares; i++) {
        child[i] = fork();
        if (child[i] != 0)
            continue;
        work(context, count * i / shares, count * (i + 1) / shares);
        _exit(EXIT_SUCCESS);
    }
    if (shares > 0)
        work(context, 0, count / shares);
    for (size_t i = 1; i < shares; i++) {
        if (child[i] < 0)
            work(context, count * i / shares, count * (i + 1) / shares);
        while (child[i] >= 0 && waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
}
