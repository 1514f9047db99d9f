/*
 * What memory access costs on an emulated device, by family latency and families memory_8 and
 * memory_32: what the literature agrees on has to come out, for the reasons that the model's
 * counters give. Comparisons only: no figure is known to be right.
 *
 * Argument: the emulated device.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv-file.h"
#include "process.h"
#include "sweep.h"

enum { PATH_CHARS = 256 };

/* Eight sub-groups of an Xe-core, each in a vector engine of its own. */
static const char *const eight_subgroups_8[] = {
    "memory_8",          "--axis", "subgroup_size=16", "--axis", "workgroup_size=128", "--axis",
    "workgroup_count=1", "--axis", "working_set=64K",  "--axis", "stride=1",           NULL};

/* Of the narrowest sub-groups: a work-group of any width fits an Xe-core. */
enum { NARROWEST_LANES = 8, BYTES_PER_ITEM = 128 };

static struct csv_file memory_8, memory_32, latency, counters;
static bool has_first_level;

static double number(const struct csv_file *csv, size_t row, const char *column)
{
    const char *text = csv_file_field(csv, row, column);
    char *end;
    double value = text ? strtod(text, &end) : 0;

    if (!text || end == text || *end)
        fail_msg("row %zu: %s is \"%s\", no number", row, column, text ? text : "not there");
    return value;
}

/* A figure of the device, as its description has it. */
static unsigned long figure(const char *description, const char *name)
{
    char start[PATH_CHARS];

    snprintf(start, sizeof(start), "\n  %s ", name);
    const char *line = strstr(description, start);
    if (!line)
        fail_msg("%s is not described", name);
    return strtoul(line + strlen(start), NULL, 10);
}

static char *describe(void)
{
    char path[PATH_CHARS];
    char *argv[] = {getenv("VESIM"), "--describe", (char *)sweep_device, NULL};

    snprintf(path, sizeof(path), "%s-memory-device.txt", sweep_device);
    assert_int_equal(process_run(argv, NULL, path, "/dev/null"), 0);
    char *text = process_read_file(path);
    assert_non_null(text);
    remove(path);
    return text;
}

/* Work-items of the largest work-group: sub-groups for every hardware thread of an Xe-core. */
static unsigned long largest_group(const char *description)
{
    unsigned long threads =
        figure(description, "ves_per_xe_core") * figure(description, "threads_per_ve");
    unsigned long items = 1;

    while (2 * items <= threads * NARROWEST_LANES)
        items *= 2;
    return items;
}

static int run_all(void **state)
{
    static const char *const sets[] = {
        "latency", "--axis", "subgroup_size=16", "--axis", "working_set=16K,256K,2L", NULL};
    char path[PATH_CHARS], variable[PATH_CHARS + 16];
    char size[PATH_CHARS], set[PATH_CHARS];
    const char *const count[] = {variable, NULL};
    const char *const many_subgroups_32[] = {"memory_32", "--axis", "subgroup_size=16",  "--axis",
                                             size,        "--axis", "workgroup_count=1", "--axis",
                                             set,         "--axis", "stride=1",          NULL};

    (void)state;
    /* as many sub-groups as a group has on the device: they keep two lines a cycle busy */
    char *description = describe();
    unsigned long items = largest_group(description);
    has_first_level = figure(description, "l1_bytes") > 0;
    free(description);
    snprintf(size, sizeof(size), "workgroup_size=%lu", items);
    snprintf(set, sizeof(set), "working_set=%lu", items * BYTES_PER_ITEM);
    snprintf(path, sizeof(path), "%s-memory-counters.csv", sweep_device);
    snprintf(variable, sizeof(variable), "VESIM_COUNTERS=%s", path);
    remove(path);
    sweep_rows(&memory_32, "memory-32", many_subgroups_32, count);
    sweep_rows(&memory_8, "memory-8", eight_subgroups_8, NULL);
    sweep_rows(&latency, "latency", sets, NULL);
    return csv_file_load(&counters, path);
}

static int free_all(void **state)
{
    (void)state;
    csv_file_free(&memory_32);
    csv_file_free(&memory_8);
    csv_file_free(&latency);
    csv_file_free(&counters);
    return 0;
}

static size_t row_of(const struct csv_file *csv, const char *variant)
{
    size_t row = 0;

    while (row < csv->row_count && strcmp(csv_file_field(csv, row, "variant"), variant) != 0)
        row++;
    if (row == csv->row_count)
        fail_msg("no row of %s", variant);
    assert_string_equal(csv_file_field(csv, row, "status"), "ok");
    return row;
}

