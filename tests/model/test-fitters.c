/* The fitters of each family against rows computed from known parameters, in cycles at 2000 MHz. */
#include "test.h"

#include "families/registry.h"
#include "model/contention.h"
#include "model/fit.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CSV "test-fitters.csv"
#define KIB 1024u

static struct records records;
static struct model model;

static void fit_rows(struct row_writer *writer)
{
    rows_close(writer);
    rows_fit(CSV, 1, &records, &model);
    unlink(CSV);
}

static void release(void)
{
    model_free(&model);
    records_free(&records);
}

static const struct parameter *find(const char *name)
{
    const struct parameter *parameter = model_find(&model, "%s", name);

    if (!parameter)
        fail_msg("the model has no %s", name);
    return parameter;
}

static void assert_value(const char *name, double value, const char *unit)
{
    const struct parameter *p = find(name);

    assert_near(p->value, value, 0.02 * value);
    assert_string_equal(p->unit, unit);
    assert_true(p->interval.low <= p->value && p->interval.high >= p->value);
    assert_true(p->rows > 0);
}

static const struct absence *find_absence(const char *name)
{
    for (size_t i = 0; i < model.absence_count; i++) {
        if (!strcmp(model.absence[i].name, name))
            return &model.absence[i];
    }
    fail_msg("nothing is said of the absence of %s", name);
    return NULL;
}

/* All rows that are not skipped have to be predicted to 3 %. */
static void assert_predicted(void)
{
    for (size_t i = 0; i < records.count; i++) {
        struct fit_prediction p;

        assert_true(fit_predict(&model, &records.record[i], &p));
        assert_near(p.value, records.record[i].value, 0.03 * fabs(records.record[i].value));
    }
}

static void add_latency(struct row_writer *w, unsigned bytes, double cycles)
{
    char parameters[64];

    snprintf(parameters, sizeof(parameters), "working_set=%u stride=64", bytes);
    rows_add(w, &(struct row_values){"global_scalar", parameters, 16, 16, 1, cycles / 2.0, 0.01,
                                     .unit = "ns/step"});
}

static void test_latency(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "latency");
    for (unsigned bytes = 4 * KIB; bytes <= 128 * KIB; bytes *= 2)
        add_latency(&writer, bytes, 46.0);
    add_latency(&writer, 192 * KIB, 120.0);
    for (unsigned bytes = 256 * KIB; bytes <= 4096 * KIB; bytes *= 2)
        add_latency(&writer, bytes, 201.0);
    add_latency(&writer, 16384 * KIB, 600.0);
    add_latency(&writer, 32768 * KIB, 602.0);
    /* Under load, and at another stride: not the same latency. */
    rows_add(&writer, &(struct row_values){"global_scalar", "working_set=4096 stride=64", 16, 16, 8,
                                           900.0, 0.01, .unit = "ns/step"});
    rows_add(&writer, &(struct row_values){"global_scalar", "working_set=4096 stride=4096", 16, 16,
                                           1, 900.0, 0.01, .unit = "ns/step"});
    fit_rows(&writer);
    assert_value("latency.global_scalar.simd16.level1.latency", 46.0, "cycles/step");
    assert_value("latency.global_scalar.simd16.level2.latency", 201.0, "cycles/step");
    assert_value("latency.global_scalar.simd16.level3.latency", 601.0, "cycles/step");
    assert_near(find("latency.global_scalar.simd16.level1.capacity")->interval.low, 128.0 * KIB, 0);
    assert_near(find("latency.global_scalar.simd16.level1.capacity")->interval.high, 192.0 * KIB,
                0);
    assert_null(model_find(&model, "latency.global_scalar.simd16.level4.latency"));
    for (size_t i = 0; i < records.count; i++) { /* the last two are others */
        struct fit_prediction ignored;

        assert_int_equal(fit_predict(&model, &records.record[i], &ignored), i + 2 < records.count);
    }
    assert_int_equal(model.source[0].used, records.count - 2);
    assert_string_equal(find_absence("barrier")->command, "vebench run barrier");
    release();
}

