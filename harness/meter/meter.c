/* Implements the public interface to measuring, include/vebench/measure.h: the caller's kernel is a
 * family with one variant, on a session that has the caller's handles. */
#include "vebench/measure.h"

#include "base/version.h"
#include "measure/lead.h"
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOST_LAUNCHES 10u
#define MODEL_ROUNDS  12u /* of launches that the ticks of a model's timer round */

struct vebench_meter {
    struct session session;
    struct lead_image image;
};

/* What the family's functions find in its variant. */
struct foreign {
    const struct vebench_launch *launch;
    struct geometry geometry;
};

static int fail(const struct error *why, char *error, size_t error_bytes)
{
    snprintf(error, error_bytes, "%s", why->text);
    return -1;
}

const char *vebench_measure_version(void)
{
    return vebench_version();
}

/* Without a warm-up there are times, which are not reliable. */
static enum status open_lead(struct vebench_meter *meter, struct error *error)
{
    struct session *session = &meter->session;

    lead_image_compile(&meter->image, session);
    enum status status = lead_open(session, &meter->image, error);
    if (status != STATUS_OK)
        snprintf(session->lead_failure, sizeof(session->lead_failure), "%s", error->text);
    return status == STATUS_LOST ? status : STATUS_OK;
}

int vebench_meter_open(struct vebench_meter **meter, const struct vebench_meter_of *of, char *error,
                       size_t error_bytes)
{
    const struct session_handles handles = {of->context, of->device, of->queue, of->queue_ordinal};
    struct vebench_meter *made = calloc(1, sizeof(*made));
    struct error why;

    *meter = NULL;
    if (!made) {
        error_out_of_memory(&why);
        return fail(&why, error, error_bytes);
    }
    enum status status = session_connect(&made->session, NULL, &why);
    if (status != STATUS_OK) {
        free(made);
        return fail(&why, error, error_bytes);
    }
    status = session_adopt(&made->session, &handles, of->timeout_s, &why);
    if (status == STATUS_OK)
        status = open_lead(made, &why);
    if (status != STATUS_OK) {
        vebench_meter_close(made);
        return fail(&why, error, error_bytes);
    }
    *meter = made;
    return 0;
}

void vebench_meter_close(struct vebench_meter *meter)
{
    if (!meter)
        return;
    lead_close(&meter->session);
    lead_image_free(&meter->image);
    session_close(&meter->session);
    free(meter);
}

static void foreign_geometry(const struct launch *launch, struct geometry *geometry)
{
    const struct foreign *foreign = launch->variant->own;

    *geometry = foreign->geometry;
}

static void foreign_arguments(const struct workspace *workspace, const struct launch *launch,
                              struct arguments *arguments)
{
    (void)workspace;
    (void)launch;
    (void)arguments;
}

static enum status foreign_verify(struct workspace *workspace, const struct launch *launch,
                                  struct error *error)
{
    const struct foreign *foreign = launch->variant->own;

    (void)workspace;
    if (foreign->launch->after && foreign->launch->after(foreign->launch->context) != 0)
        return error_set(error, STATUS_FAILED, "the program says that the result is wrong");
    return STATUS_OK;
}

/* 0 means 1, and the configuration that says the same to the sweep's rules. */
static struct configuration describe(struct foreign *foreign, const struct kernel *kernel)
{
    struct configuration configuration = {kernel->compiled_subgroup_size, 1, 1, {0}};

    for (size_t i = 0; i < 3; i++) {
        uint32_t local = foreign->launch->local[i], groups = foreign->launch->groups[i];

        foreign->geometry.size[i] = local ? local : 1;
        foreign->geometry.count[i] = groups ? groups : 1;
        configuration.workgroup_size *= foreign->geometry.size[i];
        configuration.workgroup_count *= foreign->geometry.count[i];
    }
    return configuration;
}

/* The host's time of launches with nothing before them. */
static enum status time_host(struct session *session, const struct kernel *kernel,
                             const struct foreign *foreign, unsigned launches, double *host_ns,
                             struct error *error)
{
    double *values = calloc(launches, sizeof(*values));
    enum status status = values ? STATUS_OK : error_out_of_memory(error);