static double bandwidth(const struct csv_file *csv, const char *operation, const char *pattern)
{
    char variant[PATH_CHARS];

    snprintf(variant, sizeof(variant), "%s_%s", operation, pattern);
    return number(csv, row_of(csv, variant), "gb_per_s");
}

static void assert_faster(const struct csv_file *csv, const char *operation, const char *quick,
                          const char *slow)
{
    double a = bandwidth(csv, operation, quick), b = bandwidth(csv, operation, slow);

    if (!(a > b))
        fail_msg("%s: %g GB/s by %s, %g by %s", operation, a, quick, b, slow);
}

/* Something else limits both: neither is more than a twentieth slower. */
static void assert_alike(const struct csv_file *csv, const char *operation, const char *one,
                         const char *other)
{
    double a = bandwidth(csv, operation, one), b = bandwidth(csv, operation, other);

    if (!(a > 0.95 * b))
        fail_msg("%s: %g GB/s by %s, %g by %s", operation, a, one, b, other);
}

static const char *const operations[] = {"load", "store", "copy"};

enum { OPERATIONS = sizeof(operations) / sizeof(operations[0]) };

static void test_side_by_side_beats_item_by_item(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATIONS; i++) {
        assert_faster(&memory_32, operations[i], "subgroup", "item");
        assert_faster(&memory_32, operations[i], "subgroup", "gather");
    }
}

/* Byte accesses are limited by messages; 32-bit accesses, and vectors whose lanes lie far apart, by
 * lines. */
static void test_wider_is_faster_until_lines_bind(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATIONS; i++) {
        assert_faster(&memory_8, operations[i], "vec2", "subgroup");
        assert_faster(&memory_8, operations[i], "vec4", "vec2");
        assert_faster(&memory_8, operations[i], "vec8", "vec4");
        assert_alike(&memory_32, operations[i], "vec2", "subgroup");
        assert_faster(&memory_32, operations[i], "vec4", "vec16");
        assert_true(bandwidth(&memory_32, operations[i], "subgroup") >
                    bandwidth(&memory_8, operations[i], "subgroup"));
    }
}

/* The median of what blocks of 2, 4 and 8 reach. */
static double bandwidth_of_blocks(const char *operation)
{
    double two = bandwidth(&memory_32, operation, "block2"),
           four = bandwidth(&memory_32, operation, "block4"),
           eight = bandwidth(&memory_32, operation, "block8");

    if ((two < four) == (four < eight))
        return four;
    return (four < two) == (two < eight) ? two : eight;
}

/* A block of 8 takes an eighth of the messages that bytes take one by one. Larger blocks of 32-bit
 * elements take fewer messages, too, but as many lines, and the sub-groups keep the lines busy. The
 * order in which threads come to stand in the queues may cost one of the sizes a tenth: on iris-xe
 * copies of two, with an L3 of 146 or 149 cycles, but not of 143 or 153. */
static void test_blocks_are_faster_by_fewer_messages(void **state)
{
    (void)state;
    for (size_t i = 0; i < OPERATIONS; i++) {
        double blocks = bandwidth_of_blocks(operations[i]),
               elements = bandwidth(&memory_32, operations[i], "subgroup");

        if (!(blocks > 0.95 * elements))
            fail_msg("%s: %g GB/s by blocks, %g by subgroup", operations[i], blocks, elements);
        assert_true(bandwidth(&memory_32, operations[i], "block2") > 0.85 * elements);
        assert_true(bandwidth(&memory_32, operations[i], "block4") > 0.85 * elements);
        assert_true(bandwidth(&memory_32, operations[i], "block8") > 0.85 * elements);
        assert_faster(&memory_8, operations[i], "block8", "subgroup");
    }
}

/* Lines per message of a kernel, from the launches that differ only in iterations; 0 without any
 * messages in the loop. */
static double counted(const char *kernel)
{
    size_t shortest = SIZE_MAX, longest = SIZE_MAX;

    for (size_t row = 0; row < counters.row_count; row++) {
        double cycles = number(&counters, row, "duration_cycles");

        if (strcmp(csv_file_field(&counters, row, "kernel_address"), kernel) != 0)
            continue;
        if (shortest == SIZE_MAX || cycles < number(&counters, shortest, "duration_cycles"))
            shortest = row;
        if (longest == SIZE_MAX || cycles > number(&counters, longest, "duration_cycles"))
            longest = row;
    }
    double messages = number(&counters, longest, "load_messages") +
                      number(&counters, longest, "store_messages") -
                      number(&counters, shortest, "load_messages") -
                      number(&counters, shortest, "store_messages");
    double lines =
        number(&counters, longest, "load_lines") + number(&counters, longest, "store_lines") -
        number(&counters, shortest, "load_lines") - number(&counters, shortest, "store_lines");
    return messages > 0 ? lines / messages : 0;
}

