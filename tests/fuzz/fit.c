/* Hostile results that their reader accepts: the fits terminate, and the resulting model can be
 * written and read, and predicts what it can. */
#include "fuzz.h"

#include "families/registry.h"
#include "hostile-file.h"
#include "predict/check.h"

#include <math.h>
#include <string.h>

#define FILE_NAME "fuzz-fit.csv"
#define MODEL     "fuzz-fit.json"
#define ROWS_MAX  24 /* more cost time and show nothing new */

static void use(const struct model *model, const struct records *records)
{
    struct model again;
    struct check check;
    struct error error;

    require(model_write(model, MODEL, &error) == STATUS_OK);
    if (model_read(&again, &family_models, MODEL, &error) != STATUS_OK) {
        /* Names of variants longer than any real one are cut off, and may then be equal. */
        require(strstr(error.text, "there twice") != NULL);
        return;
    }
    require(check_model(&check, &again, NULL, records, CHECK_ALL, &error) == STATUS_OK);
    check_free(&check);
    model_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const paths[] = {FILE_NAME};
    struct records records;
    struct model model;
    struct error error;

    hostile_file(FILE_NAME, data, size);
    if (records_read(&records, paths, 1, &error) != STATUS_OK)
        return 0;
    if (records.count <= ROWS_MAX) {
        if (fit_model(&model, &family_models, &records, 1, &error) == STATUS_OK)
            use(&model, &records);
        model_free(&model);
    }
    records_free(&records);
    return 0;
}
