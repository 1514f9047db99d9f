#include "cli/run-files.h"

#include "base/columns.h"
#include "families/registry.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static const char *output_name(struct run_files *files, const struct cli *cli)
{
    static const char *const endings[] = {"csv", "json", "jsonl", "md"};
    char now[TIME_BYTES];

    if (cli->output)
        return cli->output;
    if (cli->format == FORMAT_TABLE)
        return "-";
    utc_compact_text(now);
    snprintf(files->default_output, sizeof(files->default_output), "vebench-%s.%s", now,
             endings[cli->format]);
    return files->default_output;
}

static enum status create(struct csv *csv, const char *name, FILE *out, struct error *error)
{
    if (strcmp(name, "-") != 0)
        return csv_create(csv, name, error);
    csv_attach(csv, out, "standard output");
    return STATUS_OK;
}

/* Leaves no file behind that a run has not got. */
static void remove_all(struct run_files *files)
{
    struct csv *const all[] = {&files->results, &files->samples, &files->counters};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        struct error ignored;

        if (!all[i]->file)
            continue;
        if (!all[i]->is_borrowed)
            unlink(all[i]->path);
        csv_close(all[i], &ignored);
    }
}

/* "results-counters.csv" beside "results.csv". */
static enum status create_counters(struct run_files *files, const struct cli *cli,
                                   struct error *error)
{
    const char *results = files->results.path, *slash = strrchr(results, '/');
    const char *dot = strrchr(slash ? slash : results, '.');
    char path[PATH_MAX];
    int bytes =
        snprintf(path, sizeof(path), "%.*s-counters.csv",
                 (int)(dot && dot != results ? dot - results : (int)strlen(results)), results);

    if (bytes < 0 || (size_t)bytes >= sizeof(path))
        return error_set(error, STATUS_FAILED, "%s: the name is too long", results);
    if (cli->force)
        unlink(path);
    return csv_create(&files->counters, path, error);
}

static enum status create_all(struct run_files *files, const struct cli *cli, FILE *out,
                              struct error *error)
{
    /* cli_guard() has checked what may be replaced */
    if (cli->force && cli->output)
        unlink(cli->output);
    if (cli->force && cli->samples)
        unlink(cli->samples);
    enum status status = create(&files->results, output_name(files, cli), out, error);
    if (status == STATUS_OK && cli->samples)
        status = csv_create(&files->samples, cli->samples, error);
    if (status == STATUS_OK && cli->counters)
        status = create_counters(files, cli, error);
    if (status != STATUS_OK) {
        remove_all(files);
        return status;
    }
    if (files->samples.file)
        status = samples_write_header(&files->samples, &files->axes, error);
    if (status == STATUS_OK && files->counters.file)
        status = counters_write_header(&files->counters, &files->axes, error);
    if (status != STATUS_OK || !files->has_rows)
        return status;
    files->results.format = (enum row_format)cli->format;
    return results_write_header(&files->results, &files->axes, error);
}

/* A file without rows starts over, whatever it holds. */
static enum status begin_again(struct csv *csv, const char *path, struct error *error)
{
    return access(path, F_OK) == 0 ? csv_continue(csv, path, 0, error)
                                   : csv_create(csv, path, error);
}

static enum status resume_all(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                              struct error *error)
{
    const struct resume_request request = {cli->output, cli->samples, cli->seed, cli->each};
    struct resume *resume = &files->resume;
    enum status status = resume_plan(resume, sweep, &request, error);

    if (status == STATUS_OK)
        status = resume->has_rows
                     ? csv_continue(&files->results, cli->output, resume->results_bytes, error)
                     : begin_again(&files->results, cli->output, error);
    if (status == STATUS_OK && cli->samples)
        status = resume->has_rows
                     ? csv_continue(&files->samples, cli->samples, resume->samples_bytes, error)
                     : begin_again(&files->samples, cli->samples, error);
    if (status != STATUS_OK || resume->has_rows)
        return status;
    if (cli->samples)
        status = samples_write_header(&files->samples, &files->axes, error);
    return status == STATUS_OK ? results_write_header(&files->results, &files->axes, error)
                               : status;
}

enum status run_files_create(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                             FILE *out, struct error *error)
{
    memset(files, 0, sizeof(*files));
    files->has_rows = cli->format != FORMAT_TABLE;
    enum status status = axis_columns_fill(&files->axes, &families, error);
    if (status != STATUS_OK)
        return status;
    if (!cli->resume)
        return create_all(files, cli, out, error);
    if (!cli->output || !strcmp(cli->output, "-") || cli->format != FORMAT_CSV)
        return error_set(error, STATUS_USAGE,
                         "--resume continues a CSV file: name it with --output");
    return resume_all(files, cli, sweep, error);
}

enum status run_files_close(struct run_files *files, struct error *error)
{
    enum status status = STATUS_OK;

    if (files->has_rows)
        status = columns_write_end(&files->results, error);
    status = csv_finish(&files->results, status, error);
    status = csv_finish(&files->samples, status, error);
    return csv_finish(&files->counters, status, error);
}
