/* The verdicts at the top of a page against the rows of published results, which are searched here
 * without the library's verdicts: test-page-verdicts RESULTS.csv...
 *
 * Each number beside a bar is that of the cheapest row of its size that did what the sentence says,
 * the sentence's number is the best of these, bars are as long as their numbers, and no number
 * stands on its bar or its interval. */
#include "test.h"

#include "families/registry.h"
#include "report/answers/group-verdict.h"
#include "report/answers/verdict-bars.h"
#include "report/page-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZES      3
#define TEXT_BYTES 96
#define MOST_BARS  1e-2 /* relative error of a length: they are written in tenths of a unit */

static const unsigned sizes[SIZES] = {8, 16, 32};

static size_t groups, bars;

/* What the sentence says that was done. */
struct scope {
    unsigned workgroup_size; /* work-items, or 0 */
    double kib, operations;  /* or 0 */
    bool many_cores;
};

static struct scope read_scope(const char *sentence)
{
    struct scope scope = {0};
    const char *at = strrchr(sentence, ';');
    char unit[16];
    double work;

    /* Borders follow the scope; they name work, too, but no Xe-core. */
    while (at && !strstr(at, "Xe-core")) {
        do
            at--;
        while (at > sentence && *at != ';');
    }
    assert_non_null(at);
    if (sscanf(at, "; work-groups of %u", &scope.workgroup_size) != 1) {
        assert_int_equal(sscanf(at, "; %lf %15[^,]", &work, unit), 2);
        assert_true(!strcmp(unit, "KiB") || !strcmp(unit, "operations"));
        *(strcmp(unit, "KiB") == 0 ? &scope.kib : &scope.operations) = work;
    }
    scope.many_cores = strstr(at, "each of ") != NULL;
    return scope;
}

static bool is_in(const struct scope *scope, const struct record *r)
{
    char kib[TEXT_BYTES], said[TEXT_BYTES];

    if ((r->workgroup_count > 1) != scope->many_cores)
        return false;
    if (scope->workgroup_size)
        return r->workgroup_size == scope->workgroup_size;
    if (scope->operations > 0.0)
        return r->work_flops == scope->operations;
    snprintf(kib, sizeof(kib), "%.4g", r->work_bytes / 1024.0);
    snprintf(said, sizeof(said), "%.4g", scope->kib);
    return !strcmp(kib, said);
}

/* What people see of a row: cycles of a unit, or a rate. */
static double shown(const struct scope *scope, const struct record *r)
{
    if (scope->workgroup_size)
        return r->value * r->clock_mhz / 1000.0;
    return (scope->operations > 0.0 ? r->work_flops : r->work_bytes) / r->loop_ns;
}

/* The best row of a size that answers the question within the scope; NULL: none. */
static const struct record *best_row(const struct records *records, const struct group_verdict *g,
                                     const struct scope *scope, unsigned size)
{
    const struct record *best = NULL;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];
        double sign = scope->workgroup_size ? -1.0 : 1.0;

        if (!strcmp(r->status, "ok") && !strcmp(r->benchmark, g->question->family) &&
            !strcmp(r->operation, g->question->operation) && !strcmp(r->type, g->question->type) &&
            !strcmp(r->parameters, g->verdict->question.parameters) && r->subgroup_size == size &&
            is_in(scope, r) && (!best || sign * shown(scope, r) > sign * shown(scope, best)))
            best = r;
    }
    return best;
}

