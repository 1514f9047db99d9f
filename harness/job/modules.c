#include "job/modules.h"

#include "job/launches.h"
#include "job/source.h"
#include "sha256-hex.h"
#include "spirv/spirv-file.h"
#include "spirv/spirv-stores.h"

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

size_t job_part_variant(const struct job *job, size_t compared, size_t launch)
{
    size_t others = job->launch_count - 1;

    if (launch == job->subject)
        return compared;
    return job->variant_count + compared * others + launch - (launch > job->subject);
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

/* Every launch of a combination has a variant. */
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
    if (count_combinations(choices) * job->launch_count > VARIANTS_MAX)
        return error_set(error, STATUS_USAGE,
                         "more than %zu combinations of definitions, options, register files, "
                         "caches and shapes: give fewer values",
                         VARIANTS_MAX / job->launch_count);
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

/* Combination `index`, for one of the launches. */
static enum status make_variant(const struct job *job, const struct choices *choices, size_t index,
                                size_t launch, struct error *error)
{
    struct job_variant *variant = &job->variant[job_part_variant(job, index, launch)];
    size_t rest = index / choices->defines;
    char module[JOB_NAME_BYTES];

    variant->job = job;
    variant->launch = &job->launch[launch];
    enum status status = take_defines(job, variant, index % choices->defines, error);
    take_options(job, variant, rest % choices->options,
                 choices->grf[rest / choices->options % choices->grfs]);
    rest = rest / choices->options / choices->grfs;
    take_caches(variant, choices, rest % choices->cache_count);
    if (choices->shapes > 1)
        take_shape(variant, &job->shape[rest / choices->cache_count]);
    if (launch == job->subject)
        return status;
    memcpy(module, variant->module, sizeof(module));
    snprintf(variant->module, sizeof(variant->module), "%zu", launch + 1);
    if (module[0])
        append(variant->module, sizeof(variant->module), module);
    return status;
}

enum status job_make_variants(struct job *job, struct error *error)
{
    struct choices choices;
    enum status status = count_choices(job, &choices, error);

    if (status != STATUS_OK)
        return status;
    job->variant_count = count_combinations(&choices);
    size_t all = job->variant_count * job->launch_count;
    job->variant = calloc(all, sizeof(*job->variant));
    job->variants = calloc(all, sizeof(*job->variants));
    job->parts = calloc(job->variant_count * (job->launch_count + 1), sizeof(*job->parts));
    if (!job->variant || !job->variants || !job->parts)
        return error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < all; i++)
        status = make_variant(job, &choices, i / job->launch_count, i % job->launch_count, error);
    job->module_count = choices.defines * job->size_count * job->launch_count;
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

/* What the kernel of a launch is. */
static enum status read_kernel(const struct job *job, struct job_launch *launch, const void *bytes,
                               size_t count, struct error *error)
{
    const char *name = launch->words ? launch->words->kernel : job->request->kernel;

    launch->only_stored = UINT64_MAX;
    return job_blame(launch, spirv_kernel_read(&launch->kernel, bytes, count, name, error), error);
}

/* Fills in the module with these definitions for one size. */
static enum status make_module(struct job *job, const struct job_variant *variant, unsigned size,
                               struct spirv_module *module, struct error *error)
{
    const struct job_request *request = job->request;
    struct job_launch *launch = &job->launch[variant->launch - job->launch];
    const char *source = job_launch_source(job, launch);
    void *bytes = NULL, *resized = NULL;
    size_t count = 0, resized_bytes = 0;
    enum status status = source_is_opencl(source)
                             ? source_compile(source, variant->define, request->defines.count, size,
                                              &bytes, &count, error)
                             : read_module(source, &bytes, &count, error);

    if (status == STATUS_OK && launch->kernel.name[0] == '\0')
        status = read_kernel(job, launch, bytes, count, error);
    if (status == STATUS_OK) {
        launch->only_stored &= spirv_only_stored(bytes, count, launch->kernel.name);
        resized = spirv_kernel_resized(bytes, count, launch->kernel.name, size, &resized_bytes);
        if (!resized)
            status =
                error_set(error, STATUS_FAILED, "%s: with these definitions it has no kernel %s",
                          source, launch->kernel.name);
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

static void name_job(struct job *job)
{
    size_t first = job->times_all ? 0 : job->subject;

    for (size_t l = first; l <= job->subject; l++) {
        size_t used = strlen(job->title);

        snprintf(job->title + used, sizeof(job->title) - used, "%s%s", used ? "+" : "",
                 job->launch[l].kernel.name);
    }
    snprintf(job->family_name, sizeof(job->family_name), "kernel:%s", job->title);
}

/* What runs with a compared variant. */
static void list_parts(struct job *job, size_t compared)
{
    const struct variant **parts = job->parts + compared * (job->launch_count + 1);
    struct variant *variant = &job->variants[compared];

    variant->before = parts;
    variant->times_before = job->times_all;
    for (size_t l = 0; l < job->launch_count; l++) {
        if (l == job->subject) {
            *parts++ = NULL;
            variant->after = parts;
        } else {
            *parts++ = &job->variants[job_part_variant(job, compared, l)];
        }
    }
}

/* The name is unique: that of the kernel, with the place of its launch. */
static void name_part(const struct job *job, struct job_variant *own)
{
    char name[JOB_NAME_BYTES];

    memcpy(name, own->name, sizeof(name));
    snprintf(own->name, sizeof(own->name), "%zu:%s", (size_t)(own->launch - job->launch) + 1,
             own->launch->kernel.name);
    if (name[0])
        append(own->name, sizeof(own->name), name);
}

static void describe_variant(struct job *job, size_t index)
{
    struct job_variant *own = &job->variant[index];
    bool is_part = index >= job->variant_count;
    char caches[JOB_NAME_BYTES];

    if (is_part)
        name_part(job, own);
    bool is_named = own->name[0] != '\0';
    memcpy(caches, own->operation, sizeof(caches));
    snprintf(own->operation, sizeof(own->operation), "%s", job->title);
    if (caches[0])
        append(own->operation, sizeof(own->operation), caches);
    job->variants[index] = (struct variant){
        .name = is_named ? own->name : "launch",
        .operation = own->operation,
        .method = is_named ? own->name : NULL,
        .own = own,
        .module = own->module[0] ? own->module : NULL,
        .entry_point = own->launch->kernel.name,
        .means = "the time of one launch",
        .build_flags = own->options[0] ? own->options : NULL,
        .caches = own->caches,
        .estimator = ESTIMATOR_LAUNCH,
        .may_spill = true,
        .is_part = is_part,
    };
}

static void describe_variants(struct job *job)
{
    name_job(job);
    for (size_t i = 0; i < job->variant_count * job->launch_count; i++)
        describe_variant(job, i);
    for (size_t i = 0; i < job->variant_count; i++)
        list_parts(job, i);
}

/* Definitions are for sources that are compiled here. */
static enum status check_sources(const struct job *job, struct error *error)
{
    for (size_t l = 0; l < job->launch_count; l++) {
        const char *source = job_launch_source(job, &job->launch[l]);

        if (!source_is_opencl(source) && job->request->defines.count)
            return error_set(error, STATUS_USAGE,
                             "-D is for OpenCL C, and %s is taken for SPIR-V, by its name", source);
    }
    return STATUS_OK;
}

/* Makes module `index`. What a compiler refuses is its defect, and an error otherwise. */
static enum status make_module_at(struct job *job, size_t index, struct error *error)
{
    size_t per_launch = job->module_count / job->launch_count;
    size_t definitions = per_launch / job->size_count, rest = index % per_launch;
    size_t v = job_part_variant(job, rest % definitions, index / per_launch);
    const struct job_variant *variant = &job->variant[v];
    struct spirv_module *module = &job->modules[index];

    module->subgroup_size = job->size[rest / definitions];
    module->family = variant->module[0] ? variant->module : job->family_name;
    enum status status = make_module(job, variant, module->subgroup_size, module, error);
    if (status != STATUS_FAILED)
        return status;
    module->defect = strdup(error->text);
    if (!module->sha256)
        module->sha256 = strdup("");
    return module->defect && module->sha256 ? STATUS_OK : error_out_of_memory(error);
}

/* Has each launch a module? Otherwise the first defect of the one that has none is the error. */
static enum status need_modules(const struct job *job, struct error *error)
{
    size_t per_launch = job->module_count / job->launch_count;

    for (size_t l = 0; l < job->launch_count; l++) {
        const struct spirv_module *modules = &job->modules[l * per_launch];
        size_t made = 0;

        for (size_t i = 0; i < per_launch; i++)
            made += modules[i].defect == NULL;
        if (!made)
            return error_set(error, STATUS_FAILED, "%s", modules[0].defect);
    }
    return STATUS_OK;
}

enum status job_make_modules(struct job *job, struct error *error)
{
    enum status status = check_sources(job, error);

    if (status != STATUS_OK)
        return status;
    job->modules = calloc(job->module_count, sizeof(*job->modules));
    if (!job->modules)
        return error_out_of_memory(error);
    for (size_t i = 0; status == STATUS_OK && i < job->module_count; i++)
        status = make_module_at(job, i, error);
    if (status != STATUS_OK)
        return status;
    describe_variants(job);
    return need_modules(job, error);
}

void job_free_modules(struct job *job)
{
    for (size_t i = 0; job->modules && i < job->module_count; i++) {
        free((void *)(uintptr_t)job->modules[i].bytes);
        free((void *)(uintptr_t)job->modules[i].sha256);
        free((void *)(uintptr_t)job->modules[i].defect);
    }
    for (size_t i = 0; job->variant && i < job->variant_count * job->launch_count; i++)
        free(job->variant[i].define_text);
    free(job->parts);
    free(job->modules);
    free(job->variant);
    free(job->variants);
}
