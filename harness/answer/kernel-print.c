#include "answer/kernel-answer.h"

#include "audit/isa-text.h"
#include "base/table.h"

static void put_best(FILE *out, const struct kernel_answer *answer, const struct answer_part *part)
{
    const struct verdict_candidate *best = part->verdict.candidate;
    char choice[ANSWER_TEXT_BYTES], gain[ANSWER_TEXT_BYTES];

    fprintf(out, "\nBest%s%s: %s: %.4g %s a launch. %s\n", answer->part_count > 1 ? " of " : "",
            answer->part_count > 1 ? part->operation : "", answer_choice(answer, best, choice),
            answer_shown(answer, best->row, best->cost.value), answer_unit(answer),
            answer_gain(answer, &part->verdict, gain));
}

static enum status put_launches(FILE *out, const struct kernel_answer *answer,
                                const struct verdict *v, struct error *error)
{
    static const struct table_column columns[] = {
        {"", false},      {"lanes", true},       {"work-group", true},
        {"groups", true}, {"time", true},        {"95 % from", true},
        {"to", true},     {"of the best", true}, {"", false}};
    double least = v->candidate[0].cost.value;
    struct table table;

    table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];

        table_text(&table, "%s", c->wins ? "*" : "");
        table_number(&table, c->subgroup_size);
        table_number(&table, c->workgroup_size);
        table_number(&table, c->workgroup_count);
        table_text(&table, "%.4g", answer_shown(answer, c->row, c->cost.value));
        table_text(&table, "%.4g", answer_shown(answer, c->row, c->cost.interval.low));
        table_text(&table, "%.4g", answer_shown(answer, c->row, c->cost.interval.high));
        table_text(&table, "%.2f", c->cost.value / least);
        table_text(&table, "%s", answer_variant(answer, c->variant));
    }
    fprintf(out, "\nTimes in %s, the best first; a star: cannot be told from the best.\n",
            answer_unit(answer));
    enum status status = table_write(&table, TABLE_PLAIN, out, error);
    table_free(&table);
    return status;
}

/* What has no part in a verdict. */
static void put_failures(FILE *out, const struct kernel_answer *answer)
{
    for (size_t i = 0; i < answer->records.count; i++) {
        const struct record *r = &answer->records.record[i];
        const char *name = answer_variant(answer, r->variant);

        if (r->usable && record_has_interval(r))
            continue;
        fprintf(out, "%s: %u lanes, work-groups of %u%s%s: %s\n", r->status, r->subgroup_size,
                r->workgroup_size, name[0] ? ", " : "", name, r->reason);
    }
}

static void add_code(struct table *table, const struct kernel_answer *answer,
                     const struct explained *explained, size_t launch)
{
    const struct isa_entry *code = answer_code(answer, explained, launch);
    char text[ISA_TEXT_BYTES], kernel[ANSWER_TEXT_BYTES];

    if (!code)
        return;
    const struct isa_audit *audit = &code->audit;
    table_text(table, "%s", answer_kernel(answer, explained, launch, kernel));
    table_number(table, audit->width);
    table_number(table, audit->all.instructions);
    table_text(table, "%u/%u", audit->registers_used, audit->registers);
    table_number(table, audit->scratch_bytes);
    table_text(table, "%s", isa_messages_text(audit->loop_count ? &audit->hot : &audit->all, text));
    table_text(table, "%.0f", audit->bounds.bound[audit->bounds.highest].cycles);
    table_text(table, "%s", isa_bound_text(audit, text));
}

static enum status put_code(FILE *out, const struct kernel_answer *answer,
                            const struct answer_part *part, struct error *error)
{
    static const struct table_column columns[] = {
        {"kernel", false}, {"lanes", true},     {"instr.", true}, {"GRF used", true},
        {"scratch", true}, {"messages", false}, {"cycles", true}, {"bound by", false}};
    struct table table;

    table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < part->explained_count; i++) {
        for (size_t l = 0; l < answer->job->launch_count; l++)
            add_code(&table, answer, &part->explained[i], l);
    }
    fprintf(
        out,
        "\nMachine code for %s: the best, the second best, the worst. GRF: registers used/given;\n"
        "scratch: bytes that a thread spills; messages and cycles: of an iteration of the hot\n"
        "loop, or of the whole where there is none; cycles: at least, on a full Xe-core.\n",
        answer->target);
    enum status status = table_write(&table, TABLE_PLAIN, out, error);
    table_free(&table);
    return status;
}

static void put_parts(FILE *out, const struct explained *explained)
{
    double rest = 0.0;

    for (size_t i = 0; i < explained->outcome.part_count; i++) {
        const struct part *part = &explained->outcome.part[i];

        if (part->share >= ANSWER_PART_LEAST)
            fprintf(out, "  %5.1f %%  %s\n", 100.0 * part->share, part->name);
        else
            rest += part->share;
    }
    if (rest >= ANSWER_PART_LEAST)
        fprintf(out, "  %5.1f %%  all else\n", 100.0 * rest);
}

static void put_time(FILE *out, const struct kernel_answer *answer, const struct answer_part *part)
{
    fputs("\nWhere the time goes, caches warm, by executing the machine code on the modelled "
          "device:\n",
          out);
    for (size_t i = 0; i < part->explained_count; i++) {
        const struct explained *e = &part->explained[i];
        const struct record *row = e->candidate->row;
        char choice[ANSWER_TEXT_BYTES], limit[ANSWER_TEXT_BYTES];

        answer_choice(answer, e->candidate, choice);
        if (!e->is_predicted) {
            fprintf(out, "%s: not predicted: %s\n", choice, e->why);
            continue;
        }
        fprintf(out, "%s: predicted %.4g %s, measured %.4g: %s\n", choice,
                answer_shown(answer, row, e->predicted_ns), answer_unit(answer),
                answer_shown(answer, row, e->candidate->cost.value),
                answer_limit(&e->outcome, limit));
        put_parts(out, e);
    }
}

enum status kernel_answer_print(FILE *out, const struct kernel_answer *answer, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t p = 0; status == STATUS_OK && p < answer->part_count; p++) {
        const struct answer_part *part = &answer->part[p];

        if (!part->verdict.count)
            continue;
        put_best(out, answer, part);
        status = put_launches(out, answer, &part->verdict, error);
    }
    put_failures(out, answer);
    for (size_t p = 0; status == STATUS_OK && p < answer->part_count; p++) {
        if (!answer->part[p].explained_count)
            continue;
        status = put_code(out, answer, &answer->part[p], error);
        put_time(out, answer, &answer->part[p]);
    }
    return status;
}
