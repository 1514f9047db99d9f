/* Advice from models made by hand: what is best, what is within the noise, where one way overtakes
 * another, and what is said where nothing is known. */
#include "test.h"

#include "families/registry.h"
#include "model/advise.h"
#include "model/crossover.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

#define CSV "test-advise.csv"

static struct model model;
static struct error error;
static struct advice advice;

static int begin(void **state)
{
    (void)state;
    model_init(&model, &family_models);
    strcpy(model.device_name, "GPU");
    strcpy(model.device_uuid, "uuid-1");
    strcpy(model.device_kind, "emulated");
    model.clock_mhz = 2000.0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    model_free(&model);
    advice_free(&advice);
    return 0;
}

/* The parameter TERM of an equation, or all of it, "", of rows of up to 128 threads. */
static struct parameter *add(const char *equation, const char *term, double value, double half)
{
    struct parameter *p = model_add_parameter(&model);

    assert_non_null(p);
    snprintf(p->name, sizeof(p->name), "%.60s%s%.30s", equation, term[0] ? "." : "", term);
    strcpy(p->term, term);
    strcpy(p->unit, "cycles/exchange");
    p->value = value;
    p->interval = (struct interval){value - half, value + half};
    p->left_out_error = NAN;
    p->least_threads = 1;
    p->most_threads = 128;
    return p;
}

/* Of load_VARIANT in a set of so many bytes. */
static void add_memory(const char *variant, double working_set, const char *term, double value,
                       double half)
{
    char equation[MODEL_NAME_BYTES];

    snprintf(equation, sizeof(equation), "memory_32.load_%s.set%.0f.stride1", variant, working_set);
    struct parameter *p = add(equation, term, value, half);
    p->working_sets = (struct interval){working_set, working_set};
    p->stride = 1.0;
}

static void add_level(unsigned level, const char *term, double value, double half)
{
    char equation[MODEL_NAME_BYTES];

    snprintf(equation, sizeof(equation), "latency.global_uniform.simd16.level%u", level);
    add(equation, term, value, half)->level = level;
}

static enum status ask(const char *family, const struct records *records)
{
    advice_free(&advice);
    return advise(&advice, &model, records, family, &error);
}

static void assert_said(const char *words)
{
    if (!strstr(advice.text, words))
        fail_msg("\"%s\" is not in:\n%s", words, advice.text);
}

static void test_best_size(void **state)
{
    (void)state;
    /* 16 lanes: 20 + 2 n, 32 lanes: 20 + n. */
    add("barrier.work_group_local.simd16", "base", 20.0, 0.1);
    add("barrier.work_group_local.simd16", "per_thread", 2.0, 0.01);
    add("barrier.work_group_local.simd32", "base", 20.0, 0.1);
    add("barrier.work_group_local.simd32", "per_thread", 1.0, 0.01);
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    /* Work-groups of 16 to 1024, each a question of its own. */
    assert_int_equal(advice.ranking_count, 7);
    assert_string_equal(advice.ranking[0].title,
                        "barrier work_group_local; work-groups of 16, Xe-core (1 thread)");
    assert_int_equal(advice.ranking[0].choices.count, 1);
    assert_int_equal(advice.ranking[6].choices.count, 2);
    for (size_t i = 0; i < 7; i++)
        for (size_t j = 0; j < advice.ranking[i].choices.count; j++)
            assert_int_equal(advice.ranking[i].choices.choice[j].workgroup_size, 16u << i);
    assert_said("EMULATED");
    /* 20 + 32 cycles; with 16 lanes it is 20 + 2 * 64. */
    assert_said("barrier work_group_local; work-groups of 1024, Xe-core (32 to 64 threads)");
    assert_said("best 32 lanes: 52 [");
    assert_said("16 lanes: 148 [");
    assert_said("takes 185 % longer");
    assert_null(strstr(advice.text, "cannot be told"));
}

/* Sizes that were not measured are not ranked. A fence that promises less is no choice instead of
 * one that promises more. */
static void test_promises_and_sizes(void **state)
{
    (void)state;
    add("barrier.work_group_local.simd16", "base", 20.0, 0.1);
    add("barrier.work_group_none.simd16", "base", 2.0, 0.1);
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_int_equal(advice.ranking_count, 14);
    assert_said("barrier work_group_none; work-groups of 1024");
    for (size_t i = 0; i < model.parameter_count; i++) {
        model.parameter[i].least_threads = 2;
        model.parameter[i].most_threads = 8;
    }
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_int_equal(advice.ranking_count, 6); /* 2 to 8 threads */
    assert_said("barrier work_group_local; work-groups of 128");
    assert_null(strstr(advice.text, "work-groups of 256"));
    assert_said("are left out");
}

