#include "sweep.h"

#include <stdlib.h>
#include <string.h>

/* The request's axes for one family, in the order of its table. */
struct family_axes {
    struct axis_values values[OVERRIDES_MAX];
};

/* Of the first three axes; family_check_all has made sure of them. */
enum { AXIS_SUBGROUP_SIZE, AXIS_WORKGROUP_SIZE, AXIS_WORKGROUP_COUNT };

struct sweep {
    struct session *session;
    const struct sweep_request *request;
    const struct run_identity *identity;
    struct csv *results;
    struct csv *samples;
    const struct sweep_events *events;
    struct sweep_counts *counts;
    const struct family *family; /* the current one */
    size_t index;                /* of the configuration in the whole sweep */
    size_t total;
};

/* One module with its kernels, for all configurations of a sub-group size. */
struct loaded {
    const struct spirv_module *spirv;
    ze_module_handle_t module;
    struct kernel kernels[VARIANTS_MAX];
    /* Why a variant cannot be measured at all, as set before any configuration. */
    enum outcome outcomes[VARIANTS_MAX];
    char reasons[VARIANTS_MAX][REASON_BYTES];
};

static const struct axis *find_axis(const struct family *family, const char *name, size_t bytes)
{
    for (size_t i = 0; i < family->axis_count; i++) {
        if (strlen(family->axes[i].name) == bytes && !memcmp(family->axes[i].name, name, bytes))
            return &family->axes[i];
    }
    return NULL;
}

static enum status unknown_axis(const struct family *family, const char *text, struct error *error)
{
    error_set(error, STATUS_USAGE, "--axis %s: family %s has no such axis; it has", text,
              family->name);
    for (size_t i = 0; i < family->axis_count; i++)
        error_append(error, "%s %s", i ? "," : "", family->axes[i].name);
    return STATUS_USAGE;
}

static enum status resolve_axes(const struct sweep_request *request, const struct family *family,
                                struct family_axes *axes, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < family->axis_count; i++)
        status = axis_parse(&family->axes[i], family->axes[i].defaults, &axes->values[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->axis_count; i++) {
        size_t bytes = 0;
        const char *values = axis_split(request->axes[i], &bytes);
        const struct axis *axis = values ? find_axis(family, request->axes[i], bytes) : NULL;

        if (!values) {
            return error_set(error, STATUS_USAGE,
                             "--axis %s: write NAME=VALUE,VALUE,... such as subgroup_size=8,16",
                             request->axes[i]);
        }
        if (!axis)
            return unknown_axis(family, request->axes[i], error);
        status = axis_parse(axis, values, &axes->values[axis - family->axes], error);
    }
    return status;
}

/* A module exists for few sizes; any other cannot be measured on any device. */
static enum status check_subgroup_sizes(const struct family *family, const struct family_axes *axes,
                                        struct error *error)
{
    unsigned sizes[AXIS_VALUES_MAX];
    size_t count = axis_resolve(&axes->values[AXIS_SUBGROUP_SIZE], 1, sizes);

    for (size_t i = 0; i < count; i++) {
        if (family_module(family, sizes[i]))
            continue;
        error_set(error, STATUS_USAGE,
                  "axis subgroup_size: %u is no sub-group size of family %s; "
                  "it has kernels for",
                  sizes[i], family->name);
        for (size_t m = 0; m < spirv_module_count; m++) {
            if (!strcmp(spirv_modules[m].family, family->name))
                error_append(error, " %u", spirv_modules[m].subgroup_size);
        }
        return STATUS_USAGE;
    }
    return STATUS_OK;
}

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

enum status sweep_check(const struct sweep_request *request, struct error *error)
{
    enum status status = STATUS_OK;
    struct family_axes axes;

    for (size_t i = 0; status == STATUS_OK && i < request->family_count; i++) {
        status = resolve_axes(request, request->families[i], &axes, error);
        if (status == STATUS_OK)
            status = check_subgroup_sizes(request->families[i], &axes, error);
    }
    for (size_t i = 0; status == STATUS_OK && i < spirv_module_count; i++)
        status = spirv_module_check(&spirv_modules[i], error);
    for (size_t i = 0; status == STATUS_OK && i < request->spirv_count; i++) {
        const struct spirv_module *replaced = NULL;
        const char *path = NULL;
        struct spirv_file file;

        status = parse_spirv(request->spirv[i], &replaced, &path, error);
        if (status == STATUS_OK)
            status = spirv_file_load(&file, path, replaced, error);
        if (status == STATUS_OK)
            spirv_file_free(&file);
    }
    return status;
}

