/*
 * Every family with the values of a preset on an emulated device. No row may fail or be unreliable,
 * unless it is faster than its baseline, or drifts, which two may; what is measured is verified,
 * and what is not has a reason. A model fitted to the default sweep, which `ninja bench` runs,
 * advises as its rows do, and predicts the kernels that no parameter was fitted to.
 *
 * Arguments: the emulated device, the preset, and how many more rows may be unreliable, of which
 * docs/devices.md says why; with that, only rows are looked at. Or the device, the word `rows` and
 * a result that is there: nothing is swept, and its model is looked at.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/stats.h"
#include "csv-file.h"
#include "families/registry.h"
#include "family/family.h"
#include "model/advise.h"
#include "model/verdict.h"
#include "predict/check.h"
#include "sweep.h"

static struct csv_file csv;
static const char *preset;
static char path[256]; /* of the rows */
static size_t most_unreliable;

static int run_sweep(void **state)
{
    const char *const arguments[] = {"--preset", preset, NULL};

    (void)state;
    sweep_rows(&csv, preset, arguments, NULL);
    return 0;
}

static int free_sweep(void **state)
{
    (void)state;
    csv_file_free(&csv);
    return 0;
}

/* Of posted atomics, whose order in the queues to the banks may drift for tens of thousands of
 * cycles: the row says so. More would be a fault of the clock or of the length of launches. */
#define MOST_THAT_DRIFT 2u

static void no_row_fails(void **state)
{
    size_t drifting = 0, unreliable = 0;

    (void)state;
    for (size_t row = 0; row < csv.row_count; row++) {
        const char *status = csv_file_field(&csv, row, "status");
        const char *reason = csv_file_field(&csv, row, "reason");
        const char *verified = csv_file_field(&csv, row, "verified");
        bool ok = !strcmp(status, "ok") && !strcmp(verified, "1");
        bool skipped = !strcmp(status, "skipped") && *reason;

        /* No noise: such a row is as sure as any, but no cost of the operation. */
        bool below =
            !strcmp(status, "unreliable") && strstr(reason, "faster than its baseline") == reason;
        bool drifts = !strcmp(status, "unreliable") && !strcmp(verified, "1") &&
                      !strcmp(csv_file_field(&csv, row, "benchmark"), "atomics") &&
                      strstr(reason, "time is not a straight line") == reason;

        drifting += drifts;
        if (drifts)
            continue;
        if (!ok && !below && !strcmp(status, "unreliable") && unreliable++ < most_unreliable)
            continue;
        if (!ok && !skipped && !below) {
            fail_msg("%s %s, sub-group %s, work-group %s, %s: %s, verified \"%s\": %s",
                     csv_file_field(&csv, row, "benchmark"), csv_file_field(&csv, row, "variant"),
                     csv_file_field(&csv, row, "subgroup_size"),
                     csv_file_field(&csv, row, "workgroup_size"),
                     csv_file_field(&csv, row, "parameters"), status, verified, reason);
        }
        assert_string_equal(csv_file_field(&csv, row, "device_kind"), "emulated");
    }
    assert_true(drifting <= MOST_THAT_DRIFT);
}

/* The number of ok rows of a family and, unless it is NULL, of a variant. */
static size_t count_ok(const char *family, const char *variant)
{
    size_t count = 0;

    for (size_t row = 0; row < csv.row_count; row++) {
        count += !strcmp(csv_file_field(&csv, row, "benchmark"), family) &&
                 (!variant || !strcmp(csv_file_field(&csv, row, "variant"), variant)) &&
                 !strcmp(csv_file_field(&csv, row, "status"), "ok");
    }
    return count;
}

/* Is there a row that says that the device, or its driver, lacks what the variant is about? */
static bool is_lacking(const char *family, const char *variant)
{
    static const char *const reasons[] = {
        "the device has no doubles", "the device has no matrix engines",
        "the driver reports no 2-D block messages for this device",
        "the device shares the host's memory: device_bandwidth measures it",
        "the driver has no command lists that execute in order"};

    for (size_t row = 0; row < csv.row_count; row++) {
        for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
            if (!strcmp(csv_file_field(&csv, row, "benchmark"), family) &&
                !strcmp(csv_file_field(&csv, row, "variant"), variant) &&
                !strcmp(csv_file_field(&csv, row, "reason"), reasons[i]))
                return true;
        }
    }
    return false;
}

/* Skipping everything would pass the test above. */
static void every_family_measures(void **state)
{
    (void)state;
    for (size_t f = 0; f < families.count; f++) {
        size_t measured = 0;

        for (size_t v = 0; v < families.family[f]->variant_count; v++) {
            const char *variant = families.family[f]->variants[v].name;

            measured += count_ok(families.family[f]->name, variant) > 0 ||
                        is_lacking(families.family[f]->name, variant);
        }
        print_message("%s: %zu rows, %zu of %zu variants\n", families.family[f]->name,
                      count_ok(families.family[f]->name, NULL), measured,
                      families.family[f]->variant_count);
        assert_true(2 * measured >= families.family[f]->variant_count);
    }
}

/* Median and worst error of a family's rows, which are predicted by their machine code. */
static void expect_predicted(const struct check *check, const char *family, double median,
                             double worst)
{
    double errors[1024];
    size_t count = 0;

    for (size_t i = 0; i < check->count; i++) {
        if (check->row[i].by == BY_CODE && !strcmp(check->row[i].record->benchmark, family)) {
            assert_true(count < sizeof(errors) / sizeof(errors[0]));
            errors[count++] = fabs(check->row[i].error);
        }
    }
    assert_true(count > 0);
    stats_sort(errors, count);
    print_message("%s: %zu rows, median error %.2f %%, worst %.2f %%\n", family, count,
                  100.0 * errors[count / 2], 100.0 * errors[count - 1]);
    assert_true(errors[count / 2] <= median);
    assert_true(errors[count - 1] <= worst);
}

