#include "run/run-files.h"

#include "base/columns.h"
#include "base/streams.h"
#include "families/registry.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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

/* "results-counters.csv" beside "results.csv". */
static enum status name_counters(struct run_files *files, struct error *error)
{
    const char *results = files->output, *slash = strrchr(results, '/');
    const char *dot = strrchr(slash ? slash : results, '.');
    int bytes =
        snprintf(files->counters, sizeof(files->counters), "%.*s-counters.csv",
                 (int)(dot && dot != results ? dot - results : (int)strlen(results)), results);

    return bytes < 0 || (size_t)bytes >= sizeof(files->counters)
               ? error_set(error, STATUS_FAILED, "%s: the name is too long", results)
               : STATUS_OK;
}

/* The words of the command line as one text, which the caller frees. */
static char *join_words(char *const *argv)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = stream_open_text(&text, &bytes);

    if (!out)
        return NULL;
    for (size_t i = 0; argv[i]; i++)
        fprintf(out, "%s%s", i ? " " : "", argv[i]);
    struct error ignored;
    stream_close_text(out, &text, &ignored);
    return text;
}

bool run_files_on_output(const struct run_files *files)
{
    return !strcmp(files->output, "-");
}

static bool is_folder(const char *path)
{
    struct stat status;

    return path[0] &&
           (path[strlen(path) - 1] == '/' || (stat(path, &status) == 0 && S_ISDIR(status.st_mode)));
}

bool run_files_in_folder(const struct cli *cli)
{
    return cli->output && is_folder(cli->output);
}

uint64_t run_files_node_key(void)
{
    char host[HOST_BYTES];
    uint64_t key = 0;

    host_name(host);
    for (const char *c = host; *c; c++)
        key = key * 131 + (unsigned char)*c;
    return key | 1;
}

/* FOLDER/MACHINE.csv of this machine, in a folder that may have to be made. */
static enum status name_node(struct run_files *files, enum store_part part, const char *folder,
                             const struct ranks *ranks, bool shares_name, struct error *error)
{
    char host[HOST_BYTES], rank[16] = "", *name = files->node[part];
    size_t length = strlen(folder);

    while (length > 1 && folder[length - 1] == '/')
        length--;
    host_name(host);
    if (shares_name)
        snprintf(rank, sizeof(rank), "-%u", ranks->leader);
    if (length + HOST_BYTES + 32 > PATH_MAX)
        return error_set(error, STATUS_FAILED, "%s: the name is too long", folder);
    int bytes = snprintf(name, PATH_MAX, "%.*s", (int)length, folder);
    if (mkdir(name, 0777) != 0 && errno != EEXIST)
        return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", name,
                         strerror(errno));
    snprintf(name + bytes, PATH_MAX - (size_t)bytes, "/%s%s.csv", host, rank);
    return STATUS_OK;
}

/* Each machine has files of its own, in the folders that are named for them. */
static enum status name_nodes(struct run_files *files, const struct cli *cli,
                              const struct ranks *ranks, bool shares_name,
                              struct store_request *request, struct error *error)
{
    enum status status = STATUS_OK;

    if (cli->format != FORMAT_CSV || cli->counters)
        return error_set(error, STATUS_USAGE,
                         "--output %s: a folder gets CSV files, without --counters", cli->output);
    for (size_t i = 0; status == STATUS_OK && i < STORE_PARTS; i++) {
        if (!request->path[i])
            continue;
        if (!is_folder(request->path[i]))
            return error_set(error, STATUS_USAGE,
                             "--samples %s: name a folder, as for --output, with a / at its end",
                             request->path[i]);
        status = name_node(files, (enum store_part)i, request->path[i], ranks, shares_name, error);
        request->path[i] = files->node[i];
    }
    snprintf(files->folder, sizeof(files->folder), "%s", files->node[STORE_RESULTS]);
    if (status == STATUS_OK)
        *strrchr(files->folder, '/') = '\0';
    if (ranks->rank == 0)
        request->folder = files->folder;
    return status;
}

static enum status fill_request(struct run_files *files, const struct cli *cli, FILE *out,
                                struct store_request *request, struct error *error)
{
    bool has_file = files->has_rows && !run_files_on_output(files);

