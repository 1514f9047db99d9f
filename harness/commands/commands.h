/* The commands of vebench that only work on files. They report to `out`. */
#ifndef VEBENCH_COMMANDS_H
#define VEBENCH_COMMANDS_H

#include "base/error.h"
#include "cli/cli.h"
#include "report/findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fit_request {
    const char *const *files; /* results files */
    size_t count;
    const char *output; /* model file to write */
    uint64_t seed;
    const char *as_device; /* file for the vesim description of the device; NULL: not written */
    const char *base;      /* supplies what the model lacks, as for figures_of_model() */
};

/* Fits a model to the results files, prints it to `out`, and writes it. */
enum status command_fit(const struct fit_request *request, FILE *out, struct error *error);

/* Compares predictions of a model with results. `base` is the description that supplies what the
 * model lacks; NULL: chosen by the model's device. Sets `*exceeded` if a median error is above
 * `threshold`. STATUS_FAILED also if no row can be predicted. `all`: checks every row that has to
 * be emulated instead of a sample. */
enum status command_check(const char *model_path, const char *base, const char *const *files,
                          size_t count, double threshold, bool all, FILE *out, bool *exceeded,
                          struct error *error);

/* Advises what to choose for the family, from the model and, if results files are given, from their
 * rows. */
enum status command_advise(const char *model_path, const char *family, const char *const *files,
                           size_t count, FILE *out, struct error *error);

struct compare_request {
    const char *const *files; /* results files, one for each run, those of the base first */
    size_t base_count, new_count;
    const char *base_samples, *new_samples; /* both, or both NULL */
    double threshold;                       /* smaller relative changes count as none */
    unsigned base_size, new_size; /* sizes to compare with each other; both 0: rows of the same
                                     size */
    enum cli_format format;
    bool all; /* also list what did not change */
    enum time_unit time_unit;
};

/* Reports for each measurement that both sides share whether it changed. Sets `*slower` if anything
 * became slower. STATUS_FAILED if there is nothing to compare. */
enum status command_compare(const struct compare_request *request, FILE *out, bool *slower,
                            struct error *error);

/* Summary of what a report covers. */
struct report_summary {
    char device_name[256], device_kind[16];
    size_t ok, skipped, unreliable, failed; /* numbers of rows */
    struct findings findings;
    struct findings verdicts; /* of groups of families: what they rest on */
    bool is_side_by_side;     /* of two files that hold the same measurements: */
    size_t compared, slower, faster;
};

/* Prints a numbered paragraph for each finding: what to do, and what that rests on; with the
 * numbers behind it where `with_evidence`. */
void print_findings(FILE *out, const struct findings *findings, bool with_evidence);

/* Writes the page about the results files into the folder, with the model at `model_path` unless
 * that is NULL. Two files that hold the same measurements are set side by side. `*summary` is valid
 * even if the page could not be written, for example on a full disk; without rows its counts are 0.
 */
enum status command_report(const char *const *files, size_t count, const char *model_path,
                           const char *folder, enum time_unit unit, struct report_summary *summary,
                           struct error *error);

#endif
