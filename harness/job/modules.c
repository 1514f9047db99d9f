#include "job/modules.h"

#include "job/source.h"
#include "sha256-hex.h"
#include "ze/spirv-file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE_REGISTER_FILE "-ze-opt-large-register-file"

enum { GRF_UNSAID, GRF_128, GRF_256, GRF_KINDS };

#define CACHE_KINDS 3

static const char *const cache_names[CACHE_KINDS] = {
    [CACHES_WARM] = "warm", [CACHES_FLUSHED] = "flushed", [CACHES_COLD] = "cold"};

unsigned job_shape_items(const struct job_shape *shape)
{
    return shape->local[0] * shape->local[1] * shape->local[2];
}

/* The values of "NAME=V1,V2", or of a definition without any. */
static size_t value_count(const char *define)
{
    const char *values = strchr(define, '=');
    size_t count = 1;

    for (; values && *values; values++)
        count += *values == ',';
    return count;
}

/* Writes "NAME=VALUE" with value number `index`. */
static size_t write_define(const char *define, size_t index, char *text, size_t bytes)
{
    const char *equals = strchr(define, '=');
    int written;

    if (!equals)
        written = snprintf(text, bytes, "%s", define);
    else {
        const char *value = equals + 1;

        for (; index > 0; index--)
            value += strcspn(value, ",") + 1;
        written = snprintf(text, bytes, "%.*s%.*s", (int)(equals + 1 - define), define,
                           (int)strcspn(value, ","), value);
    }
    return (size_t)written < bytes ? (size_t)written : bytes - 1;
}

static void append(char *text, size_t bytes, const char *more)
{
    size_t used = strlen(text);

    snprintf(text + used, bytes - used, "%s%s", used ? " " : "", more);
}

/* What is combined. */
struct choices {
    size_t defines, options, grfs, cache_count, shapes;
    unsigned grf[GRF_KINDS];
    enum caches caches[CACHE_KINDS];
};

static bool shapes_collide(const struct job *job)
{
    for (size_t i = 0; i < job->shape_count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (job_shape_items(&job->shape[i]) == job_shape_items(&job->shape[j]))
                return true;
        }
    }
    return false;
}

static enum status read_grf(const char *text, struct choices *choices, struct error *error)
{
    choices->grfs = 0;
    for (const char *at = text; at && *at;) {
        size_t bytes = strcspn(at, ",");
        unsigned grf = bytes == 3 && !strncmp(at, "128", 3)   ? GRF_128
                       : bytes == 3 && !strncmp(at, "256", 3) ? GRF_256
                                                              : GRF_UNSAID;

        if (grf == GRF_UNSAID || choices->grfs == GRF_KINDS)
            return error_set(error, STATUS_USAGE,
                             "--grf %s: the registers of a thread are 128, 256 or both, 128,256",
                             text);
        choices->grf[choices->grfs++] = grf;
        at += bytes + (at[bytes] == ',');
    }
    if (choices->grfs == 0)
        choices->grf[choices->grfs++] = GRF_UNSAID;
    return STATUS_OK;
}

static enum status read_caches(const char *text, struct choices *choices, struct error *error)
{
    choices->cache_count = 0;
    for (const char *at = text; at && *at;) {
        size_t bytes = strcspn(at, ","), kind = 0;

        while (kind < CACHE_KINDS &&
               (strlen(cache_names[kind]) != bytes || strncmp(at, cache_names[kind], bytes) != 0))
            kind++;
        if (kind == CACHE_KINDS || choices->cache_count == CACHE_KINDS)
            return error_set(error, STATUS_USAGE,
                             "--caches %s: a launch finds them warm, flushed or cold; give one of "
                             "these, or several with commas between them",
                             text);
        choices->caches[choices->cache_count++] = (enum caches)kind;
        at += bytes + (at[bytes] == ',');
    }
    if (choices->cache_count == 0)
        choices->caches[choices->cache_count++] = CACHES_WARM;
    return STATUS_OK;
}

static size_t count_combinations(const struct choices *choices)
{
    return choices->defines * choices->options * choices->grfs * choices->cache_count *
           choices->shapes;
}

static enum status count_choices(const struct job *job, struct choices *choices,
                                 struct error *error)
{
    const struct job_request *request = job->request;

