#include "measure/launch.h"

#include "measure/lead.h"
#include "ze/counters.h"

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

enum status launch_record(const struct family *family, struct workspace *workspace,
                          const struct kernel *kernel, const struct launch *launch,
                          enum list_kind list, bool held, struct error *error)
{
    struct session *session = workspace->session;
    const struct variant *variant = launch->variant;
    struct geometry geometry = family_geometry(family, launch);
    struct arguments arguments = {.count = 0};
    enum status status = session_begin_list(session, list, error);

    if (status == STATUS_OK)
        status = kernel_set_group_size(session, kernel, geometry.size, error);
    if (status == STATUS_OK)
        status = refuse_what_deadlocks(session, variant, kernel, &geometry, error);
    if (status != STATUS_OK)
        return status;
    bool edged = held && list == LIST_REGULAR && variant->estimator != ESTIMATOR_OBSERVE;
    family_arguments(family, workspace, launch, &arguments);
    status = arguments_set(&arguments, session, kernel, error);
    if (status == STATUS_OK)
        status = workspace_record_copies_in(workspace, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    if (status == STATUS_OK && variant->caches != CACHES_WARM)
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

double launch_ticks(const struct launch_time *time)
{
    return (double)(time->kernel_ticks ? time->kernel_ticks : time->global_ticks);
}
