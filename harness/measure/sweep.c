#include "measure/sweep.h"

#include "measure/family-kernels.h"
#include "measure/plan.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define SIZES_MAX 8 /* sub-group sizes of a family's modules */

struct sweep {
    struct session *session;
    const struct sweep_request *request;
    const struct run_identity *identity;
    struct csv *results;
    struct csv *samples;
    const struct sweep_events *events;
    struct sweep_counts *counts;
    const struct family *family; /* the current one */
    struct family_kernels *kernels[SIZES_MAX];
    size_t kernels_count;
    size_t index; /* of the configuration in the whole sweep */
    size_t done;  /* configurations that were measured */
    size_t total; /* and that are to be */
};

/* "barrier:16=FILE": which embedded module, and the file. */
static enum status parse_spirv(const char *text, const struct spirv_module **replaced,
                               const char **path, struct error *error)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        char prefix[100];
        size_t bytes = (size_t)snprintf(prefix, sizeof prefix, "%s:%u=", spirv_modules[i].family,
                                        spirv_modules[i].subgroup_size);

        if (!strncmp(text, prefix, bytes) && text[bytes]) {
            *replaced = &spirv_modules[i];
            *path = text + bytes;
            return STATUS_OK;
        }
    }
    return error_set(error, STATUS_USAGE,
                     "--spirv %s: write FAMILY:SIZE=FILE with a family and a sub-group size that "
                     "`vebench list` shows",
                     text);
}

/* The file that the request puts in place of `module`, or NULL. */
static const char *replacement(const struct sweep_request *request,
                               const struct spirv_module *module)
{
    const char *found = NULL;

    for (size_t i = 0; i < request->spirv_count; i++) {
        const struct spirv_module *replaced = NULL;
        const char *path = NULL;
        struct error ignored;

        if (parse_spirv(request->spirv[i], &replaced, &path, &ignored) == STATUS_OK &&
            replaced == module)
            found = path;
    }
    return found;
}

/* An axis has to be one of at least one of the families. */
static enum status check_axis(const struct sweep_request *request, const char *text,
                              struct error *error)
{
    size_t bytes = 0;

    if (!axis_split(text, &bytes)) {
        return error_set(error, STATUS_USAGE,
                         "--axis %s: write NAME=VALUE,VALUE,... such as subgroup_size=8,16", text);
    }
    for (size_t i = 0; i < request->family_count; i++) {
        if (family_has_axis(request->families[i], text))
            return STATUS_OK;
    }
    if (request->family_count > 1) {
        return error_set(error, STATUS_USAGE,
                         "--axis %s: none of the families has such an axis (see vebench list)",
                         text);
    }
    error_set(error, STATUS_USAGE, "--axis %s: family %s has no such axis; it has", text,
              request->families[0]->name);
    for (size_t i = 0; i < request->families[0]->axis_count; i++)
        error_append(error, "%s %s", i ? "," : "", request->families[0]->axes[i].name);
    return STATUS_USAGE;
}

static enum status resolve(const struct sweep_request *request, const struct family *family,
                           struct family_axes *axes, struct error *error)
{
    return family_axes_resolve(axes, family, request->preset, request->axes, request->axis_count,
                               error);
}

static enum status check_spirv(const struct sweep_request *request, size_t index,
                               struct error *error)
{
    const struct spirv_module *replaced = NULL;
    const char *path = NULL;
    struct spirv_file file;
    enum status status = parse_spirv(request->spirv[index], &replaced, &path, error);

    if (status == STATUS_OK)
        status = spirv_file_load(&file, path, replaced, error);
    if (status == STATUS_OK)
        spirv_file_free(&file);
    return status;
}

static bool matches(const struct family *family, size_t variant, const char *pattern)
{
    char name[200];

    snprintf(name, sizeof name, "%s/%s", family->name, family->variants[variant].name);
    return fnmatch(pattern, strchr(pattern, '/') ? name : family->variants[variant].name, 0) == 0;
}

