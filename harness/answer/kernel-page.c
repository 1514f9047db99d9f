/* The answer as a page: one file, without scripts. */
#include "answer/kernel-answer.h"

#include "audit/isa-text.h"
#include "base/replace-file.h"
#include "drawing/drawing.h"
#include "drawing/html.h"

/* Bars of times, and of a time's parts, whose colours go round. */
static const char style[] =
    ".bar{height:.7rem;border-radius:.2rem;background:#77777f;min-width:2px}"
    ".bar.s8{background:#0072b2}.bar.s16{background:#d55e00}.bar.s32{background:#009e73}"
    "td.wide{width:40%}.split{display:flex;height:1.1rem;margin:.3rem 0}"
    ".split div{min-width:1px}.p0{background:#0072b2}.p1{background:#d55e00}"
    ".p2{background:#009e73}.p3{background:#cc79a7}.p4{background:#e69f00}.p5{background:#77777f}"
    ".parts{list-style:none;padding:0;margin:.2rem 0 1rem;font-size:.9rem;columns:2 22rem}"
    ".parts span{display:inline-block;width:.8em;height:.8em;border-radius:.2em;"
    "margin-right:.4em}";

#define COLOURS 6

struct heading {
    const char *name;
    bool is_of_numbers;
};

static void put_headings(FILE *out, const struct heading *headings, size_t count)
{
    fputs("<table><thead><tr>", out);
    for (size_t i = 0; i < count; i++) {
        fputs(headings[i].is_of_numbers ? "<th class=number>" : "<th>", out);
        html_put(out, headings[i].name);
        fputs("</th>", out);
    }
    fputs("</tr></thead><tbody>\n", out);
}

static void put_number(FILE *out, double number)
{
    fprintf(out, "<td class=number>%.4g</td>", number);
}

static void write_launches(FILE *out, const struct kernel_answer *answer, const struct verdict *v)
{
    const struct heading headings[] = {{""},
                                       {"lanes", true},
                                       {"work-group", true},
                                       {""},
                                       {answer_unit(answer), true},
                                       {"95 % interval", true},
                                       {""}};
    double most = v->candidate[v->count - 1].cost.value;

    put_headings(out, headings, sizeof(headings) / sizeof(headings[0]));
    for (size_t i = 0; i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];

        fprintf(out, "<tr><td>%s</td>", c->wins ? "&#9733;" : "");
        fprintf(out, "<td class=number>%u</td><td class=number>%u</td>", c->subgroup_size,
                c->workgroup_size);
        html_element(out, "td", answer_variant(answer, c->variant));
        put_number(out, answer_shown(answer, c->row, c->cost.value));
        fprintf(out, "<td class=number>%.4g to %.4g</td>",
                answer_shown(answer, c->row, c->cost.interval.low),
                answer_shown(answer, c->row, c->cost.interval.high));
        fprintf(out,
                "<td class=wide><div class=\"bar %s\" style=\"width:%.1f%%\"></div></td></tr>\n",
                drawing_size_class(c->subgroup_size), 100.0 * c->cost.value / most);
    }
    fputs("</tbody></table>\n", out);
}

static void put_verdict(FILE *out, const struct kernel_answer *answer,
                        const struct answer_part *part)
{
    const struct verdict_candidate *best = part->verdict.candidate;
    char text[ANSWER_TEXT_BYTES];

    fputs("<section><h2>Best", out);
    if (answer->part_count > 1) {
        fputs(" of ", out);
        html_put(out, part->operation);
    }
    fputs(": ", out);
    html_put(out, answer_choice(answer, best, text));
    fprintf(out, ": %.4g %s a launch", answer_shown(answer, best->row, best->cost.value),
            answer_unit(answer));
    fputs("</h2>\n<p>", out);
    html_put(out, answer_gain(answer, &part->verdict, text));
    fputs("</p>\n", out);
    write_launches(out, answer, &part->verdict);
    fputs("</section>\n", out);
}

static void write_failures(FILE *out, const struct kernel_answer *answer)
{
    static const struct heading headings[] = {
        {""}, {"lanes", true}, {"work-group", true}, {""}, {"why"}};
    bool any = false;

    for (size_t i = 0; i < answer->records.count; i++) {
        const struct record *r = &answer->records.record[i];

        if (r->usable && record_has_interval(r))
            continue;
        if (!any) {
            fputs("<section><h2>Without a time</h2>\n", out);
            put_headings(out, headings, sizeof(headings) / sizeof(headings[0]));
        }
        any = true;
        fputs("<tr>", out);
        html_element(out, "td", r->status);
        fprintf(out, "<td class=number>%u</td><td class=number>%u</td>", r->subgroup_size,
                r->workgroup_size);
        html_element(out, "td", answer_variant(answer, r->variant));
        html_element(out, "td", r->reason);
        fputs("</tr>\n", out);
    }
    if (any)
        fputs("</tbody></table></section>\n", out);
}

