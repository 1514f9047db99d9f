#include "model/advise.h"

#include "base/streams.h"
#include "model/family-model.h"

#include <stdlib.h>
#include <string.h>

/* The descriptor of the family, or NULL. */
static const struct family_model *model_of(const struct model *model, const char *family)
{
    for (size_t i = 0; i < model->families->count; i++) {
        if (family_model_covers(model->families->family[i], family))
            return model->families->family[i];
    }
    return NULL;
}

/* What the fit noted as missing for the family, or NULL. */
static const struct absence *absence_of(const struct model *model, const char *family)
{
    for (size_t i = 0; i < model->absence_count; i++) {
        if (name_is_within(model->absence[i].name, family))
            return &model->absence[i];
    }
    return NULL;
}

static enum status nothing_to_say(const struct model *model, const char *family, bool has_records,
                                  struct error *error)
{
    const struct absence *absence = absence_of(model, family);

    if (has_records)
        return error_set(error, STATUS_FAILED,
                         "neither the model nor the results have usable figures for family %s; "
                         "measure it: vebench run %s --output %s.csv",
                         family, family, family);
    if (absence)
        return error_set(error, STATUS_FAILED,
                         "the model has no parameters of family %s: %s; measure what is missing: "
                         "%s --output %s.csv, and fit it with all other results",
                         family, absence->why, absence->command, family);
    if (model_of(model, family))
        return error_set(error, STATUS_FAILED,
                         "the model has no parameters of family %s; measure and fit it: vebench "
                         "run %s --preset full --output %s.csv, then vebench fit %s.csv with all "
                         "other results --output MODEL.json",
                         family, family, family, family);
    return error_set(error, STATUS_FAILED,
                     "family %s has no parameters in any model; advice comes from its rows: "
                     "vebench run %s --output %s.csv, then vebench advise MODEL.json --family %s "
                     "%s.csv",
                     family, family, family, family, family);
}

static enum status collect(struct advising *a, const struct records *records)
{
    const struct family_model *known = model_of(a->model, a->family);
    enum status status = STATUS_OK;

    fprintf(a->out, "%s, %s\n", a->model->device_name,
            device_kind_is_emulated(a->model->device_kind)
                ? "EMULATED: the emulator's figures, not measured on a GPU"
                : "hardware");
    if (known && known->advise)
        status = known->advise(a);
    if (status == STATUS_OK && records)
        status = advise_rows(a, records);
    if (status == STATUS_OK && a->said == 0)
        status = nothing_to_say(a->model, a->family, records != NULL, a->error);
    return status;
}

enum status advise_add_ranking(struct advising *a, const char *title, const struct choices *choices,
                               const char *unit)
{
    struct advice *advice = a->advice;
    struct error *error = a->error;
    struct ranking *more =
        realloc(advice->ranking, (advice->ranking_count + 1) * sizeof(*advice->ranking));
    enum status status = STATUS_OK;

    if (!more)
        return error_out_of_memory(error);
    advice->ranking = more;
    more += advice->ranking_count++;
    memset(more, 0, sizeof(*more));
    snprintf(more->title, sizeof(more->title), "%s", title);
    snprintf(more->unit, sizeof(more->unit), "%s", unit);
    for (size_t i = 0; status == STATUS_OK && i < choices->count; i++)
        status = choices_add(&more->choices, &choices->choice[i], error);
    return status;
}

enum status advise_choices(struct advising *a, const char *title, const struct choices *choices,
                           const char *unit)
{
    if (choices->count == 0 || a->has_rows)
        return STATUS_OK;
    choices_print(a->out, title, choices, unit);
    a->said++;
    return advise_add_ranking(a, title, choices, unit);
}

enum status advise(struct advice *advice, const struct model *model, const struct records *records,
                   const char *family, struct error *error)
{
    struct advising advising = {.advice = advice,
                                .model = model,
                                .family = family,
                                .has_rows = records != NULL,
                                .error = error};
    enum status status = records ? fit_same_device(model, records, error) : STATUS_OK;
    size_t bytes = 0;

    memset(advice, 0, sizeof(*advice));
    if (status != STATUS_OK)
        return status;
    advising.out = stream_open_text(&advice->text, &bytes);
    if (!advising.out)
        return error_out_of_memory(error);
    status = collect(&advising, records);
    struct error closing;
    if (stream_close_text(advising.out, &advice->text, &closing) != STATUS_OK &&
        status == STATUS_OK) {
        status = closing.status;
        *error = closing;
    }
    if (status != STATUS_OK)
        advice_free(advice);
    return status;
}

void advice_free(struct advice *advice)
{
    for (size_t i = 0; i < advice->ranking_count; i++)
        choices_free(&advice->ranking[i].choices);
    free(advice->ranking);
    free(advice->text);
    memset(advice, 0, sizeof(*advice));
}