static int first_of_kernel(size_t row)
{
    const char *kernel = csv_file_field(&counters, row, "kernel_address");

    for (size_t before = 0; before < row; before++) {
        if (strcmp(csv_file_field(&counters, before, "kernel_address"), kernel) == 0)
            return 0;
    }
    return 1;
}

/* For each number of lines per message that families declare, as many kernels have exactly that
 * count. */
static void test_declared_lines_are_counted(void **state)
{
    static const double ratios[] = {1, 2, 4, 8, 16};

    (void)state;
    for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++) {
        size_t declared = 0, found = 0;

        for (size_t row = 0; row < memory_32.row_count; row++) {
            const char *text = csv_file_field(&memory_32, row, "lines_per_message");

            declared += *text && strtod(text, NULL) == ratios[i];
        }
        for (size_t row = 0; row < counters.row_count; row++) {
            if (first_of_kernel(row))
                found += counted(csv_file_field(&counters, row, "kernel_address")) == ratios[i];
        }
        assert_true(declared > 0);
        if (found < declared)
            fail_msg("%zu kernels declare %g lines a message, %zu have them", declared, ratios[i],
                     found);
    }
}

/* Of a variant with the smallest (0), middle (1) or largest (2) working set. */
static double latency_cycles(const char *variant, size_t rank)
{
    double bytes[3], cycles[3];
    size_t count = 0;

    for (size_t row = 0; row < latency.row_count; row++) {
        const char *parameters = csv_file_field(&latency, row, "parameters");

        if (strcmp(csv_file_field(&latency, row, "variant"), variant) != 0)
            continue;
        assert_true(count < 3);
        assert_string_equal(csv_file_field(&latency, row, "status"), "ok");
        bytes[count] = strtod(parameters + strlen("working_set="), NULL);
        cycles[count++] = number(&latency, row, "cycles");
    }
    assert_int_equal(count, 3);
    for (size_t i = 0; i < count; i++) {
        size_t smaller = 0;

        for (size_t j = 0; j < count; j++)
            smaller += bytes[j] < bytes[i];
        if (smaller == rank)
            return cycles[i];
    }
    return 0;
}

/* The first level, if there is one, is faster than the last; memory is slower than both. */
static void test_farther_is_slower(void **state)
{
    static const char *const variants[] = {"global_scalar", "global_one_lane", "global_uniform",
                                           "global_divergent"};

    (void)state;
    for (size_t i = 0; i < sizeof(variants) / sizeof(variants[0]); i++) {
        double near = latency_cycles(variants[i], 0), middle = latency_cycles(variants[i], 1);

        assert_true(middle > 0.99 * near);
        if (has_first_level)
            assert_true(middle > 2 * near);
        assert_true(latency_cycles(variants[i], 2) > 1.5 * middle);
    }
}

/* One address for each lane takes longer than one for all; local memory is faster than global. */
static void test_more_addresses_are_slower(void **state)
{
    double slm = 0, slm_divergent = 0;

    (void)state;
    for (size_t rank = 0; rank < 3; rank++)
        assert_true(latency_cycles("global_divergent", rank) >
                    latency_cycles("global_uniform", rank));
    for (size_t row = 0; row < latency.row_count; row++) {
        if (strcmp(csv_file_field(&latency, row, "status"), "ok") != 0)
            continue;
        if (strcmp(csv_file_field(&latency, row, "variant"), "slm_uniform") == 0)
            slm = number(&latency, row, "cycles");
        if (strcmp(csv_file_field(&latency, row, "variant"), "slm_divergent") == 0)
            slm_divergent = number(&latency, row, "cycles");
    }
    assert_true(slm > 0 && slm_divergent > slm);
    assert_true(latency_cycles("global_uniform", 0) > slm);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_side_by_side_beats_item_by_item),
        cmocka_unit_test(test_wider_is_faster_until_lines_bind),
        cmocka_unit_test(test_blocks_are_faster_by_fewer_messages),
        cmocka_unit_test(test_declared_lines_are_counted),
        cmocka_unit_test(test_farther_is_slower),
        cmocka_unit_test(test_more_addresses_are_slower),
    };

    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, run_all, free_all);
}