/* A tree of conditions: 42 cycles a path, and 37 for each condition that only diverging meets. */
static void test_divergence(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "divergence");
    for (unsigned paths = 2; paths <= 16; paths *= 2) {
        double p = paths, conditions = 1.0 - log2(p) / (p - 1.0);
        char parameters[32];

        snprintf(parameters, sizeof(parameters), "paths=%u", paths);
        rows_add(&writer,
                 &(struct row_values){"nested_divergent", parameters, 16, 16, 1,
                                      (42.0 + 37.0 * conditions) / 2.0, 0.01, .unit = "ns/path"});
        rows_add(&writer, &(struct row_values){"flat_divergent", parameters, 16, 16, 1, 36.0 / 2.0,
                                               0.01, .unit = "ns/path"});
        rows_add(&writer, &(struct row_values){"straight", parameters, 16, 16, 1, 80.0 / 2.0, 0.01,
                                               .unit = "ns/path"});
    }
    fit_rows(&writer);
    assert_value("divergence.nested_divergent.simd16.per_path", 42.0, "cycles/path");
    assert_value("divergence.nested_divergent.simd16.per_condition", 37.0, "cycles/condition");
    assert_value("divergence.flat_divergent.simd16.per_path", 36.0, "cycles/path");
    assert_null(model_find(&model, "divergence.flat_divergent.simd16.per_condition"));
    assert_value("divergence.straight.simd16", 80.0, "cycles/path");
    assert_predicted();
    release();
}

/* Two numbers of paths of which each is well known do not make a cost per path that is not: advice
 * would put it at 0, and first. */
static void test_two_paths(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "divergence");
    rows_add(&writer, &(struct row_values){"nested_divergent", "paths=4", 16, 16, 1, 55.0 / 2.0,
                                           0.01, .unit = "ns/path"});
    rows_add(&writer, &(struct row_values){"nested_divergent", "paths=16", 16, 16, 1, 69.0 / 2.0,
                                           0.01, .unit = "ns/path"});
    rows_add(&writer, &(struct row_values){"flat_divergent", "paths=4", 16, 16, 1, 36.0 / 2.0, 0.01,
                                           .unit = "ns/path"});
    fit_rows(&writer);
    assert_null(model_find(&model, "divergence.nested_divergent.simd16.per_path"));
    assert_non_null(strstr(find_absence("divergence.nested_divergent.simd16")->why, "held-out"));
    assert_value("divergence.flat_divergent.simd16.per_path", 36.0, "cycles/path");
    release();
}

static void add_dispatch(struct row_writer *w, unsigned threads, double cycles)
{
    rows_add(w, &(struct row_values){"dispatch", NULL, 16, 16 * threads, 1, cycles / 2.0, 0.001,
                                     .unit = "ns/work-group"});
}

/* A work-group every 6 cycles, a hardware thread every 0.75. */
static void test_launch(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "launch");
    for (unsigned threads = 1; threads <= 32; threads *= 2)
        add_dispatch(&writer, threads, fmax(6.0, 0.75 * threads));
    rows_add(&writer,
             &(struct row_values){"duration", NULL, 16, 16, 1, 700.0, 1.0, .unit = "ns/launch"});
    for (unsigned groups = 8; groups <= 64; groups *= 8) /* which is dispatch in addition */
        rows_add(&writer, &(struct row_values){"duration", NULL, 16, 512, groups,
                                               700.0 + 12.0 * groups, 1.0, .unit = "ns/launch"});
    fit_rows(&writer);
    assert_value("launch.dispatch.simd16.per_group", 6.0, "cycles/work-group");
    assert_value("launch.dispatch.simd16.per_thread", 0.75, "cycles/thread");
    assert_value("launch.duration.simd16", 1400.0, "cycles/launch");
    assert_true(find("launch.duration.simd16")->is_cost);
    for (size_t i = 0; i < records.count; i++) {
        const struct record *r = &records.record[i];
        struct fit_prediction ignored;

        if (!strcmp(r->variant, "duration"))
            assert_int_equal(fit_predict(&model, r, &ignored), r->workgroup_size == 16);
        else
            assert_true(fit_predict(&model, r, &ignored));
    }
    release();
}

