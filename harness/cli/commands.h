/* The commands of vebench that work on files alone. What they have to say goes to `out`. */
#ifndef VEBENCH_COMMANDS_H
#define VEBENCH_COMMANDS_H

#include "base/error.h"
#include "cli/cli.h"
#include "page/findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fit_request {
    const char *const *files; /* results */
    size_t count;
    const char *output; /* gets the model */
    uint64_t seed;
    const char *as_device; /* gets the vesim description of the device; NULL: none is wanted */
    const char *base;      /* has what the model lacks, as for figures_of_model() */
};

/* Fits a model to the results files, prints it to `out`, and writes it. */
enum status command_fit(const struct fit_request *request, FILE *out, struct error *error);

/* Compares predictions of a model with results. `base` is the description that has what the model
 * lacks; NULL: by its device. `*exceeded`: a median error is above `threshold`. STATUS_FAILED also
 * where no row can be predicted. `all`: also of rows that have to be emulated, instead of some. */
enum status command_check(const char *model_path, const char *base, const char *const *files,
                          size_t count, double threshold, bool all, FILE *out, bool *exceeded,
                          struct error *error);

/* Says what to choose for the family by the model, and, where there are results files, by their
 * rows. */
enum status command_advise(const char *model_path, const char *family, const char *const *files,
                           size_t count, FILE *out, struct error *error);

struct compare_request {
    const char *base, *new;                 /* results files */
    const char *base_samples, *new_samples; /* both, or both NULL */
    double threshold;                       /* a smaller relative change counts as none */
    unsigned base_size, new_size; /* sub-group sizes to compare with each other, or both 0: rows of
                                     the same size */
    enum cli_format format;
    bool all; /* also what did not change */
};

/* Says of each measurement that two results files share whether it changed. `*slower`: something
 * became slower. STATUS_FAILED where there is nothing to compare. */
enum status command_compare(const struct compare_request *request, FILE *out, bool *slower,
                            struct error *error);

/* What a report is about, in short. */
struct report_summary {
    char device_name[256], device_kind[16];
    size_t ok, skipped, unreliable, failed; /* rows */
    struct findings findings;
};

/* Writes the page about results files into the folder, with the model of that path unless it is
 * NULL. `*summary` is right even where the page could not be drawn, for want of room say;
 * without rows its counts are 0. */
enum status command_report(const char *const *files, size_t count, const char *model_path,
                           const char *folder, struct report_summary *summary, struct error *error);

#endif
