#include "results.h"

#include "clock.h"
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
    if (measurement->ns.count == 0)
        return NULL;
    return measurement->one_domain ? "global" : "kernel";
}

static const char *verified_text(const struct measurement *measurement)
{
    return measurement->verified < 0 ? NULL : measurement->verified ? "1" : "0";
}

static double slm_bytes(const struct row *row)
{
    return (double)row->kernel->slm_bytes +
           (double)row->family->argument_slm_bytes(row->configuration);
}

/* What several columns need. */
struct derived {
    char now[TIME_BYTES];
    double clock_mhz; /* NaN where unknown */
    const char *clock_source;
    bool has_kernel;
    bool measured;
};

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
    TEXT(variant, row->variant->name)                                                              \
    UNSIGNED(subgroup_size, row->configuration->subgroup_size)                                     \
    REAL(subgroup_size_compiled, or_nothing(d.has_kernel, row->kernel->compiled_subgroup_size))    \
    UNSIGNED(workgroup_size, row->configuration->workgroup_size)                                   \
    UNSIGNED(workgroup_count, row->configuration->workgroup_count)                                 \
    REAL(iterations, or_nothing(d.measured, m->iterations))                                        \
    UNSIGNED(samples, m->ns.count)                                                                 \
    REAL(ns_min, or_nothing(d.measured, m->ns.min))                                                \
    REAL(ns_p05, or_nothing(d.measured, m->ns.p05))                                                \
    REAL(ns_median, or_nothing(d.measured, m->ns.median))                                          \
    REAL(ns_mean, or_nothing(d.measured, m->ns.mean))                                              \
    REAL(ns_p95, or_nothing(d.measured, m->ns.p95))                                                \
    REAL(ns_max, or_nothing(d.measured, m->ns.max))                                                \
    REAL(ns_stddev, or_nothing(d.measured, m->ns.stddev))                                          \
    REAL(ci95_lo_ns, or_nothing(d.measured, m->ci95_lo_ns))                                        \
    REAL(ci95_hi_ns, or_nothing(d.measured, m->ci95_hi_ns))                                        \
    REAL(value, or_nothing(d.measured, m->ns.median))                                              \
    TEXT(unit, row->is_baseline ? row->family->baseline_unit : row->family->unit)                  \
    REAL(cycles, or_nothing(d.measured, m->ns.median *d.clock_mhz / 1000.0))                       \
    REAL(r_squared, or_nothing(d.measured, m->r_squared))                                          \
    TEXT(list_kind, "regular")                                                                     \
    TEXT(timestamp_domain, domain_name(m))                                                         \
    REAL(spill_bytes, or_nothing(d.has_kernel, row->kernel->spill_bytes))                          \
    REAL(private_bytes, or_nothing(d.has_kernel, row->kernel->private_bytes))                      \
    REAL(slm_bytes, or_nothing(d.has_kernel, slm_bytes(row)))                                      \
    TEXT(verified, verified_text(m))                                                               \
    TEXT(status, outcome_name(m->outcome))                                                         \
    TEXT(reason, m->reason)                                                                        \
    TEXT(version, VEBENCH_VERSION)                                                                 \
    TEXT(kernel_sha256, row->kernel_sha256)

enum status results_write_header(struct csv *csv, struct error *error)
{
#define NAME(name, value) csv_text(csv, #name);
    COLUMNS(NAME, NAME, NAME)
#undef NAME
    return csv_end_row(csv, error);
}

enum status results_write_row(struct csv *csv, const struct row *row, struct error *error)
{
    const struct measurement *m = row->measurement;
    struct derived d = {
        .has_kernel = row->kernel->handle != NULL,
        .measured = m->ns.count > 0,
    };

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
    REAL(ns, sample->ns)

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
#define TEXT(name, value)     csv_text(csv, value);
#define UNSIGNED(name, value) csv_unsigned(csv, value);
#define REAL(name, value)     csv_real(csv, value);
    SAMPLE_COLUMNS(TEXT, UNSIGNED, REAL)
#undef TEXT
#undef UNSIGNED
#undef REAL
    return csv_end_row(csv, error);
}
