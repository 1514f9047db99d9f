/* The lines that a message touches, for the clock: each once, in the order in which they are
 * touched. */
#ifndef VESIM_LINES_H
#define VESIM_LINES_H

#include "xe/thread.h"

/* Adds a line, unless it is there. Returns its index. */
static inline uint32_t lines_add(struct access *access, uint64_t line)
{
    uint32_t count = access->line_count;
    if (count == 0 || line > access->highest_line)
        access->highest_line = line;
    else
        for (uint32_t i = count; i-- > 0;)
            if (access->lines[i] == line)
                return i;
    if (count == ACCESS_MAX_LINES)
        return ACCESS_MAX_LINES - 1;
    access->lines[count] = line;
    return access->line_count++;
}

/* Adds those of `bytes` bytes from a physical address on. Returns the index of the last. */
static inline uint32_t lines_add_bytes(const struct thread *thread, uint64_t physical,
                                       uint32_t bytes)
{
    unsigned shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes);
    uint32_t last = 0;
    for (uint64_t line = physical >> shift; line <= (physical + bytes - 1) >> shift; line++)
        last = lines_add(thread->access, line);
    return last;
}

#endif
