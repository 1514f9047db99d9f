#include "sweep/bisect.h"
#include "sweep/sweep-plan.h"

#include <stdlib.h>
#include <string.h>

/* Values that a family may get at once, and configurations of a family to which none are added: a
 * noisy device has no levels, and is not to be searched for ever. */
#define PROPOSED_MAX 16u
#define FINDINGS_MAX 1000u

/* A generation of tasks while it is being made. */
struct generation {
    struct sweep_plan *plan;
    const struct sweep_request *request;
    struct task *tasks; /* owned, with room for all */
    size_t count;
    const struct task **shown; /* of one family: its tasks that have shown something; owned */
    struct finding *findings;  /* what that is, owned */
    size_t finding_count;
};

static void find_findings(struct generation *g, size_t family)
{
    const struct sweep_plan *plan = g->plan;

    g->finding_count = 0;
    for (size_t i = 0; i < plan->task_count; i++) {
        const struct task *task = &plan->tasks[i];

        if (task->family_index != family || !task->noted)
            continue;
        g->findings[g->finding_count] = (struct finding){task->configuration, task->noted,
                                                         task->noted + task->family->variant_count};
        g->shown[g->finding_count++] = task;
    }
}

/* Adds a task for a configuration that is one of the findings' but for the bisected axis. */
static void add_proposed(struct generation *g, const struct target *target,
                         const struct configuration *configuration)
{
    struct task *task = &g->tasks[g->count];
    size_t like = 0;

    while (g->shown[like]->configuration.subgroup_size != configuration->subgroup_size)
        like++;
    *task = (struct task){.family = g->shown[like]->family,
                          .configuration = *configuration,
                          .image = g->shown[like]->image,
                          .family_index = g->shown[like]->family_index,
                          .sequence = g->plan->sequence++};
    g->count += sweep_plan_consider(g->plan, g->request, target, task);
}

static enum status add_family(struct generation *g, const struct target *target, size_t family,
                              struct error *error)
{
    struct configuration proposed[PROPOSED_MAX];
    size_t axis = g->plan->bisected[family], count = 0;

    if (axis == OWN_AXES_MAX)
        return STATUS_OK;
    find_findings(g, family);
    if (g->finding_count > FINDINGS_MAX)
        return STATUS_OK;
    enum status status = bisect_propose(g->request->families[family], axis, g->findings,
                                        g->finding_count, proposed, PROPOSED_MAX, &count, error);
    for (size_t i = 0; i < count; i++)
        add_proposed(g, target, &proposed[i]);
    return status;
}

static bool append_generation(struct generation *g)
{
    struct sweep_plan *plan = g->plan;
    struct task *tasks = realloc(plan->tasks, (plan->task_count + g->count + 1) * sizeof(*tasks));

    if (!tasks)
        return false;
    plan->tasks = tasks;
    memcpy(&tasks[plan->task_count], g->tasks, g->count * sizeof(*tasks));
    plan->task_count += g->count;
    return true;
}

enum status sweep_plan_extend(struct sweep_plan *plan, const struct sweep_request *request,
                              const struct target *target, struct error *error)
{
    struct generation g = {.plan = plan, .request = request};
    enum status status = STATUS_OK;

    g.tasks = calloc(request->family_count * PROPOSED_MAX + 1, sizeof(*g.tasks));
    g.shown = calloc(plan->task_count + 1, sizeof(*g.shown));
    g.findings = calloc(plan->task_count + 1, sizeof(*g.findings));
    if (!g.tasks || !g.shown || !g.findings)
        status = error_out_of_memory(error);
    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++)
        status = add_family(&g, target, f, error);
    if (status == STATUS_OK && !append_generation(&g))
        status = error_out_of_memory(error);
    free(g.tasks);
    free(g.shown);
    free(g.findings);
    return status;
}