/* Ratios that no number holds are not printed as one. */
static void test_huge_values(void **state)
{
    (void)state;
    add("barrier.work_group_local.simd16", "base", 1e-300, 1e-302);
    add("barrier.work_group_local.simd32", "base", 1e300, 1e298);
    add("divergence.straight.simd16", "", 1e-300, 0.0);
    add("divergence.flat_divergent.simd16", "per_path", 1e300, 0.0);
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_said("best 16 lanes: free");
    assert_said("32 lanes: 1e+300 [9.9e+299, 1.01e+300] cycles/exchange\n");
    assert_null(strstr(advice.text, "inf"));
    assert_int_equal(ask("divergence", NULL), STATUS_OK);
    assert_null(strstr(advice.text, "inf"));
}

static void test_tie(void **state)
{
    (void)state;
    add("barrier.work_group_local.simd16", "base", 20.0, 1.0);
    add("barrier.work_group_local.simd32", "base", 20.5, 1.0);
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_said("best 16 lanes: 20 [");
    assert_said("32 lanes: 20.5 [19.5, 21.5] cycles/exchange, cannot be told from the best");
}

/* The equation is no better than on the rows left out. */
static void test_left_out(void **state)
{
    (void)state;
    add("barrier.work_group_local.simd16", "base", 20.0, 0.01);
    add("barrier.work_group_local.simd32", "base", 21.0, 0.01);
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_said("takes 5 % longer");
    model.parameter[0].left_out_error = model.parameter[1].left_out_error = 2.0;
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_said("32 lanes: 21 [19, 23] cycles/exchange, cannot be told from the best");
}

static void test_below_resolution(void **state)
{
    (void)state;
    add("barrier.sub_group_local.simd16", "base", 0.1, 0.3);
    model.parameter[0].below_resolution = true;
    assert_int_equal(ask("barrier", NULL), STATUS_OK);
    assert_said("only 16 lanes: free");
}

/* Registers take 4 n, SLM 30 + n: SLM is the cheaper one from n = 11 on, and n = 10 is a tie. */
static void add_crossing(double half)
{
    add("exchange.shuffle_u32.simd16", "base", 0.0, half);
    add("exchange.shuffle_u32.simd16", "per_thread", 4.0, 0.0);
    add("exchange.shuffle_u32_slm.simd16", "base", 30.0, half);
    add("exchange.shuffle_u32_slm.simd16", "per_thread", 1.0, 0.0);
}

static void test_crossover(void **state)
{
    (void)state;
    add_crossing(0.1);
    assert_int_equal(ask("exchange", NULL), STATUS_OK);
    assert_said("shuffle_u32 against shuffle_u32_slm, sub-group 16: the sub-group is cheaper at "
                "first, SLM from 11 hardware threads (176 work-items), from 10 to 10 threads "
                "within the noise");
    assert_said("exchange shuffle u32; work-groups of 1024");
    assert_said("best 16 lanes, slm: 94 [");
    assert_said("16 lanes, function: 256 [");
    assert_said(
        "the winner changes: 16 lanes, function up to work-groups of 128, 16 lanes, slm from "
        "work-groups of 256 on");
}

static void test_crossover_in_noise(void **state)
{
    (void)state;
    add_crossing(4.0);
    assert_int_equal(ask("exchange", NULL), STATUS_OK);
    /* 3 |n - 10| has to be above 8. */
    assert_said("SLM from 11 hardware threads (176 work-items), from 8 to 12 threads within");
}

static void test_knee_and_never(void **state)
{
    (void)state;
    add("exchange.any.simd32", "base", 5.0, 0.1);
    add("exchange.any_slm_group.simd32", "base", 50.0, 0.1);
    add("exchange.any_slm_group.simd32", "per_thread", 1.0, 0.1);
    add("exchange.any_slm_group.simd32", "per_thread_beyond", 10.0, 0.1);
    add("exchange.any_slm_group.simd32", "knee", 8.0, 0.0);
    assert_int_equal(ask("exchange", NULL), STATUS_OK);
    assert_said("any against any_slm_group, sub-group 32: the sub-group is cheaper from one "
                "sub-group on, SLM never within 1024 work-items");
    /* 32 threads, of which 24 are beyond the knee: 50 + 32 + 24 * 10. */
    assert_said("exchange any; work-groups of 1024");
    assert_said("best 32 lanes, function: 5 [");
    assert_said("32 lanes, slm_group: 322 [");
    assert_null(strstr(advice.text, "the winner changes"));
}

