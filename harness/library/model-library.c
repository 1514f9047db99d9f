/* Implements the public model interface, include/vebench/model.h. */
#include "vebench/model.h"

#include "base/version.h"
#include "families/registry.h"
#include "model/advise.h"
#include "model/fit.h"
#include "rows/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vebench_rows {
    struct records records;
};

struct vebench_model {
    struct model model;
};

struct vebench_advice {
    struct advice advice;
};

static int fail(const struct error *why, char *error, size_t error_bytes)
{
    snprintf(error, error_bytes, "%s", why->text);
    return -1;
}

static int out_of_memory(char *error, size_t error_bytes)
{
    snprintf(error, error_bytes, "out of memory");
    return -1;
}

const char *vebench_model_version(void)
{
    return vebench_version();
}

int vebench_rows_read(struct vebench_rows **rows, const char *const *paths, size_t count,
                      char *error, size_t error_bytes)
{
    struct vebench_rows *made = calloc(1, sizeof(*made));
    struct error why;

    *rows = NULL;
    if (!made)
        return out_of_memory(error, error_bytes);
    if (records_read(&made->records, paths, count, &why) != STATUS_OK) {
        free(made);
        return fail(&why, error, error_bytes);
    }
    *rows = made;
    return 0;
}

void vebench_rows_free(struct vebench_rows *rows)
{
    if (rows)
        records_free(&rows->records);
    free(rows);
}

size_t vebench_rows_count(const struct vebench_rows *rows)
{
    return rows->records.count;
}

struct vebench_row vebench_rows_get(const struct vebench_rows *rows, size_t index)
{
    const struct record *r = &rows->records.record[index];

    return (struct vebench_row){
        .benchmark = r->benchmark,
        .variant = r->variant,
        .parameters = r->parameters,
        .unit = r->unit,
        .subgroup_size = r->subgroup_size,
        .workgroup_size = r->workgroup_size,
        .workgroup_count = r->workgroup_count,
        .usable = r->usable,
        .value = r->value,
        .ci95_low = r->ci95_lo_ns,
        .ci95_high = r->ci95_hi_ns,
        .clock_mhz = r->clock_mhz,
    };
}

int vebench_model_fit(struct vebench_model **model, const struct vebench_rows *rows, uint64_t seed,
                      char *error, size_t error_bytes)
{
    struct vebench_model *made = calloc(1, sizeof(*made));
    struct error why;

    *model = NULL;
    if (!made)
        return out_of_memory(error, error_bytes);
    if (fit_model(&made->model, &family_models, &rows->records, seed, &why) != STATUS_OK) {
        vebench_model_free(made);
        return fail(&why, error, error_bytes);
    }
    *model = made;
    return 0;
}

int vebench_model_read(struct vebench_model **model, const char *path, char *error,
                       size_t error_bytes)
{
    struct vebench_model *made = calloc(1, sizeof(*made));
    struct error why;

    *model = NULL;
    if (!made)
        return out_of_memory(error, error_bytes);
    if (model_read(&made->model, &family_models, path, &why) != STATUS_OK) {
        free(made);
        return fail(&why, error, error_bytes);
    }
    *model = made;
    return 0;
}

int vebench_model_write(const struct vebench_model *model, const char *path, char *error,
                        size_t error_bytes)
{
    struct error why;

    return model_write(&model->model, path, &why) == STATUS_OK ? 0 : fail(&why, error, error_bytes);
}

void vebench_model_free(struct vebench_model *model)
{
    if (model)
        model_free(&model->model);
    free(model);
}

const char *vebench_model_device_name(const struct vebench_model *model)
{
    return model->model.device_name;
}

bool vebench_model_is_emulated(const struct vebench_model *model)
{
    return device_kind_is_emulated(model->model.device_kind);
}

double vebench_model_clock_mhz(const struct vebench_model *model)
{
    return model->model.clock_mhz;
}

size_t vebench_model_parameter_count(const struct vebench_model *model)
{
    return model->model.parameter_count;
}

static struct vebench_parameter public_parameter(const struct parameter *p)
{
    return (struct vebench_parameter){
        .name = p->name,
        .unit = p->unit,
        .form = p->form,
        .value = p->value,
        .low = p->interval.low,
        .high = p->interval.high,
        .below_resolution = p->below_resolution,
        .rows = p->rows,
        .left_out_error = p->left_out_error,
    };
}

struct vebench_parameter vebench_model_parameter(const struct vebench_model *model, size_t index)
{
    return public_parameter(&model->model.parameter[index]);
}

bool vebench_model_find(const struct vebench_model *model, const char *name,
                        struct vebench_parameter *parameter)
{
    const struct parameter *found = model_find(&model->model, "%s", name);

    if (found)
        *parameter = public_parameter(found);
    return found != NULL;
}

bool vebench_model_predict(const struct vebench_model *model, const struct vebench_rows *rows,
                           size_t index, double *value)
{
    struct fit_prediction prediction;

    if (!fit_predict(&model->model, &rows->records.record[index], &prediction))
        return false;
    *value = prediction.value;
    return true;
}

int vebench_model_advise(struct vebench_advice **advice, const struct vebench_model *model,
                         const struct vebench_rows *rows, const char *family, char *error,
                         size_t error_bytes)
{
    struct vebench_advice *made = calloc(1, sizeof(*made));
    struct error why;

    *advice = NULL;
    if (!made)
        return out_of_memory(error, error_bytes);
    if (advise(&made->advice, &model->model, rows ? &rows->records : NULL, family, &why) !=
        STATUS_OK) {
        free(made);
        return fail(&why, error, error_bytes);
    }
    *advice = made;
    return 0;
}

void vebench_advice_free(struct vebench_advice *advice)
{
    if (advice)
        advice_free(&advice->advice);
    free(advice);
}

const char *vebench_advice_text(const struct vebench_advice *advice)
{
    return advice->advice.text;
}

size_t vebench_advice_ranking_count(const struct vebench_advice *advice)
{
    return advice->advice.ranking_count;
}

const char *vebench_advice_title(const struct vebench_advice *advice, size_t ranking)
{
    return advice->advice.ranking[ranking].title;
}

const char *vebench_advice_unit(const struct vebench_advice *advice, size_t ranking)
{
    return advice->advice.ranking[ranking].unit;
}

size_t vebench_advice_choice_count(const struct vebench_advice *advice, size_t ranking)
{
    return advice->advice.ranking[ranking].choices.count;
}

struct vebench_choice vebench_advice_choice(const struct vebench_advice *advice, size_t ranking,
                                            size_t choice)
{
    const struct choice *c = &advice->advice.ranking[ranking].choices.choice[choice];

    return (struct vebench_choice){
        .variant = c->variant,
        .subgroup_size = c->subgroup_size,
        .workgroup_size = c->workgroup_size,
        .cost = c->cost.value,
        .low = c->cost.interval.low,
        .high = c->cost.interval.high,
    };
}

size_t vebench_advice_best(const struct vebench_advice *advice, size_t ranking)
{
    const struct choices *choices = &advice->advice.ranking[ranking].choices;

    return (size_t)(choices_best(choices, NULL, ASPECT_ANY) - choices->choice);
}
