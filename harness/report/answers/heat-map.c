/* The map: every operation by sub-group size, by the verdicts on the rows, folded by group. */
#include "base/streams.h"
#include "drawing/html.h"
#include "model/verdict.h"
#include "report/answers/group-verdict.h"
#include "report/answers/method-table.h"
#include "report/answers/sizes.h"
#include "report/page-parts.h"
#include "report/plots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the rows of a group say in all. */
struct tally {
    size_t rows, alike, best[SIZES];
};

/* From 0, as good as the best, to 5, at least four times the cost. */
static unsigned shade_of(const struct verdict *v, const struct verdict_candidate *c)
{
    double ratio = c->cost.value / v->candidate[0].cost.value;

    if (c->wins)
        return 0;
    if (v->candidate[0].is_free || !isfinite(ratio))
        return 5;
    return ratio < 1.05   ? 0
           : ratio < 1.25 ? 1
           : ratio < 1.6  ? 2
           : ratio < 2.2  ? 3
           : ratio < 4.0  ? 4
                          : 5;
}

static void put_map_cell(FILE *out, const struct verdict *v, unsigned size)
{
    const struct verdict_candidate *c = verdict_best_at(v, size);
    char text[VERDICT_TEXT_BYTES];

    if (!c) {
        fputs("<td class=\"none\" title=\"not measured\">·</td>", out);
        return;
    }
    struct estimate shown = verdict_shown(v, c);
    bool is_free = c->is_free || (c->wins && c->cost.interval.low <= 0.0);
    fprintf(out, "<td class=\"h%u%s\" title=\"", shade_of(v, c),
            c->wins && !is_free ? " best" : "");
    html_put(out, verdict_choice(v, c, text));
    if (is_free) {
        fputs("\">free</td>", out);
        return;
    }
    fprintf(out, ": %.4g [%.4g, %.4g] %s\">", shown.value, shown.interval.low, shown.interval.high,
            verdict_shown_unit(v));
    fprintf(out, shown.value < 1000.0 ? "%.3g</td>" : "%.0f</td>", shown.value);
}

static void put_verdict(FILE *out, const struct verdict *v, bool is_first)
{
    const struct verdict_question *q = &v->question;
    char text[VERDICT_TEXT_BYTES];

    fputs("<tr><th scope=\"row\" title=\"", out);
    html_put(out, verdict_title(v, text));
    fputs("; ", out);
    html_put(out, verdict_scope(v, text));
    fputs("\">", out);
    if (is_first) {
        html_put_spaced(out, q->operation);
        fputs(q->type[0] ? " " : "", out);
        html_put(out, q->type);
        fputs(q->parameters[0] ? ", " : "", out);
        html_put(out, q->parameters);
    }
    fputs("</th>", out);
    for (size_t s = 0; s < SIZES; s++)
        put_map_cell(out, v, answer_sizes[s]);
    fprintf(out, "<td class=\"method\" title=\"%s, ", verdict_asks(v));
    html_put(out, verdict_scope(v, text));
    fputs("\">", out);
    html_put_spaced(out, v->candidate[0].method);
    fputs(v->candidate[0].method[0] ? "; " : "", out);
    html_put(out, verdict_work(v, text));
    fputs("</td></tr>\n", out);
}

/* Counts who wins. */
static void count_row(struct tally *tally, const struct verdict *v)
{
    tally->rows++;
    if (!verdict_decides(v)) {
        tally->alike++;
        return;
    }
    for (size_t s = 0; s < SIZES; s++) {
        const struct verdict_candidate *c = verdict_best_at(v, answer_sizes[s]);

        tally->best[s] += c && c->wins;
    }
}

static void put_map_row(FILE *out, const struct verdict *v, bool is_first, struct tally *tally)
{
    put_verdict(out, v, is_first);
    count_row(tally, v);
}

/* The loop alone: nobody chooses a size for it. */
static bool does_nothing(const struct verdict *v)
{
    return !strcmp(v->question.operation, "none");
}

/* Of a ladder, the least work and the most that was measured at several sizes. */
static void put_ladder(FILE *out, const struct verdicts *all, size_t first, size_t count,
                       struct tally *tally)
{
    const struct verdict *least = NULL, *most = NULL;

    for (size_t i = first; i < first + count; i++) {
        if (verdict_sizes(&all->verdict[i]) < 2 || does_nothing(&all->verdict[i]))
            continue;
        least = least ? least : &all->verdict[i];
        most = &all->verdict[i];
    }
    if (least)
        put_map_row(out, least, true, tally);
    if (most != least)
        put_map_row(out, most, false, tally);
}

static bool compares_sizes(const struct verdicts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        if (verdict_sizes(&all->verdict[i]) > 1)
            return true;
    }
    return false;
}

static const char *map_unit(const struct verdicts *all)
{
    for (size_t i = 0; i < all->count; i++) {
        if (verdict_sizes(&all->verdict[i]) > 1)
            return verdict_shown_unit(&all->verdict[i]);
    }
    return "";
}

