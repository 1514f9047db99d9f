#include "cli/run-files.h"

#include "base/columns.h"

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
    snprintf(files->default_output, sizeof files->default_output, "vebench-%s.%s", now,
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
        return samples_write_header(&files->samples, error);
    if (!files->results.is_borrowed)
        unlink(files->results.path);
    csv_close(&files->results, &ignored);
    return status;
}

enum status run_files_create(struct run_files *files, const struct cli *cli, FILE *out,
                             struct error *error)
{
    enum status status;

    memset(files, 0, sizeof *files);
    /* What may be replaced has been looked at: cli_guard(). */
    if (cli->force && cli->output)
        unlink(cli->output);
    if (cli->force && cli->samples)
        unlink(cli->samples);
    files->has_rows = cli->format != FORMAT_TABLE;
    status = create(&files->results, output_name(files, cli), out, error);
    if (status == STATUS_OK && cli->samples)
        status = create_samples(files, cli, error);
    if (status != STATUS_OK || !files->has_rows)
        return status;
    files->results.format = (enum row_format)cli->format;
    return results_write_header(&files->results, error);
}

enum status run_files_close(struct run_files *files, struct error *error)
{
    struct error other;
    enum status status = STATUS_OK, samples;

    if (files->has_rows)
        status = columns_write_end(&files->results, error);
    if (csv_close(&files->results, &other) != STATUS_OK && status == STATUS_OK) {
        *error = other;
        status = STATUS_FAILED;
    }
    samples = csv_close(&files->samples, &other);
    if (status == STATUS_OK && samples != STATUS_OK) {
        *error = other;
        status = samples;
    }
    return status;
}
