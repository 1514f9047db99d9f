#include "commands/commands.h"

#include "base/replace-file.h"
#include "cli/style.h"
#include "cli/wrap.h"
#include "commands/compare-print.h"
#include "compare/compare.h"
#include "families/registry.h"
#include "model/advise.h"
#include "predict/barriers.h"
#include "predict/calibrate.h"
#include "predict/check.h"
#include "predict/figures.h"
#include "predict/margin.h"
#include "report/answers/group-verdict.h"
#include "report/page.h"
#include "report/rests-on.h"
#include "report/side-by-side.h"
#include "rows/records-merge.h"

#include <stdlib.h>
#include <string.h>

/* A smaller relative change counts as none in a report; as the default of compare. */
#define CHANGE_THRESHOLD 0.01

/* What rows say of figures that no equation determines, and those of whole kernels of the rules.
 * Without a description of the device there is nothing to learn, and `why` says so. */
static enum status learn_by_code(struct model *model, const char *base,
                                 const struct records *records, struct error *why,
                                 struct error *error)
{
    const struct predictor_settings settings = {
        .model = model, .figures = &family_figures, .families = &families, .base = base};
    struct predictor *predictor;

    if (predictor_open(&predictor, &settings, why) != STATUS_OK)
        return STATUS_OK;
    figures_calibrate(model, predictor, records);
    barriers_learn(model, predictor, records);
    enum status status = margins_learn(model, predictor, records, error);
    predictor_close(predictor);
    return status;
}

/* Writes nothing if the description has no base. */
static enum status write_model(const struct model *model, const struct fit_request *request,
                               struct error *error)
{
    if (!request->as_device)
        return model_write(model, request->output, error);
    struct figures *figures = malloc(sizeof(*figures));
    if (!figures)
        return error_out_of_memory(error);
    enum status status = figures_of_model(figures, model, &family_figures, request->base, error);
    if (status == STATUS_OK)
        status = model_write(model, request->output, error);
    if (status == STATUS_OK)
        status = figures_write(figures, request->as_device, error);
    free(figures);
    return status;
}

static void put_repeats(FILE *out, const struct repeats *repeats)
{
    if (repeats->merged)
        fprintf(out, "%zu measurements were there several times, and count once, as their mean\n",
                repeats->merged);
    if (repeats->disagreeing)
        fprintf(out,
                "%zu of them disagree by more than their intervals allow, the most by %.3g times "
                "that: %s\n",
                repeats->disagreeing, repeats->worst_excess, repeats->worst);
}

enum status command_fit(const struct fit_request *request, FILE *out, struct error *error)
{
    struct error why = {.text = ""};
    struct records records;
    struct repeats repeats;
    struct model model;
    enum status status = replacement_check(request->output, error);

    if (status == STATUS_OK)
        status = replacement_check(request->as_device, error);
    if (status == STATUS_OK)
        status = records_read_type(&records, request->files, request->count, &repeats, error);
    if (status != STATUS_OK)
        return status;
    status = fit_model(&model, &family_models, &records, request->seed, error);
    if (status == STATUS_OK)
        status = learn_by_code(&model, request->base, &records, &why, error);
    if (status == STATUS_OK)
        status = write_model(&model, request, error);
    if (status == STATUS_OK) {
        model_print(out, &model);
        put_repeats(out, &repeats);
        if (why.text[0])
            fprintf(out, "nothing is predicted by machine code: %s\n", why.text);
    }
    model_free(&model);
    records_free(&records);
    return status;
}

