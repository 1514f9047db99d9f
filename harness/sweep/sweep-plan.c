#include "sweep/sweep-plan.h"

#include "measure/family-kernels.h"
#include "measure/rounds.h"
#include "sweep/bisect.h"

#include <stdlib.h>
#include <string.h>

/* The image of a family's module, shared by all tasks that need it. */
static enum status find_image(struct sweep_plan *plan, const struct sweep_request *request,
                              const struct family *family, unsigned size,
                              struct module_image **image, struct error *error)
{
    for (size_t i = 0; i < plan->image_count; i++) {
        *image = &plan->images[i];
        if ((*image)->family == family && (*image)->spirv->subgroup_size == size)
            return STATUS_OK;
    }
    *image = &plan->images[plan->image_count];
    enum status status =
        module_image_init(*image, family, size, sweep_replacement(request, family, size), error);
    plan->image_count += status == STATUS_OK;
    return status;
}

/* Variants that have rows. */
static size_t count_variants(const struct family *family)
{
    size_t count = 0;

    for (size_t v = 0; v < family->variant_count; v++)
        count += !family->variants[v].is_part;
    return count;
}

/* Finds the variants that are needed and meaningful; false if there are none. `takes_part` gets
 * those that the device can run, as far as is known without compiling. */
static bool find_variants(const struct sweep_request *request, const struct device *device,
                          const struct task *task, bool *takes_part)
{
    const struct family *family = task->family;
    unsigned size = task->configuration.subgroup_size;
    bool any = false;

    for (size_t v = 0; v < family->variant_count; v++) {
        struct error ignored;
        enum status status = STATUS_OK;

        takes_part[v] = false;
        if (!sweep_needs(request, family, v))
            continue;
        if (family->check)
            status = family->check(device, &task->configuration, &family->variants[v], &ignored);
        any = any || status != STATUS_EXCLUDED;
        takes_part[v] = status == STATUS_OK && device_has_subgroup_size(device, size) &&
                        variant_has_size(&family->variants[v], size);
    }
    return any;
}

bool sweep_plan_consider(struct sweep_plan *plan, const struct sweep_request *request,
                         const struct target *target, struct task *task)
{
    bool takes_part[VARIANTS_MAX];
    struct error error;

    if (!find_variants(request, &target->device, task, takes_part)) {
        plan->excluded += count_variants(task->family);
        return false;
    }
    if (plan_check_memory(&target->device, task->family, &task->configuration, &error) !=
        STATUS_OK) {
        plan_leave_out(&plan->gap, task->family, &error);
        return false;
    }
    double longest_s =
        estimate_longest_launch(target, task->family, &task->configuration, takes_part);
    if (!target->is_deterministic && longest_s * 1e9 > LONGEST_LAUNCH_NS) {
        error_set(&error, STATUS_UNSUPPORTED,
                  "a launch may take %.1f s, and kernel drivers reset a GPU that one kernel "
                  "occupies for seconds",
                  longest_s);
        plan_leave_out(&plan->gap, task->family, &error);
        return false;
    }
    task->estimate = estimate_configuration(target, task->family, &task->configuration, takes_part,
                                            &request->options.stop);
    for (size_t v = 0; v < task->family->variant_count; v++)
        task->variants += takes_part[v];
    return true;
}

static enum status add_tasks(struct sweep_plan *plan, const struct sweep_request *request,
                             const struct target *target, size_t family_index,
                             const struct plan *grid, struct error *error)
{
    const struct family *family = request->families[family_index];
    struct task *tasks =
        realloc(plan->tasks, (plan->task_count + grid->count + 1) * sizeof(*tasks));
    enum status status = STATUS_OK;

    if (!tasks)
        return error_out_of_memory(error);
    plan->tasks = tasks;
    for (size_t i = 0; status == STATUS_OK && i < grid->count; i++) {
        struct task task = {.family = family,
                            .configuration = grid->configurations[i],
                            .family_index = family_index};

        task.sequence = plan->sequence++;
        if (!sweep_plan_consider(plan, request, target, &task))
            continue;
        status =
            find_image(plan, request, family, task.configuration.subgroup_size, &task.image, error);
        tasks[plan->task_count] = task;
        plan->task_count += status == STATUS_OK;
    }
    return status;
}

/* The own axis that is bisected, or OWN_AXES_MAX. */
static size_t chosen_axis(const struct family *family, enum preset preset,
                          const struct family_axes *axes)
{
    size_t axis = bisect_axis(family);

    if (axis == OWN_AXES_MAX || preset == PRESET_QUICK || preset == PRESET_HEALTH ||
        axes->asked[COMMON_AXES + axis])
        return OWN_AXES_MAX;
    return axis;
}

static enum status plan_gpu(struct sweep_plan *plan, const struct sweep_request *request,
                            const struct target *target, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++) {
        const struct family *family = request->families[f];
        struct family_axes axes;
        struct plan grid = {NULL, 0};

        status = family_axes_resolve(&axes, family, request->preset, request->axes,
                                     request->axis_count, error);
        plan->bisected[f] = chosen_axis(family, request->preset, &axes);
        if (status == STATUS_OK)
            status = plan_make(&grid, family, &axes, &target->device, request->options.seed,
                               &plan->gap, error);
        if (status == STATUS_OK)
            status = add_tasks(plan, request, target, f, &grid, error);
        plan_free(&grid);
    }
    return status;
}

enum status sweep_plan_make(struct sweep_plan *plan, const struct sweep_request *request,
                            const struct target *target, struct error *error)
{
    plan->images = calloc(spirv_module_count, sizeof(*plan->images));
    if (!plan->images)
        return error_out_of_memory(error);
    enum status status = plan_gpu(plan, request, target, error);
    if (status != STATUS_OK || plan->task_count > 0)
        return status;
    return plan->gap.count
               ? error_set(error, STATUS_USAGE, "there is nothing to measure: %.900s",
                           plan->gap.reason)
               : error_set(error, STATUS_USAGE,
                           "there is nothing to measure: no variant has a meaning at these values "
                           "of the axes");
}

void sweep_plan_release(struct sweep_plan *plan)
{
    for (size_t i = 0; i < plan->task_count; i++) {
        task_release(&plan->tasks[i]);
        free(plan->tasks[i].noted);
    }
    for (size_t i = 0; i < plan->image_count; i++)
        module_image_free(&plan->images[i]);
    free(plan->tasks);
    free(plan->images);
}

void sweep_plan_sum(const struct sweep_plan *plan, const struct family *family,
                    struct sweep_sum *sum)
{
    memset(sum, 0, sizeof(*sum));
    for (size_t i = 0; i < plan->task_count; i++) {
        const struct task *task = &plan->tasks[i];

        if (task->family != family)
            continue;
        sum->configurations++;
        sum->measurements += task->variants;
        sum->seconds.least += task->estimate.least;
        sum->seconds.most += task->estimate.most;
    }
    for (size_t i = 0; i < plan->image_count; i++) {
        if (plan->images[i].family == family)
            sum->compile_s += estimate_compilation(family->variant_count);
    }
}
