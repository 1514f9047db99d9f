/* Which blocks of a program are compiled, and when. */
#include <pthread.h>
#include <stdlib.h>

#include "isa/compile/background.h"
#include "isa/compile/builder.h"
#include "isa/compile/llvm.h"
#include "isa/fast/fast.h"

/* Two versions of a block: for threads whose lanes are all active where it needs them, and for all
 * others. */
enum { ALL_ACTIVE, SOME_ACTIVE, VERSIONS };

/* Arrivals at a block before it is compiled: interpreting it has then taken about as long as
 * compiling it will. With the clock, of which blocks save less, a few times as long. */
enum {
    HOT = 32768,
    HOT_AHEAD = 65536,
    HOT_IF_KEPT = 8192 /* it may be there already */
};

/* What is known of an instruction as the beginning of a block. */
struct entry {
    struct built_block *versions[VERSIONS]; /* NULL: not compiled */
    uint32_t arrivals;         /* of threads that found no block; not exact if there are several */
    bool is_candidate;         /* threads arrive here otherwise than by going on */
    bool is_settled[VERSIONS]; /* has been, or is about to be, compiled or refused */
    uint8_t passed;            /* versions that were hot before a block that leads here was
                                  compiled: a bit for each */
};

struct compiled {
    const struct program *program;
    enum compile_scope scope;
    enum compile_time time;
    execute_function meet; /* NULL: none */
    const char *folder;    /* see compiled_keep() */
    bool is_checked;
    pthread_mutex_t lock;  /* held by who compiles before execution */
    struct entry *entries; /* one for each instruction */
};

/* A version to be compiled in the background. */
struct version_task {
    struct background_task task;
    struct compiled *compiled;
    uint32_t index;
    unsigned version;
};

static void note_candidate(struct compiled *compiled, int64_t index)
{
    if (index >= 0 && index < compiled->program->count)
        compiled->entries[index].is_candidate = true;
}

/* Where the interpreter begins a run of instructions, branches arrive, and blocks end. */
static void find_candidates(struct compiled *compiled)
{
    const struct program *program = compiled->program;

    note_candidate(compiled, 0);
    for (uint32_t i = 0; i < program->count; i++) {
        const struct inst *inst = &program->insts[i];
        bool is_message = inst->is_shared && inst->opcode != OP_sync;

        if (inst->is_flow) {
            note_candidate(compiled, inst->jip_index);
            note_candidate(compiled, inst->uip_index);
        }
        if (!inst->is_plain && (!is_message || compiled->scope != COMPILE_ALL))
            note_candidate(compiled, (int64_t)i + 1);
        if (compiled->scope == COMPILE_AHEAD && !program->issues[i].joins)
            note_candidate(compiled, i);
    }
}

struct compiled *compiled_create(const struct program *program, enum compile_scope scope,
                                 enum compile_time time, execute_function meet)
{
    struct compiled *compiled = calloc(1, sizeof(*compiled));

    if (!compiled)
        return NULL;
    *compiled = (struct compiled){.program = program, .scope = scope, .time = time, .meet = meet};
    compiled->entries = calloc(program->count, sizeof(*compiled->entries));
    if (!compiled->entries) {
        free(compiled);
        return NULL;
    }
    pthread_mutex_init(&compiled->lock, NULL);
    find_candidates(compiled);
    background_open();
    return compiled;
}

void compiled_destroy(struct compiled *compiled)
{
    if (!compiled)
        return;
    background_close(compiled);
    for (uint32_t i = 0; i < compiled->program->count; i++)
        for (unsigned version = 0; version < VERSIONS; version++) {
            struct built_block *built = compiled->entries[i].versions[version];

            if (built && !llvm_enter()) {
                block_release(built);
                llvm_leave();
            }
            free(built);
        }
    pthread_mutex_destroy(&compiled->lock);
    free(compiled->entries);
    free(compiled);
}

void compiled_keep(struct compiled *compiled, const char *folder)
{
    compiled->folder = folder;
}

void compiled_check(struct compiled *compiled)
{
    compiled->is_checked = true;
}