    *choices = (struct choices){.defines = 1,
                                .options = request->options.count ? request->options.count : 1,
                                .shapes = shapes_collide(job) ? job->shape_count : 1};
    for (size_t i = 0; i < request->defines.count; i++)
        choices->defines *= value_count(request->defines.word[i]);
    enum status status = read_grf(request->grf, choices, error);
    if (status == STATUS_OK)
        status = read_caches(request->caches, choices, error);
    if (status != STATUS_OK)
        return status;
    if (count_combinations(choices) > VARIANTS_MAX)
        return error_set(error, STATUS_USAGE,
                         "more than %d combinations of definitions, options, register files, "
                         "caches and shapes: give fewer values",
                         VARIANTS_MAX);
    return STATUS_OK;
}

static enum status take_defines(const struct job *job, struct job_variant *variant, size_t index,
                                struct error *error)
{
    const struct job_words *words = &job->request->defines;
    size_t room = 1, used = 0;

    for (size_t i = 0; i < words->count; i++)
        room += strlen(words->word[i]) + 1;
    variant->define_text = calloc(1, room);
    if (!variant->define_text)
        return error_out_of_memory(error);
    for (size_t i = 0; i < words->count; i++) {
        char *at = variant->define_text + used;
        size_t values = value_count(words->word[i]);

        used += write_define(words->word[i], index % values, at, room - used) + 1;
        variant->define[i] = at;
        append(variant->name, sizeof(variant->name), at);
        index /= values;
    }
    snprintf(variant->module, sizeof(variant->module), "%s", variant->name);
    return STATUS_OK;
}

static void take_options(const struct job *job, struct job_variant *variant, size_t option,
                         unsigned grf)
{
    const struct job_words *options = &job->request->options;

    if (options->count) {
        append(variant->options, sizeof(variant->options), options->word[option]);
        append(variant->name, sizeof(variant->name), options->word[option]);
    }
    if (grf == GRF_256)
        append(variant->options, sizeof(variant->options), LARGE_REGISTER_FILE);
    if (grf != GRF_UNSAID)
        append(variant->name, sizeof(variant->name), grf == GRF_256 ? "grf=256" : "grf=128");
}

/* Launches that find other things in the caches are not held against each other. */
static void take_caches(struct job_variant *variant, const struct choices *choices, size_t index)
{
    char text[32];

    variant->caches = choices->caches[index];
    if (choices->cache_count == 1 && variant->caches == CACHES_WARM)
        return;
    snprintf(text, sizeof(text), "caches=%s", cache_names[variant->caches]);
    append(variant->name, sizeof(variant->name), text);
    append(variant->operation, sizeof(variant->operation), text);
}

static void take_shape(struct job_variant *variant, const struct job_shape *shape)
{
    char text[48];

    variant->shape = shape;
    snprintf(text, sizeof(text), "local=%ux%ux%u", shape->local[0], shape->local[1],
             shape->local[2]);
    append(variant->name, sizeof(variant->name), text);
}

enum status job_make_variants(struct job *job, struct error *error)
{
    struct choices choices;
    enum status status = count_choices(job, &choices, error);

    if (status != STATUS_OK)
        return status;
    job->variant_count = count_combinations(&choices);
    job->variant = calloc(job->variant_count, sizeof(*job->variant));
    job->variants = calloc(job->variant_count, sizeof(*job->variants));
    if (!job->variant || !job->variants)
        return error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < job->variant_count; i++) {
        struct job_variant *variant = &job->variant[i];
        size_t rest = i / choices.defines;

        variant->job = job;
        status = take_defines(job, variant, i % choices.defines, error);
        take_options(job, variant, rest % choices.options,
                     choices.grf[rest / choices.options % choices.grfs]);
        rest = rest / choices.options / choices.grfs;
        take_caches(variant, &choices, rest % choices.cache_count);
        if (choices.shapes > 1)
            take_shape(variant, &job->shape[rest / choices.cache_count]);
    }
    job->module_count = choices.defines * job->size_count;
    return status;
}

/* The module in the file: it is the same for every size but for the size itself. */
static enum status read_module(const char *path, void **bytes, size_t *size, struct error *error)
{
    struct spirv_file file;
    enum status status = spirv_file_read(&file, path, error);

    if (status != STATUS_OK)
        return status;
    *bytes = file.bytes;
    *size = file.module.size_bytes;
    return STATUS_OK;
}

