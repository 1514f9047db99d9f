/* The table at the end of a run, of lines put together by hand in another order: its rows, units,
 * rates and what it says of values that are none. */
#include "test.h"

#include "family/common-axes.h"
#include "run/run-table.h"

#include <stdlib.h>
#include <string.h>

#define CLOCK_MHZ 2000.0

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("16", NULL, NULL),
    WORKGROUP_COUNT_AXIS("1", NULL, NULL),
    {.name = "stride", .means = "", .defaults = "1", .kind = AXIS_COUNT, .least = 1, .largest = 9},
};

static const struct variant few_variants[] = {{.name = "none"},
                                              {.name = "some", .baseline = "none"}};
static const struct family few = {.name = "few",
                                  .measures = "a little",
                                  .unit = "ns/unit",
                                  .baseline_unit = "ns/iteration",
                                  .axes = axes,
                                  .axis_count = 4,
                                  .variants = few_variants,
                                  .variant_count = 2};

/* More than there are columns for; the rate of what has no baseline is shown, too. */
static const struct variant many_variants[] = {{.name = "copy"},
                                               {.name = "other", .reference = "copy"},
                                               {.name = "third", .baseline = "copy"},
                                               {.name = "v4"},
                                               {.name = "v5"},
                                               {.name = "v6"},
                                               {.name = "v7"}};

static void work(const struct configuration *configuration, const struct variant *variant,
                 struct work *work)
{
    (void)configuration;
    work->bytes = !strcmp(variant->name, "v4") ? 0.0 : 512.0;
}

static const struct family many = {.name = "many",
                                   .measures = "a lot",
                                   .unit = "ns/KiB",
                                   .baseline_unit = "ns/iteration",
                                   .axes = axes,
                                   .axis_count = 3,
                                   .variants = many_variants,
                                   .variant_count = 7,
                                   .work = work};

static struct measurement measured(double ns)
{
    return (struct measurement){.outcome = OUTCOME_OK,
                                .is_time = true,
                                .value = ns,
                                .iteration_ns = 4.0 * ns,
                                .ci95_lo = 0.9 * ns,
                                .ci95_hi = 1.1 * ns,
                                .values = {.count = 10},
                                .clock_mhz = CLOCK_MHZ,
                                .clock_counted = true};
}

static void add(struct run_table *table, const struct family *family, unsigned lanes,
                unsigned items, unsigned groups, unsigned stride,
                const struct measurement *measurements)
{
    struct table_line *line = &table->lines[table->line_count++];

    *line =
        (struct table_line){.family = family,
                            .configuration = {lanes, items, groups, {stride}},
                            .measurements = malloc(family->variant_count * sizeof(*measurements))};
    assert_non_null(line->measurements);
    memcpy(line->measurements, measurements, family->variant_count * sizeof(*measurements));
}

static char *print(struct run_table *table)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    run_table_print(out, table);
    assert_int_equal(fclose(out), 0);
    run_table_free(table);
    return text;
}

static struct run_table begin(const struct target *target, enum time_unit unit)
{
    return (struct run_table){
        .target = target, .time_unit = unit, .lines = calloc(8, sizeof(struct table_line))};
}

#define FOOT                                                                                       \
    "\n\"< x\": below resolution, the 95 % interval includes zero and ends at x. \"?\": "          \
    "unreliable, the file says why.\n"

static const struct target target = {.kind = DEVICE_HARDWARE};

static void test_columns(void **state)
{
    struct run_table table = begin(&target, TIME_AUTO);
    struct measurement m[2] = {measured(10.0), measured(2.0)};

    (void)state;
    add(&table, &few, 32, 64, 1, 1, m);
    add(&table, &few, 16, 64, 1, 2, m);
    m[1].outcome = OUTCOME_UNRELIABLE;
    add(&table, &few, 16, 64, 8, 1, m);
    m[1].ci95_lo = 0.0;
    add(&table, &few, 16, 128, 1, 1, m);
    m[0].outcome = OUTCOME_EXCLUDED;
    m[1].outcome = OUTCOME_SKIPPED;
    add(&table, &few, 16, 64, 1, 1, m);
    char *text = print(&table);
    assert_string_equal(
        text,
        "\nfew, sub-groups of 16: a little in ns/unit (cycles at 2000 MHz, counter); without a "
        "baseline in ns/iteration\n"
        "work-group  groups                none                some\n"
        "        64       1                   -             skipped  stride=1\n"
        "       128       1             10 (20)             < 2.2 ?  stride=1\n"
        "        64       8             10 (20)             2 (4) ?  stride=1\n"
        "        64       1             10 (20)               2 (4)  stride=2\n"
        "\nfew, sub-groups of 32: a little in ns/unit (cycles at 2000 MHz, counter); without a "
        "baseline in ns/iteration\n"
        "work-group  groups                none                some\n"
        "        64       1             10 (20)               2 (4)  stride=1\n" FOOT);
    free(text);
}

/* In the unit that is asked for; cycles of no known clock stay nanoseconds. */
static void test_units(void **state)
{
    struct run_table table = begin(&target, TIME_CYCLES);
    struct measurement m[2] = {measured(10.0), measured(2.0)};

    (void)state;
    add(&table, &few, 16, 64, 1, 1, m);
    char *text = print(&table);
    assert_non_null(strstr(text,
                           " in cycles/unit (cycles at 2000 MHz, counter); without a baseline "
                           "in cycles/iteration\n"));
    assert_non_null(
        strstr(text, "        64       1                  20                   4  stride=1\n"));
    free(text);
    table = begin(&target, TIME_CYCLES);
    m[0].clock_mhz = m[1].clock_mhz = 0.0;
    m[1].outcome = OUTCOME_FAILED;
    add(&table, &few, 16, 64, 1, 1, m);
    text = print(&table);
    assert_non_null(strstr(text, " in ns/unit; without a baseline in ns/iteration\n"));
    assert_non_null(
        strstr(text, "        64       1                  10              failed  stride=1\n"));
    free(text);
    table = begin(&target, TIME_US);
    add(&table, &few, 16, 64, 1, 1, m);
    text = print(&table);
    assert_non_null(strstr(text, " in us/unit; without a baseline in us/iteration\n"));
    assert_non_null(
        strstr(text, "        64       1                0.01              failed  stride=1\n"));
    free(text);
}

/* One variant a line, without those that have no value; 512 bytes in 40 ns are 12.8 GB/s. */
static void test_lines(void **state)
{
    struct run_table table = begin(&target, TIME_AUTO);
    struct measurement m[7];

    (void)state;
    for (size_t v = 0; v < 7; v++)
        m[v] = measured(10.0 * (double)(v + 1));
    m[4].outcome = OUTCOME_SKIPPED;
    m[5].outcome = OUTCOME_EXCLUDED;
    m[6].outcome = OUTCOME_FAILED;
    m[6].iteration_ns = 0.0;
    add(&table, &many, 16, 64, 2, 0, m);
    char *text = print(&table);
    assert_string_equal(
        text,
        "\nmany, sub-groups of 16: a lot in ns/KiB (cycles at 2000 MHz, counter)\n"
        "  work-group 64, 2 work-groups\n"
        "    copy                                     10 (20)  ns/iteration, 12.8 GB/s\n"
        "    other                                    20 (40)  ns/iteration, 6.4 GB/s, 2 times "
        "copy\n"
        "    third                                    30 (60)  ns/KiB\n"
        "    v4                                       40 (80)  ns/iteration\n"
        "    v7                                        failed  ns/iteration\n" FOOT);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
