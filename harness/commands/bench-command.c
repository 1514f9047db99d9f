#include "commands/bench-command.h"

#include "base/text.h"
#include "commands/commands.h"
#include "commands/measurable.h"
#include "compare/plausible.h"
#include "rows/records.h"
#include "run/bench-sweep.h"
#include "sweep/results.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SWEEPS_MAX 5
#define PATH_BYTES (PATH_MAX + 32)
#define WORDS_EACH 12

/* Values that are not in the default sweep, so that no row is measured twice. */
static const struct {
    const char *name;
    const char *words[WORDS_EACH + 1];
} details[] = {
    {"latency",
     {"latency", "--axis", "subgroup_size=16", "--axis",
      "working_set=4K,8K,32K,128K,512K,2M,L,4L"}},
    {"in-flight",
     {"memory_32", "--axis", "subgroup_size=16", "--axis", "workgroup_size=4S,8S,16S,32S"}},
    {"strides", {"slm", "--axis", "subgroup_size=16", "--axis", "stride=2,4,8,16,17,33"}},
    {"products",
     {"matmul", "--axis", "subgroup_size=16", "--axis", "workgroup_size=8S", "--axis", "m=128",
      "--axis", "n=32", "--axis", "k=32"}},
};

struct bench {
    const struct cli *cli;
    const struct run_streams *streams;
    const volatile sig_atomic_t *stop;
    struct bench_device device;
    char folder[PATH_MAX];
    char files[SWEEPS_MAX][PATH_BYTES]; /* of the results */
    const char *paths[SWEEPS_MAX];      /* those of `files` that exist */
    size_t count;
    bool failed; /* a row failed */
};

/* Creates the folder and any missing parents; the last component must not exist yet. */
static enum status make_folder(struct bench *bench, struct error *error)
{
    char now[TIME_BYTES];

    utc_compact_text(now);
    if (bench->cli->output)
        snprintf(bench->folder, sizeof(bench->folder), "%s", bench->cli->output);
    else
        snprintf(bench->folder, sizeof(bench->folder), "results/%s", now);
    for (char *at = strchr(bench->folder + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        if (mkdir(bench->folder, 0777) != 0 && errno != EEXIST)
            return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", bench->folder,
                             strerror(errno));
        *at = '/';
    }
    if (mkdir(bench->folder, 0777) == 0)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", bench->folder,
                     strerror(errno));
}

static void say(const struct bench *bench, const char *what)
{
    if (!bench->cli->quiet)
        fprintf(bench->streams->messages, "%s\n", what);
}

/* One sweep into NAME.csv. */
static enum status sweep(struct bench *bench, const char *name, const char *const *words,
                         struct error *error)
{
    char *file = bench->files[bench->count];
    int code = CLI_FAILED;

    snprintf(file, PATH_BYTES, "%s/%s.csv", bench->folder, name);
    enum status status = bench_run(&bench->device, bench->cli, file, words, &code, error);
    if (status == STATUS_OK && access(file, R_OK) == 0)
        bench->paths[bench->count++] = file;
    if (status == STATUS_OK && (code == CLI_INTERRUPTED || *bench->stop))
        status = error_set(error, STATUS_INTERRUPTED, "interrupted; rows so far are in %s",
                           bench->folder);
    else if (status == STATUS_OK && code != CLI_DONE && bench->count == 0)
        status = error_set(error, code == CLI_USAGE ? STATUS_USAGE : STATUS_FAILED,
                           "nothing was measured (see above)");
    bench->failed |= code != CLI_DONE;
    return status;
}

static enum status measure(struct bench *bench, struct error *error)
{
    const char *families[WORDS_MAX + 1] = {NULL};

    memcpy(families, bench->cli->words.word, bench->cli->words.count * sizeof(families[0]));
    enum status status = sweep(bench, "results", families, error);
    for (size_t i = 0; status == STATUS_OK && i < sizeof(details) / sizeof(details[0]); i++) {
        if (!bench->failed && bench_wants_detail(&bench->device, bench->cli))
            status = sweep(bench, details[i].name, details[i].words, error);
    }
    return status;
}