/* Groups of few threads do not determine how long a thread takes. */
static void test_launch_of_few_threads(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "launch");
    for (unsigned threads = 1; threads <= 4; threads *= 2)
        add_dispatch(&writer, threads, 6.0);
    fit_rows(&writer);
    assert_value("launch.dispatch.simd16.per_group", 6.0, "cycles/work-group");
    assert_null(model_find(&model, "launch.dispatch.simd16.per_thread"));
    assert_non_null(
        strstr(find_absence("launch.dispatch.simd16.per_thread")->command, "vebench run launch"));
    release();
}

/* 16 banks that take 1.5 cycles a turn, an access of 20 cycles by itself. Of 16 lanes at a stride
 * of s words, gcd(s, 16) meet in a bank. */
static void test_slm(void **state)
{
    static const unsigned strides[] = {1, 2, 4, 8, 16, 32, 33};
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "slm");
    for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); i++) {
        for (unsigned threads = 4; threads <= 16; threads *= 2) {
            unsigned common = 16;
            char parameters[32];

            while (strides[i] % common)
                common /= 2;
            double cycles = fmax(20.0, 1.5 * common * threads);
            snprintf(parameters, sizeof(parameters), "stride=%u", strides[i]);
            rows_add(&writer, &(struct row_values){"load", parameters, 16, 16 * threads, 1,
                                                   (cycles - 10.0) / 2.0, 0.01, .unit = "ns/access",
                                                   .loop_ns = cycles / 2.0, .bytes = 1024,
                                                   .messages = threads});
        }
    }
    fit_rows(&writer);
    assert_near(find("slm.banks")->value, 16.0, 0.0);
    assert_value("slm.load.simd16.access", 20.0, "cycles/access");
    assert_value("slm.load.simd16.turn", 1.5, "cycles/turn");
    assert_predicted();
    release();
}