int32_t compiled_run_both(const struct block *block, struct thread *thread, uint32_t index,
                          uint64_t *executed, uint64_t end)
{
    const struct inst *first = &thread->program->insts[index], *inst = first;
    struct thread *copy = aligned_alloc(alignof(struct thread), sizeof(*copy));
    uint64_t before = *executed;
    bool same;

    if (!copy)
        return -1;
    *copy = *thread;
    int32_t at = block->run(thread, executed, end);
    for (; (uint64_t)(inst - first) < *executed - before; inst++)
        inst->execute(copy, inst);
    same = memcmp(copy->registers, thread->registers, sizeof(copy->registers)) == 0 &&
           memcmp(copy->accumulator, thread->accumulator, sizeof(copy->accumulator)) == 0 &&
           copy->active == thread->active && copy->waiting_count == thread->waiting_count &&
           (at < 0 || inst == &thread->program->insts[at / 2]);
    free(copy);
    return same ? at
                : thread_fault(thread, first,
                               "compiled code and interpreter differ in the block that begins");
}

/* What the block leads over is no longer arrived at as often: it has to become hot once more. The
 * code that a thread runs behind the block is worth compiling, too. */
static void note_built(struct compiled *compiled, uint32_t index, unsigned version,
                       const struct built_block *built)
{
    for (uint32_t i = index + 1; i < built->end; i++) {
        struct entry *entry = &compiled->entries[i];

        __atomic_store_n(&entry->arrivals, 0, __ATOMIC_RELAXED);
        if (__atomic_load_n(&entry->is_settled[version], __ATOMIC_RELAXED))
            entry->passed |= (uint8_t)(1u << version);
    }
    if (built->end < compiled->program->count)
        __atomic_store_n(&compiled->entries[built->end].is_candidate, true, __ATOMIC_RELAXED);
}

/* Whether the version is to be compiled by the caller: nobody has been about to. */
static bool settle(struct compiled *compiled, uint32_t index, unsigned version)
{
    return !__atomic_exchange_n(&compiled->entries[index].is_settled[version], true,
                                __ATOMIC_RELAXED);
}

/* Returns the block, NULL if there is none. */
static const struct built_block *compile(struct compiled *compiled, uint32_t index,
                                         unsigned version)
{
    struct entry *entry = &compiled->entries[index];
    const struct stretch stretch = {.program = compiled->program,
                                    .first = index,
                                    .all_active = version == ALL_ACTIVE,
                                    .scope = compiled->scope,
                                    .meet = compiled->meet,
                                    .folder = compiled->folder};
    struct built_block *built = malloc(sizeof(*built));
    int status = built ? llvm_enter() : -1;

    if (status == 0) {
        status = block_build(&stretch, built);
        llvm_leave();
    }
    if (status) {
        free(built);
        return NULL;
    }
    built->block.is_checked = compiled->is_checked;
    note_built(compiled, index, version, built);
    __atomic_store_n(&entry->versions[version], built, __ATOMIC_RELEASE);
    return built;
}

static void drop_task(struct background_task *task)
{
    free(task);
}

/* Whether a block that leads here has been compiled while this one was waiting for its turn. */
static bool is_superseded(struct entry *entry, unsigned version)
{
    if (!(entry->passed >> version & 1))
        return false;
    entry->passed &= (uint8_t) ~(1u << version);
    __atomic_store_n(&entry->is_settled[version], false, __ATOMIC_RELAXED);
    return true;
}

static void do_task(struct background_task *task);

static void compile_later(struct compiled *compiled, uint32_t index, unsigned version)
{
    struct entry *entry = &compiled->entries[index];
    struct version_task *own = malloc(sizeof(*own));

    if (!own || !settle(compiled, index, version)) {
        free(own);
        return;
    }
    *own = (struct version_task){.task = {.client = compiled, .work = do_task, .drop = drop_task},
                                 .compiled = compiled,
                                 .index = index,
                                 .version = version};
    __atomic_store_n(&entry->arrivals, 0, __ATOMIC_RELAXED);
    if (background_add(&own->task))
        free(own);
}