static bool is_asked_for(const struct sweep_request *request, const struct family *family,
                         size_t variant)
{
    bool asked = request->variant_count == 0;

    for (size_t i = 0; !asked && i < request->variant_count; i++)
        asked = matches(family, variant, request->variants[i]);
    return asked;
}

/* Is it asked for, or the baseline of one that is? */
static bool is_needed(const struct sweep_request *request, const struct family *family,
                      size_t variant)
{
    bool needed = is_asked_for(request, family, variant);

    for (size_t v = 0; !needed && v < family->variant_count; v++)
        needed = family_baseline(family, v) == variant && is_asked_for(request, family, v);
    return needed;
}

/* A pattern has to match a variant of at least one of the families. */
static enum status check_pattern(const struct sweep_request *request, const char *pattern,
                                 struct error *error)
{
    for (size_t f = 0; f < request->family_count; f++) {
        for (size_t v = 0; v < request->families[f]->variant_count; v++) {
            if (matches(request->families[f], v, pattern))
                return STATUS_OK;
        }
    }
    error_set(error, STATUS_USAGE, "--variant %s: no variant matches", pattern);
    if (request->family_count > 1)
        error_append(error, " (see vebench list FAMILY)");
    for (size_t v = 0; request->family_count == 1 && v < request->families[0]->variant_count; v++)
        error_append(error, "%s %s", v ? "," : "; there are",
                     request->families[0]->variants[v].name);
    return STATUS_USAGE;
}

enum status sweep_check(const struct sweep_request *request, struct error *error)
{
    enum status status = STATUS_OK;
    struct family_axes axes;

