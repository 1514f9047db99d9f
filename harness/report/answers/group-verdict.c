#include "report/answers/group-verdict.h"

#include <string.h>

const char *group_name(enum family_group group)
{
    static const char *const names[GROUP_COUNT] = {
        [GROUP_KERNELS] = "Whole kernels", [GROUP_BARRIERS] = "Barriers",
        [GROUP_EXCHANGE] = "Exchange",     [GROUP_REDUCTIONS] = "Reductions",
        [GROUP_MEMORY] = "Memory",         [GROUP_ATOMICS] = "Atomics",
    };

    return names[group];
}

static const struct group_question *question_of(const struct family_pages *pages,
                                                enum family_group which)
{
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->family[i]->group == which && pages->family[i]->question)
            return pages->family[i]->question;
    }
    return NULL;
}

/* Does `v` show more than `other`, which may be NULL? */
static bool shows_more(const struct verdict *v, const struct verdict *other)
{
    if (!other || verdict_sizes(v) != verdict_sizes(other))
        return !other || verdict_sizes(v) > verdict_sizes(other);
    return record_busy_threads(v->candidate[0].row) > record_busy_threads(other->candidate[0].row);
}

enum status group_verdict_make(struct group_verdict *group, const struct family_pages *pages,
                               enum family_group which, const struct records *records,
                               struct error *error)
{
    memset(group, 0, sizeof(*group));
    group->question = question_of(pages, which);
    if (!group->question)
        return STATUS_OK;
    enum status status = verdicts_make(&group->all, records, group->question->family, error);
    for (size_t i = 0; status == STATUS_OK && i < group->all.count; i++) {
        const struct verdict *v = &group->all.verdict[i];

        if (!strcmp(v->question.operation, group->question->operation) &&
            !strcmp(v->question.type, group->question->type) && shows_more(v, group->verdict))
            group->verdict = v;
    }
    return status;
}

void group_verdict_free(struct group_verdict *group)
{
    verdicts_free(&group->all);
    memset(group, 0, sizeof(*group));
}

const char *group_sentence(const struct group_verdict *group, char text[GROUP_TEXT_BYTES])
{
    char sentence[VERDICT_TEXT_BYTES], borders[VERDICT_TEXT_BYTES];
    bool is_choice = verdict_sizes(group->verdict) > 1;

    snprintf(text, GROUP_TEXT_BYTES, "%s, %s %s%s.", group->question->subject,
             is_choice ? "choose" : "only this size was measured:",
             verdict_sentence(group->verdict, sentence),
             is_choice ? verdict_borders(&group->all, group->verdict, borders) : "");
    return text;
}

void group_findings_collect(struct findings *findings, const struct family_pages *pages,
                            const struct records *records)
{
    memset(findings, 0, sizeof(*findings));
    for (enum family_group which = 0; which < GROUP_COUNT; which++) {
        struct group_verdict group;
        struct error ignored;

        if (group_verdict_make(&group, pages, which, records, &ignored) != STATUS_OK) {
            findings->out_of_memory = true;
            return;
        }
        const struct verdict *v = group.verdict;
        if (v && verdict_decides(v) && findings->count < FINDINGS_MAX)
            findings->line[findings->count++].claim =
                (struct claim){v->candidate[0].row, v->candidate[v->winners].row};
        group_verdict_free(&group);
    }
}

const struct finding *group_finding(const struct findings *findings, const struct verdict *v)
{
    for (size_t i = 0; findings && i < findings->count; i++) {
        if (findings->line[i].claim.less == v->candidate[0].row)
            return &findings->line[i];
    }
    return NULL;
}