/* The fit has used all other rows; products and transpositions are left to check. */
static void keep_unseen(struct records *records)
{
    for (size_t i = 0; i < records->count; i++) {
        const char *family = records->record[i].benchmark;

        records->record[i].usable &= !strcmp(family, "transpose") || !strcmp(family, "matmul");
    }
}

static void unseen_kernels_are_predicted(void **state)
{
    const char *paths[] = {path};
    struct predictor *predictor = NULL;
    struct check check;
    struct records records;
    struct model model;
    struct error error;

    (void)state;
    if (records_read(&records, paths, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK ||
        predictor_open(&predictor,
                       &(struct predictor_settings){
                           .model = &model, .figures = &family_figures, .families = &families},
                       &error) != STATUS_OK)
        fail_msg("%s", error.text);
    keep_unseen(&records);
    if (check_model(&check, &model, predictor, &records, CHECK_ALL, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    expect_predicted(&check, "transpose", 0.05, 0.15);
    expect_predicted(&check, "matmul", 0.05, 0.15);
    check_free(&check);
    predictor_close(predictor);
    model_free(&model);
    records_free(&records);
}

/* What the model alone says of the question, or NULL. */
static const struct ranking *find_ranking(const struct advice *advice, const struct verdict *v)
{
    char title[VERDICT_TEXT_BYTES];
    size_t length = strlen(verdict_title(v, title));

    for (size_t i = 0; i < advice->ranking_count; i++) {
        const struct ranking *ranking = &advice->ranking[i];

        if (!strncmp(ranking->title, title, length) && ranking->title[length] == ';' &&
            ranking->choices.choice[0].workgroup_size == v->question.workgroup_size)
            return ranking;
    }
    return NULL;
}

/* The model's cost of what was measured, or NULL. */
static const struct estimate *modelled(const struct ranking *ranking,
                                       const struct verdict_candidate *c)
{
    for (size_t i = 0; i < ranking->choices.count; i++) {
        const struct choice *choice = &ranking->choices.choice[i];

        if (c->subgroup_size == choice->subgroup_size && !strcmp(c->variant, choice->variant))
            return &choice->cost;
    }
    return NULL;
}

/* Of what both know, the cheapest by the rows and the cheapest by the model are the same, or one of
 * them cannot tell the two apart. */
static bool model_agrees(const struct ranking *ranking, const struct verdict *v)
{
    const struct verdict_candidate *by_rows = NULL, *by_model = NULL;

    for (size_t i = 0; i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];
        const struct estimate *cost = modelled(ranking, c);

        if (cost && !by_rows)
            by_rows = c;
        if (cost && (!by_model || cost->value < modelled(ranking, by_model)->value))
            by_model = c;
    }
    return by_rows == by_model || !verdict_differ(v, by_rows, by_model) ||
           estimates_overlap(modelled(ranking, by_rows), modelled(ranking, by_model));
}

/* Advice from a model alone, on what its rows answer by themselves. */
static void check_advice(const char *family, const struct model *model,
                         const struct records *records)
{
    struct verdicts verdicts;
    struct advice advice;
    struct error error;
    size_t compared = 0;

    if (advise(&advice, model, NULL, family, &error) != STATUS_OK ||
        verdicts_make(&verdicts, records, family, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < verdicts.count; i++) {
        const struct verdict *v = &verdicts.verdict[i];
        const struct ranking *ranking = v->question.cores == 1 ? find_ranking(&advice, v) : NULL;

        if (!ranking || !verdict_decides(v))
            continue;
        compared++;
        if (!model_agrees(ranking, v)) {
            char text[VERDICT_TEXT_BYTES];

            fail_msg("%s: the rows say %s", ranking->title, verdict_sentence(v, text));
        }
    }
    print_message("%s: the model answers %zu questions as its rows do\n", family, compared);
    assert_true(compared >= 5);
    verdicts_free(&verdicts);
    advice_free(&advice);
}

static void rows_and_their_model_agree(void **state)
{
    struct records records;
    struct model model;
    struct error error;
    const char *paths[] = {path};

    (void)state;
    if (records_read(&records, paths, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    check_advice("barrier", &model, &records);
    check_advice("exchange", &model, &records);
    check_advice("collective", &model, &records);
    model_free(&model);
    records_free(&records);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest rows[] = {
        cmocka_unit_test(no_row_fails),
        cmocka_unit_test(every_family_measures),
    };
    const struct CMUnitTest whole[] = {
        cmocka_unit_test(no_row_fails),
        cmocka_unit_test(every_family_measures),
        cmocka_unit_test(rows_and_their_model_agree),
        cmocka_unit_test(unseen_kernels_are_predicted),
    };
    const struct CMUnitTest model[] = {
        cmocka_unit_test(rows_and_their_model_agree),
        cmocka_unit_test(unseen_kernels_are_predicted),
    };

    if (argc < 3)
        return 2;
    sweep_device = argv[1];
    preset = argv[2];
    if (argc > 3 && strcmp(preset, "rows") == 0) {
        snprintf(path, sizeof(path), "%s", argv[3]);
        return cmocka_run_group_tests(model, NULL, NULL);
    }
    snprintf(path, sizeof(path), "%s-%s.csv", sweep_device, preset);
    most_unreliable = argc > 3 ? (size_t)atoi(argv[3]) : 0;
    if (argc > 3 || strcmp(preset, "default") != 0)
        return cmocka_run_group_tests(rows, run_sweep, free_sweep);
    return cmocka_run_group_tests(whole, run_sweep, free_sweep);
}
