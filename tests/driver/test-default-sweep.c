/*
 * The sweep that `ninja bench` runs: every family with its default values on an emulated device. No
 * row may fail or be unreliable, unless it is faster than its baseline, or drifts, which two may;
 * what is measured is verified, and what is not has a reason. A model fitted to it predicts the
 * kernels that no parameter was fitted to.
 *
 * Argument: the emulated device.
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
#include "predict/check.h"
#include "report/family-page.h"
#include "sweep.h"

static struct csv_file csv;

static int run_sweep(void **state)
{
    static const char *const arguments[] = {NULL};

    (void)state;
    sweep_run(&csv, "default", arguments, NULL);
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
    size_t drifting = 0;

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

/* Is there a row that says that the device lacks what the variant is about? */
static bool is_lacking(const char *family, const char *variant)
{
    static const char *const reasons[] = {
        "the device has no doubles", "the device has no matrix engines",
        "the driver reports no 2-D block messages for this device",
        "the device shares the host's memory: device_bandwidth measures it"};

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

static void check_sweep(struct check *check, const char *path)
{
    struct predictor *predictor = NULL;
    struct records records;
    struct model model;
    struct error error;

    if (records_read(&records, &path, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK ||
        predictor_open(&predictor,
                       &(struct predictor_settings){
                           .model = &model, .figures = &family_figures, .families = &families},
                       &error) != STATUS_OK)
        fail_msg("%s", error.text);
    keep_unseen(&records);
    if (check_model(check, &model, predictor, &records, CHECK_ALL, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    expect_predicted(check, "transpose", 0.05, 0.15);
    expect_predicted(check, "matmul", 0.05, 0.15);
    check_free(check);
    predictor_close(predictor);
    model_free(&model);
    records_free(&records);
}

static void unseen_kernels_are_predicted(void **state)
{
    struct check check;
    char path[64];

    (void)state;
    snprintf(path, sizeof(path), "%s-default.csv", sweep_device);
    check_sweep(&check, path);
}

/* The finding whose advice contains the words, or NULL. */
static const struct finding *find_finding(const struct findings *findings, const char *words)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (strstr(findings->line[i].advice, words))
            return &findings->line[i];
    }
    return NULL;
}

static const struct ranking *find_ranking(const struct advice *advice, const char *title)
{
    for (size_t i = 0; i < advice->ranking_count; i++) {
        if (!strcmp(advice->ranking[i].title, title))
            return &advice->ranking[i];
    }
    fail_msg("no advice on %s", title);
    return NULL;
}

/* Which sub-group size for barriers of that work-group? */
static void barriers_agree(const struct findings *findings, const struct advice *advice)
{
    const struct finding *finding = find_finding(findings, "ask for sub-groups of ");
    const struct ranking *ranking = find_ranking(advice, "work_group_local");
    const struct choice *best = NULL;
    unsigned size = 0, items = 0;

    if (!finding)
        return; /* no size is clearly better */
    assert_int_equal(sscanf(strstr(finding->advice, "ask for"), "ask for sub-groups of %u", &size),
                     1);
    assert_int_equal(sscanf(strstr(finding->evidence, "work-group of"), "work-group of %u", &items),
                     1);
    for (size_t i = 0; i < ranking->choices.count; i++) {
        const struct choice *c = &ranking->choices.choice[i];

        if (c->workgroup_size == items && (!best || c->cost.value < best->cost.value))
            best = c;
    }
    assert_non_null(best);
    print_message("barriers in work-groups of %u: sub-groups of %u, advised %u\n", items, size,
                  best->subgroup_size);
    assert_int_equal(best->subgroup_size, size);
}

/* A way's advised cost at a work-group, or NULL. */
static const struct estimate *cost_at(const struct ranking *ranking, const char *variant,
                                      unsigned size, unsigned items)
{
    for (size_t i = 0; i < ranking->choices.count; i++) {
        const struct choice *c = &ranking->choices.choice[i];

        if (!strcmp(c->variant, variant) && c->subgroup_size == size && c->workgroup_size == items)
            return &c->cost;
    }
    return NULL;
}

/* Does the list of sizes that begins there, as "8, 16 and 32", have this one? It ends at a
 * semicolon or a full stop. */
static bool lists(const char *list, unsigned size)
{
    size_t length = list ? strcspn(list, ";.") : 0;

    for (size_t i = 0; i < length; i++) {
        char *end;

        if (list[i] < '0' || list[i] > '9')
            continue;
        if (strtoul(&list[i], &end, 10) == size)
            return true;
        i = (size_t)(end - list);
    }
    return false;
}

/* Registers or local memory for a shuffle, with as many threads as the finding rests on? */
static void shuffles_agree(const struct findings *findings, const struct advice *advice,
                           const struct records *records)
{
    const struct finding *finding = find_finding(findings, "Shuffle ");
    const struct ranking *ranking = find_ranking(advice, "shuffle_u32");
    double threads = 0.0;

    if (!finding)
        return;
    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (r->usable && !strcmp(r->benchmark, "exchange") && !strcmp(r->variant, "shuffle_u32"))
            threads = fmax(threads, record_threads(r));
    }
    const char *slm = strstr(finding->advice, "shared local memory");
    const char *own = strstr(finding->advice, "in registers");
    for (unsigned size = 8; size <= 32; size *= 2) {
        unsigned items = (unsigned)threads * size;
        const struct estimate *a = cost_at(ranking, "shuffle_u32", size, items);
        const struct estimate *b = cost_at(ranking, "shuffle_u32_slm", size, items);

        if (!a || !b || estimates_overlap(a, b))
            continue;
        print_message("shuffles of %u threads of %u: %s advised, %s\n", (unsigned)threads, size,
                      a->value < b->value ? "registers" : "local memory", finding->advice);
        if (a->value < b->value)
            assert_false(lists(slm, size));
        else
            assert_false(lists(own, size));
    }
}

/* A report's findings and `advise` answer some of the same questions, the same way. */
static void findings_and_advice_agree(void **state)
{
    struct advice barrier, exchange;
    struct findings findings = {.count = 0};
    struct records records;
    struct model model;
    struct error error;
    char path[64];
    const char *paths[] = {path};

    (void)state;
    snprintf(path, sizeof(path), "%s-default.csv", sweep_device);
    if (records_read(&records, paths, 1, &error) != STATUS_OK ||
        fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK ||
        advise(&barrier, &model, NULL, "barrier", &error) != STATUS_OK ||
        advise(&exchange, &model, NULL, "exchange", &error) != STATUS_OK)
        fail_msg("%s", error.text);
    findings_collect(&findings, &family_pages, &records);
    assert_true(findings.count > 0);
    barriers_agree(&findings, &barrier);
    shuffles_agree(&findings, &exchange, &records);
    advice_free(&barrier);
    advice_free(&exchange);
    model_free(&model);
    records_free(&records);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_row_fails),
        cmocka_unit_test(every_family_measures),
        cmocka_unit_test(findings_and_advice_agree),
        cmocka_unit_test(unseen_kernels_are_predicted),
    };

    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, run_sweep, free_sweep);
}