static enum status check_records(const struct model *model, const char *base,
                                 const struct records *records, double threshold, bool all,
                                 FILE *out, bool *exceeded, struct error *error)
{
    const struct predictor_settings settings = {
        .model = model, .figures = &family_figures, .families = &families, .base = base};
    struct predictor *predictor = NULL;
    struct check check;
    enum status status = predictor_open(&predictor, &settings, error);

    if (status != STATUS_OK && base)
        return status;
    if (status != STATUS_OK) /* equations alone need no description */
        fprintf(out, "Only rows with an equation are predicted: %s\n", error->text);
    status = check_model(&check, model, predictor, records, all ? CHECK_ALL : CHECK_SOME, error);
    predictor_close(predictor);
    if (status != STATUS_OK)
        return status;
    check_print(out, &check);
    if (check.count == 0)
        status = error_set(error, STATUS_FAILED, "the model predicts none of the %zu rows",
                           records->count);
    /* Values that the table holds are not predictions, so their errors do not count. */
    *exceeded =
        check.errors[BY_EQUATION].median > threshold || check.errors[BY_CODE].median > threshold;
    check_free(&check);
    return status;
}

enum status command_check(const char *model_path, const char *base, const char *const *files,
                          size_t count, double threshold, bool all, FILE *out, bool *exceeded,
                          struct error *error)
{
    struct records records;
    struct model model;
    enum status status = model_read(&model, &family_models, model_path, error);

    if (status != STATUS_OK)
        return status;
    status = records_read_some(&records, files, count, error);
    if (status == STATUS_OK) {
        status = check_records(&model, base, &records, threshold, all, out, exceeded, error);
        records_free(&records);
    }
    model_free(&model);
    return status;
}

enum status command_advise(const char *model_path, const char *family, const char *const *files,
                           size_t count, FILE *out, struct error *error)
{
    struct records records = {0};
    struct advice advice;
    struct model model;
    enum status status = model_read(&model, &family_models, model_path, error);

    if (status != STATUS_OK)
        return status;
    if (count)
        status = records_read(&records, files, count, error);
    if (status == STATUS_OK)
        status = advise(&advice, &model, count ? &records : NULL, family, error);
    if (status == STATUS_OK) {
        fputs(advice.text, out);
        advice_free(&advice);
    }
    records_free(&records);
    model_free(&model);
    return status;
}

static enum status read_samples(const struct compare_request *request,
                                struct sample_file samples[2], struct compare_options *options,
                                struct error *error)
{
    if (!request->base_samples)
        return STATUS_OK;
    enum status status = sample_file_read(&samples[0], request->base_samples, error);
    if (status != STATUS_OK)
        return status;
    status = sample_file_read(&samples[1], request->new_samples, error);
    if (status != STATUS_OK) {
        sample_file_free(&samples[0]);
        return status;
    }
    options->base_samples = &samples[0];
    options->new_samples = &samples[1];
    return STATUS_OK;
}

static enum status nothing_compared(const struct comparisons *c,
                                    const struct compare_request *request, struct error *error)
{
    char sizes[120] = "";

    if (request->base_size)
        snprintf(sizes, sizeof(sizes), " at sub-group size %u in the first and %u in the second",
                 request->base_size, request->new_size);
    return error_set(error, STATUS_FAILED,
                     "there is nothing to compare: the two sides have no usable measurement in "
                     "common%s; %zu are only in the first and %zu only in the second, and %zu and "
                     "%zu rows are unusable (not ok, not verified, or no time)",
                     sizes, c->only_base, c->only_new, c->left_out_base, c->left_out_new);
}

static enum status compare_files(const struct records *runs, const struct compare_request *request,
                                 FILE *out, bool *slower, struct error *error)
{
    struct compare_options options = {.threshold = request->threshold,
                                      .base_size = request->base_size,
                                      .new_size = request->new_size};
    struct sample_file samples[2];
    struct comparisons comparisons;
    enum status status = read_samples(request, samples, &options, error);

    if (status != STATUS_OK)
        return status;
    status = compare_sides(&comparisons, &(struct compare_side){runs, request->base_count},
                           &(struct compare_side){runs + request->base_count, request->new_count},
                           &options, error);
    if (status == STATUS_OK && comparisons.count == 0)
        status = nothing_compared(&comparisons, request, error);
    if (status == STATUS_OK)
        status = compare_print(out, &comparisons, &options, request->format, request->all, error);
    *slower = comparisons_slower(&comparisons);
    comparisons_free(&comparisons);
    if (options.base_samples) {
        sample_file_free(&samples[0]);
        sample_file_free(&samples[1]);
    }
    return status;
}

