#include "commands.h"

#include "check.h"

enum status command_fit(const char *const *files, size_t count, const char *output, uint64_t seed,
                        FILE *out, struct error *error)
{
    struct records records;
    struct model model;
    enum status status = records_read(&records, files, count, error);

    if (status != STATUS_OK)
        return status;
    status = fit_model(&model, &records, seed, error);
    if (status == STATUS_OK)
        status = model_write(&model, output, error);
    if (status == STATUS_OK)
        model_print(out, &model);
    model_free(&model);
    records_free(&records);
    return status;
}

static enum status check_records(const struct model *model, const struct records *records,
                                 double threshold, FILE *out, bool *exceeded, struct error *error)
{
    struct check check;
    enum status status = check_model(&check, model, records, error);

    if (status != STATUS_OK)
        return status;
    check_print(out, &check);
    if (check.count == 0)
        status = error_set(error, STATUS_FAILED, "the model predicts none of the %zu rows",
                           records->count);
    *exceeded = check.median > threshold;
    check_free(&check);
    return status;
}

enum status command_check(const char *model_path, const char *const *files, size_t count,
                          double threshold, FILE *out, bool *exceeded, struct error *error)
{
    struct records records;
    struct model model;
    enum status status = model_read(&model, model_path, error);

    if (status != STATUS_OK)
        return status;
    status = records_read(&records, files, count, error);
    if (status == STATUS_OK) {
        status = check_records(&model, &records, threshold, out, exceeded, error);
        records_free(&records);
    }
    model_free(&model);
    return status;
}