    *request = (struct store_request){
        .path = {[STORE_RESULTS] = has_file ? files->output : NULL,
                 [STORE_SAMPLES] = cli->samples,
                 [STORE_COUNTERS] = cli->counters ? files->counters : NULL},
        .stream = files->has_rows && !has_file ? out : NULL,
        .format = files->has_rows ? (enum row_format)cli->format : ROWS_CSV,
        .axes = &files->axes,
        .command = files->command,
        .replaces = cli->force, /* cli_guard() has checked what may be replaced */
    };
    return cli->counters ? name_counters(files, error) : STATUS_OK;
}

enum status run_files_lock(struct run_files *files, const struct cli *cli, struct ranks *ranks,
                           bool shares_name, FILE *out, struct error *error)
{
    struct store_request request;

    memset(files, 0, sizeof(*files));
    if (cli->resume && (!cli->output || !strcmp(cli->output, "-") || cli->format != FORMAT_CSV))
        return error_set(error, STATUS_USAGE,
                         "--resume continues a CSV file: name it with --output");
    files->has_rows = cli->format != FORMAT_TABLE;
    files->output = output_name(files, cli);
    files->command = join_words(cli->argv);
    if (!files->command)
        return error_out_of_memory(error);
    enum status status = axis_columns_fill(&files->axes, &families, error);
    if (status == STATUS_OK)
        status = fill_request(files, cli, out, &request, error);
    if (status == STATUS_OK && ranks && !ranks->is_one_file)
        status = name_nodes(files, cli, ranks, shares_name, &request, error);
    request.ranks = ranks;
    request.holds = cli->budget != NULL;
    if (status == STATUS_OK)
        status = store_lock(&files->store, &request, error);
    files->has_store = status == STATUS_OK;
    if (status != STATUS_OK)
        free(files->command);
    return status;
}

static enum status create_all(struct run_files *files, const struct cli *cli, FILE *out,
                              struct error *error)
{
    enum status status = STATUS_OK;

    if (!files->has_rows && cli->output && !run_files_on_output(files)) {
        if (cli->force)
            unlink(cli->output);
        status = csv_create(&files->table, cli->output, error);
    } else if (!files->has_rows) {
        csv_attach(&files->table, out, "standard output");
    }
    if (status != STATUS_OK)
        return status;
    status = store_create(&files->store, error);
    if (status != STATUS_OK && files->table.file && !files->table.is_borrowed)
        unlink(files->table.path);
    return status;
}

static enum status resume_all(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                              struct ranks *ranks, struct error *error)
{
    const struct store_request *names = &files->store.request;
    const struct resume_request request = {
        .results = names->path[STORE_RESULTS],
        .samples = names->path[STORE_SAMPLES],
        .folder = ranks && !ranks->is_one_file && !cli->each ? files->folder : NULL,
        .ranks = ranks,
        .seed = cli->seed,
        .each = cli->each,
    };
    struct agreement all_have_read = {.is_last = false};
    enum status status = resume_plan(&files->resume, sweep, &request, error);

    /* Then those who write cut off what is in doubt. */
    if (status == STATUS_OK && ranks) {
        error->status = STATUS_OK;
        status = ranks_agree(ranks, &all_have_read, error);
    }
    if (status != STATUS_OK)
        return status;
    if (!files->resume.has_rows) { /* a file without rows starts over, whatever it holds */
        files->store.request.replaces = true;
        return store_create(&files->store, error);
    }
    return store_continue(&files->store, files->resume.rest, error);
}

enum status run_files_create(struct run_files *files, const struct cli *cli, struct sweep *sweep,
                             struct ranks *ranks, FILE *out, struct error *error)
{
    return cli->resume ? resume_all(files, cli, sweep, ranks, error)
                       : create_all(files, cli, out, error);
}

struct store *run_files_store(struct run_files *files)
{
    return files->has_store ? &files->store : NULL;
}

enum status run_files_close(struct run_files *files, struct error *error)
{
    enum status status = files->has_store ? store_close(&files->store, error) : STATUS_OK;

    free(files->command);
    return csv_finish(&files->table, status, error);
}
