/* Which GPUs of a fleet are slower than their peers: planted ones are found, with the figures that
 * are slower, and chance names none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "compare/fleet.h"
#include "math/many-tests.h"

enum { GPUS = 8, FIGURES = 40, ROWS = GPUS * FIGURES };

static struct record rows[ROWS];
static struct records records = {.record = rows};

/* About normal, of mean 0 and standard deviation 1. */
static double scatter(struct prng *prng)
{
    double sum = 0.0;

    for (int i = 0; i < 12; i++)
        sum += (double)(prng_next(prng) >> 11) / 9007199254740992.0;
    return sum - 6.0;
}

/* Rows of `gpus` GPUs of one name, that differ by `between`, with intervals as measurements that
 * scatter by `within` have them; both relative standard deviations. */
static void make_rows(size_t gpus, double between, double within, uint64_t seed)
{
    struct prng prng;

    prng_seed(&prng, seed);
    records.count = gpus * FIGURES;
    for (size_t i = 0; i < records.count; i++) {
        size_t figure = i / gpus;
        double typical = 10.0 + (double)figure;
        double mean = typical * (1.0 + between * scatter(&prng) + within * scatter(&prng));
        static const char *const uuids[GPUS] = {"a", "b", "c", "d", "e", "f", "g", "h"};

        rows[i] = (struct record){
            .benchmark = figure < FIGURES / 2 ? "barrier" : "exchange",
            .variant = "v",
            .parameters = "",
            .unit = "ns",
            .host = "host",
            .device_name = "GPU",
            .device_uuid = uuids[i % gpus],
            .rank = NAN,
            .subgroup_size = 16,
            .workgroup_size = 64,
            .workgroup_count = (unsigned)figure + 1,
            .usable = true,
            .value = mean,
            .ns_mean = mean,
            .ci95_lo_ns = mean - 1.96 * within * typical,
            .ci95_hi_ns = mean + 1.96 * within * typical,
        };
    }
}

/* Makes a GPU slower in the figures of one benchmark, or of all if it is NULL. */
static void slow_down(const char *uuid, const char *benchmark, double factor)
{
    for (size_t i = 0; i < records.count; i++) {
        struct record *row = &rows[i];

        if (strcmp(row->device_uuid, uuid) != 0 || (benchmark && strcmp(row->benchmark, benchmark)))
            continue;
        row->ns_mean *= factor;
        row->ci95_lo_ns *= factor;
        row->ci95_hi_ns *= factor;
    }
}

/* How many figures of GPUs other than this one are named. */
static size_t named_but(const struct fleet *fleet, const char *uuid, size_t *its)
{
    size_t others = 0;

    *its = 0;
    for (size_t i = 0; i < fleet->gpu_count; i++) {
        if (uuid && !strcmp(fleet->gpus[i].device_uuid, uuid))
            *its = fleet->gpus[i].slower;
        else
            others += fleet->gpus[i].slower;
    }
    return others;
}

static enum status judge(struct fleet *fleet, struct error *error)
{
    enum status status = STATUS_OK;

    memset(fleet, 0, sizeof(*fleet));
    for (size_t i = 0; status == STATUS_OK && i < records.count; i++)
        status = fleet_add(fleet, &rows[i], error);
    return status == STATUS_OK ? fleet_judge(fleet, 0.01, error) : status;
}

/* The same, expecting it to be refused with words that contain `why`. */
static void assert_refused(const char *why)
{
    struct fleet fleet;
    struct error error;

    assert_int_equal(judge(&fleet, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, why));
    fleet_free(&fleet);
}

static size_t find(const char *uuid, size_t *its)
{
    struct fleet fleet;
    struct error error;

    assert_int_equal(judge(&fleet, &error), STATUS_OK);
    size_t others = named_but(&fleet, uuid, its);
    fleet_free(&fleet);
    return others;
}

static void test_a_slow_one_is_found(void **state)
{
    size_t its;

    (void)state;
    make_rows(GPUS, 0.0, 0.002, 1);
    slow_down("c", NULL, 1.03);
    assert_int_equal(find("c", &its), 0);
    assert_int_equal(its, FIGURES);
    /* Among GPUs that differ by more than their measurements. */
    make_rows(GPUS, 0.005, 0.001, 2);
    slow_down("a", NULL, 1.05);
    assert_int_equal(find("a", &its), 0);
    assert_true(its > FIGURES * 9 / 10);
    /* Three are enough. */
    make_rows(3, 0.0, 0.002, 3);
    slow_down("b", NULL, 1.05);
    assert_int_equal(find("b", &its), 0);
    assert_int_equal(its, FIGURES);
}

static void test_only_the_figures_that_are_slow(void **state)
{
    struct fleet fleet;
    struct error error;

    (void)state;
    make_rows(GPUS, 0.001, 0.001, 4);
    slow_down("h", "exchange", 1.04);
    assert_int_equal(judge(&fleet, &error), STATUS_OK);
    for (size_t i = 0; i < fleet.figure_count; i++) {
        const struct fleet_figure *figure = &fleet.figures[i];
        const struct fleet_place *place = &fleet.places[figure->place];
        bool slow = !strcmp(fleet.gpus[figure->gpu].device_uuid, "h") &&
                    !strcmp(place->benchmark, "exchange");

        assert_int_equal(figure->slower, slow);
        assert_int_equal(place->gpus, GPUS);
    }
    fleet_free(&fleet);
}

