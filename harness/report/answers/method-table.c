/* Below the map of a family: every method of an operation by sub-group size, at equal work. */
#include "report/answers/method-table.h"

#include "drawing/html.h"
#include "report/answers/sizes.h"

#include <string.h>

/* The best candidate at a size by a method, or NULL. */
static const struct verdict_candidate *best_by(const struct verdict *v, unsigned size,
                                               const char *method)
{
    const struct verdict_candidate *best = NULL;

    for (size_t i = 0; i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];

        if (c->subgroup_size == size && !strcmp(c->method, method) &&
            (!best || c->cost.value < best->cost.value))
            best = c;
    }
    return best;
}

/* Why there is no candidate: the status of a row that would be one, or a dot for none. */
static const char *status_by(const struct records *records, const struct verdict *v, unsigned size,
                             const char *method)
{
    const struct record *like = v->candidate[0].row;

    for (size_t i = 0; i < records->count; i++) {
        const struct record *r = &records->record[i];

        if (!r->usable && r->subgroup_size == size && record_is_by(r, method) &&
            !strcmp(r->benchmark, like->benchmark) && record_same_task(r, like) &&
            !strcmp(r->parameters, like->parameters) && r->workgroup_size == like->workgroup_size &&
            r->workgroup_count == like->workgroup_count)
            return r->status;
    }
    return "·";
}

static void put_method_cell(FILE *out, const struct records *records, const struct verdict *v,
                            unsigned size, const char *method)
{
    const struct verdict_candidate *c = best_by(v, size, method);
    char text[VERDICT_TEXT_BYTES];

    if (!c) {
        fputs("<td class=\"number dim\">", out);
        html_put(out, status_by(records, v, size, method));
        fputs("</td>", out);
        return;
    }
    struct estimate e = verdict_shown(v, c);
    fprintf(out, "<td class=\"number\" title=\"%.4g to %.4g\">%s", e.interval.low, e.interval.high,
            c->wins ? "<b>" : "");
    html_put(out, verdict_cost(v, c, text));
    fprintf(out, "%s</td>", c->wins ? "</b>" : "");
}

static void put_method(FILE *out, const struct records *records, const struct verdict *v,
                       const char *method, bool is_first)
{
    char text[VERDICT_TEXT_BYTES];

    fputs("<tr><td>", out);
    if (is_first) {
        html_put_spaced(out, verdict_title(v, text));
        fputs("; ", out);
        html_put(out, verdict_scope(v, text));
    }
    fputs("</td><td>", out);
    html_put_spaced(out, method);
    fputs("</td>", out);
    for (size_t s = 0; s < SIZES; s++)
        put_method_cell(out, records, v, answer_sizes[s], method);
    fputs("</tr>\n", out);
}

/* Is the candidate the first of its method? Those that cost least come first. */
static bool is_first_of_method(const struct verdict *v, size_t index)
{
    size_t i = 0;

    while (strcmp(v->candidate[i].method, v->candidate[index].method) != 0)
        i++;
    return i == index;
}

static bool has_methods(const struct verdict *v)
{
    for (size_t i = 1; i < v->count; i++) {
        if (is_first_of_method(v, i))
            return true;
    }
    return false;
}

static void put_table_head(FILE *out)
{
    fputs("<details><summary>Each method</summary><div class=\"scroll\"><table>\n<tr><th>"
          "operation and work</th><th>method</th>",
          out);
    for (size_t s = 0; s < SIZES; s++)
        fprintf(out, "<th class=\"number\">%u lanes</th>", answer_sizes[s]);
    fputs("</tr>\n", out);
}

void method_table_put(FILE *out, const struct records *records, const struct verdicts *all)
{
    bool is_open = false;

    for (size_t i = 0; i < all->count; i++) {
        const struct verdict *v = &all->verdict[i];

        if (!has_methods(v))
            continue;
        if (!is_open)
            put_table_head(out);
        is_open = true;
        for (size_t c = 0; c < v->count; c++) {
            if (is_first_of_method(v, c))
                put_method(out, records, v, v->candidate[c].method, c == 0);
        }
    }
    if (is_open)
        fputs("</table></div></details>\n", out);
}
