/* A fleet over days: planted drifts are found, and no other GPU; chance shows none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "compare/fleet-history.h"

enum { GPUS = 240, FIGURES = 5, FIGURES_ALL = GPUS * FIGURES };

static struct fleet_gpu gpus[GPUS];
static struct fleet_figure figures[FIGURES_ALL];
static uint32_t by_gpu[FIGURES_ALL];
static char hosts[GPUS][16];

/* About normal, of mean 0 and standard deviation 1. */
static double scatter(struct prng *prng)
{
    double sum = 0.0;

    for (int i = 0; i < 12; i++)
        sum += (double)(prng_next(prng) >> 11) / 9007199254740992.0;
    return sum - 6.0;
}

/* GPUs differ by 1 % for good, and by 0.4 % from day to day; some are absent on a day. */
static struct fleet_history make_history(struct prng *prng, size_t days, const double *drift)
{
    struct fleet_history history = {0};
    double always[GPUS];
    struct error error;

    for (size_t g = 0; g < GPUS; g++)
        always[g] = 0.01 * scatter(prng);
    for (size_t day = 0; day < days; day++) {
        struct fleet fleet = {.gpus = gpus,
                              .gpu_count = GPUS,
                              .figures = figures,
                              .figure_count = FIGURES_ALL,
                              .by_gpu = by_gpu};

        for (size_t g = 0; g < GPUS; g++) {
            double of_day = 0.004 * scatter(prng) +
                            (drift ? drift[g] * (double)day / ((double)days - 1.0) : 0.0);

            snprintf(hosts[g], sizeof(hosts[g]), "node%zu", g);
            gpus[g] = (struct fleet_gpu){.host = hosts[g],
                                         .device_uuid = "0",
                                         .figures = prng_next(prng) % 50 ? FIGURES : 0,
                                         .first = FIGURES * g};
            for (size_t f = 0; f < FIGURES; f++) {
                by_gpu[FIGURES * g + f] = (uint32_t)(FIGURES * g + f);
                figures[FIGURES * g + f].deviation =
                    (float)(always[g] + of_day + 0.002 * scatter(prng));
            }
        }
        assert_int_equal(fleet_history_add(&history, &fleet, &error), STATUS_OK);
    }
    return history;
}

static void test_planted_drifts(void **state)
{
    struct prng prng;
    double drift[GPUS] = {[17] = 0.05, [100] = 0.04, [101] = -0.05};

    (void)state;
    prng_seed(&prng, 32);
    for (size_t round = 0; round < 20; round++) {
        struct fleet_history history = make_history(&prng, 7 + round, drift);
        struct error error;

        assert_int_equal(fleet_history_judge(&history, 0.01, &error), STATUS_OK);
        assert_int_equal(history.count, GPUS);
        for (size_t i = 0; i < GPUS; i++) {
            bool is_planted = !strcmp(history.course[i].host, "node17") ||
                              !strcmp(history.course[i].host, "node100");

            /* One that has become faster is none. */
            assert_int_equal(history.course[i].drifts, is_planted);
            if (is_planted)
                assert_true(fabs(history.course[i].drift - 0.045) < 0.025);
        }
        fleet_history_free(&history);
    }
}

static void test_chance_shows_none(void **state)
{
    struct prng prng;

    (void)state;
    prng_seed(&prng, 33);
    for (int fleet = 0; fleet < 100; fleet++) {
        struct fleet_history history = make_history(&prng, 8, NULL);
        struct error error;

        assert_int_equal(fleet_history_judge(&history, 0.0, &error), STATUS_OK);
        for (size_t i = 0; i < GPUS; i++)
            assert_false(history.course[i].drifts);
        fleet_history_free(&history);
    }
}

static void test_too_little(void **state)
{
    struct fleet_history history = {0};
    struct error error;

    (void)state;
    assert_int_equal(fleet_history_judge(&history, 0.01, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "takes 64 GPUs"));
    fleet_history_free(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planted_drifts),
        cmocka_unit_test(test_chance_shows_none),
        cmocka_unit_test(test_too_little),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
