#include "measure/results.h"

#include "measure/clock.h"
#include "version.h"

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

    if (!file || fread(random, 1, sizeof random, file) != sizeof random) {
        long pid = (long)getpid();

        memcpy(random, &pid, sizeof random);
    }
    if (file)
        fclose(file);
    utc_compact_text(now);
    snprintf(identity->run_id, sizeof identity->run_id, "%s-%02x%02x%02x%02x", now, random[0],
             random[1], random[2], random[3]);
    if (gethostname(identity->host, sizeof identity->host) != 0)
        snprintf(identity->host, sizeof identity->host, "unknown");
    identity->host[sizeof identity->host - 1] = '\0';
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

/* What several columns need. */
struct derived {
    char now[TIME_BYTES];
    double clock_mhz; /* NaN where unknown */
    const char *clock_source;
    bool has_kernel;
    bool measured;
    bool timed; /* measured, and the values are nanoseconds */
    struct work work;
    char parameters[PARAMETERS_BYTES];
    char group[40];
    const char *baseline; /* name, or NULL */
    double loop_ns;       /* one iteration of the variant's own loop, NaN where there is none */
};

/* Something per iteration as a rate of the variant's own loop; NaN where there is no such thing. */
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

/* Name, kind and value of every column, in order: the header and the rows both come from here, so
 * they cannot disagree. New columns go to the end; none ever changes. */
#define COLUMNS(TEXT, UNSIGNED, REAL)                                                              \
    TEXT(run_id, row->identity->run_id)                                                            \
    TEXT(time_utc, d.now)                                                                          \
    TEXT(host, row->identity->host)                                                                \
    TEXT(device_kind, device_kind_name(row->session->kind))                                        \
    TEXT(device_name, row->session->device->name)                                                  \
    TEXT(device_uuid, row->session->device->uuid)                                                  \
    TEXT(pci_address, row->session->device->pci_address)                                           \
    TEXT(driver_version, row->session->device->driver_version)                                     \
    TEXT(loader_version, row->session->loader_version)                                             \
    UNSIGNED(timer_hz, row->session->timer.hz)                                                     \
    REAL(clock_mhz, d.clock_mhz)                                                                   \
    TEXT(clock_source, d.clock_source)                                                             \
    TEXT(benchmark, row->family->name)                                                             \
    TEXT(variant, row->family->variants[row->variant].name)                                        \
    UNSIGNED(subgroup_size, row->configuration->subgroup_size)                                     \
    REAL(subgroup_size_compiled, or_nothing(d.has_kernel, row->kernel->compiled_subgroup_size))    \
    UNSIGNED(workgroup_size, row->configuration->workgroup_size)                                   \
    UNSIGNED(workgroup_count, row->configuration->workgroup_count)                                 \
    REAL(iterations, or_nothing(d.measured && m->iterations, m->iterations))                       \
    UNSIGNED(samples, m->values.count)                                                             \
    REAL(ns_min, or_nothing(d.timed, m->values.min))                                               \
    REAL(ns_p05, or_nothing(d.timed, m->values.p05))                                               \
    REAL(ns_median, or_nothing(d.timed, m->values.median))                                         \
    REAL(ns_mean, or_nothing(d.timed, m->values.mean))                                             \
    REAL(ns_p95, or_nothing(d.timed, m->values.p95))                                               \
    REAL(ns_max, or_nothing(d.timed, m->values.max))                                               \
    REAL(ns_stddev, or_nothing(d.timed, m->values.stddev))                                         \
    REAL(ci95_lo_ns, or_nothing(d.timed, m->ci95_lo))                                              \
    REAL(ci95_hi_ns, or_nothing(d.timed, m->ci95_hi))                                              \
    REAL(value, or_nothing(d.measured, m->values.median))                                          \
    TEXT(unit, family_unit(row->family, row->variant))                                             \
    REAL(cycles, or_nothing(d.timed, m->values.median *d.clock_mhz / 1000.0))                      \
    REAL(r_squared, or_nothing(d.measured, m->r_squared))                                          \
    TEXT(list_kind, list_kind_name(row->family->variants[row->variant].list))                      \
    TEXT(timestamp_domain, domain_name(m))                                                         \
    REAL(spill_bytes, or_nothing(d.has_kernel, row->kernel->spill_bytes))                          \
    REAL(private_bytes, or_nothing(d.has_kernel, row->kernel->private_bytes))                      \
    REAL(slm_bytes, or_nothing(d.has_kernel, slm_bytes(row)))                                      \
    TEXT(verified, verified_text(m))                                                               \
    TEXT(status, outcome_name(m->outcome))                                                         \
    TEXT(reason, m->reason)                                                                        \
    TEXT(version, VEBENCH_VERSION)                                                                 \
    TEXT(kernel_sha256, row->kernel_sha256)                                                        \
    TEXT(parameters, d.parameters)                                                                 \
    TEXT(group, d.group)                                                                           \
    TEXT(baseline, d.baseline)                                                                     \
    UNSIGNED(sequence, row->sequence)                                                              \
    UNSIGNED(seed, row->seed)                                                                      \
    REAL(loop_ns, d.loop_ns)                                                                       \
    REAL(work_units, d.work.units)                                                                 \
    REAL(work_bytes, or_absent(d.work.bytes))                                                      \
    REAL(work_messages, or_absent(d.work.messages))                                                \
    REAL(work_lines, or_absent(d.work.lines))                                                      \
    REAL(work_barriers, or_absent(d.work.barriers))                                                \
    REAL(work_exchanges, or_absent(d.work.exchanges))                                              \
    REAL(work_flops, or_absent(d.work.flops))                                                      \
    REAL(lines_per_message, or_absent(d.work.lines) / d.work.messages)                             \
    REAL(gb_per_s, rate(d.work.bytes, &d))                                                         \
    REAL(bytes_per_clock_per_xe_core, bytes_per_clock(&d, row->session->device))                   \
    REAL(gflop_per_s, rate(d.work.flops, &d))                                                      \
    UNSIGNED(xe_cores, device_xe_cores(row->session->device))                                      \
    UNSIGNED(threads_per_xe_core, device_threads_per_xe_core(row->session->device))                \
    REAL(peak_gb_per_s, or_absent(row->session->peak_bandwidth / 1e9))                             \
    REAL(peak_fraction, rate(d.work.bytes, &d) / or_absent(row->session->peak_bandwidth / 1e9))

