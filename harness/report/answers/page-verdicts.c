/* The top of the page: one sentence for each group of operations, and its bars. */
#include "base/streams.h"
#include "drawing/drawing.h"
#include "drawing/html.h"
#include "report/answers/group-verdict.h"
#include "report/answers/names.h"
#include "report/answers/verdict-bars.h"
#include "report/page-parts.h"

#include <math.h>
#include <stdlib.h>

/* "A latency. 32 bits, any permutation, through SLM. Holds in 24 of 24 draws." */
static void put_small_print(FILE *out, const struct group_verdict *group,
                            const struct plot_source *source)
{
    const struct verdict *v = group->verdict;
    const struct verdict_candidate *best = &v->candidate[0];
    const struct finding *finding = group_finding(source->verdicts, v);
    const char *means = name_means(source->families, best->row);
    char text[VERDICT_TEXT_BYTES];

    fputs("<p class=\"dim\">", out);
    html_put_spaced(out, verdict_title(v, text));
    fprintf(out, ": %s", verdict_asks(v));
    if (v->gain > 0.0)
        fprintf(out, "; all others take at least %.3g %% longer", 100.0 * v->gain);
    fputs(". ", out);
    if (means) {
        html_put_spaced(out, best->method);
        fputs(best->method[0] ? ": " : "", out);
        html_put(out, means);
        fputs(". ", out);
    }
    if (finding && finding->rests_on[0]) {
        fputs(finding->is_weak ? "<i class=\"weak\">" : "<i>", out);
        html_put(out, finding->rests_on);
        fputs("</i>", out);
    }
    fputs("</p>\n", out);
}

static enum status put_answer(FILE *out, const struct group_verdict *group,
                              const struct plot_source *source, struct error *error)
{
    char sentence[GROUP_TEXT_BYTES], *inside = NULL;
    size_t bytes;
    FILE *drawing = stream_open_text(&inside, &bytes);

    if (!drawing)
        return error_out_of_memory(error);
    double height = verdict_bars_draw(drawing, group->verdict);
    if (stream_close_text(drawing, &inside, error) != STATUS_OK)
        return error->status;
    fputs("<p><b>", out);
    html_put_spaced(out, group_sentence(group, sentence));
    fputs("</b></p>\n", out);
    drawing_put(out, group->question->subject, height, inside);
    put_small_print(out, group, source);
    free(inside);
    return STATUS_OK;
}

static enum status put_group_verdict(FILE *out, enum family_group which,
                                     const struct plot_source *source, struct error *error)
{
    struct group_verdict group;
    enum status status = group_verdict_make(&group, source->pages, which, source->records, error);

    if (status != STATUS_OK || !group.question)
        return status;
    fputs("<article>", out);
    html_element(out, "h3", group_name(which));
    fputs("\n", out);
    if (group.verdict)
        status = put_answer(out, &group, source, error);
    else
        fprintf(out, "<p class=\"dim\">No rows. To measure them: <code>vebench run %s</code></p>\n",
                group.question->family);
    fputs("</article>\n", out);
    group_verdict_free(&group);
    return status;
}

enum status page_put_verdicts(FILE *out, const struct plot_source *source, struct error *error)
{
    enum status status = STATUS_OK;

    fputs(
        "<section class=\"first\"><h2 id=\"verdicts\">Which sub-group size?</h2>\n"
        "<p class=\"dim\">Lanes are the work-items of a sub-group. Each bar is the best method at "
        "its size; the bars of a drawing did the same work on the same Xe-cores, pale bars lost. "
        "<b>function</b>: a sub-group function, in registers; <b>slm</b>, <b>local</b>: in shared "
        "local memory; <b>slm group</b>: there, with barriers of the work-group; <b>global</b>: "
        "in global memory; <b>vec4</b>, <b>block4</b>: 4 values of a lane in one load; Gop/s: 10⁹ "
        "operations per second. All names are explained below the plots.</p>\n"
        "<div class=\"verdicts\">\n",
        out);
    for (enum family_group which = 0; status == STATUS_OK && which < GROUP_COUNT; which++)
        status = put_group_verdict(out, which, source, error);
    fputs("</div></section>\n", out);
    return status;
}
