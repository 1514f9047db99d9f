#include "sweep/results.h"

#include "base/columns.h"
#include "base/version.h"
#include "ze/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void utc_format(const char *format, char text[TIME_BYTES])
{
    time_t now = time(NULL);
    struct tm utc;

    if (!gmtime_r(&now, &utc) || strftime(text, TIME_BYTES, format, &utc) == 0)
        text[0] = '\0';
}

void utc_text(char text[TIME_BYTES])
{
    utc_format("%Y-%m-%dT%H:%M:%SZ", text);
}

void utc_compact_text(char text[TIME_BYTES])
{
    utc_format("%Y%m%dT%H%M%SZ", text);
}

void run_identity_fill(struct run_identity *identity)
{
    unsigned char random[4] = {0};
    char now[TIME_BYTES];
    FILE *file = fopen("/dev/urandom", "rb");

    if (!file || fread(random, 1, sizeof(random), file) != sizeof(random)) {
        long pid = (long)getpid();

        memcpy(random, &pid, sizeof(random));
    }
    if (file)
        fclose(file);
    utc_compact_text(now);
    snprintf(identity->run_id, sizeof(identity->run_id), "%s-%02x%02x%02x%02x", now, random[0],
             random[1], random[2], random[3]);
}

void host_name(char host[HOST_BYTES])
{
    if (gethostname(host, HOST_BYTES) != 0)
        snprintf(host, HOST_BYTES, "unknown");
    host[HOST_BYTES - 1] = '\0';
}

static double or_nothing(bool known, double number)
{
    return known ? number : NAN;
}

static const char *domain_name(const struct measurement *measurement)
{
    if (measurement->values.count == 0 || !measurement->is_time)
        return NULL;
    return measurement->one_domain ? "global" : "kernel";
}

static const char *verified_text(const struct measurement *measurement)
{
    return measurement->verified < 0 ? NULL : measurement->verified ? "1" : "0";
}

static double slm_bytes(const struct row *row)
{
    double argument = row->family->argument_slm_bytes
                          ? (double)row->family->argument_slm_bytes(row->configuration)
                          : 0.0;

    return row->kernel->slm_bytes + argument;
}

#define ENVIRONMENT_BYTES 480

/* Values that several columns need. */
struct derived {
    char now[TIME_BYTES];
    char environment[ENVIRONMENT_BYTES];
    double clock_mhz; /* NaN if unknown */
    const char *clock_source;
    bool has_kernel;
    bool measured;
    bool timed; /* measured, with values in nanoseconds */
    struct work work;
    char parameters[PARAMETERS_BYTES];
    char group[40];
    char launch[RESULTS_LAUNCH_BYTES];
    const char *baseline; /* name, or NULL */
    double loop_ns;       /* one iteration of the variant's own loop, NaN if it has none */
    double reference_ns;  /* the same of the variant that it is compared with */
};

/* A per-iteration quantity as a rate of the variant's own loop; NaN if not applicable. */
static double rate(double per_iteration, const struct derived *d)
{
    return per_iteration > 0.0 ? per_iteration / d->loop_ns : NAN;
}

static double or_absent(double count)
{
    return count > 0.0 ? count : NAN;
}

static double bytes_per_clock(const struct derived *d, const struct device *device)
{
    return rate(d->work.bytes, d) / (d->clock_mhz / 1000.0) / device_xe_cores(device);
}

enum status results_write_header(struct csv *csv, const struct axis_columns *axes,
                                 struct error *error)
{
    return axis_columns_write_header(axes, results_columns, RESULTS_COLUMNS, csv, error);
}

static void describe_launch(const struct row *row, struct derived *d)
{
    const struct launch launch = {*row->configuration, &row->family->variants[row->variant], 1,
                                  LAUNCH_MEASURE};
    struct geometry geometry = family_geometry(row->family, &launch);

    family_parameters(row->family, row->configuration, d->parameters, sizeof(d->parameters));
    snprintf(d->group, sizeof(d->group), "%ux%ux%u", geometry.size[0], geometry.size[1],
             geometry.size[2]);
    if (row->family->predict_words)
        row->family->predict_words(&launch, d->launch, sizeof(d->launch));
    d->baseline = row->family->variants[row->variant].baseline;
}

/* The environment variables that affect which devices the driver shows and how, and the conditions
 * that the device was in. */
static void describe_environment(const struct row *row, char text[ENVIRONMENT_BYTES])
{
    static const char *const names[] = {"ZE_FLAT_DEVICE_HIERARCHY", "ZE_AFFINITY_MASK",
                                        "ZES_ENABLE_SYSMAN", "NEOReadDebugKeys"};
    const struct target *target = row->target;
    char conditions[200];
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *value = getenv(names[i]);

        if (value && used < ENVIRONMENT_BYTES)
            used += (size_t)snprintf(text + used, ENVIRONMENT_BYTES - used, "%s%s=%.60s",
                                     used ? " " : "", names[i], value);
    }
    conditions_text(&target->conditions, &row->measurement->surroundings, &target->device,
                    conditions, sizeof(conditions));
    if (used < ENVIRONMENT_BYTES && conditions[0])
        snprintf(text + used, ENVIRONMENT_BYTES - used, "%s%s", used ? " " : "", conditions);
}

