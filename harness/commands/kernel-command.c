#include "commands/kernel-command.h"

#include "answer/kernel-answer.h"
#include "base/replace-file.h"
#include "families/registry.h"
#include "job/file.h"
#include "job/launches.h"
#include "run/sweep-request.h"
#include "sweep/results.h"
#include "ze/device-kind.h"
#include "ze/emulator.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* On an emulated device, of launches that the ticks of its timer round: more than of a loop, which
 * is made as long as it takes. */
#define MODEL_ROUNDS 12

static void take_words(struct job_words *to, const struct words *from)
{
    if (from->count == 0)
        return;
    to->count = from->count < JOB_WORDS_MAX ? from->count : JOB_WORDS_MAX;
    memcpy(to->word, from->word, to->count * sizeof(*to->word));
}

/* Of two words about one argument the last one counts. */
static void add_words(struct job_words *to, const struct words *from)
{
    for (size_t i = 0; i < from->count && to->count < JOB_WORDS_MAX; i++)
        to->word[to->count++] = from->word[i];
}

static void take_text(const char **to, const char *from)
{
    if (from)
        *to = from;
}

/* What the command line says takes the place of what a file says. */
static void take_options(struct job_request *request, const struct cli *cli)
{
    take_text(&request->kernel, cli->kernel);
    take_text(&request->global, cli->global);
    take_text(&request->sizes, cli->lane_sizes);
    take_text(&request->grf, cli->grf);
    take_text(&request->caches, cli->caches);
    take_text(&request->tolerance, cli->tolerance);
    take_text(&request->reference, cli->reference);
    take_words(&request->locals, &cli->locals);
    add_words(&request->arguments, &cli->arguments);
    add_words(&request->buffers, &cli->buffers);
    take_words(&request->defines, &cli->defines);
    take_words(&request->options, &cli->option_words);
}

static void started(void *context, const struct family *family,
                    const struct configuration *configuration, size_t index, size_t total)
{
    (void)context;
    (void)family;
    (void)configuration;
    (void)index;
    (void)total;
}

static void finished(void *context, const struct family *family,
                     const struct configuration *configuration,
                     const struct measurement *measurements, size_t index)
{
    (void)context;
    (void)family;
    (void)configuration;
    (void)measurements;
    (void)index;
}

/* The first launch that can run. */
static const struct job_shape *first_shape(const struct job *job)
{
    size_t i = 0;

    while (!job->shape[i].divides)
        i++;
    return &job->shape[i];
}

/* Launches the recorder's kernel at one size, to record what it computes. */
static enum status record_at(const struct sweep_request *like, struct job *recorder, unsigned size,
                             struct error *error)
{
    const struct job_shape *shape = first_shape(recorder);
    const struct sweep_events events = {.started = started, .finished = finished};
    struct sweep_request request = *like;
    struct sweep_counts counts;
    struct sweep *sweep;
    char axes[COMMON_AXES][48];
    unsigned items = shape->local[0] * shape->local[1] * shape->local[2], groups = 1;

    for (size_t i = 0; i < 3; i++)
        groups *= shape->global[i] / shape->local[i];
    snprintf(axes[0], sizeof(axes[0]), "subgroup_size=%u", size);
    snprintf(axes[1], sizeof(axes[1]), "workgroup_size=%u", items);
    snprintf(axes[2], sizeof(axes[2]), "workgroup_count=%u", groups);
    for (size_t i = 0; i < COMMON_AXES; i++)
        request.axes[i] = axes[i];
    request.axis_count = COMMON_AXES;
    request.preset = PRESET_FULL; /* without the other launches */
    request.families[0] = &recorder->family;
    request.variants[0] = recorder->variants[0].name;
    request.variant_count = 1;
    request.options.stop = (struct stop_rule){.min = 2, .max = 2};
    request.wants_samples = false;
    request.counters = NULL;
    request.budget_s = request.each_s = 0.0;
    recorder->records = true;
    enum status status = sweep_open(&sweep, &request, error);
    if (status == STATUS_OK) {
        status = sweep_run(sweep, NULL, NULL, &events, &counts, error);
        sweep_close(sweep);
    }
    recorder->records = false;
    return status;
}

/* Records the reference at the first size that computes it. Where none does, every row says why. */
static enum status record(const struct sweep_request *request, struct job *job,
                          struct job *recorder, struct error *error)
{
    enum status status = job_record(job, recorder, error);

    for (size_t i = 0; status == STATUS_OK && i < job->size_count && !job_is_recorded(job); i++)
        status = record_at(request, recorder, job->size[i], error);
    return status == STATUS_LOST || status == STATUS_UNSUPPORTED ? STATUS_OK : status;
}

/* Records what the other kernel computes. */
static enum status record_opened(const struct sweep_request *request, struct job *job,
                                 struct job *recorder, struct error *error)
{
    enum status status = job->request->launches ? job_check_words(job, recorder, error) : STATUS_OK;

    if (status == STATUS_OK)
        status = record(request, job, recorder, error);
    if (status == STATUS_OK && !job_is_recorded(job))
        return error_set(error, STATUS_FAILED,
                         "--reference %s: it has computed nothing: vebench kernel on it says why",
                         job->request->reference);
    return status;
}

/* The same launch of another kernel, or one launch in the place of several. */
static enum status record_other(const struct sweep_request *request, struct job *job,
                                struct error *error)
{
    struct job_request other = *job->request;
    struct job *recorder = calloc(1, sizeof(*recorder));
    struct job_launch_words launch;

