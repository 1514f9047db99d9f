#include "commands/compare-print.h"

#include "base/text.h"
#include "cli/style.h"
#include "compare/compare-rows.h"

#include <stdlib.h>

static void put_line(FILE *out, const struct comparison *c)
{
    static const enum style styles[CHANGE_COUNT] = {[CHANGE_SLOWER] = STYLE_BAD,
                                                    [CHANGE_FASTER] = STYLE_GOOD,
                                                    [CHANGE_UNCLEAR] = STYLE_DOUBTFUL};
    char place[COMPARISON_PLACE_BYTES];

    fprintf(out, "%s%-8s%s %+8.2f %% +- %.2f  p %.3g  ", style_begin(out, styles[c->verdict]),
            change_name(c->verdict), style_end(out), 100.0 * c->change, 100.0 * c->change_error,
            c->probability);
    fprintf(out, "%s\n", comparison_place(c, place));
}

static void put_markdown_line(FILE *out, const struct comparison *c)
{
    char place[COMPARISON_PLACE_BYTES];
    struct comparison_times times = comparison_times(c);

    fprintf(out, "| %s | %+.2f %% ± %.2f | %.4g | %.4g ", change_name(c->verdict),
            100.0 * c->change, 100.0 * c->change_error, times.base, times.new);
    text_put_markdown(out, times.unit);
    fputs(" | ", out);
    text_put_markdown(out, comparison_place(c, place));
    fputs(" |\n", out);
}

static void put_totals(FILE *out, const struct comparisons *c,
                       const struct compare_options *options)
{
    fprintf(out,
            "%zu same, %zu faster, %zu slower, %zu unclear; %zu only in the first, %zu only in "
            "the second; %zu and %zu rows unusable (not ok, not verified, or no time)\n"
            "Changes below %.2g %% count as none. Probabilities are corrected for %zu comparisons "
            "(Holm); below 0.05 a change counts as real.\n",
            c->verdicts[CHANGE_SAME], c->verdicts[CHANGE_FASTER], c->verdicts[CHANGE_SLOWER],
            c->verdicts[CHANGE_UNCLEAR], c->only_base, c->only_new, c->left_out_base,
            c->left_out_new, 100.0 * options->threshold, c->count);
}

/* What all rows have in common, and how far the verdicts can be relied on. */
static void put_shift(FILE *out, const struct comparisons *c, bool markdown)
{
    static const enum style styles[CHANGE_COUNT] = {
        [CHANGE_SLOWER] = STYLE_BAD, [CHANGE_FASTER] = STYLE_GOOD};
    const struct common_shift *s = &c->shift;
    enum style style = markdown ? STYLE_NONE : styles[c->shift_verdict];

    if (c->shift_verdict == CHANGE_SLOWER || c->shift_verdict == CHANGE_FASTER)
        fprintf(out,
                "%sall rows: %+.2f %%%s [%+.2f, %+.2f] (p %.3g, median of %zu rows): clock? Rows "
                "below are beside it.\n%s",
                style_begin(out, style), 100.0 * s->change, style_end(out), 100.0 * s->low,
                100.0 * s->high, s->probability, s->rows, markdown ? "\n" : "");
}

static void put_runs(FILE *out, const struct comparisons *c)
{
    if (c->base_runs + c->new_runs == 2)
        fputs("One run for each side: how runs differ is not known, so what only differs from run "
              "to run may count as a change (give several, with -- between the sides).\n",
              out);
    else
        fprintf(out, "%zu and %zu runs; the variance between runs counts.\n", c->base_runs,
                c->new_runs);
}

static enum status put_rows(FILE *out, const struct comparisons *comparisons,
                            const struct comparison *const *sorted, size_t count,
                            enum cli_format format, struct error *error)
{
    struct csv csv;

    csv_attach(&csv, out, "standard output");
    csv.format = (enum row_format)format;
    return comparisons_write(&csv, comparisons, sorted, count, error);
}

static void put_text(FILE *out, const struct comparison *const *sorted, size_t count,
                     const struct comparisons *comparisons, const struct compare_options *options,
                     bool markdown)
{
    put_shift(out, comparisons, markdown);
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
    if (!options->base_size)
        put_runs(out, comparisons);
}

enum status compare_print(FILE *out, const struct comparisons *comparisons,
                          const struct compare_options *options, enum cli_format format, bool all,
                          struct error *error)
{
    size_t count;
    const struct comparison **sorted = comparisons_sorted(comparisons, all, &count);
    enum status status = STATUS_OK;

    if (!sorted)
        return error_out_of_memory(error);
    if (format == FORMAT_TABLE || format == FORMAT_MARKDOWN)
        put_text(out, sorted, count, comparisons, options, format == FORMAT_MARKDOWN);
    else
        status = put_rows(out, comparisons, sorted, count, format, error);
    free(sorted);
    return status;
}
