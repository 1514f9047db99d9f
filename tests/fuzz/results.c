/* Hostile results and samples files are accepted or refused, with one line that says why. Accepted
 * ones are as the readers promise, and can be compared with themselves. */
#include "fuzz.h"

#include "compare/compare.h"
#include "hostile-file.h"

#include <math.h>
#include <string.h>

#define FILE_NAME "fuzz-results.csv"

static void check_record(const struct record *record)
{
    require(record->benchmark && record->variant && record->parameters && record->unit);
    require(!record->usable || isfinite(record->value));
    require(!(record->ci95_lo_ns > record->ci95_hi_ns));
    require(!(record->loop_ns < 0.0));
    require(record->line > 1);
    record_parameter(record, "stride", 0.0);
}

static void compare(const struct records *records, const struct sample_file *samples)
{
    const struct compare_options options = {
        .threshold = 0.01, .base_samples = samples, .new_samples = samples};
    struct comparisons comparisons;
    struct error error;

    require(compare_records_of(&comparisons, records, records, &options, &error) == STATUS_OK);
    require(comparisons.verdicts[CHANGE_FASTER] == 0);
    require(comparisons.verdicts[CHANGE_SLOWER] == 0);
    comparisons_free(&comparisons);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *const paths[] = {FILE_NAME};
    struct sample_file samples;
    struct records records;
    struct error error;

    hostile_file(FILE_NAME, data, size);
    /* A file with the columns of both may be both. */
    bool has_samples = sample_file_read(&samples, FILE_NAME, &error) == STATUS_OK;
    if (records_read(&records, paths, 1, &error) == STATUS_OK) {
        for (size_t i = 0; i < records.count; i++)
            check_record(&records.record[i]);
        compare(&records, has_samples ? &samples : NULL);
        records_free(&records);
    } else {
        require(error.status == STATUS_FAILED && strlen(error.text) > 0);
    }
    if (has_samples)
        sample_file_free(&samples);
    return 0;
}
