/* From results files to a model and back: equations chosen, rows counted, files refused. */
#include "test.h"
#include "whole-file.h"

#include "commands/commands.h"
#include "families/registry.h"
#include "predict/check.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CSV  "test-fit.csv"
#define JSON "test-fit.json"

static void fit_file(struct model *model, struct records *records)
{
    const char *const paths[] = {CSV};
    struct error error;

    if (records_read(records, paths, 1, &error) != STATUS_OK ||
        fit_model(model, &family_models, records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static const struct parameter *find(const struct model *model, const char *name)
{
    const struct parameter *parameter = model_find(model, "%s", name);

    if (!parameter)
        fail_msg("the model has no %s", name);
    return parameter;
}

/* A ladder in cycles at 2000 MHz: base + per_thread n + beyond max(0, n - 16) + per_group (r - 1)
 * + product n (r - 1). */
struct ladder {
    double base, per_thread, beyond, per_group, product;
};

static void write_ladder(const struct ladder *l, double noise)
{
    struct row_writer writer;
    struct prng prng;

    prng_seed(&prng, 5);
    rows_open(&writer, CSV, "barrier");
    for (unsigned n = 1; n <= 64; n *= 2) {
        for (unsigned groups = 1; groups <= 4 && groups * n <= 128; groups *= 2) {
            double cycles = l->base + l->per_thread * n + l->beyond * fmax(0.0, n - 16.0) +
                            l->per_group * (groups - 1.0) + l->product * n * (groups - 1.0) +
                            noise * bootstrap_normal(&prng);

            rows_add(&writer, &(struct row_values){.variant = "work_group_local",
                                                   .subgroup_size = 16,
                                                   .workgroup_size = 16 * n,
                                                   .workgroup_count = 8 * groups,
                                                   .value = cycles / 2.0,
                                                   .half_width = fmax(noise, 0.01)});
        }
    }
    /* Four waves of work-groups, and a failure: neither may be fitted. */
    rows_add(&writer, &(struct row_values){"work_group_local", NULL, 16, 1024, 64, 9999, 1});
    rows_add(&writer, &(struct row_values){"work_group_local", NULL, 16, 512, 8 * 4 + 1, 7, 1,
                                           .status = "unreliable"});
    for (unsigned n = 1; n <= 8; n *= 2) {
        rows_add(&writer, &(struct row_values){"sub_group_local", NULL, 16, 16 * n, 1,
                                               n == 2 ? -0.01 : 0.01, 0.05});
    }
    rows_close(&writer);
}

static void test_plain_ladder(void **state)
{
    static const struct ladder ladder = {31.0, 1.9, 0.0, 0.0};
    struct records records;
    struct model model;

    (void)state;
    write_ladder(&ladder, 0.2);
    fit_file(&model, &records);
    const struct parameter *base = find(&model, "barrier.work_group_local.simd16.base");
    const struct parameter *per_thread = find(&model, "barrier.work_group_local.simd16.per_thread");
    assert_string_equal(base->form, "base + per_thread n");
    assert_string_equal(per_thread->unit, "cycles/thread");
    assert_true(base->interval.low <= 31.0 && base->interval.high >= 31.0);
    assert_true(per_thread->interval.low <= 1.9 && per_thread->interval.high >= 1.9);
    assert_true(base->interval.high - base->interval.low < 1.0);
    assert_true(base->left_out_error < 0.4);
    assert_true(base->left_out_share > 0.0 && base->left_out_share < 0.01);
    assert_int_equal(base->rows, 20);
    const struct parameter *nothing = find(&model, "barrier.sub_group_local.simd16.base");
    assert_true(nothing->below_resolution);
    assert_true(nothing->interval.high > 0.0 && nothing->interval.high < 0.2);
    assert_near(model_value(nothing, NAN), 0.0, 0.0);
    assert_int_equal(model.source_count, 1);
    assert_int_equal(model.source[0].rows, records.count);
    assert_int_equal(model.source[0].unusable, 1);
    assert_int_equal(model.source[0].used, records.count - 2);
    model_free(&model);
    records_free(&records);
}

static void test_knee_and_groups(void **state)
{
    static const struct ladder ladder = {53.0, 1.0, 2.0, 5.0};
    struct records records;
    struct model model;

    (void)state;
    write_ladder(&ladder, 0.1);
    fit_file(&model, &records);
    assert_near(find(&model, "barrier.work_group_local.simd16.base")->value, 53.0, 0.5);
    assert_near(find(&model, "barrier.work_group_local.simd16.per_thread")->value, 1.0, 0.05);
    assert_near(find(&model, "barrier.work_group_local.simd16.per_thread_beyond")->value, 2.0, 0.1);
    assert_near(find(&model, "barrier.work_group_local.simd16.per_group")->value, 5.0, 0.1);
    /* The knee is one of the same equation. */
    const struct parameter *base = find(&model, "barrier.work_group_local.simd16.base");
    const struct parameter *knee = find(&model, "barrier.work_group_local.simd16.knee");
    assert_near(knee->value, 16.0, 0.0);
    assert_string_equal(knee->unit, "hardware threads");
    assert_string_equal(knee->form, base->form);
    assert_string_equal(knee->worst, base->worst);
    assert_int_equal(knee->rows, base->rows);
    assert_near(knee->left_out_error, base->left_out_error, 0.0);
    model_free(&model);
    records_free(&records);
}

/* A model of nothing but costs, and how far predictions by machine code are off. */
static void test_print(void **state)
{
    struct parameter costs[] = {
        {.name = "a.cost", .unit = "cycles", .value = 7.0, .is_cost = true},
        {.name = "b.cost", .unit = "cycles", .value = 9.0, .is_cost = true}};
    const struct model printed = {
        .parameter = costs,
        .parameter_count = 2,
        .margin =
            {{.rows = 40, .median = 1.1, .shorter = 1.25, .longer = 1.3},
             {.mechanism = "memory", .rows = 7, .median = 0.9, .shorter = 1.0, .longer = 1.05}},
        .margin_count = 2,
        .barrier = {{4, -1.5, 3}, {16, 468.5, 1}},
        .barrier_count = 2};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    (void)state;
    assert_non_null(out);
    model_print(out, &printed);
    fclose(out);
    assert_non_null(
        strstr(text, "Table of 2 costs, each from a single row: they predict no other"));
    assert_true(strstr(text, "\na.cost ") && strstr(text, "\nb.cost "));
    assert_non_null(strstr(
        text,
        "by machine code, 40 rows took 1.1 times as long as predicted, in "
        "the middle; beyond what figures explain, nine of ten from 20.0 % less to 30.0 % more\n"));
    assert_non_null(
        strstr(text, "by machine code, 7 rows with time in \"memory\" took 0.9 times as long as "
                     "predicted, in the middle; beyond what figures explain, nine of ten from 0.0 "
                     "% less to 5.0 % more\n"));
    assert_non_null(strstr(text, "a barrier of 16 hardware threads takes 468.5 cycles more than "));
    assert_non_null(strstr(text, "a barrier of 4 hardware threads takes 1.5 cycles less than "));
    free(text);
    assert_ptr_equal(model_margin(&printed, "memory"), &printed.margin[1]);
    assert_ptr_equal(model_margin(&printed, "float"), &printed.margin[0]);
    assert_ptr_equal(model_margin(&printed, NULL), &printed.margin[0]);
}

/* The equation has the terms that are planted, and no others. */
static void test_terms(void **state)
{
    static const struct {
        struct ladder ladder;
        const char *form;
    } cases[] = {{{20.0, 0.0, 0.0, 0.0}, "base"},
                 {{20.0, 2.0, 0.0, 0.0}, "base + per_thread n"},
                 {{20.0, 0.0, 0.0, 5.0}, "base + per_group (r - 1)"},
                 {{20.0, 2.0, 0.0, 5.0}, "base + per_thread n + per_group (r - 1)"},
                 {{20.0, 2.0, 0.0, 5.0, 0.5},
                  "base + per_thread n + per_group (r - 1) + "
                  "per_thread_and_group n (r - 1)"}};

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct ladder *planted = &cases[i].ladder;
        struct records records;
        struct model model;

        write_ladder(planted, 0.05);
        fit_file(&model, &records);
        const struct parameter *base = find(&model, "barrier.work_group_local.simd16.base");
        assert_string_equal(base->form, cases[i].form);
        assert_near(base->value, 20.0, 0.3);
        if (planted->per_thread > 0.0)
            assert_near(find(&model, "barrier.work_group_local.simd16.per_thread")->value, 2.0,
                        0.05);
        if (planted->per_group > 0.0)
            assert_near(find(&model, "barrier.work_group_local.simd16.per_group")->value, 5.0, 0.1);
        model_free(&model);
        records_free(&records);
    }
}

/* A barrier of 50 cycles and one for each thread, three more from 16 on, in a loop of 100 cycles
 * that without it waits for what its threads share from 20 threads on, 5 cycles each; and one of a
 * sub-group that costs 7 and lets them wait. */
static double contended_loop(unsigned n)
{
    return fmax(100.0, 5.0 * n);
}

static void add_contended(struct row_writer *writer, const char *variant, unsigned n, double cycles)
{
    bool is_baseline = !strcmp(variant, "none");

    rows_add(writer,
             &(struct row_values){.variant = variant,
                                  .subgroup_size = 16,
                                  .workgroup_size = 16 * n,
                                  .workgroup_count = 1,
                                  .value = (cycles - (is_baseline ? 0.0 : contended_loop(n))) / 2.0,
                                  .half_width = 0.01,
                                  .loop_ns = cycles / 2.0});
}

static void test_contended_baseline(void **state)
{
    static const char name[] = "barrier.work_group_local.simd16";
    struct row_writer writer;
    struct records records;
    struct model model;

    (void)state;
    rows_open(&writer, CSV, "barrier");
    for (unsigned n = 1; n <= 64; n *= 2) {
        add_contended(&writer, "none", n, contended_loop(n));
        add_contended(&writer, "work_group_local", n, 150.0 + n + 3.0 * fmax(0.0, n - 16.0));
        add_contended(&writer, "sub_group_local", n, contended_loop(n) + 7.0);
    }
    rows_close(&writer);
    fit_file(&model, &records);
    assert_near(model_find(&model, "%s.base", name)->value, 50.0, 0.01);
    assert_near(model_find(&model, "%s.per_thread", name)->value, 1.0, 0.01);
    assert_near(model_find(&model, "%s.per_thread_beyond", name)->value, 3.0, 0.01);
    assert_near(find(&model, "barrier.none.simd16.per_thread")->value, 5.0, 0.01);
    assert_near(find(&model, "barrier.sub_group_local.simd16.base")->value, 7.0, 0.01);
    assert_null(model_find(&model, "barrier.sub_group_local.simd16.per_thread"));
    for (size_t i = 0; i < records.count; i++) {
        struct fit_prediction p;

        assert_true(fit_predict(&model, &records.record[i], &p));
        assert_near(p.value, records.record[i].value, 0.01);
    }
    rows_require_members(&records, &model);
    model_free(&model);
    records_free(&records);
}

/* No cost is negative, and no equation is shown that is far off on rows that it has not seen. */
static void test_no_mechanism(void **state)
{
    struct row_writer writer;
    struct records records;
    struct model model;

    (void)state;
    rows_open(&writer, CSV, "barrier");
    for (unsigned n = 1; n <= 32; n *= 2) {
        rows_add(&writer, &(struct row_values){"work_group_local", NULL, 16, 16 * n, 1,
                                               30.0 - 0.05 * n, 0.01});
        rows_add(&writer, &(struct row_values){"work_group_both", NULL, 16, 16 * n, 1,
                                               n % 3 == 1 ? 20.0 : 90.0, 0.01});
    }
    rows_close(&writer);
    fit_file(&model, &records);
    for (size_t i = 0; i < model.parameter_count; i++)
        assert_true(model.parameter[i].value >= 0.0);
    assert_near(find(&model, "barrier.work_group_local.simd16.base")->value, 59.0, 1.0);
    assert_true(find(&model, "barrier.work_group_both.simd16.base")->is_cost); /* of 1 thread */
    assert_null(model_find(&model, "barrier.work_group_both.simd16.per_thread"));
    for (size_t i = 0;; i++) {
        assert_true(i < model.absence_count);
        if (!strcmp(model.absence[i].name, "barrier.work_group_both.simd16"))
            break;
    }
    model_free(&model);
    records_free(&records);
}

static void test_file_and_back(void **state)
{
    static const struct ladder ladder = {53.0, 1.0, 2.0, 5.0};
    struct model model, again;
    struct records records;
    struct error error;
    struct check check;

    (void)state;
    write_ladder(&ladder, 0.1);
    fit_file(&model, &records);
    assert_int_equal(model_write(&model, JSON, &error), STATUS_OK);
    assert_int_equal(model_read(&again, &family_models, JSON, &error), STATUS_OK);
    assert_string_equal(again.device_kind, "emulated");
    assert_int_equal(again.parameter_count, model.parameter_count);
    for (size_t i = 0; i < model.parameter_count; i++) {
        assert_string_equal(again.parameter[i].name, model.parameter[i].name);
        assert_near(again.parameter[i].value, model.parameter[i].value,
                    1e-9 * fabs(model.parameter[i].value));
        assert_int_equal(isnan(again.parameter[i].left_out_share),
                         isnan(model.parameter[i].left_out_share));
        if (!isnan(model.parameter[i].left_out_share))
            assert_near(again.parameter[i].left_out_share, model.parameter[i].left_out_share, 1e-9);
    }
    assert_int_equal(check_model(&check, &again, NULL, &records, CHECK_ALL, &error), STATUS_OK);
    assert_true(check.errors[BY_EQUATION].median < 0.01);
    assert_int_equal(check.unpredicted, 1);
    check_free(&check);
    memcpy(again.device_uuid, "uuid-2", sizeof("uuid-2")); /* another of the same type */
    assert_int_equal(check_model(&check, &again, NULL, &records, CHECK_ALL, &error), STATUS_OK);
    check_free(&check);
    memcpy(again.device_name, "GPU 2", sizeof("GPU 2"));
    assert_int_equal(check_model(&check, &again, NULL, &records, CHECK_ALL, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "GPU 2"));
    model_free(&again);
    model_free(&model);
    records_free(&records);
    unlink(JSON);
}

/* A model with everything that one can have, read and written again, is the same file. */
static void test_same_file(void **state)
{
    static const struct ladder ladder = {53.0, 1.0, 2.0, 5.0};
    struct model model, again;
    struct records records;
    struct error error;

    (void)state;
    write_ladder(&ladder, 0.1);
    fit_file(&model, &records);
    model.margin_count = MODEL_MARGINS_MAX;
    for (size_t i = 0; i < model.margin_count; i++) {
        model.margin[i] = (struct margin){
            .rows = 10 + i, .median = 0.01 * i, .shorter = 1.0 + 0.5 * i, .longer = 1.5};
        snprintf(model.margin[i].mechanism, sizeof(model.margin[i].mechanism), "mechanism %zu", i);
    }
    model.barrier_count = 2;
    model.barrier[0] = (struct barrier_excess){4, -1.5, 3};
    model.barrier[1] = (struct barrier_excess){16, 468.5, 1};
    model.source[0].unusable = 3;
    model.source[0].used = 2;
    assert_true(model.absence_count > 0);
    assert_int_equal(model_write(&model, JSON, &error), STATUS_OK);
    assert_int_equal(model_read(&again, &family_models, JSON, &error), STATUS_OK);
    assert_int_equal(again.margin_count, MODEL_MARGINS_MAX);
    assert_ptr_equal(model_margin(&again, "mechanism 1"), &again.margin[1]);
    assert_ptr_equal(model_margin(&again, "another"), &again.margin[0]);
    assert_int_equal(again.barrier_count, 2);
    assert_int_equal(again.barrier[1].threads, 16);
    assert_float_equal(again.barrier[1].cycles, 468.5, 0.0);
    assert_int_equal(again.source[0].unusable, 3);
    assert_int_equal(again.source[0].used, 2);
    char *first = whole_file_read(JSON);
    assert_int_equal(model_write(&again, JSON, &error), STATUS_OK);
    char *second = whole_file_read(JSON);
    assert_string_equal(first, second);
    model_free(&again);

    /* One margin more than there may be. */
    char *list = strstr(first, "\"margins\": [");
    assert_non_null(list);
    FILE *file = fopen(JSON, "wb");
    fprintf(file,
            "%.*s\"margins\": [{\"mechanism\": \"x\", \"rows\": 1, \"median\": 0.0, "
            "\"shorter\": 1.0, \"longer\": 1.0},%s",
            (int)(list - first), first, list + strlen("\"margins\": ["));
    fclose(file);
    assert_int_equal(model_read(&again, &family_models, JSON, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "margins is longer than it can be"));
    free(first);
    free(second);
    model_free(&again);
    model_free(&model);
    records_free(&records);
    unlink(JSON);
}

/* Of a device that there is no description of, equations are checked all the same. */
static void test_check_without_description(void **state)
{
    static const struct ladder ladder = {53.0, 1.0, 2.0, 5.0};
    const char *const paths[] = {CSV};
    bool exceeded = true;
    struct records records;
    struct model model;
    struct error error;
    size_t bytes = 0;
    char *said = NULL;
    FILE *out = open_memstream(&said, &bytes);

    (void)state;
    assert_non_null(out);
    write_ladder(&ladder, 0.1);
    fit_file(&model, &records);
    assert_int_equal(model_write(&model, JSON, &error), STATUS_OK);
    assert_int_equal(command_check(JSON, NULL, paths, 1, 0.05, false, out, &exceeded, &error),
                     STATUS_OK);
    assert_int_equal(fclose(out), 0);
    assert_false(exceeded);
    assert_non_null(strstr(said, "Only rows with an equation are predicted"));
    assert_non_null(strstr(said, "rows by equation: median error"));
    free(said);
    model_free(&model);
    records_free(&records);
    unlink(JSON);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_model_refused(const char *text, const char *said)
{
    struct model model;
    struct error error;

    write_text(JSON, text);
    assert_int_equal(model_read(&model, &family_models, JSON, &error), STATUS_FAILED);
    unlink(JSON);
    if (!strstr(error.text, said))
        fail_msg("\"%s\" does not say \"%s\"", error.text, said);
}

static void test_bad_models(void **state)
{
    (void)state;
    assert_model_refused("{\"format\": \"vebench-model-2\",\n ", ":2:");
    assert_model_refused("{}", "not written by");
    assert_model_refused("{\"format\": \"vebench-model-99\"}", "not written by");
    assert_model_refused("{\"format\": \"vebench-model-2\", \"device_name\": 3}", "device_name");
    assert_model_refused(
        "{\"format\": \"vebench-model-2\", \"device_name\": \"\", \"device_uuid\": "
        "\"\", \"device_kind\": \"\", \"driver_version\": \"\", \"clock_mhz\": "
        "null, \"parameters\": [{}]}",
        "member parameters[0].name");
}

/* What fails leaves no model, and what was there before stays. */
static void test_nothing_half_written(void **state)
{
    const char *const paths[] = {CSV};
    struct fit_request request = {.files = paths, .count = 1, .output = JSON, .seed = 1};
    struct row_writer writer;
    struct error error;
    FILE *sink = tmpfile();
    char kept[16] = "";

    (void)state;
    assert_non_null(sink);
    write_text(JSON, "before");
    rows_open(&writer, CSV, "barrier");
    rows_add(&writer, &(struct row_values){"none", NULL, 16, 16, 1, 50, 1});
    rows_close(&writer);
    assert_int_equal(command_fit(&request, sink, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "none of the 1 rows"));
    FILE *file = fopen(JSON, "rb");
    assert_non_null(file);
    assert_non_null(fgets(kept, sizeof(kept), file));
    fclose(file);
    assert_string_equal(kept, "before");
    unlink(JSON);
    request.output = "no-such-folder/model.json";
    assert_int_equal(command_fit(&request, sink, &error), STATUS_FAILED);
    fclose(sink);
}

/* Half of the rows at one clock, half at another: a device that there is not. */
static void test_two_clocks(void **state)
{
    const char *const paths[] = {CSV};
    struct row_writer writer;
    struct records records;
    struct model model;
    struct error error;

    (void)state;
    rows_open(&writer, CSV, "barrier");
    for (unsigned n = 1; n <= 64; n++) {
        writer.clock_mhz = n <= 32 ? 2000.0 + n % 3 : 1300.0 + n % 5;
        rows_add(&writer, &(struct row_values){.variant = "work_group_local",
                                               .subgroup_size = 16,
                                               .workgroup_size = 16 * n,
                                               .workgroup_count = 1,
                                               .value = 40.0 + n,
                                               .half_width = 0.01});
    }
    rows_close(&writer);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    assert_int_equal(fit_model(&model, &family_models, &records, 1, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "1302 and 2001 MHz"));
    model_free(&model);
    records_free(&records);
}

static void test_cannot_write(void **state)
{
    static const struct ladder ladder = {31.0, 1.9, 0.0, 0.0};
    const char *const paths[] = {CSV};
    struct fit_request request = {.files = paths, .count = 1, .output = JSON, .seed = 1};
    FILE *sink = tmpfile();
    struct error error;

    (void)state;
    write_ladder(&ladder, 0.2);
    request.output = "no-such-folder/model.json";
    assert_int_equal(command_fit(&request, sink, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "cannot write no-such-folder/model.json"));
    fclose(sink);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_ladder),
        cmocka_unit_test(test_knee_and_groups),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_contended_baseline),
        cmocka_unit_test(test_no_mechanism),
        cmocka_unit_test(test_file_and_back),
        cmocka_unit_test(test_same_file),
        cmocka_unit_test(test_check_without_description),
        cmocka_unit_test(test_bad_models),
        cmocka_unit_test(test_two_clocks),
        cmocka_unit_test(test_cannot_write),
        cmocka_unit_test(test_nothing_half_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