    for (size_t i = 0; status == STATUS_OK && i < request->axis_count; i++)
        status = check_axis(request, request->axes[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->variant_count; i++)
        status = check_pattern(request, request->variants[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->family_count; i++)
        status = resolve(request, request->families[i], &axes, error);
    for (size_t i = 0; status == STATUS_OK && i < spirv_module_count; i++)
        status = spirv_module_check(&spirv_modules[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->spirv_count; i++)
        status = check_spirv(request, i, error);
    return status;
}

static void count_outcome(struct sweep_counts *counts, enum outcome outcome)
{
    counts->ok += outcome == OUTCOME_OK;
    counts->skipped += outcome == OUTCOME_SKIPPED;
    counts->failed += outcome == OUTCOME_FAILED;
    counts->unreliable += outcome == OUTCOME_UNRELIABLE;
    counts->excluded += outcome == OUTCOME_EXCLUDED;
}

static enum status write_rows(struct sweep *sweep, const struct family_kernels *kernels,
                              const struct configuration *configuration,
                              const struct measurement *measurements, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t v = 0; status == STATUS_OK && v < sweep->family->variant_count; v++) {
        struct row row = {
            .identity = sweep->identity,
            .session = sweep->session,
            .family = sweep->family,
            .configuration = configuration,
            .variant = v,
            .kernel = &kernels->kernels[v],
            .measurement = &measurements[v],
            .kernel_sha256 = kernels->spirv->sha256,
            .sequence = sweep->index,
            .seed = sweep->request->options.seed,
        };

        count_outcome(sweep->counts, measurements[v].outcome);
        if (sweep->results && measurements[v].outcome != OUTCOME_EXCLUDED)
            status = results_write_row(sweep->results, &row, error);
    }
    return status;
}

static enum status put_sample(void *context, const struct configuration *configuration,
                              const struct sample *sample, struct error *error)
{
    struct sweep *sweep = context;

    return samples_write_row(sweep->samples, sweep->identity, sweep->family, configuration, sample,
                             error);
}

/* Is nothing of this configuration to be measured: are all variants that are needed without meaning
 * there? */
static bool is_excluded(const struct sweep *sweep, const struct family *family,
                        const struct configuration *configuration)
{
    struct error ignored;

    for (size_t v = 0; v < family->variant_count; v++) {
        if (is_needed(sweep->request, family, v) &&
            (!family->check ||
             family->check(sweep->session->device, configuration, v, &ignored) != STATUS_EXCLUDED))
            return false;
    }
    return true;
}

/* Takes out, with the reason, the variants that are not asked for or cannot run in this
 * configuration. */
static void check_variants(struct sweep *sweep, const struct family_kernels *kernels,
                           const struct configuration *configuration,
                           struct measurement *measurements)
{
    const struct family *family = sweep->family;

    for (size_t v = 0; v < family->variant_count; v++) {
        struct launch launch = {*configuration, v, 1, LAUNCH_MEASURE};
        struct geometry geometry = family_geometry(family, &launch);
        enum status status = STATUS_OK;
        struct error error;

        if (!is_needed(sweep->request, family, v)) {
            measurements[v].outcome = OUTCOME_EXCLUDED;
            snprintf(measurements[v].reason, REASON_BYTES, "not asked for");
        }
        if (measurements[v].outcome != OUTCOME_OK)
            continue;
        if (family->check)
            status = family->check(sweep->session->device, configuration, v, &error);
        if (status == STATUS_OK)
            status =
                kernel_set_group_size(sweep->session, &kernels->kernels[v], geometry.size, &error);
        if (status == STATUS_OK)
            continue;
        measurements[v].outcome = status == STATUS_EXCLUDED      ? OUTCOME_EXCLUDED
                                  : status == STATUS_UNSUPPORTED ? OUTCOME_SKIPPED
                                                                 : OUTCOME_FAILED;
        snprintf(measurements[v].reason, REASON_BYTES, "%s", error.text);
    }
}

/* A variant goes where its baseline goes. */
static void follow_baseline(struct measurement *variant, const struct measurement *baseline)
{
    if (baseline->outcome == OUTCOME_OK)
        return;
    variant->outcome = baseline->outcome;
    snprintf(variant->reason, REASON_BYTES, "no baseline: %.500s", baseline->reason);
}

static void follow_baselines(const struct sweep *sweep, struct measurement *measurements)
{
    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        size_t baseline = family_baseline(sweep->family, v);
        if (baseline != VARIANTS_MAX && measurements[v].outcome == OUTCOME_OK)
            follow_baseline(&measurements[v], &measurements[baseline]);
    }
}

/* After the device was lost: what has no result has a reason. */
static void close_open_outcomes(const struct sweep *sweep, struct measurement *measurements,
                                const struct error *error)
{
    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        if (measurements[v].outcome == OUTCOME_OK && measurements[v].values.count == 0) {
            measurements[v].outcome = OUTCOME_FAILED;
            snprintf(measurements[v].reason, REASON_BYTES, "not measured: %.500s", error->text);
        }
    }
}

static enum status measure(struct sweep *sweep, const struct family_kernels *kernels,
                           const struct configuration *configuration,
                           struct measurement *measurements, struct error *error)
{
    struct sample_sink sink = {put_sample, sweep};
    enum status status = session_check_stop(sweep->session, error);

    if (status != STATUS_OK)
        return status;
    if (sweep->request->dry_run)
        return measure_dry_run(sweep->session, sweep->family, configuration, kernels->kernels,
                               measurements, error);
    return measure_configuration(sweep->session, sweep->family, configuration, sweep->index,
                                 kernels->kernels, &sweep->request->options,
                                 sweep->samples ? &sink : NULL, sweep->request->show, measurements,
                                 error);
}

static enum status run_configuration(struct sweep *sweep, const struct family_kernels *kernels,
                                     const struct configuration *configuration, struct error *error)
{
    struct measurement *measurements = calloc(sweep->family->variant_count, sizeof *measurements);
    struct error write_error;
    enum status status;

    if (!measurements)
        return error_set(error, STATUS_FAILED, "out of memory");
    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        measurements[v].outcome = kernels->outcomes[v];
        measurements[v].verified = -1;
        memcpy(measurements[v].reason, kernels->reasons[v], REASON_BYTES);
    }
    sweep->events->started(sweep->events->context, sweep->family, configuration, sweep->done++,
                           sweep->total);
    check_variants(sweep, kernels, configuration, measurements);
    follow_baselines(sweep, measurements);
    status = measure(sweep, kernels, configuration, measurements, error);
    if (status == STATUS_LOST)
        close_open_outcomes(sweep, measurements, error);
    if (status != STATUS_INTERRUPTED) {
        sweep->events->finished(sweep->events->context, sweep->family, configuration, measurements);
        if (write_rows(sweep, kernels, configuration, measurements, &write_error) != STATUS_OK &&
            status == STATUS_OK) {
            *error = write_error;
            status = write_error.status;
        }
    }
    free(measurements);
    return status;
}