/* One thread, and 64: nothing is said of the numbers between. */
static void test_two_measured(void **state)
{
    (void)state;
    add("exchange.shuffle_u32.simd16", "base", 46.0, 0.1);
    add("exchange.shuffle_u32_slm.simd16", "base", 35.0, 0.1);
    for (size_t i = 0; i < model.parameter_count; i++)
        model.parameter[i].least_threads = model.parameter[i].most_threads = 1;
    add("exchange.shuffle_u32.simd16", "at64", 79.0, 0.1);
    add("exchange.shuffle_u32_slm.simd16", "at64", 101.0, 0.1);
    assert_int_equal(ask("exchange", NULL), STATUS_OK);
    assert_said("sub-group 16: SLM is cheaper from one sub-group on, the sub-group never within 16 "
                "work-items");
    assert_said("at 64 hardware threads the sub-group is cheaper\n");
    assert_said("best 16 lanes, slm: 35 [");
    assert_said("best 16 lanes, function: 79 [");
    assert_said("16 lanes, slm: 101 [100.9, 101.1] cycles/exchange, takes 27.8 % longer");
    assert_said(
        "the winner changes: 16 lanes, slm up to work-groups of 16, 16 lanes, function from "
        "work-groups of 1024 on");
}

static void test_crossing_twice(void **state)
{
    static const struct estimate first[] = {{1, {1, 1}}, {3, {3, 3}}, {1, {1, 1}}, {1, {1, 1}}};
    static const struct estimate second[] = {{2, {2, 2}}, {2, {2, 2}}, {2, {2, 2}}, {1.5, {1, 2}}};
    struct crossover c = crossover_find(first, second, 4);

    (void)state;
    assert_false(c.second_first);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.crossing[0].at, 1);
    assert_int_equal(c.crossing[1].at, 2);
    assert_true(c.crossing[0].noise_first > c.crossing[0].noise_last);
    assert_int_equal(c.clear_count, 3);
}

static void test_memory(void **state)
{
    (void)state;
    add_memory("block4.simd16", 65536, "latency", 100.0, 1.0);
    add_memory("block4.simd16", 65536, "bandwidth", 64.0, 0.5);
    add_memory("vec4.simd16", 65536, "latency", 60.0, 1.0);
    add_memory("vec4.simd16", 65536, "bandwidth", 32.0, 0.5);
    add_memory("subgroup.simd32", 65536, "latency", 60.0, 1.0);
    add_memory("subgroup.simd32", 65536, "bandwidth", 63.8, 0.5);
    add_memory("block4.simd16", 1048576, "", 40.0, 1.0);
    assert_int_equal(ask("memory_32", NULL), STATUS_OK);
    assert_said("load, set65536.stride1: best load_block4, sub-group 16: 16 [");
    assert_said("vector (load_vec4, sub-group 16) against load_block4, sub-group 16: costs 100 %");
    assert_said("plain (load_subgroup, sub-group 32) against load_block4, sub-group 16: costs "
                "0.313 %");
    assert_said("more, within the noise");
    /* 100 + q/64 against 60 + q/32: alike at 2560 bytes. */
    assert_said("vector is cheaper with few bytes in flight, block from 4096 bytes");
    assert_said("load, set1048576.stride1: best load_block4, sub-group 16: 40");
    assert_said("nothing to compare it with");
}

static void test_slm(void **state)
{
    (void)state;
    add("slm.banks", "", 16.0, 0.0);
    add("slm.load.simd16", "access", 64.0, 1.0);
    add("slm.load.simd16", "turn", 1.0, 0.01);
    assert_int_equal(ask("slm", NULL), STATUS_OK);
    assert_said("16 banks");
    assert_said("odd multiples of 2 (2 turns), odd multiples of 4 (4 turns)");
    assert_said("multiples of 64 (16 turns)");
    assert_said("bind from 64 hardware threads on at 1 turn, 32 at 2");
}

