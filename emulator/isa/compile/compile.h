/* Compiled code for hot parts of programs, for execution without the clock. A block is a stretch of
 * instructions from one at which threads often arrive: over messages, up to where the flow of
 * control parts. Whatever a block cannot do itself it leaves to the functions that interpret its
 * instructions; the results are the same, to the bit. */
#ifndef VESIM_COMPILE_H
#define VESIM_COMPILE_H

#include "isa/thread/thread.h"

/* Executes the block on the thread, and again as long as it loops back to its beginning. Adds to
 * `*executed`, and stops before it would reach `end` between two instructions where a thread's turn
 * may end. Returns where to go on: the index of an instruction times 2, plus 1 if the turn cannot
 * end in front of it; or -1 with the thread's fault set. */
typedef int32_t (*block_function)(struct thread *thread, uint64_t *executed, uint64_t end);

/* Floats of these precisions have to be rounded to nearest, and their denormals kept. */
struct usual_modes {
    bool single, half;
};

struct block {
    block_function run;
    uint32_t lanes; /* of the thread that have to be active */
    uint32_t reach; /* instructions up to the last point before its first branch at which a
                       turn may end */
    struct usual_modes usual;
    bool is_checked; /* see compiled_check() */
};

/* The compiled code of a program. */
struct compiled;

enum compile_scope {
    COMPILE_ALL,
    COMPILE_PLAIN, /* blocks end before messages and flow: they have effects on the thread alone */
    COMPILE_AHEAD, /* and before instructions that wait until they issue (isa/decode/issue.h): with
                      the clock, threads run them ahead of it */
};

enum compile_time {
    COMPILE_AT_ONCE,  /* before it is executed, by who would execute it */
    COMPILE_WHEN_HOT, /* in the background, once threads have often arrived */
};

/* NULL: out of memory, or not in this build. The program is borrowed. `meet` executes a signal to a
 * barrier, with the wait for one if program_waits_behind() it, or a wait alone, and what that means
 * for other threads; NULL: blocks end before. */
struct compiled *compiled_create(const struct program *program, enum compile_scope scope,
                                 enum compile_time time, execute_function meet);
void compiled_destroy(struct compiled *compiled);

/* Returns when nothing is compiled in the background, or waits for it, in the whole process. */
void compiled_wait(void);

/* Code is kept in the folder, for other processes, and taken from there. Borrowed; NULL: it is not.
 * Before anything is compiled. */
void compiled_keep(struct compiled *compiled, const char *folder);

/* From now on, the interpreter checks what blocks do. Their scope must not be COMPILE_ALL. */
void compiled_check(struct compiled *compiled);

/* The block that the thread can run from instruction `index` on, if one is compiled, having
 * executed so much of its turn; NULL if none is. Counts arrivals, and compiles on the way. May be
 * called by several threads. */
const struct block *compiled_find(struct compiled *compiled, const struct thread *thread,
                                  uint32_t index, uint64_t executed, uint64_t end);

/* Runs the block, and the interpreter on a copy of the thread: see compiled_run(). */
int32_t compiled_run_both(const struct block *block, struct thread *thread, uint32_t index,
                          uint64_t *executed, uint64_t end);

/* Runs the block found for instruction `index` on the thread; returns what block_function does, or
 * -1 with a fault if the interpreter disagrees. */
static inline int32_t compiled_run(const struct block *block, struct thread *thread, uint32_t index,
                                   uint64_t *executed, uint64_t end)
{
    return block->is_checked ? compiled_run_both(block, thread, index, executed, end)
                             : block->run(thread, executed, end);
}

#endif