/* Strides of 1 and 32 have the same conflicts with 8, 16 and 32 banks. */
static void test_slm_banks_unknown(void **state)
{
    const char *const paths[] = {CSV};
    struct row_writer writer;
    struct error error;

    (void)state;
    rows_open(&writer, CSV, "slm");
    rows_add(&writer, &(struct row_values){"load", "stride=1", 16, 64, 1, 5, 0.01, .loop_ns = 10,
                                           .messages = 4});
    rows_add(&writer, &(struct row_values){"load", "stride=32", 16, 64, 1, 27, 0.01, .loop_ns = 32,
                                           .messages = 4});
    rows_close(&writer);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    assert_int_equal(fit_model(&model, &family_models, &records, 1, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no slm.banks"));
    assert_non_null(strstr(error.text, "vebench run slm --axis stride="));
    release();
    unlink(CSV);
}

/* 300 cycles of latency, 40 bytes a cycle, from one sub-group to 64, and a set measured once. */
static void check_memory(bool overlaps)
{
    struct row_writer writer;

    rows_open(&writer, CSV, "memory_32");
    for (unsigned items = 16; items <= 1024; items *= 2) {
        double q = items * 16.0 * 4.0;
        double step = overlaps ? fmax(300.0, q / 40.0) : 300.0 + q / 40.0;
        double cycles = step * 65536.0 / q;

        rows_add(&writer,
                 &(struct row_values){"load_subgroup", "working_set=65536 stride=1", 16, items, 1,
                                      cycles / 2.0 / 64.0, 0.001, .unit = "ns/KiB",
                                      .loop_ns = cycles / 2.0, .bytes = 65536});
    }
    rows_add(&writer,
             &(struct row_values){"load_subgroup", "working_set=1048576 stride=1", 16, 16, 1, 25.0,
                                  0.001, .unit = "ns/KiB", .bytes = 1048576, .loop_ns = 25600});
    fit_rows(&writer);
    assert_value("memory_32.load_subgroup.simd16.set65536.stride1.latency", 300.0, "cycles");
    assert_value("memory_32.load_subgroup.simd16.set65536.stride1.bandwidth", 40.0, "bytes/cycle");
    assert_value("memory_32.load_subgroup.simd16.set1048576.stride1", 50.0, "cycles/KiB");
    const struct parameter *latency =
        find("memory_32.load_subgroup.simd16.set65536.stride1.latency");
    assert_int_equal(latency->is_larger_of_terms, overlaps);
    assert_int_equal(strstr(latency->form, "max") != NULL, overlaps);
    rows_require_members(&records, &model);
    release();
}

static void test_memory(void **state)
{
    (void)state;
    check_memory(false);
    check_memory(true);
}

/* A step of 100 cycles, 10 for each message and 3 for each line, less what it is off. */
static void add_step(struct row_writer *writer, unsigned pattern, double off)
{
    double messages = 1u << pattern % 5, lines = messages * (1u << pattern % 3);
    double cycles = (100.0 + 10.0 * messages + 3.0 * lines) * (1.0 + off);
    char variant[32];

    snprintf(variant, sizeof(variant), "load_pattern%u", pattern);
    rows_add(writer,
             &(struct row_values){variant, "working_set=65536 stride=1", 16, 16, 1, cycles / 2.0,
                                  0.001, .unit = "ns/KiB", .loop_ns = cycles / 2.0, .bytes = 1024,
                                  .messages = messages, .lines = lines, .op = "load", .type = "u32",
                                  .method = variant});
}

/* Patterns that were not fitted are predicted by their messages and lines; a value from a single
 * row is a cost in the table, not an equation. */
static void test_memory_steps(void **state)
{
    const char *const paths[] = {CSV};
    struct fit_prediction p;
    struct row_writer writer;
    struct records unseen;
    struct error error;

    (void)state;
    rows_open(&writer, CSV, "memory_32");
    for (unsigned pattern = 0; pattern < 12; pattern++)
        add_step(&writer, pattern, pattern % 2 ? 0.002 : -0.002);
    fit_rows(&writer);
    assert_near(find("memory.load.simd16.set65536.per_message")->value, 10.0, 0.5);
    assert_near(find("memory.load.simd16.set65536.latency")->value, 100.0, 5.0);
    assert_true(find("memory_32.load_pattern3.simd16.set65536.stride1")->is_cost);
    assert_false(find("memory.load.simd16.set65536.latency")->is_cost);
    rows_open(&writer, CSV, "memory_32");
    for (unsigned pattern = 12; pattern < 20; pattern++)
        add_step(&writer, pattern, 0.0);
    rows_close(&writer);
    assert_int_equal(records_read(&unseen, paths, 1, &error), STATUS_OK);
    for (size_t i = 0; i < unseen.count; i++) {
        assert_true(fit_predict(&model, &unseen.record[i], &p));
        assert_false(p.from_table);
        assert_near(p.predicted, unseen.record[i].value, 0.02 * unseen.record[i].value);
    }
    records_free(&unseen);
    release();
}

static void test_exchange(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "exchange");
    for (unsigned n = 1; n <= 16; n *= 2) {
        rows_add(&writer,
                 &(struct row_values){"shuffle_u32", NULL, 16, 16 * n, 1, (32.0 + 0.5 * n) / 2.0,
                                      0.01, .unit = "ns/exchange"});
        rows_add(&writer, &(struct row_values){"broadcast_u32", NULL, 16, 16 * n, 1, -2.0, 0.01,
                                               .unit = "ns/exchange"});
    }
    fit_rows(&writer);
    assert_value("exchange.shuffle_u32.simd16.base", 32.0, "cycles/exchange");
    assert_value("exchange.shuffle_u32.simd16.per_thread", 0.5, "cycles/thread");
    /* Faster than its baseline beyond doubt: a number, not nothing. */
    assert_false(find("exchange.broadcast_u32.simd16.base")->below_resolution);
    assert_near(find("exchange.broadcast_u32.simd16.base")->value, -4.0, 0.05);
    assert_predicted();
    release();
}

/* One thread and a busy Xe-core: of two costs that differ the mean is the cost of neither, so each
 * is one of its own; two that are alike are one cost. */
static void test_two_numbers_of_threads(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "exchange");
    for (unsigned n = 1; n <= 64; n *= 64) {
        rows_add(&writer, &(struct row_values){"shuffle_u32", NULL, 16, 16 * n, 1,
                                               n == 1 ? 23.0 : 39.5, 0.01, .unit = "ns/exchange"});
        rows_add(&writer, &(struct row_values){"rotate_u32", NULL, 16, 16 * n, 1,
                                               n == 1 ? 20.0 : 20.2, 0.01, .unit = "ns/exchange"});
    }
    fit_rows(&writer);
    assert_value("exchange.shuffle_u32.simd16.base", 46.0, "cycles/exchange");
    assert_true(find("exchange.shuffle_u32.simd16.base")->is_cost);
    assert_value("exchange.shuffle_u32.simd16.at64", 79.0, "cycles/exchange");
    assert_predicted();
    assert_null(model_find(&model, "exchange.rotate_u32.simd16.at64"));
    assert_value("exchange.rotate_u32.simd16.base", 40.2, "cycles/exchange");
    assert_false(find("exchange.rotate_u32.simd16.base")->is_cost);
    release();
}