/* Compiles a block, and then the one behind it if all its threads go on there. */
static void do_task(struct background_task *task)
{
    const struct version_task *own = (const struct version_task *)task;
    const struct built_block *built = NULL;

    if (!is_superseded(&own->compiled->entries[own->index], own->version))
        built = compile(own->compiled, own->index, own->version);
    if (built && built->goes_on && built->end < own->compiled->program->count)
        compile_later(own->compiled, built->end, own->version);
    drop_task(task);
}

static void compile_now(struct compiled *compiled, uint32_t index, unsigned version)
{
    pthread_mutex_lock(&compiled->lock);
    if (settle(compiled, index, version))
        compile(compiled, index, version);
    pthread_mutex_unlock(&compiled->lock);
}

static bool has_lanes(const struct block *block, const struct thread *thread)
{
    return (thread->active & block->lanes) == block->lanes;
}

static bool has_mode(const struct block *block, const struct thread *thread)
{
    return (!block->usual.single || fast_is_usual_mode(thread)) &&
           (!block->usual.half || fast_is_usual_half_mode(thread));
}

/* The version that the thread can run, if any. `*missing`: the one that it could if it were
 * compiled, or VERSIONS. */
static const struct block *find_version(struct entry *entry, const struct thread *thread,
                                        unsigned *missing)
{
    *missing = VERSIONS;
    for (unsigned version = 0; version < VERSIONS; version++) {
        const struct built_block *built =
            __atomic_load_n(&entry->versions[version], __ATOMIC_ACQUIRE);

        if (!built) {
            *missing = version;
            return NULL;
        }
        if (has_lanes(&built->block, thread))
            return has_mode(&built->block, thread) ? &built->block : NULL;
    }
    return NULL;
}

static uint32_t hot_after(const struct compiled *compiled)
{
    return compiled->folder ? HOT_IF_KEPT : compiled->scope == COMPILE_AHEAD ? HOT_AHEAD : HOT;
}

/* A thread has arrived where it could run a block: whether that is to be compiled now. */
static bool is_hot(const struct compiled *compiled, struct entry *entry, unsigned version)
{
    if (!__atomic_load_n(&entry->is_candidate, __ATOMIC_RELAXED) ||
        __atomic_load_n(&entry->is_settled[version], __ATOMIC_RELAXED))
        return false;
    if (compiled->time == COMPILE_AT_ONCE)
        return true;
    uint32_t arrivals = __atomic_load_n(&entry->arrivals, __ATOMIC_RELAXED) + 1;
    __atomic_store_n(&entry->arrivals, arrivals, __ATOMIC_RELAXED);
    return arrivals >= hot_after(compiled);
}

static const struct block *in_turn(const struct block *block, uint64_t executed, uint64_t end)
{
    return block->reach == 0 || executed + block->reach < end ? block : NULL;
}

/* The same where the version for all lanes is not compiled, or the thread cannot run it. Not
 * inline: where it is, nothing need be saved on the stack. */
__attribute__((noinline)) static const struct block *find_otherwise(struct compiled *compiled,
                                                                    const struct thread *thread,
                                                                    uint32_t index,
                                                                    uint64_t executed, uint64_t end)
{
    struct entry *entry = &compiled->entries[index];
    unsigned missing;
    const struct block *block = find_version(entry, thread, &missing);

    while (missing < VERSIONS && is_hot(compiled, entry, missing)) {
        if (compiled->time == COMPILE_WHEN_HOT)
            compile_later(compiled, index, missing);
        else
            compile_now(compiled, index, missing);
        block = find_version(entry, thread, &missing);
    }
    return block ? in_turn(block, executed, end) : NULL;
}

const struct block *compiled_find(struct compiled *compiled, const struct thread *thread,
                                  uint32_t index, uint64_t executed, uint64_t end)
{
    const struct built_block *built =
        __atomic_load_n(&compiled->entries[index].versions[ALL_ACTIVE], __ATOMIC_ACQUIRE);

    return built && has_lanes(&built->block, thread) && has_mode(&built->block, thread)
               ? in_turn(&built->block, executed, end)
               : find_otherwise(compiled, thread, index, executed, end);
}

void compiled_wait(void)
{
    background_wait();
}