/* Comparing two devices is allowed, but must not go unnoticed. */
static void note_devices(const struct records *base, const struct records *new,
                         const struct compare_request *request, FILE *out)
{
    if (request->format != FORMAT_TABLE && request->format != FORMAT_MARKDOWN)
        return;
    if (strcmp(base->device_name, new->device_name) != 0 ||
        strcmp(base->device_kind, new->device_kind) != 0 ||
        strcmp(base->device_uuid, new->device_uuid) != 0)
        fprintf(out, "two devices: the first is %s (%s, %s), the second %s (%s, %s)\n",
                base->device_name, base->device_kind, base->device_uuid, new->device_name,
                new->device_kind, new->device_uuid);
}

/* A run that is given twice would say that runs do not differ. */
static bool is_same_run(const struct records *a, const struct records *b)
{
    return a->count && b->count && a->record[0].run_id[0] &&
           !strcmp(a->record[0].run_id, b->record[0].run_id);
}

static enum status refuse_repeated_run(const struct records *runs, size_t count,
                                       struct error *error)
{
    for (size_t r = 1; r < count; r++) {
        for (size_t other = 0; other < r; other++) {
            if (is_same_run(&runs[r], &runs[other]))
                return error_set(error, STATUS_FAILED,
                                 "%s and %s are of one run (%s): give each run once on a side",
                                 runs[other].tables->path, runs[r].tables->path,
                                 runs[r].record[0].run_id);
        }
    }
    return STATUS_OK;
}

/* Runs of one side are of one device, and each is there once. */
static enum status check_side(const struct records *runs, size_t count, struct error *error)
{
    for (size_t r = 1; r < count; r++) {
        if (strcmp(runs[0].device_name, runs[r].device_name) != 0 ||
            strcmp(runs[0].device_kind, runs[r].device_kind) != 0)
            return error_set(error, STATUS_FAILED,
                             "the runs of one side are from %s (%s) and %s (%s): give runs of one "
                             "device on each side",
                             runs[0].device_name, runs[0].device_kind, runs[r].device_name,
                             runs[r].device_kind);
    }
    return refuse_repeated_run(runs, count, error);
}

enum status command_compare(const struct compare_request *request, FILE *out, bool *slower,
                            struct error *error)
{
    struct records runs[WORDS_MAX];
    size_t count = request->base_count + request->new_count, read = 0;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && read < count) {
        status = records_read_some(&runs[read], &request->files[read], 1, error);
        if (status == STATUS_OK)
            records_show_in(&runs[read++], request->time_unit);
    }
    if (status == STATUS_OK)
        status = check_side(runs, request->base_count, error);
    if (status == STATUS_OK)
        status = check_side(runs + request->base_count, request->new_count, error);
    if (status == STATUS_OK) {
        note_devices(&runs[0], &runs[request->base_count], request, out);
        status = compare_files(runs, request, out, slower, error);
    }
    while (read > 0)
        records_free(&runs[--read]);
    return status;
}

static enum status summarize(struct report_summary *summary, const struct records *records,
                             struct error *error)
{
    snprintf(summary->device_name, sizeof(summary->device_name), "%s", records->device_name);
    snprintf(summary->device_kind, sizeof(summary->device_kind), "%s", records->device_kind);
    for (size_t i = 0; i < records->count; i++) {
        const char *status = records->record[i].status;

        summary->ok += !strcmp(status, "ok");
        summary->skipped += !strcmp(status, "skipped");
        summary->unreliable += !strcmp(status, "unreliable");
        summary->failed += !strcmp(status, "failed");
    }
    findings_collect(&summary->findings, &family_pages, records);
    group_findings_collect(&summary->verdicts, &family_pages, records);
    if (summary->findings.out_of_memory || summary->verdicts.out_of_memory)
        return error_out_of_memory(error);
    rests_on_find(&summary->findings, records, &family_models, &family_figures, &families);
    rests_on_find(&summary->verdicts, records, &family_models, &family_figures, &families);
    return STATUS_OK;
}

