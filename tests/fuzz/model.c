/* Hostile models are accepted or refused. An accepted one can be printed, asked about every family,
 * and written; the written file reads back as the same model. */
#include "fuzz.h"

#include "families/registry.h"
#include "family/family.h"
#include "hostile-file.h"
#include "model/advise.h"

#include <string.h>

#define FILE_NAME "fuzz-model.json"
#define AGAIN     "fuzz-model-again.json"

static void require_same(const struct model *model, const struct model *again)
{
    require(model->parameter_count == again->parameter_count);
    require(!strcmp(model->device_uuid, again->device_uuid));
    for (size_t i = 0; i < model->parameter_count; i++)
        require(!strcmp(model->parameter[i].name, again->parameter[i].name));
}

static void use_advice(const struct model *model, const char *family)
{
    struct advice advice;
    struct error error;

    if (advise(&advice, model, NULL, family, &error) == STATUS_OK)
        advice_free(&advice);
}

static void use(const struct model *model)
{
    FILE *out = fopen("/dev/null", "w");
    struct model again;
    struct error error;

    require(out != NULL);
    model_print(out, model);
    for (size_t i = 0; i < families.count; i++)
        use_advice(model, families.family[i]->name);
    fclose(out);
    require(model_write(model, AGAIN, &error) == STATUS_OK);
    require(model_read(&again, &family_models, AGAIN, &error) == STATUS_OK);
    require_same(model, &again);
    model_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct model model;
    struct error error;

    hostile_file(FILE_NAME, data, size);
    if (model_read(&model, &family_models, FILE_NAME, &error) == STATUS_OK) {
        use(&model);
        model_free(&model);
    } else {
        require(error.status == STATUS_FAILED && strlen(error.text) > 0);
    }
    return 0;
}