static void fill_origin(struct results_row *f, const struct row *row, const struct derived *d)
{
    const struct target *target = row->target;
    const struct device *device = &target->device;

    f->run_id = row->identity->run_id;
    f->time_utc = d->now;
    f->host = row->host;
    f->rank = or_nothing(row->rank >= 0, row->rank);
    f->device_kind = device_kind_name(target->kind);
    f->device_name = device->name;
    f->device_uuid = device->uuid;
    f->pci_address = device->pci_address;
    f->driver_version = device->driver_version;
    f->loader_version = target->loader_version;
    f->timer_hz = target->timer.hz;
    f->version = vebench_version();
    f->environment = d->environment;
    f->notes = row->identity->notes;
    f->xe_cores = device_xe_cores(device);
    f->threads_per_xe_core = device_threads_per_xe_core(device);
    f->peak_gb_per_s = or_absent(target->peak_bandwidth / 1e9);
}

static void fill_configuration(struct results_row *f, const struct row *row,
                               const struct derived *d)
{
    const struct variant *variant = &row->family->variants[row->variant];

    f->benchmark = row->family->name;
    f->variant = variant->name;
    f->op = variant_operation(variant);
    f->type = variant_type(variant);
    f->method = variant_method(variant);
    f->subgroup_size = row->configuration->subgroup_size;
    f->subgroup_size_compiled = or_nothing(d->has_kernel, row->kernel->compiled_subgroup_size);
    f->workgroup_size = row->configuration->workgroup_size;
    f->workgroup_count = row->configuration->workgroup_count;
    f->unit = family_unit(row->family, row->variant);
    f->list_kind = list_kind_name(variant->list);
    f->spill_bytes = or_nothing(d->has_kernel, row->kernel->spill_bytes);
    f->private_bytes = or_nothing(d->has_kernel, row->kernel->private_bytes);
    f->slm_bytes = or_nothing(d->has_kernel, slm_bytes(row));
    f->kernel_sha256 = row->kernel_sha256;
    f->parameters = d->parameters;
    f->group = d->group;
    f->launch = d->launch;
    f->baseline = d->baseline;
    f->sequence = row->sequence;
    f->seed = row->seed;
}

static void fill_values(struct results_row *f, const struct measurement *m, const struct derived *d)
{
    f->clock_mhz = d->clock_mhz;
    f->clock_source = d->clock_source;
    f->iterations = or_nothing(d->measured && m->iterations, m->iterations);
    f->samples = m->values.count;
    f->ns_min = or_nothing(d->timed, m->values.min);
    f->ns_p05 = or_nothing(d->timed, m->values.p05);
    f->ns_median = or_nothing(d->timed, m->values.median);
    f->ns_mean = or_nothing(d->timed, m->values.mean);
    f->ns_p95 = or_nothing(d->timed, m->values.p95);
    f->ns_max = or_nothing(d->timed, m->values.max);
    f->ns_stddev = or_nothing(d->timed, m->values.stddev);
    f->ci95_lo_ns = or_nothing(d->timed, m->ci95_lo);
    f->ci95_hi_ns = or_nothing(d->timed, m->ci95_hi);
    f->value = or_nothing(d->measured, m->value);
    f->cycles = or_nothing(d->timed, m->value * d->clock_mhz / 1000.0);
    f->r_squared = or_nothing(d->measured, m->r_squared);
    f->timestamp_domain = domain_name(m);
    f->outliers = m->outliers;
    f->lead_ms = or_nothing(d->measured && m->iterations, m->lead_ms);
    f->clock_spread = or_nothing(d->measured && m->clock_mhz > 0.0, m->clock_spread);
    f->bend = or_nothing(d->measured && m->iterations, m->bend);
    f->verified = verified_text(m);
    f->status = outcome_name(m->outcome);
    f->reason = m->reason;
}

static void fill_work(struct results_row *f, const struct row *row, const struct derived *d)
{
    f->loop_ns = d->loop_ns;
    f->work_units = d->work.units;
    f->work_bytes = or_absent(d->work.bytes);
    f->work_messages = or_absent(d->work.messages);
    f->work_lines = or_absent(d->work.lines);
    f->work_barriers = or_absent(d->work.barriers);
    f->work_exchanges = or_absent(d->work.exchanges);
    f->work_flops = or_absent(d->work.flops);
    f->lines_per_message = or_absent(d->work.lines) / d->work.messages;
    f->gb_per_s = rate(d->work.bytes, d);
    f->bytes_per_clock_per_xe_core = bytes_per_clock(d, &row->target->device);
    f->gflop_per_s = rate(d->work.flops, d);
    f->reference = row->family->variants[row->variant].reference;
    f->ratio = d->loop_ns / d->reference_ns;
    f->peak_fraction = rate(d->work.bytes, d) / or_absent(row->target->peak_bandwidth / 1e9);
}