/* Fits the model and saves the output of vebench fit. A small sweep may determine no parameter at
 * all; that is not a failure, there is just no model. */
static bool fit(const struct bench *bench, char *model, struct error *error)
{
    char text[PATH_BYTES];
    struct fit_request request = {
        .files = bench->paths, .count = bench->count, .output = model, .seed = bench->cli->seed};

    snprintf(model, PATH_BYTES, "%s/model.json", bench->folder);
    snprintf(text, sizeof(text), "%s/fit.txt", bench->folder);
    FILE *out = fopen(text, "w");
    if (!out)
        return false;
    say(bench, "Fitting the model...");
    bool fitted = command_fit(&request, out, error) == STATUS_OK;
    if (!fitted)
        fprintf(out, "no model: %s\n", error->text);
    fclose(out);
    return fitted;
}

static void put_summary(const struct bench *bench, const struct report_summary *summary,
                        const char *model, bool has_page)
{
    FILE *out = bench->streams->results;

    const char *sold_as = plausible_sold_as(summary->device_name);

    fprintf(out, "\n%s%s%s%s\n", summary->device_name, sold_as ? ", " : "", sold_as ? sold_as : "",
            device_kind_is_emulated(summary->device_kind)
                ? ", EMULATED: the emulator's times, not a GPU's"
                : "");
    print_findings(out, &summary->findings, bench->cli->verbose);
    fprintf(out, "\n%zu measured, %zu skipped, %zu unreliable, %zu failed\n", summary->ok,
            summary->skipped, summary->unreliable, summary->failed);
    text_put_path(out, "rows   ", bench->paths[0], "");
    if (model)
        text_put_path(out, "model  ", model, "");
    if (has_page)
        text_put_path(out, "page   ", bench->folder, "/report/index.html");
}

/* Writes the findings as a page and as a summary. */
static enum status conclude(const struct bench *bench, struct error *error)
{
    struct report_summary *summary = malloc(sizeof(*summary));
    char model[PATH_BYTES], page[PATH_BYTES];
    struct error ignored;

    if (!summary)
        return error_out_of_memory(error);
    bool fitted = fit(bench, model, &ignored);
    say(bench, "Drawing the page...");
    snprintf(page, sizeof(page), "%s/report", bench->folder);
    enum status status = command_report(bench->paths, bench->count, fitted ? model : NULL, page,
                                        (enum time_unit)bench->cli->time_unit, summary, error);
    if (summary->device_name[0])
        put_summary(bench, summary, fitted ? model : NULL, status == STATUS_OK);
    if (status == STATUS_OK && bench->failed)
        status =
            error_set(error, STATUS_FAILED, "%zu measurement%s failed; column `reason` says why",
                      summary->failed, summary->failed == 1 ? "" : "s");
    free(summary);
    return status;
}

enum status command_bench(const struct cli *cli, const struct run_streams *streams,
                          const volatile sig_atomic_t *stop, struct error *error)
{
    struct bench *bench = calloc(1, sizeof(*bench));

    if (!bench)
        return error_out_of_memory(error);
    bench->cli = cli;
    bench->streams = streams;
    bench->stop = stop;
    enum status status = bench_find_device(&bench->device, cli, streams->messages, error);
    if (status == STATUS_OK)
        status = make_folder(bench, error);
    if (status == STATUS_OK && !bench->device.is_emulated && !cli->quiet)
        measurable_short(bench_selector(cli), streams->messages);
    if (status == STATUS_OK)
        status = measure(bench, error);
    if (status == STATUS_OK)
        status = conclude(bench, error);
    else if (bench->count == 0)
        rmdir(bench->folder); /* fails unless it is empty */
    free(bench);
    return status;
}