static void test_others(void **state)
{
    (void)state;
    add("divergence.straight.simd16", "", 10.0, 0.1);
    add("divergence.flat_divergent.simd16", "per_path", 35.0, 0.1);
    add("divergence.nested_divergent.simd16", "per_path", 30.0, 0.1);
    add("divergence.nested_divergent.simd16", "per_condition", 10.0, 0.1);
    add("launch.dispatch.simd16", "per_group", 24.0, 0.1);
    add("launch.dispatch.simd16", "per_thread", 4.0, 0.1);
    add("launch.code.simd16", "", 900.0, 10.0);
    add("launch.code_first.simd16", "", 3000.0, 10.0);
    add("launch.code.simd32", "", 1000.0, 10.0);
    add("launch.code_first.simd32", "", 1010.0, 10.0);
    add_level(1, "latency", 50.0, 0.1);
    add_level(1, "capacity", 65536.0, 0.0);
    add_level(2, "latency", 200.0, 0.1);
    assert_int_equal(ask("divergence", NULL), STATUS_OK);
    assert_said("a further path costs 35 [34.9, 35.1] cycles/exchange, 3.5 times a path");
    assert_said("2 paths: best nested_divergent, sub-group 16: 1.875");
    assert_said("16 paths: best flat_divergent");
    assert_int_equal(ask("launch", NULL), STATUS_OK);
    assert_said("below 6 hardware threads");
    assert_said("(96 work-items)");
    assert_said(
        "code_first, sub-group 16: the first launch of a command list has its code to fetch: "
        "it takes 3000 cycles/");
    assert_said(", and later ones 900");
    assert_null(strstr(advice.text, "code_first, sub-group 32"));
    assert_null(strstr(advice.text, "best code"));
    assert_int_equal(ask("latency", NULL), STATUS_OK);
    assert_said("within 65536 bytes: beyond, 4 times as much");
    assert_null(strstr(strstr(advice.text, "level 1") + 1, "level 1"));
}

