/* In builds without LLVM nothing is compiled. */
#include "isa/compile/compile.h"

struct compiled *compiled_create(const struct program *program, enum compile_scope scope,
                                 enum compile_time time, execute_function meet)
{
    (void)program;
    (void)scope;
    (void)time;
    (void)meet;
    return NULL;
}

void compiled_destroy(struct compiled *compiled)
{
    (void)compiled;
}

void compiled_wait(void)
{
}

void compiled_keep(struct compiled *compiled, const char *folder)
{
    (void)compiled;
    (void)folder;
}

void compiled_check(struct compiled *compiled)
{
    (void)compiled;
}

const struct block *compiled_find(struct compiled *compiled, const struct thread *thread,
                                  uint32_t index, uint64_t executed, uint64_t end)
{
    (void)compiled;
    (void)thread;
    (void)index;
    (void)executed;
    (void)end;
    return NULL;
}

int32_t compiled_run_both(const struct block *block, struct thread *thread, uint32_t index,
                          uint64_t *executed, uint64_t end)
{
    (void)index;
    return block->run(thread, executed, end);
}
