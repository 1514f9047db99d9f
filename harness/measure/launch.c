#include "measure/launch.h"

#include "measure/lead.h"
#include "ze/counters.h"

/* Work-groups that an Xe-core surely holds if threads and local memory are enough: it has 32
 * barriers, shared out in powers of two. */
#define RESIDENT_GROUPS 16u

static enum status refuse_what_deadlocks(struct session *session, const struct variant *variant,
                                         const struct kernel *kernel,
                                         const struct geometry *geometry, struct error *error)
{
    uint64_t groups = (uint64_t)geometry->count[0] * geometry->count[1] * geometry->count[2];
    uint32_t resident = 0;

    if (!variant->cooperative)
        return STATUS_OK;
    enum status status = kernel_resident_groups(session, kernel, &resident, error);
    if (status == STATUS_OK && groups > resident) {
        return error_set(error, STATUS_UNSUPPORTED,
                         "%llu work-groups wait for each other, and the device holds only %u of "
                         "them at a time: they would wait for ever",
                         (unsigned long long)groups, resident);
    }
    return status;
}

/* Sets the size and the arguments of a launch's kernel. */
static enum status prepare_kernel(const struct family *family, struct workspace *workspace,
                                  const struct kernel *kernel, const struct launch *launch,
                                  struct geometry *geometry, struct error *error)
{
    struct session *session = workspace->session;
    struct arguments arguments = {.count = 0};

    *geometry = family_geometry(family, launch);
    enum status status = kernel_set_group_size(session, kernel, geometry->size, error);
    if (status == STATUS_OK)
        status = refuse_what_deadlocks(session, launch->variant, kernel, geometry, error);
    if (status != STATUS_OK)
        return status;
    family_arguments(family, workspace, launch, &arguments);
    return arguments_set(&arguments, session, kernel, error);
}

/* The kernels of other variants, each with a barrier behind it; the first of them may be timed. */
static enum status append_parts(const struct family *family, struct workspace *workspace,
                                const struct kernel *kernels, const struct launch *launch,
                                const struct variant *const *parts, bool is_timed,
                                struct error *error)
{
    struct session *session = workspace->session;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && parts && parts[i]; i++) {
        const struct kernel *kernel = &kernels[parts[i] - family->variants];
        struct launch part = *launch;
        struct geometry geometry;

        part.variant = parts[i];
        status = prepare_kernel(family, workspace, kernel, &part, &geometry, error);
        if (status == STATUS_OK && is_timed && i == 0)
            status = session_append_kernel(session, kernel->handle, geometry.count, false, error);
        else if (status == STATUS_OK)
            status = session_append_untimed(session, kernel->handle, geometry.count, error);
        if (status == STATUS_OK)
            status = session_append_barrier(session, error);
    }
    return status;
}

/* Are all work-groups of the launch on the device at once? Judged from what an Xe-core holds: the
 * driver answers for cooperative launches alone, and on some queues allows none. */
static bool is_resident(const struct family *family, const struct session *session,
                        const struct kernel *kernel, const struct launch *launch,
                        const struct geometry *geometry)
{
    const struct device *device = session->device;
    unsigned lanes = launch->configuration.subgroup_size, cores = device_xe_cores(device);
    uint64_t groups = (uint64_t)geometry->count[0] * geometry->count[1] * geometry->count[2];
    uint64_t items = (uint64_t)geometry->size[0] * geometry->size[1] * geometry->size[2];
    uint64_t each = cores ? (groups + cores - 1) / cores : UINT64_MAX;
    uint64_t slm = kernel->slm_bytes;

    if (family->argument_slm_bytes)
        slm += family->argument_slm_bytes(&launch->configuration);
    return each == 1 ||
           (each <= RESIDENT_GROUPS &&
            each * ((items + lanes - 1) / lanes) <= device_threads_per_xe_core(device) &&
            each * slm <= device->max_slm_bytes);
}

bool launch_is_read_back(const struct launch *launch)
{
    return launch->purpose != LAUNCH_PRIME;
}

bool launch_follows_same(const struct variant *variant)
{
    return variant->estimator == ESTIMATOR_LAUNCH &&
           (variant->caches == CACHES_WARM || variant->caches == CACHES_FLUSHED);
}

/* The same launch, untimed, with its outputs reset behind it. What it stores is written back, as it
 * would be before the next list. */
static enum status append_same(const struct family *family, struct workspace *workspace,
                               const struct kernel *kernels, const struct kernel *kernel,
                               const struct launch *launch, const struct geometry *geometry,
                               struct error *error)
{
    struct session *session = workspace->session;
    const struct variant *variant = launch->variant;