static void exclude_all(const struct sweep *sweep, struct loaded *loaded, enum outcome outcome,
                        const char *reason)
{
    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        loaded->outcomes[v] = outcome;
        snprintf(loaded->reasons[v], REASON_BYTES, "%s", reason);
    }
}

static void load_kernels(struct sweep *sweep, struct loaded *loaded)
{
    struct error error;

    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        if (kernel_create(sweep->session, loaded->module, sweep->family->variants[v].entry_point,
                          loaded->spirv->subgroup_size, &loaded->kernels[v], &error) != STATUS_OK) {
            loaded->outcomes[v] = OUTCOME_FAILED;
            snprintf(loaded->reasons[v], REASON_BYTES, "%s", error.text);
        }
    }
}

static void load(struct sweep *sweep, struct loaded *loaded)
{
    struct error error;
    char reason[REASON_BYTES];
    char sizes[80];

    if (!device_has_subgroup_size(sweep->session->device, loaded->spirv->subgroup_size)) {
        device_subgroup_sizes_text(sweep->session->device, sizes, sizeof sizes);
        snprintf(reason, sizeof reason, "the device has no sub-groups of %u, only of %s",
                 loaded->spirv->subgroup_size, sizes);
        exclude_all(sweep, loaded, OUTCOME_SKIPPED, reason);
    } else if (module_create(sweep->session, loaded->spirv, &loaded->module, &error) != STATUS_OK) {
        exclude_all(sweep, loaded, OUTCOME_FAILED, error.text);
    } else {
        load_kernels(sweep, loaded);
    }
}

static void unload(struct sweep *sweep, struct loaded *loaded)
{
    for (size_t v = 0; v < sweep->family->variant_count; v++)
        kernel_destroy(sweep->session, &loaded->kernels[v]);
    module_destroy(sweep->session, loaded->module);
}

static void count_outcome(struct sweep_counts *counts, enum outcome outcome)
{
    counts->ok += outcome == OUTCOME_OK;
    counts->skipped += outcome == OUTCOME_SKIPPED;
    counts->failed += outcome == OUTCOME_FAILED;
    counts->unreliable += outcome == OUTCOME_UNRELIABLE;
}

static enum status write_rows(struct sweep *sweep, const struct loaded *loaded,
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
            .variant = &sweep->family->variants[v],
            .kernel = &loaded->kernels[v],
            .measurement = &measurements[v],
            .kernel_sha256 = loaded->spirv->sha256,
            .is_baseline = v == 0,
        };

        count_outcome(sweep->counts, measurements[v].outcome);
        if (sweep->results)
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

/* Takes out, with the reason, the variants that cannot have work-groups of this size. */
static void check_group_size(struct sweep *sweep, const struct loaded *loaded,
                             const struct configuration *configuration,
                             struct measurement *measurements)
{
    struct error error;

    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        if (measurements[v].outcome == OUTCOME_OK &&
            kernel_set_group_size(sweep->session, &loaded->kernels[v],
                                  configuration->workgroup_size, &error) == STATUS_UNSUPPORTED) {
            measurements[v].outcome = OUTCOME_SKIPPED;
            snprintf(measurements[v].reason, REASON_BYTES, "%s", error.text);
        }
    }
}

/* After the device was lost: what has no result has a reason. */
static void close_open_outcomes(const struct sweep *sweep, struct measurement *measurements,
                                const struct error *error)
{
    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        if (measurements[v].outcome == OUTCOME_OK && measurements[v].ns.count == 0) {
            measurements[v].outcome = OUTCOME_FAILED;
            snprintf(measurements[v].reason, REASON_BYTES, "not measured: %.500s", error->text);
        }
    }
}