static void unload(struct sweep *sweep)
{
    while (sweep->kernels_count > 0)
        family_kernels_free(sweep->kernels[--sweep->kernels_count], sweep->session, sweep->family);
}

/* The family's kernels for a sub-group size, compiled when first asked for. */
static enum status kernels_for(struct sweep *sweep, unsigned subgroup_size,
                               const struct family_kernels **kernels, struct error *error)
{
    const char *path = replacement(sweep->request, family_module(sweep->family, subgroup_size));
    enum status status;

    for (size_t i = 0; i < sweep->kernels_count; i++) {
        if (sweep->kernels[i]->spirv->subgroup_size == subgroup_size) {
            *kernels = sweep->kernels[i];
            return STATUS_OK;
        }
    }
    if (sweep->kernels_count == SIZES_MAX)
        return error_set(error, STATUS_FAILED, "too many sub-group sizes");
    status = family_kernels_load(&sweep->kernels[sweep->kernels_count], sweep->session,
                                 sweep->family, subgroup_size, path, error);
    if (status == STATUS_OK)
        *kernels = sweep->kernels[sweep->kernels_count++];
    return status;
}

static enum status run_family(struct sweep *sweep, const struct plan *plan, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < plan->count; i++) {
        const struct family_kernels *kernels = NULL;

        if (is_excluded(sweep, sweep->family, &plan->configurations[i])) {
            sweep->counts->excluded += sweep->family->variant_count;
            sweep->index++; /* the order of launches follows from it: that of a sweep with others */
            continue;
        }
        status = kernels_for(sweep, plan->configurations[i].subgroup_size, &kernels, error);
        if (status == STATUS_OK)
            status = run_configuration(sweep, kernels, &plan->configurations[i], error);
        sweep->index++;
    }
    unload(sweep);
    return status;
}

static enum status make_plans(struct sweep *sweep, struct plan *plans, struct error *error)
{
    const struct sweep_request *request = sweep->request;
    struct family_axes axes;
    enum status status = STATUS_OK;

    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++) {
        status = resolve(request, request->families[f], &axes, error);
        if (status == STATUS_OK)
            status = plan_make(&plans[f], request->families[f], &axes, sweep->session->device,
                               request->options.seed, error);
        for (size_t i = 0; i < plans[f].count; i++)
            sweep->total += !is_excluded(sweep, request->families[f], &plans[f].configurations[i]);
    }
    return status;
}

enum status sweep_run(struct session *session, const struct sweep_request *request,
                      const struct run_identity *identity, struct csv *results, struct csv *samples,
                      const struct sweep_events *events, struct sweep_counts *counts,
                      struct error *error)
{
    struct sweep sweep = {
        .session = session,
        .request = request,
        .identity = identity,
        .results = results,
        .samples = samples,
        .events = events,
        .counts = counts,
    };
    struct plan plans[SWEEP_FAMILIES_MAX] = {{NULL, 0}};
    enum status status = make_plans(&sweep, plans, error);

    memset(counts, 0, sizeof *counts);
    if (status == STATUS_OK && sweep.total == 0)
        status = error_set(error, STATUS_USAGE,
                           "there is nothing to measure: no variant has a meaning at these values "
                           "of the axes");
    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++) {
        sweep.family = request->families[f];
        status = run_family(&sweep, &plans[f], error);
    }
    for (size_t f = 0; f < request->family_count; f++)
        plan_free(&plans[f]);
    return status;
}
