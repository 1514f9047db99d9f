#include "cli/run-command.h"

#include "cli/report.h"
#include "cli/requests.h"

#include <stdlib.h>
#include <unistd.h>

const char *run_loader(void)
{
    const char *path = getenv("VEBENCH_ZE_LOADER");

    return path && *path ? path : NULL;
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
                           const struct sweep_request *request, const struct run_streams *streams,
                           struct sweep_counts *counts, struct error *error)
{
    struct files files = {0};
    struct run_identity identity;
    bool dry_run = request->dry_run;
    FILE *progress = dry_run ? streams->results : streams->messages;
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
    status = sweep_run(session, request, &identity, dry_run ? NULL : &files.results,
                       files.samples.file ? &files.samples : NULL, &events, counts, error);
    if (status == STATUS_INTERRUPTED || status == STATUS_LOST)
        fputc('\n', progress);
    progress_end(&report.progress);
    if (!dry_run && report.line_count) {
        report_device(streams->results, session);
        report_table(streams->results, &report);
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

enum status command_run(const struct cli *cli, const struct run_streams *streams,
                        const volatile sig_atomic_t *stop, bool *lost, struct error *error)
{
    struct sweep_counts counts = {0};
    struct sweep_request request;
    struct session session;
    enum status status = request_sweep(cli, streams->results, &request, error);

    *lost = false;
    if (status == STATUS_OK)
        status = sweep_check(&request, error);
    if (status == STATUS_OK)
        status = session_connect(&session, run_loader(), error);
    if (status != STATUS_OK)
        return status;
    session.stop = stop;
    status = session_open(&session, cli->device, (unsigned)cli->timeout_s, error);
    if (status == STATUS_OK)
        status = measure(&session, cli, &request, streams, &counts, error);
    *lost = session.lost;
    session_close(&session);
    if (status != STATUS_OK || counts.failed == 0)
        return status;
    return error_set(error, STATUS_FAILED,
                     request.dry_run ? "%zu variants failed; see above"
                                     : "%zu measurements failed; column `reason` says why",
                     counts.failed);
}
