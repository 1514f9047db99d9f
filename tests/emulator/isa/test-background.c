/* Code that is compiled in the background: while a process forks, exits, or drops the program, and
 * for several threads that arrive at it. test-xe-background [DEVICE] */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isa/compile/compile.h"
#include "isa/compile/llvm.h"
#include "machine.h"
#include "test.h"

enum { ARRIVALS = 1 << 17 /* more than it takes */, LINES = 120, EXITS = 24 };

static struct machine machine; /* assembles */
static struct thread thread;

/* A block that takes some time to compile. */
static struct program *decode(void)
{
    char text[LINES * 64] = "";

    for (unsigned i = 0; i < LINES; i++)
        sprintf(text + strlen(text), "(W) add (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
                20 + i % 32, 20 + i * 7 % 32, 21 + i % 32);
    machine_assemble(&machine, text);
    struct program *program = machine_decode(&machine, VESIM_LANES_BEST);

    assert_non_null(program);
    return program;
}

static const struct block *arrive(struct compiled *compiled)
{
    const struct block *block = NULL;

    for (unsigned i = 0; i < ARRIVALS && !block; i++)
        block = compiled_find(compiled, &thread, 0, 0, UINT64_MAX);
    return block;
}

static bool compiles(struct compiled *compiled)
{
    arrive(compiled);
    compiled_wait();
    return arrive(compiled) != NULL;
}

static void fill(struct thread *filled, const struct program *program)
{
    memset(filled, 0, sizeof(*filled));
    filled->program = program;
    filled->active = filled->dispatched = 0xff;
    for (uint32_t at = 0; at < ARF_NULL; at += 4)
        thread_write32(filled, at, at * 2654435761u);
}

static void test_compiles(void **state)
{
    static struct thread interpreted;
    struct program *program = decode();
    struct compiled *compiled = compiled_create(program, COMPILE_PLAIN, COMPILE_WHEN_HOT, NULL);
    uint64_t executed = 0;

    (void)state;
    assert_non_null(compiled);
    assert_null(compiled_find(compiled, &thread, 0, 0, UINT64_MAX));
    assert_true(compiles(compiled));
    fill(&thread, program);
    fill(&interpreted, program);
    const struct block *block = arrive(compiled);
    int32_t at = block->run(&thread, &executed, UINT64_MAX);
    assert_int_equal(at / 2, executed);
    assert_true(executed >= LINES);
    for (uint32_t i = 0; i < executed; i++)
        assert_int_equal(program->insts[i].execute(&interpreted, &program->insts[i]), 0);
    assert_memory_equal(thread.registers, interpreted.registers, sizeof(thread.registers));
    compiled_destroy(compiled);
    program_free(program);
}

/* Before the compiler begins, while it works, and in between. */
static void test_drops(void **state)
{
    struct program *program = decode();

    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        struct compiled *compiled = compiled_create(program, COMPILE_ALL, COMPILE_WHEN_HOT, NULL);
        struct compiled *other = compiled_create(program, COMPILE_ALL, COMPILE_WHEN_HOT, NULL);

        arrive(compiled);
        arrive(other);
        usleep(i * 300);
        compiled_destroy(compiled);
        if (i % 4 == 0)
            assert_true(compiles(other));
        compiled_destroy(other);
    }
    program_free(program);
}

static void expect_exit(pid_t child)
{
    int status;

    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void test_forks(void **state)
{
    struct program *program = decode();

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        struct compiled *compiled = compiled_create(program, COMPILE_ALL, COMPILE_WHEN_HOT, NULL);

        arrive(compiled);
        usleep(i * 1000);
        pid_t child = fork();
        if (child == 0) {
            struct compiled *own = compiled_create(program, COMPILE_ALL, COMPILE_WHEN_HOT, NULL);
            bool compiled_own = compiles(own);

            compiled_destroy(own);
            compiled_destroy(compiled);
            _exit(!compiled_own);
        }
        expect_exit(child);
        assert_true(compiles(compiled));
        compiled_destroy(compiled);
    }
    program_free(program);
}

/* While LLVM is loaded, starts, and compiles for the first time: the test comes before any that
 * leaves it loaded. */
static void test_exits(void **state)
{
    struct program *program = decode();

    (void)state;
    for (unsigned i = 0; i < EXITS; i++) {
        pid_t child = fork();

        if (child == 0) {
            /* What is left behind on purpose is no leak as long as something points to it. */
            static struct compiled *volatile left;

            left = compiled_create(program, COMPILE_ALL, COMPILE_WHEN_HOT, NULL);
            arrive(left);
            usleep(i * 8000);
            exit(0); /* with what is compiled, and may be in the making */
        }
        expect_exit(child);
    }
    program_free(program);
}

static sem_t entered;
static bool has_left;

static void *stay(void *unused)
{
    (void)unused;
    bool is_inside = !llvm_enter();

    sem_post(&entered);
    usleep(100000);
    has_left = is_inside;
    if (is_inside)
        llvm_leave();
    return NULL;
}

/* LLVM's own objects would be destroyed now. */
static void expect_left(void)
{
    if (!has_left || !llvm_enter())
        _exit(1);
}

/* exit() waits for a thread that compiles, and lets none begin. Before any test that leaves LLVM
 * loaded, too: a handler that is registered before it runs after its own. */
static void test_exit_waits(void **state)
{
    (void)state;
    pid_t child = fork();

    if (child == 0) {
        pthread_t thread_inside;

        sem_init(&entered, 0, 0);
        if (atexit(expect_left) || pthread_create(&thread_inside, NULL, stay, NULL))
            _exit(2);
        sem_wait(&entered);
        exit(0);
    }
    expect_exit(child);
}

static void *arrive_too(void *compiled)
{
    arrive(compiled);
    return NULL;
}

static void test_threads(void **state)
{
    struct program *program = decode();
    struct compiled *compiled = compiled_create(program, COMPILE_ALL, COMPILE_WHEN_HOT, NULL);
    pthread_t threads[4];

    (void)state;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, arrive_too, compiled), 0);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert_true(compiles(compiled));
    compiled_destroy(compiled);
    program_free(program);
}

int main(int argc, char **argv)
{
    machine_create(&machine, argc > 1 ? argv[1] : "a380");
    thread.active = UINT32_MAX;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exits),    cmocka_unit_test(test_exit_waits),
        cmocka_unit_test(test_compiles), cmocka_unit_test(test_drops),
        cmocka_unit_test(test_forks),    cmocka_unit_test(test_threads)};
    int status = cmocka_run_group_tests_name("compiled in the background", tests, NULL, NULL);
    machine_destroy(&machine);
    return status;
}
