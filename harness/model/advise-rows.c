/* For each question that rows or a model answer, the verdict, and along each ladder of work where
 * the winner changes. */
#include "model/advise.h"
#include "model/verdict.h"

#include <math.h>
#include <string.h>

#define PRINTED_MAX 8

static void print_candidate(FILE *out, const struct verdict *v, const struct verdict_candidate *c)
{
    char text[VERDICT_TEXT_BYTES];
    bool is_rate = v->question.kind == WORK_OPERATIONS || v->question.kind == WORK_BYTES;
    double more = c->cost.value / v->candidate[0].cost.value - 1.0;
    struct estimate shown = verdict_shown(v, c);

    fprintf(out, "%s: ", verdict_choice(v, c, text));
    if (c->is_free) {
        fputs("free", out);
    } else {
        estimate_print(out, &shown);
        fprintf(out, " %s", verdict_shown_unit(v));
    }
    if (c != &v->candidate[0] && c->wins)
        fputs(fabs(more) <= VERDICT_TIE ? ", as good as the best"
                                        : ", cannot be told from the best",
              out);
    else if (c != &v->candidate[0] && !v->candidate[0].is_free && isfinite(more))
        fprintf(out, ", takes %.3g %% longer%s", 100.0 * more, is_rate ? " for the same work" : "");
    fputc('\n', out);
}

static void print_verdict(struct advising *a, const struct verdict *v)
{
    char text[VERDICT_TEXT_BYTES];
    size_t shown = v->count < PRINTED_MAX ? v->count : PRINTED_MAX;

    fprintf(a->out, "%s; ", verdict_title(v, text));
    fprintf(a->out, "%s; %s\n", verdict_scope(v, text), verdict_asks(v));
    for (size_t i = 0; i < shown; i++) {
        fputs(i > 0 ? "    " : v->count > 1 ? "    best " : "    only ", a->out);
        print_candidate(a->out, v, &v->candidate[i]);
    }
    if (v->count > shown)
        fprintf(a->out, "    and %zu more\n", v->count - shown);
    a->said++;
}

/* "the winner changes: 8 lanes up to work-groups of 64, 16 lanes from work-groups of 128 on" */
static void print_stretches(struct advising *a, const struct verdicts *all,
                            const struct verdict_stretch *stretches, size_t count)
{
    char text[VERDICT_TEXT_BYTES];

    for (size_t i = 1; i < count; i++) {
        const struct verdict *before = &all->verdict[stretches[i - 1].last];
        const struct verdict *from = &all->verdict[stretches[i].first];

        if (!stretches[i].is_border)
            continue;
        fprintf(a->out, "  the winner changes: %s",
                verdict_choice(before, stretches[i - 1].winner, text));
        fprintf(a->out, " up to %s,", verdict_work(before, text));
        fprintf(a->out, " %s", verdict_choice(from, stretches[i].winner, text));
        fprintf(a->out, " from %s on\n", verdict_work(from, text));
    }
}

static void print_ladder(struct advising *a, const struct verdicts *all, size_t first, size_t count,
                         bool brief)
{
    struct verdict_stretch stretches[VERDICT_STRETCHES_MAX];
    size_t found = verdict_stretches(all, first, count, stretches);

    for (size_t i = 0; brief && i < found; i++) {
        const struct verdict *v = &all->verdict[stretches[i].last];

        if (v->count > 1 || found == 1)
            print_verdict(a, v);
    }
    for (size_t i = first; !brief && i < first + count; i++)
        print_verdict(a, &all->verdict[i]);
    print_stretches(a, all, stretches, found);
}

static enum status add_ranking_of(struct advising *a, const struct verdict *v)
{
    struct choices choices = {0};
    enum status status = STATUS_OK;
    char title[VERDICT_TEXT_BYTES], full[2 * VERDICT_TEXT_BYTES], text[VERDICT_TEXT_BYTES];

    for (size_t i = 0; status == STATUS_OK && i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];
        struct choice choice = {.subgroup_size = c->subgroup_size,
                                .workgroup_size = c->workgroup_size,
                                .cost = c->cost};

        memcpy(choice.variant, c->variant, sizeof(choice.variant));
        status = choices_add(&choices, &choice, a->error);
    }
    snprintf(full, sizeof(full), "%s; %s", verdict_title(v, title), verdict_scope(v, text));
    if (status == STATUS_OK)
        status = advise_add_ranking(
            a, full, &choices, v->candidate[0].row ? "ns for all of the work" : v->question.unit);
    choices_free(&choices);
    return status;
}

enum status advise_verdicts(struct advising *a, const struct verdicts *verdicts, bool brief)
{
    enum status status = STATUS_OK;

    for (size_t first = 0, count; first < verdicts->count; first += count) {
        count = verdicts_ladder(verdicts, first);
        print_ladder(a, verdicts, first, count, brief);
    }
    for (size_t i = 0; status == STATUS_OK && i < verdicts->count; i++)
        status = add_ranking_of(a, &verdicts->verdict[i]);
    return status;
}

enum status advise_rows(struct advising *a, const struct records *records)
{
    struct verdicts all;
    enum status status = verdicts_make(&all, records, a->family, a->error);

    if (status != STATUS_OK)
        return status;
    status = advise_verdicts(a, &all, false);
    verdicts_free(&all);
    return status;
}