    if (!recorder)
        return error_out_of_memory(error);
    other.source = job->request->reference;
    other.kernel = NULL;
    other.defines.count = 0;
    other.options.count = 0;
    if (other.launches) {
        job_reference_launch(job, &launch);
        other.launches = &launch;
        other.launch_count = 1;
    }
    enum status status = job_open(recorder, &other, error);
    if (status == STATUS_OK) {
        status = record_opened(request, job, recorder, error);
        recorder->reference = NULL; /* the other job's */
        job_close(recorder);
    }
    free(recorder);
    return status;
}

static enum status measure_job(const struct cli *cli, struct job *job, struct ranks *ranks,
                               const struct run_streams *streams, const volatile sig_atomic_t *stop,
                               struct error *error)
{
    struct sweep_request request;
    enum status status = request_settings(cli, streams->results, &request, error);

    request.families[0] = &job->family;
    request.family_count = 1;
    request.stop = stop;
    if (!request.options.stop.max && !request.options.stop.min && device_kind_is_deterministic())
        request.options.stop.max = MODEL_ROUNDS;
    if (status == STATUS_OK && !cli->dry_run && job->request->reference)
        status = record_other(&request, job, error);
    else if (status == STATUS_OK && !cli->dry_run && !job_is_expected(job))
        status = record(&request, job, job, error);
    if (status != STATUS_OK)
        return status;
    request.ranks = ranks;
    return run_request(cli, &request, streams, error);
}

/* Prints the answer and, where it is asked for, writes the page. */
static enum status answer_job(const struct cli *cli, const char *rows, const struct job *job,
                              FILE *out, struct error *error)
{
    const char *model = emulator_device_name();
    const struct answer_settings settings = {.target = model ? model : "dg2",
                                             .base = model,
                                             .figures = &family_figures,
                                             .unit = (enum time_unit)cli->time_unit};
    struct kernel_answer answer;
    enum status status = kernel_answer_make(&answer, rows, job, &settings, error);

    if (status == STATUS_OK)
        status = kernel_answer_print(out, &answer, error);
    if (status == STATUS_OK && cli->page)
        status = kernel_answer_page(cli->page, &answer, error);
    kernel_answer_free(&answer);
    return status;
}

/* A file at some moment: any writing changes it. */
struct file_state {
    bool exists;
    struct stat stat;
};

static struct file_state state_of(const char *path)
{
    struct file_state state;

    state.exists = stat(path, &state.stat) == 0;
    return state;
}

static bool is_unchanged(const struct file_state *a, const struct file_state *b)
{
    return a->exists == b->exists &&
           (!a->exists || (a->stat.st_ino == b->stat.st_ino && a->stat.st_size == b->stat.st_size &&
                           a->stat.st_mtim.tv_sec == b->stat.st_mtim.tv_sec &&
                           a->stat.st_mtim.tv_nsec == b->stat.st_mtim.tv_nsec));
}

static enum status measure_and_answer(const struct cli *cli, struct job *job, struct ranks *ranks,
                                      const struct run_streams *streams,
                                      const volatile sig_atomic_t *stop, struct error *error)
{
    struct cli own = *cli;
    struct error answer_error;
    char output[64], now[TIME_BYTES];

    utc_compact_text(now);
    snprintf(output, sizeof(output), "vebench-%s.csv", now);
    if (!cli->output && !cli->dry_run)
        own.output = output;
    const char *rows = own.output ? own.output : ""; /* none of a dry run */
    if (cli->page && !strcmp(rows, "-"))
        return error_set(error, STATUS_USAGE,
                         "--page is made of a file of rows: name it with --output");
    if (replacement_check(cli->page, error) != STATUS_OK)
        return STATUS_FAILED;
    own.words.count = 0; /* the answer stands in for a table */
    struct file_state before = state_of(rows);
    enum status status = measure_job(&own, job, ranks, streams, stop, error);
    if (ranks && ranks->rank > 0)
        return status;
    if (cli->dry_run || !strcmp(rows, "-") || access(rows, R_OK) != 0)
        return status;
    struct file_state after = state_of(rows);
    if (status != STATUS_OK && is_unchanged(&before, &after)) /* its rows are of another run */
        return status;
    if (cli->each) { /* of many GPUs there is no one answer */
        fprintf(streams->results, "vebench fleet %s compares the GPUs\n", rows);
        return status;
    }
    enum status answered = answer_job(cli, rows, job, streams->results, &answer_error);
    if (status == STATUS_OK && answered != STATUS_OK)
        *error = answer_error;
    return status == STATUS_OK ? answered : status;
}

enum status command_kernel(const struct cli *cli, struct ranks *ranks,
                           const struct run_streams *streams, const volatile sig_atomic_t *stop,
                           struct error *error)
{
    const char *path = cli->words.word[0];
    struct job_file file = {.request = {.source = path}};
    struct job *job = calloc(1, sizeof(*job));
    enum status status = STATUS_OK;

    if (!job)
        return error_out_of_memory(error);
    if (job_is_file(path))
        status = job_file_read(&file, path, error);
    take_options(&file.request, cli);
    if (status == STATUS_OK)
        status = job_open(job, &file.request, error);
    if (status == STATUS_OK) {
        status = measure_and_answer(cli, job, ranks, streams, stop, error);
        job_close(job);
    }
    free(job);
    job_file_free(&file);
    return status == STATUS_OK ? STATUS_OK : run_refuse(ranks, error);
}