    for (unsigned i = 0; status == STATUS_OK && i < launches; i++) {
        struct launch_time time;

        status = session_begin_list(session, LIST_REGULAR, error);
        if (status == STATUS_OK)
            status = session_append_kernel(session, kernel->handle, foreign->geometry.count, false,
                                           error);
        if (status == STATUS_OK)
            status = session_end_list(session, error);
        if (status == STATUS_OK)
            status = session_execute(session, &time, error);
        if (status == STATUS_OK && foreign->launch->after &&
            foreign->launch->after(foreign->launch->context) != 0)
            status = error_set(error, STATUS_FAILED, "the program says that the result is wrong");
        if (status == STATUS_OK)
            values[i] = (double)time.completion_ns;
    }
    if (status == STATUS_OK)
        *host_ns = stats_describe(values, launches).median;
    free(values);
    return status;
}

static void tell(const struct measurement *from, const struct kernel *kernel,
                 const struct session *session, struct vebench_measured *to)
{
    double mhz = from->clock_mhz;

    if (!(mhz > 0.0))
        mhz = session->is_deterministic ? session->device->max_clock_mhz : NAN;
    *to = (struct vebench_measured){
        .ns = from->value,
        .ci95_low_ns = from->ci95_lo,
        .ci95_high_ns = from->ci95_hi,
        .min_ns = from->values.min,
        .median_ns = from->values.median,
        .max_ns = from->values.max,
        .launches = from->values.count,
        .clock_mhz = mhz,
        .clock_spread = from->clock_spread,
        .clock_counted = from->clock_counted,
        .cycles = from->value * mhz / 1e3,
        .lanes = kernel->compiled_subgroup_size,
        .spill_bytes = kernel->spill_bytes,
        .is_emulated = session->kind == DEVICE_EMULATED,
        .is_reliable = from->outcome == OUTCOME_OK,
    };
    snprintf(to->reason, sizeof(to->reason), "%.*s", (int)sizeof(to->reason) - 1, from->reason);
}

static enum status measure_foreign(struct vebench_meter *meter, struct foreign *foreign,
                                   const struct vebench_rounds *rounds,
                                   struct vebench_measured *measured, struct error *error)
{
    const struct variant variant = {.name = "foreign",
                                    .entry_point = "foreign",
                                    .own = foreign,
                                    .estimator = ESTIMATOR_LAUNCH,
                                    .caches = CACHES_LIST, /* after() is called after each launch */
                                    .may_spill = true};
    const struct family family = {.name = "foreign",
                                  .measures = "a kernel of the caller's",
                                  .unit = "ns/launch",
                                  .baseline_unit = "ns/launch",
                                  .variants = &variant,
                                  .variant_count = 1,
                                  .geometry = foreign_geometry,
                                  .arguments = foreign_arguments,
                                  .lists_buffers = true,
                                  .verify = foreign_verify};
    unsigned most = meter->session.is_deterministic && !rounds->most ? MODEL_ROUNDS : rounds->most;
    const struct measure_options options = {.stop = {rounds->standard_error, rounds->least, most}};
    struct measurement measurement = {.outcome = OUTCOME_OK};
    struct kernel kernel;
    enum status status = kernel_adopt(&meter->session, foreign->launch->kernel, &kernel, error);

    if (status != STATUS_OK)
        return status;
    struct configuration configuration = describe(foreign, &kernel);
    status = measure_configuration(&meter->session, &family, &configuration, &kernel, &options,
                                   NULL, NULL, &measurement, error);
    if (status == STATUS_OK && measurement.outcome != OUTCOME_OK &&
        measurement.outcome != OUTCOME_UNRELIABLE)
        status = error_set(error, STATUS_FAILED, "%s", measurement.reason);
    if (status != STATUS_OK)
        return status;
    tell(&measurement, &kernel, &meter->session, measured);
    return time_host(&meter->session, &kernel, foreign,
                     rounds->host_launches ? rounds->host_launches : HOST_LAUNCHES,
                     &measured->host_ns, error);
}

int vebench_meter_measure(struct vebench_meter *meter, const struct vebench_launch *launch,
                          const struct vebench_rounds *rounds, struct vebench_measured *measured,
                          char *error, size_t error_bytes)
{
    static const struct vebench_rounds defaults = {0, 0, 0.0, 0};
    struct foreign foreign = {.launch = launch};
    struct error why;

    memset(measured, 0, sizeof(*measured));
    if (meter->session.lost)
        error_set(&why, STATUS_LOST, "the device is lost: an earlier launch has not ended");
    else if (measure_foreign(meter, &foreign, rounds ? rounds : &defaults, measured, &why) ==
             STATUS_OK)
        return 0;
    return fail(&why, error, error_bytes);
}