static double loop_of(const struct measurement *m)
{
    return m && m->values.count > 0 && m->iteration_ns > 0.0 ? m->iteration_ns : NAN;
}

enum status results_write_row(struct csv *csv, const struct row *row, struct error *error)
{
    const struct measurement *m = row->measurement;
    struct results_row fields;
    struct derived d = {
        .has_kernel = row->kernel->handle != NULL,
        .measured = m->values.count > 0,
        .timed = m->values.count > 0 && m->is_time,
        .work = family_work(row->family, row->configuration, row->variant),
        .loop_ns = loop_of(m),
        .reference_ns = loop_of(row->reference),
    };

    describe_launch(row, &d);
    utc_text(d.now);
    describe_environment(row, d.environment);
    d.clock_mhz = clock_choose(row->target, m->clock_mhz, m->clock_counted, &d.clock_source);
    if (!(d.clock_mhz > 0.0))
        d.clock_mhz = NAN;
    columns_clear(results_columns, RESULTS_COLUMNS, &fields);
    fill_origin(&fields, row, &d);
    fill_configuration(&fields, row, &d);
    fill_values(&fields, m, &d);
    fill_work(&fields, row, &d);
    return axis_columns_write_row(row->identity->axes, results_columns, RESULTS_COLUMNS, &fields,
                                  sizeof(fields), row->family, row->configuration, csv, error);
}

enum status samples_write_header(struct csv *csv, const struct axis_columns *axes,
                                 struct error *error)
{
    return axis_columns_write_header(axes, samples_columns, SAMPLES_COLUMNS, csv, error);
}

enum status samples_write_row(struct csv *csv, const struct run_identity *identity,
                              const struct family *family,
                              const struct configuration *configuration,
                              const struct sample *sample, int rank, struct error *error)
{
    const struct variant *variant = &family->variants[sample->variant];
    char parameters[PARAMETERS_BYTES];
    const struct samples_row fields = {
        .run_id = identity->run_id,
        .benchmark = family->name,
        .variant = variant->name,
        .subgroup_size = configuration->subgroup_size,
        .workgroup_size = configuration->workgroup_size,
        .workgroup_count = configuration->workgroup_count,
        .round = (unsigned)sample->round,
        .iterations = sample->iterations,
        .kernel_ticks = sample->time.kernel_ticks,
        .global_ticks = sample->time.global_ticks,
        .ns = or_nothing(variant->estimator != ESTIMATOR_OBSERVE, sample->value),
        .parameters = parameters,
        .observed = or_nothing(variant->estimator == ESTIMATOR_OBSERVE, sample->value),
        .host_ns = sample->time.host_ns,
        .op = variant_operation(variant),
        .type = variant_type(variant),
        .method = variant_method(variant),
        .rank = or_nothing(rank >= 0, rank),
    };

    family_parameters(family, configuration, parameters, sizeof(parameters));
    return axis_columns_write_row(identity->axes, samples_columns, SAMPLES_COLUMNS, &fields,
                                  sizeof(fields), family, configuration, csv, error);
}

enum status counters_write_header(struct csv *csv, const struct axis_columns *axes,
                                  struct error *error)
{
    return axis_columns_write_header(axes, counters_columns, COUNTERS_COLUMNS, csv, error);
}

enum status counters_write_row(struct csv *csv, const struct run_identity *identity,
                               const struct family *family,
                               const struct configuration *configuration, const char *group,
                               const struct count *count, int rank, struct error *error)
{
    const struct variant *variant = &family->variants[count->variant];
    char parameters[PARAMETERS_BYTES];
    const struct counters_row fields = {
        .run_id = identity->run_id,
        .benchmark = family->name,
        .variant = variant->name,
        .subgroup_size = configuration->subgroup_size,
        .workgroup_size = configuration->workgroup_size,
        .workgroup_count = configuration->workgroup_count,
        .iterations = count->iterations,
        .counter_group = group,
        .counter = count->counter.name,
        .kind = count->counter.kind,
        .count = count->value,
        .count_unit = count->counter.unit,
        .per_iteration = or_nothing(count->counter.adds_up && count->iterations,
                                    count->value / count->iterations),
        .reason = count->reason,
        .parameters = parameters,
        .op = variant_operation(variant),
        .type = variant_type(variant),
        .method = variant_method(variant),
        .rank = or_nothing(rank >= 0, rank),
    };

    family_parameters(family, configuration, parameters, sizeof(parameters));
    return axis_columns_write_row(identity->axes, counters_columns, COUNTERS_COLUMNS, &fields,
                                  sizeof(fields), family, configuration, csv, error);
}
