#include "answer/kernel-answer.h"

#include "answer/kernel-explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_BYTES 96

const char *answer_variant(const struct kernel_answer *answer, const char *variant)
{
    return answer->job->variant_count > 1 ? variant : "";
}

double answer_shown(const struct kernel_answer *answer, const struct record *row, double ns)
{
    return ns * time_unit_per_ns(answer->unit, row->clock_mhz);
}

const char *answer_unit(const struct kernel_answer *answer)
{
    return time_unit_name(answer->unit);
}

/* Writes "16 lanes", the groups, and the variant if there are several; returns how many characters.
 */
static int put_lanes(const struct kernel_answer *answer, const struct verdict_candidate *c,
                     const char *groups, char text[ANSWER_TEXT_BYTES])
{
    const char *name = answer_variant(answer, c->variant);

    return snprintf(text, ANSWER_TEXT_BYTES, "%u lanes%s%s%s", c->subgroup_size, groups,
                    name[0] ? ", " : "", name);
}

const char *answer_choice(const struct kernel_answer *answer, const struct verdict_candidate *c,
                          char text[ANSWER_TEXT_BYTES])
{
    char groups[48] = "";

    if (answer->job->shape_count > 1)
        snprintf(groups, sizeof(groups), ", work-groups of %u", c->workgroup_size);
    put_lanes(answer, c, groups, text);
    return text;
}

const char *answer_gain(const struct kernel_answer *answer, const struct verdict *v,
                        char text[ANSWER_TEXT_BYTES])
{
    char loser[ANSWER_TEXT_BYTES], by[64] = "slightly";

    if (v->count == 1)
        return "Nothing else was measured to hold it against.";
    if (v->winners == v->count)
        return "The others cannot be told apart from it.";
    if (v->gain > 0.0)
        snprintf(by, sizeof(by), "by at least %.3g %%", 100.0 * v->gain);
    answer_choice(answer, &v->candidate[v->winners], loser);
    int used = snprintf(text, ANSWER_TEXT_BYTES, "Slower: %.300s, %s.", loser, by);
    if (v->winners > 1)
        snprintf(text + used, ANSWER_TEXT_BYTES - (size_t)used,
                 "\nBest, with those that cannot be told from it: %zu, marked with a star.",
                 v->winners);
    return text;
}

const char *answer_limit(const struct outcome *outcome, char text[ANSWER_TEXT_BYTES])
{
    const struct resource *first = &outcome->resource[0];
    int used = 0;

    text[0] = '\0';
    if (outcome->resource_count == 0)
        return text;
    if (first->is_bound)
        used = snprintf(text, ANSWER_TEXT_BYTES, "bound by %s, %.0f %% from its bound", first->name,
                        100.0 * (1.0 / first->share - 1.0));
    else
        used = snprintf(text, ANSWER_TEXT_BYTES, "%s takes %.0f %%", first->name,
                        100.0 * first->share);
    if (outcome->resource_count > 1)
        snprintf(text + used, ANSWER_TEXT_BYTES - (size_t)used, "; then %s, %.0f %%", first[1].name,
                 100.0 * first[1].share);
    return text;
}

static const struct isa_entry *find_entry(const struct isa_survey *survey, unsigned size,
                                          const char *variant)
{
    for (size_t i = 0; i < survey->count; i++) {
        if (survey->entries[i].size == size && !strcmp(survey->entries[i].kernel, variant))
            return &survey->entries[i];
    }
    return NULL;
}

const struct isa_entry *answer_code(const struct kernel_answer *answer,
                                    const struct explained *explained, size_t launch)
{
    const struct verdict_candidate *c = explained->candidate;
    const struct job *job = answer->job;
    size_t part = job_part_variant(job, family_variant(&job->family, c->variant), launch);
    const struct isa_entry *entry =
        find_entry(&answer->survey, c->subgroup_size, job->variants[part].name);

    return entry && !entry->refused ? entry : NULL;
}

const char *answer_kernel(const struct kernel_answer *answer, const struct explained *explained,
                          size_t launch, char text[ANSWER_TEXT_BYTES])
{
    const struct job *job = answer->job;
    int used = put_lanes(answer, explained->candidate, "", text);

    if (job->launch_count > 1)
        snprintf(text + used, ANSWER_TEXT_BYTES - (size_t)used, ", launch %zu: %s", launch + 1,
                 job->launch[launch].kernel.name);
    return text;
}

/* The two best kernels and the worst, each once, however many work-groups it ran with. */
static void choose_explained(struct answer_part *part, const struct isa_survey *survey)
{
    const struct verdict *v = &part->verdict;

    for (size_t i = 0; i <= v->count && part->explained_count <= EXPLAINED_BEST && v->count; i++) {
        /* Once the best are there, the worst. */
        size_t at = part->explained_count < EXPLAINED_BEST && i < v->count ? i : v->count - 1;
        const struct verdict_candidate *c = &v->candidate[at];
        const struct isa_entry *entry = find_entry(survey, c->subgroup_size, c->variant);
        bool is_new = entry && !entry->refused;

        for (size_t j = 0; j < part->explained_count; j++)
            is_new = is_new && part->explained[j].code != entry;
        if (is_new)
            part->explained[part->explained_count++] =
                (struct explained){.candidate = c, .code = entry};
    }
}

static enum status audit_job(struct kernel_answer *answer, struct error *error)
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

    for (size_t i = 0; i < answer->job->size_count; i++)
        snprintf(sizes + strlen(sizes), sizeof(sizes) - strlen(sizes), "%s%u", i ? "," : "",
                 answer->job->size[i]);
    return isa_survey_make(&answer->survey, &request, error);
}

/* Ranks the launches of each operation that the job has. */
static enum status rank(struct kernel_answer *answer, struct error *error)
{
    const struct job *job = answer->job;
    enum status status = STATUS_OK;

    answer->part = calloc(job->variant_count, sizeof(*answer->part));
    if (!answer->part)
        return error_out_of_memory(error);
    for (size_t v = 0; status == STATUS_OK && v < job->variant_count; v++) {
        const char *operation = job->variants[v].operation;
        bool is_new = true;

        for (size_t p = 0; p < answer->part_count; p++)
            is_new = is_new && strcmp(answer->part[p].operation, operation) != 0;
        if (!is_new)
            continue;
        struct answer_part *part = &answer->part[answer->part_count++];
        part->operation = operation;
        status = verdict_make(&part->verdict, &answer->records, job->family.name, operation, error);
    }
    return status;
}

enum status kernel_answer_make(struct kernel_answer *answer, const char *path,
                               const struct job *job, const struct answer_settings *settings,
                               struct error *error)
{
    size_t first = 0;

    *answer =
        (struct kernel_answer){.job = job,
                               .target = settings->target,
                               .unit = settings->unit == TIME_AUTO ? TIME_US : settings->unit};
    enum status status = records_read(&answer->records, &path, 1, error);
    if (status == STATUS_OK)
        status = rank(answer, error);
    while (first < answer->part_count && !answer->part[first].verdict.count)
        first++;
    if (status != STATUS_OK || first == answer->part_count)
        return status;
    status = audit_job(answer, error);
    if (status != STATUS_OK)
        return status;
    /* The others have the same machine code. */
    choose_explained(&answer->part[first], &answer->survey);
    return kernel_explain(answer, settings, error);
}

void kernel_answer_free(struct kernel_answer *answer)
{
    for (size_t p = 0; p < answer->part_count; p++)
        free(answer->part[p].verdict.candidate);
    free(answer->part);
    isa_survey_free(&answer->survey);
    records_free(&answer->records);
}
