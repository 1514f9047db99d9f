#include "cli/compare-print.h"

#include "base/columns.h"
#include "cli/style.h"

#include <math.h>
#include <stdlib.h>

/* A comparison as a row of CSV or JSON. */
struct comparison_row {
    const char *verdict, *benchmark, *variant, *parameters, *unit;
    unsigned subgroup_size, new_subgroup_size, workgroup_size, new_workgroup_size, workgroup_count;
    double change, change_error, probability, base_ns, new_ns;
};

#define COLUMN(type, member, unit, meaning)                                                        \
    {                                                                                              \
#member, type, true, offsetof(struct comparison_row, member), unit, meaning                \
    }

static const struct column compare_columns[] = {
    COLUMN(COLUMN_TEXT, verdict, "", "SLOWER, FASTER, UNCLEAR or SAME"),
    COLUMN(COLUMN_REAL, change, "", "of the mean, relative"),
    COLUMN(COLUMN_REAL, change_error, "", "half the 95 % interval of `change`"),
    COLUMN(COLUMN_REAL, probability, "", "that chance makes such a change, corrected"),
    COLUMN(COLUMN_REAL, base_ns, "ns", "mean in the first file"),
    COLUMN(COLUMN_REAL, new_ns, "ns", "mean in the second"),
    COLUMN(COLUMN_TEXT, benchmark, "", "family"),
    COLUMN(COLUMN_TEXT, variant, "", "variant"),
    COLUMN(COLUMN_TEXT, unit, "", "of the means"),
    COLUMN(COLUMN_SIZE, subgroup_size, "work-items", "in the first file"),
    COLUMN(COLUMN_SIZE, new_subgroup_size, "work-items", "in the second"),
    COLUMN(COLUMN_SIZE, workgroup_size, "work-items", "in the first file"),
    COLUMN(COLUMN_SIZE, new_workgroup_size, "work-items", "in the second"),
    COLUMN(COLUMN_SIZE, workgroup_count, "work-groups", "in both"),
    COLUMN(COLUMN_TEXT, parameters, "", "of both"),
};

#define COLUMN_COUNT (sizeof(compare_columns) / sizeof(compare_columns[0]))

static int rank_of(enum verdict verdict)
{
    static const int ranks[VERDICT_COUNT] = {
        [VERDICT_SLOWER] = 0, [VERDICT_FASTER] = 1, [VERDICT_UNCLEAR] = 2, [VERDICT_SAME] = 3};

    return ranks[verdict];
}

static int compare_changes(const void *left, const void *right)
{
    const struct comparison *a = *(const struct comparison *const *)left;
    const struct comparison *b = *(const struct comparison *const *)right;
    int order = rank_of(a->verdict) - rank_of(b->verdict);

    if (!order)
        order = (fabs(a->change) < fabs(b->change)) - (fabs(a->change) > fabs(b->change));
    return order ? order : record_order(&a->base, &b->base);
}

/* "barrier work_group_local, sub-group 32 instead of 16, work-group 1 x 64, bytes=4" */
static void put_place(FILE *out, const struct comparison *c)
{
    const struct record *base = c->base, *new = c->new;

    fprintf(out, "%s %s, sub-group ", base->benchmark, base->variant);
    if (new->subgroup_size != base->subgroup_size)
        fprintf(out, "%u instead of ", new->subgroup_size);
    fprintf(out, "%u, work-group %u x ", base->subgroup_size, base->workgroup_count);
    if (new->workgroup_size != base->workgroup_size)
        fprintf(out, "%u instead of ", new->workgroup_size);
    fprintf(out, "%u%s%s", base->workgroup_size, base->parameters[0] ? ", " : "", base->parameters);
}

static void put_line(FILE *out, const struct comparison *c)
{
    static const enum style styles[VERDICT_COUNT] = {[VERDICT_SLOWER] = STYLE_BAD,
                                                     [VERDICT_FASTER] = STYLE_GOOD,
                                                     [VERDICT_UNCLEAR] = STYLE_DOUBTFUL};

    fprintf(out, "%s%-8s%s %+8.2f %% +- %.2f  p %.3g  ", style_begin(out, styles[c->verdict]),
            verdict_name(c->verdict), style_end(out), 100.0 * c->change, 100.0 * c->change_error,
            c->probability);
    put_place(out, c);
    fputc('\n', out);
}

