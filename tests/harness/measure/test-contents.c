/* Times that depend on what buffers hold: a fake device takes as long as the contents' seed says.
 * Are they noticed where they matter, is their mean in the interval, and does nothing else take
 * rounds? */
#include "test.h"

#include "fake-ze.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#define ITERATION_NS 100.0

enum { DEVICES = 100, MANY_THREADS = 64 };

/* What contents do to an iteration's time: so much of it more, for a share of the contents or, if
 * that is 1, for all between nothing and that. */
static struct {
    double effect, share;
    bool warms; /* whatever the contents: see transient() */
    unsigned draws;
} planted;

static double uniform(uint64_t seed)
{
    struct prng prng;

    prng_seed(&prng, seed);
    return (double)prng_below(&prng, 1000000) / 1e6;
}

static double effect_of(uint64_t seed)
{
    double drawn = uniform(seed);

    if (planted.share < 1.0)
        return drawn < planted.share ? planted.effect : 0.0;
    return planted.effect * drawn;
}

/* What caches add while they fill: 60 ticks of the timer altogether, in longer launches the same as
 * in short ones. */
static double transient(double start, double since, double ns)
{
    (void)start;
    (void)since;
    return ns + 3125.0 * (1.0 - exp(-ns / 10000.0));
}

static double true_mean(void)
{
    double mean = planted.share < 1.0 ? planted.share : 0.5;

    return ITERATION_NS * (1.0 + planted.effect * mean);
}

static enum status prepare(struct workspace *workspace, const struct configuration *configuration,
                           struct error *error)
{
    (void)configuration;
    (void)error;
    planted.draws++;
    fake.iteration_ns[0] = ITERATION_NS * (1.0 + effect_of(workspace->seed));
    return STATUS_OK;
}

static const struct variant variants[] = {{FAKE_LOOP}};

static const struct family family = {
    FAKE_FAMILY,
    .variants = variants,
    .variant_count = 1,
    .prepare = prepare,
};

static struct measurement measure(unsigned threads, uint64_t seed)
{
    const struct configuration configuration = {16, 16, threads, {0}};
    const struct measure_options options = {.seed = seed};
    struct kernel kernels[FAKE_VARIANTS];
    struct measurement measurement = {0};
    struct session session;
    struct device device;
    struct error error;

    fake_open(&session, kernels);
    device = *session.device;
    device.slices = device.subslices_per_slice = 1;
    device.eus_per_subslice = device.threads_per_eu = 8;
    session.device = &device;
    fake.computes_nothing = true;
    fake.distort = planted.warms ? transient : NULL;
    fake.launch_ns += 1000.0 * uniform(~seed); /* else all round alike */
    planted.draws = 0;
    if (measure_configuration(&session, &family, &configuration, kernels, &options, NULL, NULL,
                              &measurement, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fake_close(), 0);
    return measurement;
}

/* How many of DEVICES intervals hold the mean over contents, and how many rounds and contents each
 * took. */
struct outcomes {
    unsigned held, rounds[DEVICES], draws[DEVICES];
};

static struct outcomes measure_all(unsigned threads, double effect, double share)
{
    struct outcomes outcomes = {0};

    planted.effect = effect;
    planted.share = share;
    for (unsigned i = 0; i < DEVICES; i++) {
        struct measurement m = measure(threads, 1000 + i);

        assert_int_equal(m.outcome, OUTCOME_OK);
        outcomes.held += m.ci95_lo <= true_mean() && true_mean() <= m.ci95_hi;
        outcomes.rounds[i] = (unsigned)m.values.count;
        outcomes.draws[i] = planted.draws;
    }
    return outcomes;
}

static unsigned count_of(const unsigned *values, unsigned value)
{
    unsigned count = 0;

    for (unsigned i = 0; i < DEVICES; i++)
        count += values[i] == value;
    return count;
}

static void show(const char *what, const struct outcomes *outcomes)
{
    print_message("%s: %u of %u intervals hold the mean, %u are of one round\n", what,
                  outcomes->held, DEVICES, count_of(outcomes->rounds, 1));
}

/* Each launch of the one round has its own, and few threads have four more beforehand. Rounding
 * alone now and then looks like contents. */
static void test_contents_that_do_not_matter(void **state)
{
    (void)state;
    struct outcomes many = measure_all(MANY_THREADS, 0.0, 1.0);
    show("many threads", &many);
    assert_true(many.held >= 0.95 * DEVICES);
    assert_true(count_of(many.draws, 3) >= 0.95 * DEVICES);
    assert_true(count_of(many.rounds, 1) >= 0.95 * DEVICES);
    struct outcomes few = measure_all(1, 0.0, 1.0);
    show("one thread", &few);
    assert_true(few.held >= 0.95 * DEVICES);
    assert_true(count_of(few.draws, 1 + 4 + 3) >= 0.95 * DEVICES);
    assert_true(count_of(few.rounds, 1) >= 0.95 * DEVICES);
}

/* Beyond the stop rule there are rounds. Of many threads three launches tell in nine cases of ten,
 * and of one thread seven contents nearly always. */
static void test_contents_that_matter(void **state)
{
    (void)state;
    struct outcomes many = measure_all(MANY_THREADS, 0.1, 1.0);
    show("many threads", &many);
    assert_true(count_of(many.rounds, 1) <= 0.12 * DEVICES);
    assert_true(many.held >= 0.85 * DEVICES);
    struct outcomes few = measure_all(1, 0.1, 1.0);
    show("one thread", &few);
    assert_true(count_of(few.rounds, 1) <= 0.03 * DEVICES);
    assert_true(few.held >= 0.9 * DEVICES);
    struct outcomes some = measure_all(1, 0.1, 0.3);
    show("three contents in ten", &some);
    assert_true(count_of(some.rounds, 1) <= 0.12 * DEVICES); /* 0.7^7 + 0.3^7 = 8 % are alike */
    assert_true(some.held >= 0.8 * DEVICES);                 /* of six, 12 % are alike */
}

/* One round is enough, and its interval has what contents do. */
static void test_contents_within_the_stop_rule(void **state)
{
    (void)state;
    struct outcomes outcomes = measure_all(1, 0.01, 1.0);
    show("within the stop rule", &outcomes);
    assert_true(count_of(outcomes.rounds, 1) >= 0.5 * DEVICES);
    assert_true(outcomes.held >= 0.9 * DEVICES);
}

/* A short launch's line is bent, with equal contents, too; a long one's is straight. */
static void test_bends_of_something_else(void **state)
{
    (void)state;
    planted.warms = true;
    struct outcomes outcomes = measure_all(MANY_THREADS, 0.0, 1.0);
    planted.warms = false;
    show("caches that fill", &outcomes);
    assert_true(outcomes.held >= 0.95 * DEVICES);
    assert_true(count_of(outcomes.rounds, 1) >= 0.95 * DEVICES);
    for (unsigned i = 0; i < DEVICES; i++)
        assert_true(outcomes.draws[i] > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents_that_do_not_matter),
        cmocka_unit_test(test_contents_that_matter),
        cmocka_unit_test(test_contents_within_the_stop_rule),
        cmocka_unit_test(test_bends_of_something_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