static void test_nothing_known(void **state)
{
    (void)state;
    add("barrier.work_group_local.simd16", "base", 20.0, 1.0);
    assert_int_equal(ask("exchange", NULL), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no parameters of family exchange"));
    assert_non_null(strstr(error.text, "vebench run exchange --preset full"));
    assert_null(advice.text);
    struct absence *absence = model_add_absence(&model);
    snprintf(absence->name, sizeof(absence->name), "slm.banks");
    snprintf(absence->why, sizeof(absence->why), "few strides");
    snprintf(absence->command, sizeof(absence->command), "vebench run slm --axis stride=8");
    assert_int_equal(ask("slm", NULL), STATUS_FAILED);
    assert_non_null(strstr(error.text, "few strides"));
    assert_non_null(strstr(error.text, "vebench run slm --axis stride=8 --output slm.csv"));
    assert_int_equal(ask("transpose", NULL), STATUS_FAILED);
    assert_non_null(strstr(error.text, "vebench advise MODEL.json --family transpose"));
    /* Another family with the same beginning. */
    assert_int_equal(ask("barrier_arrival", NULL), STATUS_FAILED);
}

/* Other operations and other types are no choice, nor are other variants of a file that does not
 * say what they do. */
static void test_types(void **state)
{
    static const char *const names[][3] = {{"add_u32", "add", "u32"},
                                           {"add_half", "add", "f16"},
                                           {"add_u32_slm", "add", "u32"},
                                           {"fetch_u32", "fetch", "u32"},
                                           {"old", "", ""},
                                           {"older", "", ""}};
    const char *const paths[] = {CSV};
    struct row_writer writer;
    struct records records;

    (void)state;
    rows_open(&writer, CSV, "transpose");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        rows_add(&writer, &(struct row_values){names[i][0], "side=64", 16, 64, 1, 10.0 + (double)i,
                                               0.1, .op = names[i][1], .type = names[i][2],
                                               .bytes = 1000.0, .loop_ns = 10.0 + (double)i});
    rows_close(&writer);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    assert_int_equal(ask("transpose", &records), STATUS_OK);
    assert_said("transpose add u32, side=64; 1000 bytes");
    assert_said("best 16 lanes, add_u32, 1 x 64: 100 [");
    assert_said("16 lanes, add_u32_slm, 1 x 64: 83.33 [82.64, 84.03] GB/s, takes 20 % longer");
    assert_said("transpose add f16, side=64;");
    assert_said("transpose fetch u32, side=64;");
    assert_said("transpose old, side=64;");
    assert_said("transpose older, side=64;");
    assert_said("only 16 lanes");
    assert_null(strstr(strstr(advice.text, "longer") + 1, "longer"));
    assert_int_equal(advice.ranking_count, 5);
    records_free(&records);
}

static void read_rows(struct records *records, const char *uuid)
{
    static const double values[] = {10.0, 10.1, 20.0};
    static const char *const names[] = {"slm", "shuffle", "column"};
    const char *const paths[] = {CSV};
    struct row_writer writer;

    rows_open(&writer, CSV, "transpose");
    writer.device_uuid = uuid;
    for (size_t i = 0; i < 3; i++)
        rows_add(&writer, &(struct row_values){.variant = names[i],
                                               .parameters = "side=64",
                                               .subgroup_size = 16,
                                               .workgroup_size = 64,
                                               .workgroup_count = 1,
                                               .value = values[i],
                                               .half_width = 0.2,
                                               .op = "transpose",
                                               .bytes = 1000.0,
                                               .loop_ns = values[i]});
    rows_close(&writer);
    if (records_read(records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* Each of four lies beyond the noise of the best if asked alone (p 0.017), but of four one may by
 * chance. */
static void test_many_rows(void **state)
{
    static const char *const names[] = {"slm", "shuffle", "column", "block", "row"};
    const char *const paths[] = {CSV};
    struct row_writer writer;

    (void)state;
    for (size_t count = 2; count <= 5; count += 3) {
        struct records records;

        rows_open(&writer, CSV, "transpose");
        for (size_t i = 0; i < count; i++)
            rows_add(&writer, &(struct row_values){.variant = names[i],
                                                   .parameters = "side=64",
                                                   .subgroup_size = 16,
                                                   .workgroup_size = 64,
                                                   .workgroup_count = 1,
                                                   .value = i ? 10.26 : 10.0,
                                                   .half_width = 0.2,
                                                   .op = "transpose",
                                                   .bytes = 1000.0,
                                                   .loop_ns = i ? 10.26 : 10.0});
        rows_close(&writer);
        if (records_read(&records, paths, 1, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(ask("transpose", &records), STATUS_OK);
        assert_said(count == 2 ? "takes 2.6 % longer" : "cannot be told from the best");
        assert_null(strstr(advice.text, count == 2 ? "cannot" : "longer"));
        records_free(&records);
    }
}

static void test_rows(void **state)
{
    struct records records;

    (void)state;
    read_rows(&records, "uuid-1");
    assert_int_equal(ask("transpose", &records), STATUS_OK);
    assert_said("best 16 lanes, slm, 1 x 64: 100 [98.04, 102] GB/s");
    assert_said("16 lanes, shuffle, 1 x 64: 99.01 [97.09, 101] GB/s, cannot be told from the best");
    assert_said("16 lanes, column, 1 x 64: 50 [49.5, 50.51] GB/s, takes 100 % longer");
    records.record[2].baseline = "slm"; /* which then does less than a column */
    assert_int_equal(ask("transpose", &records), STATUS_OK);
    assert_said("best 16 lanes, shuffle,");
    assert_null(strstr(advice.text, "slm"));
    assert_int_equal(ask("matmul", &records), STATUS_FAILED);
    assert_non_null(strstr(error.text, "vebench run matmul"));
    records_free(&records);
    read_rows(&records, "uuid-2"); /* another of the same type */
    assert_int_equal(ask("transpose", &records), STATUS_OK);
    strcpy(model.device_name, "other GPU");
    assert_int_equal(ask("transpose", &records), STATUS_FAILED);
    assert_non_null(strstr(error.text, "other GPU"));
    records_free(&records);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_promises_and_sizes),
        TEST(test_huge_values),
        TEST(test_types),
        TEST(test_best_size),
        TEST(test_tie),
        TEST(test_left_out),
        TEST(test_below_resolution),
        TEST(test_crossover),
        TEST(test_crossover_in_noise),
        TEST(test_knee_and_never),
        TEST(test_two_measured),
        TEST(test_crossing_twice),
        TEST(test_memory),
        TEST(test_slm),
        TEST(test_others),
        TEST(test_nothing_known),
        TEST(test_rows),
        TEST(test_many_rows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