static void put_split(FILE *out, const struct outcome *outcome)
{
    fputs("<div class=split>", out);
    for (size_t i = 0; i < outcome->part_count; i++)
        fprintf(out, "<div class=p%zu style=\"width:%.1f%%\"></div>", i % COLOURS,
                100.0 * outcome->part[i].share);
    fputs("</div><ul class=parts>", out);
    for (size_t i = 0; i < outcome->part_count; i++) {
        if (outcome->part[i].share < ANSWER_PART_LEAST)
            continue;
        fprintf(out, "<li><span class=p%zu></span>%.1f %% ", i % COLOURS,
                100.0 * outcome->part[i].share);
        html_put(out, outcome->part[i].name);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

static void put_why(FILE *out, const struct kernel_answer *answer, const struct answer_part *part)
{
    fputs("<section><h2>Where the time goes</h2>\n<p class=dim>Two best kernels and the worst, "
          "caches warm, by executing their machine code on the modelled device.</p>\n",
          out);
    for (size_t i = 0; i < part->explained_count; i++) {
        const struct explained *e = &part->explained[i];
        const struct record *row = e->candidate->row;
        char text[ANSWER_TEXT_BYTES];

        html_element(out, "h3", answer_choice(answer, e->candidate, text));
        fputs("<p>", out);
        if (!e->is_predicted) {
            fputs("Not predicted: ", out);
            html_put(out, e->why);
            fputs("</p>\n", out);
            continue;
        }
        fprintf(out,
                "Predicted %.4g %s, measured %.4g: ", answer_shown(answer, row, e->predicted_ns),
                answer_unit(answer), answer_shown(answer, row, e->candidate->cost.value));
        html_put(out, answer_limit(&e->outcome, text));
        fputs("</p>\n", out);
        put_split(out, &e->outcome);
    }
    fputs("</section>\n", out);
}

static void put_code_row(FILE *out, const struct kernel_answer *answer,
                         const struct explained *explained, size_t launch)
{
    const struct isa_entry *code = answer_code(answer, explained, launch);
    char kernel[ANSWER_TEXT_BYTES], text[ISA_TEXT_BYTES];

    if (!code)
        return;
    const struct isa_audit *a = &code->audit;
    fputs("<tr>", out);
    html_element(out, "td", answer_kernel(answer, explained, launch, kernel));
    put_number(out, a->width);
    put_number(out, a->all.instructions);
    fprintf(out, "<td class=number>%u/%u</td>", a->registers_used, a->registers);
    put_number(out, a->scratch_bytes);
    html_element(out, "td", isa_messages_text(a->loop_count ? &a->hot : &a->all, text));
    put_number(out, a->bounds.bound[a->bounds.highest].cycles);
    html_element(out, "td", isa_bound_text(a, text));
    fputs("</tr>\n", out);
}

static void write_code(FILE *out, const struct kernel_answer *answer,
                       const struct answer_part *part)
{
    static const struct heading headings[] = {{"kernel"},
                                              {"lanes", true},
                                              {"instructions", true},
                                              {"GRF used", true},
                                              {"bytes spilled", true},
                                              {"messages"},
                                              {"cycles", true},
                                              {"bound by"}};

    fprintf(out, "<section><h2>Machine code for %s</h2>\n", answer->target);
    fputs("<p class=dim>Registers: used of those given. Messages and cycles: of an iteration of "
          "the hot loop, or of the whole where there is none; cycles: at least, on a full "
          "Xe-core.</p>\n",
          out);
    put_headings(out, headings, sizeof(headings) / sizeof(headings[0]));
    for (size_t i = 0; i < part->explained_count; i++) {
        for (size_t l = 0; l < answer->job->launch_count; l++)
            put_code_row(out, answer, &part->explained[i], l);
    }
    fputs("</tbody></table></section>\n", out);
}

static void put_head(FILE *out, const struct kernel_answer *answer)
{
    const struct record *row = answer->records.count ? &answer->records.record[0] : NULL;

    fputs("<!doctype html>\n<html lang=en><head><meta charset=utf-8>"
          "<meta name=viewport content=\"width=device-width\"><title>",
          out);
    html_put(out, answer->job->title);
    fprintf(out, "</title><style>%s%s</style></head><body>\n<h1>", html_style, style);
    html_put(out, answer->job->title);
    fputs("</h1>\n", out);
    if (!row)
        return;
    fputs("<p class=dim>", out);
    html_put(out, row->device_name);
    fputs(", driver ", out);
    html_put(out, row->driver_version);
    fputs("</p>\n", out);
    if (device_kind_is_emulated(row->device_kind))
        fputs("<p class=emulated>Emulated: these times are a model's, not a GPU's.</p>\n", out);
}

enum status kernel_answer_page(const char *path, const struct kernel_answer *answer,
                               struct error *error)
{
    struct replacement replacement;
    enum status status = replacement_open(&replacement, path, error);

    if (status != STATUS_OK)
        return status;
    FILE *out = replacement.out;
    put_head(out, answer);
    for (size_t p = 0; p < answer->part_count; p++) {
        if (answer->part[p].verdict.count)
            put_verdict(out, answer, &answer->part[p]);
    }
    write_failures(out, answer);
    for (size_t p = 0; p < answer->part_count; p++) {
        if (!answer->part[p].explained_count)
            continue;
        put_why(out, answer, &answer->part[p]);
        write_code(out, answer, &answer->part[p]);
    }
    fputs("</body></html>\n", out);
    return replacement_close(&replacement, STATUS_OK, error);
}
