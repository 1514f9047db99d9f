#include "commands/kernel-answer.h"

#include "audit/isa-text.h"
#include "audit/survey.h"
#include "base/table.h"
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_BYTES 96

/* Of the machine code, the best launches, and the worst. */
#define BEST_SHOWN 2

struct answer {
    FILE *out;
    const struct job *job;
    const char *target;
    enum time_unit unit;
    struct records records;
    struct verdict verdict;
};

static const char *name_of(const struct answer *answer, const char *variant)
{
    return answer->job->variant_count > 1 ? variant : "";
}

static double shown(const struct answer *answer, const struct record *row, double ns)
{
    return ns * time_unit_per_ns(answer->unit, row->clock_mhz);
}

/* "16 lanes, work-groups of 256, TILE=8" */
static void put_choice(const struct answer *answer, const struct verdict_candidate *c)
{
    const char *name = name_of(answer, c->variant);

    fprintf(answer->out, "%u lanes", c->subgroup_size);
    if (answer->job->shape_count > 1)
        fprintf(answer->out, ", work-groups of %u", c->workgroup_size);
    fprintf(answer->out, "%s%s", name[0] ? ", " : "", name);
}

static void put_gain(const struct answer *answer)
{
    const struct verdict *v = &answer->verdict;

    if (v->count == 1) {
        fputs(".\nNothing else was measured to hold it against.\n", answer->out);
    } else if (v->winners == v->count) {
        fputs(".\nNo other can be told from it.\n", answer->out);
    } else {
        fputs("; ", answer->out);
        put_choice(answer, &v->candidate[v->winners]);
        if (v->gain > 0.0)
            fprintf(answer->out, " takes at least %.3g %% longer.\n", 100.0 * v->gain);
        else
            fputs(" takes longer, but hardly.\n", answer->out);
        if (v->winners > 1)
            fprintf(answer->out, "As good as the best: %zu, marked with a star.\n", v->winners);
    }
}

static void put_best(const struct answer *answer)
{
    const struct verdict_candidate *best = answer->verdict.candidate;

    fprintf(answer->out, "\nBest: ");
    put_choice(answer, best);
    fprintf(answer->out, ": %.4g %s a launch", shown(answer, best->row, best->cost.value),
            time_unit_name(answer->unit));
    put_gain(answer);
}

static enum status put_launches(const struct answer *answer, struct error *error)
{
    static const struct table_column columns[] = {
        {"", false},      {"lanes", true},       {"work-group", true},
        {"groups", true}, {"time", true},        {"95 % from", true},
        {"to", true},     {"of the best", true}, {"", false}};
    const struct verdict *v = &answer->verdict;
    double least = v->candidate[0].cost.value;
    struct table table;

    table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < v->count; i++) {
        const struct verdict_candidate *c = &v->candidate[i];

        table_text(&table, "%s", c->wins ? "*" : "");
        table_number(&table, c->subgroup_size);
        table_number(&table, c->workgroup_size);
        table_number(&table, c->workgroup_count);
        table_text(&table, "%.4g", shown(answer, c->row, c->cost.value));
        table_text(&table, "%.4g", shown(answer, c->row, c->cost.interval.low));
        table_text(&table, "%.4g", shown(answer, c->row, c->cost.interval.high));
        table_text(&table, "%.2f", c->cost.value / least);
        table_text(&table, "%s", name_of(answer, c->variant));
    }
    fprintf(answer->out, "\nTimes in %s, the best first; a star: cannot be told from the best.\n",
            time_unit_name(answer->unit));
    enum status status = table_write(&table, TABLE_PLAIN, answer->out, error);
    table_free(&table);
    return status;
}

/* What has no part in the verdict. */
static void put_failures(const struct answer *answer)
{
    for (size_t i = 0; i < answer->records.count; i++) {
        const struct record *r = &answer->records.record[i];
        const char *name = name_of(answer, r->variant);

        if (r->usable && record_has_interval(r))
            continue;
        fprintf(answer->out, "%s: %u lanes, work-groups of %u%s%s: %s\n", r->status,
                r->subgroup_size, r->workgroup_size, name[0] ? ", " : "", name, r->reason);
    }
}

