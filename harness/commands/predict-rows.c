#include "base/text.h"
#include "commands/predict-kernel.h"
#include "model/fit.h"
#include "rows/records.h"
#include "spirv/spirv-kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row that may become a neighbour. */
struct candidate {
    char words[MODEL_LAUNCH_BYTES]; /* its launch */
    unsigned lanes;
    struct neighbour neighbour; /* not predicted yet */
    double distance;
};

struct finder {
    struct own_rows *rows;
    const struct model *model;
    const struct predict_request *request;
    char benchmark[SPIRV_NAME_BYTES + 8];
    struct candidate candidate[NEIGHBOURS_MOST]; /* nearest first */
    size_t count;
};

static struct launch_size size_of(const struct predict_launch *launch, unsigned lanes)
{
    struct launch_size size = {.lanes = lanes};

    for (size_t i = 0; i < 3; i++) {
        size.local[i] = launch->local[i];
        size.count[i] = launch->count[i];
    }
    return size;
}

/* The value of `word` if it is that option, or NULL. */
static const char *option_value(const char *word, const char *name)
{
    size_t bytes = strlen(name);

    return !strncmp(word, name, bytes) && word[bytes] == ' ' ? word + bytes + 1 : NULL;
}

static void take_word(struct predict_request *request, const char *word)
{
    const char *value;

    if ((value = option_value(word, "global")))
        request->global = value;
    else if ((value = option_value(word, "local")))
        request->local = value;
    else if ((value = option_value(word, "options")))
        request->options = value;
    else if ((value = option_value(word, "arg")) && request->argument_count < PREDICT_WORDS_MAX)
        request->arguments[request->argument_count++] = value;
    else if ((value = option_value(word, "buffer")) && request->buffer_count < PREDICT_WORDS_MAX)
        request->buffers[request->buffer_count++] = value;
}

/* The request that a row's words make of the same kernel with `lanes`. Cuts `words`, which it
 * borrows. */
static struct predict_request request_of(const struct predict_request *like, char *words,
                                         unsigned lanes)
{
    struct predict_request request = {.spirv_path = like->spirv_path,
                                      .define_count = like->define_count,
                                      .kernel = like->kernel,
                                      .event = PREDICT_EVENT_BEHIND,
                                      .lanes = lanes};

    memcpy(request.defines, like->defines, sizeof(request.defines));
    for (char *word = strncmp(words, "--", 2) ? NULL : words; word;) {
        char *next = strstr(word, " --");

        if (next)
            *next++ = '\0';
        take_word(&request, word + 2);
        word = next;
    }
    return request;
}

/* The kernel's module with these sub-groups, read once; NULL: there are too many sizes. */
static const struct own_module *module_of(struct own_rows *rows,
                                          const struct predict_request *request, unsigned lanes)
{
    struct error error;
    size_t i = 0;

    while (i < rows->module_count && rows->module[i].lanes != lanes)
        i++;
    if (i == OWN_SIZES_MOST)
        return NULL;
    struct own_module *module = &rows->module[i];
    if (i < rows->module_count)
        return module;
    rows->module_count++;
    module->lanes = lanes;
    if (kernel_module_read(request, lanes, &module->module, &error) == STATUS_OK)
        sha256_hex(module->module.spirv, module->module.bytes, module->sha256);
    return module;
}

/* Is a row with this digest of the very kernel? */
static bool is_same_kernel(struct finder *finder, unsigned lanes, const char *sha256)
{
    const struct own_module *module = module_of(finder->rows, finder->request, lanes);

    return module && module->module.spirv && !strcmp(module->sha256, sha256);
}

/* Puts a candidate in its place, if it is among the nearest. */
static void insert(struct finder *finder, const struct candidate *candidate)
{
    if (finder->count == NEIGHBOURS_MOST &&
        finder->candidate[NEIGHBOURS_MOST - 1].distance <= candidate->distance)
        return;
    size_t at = finder->count < NEIGHBOURS_MOST ? finder->count++ : NEIGHBOURS_MOST - 1;
    for (; at > 0 && finder->candidate[at - 1].distance > candidate->distance; at--)
        finder->candidate[at] = finder->candidate[at - 1];
    finder->candidate[at] = *candidate;
}

/* Is the launch there already? A model may be fitted to a file that is given as well. */
static bool is_there(const struct finder *finder, const struct measured_launch *launch)
{
    for (size_t i = 0; i < finder->count; i++) {
        const struct candidate *candidate = &finder->candidate[i];

        if (candidate->lanes == launch->lanes && candidate->neighbour.measured == launch->value &&
            !strcmp(candidate->words, launch->launch))
            return true;
    }
    return false;
}