/* Of costs that no equation holds for, each stands for its own number of threads, as does one that
 * an equation of the others misses. Values of a B580's default sweep. */
static void test_costs_off_the_equation(void **state)
{
    static const double free[] = {2.505, 2.504, 1.131}, down[] = {11.502, 11.501, 9.236};
    static const unsigned threads[] = {1, 2, 64};
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "exchange");
    for (unsigned i = 0; i < 3; i++) {
        rows_add(&writer, &(struct row_values){"broadcast_u32", NULL, 16, 16 * threads[i], 1,
                                               free[i], 0.003, .unit = "ns/exchange"});
        rows_add(&writer, &(struct row_values){"down_u32", NULL, 16, 16 * threads[i], 1, down[i],
                                               i == 2 ? 0.05 : 0.003, .unit = "ns/exchange"});
    }
    fit_rows(&writer);
    assert_value("exchange.broadcast_u32.simd16.base", 2.0 * free[0], "cycles/exchange");
    assert_value("exchange.broadcast_u32.simd16.at2", 2.0 * free[1], "cycles/exchange");
    assert_value("exchange.broadcast_u32.simd16.at64", 2.0 * free[2], "cycles/exchange");
    assert_non_null(find_absence("exchange.broadcast_u32.simd16"));
    assert_value("exchange.down_u32.simd16.at64", 2.0 * down[2], "cycles/exchange");
    assert_null(model_find(&model, "exchange.down_u32.simd16.at2"));
    release();
}

/* A loop of 80 cycles, and 4 for each thread of the Xe-core that runs it, whichever is more: of 16
 * work-groups two share each of the 8 Xe-cores. */
static void test_contended_loop(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "exchange");
    for (unsigned groups = 1; groups <= 16; groups *= 16) {
        for (unsigned n = 1; n <= 32; n *= 2) {
            double cycles = fmax(80.0, 4.0 * n * (groups == 16 ? 2.0 : 1.0));

            rows_add(&writer,
                     &(struct row_values){"none", NULL, 16, 16 * n, groups, cycles / 2.0, 0.01,
                                          .unit = "ns/iteration", .loop_ns = cycles / 2.0});
        }
    }
    fit_rows(&writer);
    assert_value("exchange.none.simd16.alone", 80.0, "cycles/iteration");
    assert_value("exchange.none.simd16.per_thread", 4.0, "cycles/thread");
    assert_predicted();
    release();
}

/* Nor is the mean of two numbers of bytes in flight: three show a latency and a bandwidth. */
static void test_two_flights(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "memory_32");
    for (unsigned n = 1; n <= 8; n *= 8)
        rows_add(&writer,
                 &(struct row_values){"copy_vec4", "working_set=65536 stride=1", 16, 16 * n, 1,
                                      n == 1 ? 40.0 : 10.0, 0.01, .unit = "ns/KiB",
                                      .loop_ns = n == 1 ? 40.0 : 10.0, .bytes = 1024});
    fit_rows(&writer);
    assert_near(find("memory_32.copy_vec4.simd16.set65536.stride1")->value, 80.0, 1.0);
    assert_true(find("memory_32.copy_vec4.simd16.set65536.stride1")->is_cost);
    for (size_t i = 0; i < records.count; i++) { /* a cost says nothing of another number */
        struct fit_prediction p;

        assert_int_equal(fit_predict(&model, &records.record[i], &p),
                         records.record[i].workgroup_size == 16);
    }
    release();
}