static enum status run_configuration(struct sweep *sweep, const struct loaded *loaded,
                                     const struct configuration *configuration, struct error *error)
{
    struct measurement measurements[VARIANTS_MAX];
    struct sample_sink sink = {put_sample, sweep};
    struct error write_error;
    enum status status;
    enum status written = STATUS_OK;

    memset(measurements, 0, sizeof measurements);
    for (size_t v = 0; v < sweep->family->variant_count; v++) {
        measurements[v].outcome = loaded->outcomes[v];
        measurements[v].verified = -1;
        memcpy(measurements[v].reason, loaded->reasons[v], REASON_BYTES);
    }
    sweep->events->started(sweep->events->context, sweep->family, configuration, sweep->index,
                           sweep->total);
    check_group_size(sweep, loaded, configuration, measurements);
    status = session_check_stop(sweep->session, error);
    if (status == STATUS_OK && measurements[0].outcome != OUTCOME_OK) {
        for (size_t v = 1; v < sweep->family->variant_count; v++) {
            if (measurements[v].outcome == OUTCOME_OK)
                measurements[v] = measurements[0];
        }
    } else if (status == STATUS_OK && sweep->request->dry_run) {
        status = measure_dry_run(sweep->session, sweep->family, configuration, loaded->kernels,
                                 measurements, error);
    } else if (status == STATUS_OK) {
        status = measure_configuration(sweep->session, sweep->family, configuration, sweep->index,
                                       loaded->kernels, &sweep->request->options,
                                       sweep->samples ? &sink : NULL, measurements, error);
    }
    sweep->index++;
    if (status == STATUS_INTERRUPTED)
        return status;
    if (status == STATUS_LOST)
        close_open_outcomes(sweep, measurements, error);
    sweep->events->finished(sweep->events->context, sweep->family, configuration, measurements);
    written = write_rows(sweep, loaded, configuration, measurements, &write_error);
    if (status == STATUS_OK && written != STATUS_OK) {
        *error = write_error;
        status = written;
    }
    return status;
}

static enum status run_subgroup_size(struct sweep *sweep, const struct family_axes *axes,
                                     unsigned subgroup_size, struct error *error)
{
    const struct spirv_module *embedded = family_module(sweep->family, subgroup_size);
    const char *path = replacement(sweep->request, embedded);
    unsigned sizes[AXIS_VALUES_MAX];
    unsigned counts[AXIS_VALUES_MAX];
    size_t size_count = axis_resolve(&axes->values[AXIS_WORKGROUP_SIZE], subgroup_size, sizes);
    size_t count_count = axis_resolve(&axes->values[AXIS_WORKGROUP_COUNT], subgroup_size, counts);
    struct spirv_file file = {0};
    struct loaded *loaded = calloc(1, sizeof *loaded);
    enum status status = STATUS_OK;

    if (!loaded)
        return error_set(error, STATUS_FAILED, "out of memory");
    if (path)
        status = spirv_file_load(&file, path, embedded, error);
    if (status == STATUS_OK) {
        loaded->spirv = path ? &file.module : embedded;
        load(sweep, loaded);
    }
    for (size_t i = 0; status == STATUS_OK && i < size_count * count_count; i++) {
        struct configuration configuration = {subgroup_size, sizes[i / count_count],
                                              counts[i % count_count]};

        status = run_configuration(sweep, loaded, &configuration, error);
    }
    if (loaded->spirv)
        unload(sweep, loaded);
    spirv_file_free(&file);
    free(loaded);
    return status;
}

static size_t count_configurations(const struct family_axes *axes)
{
    unsigned subgroup_sizes[AXIS_VALUES_MAX];
    unsigned numbers[AXIS_VALUES_MAX];
    size_t count = axis_resolve(&axes->values[AXIS_SUBGROUP_SIZE], 1, subgroup_sizes);
    size_t total = 0;

    for (size_t i = 0; i < count; i++) {
        total += axis_resolve(&axes->values[AXIS_WORKGROUP_SIZE], subgroup_sizes[i], numbers) *
                 axis_resolve(&axes->values[AXIS_WORKGROUP_COUNT], subgroup_sizes[i], numbers);
    }
    return total;
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
    enum status status = STATUS_OK;
    struct family_axes axes;

    memset(counts, 0, sizeof *counts);
    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++) {
        status = resolve_axes(request, request->families[f], &axes, error);
        if (status == STATUS_OK)
            sweep.total += count_configurations(&axes);
    }
    for (size_t f = 0; status == STATUS_OK && f < request->family_count; f++) {
        unsigned sizes[AXIS_VALUES_MAX];
        size_t count = 0;

        sweep.family = request->families[f];
        status = resolve_axes(request, sweep.family, &axes, error);
        if (status == STATUS_OK)
            count = axis_resolve(&axes.values[AXIS_SUBGROUP_SIZE], 1, sizes);
        for (size_t i = 0; status == STATUS_OK && i < count; i++)
            status = run_subgroup_size(&sweep, &axes, sizes[i], error);
    }
    return status;
}
