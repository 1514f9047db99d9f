/* Results beside published figures: what measures the same is found, what is off says by how much,
 * and every figure that plausible.def names is there. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compare/plausible.h"

static struct record rows[4];
static struct records records = {.record = rows};

/* A row of the whole device at so many GFLOP/s. */
static struct record row_of(const char *variant, double gflops)
{
    return (struct record){.benchmark = "device_arithmetic",
                           .variant = variant,
                           .parameters = "",
                           .usable = true,
                           .value = 1.0,
                           .xe_cores = 8,
                           .workgroup_count = 64,
                           .clock_mhz = 2450.0,
                           .loop_ns = 1000.0,
                           .work_flops = 1000.0 * gflops};
}

static void check(struct plausibilities *all, const char *device)
{
    struct error error;

    snprintf(records.device_name, sizeof(records.device_name), "%s", device);
    assert_int_equal(plausible_check(all, &records, &error), STATUS_OK);
}

static const struct plausibility *find(const struct plausibilities *all, const char *variant)
{
    for (size_t i = 0; i < all->count; i++) {
        if (!strcmp(all->of[i].published->variant, variant))
            return &all->of[i];
    }
    return NULL;
}

static void test_rates(void **state)
{
    struct plausibilities all;

    (void)state;
    rows[0] = row_of("fp32", 2000.0);
    rows[1] = row_of("fp32", 4871.39);
    rows[2] = row_of("fp32", 9000.0); /* of one Xe-core only */
    rows[2].workgroup_count = 1;
    rows[3] = row_of("fp32", 9000.0); /* not verified */
    rows[3].usable = false;
    records.count = 4;
    check(&all, "Intel(R) Graphics [0x56a5]");
    assert_string_equal(all.device, "Arc A380");
    const struct plausibility *fp32 = find(&all, "fp32");
    assert_non_null(fp32);
    assert_ptr_equal(fp32->record, &rows[1]);
    assert_false(fp32->out_of_line);
    assert_true(fabs(fp32->deviation) < 1e-9);
    assert_int_equal(all.measured, 1);
    assert_non_null(fp32->published->source);
    rows[1] = row_of("fp32", 2500.0);
    check(&all, "Intel(R) Arc(TM) A380 Graphics");
    assert_true(find(&all, "fp32")->out_of_line);
    assert_int_equal(all.out_of_line, 1);
    assert_null(find(&all, "read")->record);
}

static void test_latencies(void **state)
{
    static const char *const sets[] = {"working_set=65536", "working_set=4194304",
                                       "working_set=1073741824"};
    static const double ns[] = {61.0, 430.0, 900.0};
    struct plausibilities all;

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        rows[i] = row_of("global_one_lane", 0.0);
        rows[i].benchmark = "latency";
        rows[i].parameters = sets[i];
        rows[i].value = ns[i];
        rows[i].clock_mhz = i == 2 ? 1600.0 : 1000.0;
    }
    records.count = 3;
    check(&all, "Intel(R) Data Center GPU Max 1550");
    assert_int_equal(all.measured, 3);
    assert_int_equal(all.out_of_line, 1); /* 1440 cycles instead of 858 */
    assert_true(fabs(all.of[2].measured - 1440.0) < 1e-6 && all.of[2].out_of_line);
}

static void test_unknown_devices(void **state)
{
    struct plausibilities all;
    struct error error;

    (void)state;
    snprintf(records.device_name, sizeof(records.device_name), "Some GPU");
    assert_int_equal(plausible_check(&all, &records, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "Arc A770"));
}

/* Of every device some figure has a value, a unit and a source. */
static void test_every_figure(void **state)
{
    static const char *const names[] = {
        "A770", "A750",     "A380",    "UHD Graphics 770", "UHD Graphics 730",
        "B580", "Max 1550", "Max 1100"};

    (void)state;
    records.count = 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        struct plausibilities all;

        check(&all, names[i]);
        assert_true(all.count > 0);
        for (size_t k = 0; k < all.count; k++) {
            assert_true(all.of[k].published->value > 0.0);
            assert_true(all.of[k].published->tolerance > 0.0);
            assert_null(all.of[k].record);
        }
    }
}

static void test_sold_as(void **state)
{
    (void)state;
    assert_string_equal(plausible_sold_as("Intel(R) Graphics [0x56a5]"), "Arc A380");
    assert_null(plausible_sold_as("Intel(R) Arc(TM) A380 Graphics"));
    assert_null(plausible_sold_as("Intel(R) Graphics [0x0000]"));
    assert_null(plausible_sold_as(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sold_as),      cmocka_unit_test(test_rates),
        cmocka_unit_test(test_latencies),    cmocka_unit_test(test_unknown_devices),
        cmocka_unit_test(test_every_figure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
