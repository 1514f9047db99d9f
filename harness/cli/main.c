/* vebench: the only file that prints and exits. */
#include "base/version.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/inventory.h"
#include "cli/report.h"
#include "families/registry.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_USAGE        2
#define EXIT_SLOWER       3
#define EXIT_EXCEEDED     3
#define EXIT_INTERRUPTED  130

#define DEFAULT_THRESHOLD 0.01
#define CHECK_THRESHOLD   0.05

static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
    (void)signal_number;
    stop_requested = 1;
}

/* The first signal stops after the launch that is running; a second one ends the process at once.
 */
static void install_stop_handler(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_handler = request_stop;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int fail(const struct error *error)
{
    fprintf(stderr, "vebench: %s\n", error->text);
    if (error->status == STATUS_INTERRUPTED)
        return EXIT_INTERRUPTED;
    return error->status == STATUS_USAGE ? EXIT_USAGE : EXIT_FAILURE;
}

/* Somebody who builds the loader himself can name it. */
static const char *loader_path(void)
{
    const char *path = getenv("VEBENCH_ZE_LOADER");

    return path && *path ? path : NULL;
}

static int show_devices(const struct cli *cli)
{
    struct session session;
    struct error error;
    enum status status = session_connect(&session, loader_path(), &error);

    if (status != STATUS_OK)
        return fail(&error);
    status = inventory_devices(stdout, &session, cli->as_json, &error);
    session_close(&session);
    return status == STATUS_OK ? EXIT_SUCCESS : fail(&error);
}

static int show_families(const struct cli *cli)
{
    struct error error;

    if (inventory_families(stdout, cli->as_json, &error) != STATUS_OK)
        return fail(&error);
    return EXIT_SUCCESS;
}

struct files {
    char default_output[64];
    struct csv results;
    struct csv samples;
};

/* Both files with their headers, or neither. */
static enum status create_files(struct files *files, const struct cli *cli, struct error *error)
{
    const char *output = cli->output;
    enum status status;

    if (!output) {
        char now[TIME_BYTES];

        utc_compact_text(now);
        snprintf(files->default_output, sizeof files->default_output, "vebench-%s.csv", now);
        output = files->default_output;
    }
    status = csv_create(&files->results, output, error);
    if (status != STATUS_OK)
        return status;
    if (cli->samples) {
        status = csv_create(&files->samples, cli->samples, error);
        if (status != STATUS_OK) {
            struct error ignored;

            csv_close(&files->results, &ignored);
            unlink(output);
            return status;
        }
        status = samples_write_header(&files->samples, error);
    }
    return status == STATUS_OK ? results_write_header(&files->results, error) : status;
}

static enum status close_files(struct files *files, struct error *error)
{
    struct error other;
    enum status status = csv_close(&files->results, error);
    enum status samples = csv_close(&files->samples, &other);

    if (status == STATUS_OK && samples != STATUS_OK) {
        *error = other;
        status = samples;
    }
    return status;
}

/* The sweep on an open session, with its files and its report. */
static enum status measure(struct session *session, const struct cli *cli,
                           struct sweep_counts *counts, struct error *error)
{
    struct files files = {0};
    struct run_identity identity;
    bool dry_run = cli->request.dry_run;
    FILE *progress = dry_run ? stdout : stderr;
    struct report report = {.session = session};
    struct sweep_events events = report_events(&report);
    struct error close_error;
    enum status status = STATUS_OK;

    if (!dry_run && !device_kind_keeps_time())
        status = error_set(error, STATUS_FAILED,
                           "the modelled device runs without its clock, so there is nothing to "
                           "measure: run vesim without --functional");
    else if (!dry_run)
        status = create_files(&files, cli, error);
    if (status != STATUS_OK)
        return status;
    run_identity_fill(&identity);
    progress_init(&report.progress, progress);
    report_device(progress, session);
    status = sweep_run(session, &cli->request, &identity, dry_run ? NULL : &files.results,
                       files.samples.file ? &files.samples : NULL, &events, counts, error);
    if (status == STATUS_INTERRUPTED || status == STATUS_LOST)
        fputc('\n', progress);
    progress_end(&report.progress);
    if (!dry_run && report.line_count) {
        report_device(stdout, session);
        report_table(stdout, &report);
    }
    if (!dry_run && close_files(&files, &close_error) != STATUS_OK && status == STATUS_OK) {
        *error = close_error;
        status = STATUS_FAILED;
    }
    fprintf(progress, "%zu ok, %zu skipped, %zu unreliable, %zu failed", counts->ok,
            counts->skipped, counts->unreliable, counts->failed);
    fprintf(progress, dry_run ? "; nothing was run\n" : "; rows in %s\n",
            files.results.path ? files.results.path : "");
    report_free(&report);
    return status;
}

static int run(const struct cli *cli)
{
    struct sweep_counts counts = {0};
    struct session session;
    struct error error;
    enum status status = sweep_check(&cli->request, &error);
    bool lost;

    if (status == STATUS_OK)
        status = session_connect(&session, loader_path(), &error);
    if (status != STATUS_OK)
        return fail(&error);
    session.stop = &stop_requested;
    install_stop_handler();
    status = session_open(&session, cli->device, cli->timeout_s, &error);
    if (status == STATUS_OK)
        status = measure(&session, cli, &counts, &error);
    lost = session.lost;
    session_close(&session);
    if (status == STATUS_OK && counts.failed > 0) {
        status = error_set(&error, STATUS_FAILED,
                           "%zu measurements failed; column `reason` says why", counts.failed);
        if (cli->request.dry_run)
            error_set(&error, STATUS_FAILED, "%zu variants failed; see above", counts.failed);
    }
    if (status != STATUS_OK) {
        int code = fail(&error);

        /* The driver's exit handlers would wait for a device that no longer answers. Files are
         * closed by now. */
        if (lost) {
            fflush(NULL);
            _exit(code);
        }
        return code;
    }
    return EXIT_SUCCESS;
}

static int compare(const struct cli *cli)
{
    struct compare_request request = {
        .base = cli->files[0],
        .new = cli->files[1],
        .base_samples = cli->base_samples,
        .new_samples = cli->new_samples,
        .threshold = cli->threshold < 0.0 ? DEFAULT_THRESHOLD : cli->threshold,
        .base_size = cli->sizes[0],
        .new_size = cli->sizes[1],
    };
    struct error error;
    bool slower = false;

    if (command_compare(&request, stdout, &slower, &error) != STATUS_OK)
        return fail(&error);
    return slower ? EXIT_SLOWER : EXIT_SUCCESS;
}

static int report(const struct cli *cli)
{
    struct error error;

    if (command_report(cli->files, cli->file_count, cli->model, cli->output, stdout, &error) !=
        STATUS_OK)
        return fail(&error);
    return EXIT_SUCCESS;
}

static int fit(const struct cli *cli)
{
    struct fit_request request = {
        .files = cli->files,
        .count = cli->file_count,
        .output = cli->output,
        .seed = cli->request.options.seed,
        .as_device = cli->as_device,
        .base = cli->predict.base,
    };
    struct error error;

    if (command_fit(&request, stdout, &error) != STATUS_OK)
        return fail(&error);
    printf("model in %s\n", cli->output);
    if (cli->as_device)
        printf("device description in %s\n", cli->as_device);
    return EXIT_SUCCESS;
}

static int check(const struct cli *cli)
{
    double threshold = cli->threshold < 0.0 ? CHECK_THRESHOLD : cli->threshold;
    struct error error;
    bool exceeded = false;

    if (command_check(cli->files[0], cli->predict.base, &cli->files[1], cli->file_count - 1,
                      threshold, stdout, &exceeded, &error) != STATUS_OK)
        return fail(&error);
    return exceeded ? EXIT_EXCEEDED : EXIT_SUCCESS;
}

static int predict(const struct cli *cli)
{
    struct predict_request request = cli->predict;
    struct error error;

    request.model_path = cli->files[0];
    request.family = cli->request.family_count ? cli->request.families[0] : NULL;
    request.spirv_path = cli->request.spirv_count ? cli->request.spirv[0] : NULL;
    request.preset = cli->request.preset;
    request.axis_count = cli->request.axis_count;
    memcpy(request.axes, cli->request.axes, cli->request.axis_count * sizeof request.axes[0]);
    return command_predict(&request, stdout, &error) == STATUS_OK ? EXIT_SUCCESS : fail(&error);
}

static int advise_on(const struct cli *cli)
{
    struct error error;

    if (command_advise(cli->files[0], cli->request.families[0]->name, &cli->files[1],
                       cli->file_count - 1, stdout, &error) != STATUS_OK)
        return fail(&error);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct error error;
    struct cli cli;

    setenv("VESIM_QUIET", "1", 0); /* every row says that it is emulated */
    if (family_check_all(&families, &error) != STATUS_OK ||
        cli_parse(&cli, argc, argv, &error) != STATUS_OK)
        return fail(&error);
    switch (cli.command) {
    case COMMAND_HELP:
        for (const char *const *part = cli_help; *part; part++)
            fputs(*part, stdout);
        return EXIT_SUCCESS;
    case COMMAND_VERSION:
        printf("vebench %s\n", vebench_version());
        return EXIT_SUCCESS;
    case COMMAND_DEVICES:
        return show_devices(&cli);
    case COMMAND_LIST:
        return show_families(&cli);
    case COMMAND_RUN:
        return run(&cli);
    case COMMAND_COMPARE:
        return compare(&cli);
    case COMMAND_REPORT:
        return report(&cli);
    case COMMAND_FIT:
        return fit(&cli);
    case COMMAND_CHECK:
        return check(&cli);
    case COMMAND_PREDICT:
        return predict(&cli);
    case COMMAND_ADVISE:
        return advise_on(&cli);
    }
    return EXIT_FAILURE;
}
