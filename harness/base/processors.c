#include "base/processors.h"

#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MAX 64u

/* How many processes the processors are divided among at the moment. */
static size_t sharing = 1;

unsigned processors_available(void)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return 1;
    size_t part = (size_t)CPU_COUNT(&allowed) / sharing;
    return part > 1 ? (unsigned)part : 1;
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

struct division {
    atomic_size_t *next; /* that no process has taken, shared by all */
    size_t count, together;
    void (*work)(void *context, size_t i, size_t end);
    void *context;
};

static void take_part(const struct division *division)
{
    size_t i;

    while ((i = atomic_fetch_add(division->next, division->together)) < division->count) {
        size_t left = division->count - i;

        division->work(division->context, i,
                       i + (left < division->together ? left : division->together));
    }
}

void processors_divide(size_t count, size_t together, unsigned processes,
                       void (*work)(void *context, size_t i, size_t end), void *context)
{
    atomic_size_t *shared = processors_allocate(sizeof(*shared)), alone = 0;
    const struct division division = {shared ? shared : &alone, count, together, work, context};
    size_t pieces = (count + together - 1) / together, outside = sharing;
    size_t most = !shared ? 1 : processes < PROCESSES_MAX ? processes : PROCESSES_MAX;
    size_t parts = pieces < most ? pieces : most;
    pid_t child[PROCESSES_MAX];

    fflush(NULL);
    sharing *= parts > 1 ? parts : 1;
    for (size_t i = 1; i < parts; i++) {
        child[i] = fork();
        if (child[i] != 0)
            continue;
        take_part(&division);
        _exit(EXIT_SUCCESS);
    }
    take_part(&division);
    for (size_t i = 1; i < parts; i++) {
        while (child[i] >= 0 && waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    sharing = outside;
    processors_free(shared, sizeof(*shared));
}