/* A numbered paragraph: in bold what to do, then what it rests on. */
static void put_finding(FILE *out, size_t number, const struct finding *finding, bool all)
{
    unsigned width = wrap_width(out);

    fprintf(out, "%2zu. %s", number, style_begin(out, STYLE_BOLD));
    wrap_put(out, finding->advice, 4, 4, width);
    fputs(style_end(out), out);
    if (finding->rests_on[0]) {
        fputs("    ", out);
        wrap_put(out, finding->rests_on, 4, 4, width);
    }
    if (all) {
        fputs("    ", out);
        wrap_put(out, finding->evidence, 4, 4, width);
    }
}

void print_findings(FILE *out, const struct findings *findings, bool with_evidence)
{
    for (size_t i = 0; i < findings->count; i++)
        put_finding(out, i + 1, &findings->line[i], with_evidence);
}

/* Sets two results side by side if they share measurements; otherwise does nothing. */
static enum status report_changes(const char *const *files, const char *folder, enum time_unit unit,
                                  struct report_summary *summary, struct error *error)
{
    const struct compare_options options = {.threshold = CHANGE_THRESHOLD};
    struct records base, new;
    struct comparisons comparisons = {0};
    enum status status = records_read(&base, &files[0], 1, error);

    if (status != STATUS_OK)
        return status;
    status = records_read_some(&new, &files[1], 1, error);
    if (status != STATUS_OK) {
        records_free(&base);
        return status;
    }
    records_show_in(&base, unit);
    records_show_in(&new, unit);
    status = compare_records_of(&comparisons, &base, &new, &options, error);
    summary->is_side_by_side = comparisons.count > 0;
    summary->compared = comparisons.count;
    summary->slower = comparisons.verdicts[CHANGE_SLOWER];
    summary->faster = comparisons.verdicts[CHANGE_FASTER];
    if (status == STATUS_OK && summary->is_side_by_side) {
        const struct side_by_side sides = {files[0], files[1], &comparisons, options.threshold};

        status = side_by_side_write(&sides, folder, error);
    }
    comparisons_free(&comparisons);
    records_free(&base);
    records_free(&new);
    return status;
}

enum status command_report(const char *const *files, size_t count, const char *model_path,
                           const char *folder, enum time_unit unit, struct report_summary *summary,
                           struct error *error)
{
    struct records records;
    struct model model;
    struct plot_source source = {.records = &records,
                                 .pages = &family_pages,
                                 .families = &families,
                                 .figures = &family_figures};
    enum status status = STATUS_OK;

    memset(summary, 0, sizeof(*summary));
    if (count == 2 && !model_path) {
        status = report_changes(files, folder, unit, summary, error);
        if (status != STATUS_OK || summary->is_side_by_side)
            return status;
    }
    model_init(&model, &family_models);
    if (model_path) {
        status = model_read(&model, &family_models, model_path, error);
        source.model = &model;
    }
    if (status != STATUS_OK)
        return status;
    status = records_read(&records, files, count, error);
    if (status == STATUS_OK) {
        records_show_in(&records, unit);
        status = summarize(summary, &records, error);
        source.findings = &summary->findings;
        source.verdicts = &summary->verdicts;
        if (status == STATUS_OK)
            status = records.count
                         ? page_write(&source, folder, error)
                         : error_set(error, STATUS_FAILED,
                                     "%s: no rows, so there is nothing to report", files[0]);
        records_free(&records);
    }
    model_free(&model);
    return status;
}
