/* Which GPUs of a fleet are slower than their peers: planted ones are found, with the figures that
 * are slower, and chance names none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "compare/fleet.h"

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

static size_t find(const char *uuid, size_t *its)
{
    struct fleet fleet;
    struct error error;

    assert_int_equal(fleet_find(&fleet, &records, 0.01, &error), STATUS_OK);
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
    assert_int_equal(fleet_find(&fleet, &records, 0.01, &error), STATUS_OK);
    for (size_t i = 0; i < fleet.figure_count; i++) {
        const struct fleet_figure *figure = &fleet.figures[i];
        bool slow = !strcmp(figure->record->device_uuid, "h") &&
                    !strcmp(figure->record->benchmark, "exchange");

        assert_int_equal(figure->slower, slow);
        assert_int_equal(figure->peers, GPUS - 1);
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
    struct fleet fleet;
    struct error error;

    (void)state;
    make_rows(2, 0.0, 0.01, 5);
    assert_int_equal(fleet_find(&fleet, &records, 0.01, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no peers"));
    make_rows(GPUS, 0.0, 0.01, 6);
    for (size_t i = 0; i < records.count; i++)
        rows[i].usable = false;
    assert_int_equal(fleet_find(&fleet, &records, 0.01, &error), STATUS_FAILED);
    /* GPUs of other names are no peers. */
    make_rows(4, 0.0, 0.01, 7);
    for (size_t i = 0; i < records.count; i++)
        rows[i].device_name = i % 4 < 2 ? "one" : "other";
    assert_int_equal(fleet_find(&fleet, &records, 0.01, &error), STATUS_FAILED);
    /* The same measurement of the same GPU. */
    make_rows(3, 0.0, 0.01, 8);
    rows[1].device_uuid = rows[0].device_uuid;
    rows[0].table = rows[1].table = &(const struct csv_table){.path = "file.csv"};
    assert_int_equal(fleet_find(&fleet, &records, 0.01, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "give each once"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_slow_one_is_found),
        cmocka_unit_test(test_only_the_figures_that_are_slow),
        cmocka_unit_test(test_chance_names_none),
        cmocka_unit_test(test_what_cannot_be_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
