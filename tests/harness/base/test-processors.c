/* Work divided among processes: all of it is done, each piece by one of them, whatever becomes of
 * the others. */
#include "test.h"

#include "base/processors.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { COUNT = 50, TOGETHER = 4, PROCESSES = 3 };

struct seen {
    atomic_uint times[COUNT];
    atomic_uint longest;    /* of what was taken together */
    atomic_uint processors; /* that a part was told it may have, the most */
    pid_t crashes_unless;   /* at the first index; 0: nothing crashes */
};

static void raise_to(atomic_uint *most, unsigned value)
{
    unsigned before = atomic_load(most);

    while (value > before && !atomic_compare_exchange_weak(most, &before, value))
        ;
}

static void see(void *context, size_t i, size_t end)
{
    struct seen *seen = context;

    raise_to(&seen->longest, (unsigned)(end - i));
    raise_to(&seen->processors, processors_available());
    if (seen->crashes_unless && getpid() != seen->crashes_unless)
        _exit(EXIT_FAILURE);
    for (; i < end; i++)
        atomic_fetch_add(&seen->times[i], 1);
    usleep(1000); /* the others get some, too */
}

static struct seen *divide(unsigned processes, pid_t crashes_unless)
{
    struct seen *seen = processors_allocate(sizeof(*seen));

    assert_non_null(seen);
    seen->crashes_unless = crashes_unless;
    processors_divide(COUNT, TOGETHER, processes, see, seen);
    return seen;
}

static void test_each_index_once(void **state)
{
    (void)state;
    for (unsigned processes = 0; processes <= PROCESSES; processes++) {
        struct seen *seen = divide(processes, 0);

        for (size_t i = 0; i < COUNT; i++)
            assert_int_equal(atomic_load(&seen->times[i]), 1);
        assert_int_equal(atomic_load(&seen->longest), TOGETHER);
        processors_free(seen, sizeof(*seen));
    }
}

/* A process that ends takes with it what it was at, and no more. */
static void test_a_process_ends(void **state)
{
    struct seen *seen = divide(PROCESSES, getpid());
    size_t lost = 0;

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        assert_true(atomic_load(&seen->times[i]) <= 1);
        lost += atomic_load(&seen->times[i]) == 0;
    }
    assert_true(lost <= (size_t)TOGETHER * (PROCESSES - 1));
    processors_free(seen, sizeof(*seen));
}

/* What divides its part once more does not take the processors of the others. */
static void test_parts_have_their_processors(void **state)
{
    cpu_set_t allowed;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
    unsigned all = (unsigned)CPU_COUNT(&allowed);
    assert_int_equal(processors_available(), all);
    struct seen *seen = divide(PROCESSES, 0);
    assert_int_equal(atomic_load(&seen->processors), all > PROCESSES ? all / PROCESSES : 1);
    processors_free(seen, sizeof(*seen));
    assert_int_equal(processors_available(), all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_index_once),
        cmocka_unit_test(test_a_process_ends),
        cmocka_unit_test(test_parts_have_their_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