/* Fills in the module with these definitions for one size. */
static enum status make_module(struct job *job, const struct job_variant *variant, unsigned size,
                               struct spirv_module *module, struct error *error)
{
    const struct job_request *request = job->request;
    void *bytes = NULL, *resized = NULL;
    size_t count = 0, resized_bytes = 0;
    enum status status = source_is_opencl(request->source)
                             ? source_compile(request->source, variant->define,
                                              request->defines.count, size, &bytes, &count, error)
                             : read_module(request->source, &bytes, &count, error);

    if (status == STATUS_OK && job->kernel.name[0] == '\0')
        status = spirv_kernel_read(&job->kernel, bytes, count, request->kernel, error);
    if (status == STATUS_OK) {
        resized = spirv_kernel_resized(bytes, count, job->kernel.name, size, &resized_bytes);
        if (!resized)
            status =
                error_set(error, STATUS_FAILED, "%s: with these definitions it has no kernel %s",
                          request->source, job->kernel.name);
    }
    free(bytes);
    if (status != STATUS_OK)
        return status;
    char *sha256 = malloc(SHA256_HEX_BYTES);
    module->bytes = resized;
    module->size_bytes = resized_bytes;
    module->sha256 = sha256;
    if (!sha256)
        return error_out_of_memory(error);
    sha256_hex(resized, resized_bytes, sha256);
    return STATUS_OK;
}

static void name_variants(struct job *job)
{
    snprintf(job->family_name, sizeof(job->family_name), "kernel:%s", job->kernel.name);
    snprintf(job->entry_point, sizeof(job->entry_point), "%s", job->kernel.name);
    for (size_t i = 0; i < job->variant_count; i++) {
        struct job_variant *own = &job->variant[i];
        bool is_named = own->name[0] != '\0';
        char caches[JOB_NAME_BYTES];

        memcpy(caches, own->operation, sizeof(caches));
        snprintf(own->operation, sizeof(own->operation), "%s", job->entry_point);
        if (caches[0])
            append(own->operation, sizeof(own->operation), caches);
        job->variants[i] = (struct variant){
            .name = is_named ? own->name : "launch",
            .operation = own->operation,
            .method = is_named ? own->name : NULL,
            .own = own,
            .module = own->module[0] ? own->module : NULL,
            .entry_point = job->entry_point,
            .means = "the time of one launch",
            .build_flags = own->options[0] ? own->options : NULL,
            .caches = own->caches,
            .estimator = ESTIMATOR_LAUNCH,
            .may_spill = true,
        };
    }
}

enum status job_make_modules(struct job *job, struct error *error)
{
    size_t combinations = job->module_count / job->size_count, made = 0;
    struct error first = {STATUS_OK, ""};

    if (!source_is_opencl(job->request->source) && job->request->defines.count)
        return error_set(error, STATUS_USAGE,
                         "-D is for OpenCL C, and %s is taken for SPIR-V, by its name",
                         job->request->source);
    job->modules = calloc(job->module_count, sizeof(*job->modules));
    if (!job->modules)
        return error_out_of_memory(error);
    for (size_t i = 0; i < job->module_count; i++) {
        const struct job_variant *variant = &job->variant[i % combinations];
        struct spirv_module *module = &job->modules[i];

        module->subgroup_size = job->size[i / combinations];
        module->family = job->family_name;
        if (variant->module[0])
            module->family = variant->module;
        enum status status = make_module(job, variant, module->subgroup_size, module, error);
        if (status == STATUS_USAGE)
            return status;
        made += status == STATUS_OK;
        if (status == STATUS_OK)
            continue;
        module->defect = strdup(error->text);
        if (!module->sha256)
            module->sha256 = strdup("");
        if (!module->defect || !module->sha256)
            return error_out_of_memory(error);
        if (first.status == STATUS_OK)
            first = *error;
    }
    name_variants(job);
    if (made)
        return STATUS_OK;
    *error = first;
    return error->status;
}

void job_free_modules(struct job *job)
{
    for (size_t i = 0; job->modules && i < job->module_count; i++) {
        free((void *)(uintptr_t)job->modules[i].bytes);
        free((void *)(uintptr_t)job->modules[i].sha256);
        free((void *)(uintptr_t)job->modules[i].defect);
    }
    for (size_t i = 0; job->variant && i < job->variant_count; i++)
        free(job->variant[i].define_text);
    free(job->modules);
    free(job->variant);
    free(job->variants);
}