enum status results_write_header(struct csv *csv, struct error *error)
{
#define NAME(name, value) csv_text(csv, #name);
    COLUMNS(NAME, NAME, NAME)
#undef NAME
    return csv_end_row(csv, error);
}

static void describe_launch(const struct row *row, struct derived *d)
{
    const struct launch launch = {*row->configuration, row->variant, 1, LAUNCH_MEASURE};
    struct geometry geometry = family_geometry(row->family, &launch);

    family_parameters(row->family, row->configuration, d->parameters, sizeof d->parameters);
    snprintf(d->group, sizeof d->group, "%ux%ux%u", geometry.size[0], geometry.size[1],
             geometry.size[2]);
    d->baseline = row->family->variants[row->variant].baseline;
}

enum status results_write_row(struct csv *csv, const struct row *row, struct error *error)
{
    const struct measurement *m = row->measurement;
    struct derived d = {
        .has_kernel = row->kernel->handle != NULL,
        .measured = m->values.count > 0,
        .timed = m->values.count > 0 && m->is_time,
        .work = family_work(row->family, row->configuration, row->variant),
        .loop_ns = m->values.count > 0 && m->iteration_ns > 0.0 ? m->iteration_ns : NAN,
    };

    describe_launch(row, &d);
    utc_text(d.now);
    d.clock_mhz = clock_choose(row->session, m->clock_mhz, &d.clock_source);
    if (!(d.clock_mhz > 0.0))
        d.clock_mhz = NAN;
#define TEXT(name, value)     csv_text(csv, value);
#define UNSIGNED(name, value) csv_unsigned(csv, value);
#define REAL(name, value)     csv_real(csv, value);
    COLUMNS(TEXT, UNSIGNED, REAL)
#undef TEXT
#undef UNSIGNED
#undef REAL
    return csv_end_row(csv, error);
}

#define SAMPLE_COLUMNS(TEXT, UNSIGNED, REAL)                                                       \
    TEXT(run_id, identity->run_id)                                                                 \
    TEXT(benchmark, family->name)                                                                  \
    TEXT(variant, family->variants[sample->variant].name)                                          \
    UNSIGNED(subgroup_size, configuration->subgroup_size)                                          \
    UNSIGNED(workgroup_size, configuration->workgroup_size)                                        \
    UNSIGNED(workgroup_count, configuration->workgroup_count)                                      \
    UNSIGNED(round, sample->round)                                                                 \
    UNSIGNED(iterations, sample->iterations)                                                       \
    UNSIGNED(kernel_ticks, sample->time.kernel_ticks)                                              \
    UNSIGNED(global_ticks, sample->time.global_ticks)                                              \
    REAL(ns, or_nothing(family->variants[sample->variant].method == METHOD_SLOPE, sample->value))  \
    TEXT(parameters, parameters)                                                                   \
    REAL(observed,                                                                                 \
         or_nothing(family->variants[sample->variant].method == METHOD_OBSERVE, sample->value))

enum status samples_write_header(struct csv *csv, struct error *error)
{
#define NAME(name, value) csv_text(csv, #name);
    SAMPLE_COLUMNS(NAME, NAME, NAME)
#undef NAME
    return csv_end_row(csv, error);
}

enum status samples_write_row(struct csv *csv, const struct run_identity *identity,
                              const struct family *family,
                              const struct configuration *configuration,
                              const struct sample *sample, struct error *error)
{
    char parameters[PARAMETERS_BYTES];

    family_parameters(family, configuration, parameters, sizeof parameters);
#define TEXT(name, value)     csv_text(csv, value);
#define UNSIGNED(name, value) csv_unsigned(csv, value);
#define REAL(name, value)     csv_real(csv, value);
    SAMPLE_COLUMNS(TEXT, UNSIGNED, REAL)
#undef TEXT
#undef UNSIGNED
#undef REAL
    return csv_end_row(csv, error);
}
