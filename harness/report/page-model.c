#include "report/page-parts.h"

#include "drawing/html.h"
#include "model/parameter-name.h"

#include <math.h>

static void put_parameter(FILE *out, const struct parameter *p)
{
    const char *rest = p->name + name_family_bytes(p->name);

    fputs("<tr><td>", out);
    html_put(out, rest + (*rest == '.'));
    if (p->below_resolution)
        fprintf(out, "</td><td class=\"number\">&lt; %.4g</td><td class=\"number\"></td>",
                p->interval.high);
    else
        fprintf(out, "</td><td class=\"number\">%.5g</td><td class=\"number\">%.5g to %.5g</td>",
                p->value, p->interval.low, p->interval.high);
    html_element(out, "td", p->unit);
    if (isfinite(p->left_out_error))
        fprintf(out, "<td class=\"number\">%.3g</td>", p->left_out_error);
    else
        fputs("<td class=\"number\"></td>", out);
    fprintf(out, "<td class=\"number\">%zu</td>", p->rows);
    html_element(out, "td", p->form);
    fputs("</tr>\n", out);
}

/* Prints the parameters of one family, collapsed, as there may be hundreds. Returns the index after
 * them. */
static size_t put_family(FILE *out, const struct model *model, size_t first)
{
    const char *name = model->parameter[first].name;
    char family[MODEL_NAME_BYTES];
    size_t end = first;

    snprintf(family, sizeof(family), "%.*s", (int)name_family_bytes(name), name);
    while (end < model->parameter_count && name_is_within(model->parameter[end].name, family) &&
           model->parameter[end].is_cost == model->parameter[first].is_cost)
        end++;
    fputs("<details><summary>", out);
    html_put(out, family);
    fprintf(out,
            ": %zu %s%s</summary>\n<div class=\"scroll\"><table><tr>"
            "<th>parameter</th><th class=\"number\">value</th><th class=\"number\">95 %% interval"
            "</th><th>unit</th><th class=\"number\">error on held-out rows</th>"
            "<th class=\"number\">rows</th><th>equation</th></tr>\n",
            end - first, model->parameter[first].is_cost ? "cost" : "parameter",
            end - first == 1 ? "" : "s");
    for (size_t i = first; i < end; i++)
        put_parameter(out, &model->parameter[i]);
    fputs("</table></div></details>\n", out);
    return end;
}

static void put_absences(FILE *out, const struct model *model)
{
    if (model->absence_count == 0)
        return;
    fprintf(out,
            "<h3>What the rows do not determine</h3>\n<details><summary>%zu parameters, and what "
            "would supply them</summary>\n<div class=\"scroll\"><table><tr><th>parameter</th>"
            "<th>why</th><th>what would supply it</th></tr>\n",
            model->absence_count);
    for (size_t i = 0; i < model->absence_count; i++) {
        const struct absence *a = &model->absence[i];

        fputs("<tr>", out);
        html_element(out, "td", a->name);
        html_element(out, "td", a->why);
        fputs("<td>", out);
        html_element(out, "code", a->command);
        fputs("</td></tr>\n", out);
    }
    fputs("</table></div></details>\n", out);
}

void page_put_model(FILE *out, const struct model *model)
{
    fputs("<section id=\"model\"><h2>Parameters of the model</h2>", out);
    fprintf(out,
            "\n<p class=\"dim\">Fitted to %zu file%s by <code>vebench fit</code>. &lt; means below "
            "resolution: indistinguishable from zero. An error is the root mean square over rows, "
            "each predicted from all others, in the equation's unit.</p>\n",
            model->source_count, model->source_count == 1 ? "" : "s");
    for (size_t i = 0; i < model->parameter_count;) {
        if (model->parameter[i].is_cost && (i == 0 || !model->parameter[i - 1].is_cost))
            fputs("<h3>Table of costs</h3>\n<p class=\"dim\">Each comes from a single row, and "
                  "predicts no other.</p>\n",
                  out);
        i = put_family(out, model, i);
    }
    put_absences(out, model);
    fputs("</section>\n", out);
}