    session->is_repeated = true;
    enum status status =
        append_parts(family, workspace, kernels, launch, variant->before, false, error);
    if (status == STATUS_OK)
        status = session_append_untimed(session, kernel->handle, geometry->count, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK)
        status = append_parts(family, workspace, kernels, launch, variant->after, false, error);
    if (status == STATUS_OK)
        status = workspace_record_copies_in(workspace, true, variant->caches == CACHES_WARM, error);
    return status == STATUS_OK ? session_append_write_back(session, error) : status;
}

static bool evicts_data(const struct variant *variant)
{
    return variant->caches == CACHES_FLUSHED || variant->caches == CACHES_COLD;
}

enum status launch_record(const struct family *family, struct workspace *workspace,
                          const struct kernel *kernels, const struct launch *launch,
                          enum list_kind list, bool held, struct error *error)
{
    struct session *session = workspace->session;
    const struct variant *variant = launch->variant;
    struct kernel own = kernels[variant - family->variants];
    const struct kernel *kernel = &own;
    bool counts = launch->purpose == LAUNCH_COUNT;
    const struct variant *const *set_up = variant->times_before ? NULL : variant->before;
    const struct variant *const *timed = variant->times_before ? variant->before : NULL;
    struct geometry geometry;
    enum status status = session_begin_list(session, list, error);

    if (counts)
        own.handle = own.counting.handle;
    if (status == STATUS_OK)
        status = prepare_kernel(family, workspace, kernel, launch, &geometry, error);
    bool edged = held && list == LIST_REGULAR && variant->estimator != ESTIMATOR_OBSERVE;
    /* The longest thread of a launch whose work-groups are not all there at once does not take as
     * long as the launch. */
    bool is_counted = status == STATUS_OK && counts && !timed &&
                      is_resident(family, session, kernel, launch, &geometry);
    void *elapsed = is_counted ? kernel->counting.elapsed : NULL;
    if (status == STATUS_OK)
        status = workspace_record_copies_in(workspace, launch_is_read_back(launch), false, error);
    if (status == STATUS_OK)
        status = lead_append_reset(session, elapsed, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK && launch->purpose == LAUNCH_MEASURE && launch_follows_same(variant))
        status = append_same(family, workspace, kernels, kernel, launch, &geometry, error);
    if (status == STATUS_OK)
        status = append_parts(family, workspace, kernels, launch, set_up, false, error);
    if (status == STATUS_OK && evicts_data(variant))
        status = session_append_eviction(session, error);
    if (status == STATUS_OK && edged)
        status = lead_append(session, error);
    if (status == STATUS_OK && edged)
        status = lead_append_before(session, error);
    if (status == STATUS_OK && variant->cooperative)
        status = session_next_list(session, error);
    if (status == STATUS_OK)
        status = counters_append_begin(session, error);
    if (status == STATUS_OK)
        status = append_parts(family, workspace, kernels, launch, timed, true, error);
    session->spans = timed && timed[0];
    if (status == STATUS_OK)
        status = session_append_kernel(session, kernel->handle, geometry.count,
                                       variant->cooperative, error);
    if (status == STATUS_OK)
        status = counters_append_end(session, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK && variant->cooperative)
        status = session_next_list(session, error);
    if (status == STATUS_OK && edged)
        status = lead_append_after(session, error);
    if (status == STATUS_OK)
        status = lead_append_elapsed(session, elapsed, error);
    if (status == STATUS_OK)
        status = append_parts(family, workspace, kernels, launch, variant->after, false, error);
    if (status == STATUS_OK && launch_is_read_back(launch))
        status = workspace_record_copies_out(workspace, error);
    if (status == STATUS_OK)
        status = session_end_list(session, error);
    return status;
}

enum status launch_execute(struct workspace *workspace, struct launch_time *time,
                           struct error *error)
{
    enum status status = lead_bridge(workspace->session, error);

    if (status == STATUS_OK)
        status = session_execute(workspace->session, time, error);
    if (status == STATUS_OK)
        workspace->inputs_are_there = true;
    return status;
}

enum status launch_copy_out(struct workspace *workspace, struct error *error)
{
    struct launch_time time;
    enum status status = session_begin_list(workspace->session, LIST_REGULAR, error);

    if (status == STATUS_OK)
        status = workspace_record_copies_out(workspace, error);
    if (status == STATUS_OK)
        status = session_end_list(workspace->session, error);
    return status == STATUS_OK ? session_execute(workspace->session, &time, error) : status;
}

double launch_ticks(const struct launch_time *time)
{
    return (double)(time->kernel_ticks ? time->kernel_ticks : time->global_ticks);
}