static double attribute(const char *at, const char *name)
{
    char key[32];

    snprintf(key, sizeof(key), " %s=\"", name);
    at = strstr(at, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

/* The bar of a size: its length for each unit, and what stands beside it. */
static void check_bar(const char *drawing, const struct record *row, const struct scope *scope,
                      double *scale)
{
    char class[TEXT_BYTES], number[TEXT_BYTES];

    snprintf(class, sizeof(class), "<rect class=\"m s%u", row->subgroup_size);
    const char *rect = strstr(drawing, class);
    snprintf(number, sizeof(number), ">%.3g ", shown(scope, row));
    if (!rect) {
        fail_msg("no bar of %u lanes", row->subgroup_size);
        return;
    }
    double length = attribute(rect, "width");
    const char *text = strstr(rect, "<text");
    assert_non_null(text);
    const char *said = strchr(text, '>');
    if (strncmp(said, number, strlen(number)) != 0)
        fail_msg("%u lanes: the page says %.20s, the row %s", row->subgroup_size, said, number);
    for (const char *line = strstr(rect, "<line"); line && line < text;
         line = strstr(line + 1, "<line"))
        assert_true(attribute(text, "x") > attribute(line, "x2") + 4.0);
    assert_true(attribute(text, "x") > attribute(rect, "x") + length + 4.0);
    if (*scale > 0.0)
        assert_true(fabs(length / shown(scope, row) / *scale - 1.0) < MOST_BARS);
    *scale = length / shown(scope, row);
    bars++;
}

static void draw(const struct verdict *v, char **drawing)
{
    size_t bytes;
    FILE *out = open_memstream(drawing, &bytes);

    assert_non_null(out);
    assert_true(verdict_bars_draw(out, v) > 0.0);
    assert_int_equal(fclose(out), 0);
}

/* The sentence's first number is the best row's. */
static void check_sentence(const char *sentence, const struct record *best,
                           const struct scope *scope)
{
    char number[TEXT_BYTES];

    snprintf(number, sizeof(number), ": %.3g ", shown(scope, best));
    if (!strstr(sentence, number))
        fail_msg("the best row has%s, the page says: %s", number, sentence);
}

static void check_group(const struct records *records, const struct group_verdict *g,
                        const char *page)
{
    char sentence[GROUP_TEXT_BYTES];
    const struct record *best = NULL;
    struct scope scope = read_scope(group_sentence(g, sentence));
    double scale = 0.0, sign = scope.workgroup_size ? -1.0 : 1.0;
    char *drawing = NULL;

    draw(g->verdict, &drawing);
    for (size_t s = 0; s < SIZES; s++) {
        const struct record *row = best_row(records, g, &scope, sizes[s]);

        if (!row != !verdict_best_at(g->verdict, sizes[s]))
            fail_msg("%u lanes, %s in the rows: %s", sizes[s], row ? "" : "not", sentence);
        if (!row)
            continue;
        check_bar(drawing, row, &scope, &scale);
        if (!best || sign * shown(&scope, row) > sign * shown(&scope, best))
            best = row;
    }
    check_sentence(sentence, best, &scope);
    assert_non_null(strstr(page, drawing));
    free(drawing);
    groups++;
}

static void check_file(const char *path)
{
    const char *const paths[] = {path};
    struct records records;
    const struct plot_source source = {.records = &records, .pages = &family_pages};
    struct error error;
    char *page;
    size_t bytes;
    FILE *out = open_memstream(&page, &bytes);

    assert_non_null(out);
    if (records_read(&records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(page_put_verdicts(out, &source, &error), STATUS_OK);
    assert_int_equal(fclose(out), 0);
    for (enum family_group which = 0; which < GROUP_COUNT; which++) {
        struct group_verdict g;

        assert_int_equal(group_verdict_make(&g, &family_pages, which, &records, &error), STATUS_OK);
        if (g.verdict)
            check_group(&records, &g, page);
        group_verdict_free(&g);
    }
    free(page);
    records_free(&records);
}

static const char *const *files;
static int file_count;

static void test_published(void **state)
{
    (void)state;
    for (int i = 0; i < file_count; i++) {
        groups = bars = 0;
        check_file(files[i]);
        printf("%s: %zu groups, %zu bars\n", files[i], groups, bars);
        assert_int_equal(groups, GROUP_COUNT - 1);
        assert_int_equal(bars, 3 * groups);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_published)};

    files = (const char *const *)argv + 1;
    file_count = argc - 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