static void add_pipeline(struct row_writer *w, const char *variant, unsigned size, unsigned threads,
                         double cycles)
{
    rows_add(w, &(struct row_values){variant, NULL, size, size * threads, 1, cycles / 2.0, 0.001,
                                     .unit = "ns/instruction"});
}

/* A barrier of 40 cycles and 2 for each thread; baselines are not parameters. */
static void test_pipeline(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "pipeline");
    add_pipeline(&writer, "none", 8, 1, 80.0);
    add_pipeline(&writer, "register", 8, 1, 10.0);
    add_pipeline(&writer, "register", 16, 1, 11.0);
    add_pipeline(&writer, "loop", 8, 1, 49.0);
    for (unsigned threads = 1; threads <= 32; threads *= 4)
        add_pipeline(&writer, "barrier", 8, threads, 40.0 + 2.0 * threads);
    fit_rows(&writer);
    assert_value("pipeline.register.simd8", 10.0, "cycles/instruction");
    assert_value("pipeline.register.simd16", 11.0, "cycles/instruction");
    assert_value("pipeline.loop.simd8", 49.0, "cycles/instruction");
    assert_value("pipeline.barrier.simd8.base", 40.0, "cycles/instruction");
    assert_value("pipeline.barrier.simd8.per_thread", 2.0, "cycles/thread");
    assert_null(model_find(&model, "pipeline.none.simd8"));
    release();
}

/* An atomic of 20 cycles by itself, and 3 for each lane that uses the same element. The baseline
 * would subtract 10. */
static void test_atomics(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "atomics");
    for (unsigned sharers = 1; sharers <= 65536; sharers *= 16) {
        double cycles = fmax(20.0, 3.0 * fmin(32.0, sharers));
        char parameters[32];

        snprintf(parameters, sizeof(parameters), "sharers=%u spacing=1", sharers);
        rows_add(&writer, &(struct row_values){"global_add_u32", parameters, 16, 32, 1,
                                               (cycles - 10.0) / 2.0, 0.01, .unit = "ns/atomic",
                                               .loop_ns = cycles / 2.0});
        rows_add(&writer, &(struct row_values){"global_fetch_u32", parameters, 16, 32, 1, 100.0,
                                               0.01, .unit = "ns/atomic", .loop_ns = 110.0});
    }
    fit_rows(&writer);
    assert_value("atomics.global_add_u32.simd16.alone", 20.0, "cycles/atomic");
    assert_value("atomics.global_add_u32.simd16.per_lane", 3.0, "cycles/lane");
    assert_null(model_find(&model, "atomics.global_fetch_u32.simd16.alone"));
    release();
}

/* 8 Xe-cores: 64 work-items have less in flight than the 2 atomics a cycle that the L3 takes; those
 * further apart are another matter. */
static void test_atomics_of_the_device(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "atomics");
    for (unsigned items = 16; items <= 256; items *= 2) {
        double apart = fmax(400.0, items * 8 / 2.0), beside = items * 8 / 7.0;

        rows_add(&writer, &(struct row_values){"global_add_u32", "sharers=1 spacing=1", 16, items,
                                               8, apart / 2.0, 0.01, .unit = "ns/atomic",
                                               .loop_ns = apart / 2.0});
        rows_add(&writer, &(struct row_values){"global_add_u32", "sharers=1 spacing=16", 16, items,
                                               8, beside / 2.0, 0.01, .unit = "ns/atomic",
                                               .loop_ns = beside / 2.0});
        rows_add(&writer, &(struct row_values){"global_add_u32", "sharers=65536 spacing=1", 16,
                                               items, 1, 3.0 * items / 2.0, 0.01,
                                               .unit = "ns/atomic", .loop_ns = 3.0 * items / 2.0});
    }
    fit_rows(&writer);
    assert_value("atomics.global_add_u32.simd16.device", 2.0, "atomics/cycle");
    assert_value("atomics.global_add_u32.simd16.per_lane", 3.0, "cycles/lane");
    release();
}