/* A launch of the very kernel. */
static void add_launch(struct finder *finder, const struct measured_launch *measured)
{
    struct own_rows *rows = finder->rows;
    struct predict_launch launch;
    struct candidate candidate = {.lanes = measured->lanes,
                                  .neighbour = {.measured = measured->value,
                                                .low = measured->interval.low,
                                                .high = measured->interval.high}};
    char words[MODEL_LAUNCH_BYTES];

    if (is_there(finder, measured))
        return;
    memcpy(words, measured->launch, sizeof(words));
    memcpy(candidate.words, words, sizeof(words));
    const struct predict_request request = request_of(finder->request, words, measured->lanes);
    if (!request.global || !request.local ||
        kernel_launch_shape(&request, &launch, &rows->why) != STATUS_OK) {
        rows->unsaid++;
        return;
    }
    if (!text_same(request.options, finder->request->options)) {
        rows->other_options++;
        return;
    }
    candidate.neighbour.size = size_of(&launch, measured->lanes);
    candidate.distance = launch_distance(&candidate.neighbour.size, &rows->neighbours.size);
    insert(finder, &candidate);
}

/* Those that the model has. */
static void add_launches_of_model(struct finder *finder)
{
    for (size_t i = 0; i < finder->model->launch_count; i++) {
        const struct measured_launch *launch = &finder->model->launch[i];

        if (strcmp(launch->kernel, finder->benchmark) != 0)
            continue;
        if (is_same_kernel(finder, launch->lanes, launch->sha256))
            add_launch(finder, launch);
        else
            finder->rows->other_digest++;
    }
}

static enum status visit(void *context, const struct record *record, struct error *error)
{
    struct finder *finder = context;
    struct measured_launch launch;

    if (strcmp(record->benchmark, finder->benchmark) != 0)
        return STATUS_OK;
    if (strcmp(record->device_name, finder->model->device_name) != 0 ||
        strcmp(record->device_kind, finder->model->device_kind) != 0)
        return error_set(error, STATUS_FAILED,
                         "%s: the model is of %s (%s), the rows are of %s (%s)",
                         record->table->path, finder->model->device_name,
                         finder->model->device_kind, record->device_name, record->device_kind);
    if (!is_same_kernel(finder, record->subgroup_size, record->kernel_sha256))
        finder->rows->other_digest++;
    else if (!record->usable || !record_has_interval(record) || !(record->ci95_lo_ns > 0.0))
        finder->rows->unmeasured++;
    else if (!measured_launch_of(record, &launch))
        finder->rows->unsaid++;
    else
        add_launch(finder, &launch);
    return STATUS_OK;
}

/* Predicts a candidate's launch, which so becomes a neighbour. */
static void predict_candidate(struct finder *finder, struct predictor *predictor,
                              struct candidate *candidate)
{
    struct own_rows *rows = finder->rows;
    struct kernel_launch *made = &rows->made[rows->made_count];
    const struct predict_request request =
        request_of(finder->request, candidate->words, candidate->lanes);
    struct predict_signature signature;
    struct launch_sample sample;
    const struct own_module *module = module_of(rows, finder->request, candidate->lanes);
    enum status status =
        kernel_launch_of(made, &module->module, predictor, &request, &signature, &rows->why);

    if (status == STATUS_OK) {
        rows->made_count++;
        status = sample_launch(&sample, predictor, &made->kernel, &made->launch, &rows->why);
    }
    if (status != STATUS_OK) {
        rows->unsaid++;
        return;
    }
    if (rows->neighbours.count == 0)
        rows->nearest = sample;
    candidate->neighbour.predicted =
        sample.outcome.cycles * 1000.0 / predictor_clock_mhz(predictor);
    candidate->neighbour.mechanism = outcome_mechanism(&sample.outcome);
    rows->neighbours.at[rows->neighbours.count++] = candidate->neighbour;
}

static void name_benchmark(char *name, size_t bytes, const struct predict_request *request)
{
    snprintf(name, bytes, "kernel:%s", request->kernel);
}

bool own_rows_asked(const struct model *model, const struct predict_request *request)
{
    char benchmark[SPIRV_NAME_BYTES + 8];

    name_benchmark(benchmark, sizeof(benchmark), request);
    for (size_t i = 0; i < model->launch_count; i++) {
        if (!strcmp(model->launch[i].kernel, benchmark))
            return true;
    }
    return request->row_count > 0;
}

enum status own_rows_find(struct own_rows *rows, const struct model *model,
                          const struct predict_request *request, const struct launch_sample *sample,
                          struct error *error)
{
    struct finder *finder = calloc(1, sizeof(*finder));
    struct predict_signature signature;

    memset(rows, 0, sizeof(*rows));
    if (!finder)
        return error_out_of_memory(error);
    *finder = (struct finder){.rows = rows, .model = model, .request = request};
    name_benchmark(finder->benchmark, sizeof(finder->benchmark), request);
    enum status status = predict_signature(sample->predictor, sample->kernel, &signature, error);
    if (status == STATUS_OK) {
        rows->neighbours.size = size_of(sample->launch, signature.simd_width);
        rows->neighbours.mechanism = outcome_mechanism(&sample->outcome);
        add_launches_of_model(finder);
        status = records_visit(request->rows, request->row_count, visit, finder, error);
    }
    for (size_t i = 0; status == STATUS_OK && i < finder->count; i++)
        predict_candidate(finder, sample->predictor, &finder->candidate[i]);
    free(finder);
    return status;
}

void own_rows_free(struct own_rows *rows)
{
    while (rows->made_count > 0)
        kernel_launch_free(&rows->made[--rows->made_count]);
    while (rows->module_count > 0)
        free(rows->module[--rows->module_count].module.spirv);
}
