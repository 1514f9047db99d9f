#include "sweep/sweep-rows.h"

void sweep_rows_count(const struct task *task, size_t by, struct sweep_counts *counts)
{
    size_t *const of_outcome[] = {
        [OUTCOME_OK] = &counts->ok,
        [OUTCOME_SKIPPED] = &counts->skipped,
        [OUTCOME_FAILED] = &counts->failed,
        [OUTCOME_UNRELIABLE] = &counts->unreliable,
        [OUTCOME_EXCLUDED] = &counts->excluded,
    };

    for (size_t v = 0; v < task->family->variant_count; v++) {
        if (!task->family->variants[v].is_part)
            *of_outcome[task->measurements[v].outcome] += by;
    }
}

static int rank_of(const struct sweep_rows *rows)
{
    return rows->request->ranks ? (int)rows->request->ranks->rank : -1;
}

enum status sweep_rows_write(const struct sweep_rows *rows, const struct task *task,
                             struct csv *results, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < task->family->variant_count; v++) {
        size_t reference = family_reference(task->family, v);
        struct row row = {
            .identity = rows->identity,
            .target = &rows->gpu->target,
            .host = rows->gpu->host,
            .rank = rank_of(rows),
            .family = task->family,
            .configuration = &task->configuration,
            .variant = v,
            .kernel = &task->kernels[v],
            .measurement = &task->measurements[v],
            .reference = reference == VARIANTS_MAX ? NULL : &task->measurements[reference],
            .kernel_sha256 = module_image_sha256(task->image, &task->family->variants[v]),
            .sequence = task->sequence,
            .seed = rows->request->options.seed,
        };

        if (task->measurements[v].outcome != OUTCOME_EXCLUDED)
            status = results_write_row(results, &row, error);
    }
    return status;
}

enum status sweep_rows_write_samples(const struct sweep_rows *rows, const struct task *task,
                                     struct csv *samples, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < task->sample_count; i++)
        status = samples_write_row(samples, rows->identity, task->family, &task->configuration,
                                   &task->samples[i], rank_of(rows), error);
    return status;
}

enum status sweep_rows_write_counts(const struct sweep_rows *rows, const struct task *task,
                                    struct csv *counters, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < task->count_count; i++)
        status =
            counters_write_row(counters, rows->identity, task->family, &task->configuration,
                               rows->request->counters, &task->counts[i], rank_of(rows), error);
    return status;
}