/* All figures of a fleet together are wrong one time in twenty at most. */
static void test_chance_names_none(void **state)
{
    enum { FLEETS = 100 };
    unsigned wrong = 0;
    size_t its;

    (void)state;
    for (uint64_t seed = 1; seed <= FLEETS; seed++) {
        make_rows(3 + seed % (GPUS - 2), seed % 2 ? 0.02 : 0.0, 0.01, seed);
        wrong += find(NULL, &its) > 0;
    }
    assert_true(wrong <= FLEETS / 10);
}

static void test_what_cannot_be_compared(void **state)
{
    (void)state;
    make_rows(2, 0.0, 0.01, 5);
    assert_refused("no peers");
    make_rows(GPUS, 0.0, 0.01, 6);
    for (size_t i = 0; i < records.count; i++)
        rows[i].usable = false;
    assert_refused("no peers");
    /* GPUs of other names are no peers. */
    make_rows(4, 0.0, 0.01, 7);
    for (size_t i = 0; i < records.count; i++)
        rows[i].device_name = i % 4 < 2 ? "one" : "other";
    assert_refused("no peers");
    /* The same measurement of the same GPU. */
    make_rows(3, 0.0, 0.01, 8);
    rows[1].device_uuid = rows[0].device_uuid;
    rows[0].table = rows[1].table = &(const struct csv_table){.path = "file.csv"};
    assert_refused("give each once");
}

enum { MANY = 600, MANY_FIGURES = 20 };

/* A row of a fleet so large that the rate of false discoveries is limited. */
static void add_one_of_many(struct fleet *fleet, struct prng *prng, unsigned gpu, unsigned figure,
                            double factor)
{
    double typical = 10.0 + figure, mean = typical * factor * (1.0 + 0.02 * scatter(prng));
    char uuid[16];
    struct error error;

    snprintf(uuid, sizeof(uuid), "%u", gpu);
    const struct record row = {
        .benchmark = "barrier",
        .variant = "v",
        .parameters = "",
        .unit = "ns",
        .host = "host",
        .device_name = "GPU",
        .device_uuid = uuid,
        .rank = gpu,
        .subgroup_size = 16,
        .workgroup_size = 64,
        .workgroup_count = figure + 1,
        .usable = true,
        .value = mean,
        .ns_mean = mean,
        .ci95_lo_ns = mean - 0.01 * typical,
        .ci95_hi_ns = mean + 0.01 * typical,
    };

    assert_int_equal(fleet_add(fleet, &row, &error), STATUS_OK);
}

/* GPUs whose number 50 divides are slower if `slow` is set, those of number 7 in one figure. */
static void judge_many(struct fleet *fleet, uint64_t seed, bool slow)
{
    struct prng prng;
    struct error error;

    memset(fleet, 0, sizeof(*fleet));
    prng_seed(&prng, seed);
    for (unsigned gpu = 0; gpu < MANY; gpu++) {
        for (unsigned figure = 0; figure < MANY_FIGURES; figure++) {
            bool planted = slow && (gpu % 50 == 0 || (gpu == 7 && figure == 3));

            add_one_of_many(fleet, &prng, gpu, figure, planted ? 1.3 : 1.0);
        }
    }
    assert_int_equal(fleet_judge(fleet, 0.01, &error), STATUS_OK);
    assert_true(fleet->is_rate);
}

static void test_many(void **state)
{
    struct fleet fleet;

    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        judge_many(&fleet, seed, true);
        for (size_t i = 0; i < fleet.gpu_count; i++)
            assert_int_equal(fleet.gpus[i].slower, i % 50 == 0 ? MANY_FIGURES : i == 7);
        const struct fleet_gpu *seventh = &fleet.gpus[7];
        assert_int_equal(fleet.figures[fleet.by_gpu[seventh->first]].place, 3);
        fleet_free(&fleet);
    }
}

static void test_chance_names_none_of_many(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct fleet fleet;
        size_t its;

        judge_many(&fleet, seed, false);
        assert_int_equal(named_but(&fleet, NULL, &its), 0);
        fleet_free(&fleet);
    }
}

/* The worked example of Benjamini and Hochberg (1995), section 4: of fifteen probabilities the four
 * smallest are below a rate of 0.05. */
static void test_rate_of_false_discoveries(void **state)
{
    double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                  0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
    struct error error;

    (void)state;
    assert_int_equal(discoveries_correct(p, 15, sizeof(*p), &error), STATUS_OK);
    for (size_t i = 0; i < 15; i++)
        assert_int_equal(p[i] <= 0.05, i < 4);
    assert_true(fabs(p[0] - 0.0015) < 1e-12);
    assert_true(fabs(p[3] - 0.0095 * 15 / 4) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slow_one_is_found),
        cmocka_unit_test(test_only_the_figures_that_are_slow),
        cmocka_unit_test(test_chance_names_none),
        cmocka_unit_test(test_what_cannot_be_compared),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_chance_names_none_of_many),
        cmocka_unit_test(test_rate_of_false_discoveries),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