static void put_map(FILE *out, const struct plot *plot, const struct verdicts *all,
                    struct tally *tally)
{
    fprintf(out, "<table><caption><a href=\"#%s\">", plot->name);
    html_put(out, plot->title);
    fputs("</a> <span class=\"dim\">", out);
    html_put(out, map_unit(all));
    fputs(", equal work in a row</span></caption>\n<thead><tr><th></th>", out);
    for (size_t s = 0; s < SIZES; s++)
        fprintf(out, "<th scope=\"col\" class=\"k s%u\">%u</th>", answer_sizes[s], answer_sizes[s]);
    fputs("<th></th></tr></thead>\n<tbody>", out);
    for (size_t first = 0, count; first < all->count; first += count) {
        count = verdicts_ladder(all, first);
        put_ladder(out, all, first, count, tally);
    }
    fputs("</tbody></table>\n", out);
}

/* Has a plot before this one the same family? */
static bool is_repeated(const struct plot_source *source, const struct plot *plot)
{
    const struct plot *other = NULL;

    while ((other = plots_next(source->pages, other)) && other != plot) {
        if (other->family && (other->shape == PLOT_BARS || other->in_heat_map) &&
            !strcmp(other->family, plot->family))
            return true;
    }
    return false;
}

static enum family_group group_of(const struct family_pages *pages, const char *family)
{
    for (size_t i = 0; i < pages->count; i++) {
        if (family_page_covers(pages->family[i], family))
            return pages->family[i]->group;
    }
    return GROUP_KERNELS;
}

static enum status put_map_family(FILE *out, const struct plot *plot,
                                  const struct plot_source *source, struct tally *tally,
                                  struct error *error)
{
    struct verdicts all;
    enum status status = verdicts_make(&all, source->records, plot->family, error);

    if (status != STATUS_OK)
        return status;
    if (compares_sizes(&all)) {
        fputs("<div class=\"heat\">\n", out);
        put_map(out, plot, &all, tally);
        fputs("</div>\n", out);
        method_table_put(out, source->records, &all);
    }
    verdicts_free(&all);
    return STATUS_OK;
}

/* "Barriers: 16 lanes best in 10 of 18 rows, 32 lanes in 2; alike in 6". */
static void put_summary(FILE *out, enum family_group group, const struct tally *tally)
{
    bool is_first = true;

    fprintf(out, "<summary><b>%s</b> ", group_name(group));
    for (size_t s = 0; s < SIZES; s++) {
        if (!tally->best[s])
            continue;
        fprintf(out, is_first ? "%u lanes best in %zu of %zu rows" : ", %u lanes in %zu",
                answer_sizes[s], tally->best[s], tally->rows);
        is_first = false;
    }
    if (tally->alike)
        fprintf(out, is_first ? "alike in all %zu rows" : "; alike in %zu", tally->alike);
    fputs("</summary>\n", out);
}

static enum status put_tables(FILE *out, enum family_group group, const struct plot_source *source,
                              struct tally *tally, struct error *error)
{
    const struct plot *plot = NULL;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && (plot = plots_next(source->pages, plot))) {
        if (plot->family && (plot->shape == PLOT_BARS || plot->in_heat_map) &&
            group_of(source->pages, plot->family) == group && !is_repeated(source, plot))
            status = put_map_family(out, plot, source, tally, error);
    }
    return status;
}

/* Adds the number of rows to `*rows`. */
static enum status put_map_group(FILE *out, enum family_group group,
                                 const struct plot_source *source, size_t *rows,
                                 struct error *error)
{
    struct tally tally = {0};
    char *tables = NULL;
    size_t bytes;
    FILE *inside = stream_open_text(&tables, &bytes);

    if (!inside)
        return error_out_of_memory(error);
    enum status status = put_tables(inside, group, source, &tally, error);
    if (stream_close_text(inside, &tables, error) != STATUS_OK)
        return error->status;
    if (status == STATUS_OK && tally.rows) {
        fputs("<details class=\"group\">", out);
        put_summary(out, group, &tally);
        fputs(tables, out);
        fputs("</details>\n", out);
    }
    *rows += tally.rows;
    free(tables);
    return status;
}

enum status page_put_heat(FILE *out, const struct plot_source *source, struct error *error)
{
    enum status status = STATUS_OK;
    size_t rows = 0;

    fputs("<section><h2 id=\"sizes\">Every operation by sub-group size</h2>\n"
          "<p class=\"dim\">The best method of each operation at sub-groups of 8, 16 and 32, for "
          "the same work spread over the same Xe-cores: once for the least work that was measured "
          "at several sizes, once for the most. <b class=\"best\">Outlined</b> cells are best, or "
          "as good as the best within their intervals; the stronger the colour of a cell, the "
          "further it is from "
          "the best; a dot was not measured. The title of a table leads to its plot, where the "
          "names are explained.</p>\n",
          out);
    for (unsigned i = 1; status == STATUS_OK && i <= GROUP_COUNT; i++)
        status = put_map_group(out, i % GROUP_COUNT, source, &rows, error);
    if (!rows)
        fputs("<p>No operation was measured at two sizes with the same work, so there is nothing "
              "to compare. <code>vebench bench</code> measures all three sizes.</p>\n",
              out);
    fputs("</section>\n", out);
    return status;
}
