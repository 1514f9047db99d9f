#include "cli/run-files.h"

#include "base/columns.h"
#include "families/registry.h"

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

static enum status create_samples(struct run_files *files, const struct cli *cli,
                                  struct error *error)
{
    struct error ignored;
    enum status status = csv_create(&files->samples, cli->samples, error);

    if (status == STATUS_OK)
        return samples_write_header(&files->samples, &files->axes, error);
    if (!files->results.is_borrowed)
        unlink(files->results.path);
    csv_close(&files->results, &ignored);
    return status;
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
        status = create_samples(files, cli, error);
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
    return csv_finish(&files->samples, status, error);
}