static const struct isa_entry *find_entry(const struct isa_survey *survey,
                                          const struct verdict_candidate *c)
{
    for (size_t i = 0; i < survey->count; i++) {
        if (survey->entries[i].size == c->subgroup_size &&
            !strcmp(survey->entries[i].kernel, c->variant))
            return &survey->entries[i];
    }
    return NULL;
}

static void add_code(struct table *table, const struct answer *answer,
                     const struct verdict_candidate *c, const struct isa_audit *audit)
{
    const char *name = name_of(answer, c->variant);
    char text[ISA_TEXT_BYTES];

    table_text(table, "%u lanes%s%s", c->subgroup_size, name[0] ? ", " : "", name);
    table_number(table, audit->width);
    table_number(table, audit->all.instructions);
    table_text(table, "%u/%u", audit->registers_used, audit->registers);
    table_number(table, audit->scratch_bytes);
    table_text(table, "%s", isa_messages_text(audit->loop_count ? &audit->hot : &audit->all, text));
    table_text(table, "%.0f", audit->bounds.bound[audit->bounds.highest].cycles);
    table_text(table, "%s", isa_bound_text(audit, text));
}

/* The two best kernels and the worst, each once, however many work-groups it ran with. */
static enum status put_code(const struct answer *answer, const struct isa_survey *survey,
                            struct error *error)
{
    static const struct table_column columns[] = {
        {"kernel", false}, {"lanes", true},     {"instr.", true}, {"registers", true},
        {"scratch", true}, {"messages", false}, {"cycles", true}, {"bound by", false}};
    const struct verdict *v = &answer->verdict;
    const struct isa_entry *put[BEST_SHOWN + 1] = {NULL};
    struct table table;
    size_t count = 0;

    table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i <= v->count && count <= BEST_SHOWN; i++) {
        /* Once the best are there, the worst. */
        size_t at = count < BEST_SHOWN && i < v->count ? i : v->count - 1;
        const struct verdict_candidate *c = &v->candidate[at];
        const struct isa_entry *entry = find_entry(survey, c);
        bool is_new = entry && !entry->refused;

        for (size_t j = 0; j < count; j++)
            is_new = is_new && put[j] != entry;
        if (is_new) {
            put[count++] = entry;
            add_code(&table, answer, c, &entry->audit);
        }
    }
    fprintf(answer->out,
            "\nMachine code for %s: the best, the second best, the worst. Registers: used/given;\n"
            "scratch: bytes that a thread spills; messages and cycles: of an iteration of the hot\n"
            "loop, or of the whole where there is none; cycles: at least, on a full Xe-core.\n",
            answer->target);
    enum status status = table_write(&table, TABLE_PLAIN, answer->out, error);
    table_free(&table);
    return status;
}

static enum status explain_best(const struct answer *answer, struct error *error)
{
    const struct family *family = &answer->job->family;
    char sizes[SIZES_BYTES] = "subgroup_size=";
    const char *override = sizes;
    struct isa_request request = {.families = &family,
                                  .family_count = 1,
                                  .overrides = &override,
                                  .override_count = 1,
                                  .targets = answer->target,
                                  .loop = ISA_LOOP_INNERMOST};
    struct isa_survey survey;

    for (size_t i = 0; i < answer->job->size_count; i++)
        snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), "%s%u", i ? "," : "",
                 answer->job->size[i]);
    enum status status = isa_survey_make(&survey, &request, error);
    if (status == STATUS_OK)
        status = put_code(answer, &survey, error);
    isa_survey_free(&survey);
    return status;
}

enum status kernel_answer(FILE *out, const char *path, const struct job *job, const char *target,
                          enum time_unit unit, struct error *error)
{
    struct answer answer = {
        .out = out, .job = job, .target = target, .unit = unit == TIME_AUTO ? TIME_US : unit};
    enum status status = records_read(&answer.records, &path, 1, error);

    if (status != STATUS_OK)
        return status;
    status = verdict_make(&answer.verdict, &answer.records, job->family.name, error);
    if (status == STATUS_OK && answer.verdict.count) {
        put_best(&answer);
        status = put_launches(&answer, error);
    }
    put_failures(&answer);
    if (status == STATUS_OK && answer.verdict.count)
        status = explain_best(&answer, error);
    free(answer.verdict.candidate);
    records_free(&answer.records);
    return status;
}