static void add_traffic(struct row_writer *w, const char *variant, unsigned items, unsigned groups,
                        double bytes_per_cycle)
{
    rows_add(w, &(struct row_values){variant, "working_set=65536 stride=1", 16, items, groups, 1.0,
                                     0.001, .unit = "ns/KiB", .bytes = 65536,
                                     .loop_ns = 65536.0 / bytes_per_cycle / 2.0});
}

/* The best pattern that more bytes in flight do not speed up, unless one that they do is faster. */
static void test_bandwidth(void **state)
{
    struct row_writer writer;

    (void)state;
    rows_open(&writer, CSV, "memory_32");
    add_traffic(&writer, "load_vec4", 128, 1, 32.0);
    add_traffic(&writer, "load_vec4", 512, 1, 32.5);
    add_traffic(&writer, "load_item", 128, 1, 16.0);
    add_traffic(&writer, "load_item", 512, 1, 16.0);
    add_traffic(&writer, "load_gather", 128, 1, 10.0);
    add_traffic(&writer, "load_gather", 512, 1, 20.0);
    add_traffic(&writer, "load_vec4", 128, 8, 200.0); /* one for each of 8 Xe-cores */
    add_traffic(&writer, "load_vec4", 256, 8, 201.0);
    add_traffic(&writer, "load_vec8", 512, 16, 400.0);
    add_traffic(&writer, "store_vec4", 128, 1, 40.0);
    add_traffic(&writer, "store_vec4", 512, 1, 40.0);
    add_traffic(&writer, "store_vec4", 128, 8, 120.0);
    add_traffic(&writer, "store_vec4", 256, 8, 121.0);
    fit_rows(&writer);
    assert_value("bandwidth.core.set65536", 40.0, "bytes/cycle");
    assert_value("bandwidth.core_load.set65536", 32.5, "bytes/cycle");
    assert_value("bandwidth.device.set65536", 201.0, "bytes/cycle");
    assert_value("bandwidth.device_store.set65536", 121.0, "bytes/cycle");
    release();

    rows_open(&writer, CSV, "memory_32");
    add_traffic(&writer, "load_item", 128, 1, 16.0);
    add_traffic(&writer, "load_item", 512, 1, 16.0);
    add_traffic(&writer, "load_vec4", 128, 1, 20.0);
    add_traffic(&writer, "load_vec4", 512, 1, 40.0);
    add_traffic(&writer, "store_vec4", 128, 1, 40.0);
    add_traffic(&writer, "store_vec4", 512, 1, 40.0);
    fit_rows(&writer);
    assert_value("bandwidth.core.set65536", 40.0, "bytes/cycle");
    assert_null(model_find(&model, "bandwidth.core_load.set65536"));
    release();

    rows_open(&writer, CSV, "memory_32");
    add_traffic(&writer, "load_vec4", 512, 1, 32.5);
    fit_rows(&writer);
    assert_non_null(strstr(find_absence("bandwidth")->command, "vebench run memory_32"));
    release();
}

/* A model that says nothing of a baseline adds nothing to it. */
static void test_no_contention(void **state)
{
    const struct record record = {.benchmark = "slm",
                                  .variant = "load",
                                  .baseline = "none",
                                  .subgroup_size = 16,
                                  .workgroup_size = 256,
                                  .workgroup_count = 1};

    (void)state;
    model_init(&model, &family_models);
    assert_near(contention_of(&model, &record), 0.0, 0.0);
    model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_contention),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_divergence),
        cmocka_unit_test(test_two_paths),
        cmocka_unit_test(test_launch),
        cmocka_unit_test(test_launch_of_few_threads),
        cmocka_unit_test(test_slm),
        cmocka_unit_test(test_slm_banks_unknown),
        cmocka_unit_test(test_two_numbers_of_threads),
        cmocka_unit_test(test_costs_off_the_equation),
        cmocka_unit_test(test_contended_loop),
        cmocka_unit_test(test_two_flights),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_memory_steps),
        cmocka_unit_test(test_pipeline),
        cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_atomics_of_the_device),
        cmocka_unit_test(test_bandwidth),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