static void put_markdown_line(FILE *out, const struct comparison *c)
{
    fprintf(out, "| %s | %+.2f %% ± %.2f | %.4g | %.4g %s | ", verdict_name(c->verdict),
            100.0 * c->change, 100.0 * c->change_error, c->base->mean_ns, c->new->mean_ns,
            c->base->unit);
    put_place(out, c);
    fputs(" |\n", out);
}

static struct comparison_row row_of(const struct comparison *c)
{
    return (struct comparison_row){
        .verdict = verdict_name(c->verdict),
        .benchmark = c->base->benchmark,
        .variant = c->base->variant,
        .parameters = c->base->parameters,
        .unit = c->base->unit,
        .subgroup_size = c->base->subgroup_size,
        .new_subgroup_size = c->new->subgroup_size,
        .workgroup_size = c->base->workgroup_size,
        .new_workgroup_size = c->new->workgroup_size,
        .workgroup_count = c->base->workgroup_count,
        .change = c->change,
        .change_error = c->change_error,
        .probability = c->probability,
        .base_ns = c->base->mean_ns,
        .new_ns = c->new->mean_ns,
    };
}

static void put_totals(FILE *out, const struct comparisons *c,
                       const struct compare_options *options)
{
    fprintf(out,
            "%zu same, %zu faster, %zu slower, %zu unclear; %zu only in the first, %zu only in "
            "the second; %zu and %zu rows of no use (not ok, not verified, or no time)\n"
            "Changes below %.2g %% count as none. Probabilities are corrected for %zu comparisons "
            "(Holm); below 0.05 a change is believed.\n",
            c->verdicts[VERDICT_SAME], c->verdicts[VERDICT_FASTER], c->verdicts[VERDICT_SLOWER],
            c->verdicts[VERDICT_UNCLEAR], c->only_base, c->only_new, c->left_out_base,
            c->left_out_new, 100.0 * options->threshold, c->count);
}

static enum status put_rows(FILE *out, const struct comparison *const *sorted, size_t count,
                            enum cli_format format, struct error *error)
{
    struct csv csv;
    enum status status;

    csv_attach(&csv, out, "standard output");
    csv.format = (enum row_format)format;
    status = columns_write_header(compare_columns, COLUMN_COUNT, &csv, error);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct comparison_row row = row_of(sorted[i]);

        status = columns_write_row(compare_columns, COLUMN_COUNT, &row, &csv, error);
    }
    return status == STATUS_OK ? columns_write_end(&csv, error) : status;
}

static void put_text(FILE *out, const struct comparison *const *sorted, size_t count,
                     const struct comparisons *comparisons, const struct compare_options *options,
                     bool markdown)
{
    if (markdown && count)
        fputs("| | change | before | after | where |\n|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < count; i++) {
        if (markdown)
            put_markdown_line(out, sorted[i]);
        else
            put_line(out, sorted[i]);
    }
    fputs(markdown && count ? "\n" : "", out);
    put_totals(out, comparisons, options);
}

enum status compare_print(FILE *out, const struct comparisons *comparisons,
                          const struct compare_options *options, enum cli_format format, bool all,
                          struct error *error)
{
    const struct comparison **sorted = calloc(comparisons->count + 1, sizeof(*sorted));
    enum status status = STATUS_OK;
    size_t count = 0;

    if (!sorted)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t i = 0; i < comparisons->count; i++) {
        const struct comparison *c = &comparisons->comparison[i];

        if (all || c->verdict == VERDICT_SLOWER || c->verdict == VERDICT_FASTER)
            sorted[count++] = c;
    }
    qsort(sorted, count, sizeof(*sorted), compare_changes);
    if (format == FORMAT_TABLE || format == FORMAT_MARKDOWN)
        put_text(out, sorted, count, comparisons, options, format == FORMAT_MARKDOWN);
    else
        status = put_rows(out, sorted, count, format, error);
    free(sorted);
    return status;
}
