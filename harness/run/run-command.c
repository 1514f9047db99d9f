#include "run/run-command.h"

#include "base/streams.h"
#include "base/text.h"
#include "cli/style.h"
#include "run/plan-print.h"
#include "run/run-files.h"
#include "run/run-table.h"
#include "run/sweep-request.h"
#include "ze/emulator.h"

#include <stdlib.h>
#include <string.h>

const char *run_loader(void)
{
    const char *path = getenv("VEBENCH_ZE_LOADER");

    return path && *path ? path : NULL;
}

/* Joins all notes into one text that the caller frees; NULL if there are none. */
static enum status join_notes(const struct words *notes, char **text, struct error *error)
{
    size_t bytes;

    *text = NULL;
    if (notes->count == 0)
        return STATUS_OK;
    for (size_t i = 0; i < notes->count; i++) {
        const char *note = notes->word[i];
        const char *equals = strchr(note, '=');

        if (!equals || equals == note || strpbrk(note, ";\r\n"))
            return error_set(error, STATUS_USAGE,
                             "--note %s: write KEY=VALUE, without semicolons and line breaks",
                             note);
    }
    FILE *out = stream_open_text(text, &bytes);
    if (!out)
        return error_out_of_memory(error);
    for (size_t i = 0; i < notes->count; i++)
        fprintf(out, "%s%s", i ? "; " : "", notes->word[i]);
    return stream_close_text(out, text, error);
}

/* Counts by outcome; failures stand out. */
static void put_counts(FILE *out, const struct sweep_counts *counts, const struct run_files *files)
{
    fprintf(out, "%zu ok, %zu skipped, %zu unreliable, %s%zu failed%s", counts->ok, counts->skipped,
            counts->unreliable, counts->failed ? style_begin(out, STYLE_BAD) : "", counts->failed,
            counts->failed ? style_end(out) : "");
    if (counts->excluded)
        fprintf(out,
                "; %zu combinations left out, which mean nothing, repeat another or were not "
                "requested",
                counts->excluded);
    if (!files)
        fputs("; nothing was run", out);
    else if (files->has_rows && !run_files_on_output(files)) {
        fputs("; rows in ", out);
        text_put(out, files->output);
    }
    fputc('\n', out);
}

/* How the GPUs stand to each other, where all have measured all. */
static void put_peers(FILE *out, const struct totals *totals)
{
    if (totals->compared == 0)
        return;
    fprintf(out, "%u GPUs compared, %u slower than the others by the median of their figures%s",
            totals->compared, totals->slow, totals->slow ? ":" : "");
    for (uint32_t i = 0; i < totals->slow && i < SLOW_RANKS; i++) {
        const struct slow_rank *slow = &totals->slowest[i];

        fprintf(out, "\n  rank %u on %s by %.3g %%, of %u figures", slow->rank, slow->host,
                100.0 * slow->deviation, slow->figures);
    }
    fprintf(out, "%s; vebench fleet judges each figure\n",
            totals->slow > SLOW_RANKS ? "\n  and others" : "");
}

/* When nothing is run, the list of what could be built is the result. */
static FILE *message_stream(const struct cli *cli, const struct run_streams *streams)
{
    return cli->build_only ? streams->results : streams->messages;
}

/* A run: one sweep, or one per device. */
struct run_command {
    const struct cli *cli;
    struct sweep_request *request;
    const struct run_streams *streams;
    struct sweep *sweep;
    bool has_lock;    /* of the files */
    bool has_files;   /* and therefore an identity */
    bool shares_name; /* the machine has the name of another that has ranks of this run */
    char *notes;      /* owned */
    struct run_files files;
    struct run_identity identity;
    struct run_table table;
    struct sweep_counts counts; /* totals of all sweeps */
};

/* Tables are shown if asked for or if few, but never mixed with rows on standard output. */
static FILE *table_stream(const struct run_command *run)
{
    const struct cli *cli = run->cli;

    if (cli->build_only || run->request->ranks) /* no rank has measured all of it */
        return NULL;
    if (!run->files.has_rows)
        return run->files.table.file;
    bool rows_on_output = run_files_on_output(&run->files);
    if (rows_on_output || cli->quiet)
        return cli->table && !rows_on_output ? run->streams->results : NULL;
    return cli->table || cli->words.count ? run->streams->results : NULL;
}

/* Rank 0 speaks for all. */
static bool speaks(const struct run_command *run)
{
    return !run->request->ranks || run->request->ranks->rank == 0;
}

static bool is_quiet_rank(const struct run_command *run)
{
    return run->cli->quiet || !speaks(run);
}

static enum status run_sweep(struct run_command *run, struct sweep_counts *counts,
                             struct error *error)
{
    const struct cli *cli = run->cli;
    FILE *messages = message_stream(cli, run->streams);
    bool is_quiet = is_quiet_rank(run);
    struct sweep_events events = run_table_events(&run->table);
    FILE *table = table_stream(run);

    run->table.target = sweep_target(run->sweep);
    run->table.keeps_lines = table != NULL;
    run->table.time_unit = (enum time_unit)cli->time_unit;
    progress_init(&run->table.progress, messages,
                  is_quiet                          ? VERBOSITY_QUIET
                  : cli->verbose || cli->build_only ? VERBOSITY_ALL
                                                    : VERBOSITY_NORMAL,
                  run->sweep);
    if (!is_quiet) {
        run_table_device(messages, run->table.target);
        plan_print_gap(messages, run->sweep);
    }
    struct store *store = run_files_store(&run->files);
    enum status status = sweep_run(run->sweep, &run->identity, store, &events, counts, error);
    if (status_is_failure(status) && store && store_can_resume(store))
        error_append(error, "; what is measured is kept: run again with --resume --output %s",
                     run->files.output);
    if ((status == STATUS_INTERRUPTED || status == STATUS_LOST) && speaks(run))
        fputc('\n', messages);
    progress_end(&run->table.progress);
    if (table && run->table.line_count) {
        run_table_device(table, run->table.target);
        run_table_print(table, &run->table);
        fflush(table);
    }
    return status;
}

/* Opens what all sweeps of the run share. */
static enum status open_files(struct run_command *run, struct error *error)
{
    bool build_only = run->request->build_only;
    enum status status = join_notes(&run->cli->notes, &run->notes, error);

    if (status == STATUS_OK && !build_only && !emulator_keeps_time())
        status = error_set(error, STATUS_FAILED,
                           "the emulated device runs without its clock, so there is nothing to "
                           "measure: run vesim without --functional");
    if (status == STATUS_OK && !build_only)
        status = run_files_create(&run->files, run->cli, run->sweep, run->request->ranks,
                                  run->streams->results, error);
    if (status != STATUS_OK)
        return status;
    run->has_files = true;
    if (!run->request->ranks)
        run_identity_fill(&run->identity);
    run->identity.notes = run->notes;
    run->identity.axes = &run->files.axes;
    if (run->files.resume.has_rows) /* under the earlier run's id */
        memcpy(run->identity.run_id, run->files.resume.run_id, sizeof(run->identity.run_id));
    return STATUS_OK;
}

static void add_counts(struct sweep_counts *sum, const struct sweep_counts *counts)
{
    sum->ok += counts->ok;
    sum->skipped += counts->skipped;
    sum->failed += counts->failed;
    sum->unreliable += counts->unreliable;
    sum->excluded += counts->excluded;
}

/* Sweeps an open device, and reports on it. */
static enum status measure_sweep(struct run_command *run, struct error *error)
{
    struct sweep_counts counts = {0};
    enum status status = run->has_files ? STATUS_OK : open_files(run, error);

    if (status != STATUS_OK)
        return status;
    status = run_sweep(run, &counts, error);
    add_counts(&run->counts, &counts);
    if (!is_quiet_rank(run))
        put_peers(message_stream(run->cli, run->streams), sweep_totals(run->sweep));
    run_table_free(&run->table);
    return status;
}

/* Prints the plan instead of sweeping. */
static enum status print_plan(const struct run_command *run, struct error *error)
{
    const struct cli *cli = run->cli;
    FILE *out = run->streams->results;
    struct run_times times;
    enum status status = STATUS_OK;

    if (cli->like)
        status = run_times_read(&times, cli->like, sweep_target(run->sweep), error);
    if (status != STATUS_OK)
        return status;
    run_table_device(out, sweep_target(run->sweep));
    plan_print(out, run->sweep, run->request, cli->like ? &times : NULL,
               cli->verbose || cli->words.count);
    return STATUS_OK;
}

/* `*devices` receives the number of devices that the driver reports. */
static enum status sweep_device(struct run_command *run, size_t *devices, struct error *error)
{
    enum status status = sweep_open(&run->sweep, run->request, error);

    if (status != STATUS_OK)
        return status;
    *devices = sweep_target(run->sweep)->device_count;
    if (!run->cli->dry_run)
        status = measure_sweep(run, error);
    else if (speaks(run))
        status = print_plan(run, error);
    sweep_close(run->sweep);
    return status;
}

/* Before the device is opened: a run that is refused disturbs no other. */
static enum status lock_files(struct run_command *run, struct error *error)
{
    const struct cli *cli = run->cli;

    if (cli->dry_run || cli->build_only)
        return STATUS_OK;
    enum status status = run_files_lock(&run->files, cli, run->request->ranks, run->shares_name,
                                        run->streams->results, error);
    run->has_lock = status == STATUS_OK;
    const char *unlocked = run->has_lock ? store_unlocked(&run->files.store) : NULL;
    if (unlocked && !is_quiet_rank(run)) {
        text_put(run->streams->messages, unlocked);
        fputs(" is on a file system without locks: see to it that no other run writes there\n",
              run->streams->messages);
    }
    return status;
}

static enum status sweep_all(struct run_command *run, struct error *error)
{
    bool all = run->cli->device && !strcmp(run->cli->device, "all");
    enum status status = STATUS_OK;
    size_t devices = 1;

    for (size_t i = 0; status == STATUS_OK && i < (all ? devices : 1); i++) {
        char index[24];

        snprintf(index, sizeof(index), "%zu", i);
        if (all)
            run->request->device = index;
        status = sweep_device(run, &devices, error);
    }
    return status;
}

/* Closes the files and prints the outcome, however the run ended. */
static enum status finish(struct run_command *run, enum status status, struct error *error)
{
    bool build_only = run->request->build_only;
    struct error close_error;

    if (run->has_lock && run_files_close(&run->files, &close_error) != STATUS_OK &&
        status == STATUS_OK) {
        *error = close_error;
        status = STATUS_FAILED;
    }
    if (run->has_files && !is_quiet_rank(run))
        put_counts(message_stream(run->cli, run->streams), &run->counts,
                   build_only ? NULL : &run->files);
    free(run->notes);
    if (status != STATUS_OK || run->counts.failed == 0)
        return status;
    return error_set(error, STATUS_FAILED,
                     build_only ? "%zu variant%s failed; see above"
                                : "%zu measurement%s failed; column `reason` says why",
                     run->counts.failed, run->counts.failed == 1 ? "" : "s");
}

/* Before anything is opened: are all of them started alike? Two leaders of nodes of the same name
 * get files of different names. */
static enum status meet_ranks(struct run_command *run, struct error *error)
{
    struct ranks *ranks = run->request->ranks;
    struct rank_hello hello;
    struct agreement agreement = {.tells = {(const char *)&hello, sizeof(hello)}};

    if (!ranks)
        return STATUS_OK;
    rank_hello_fill(&hello, ranks->digest);
    ranks->is_one_file = !run_files_in_folder(run->cli);
    agreement.key = ranks->is_one_file ? 0 : run_files_node_key();
    agreement.is_of_node = true;
    error->status = STATUS_OK;
    if (ranks_agree(ranks, &agreement, error) != STATUS_OK)
        return error->status;
    if (agreement.told.bytes != sizeof(hello))
        return error_set(error, STATUS_FAILED, "vebench-mpi is of another version");
    memcpy(&hello, agreement.told.at, sizeof(hello));
    run->shares_name = agreement.twin != WIRE_NOBODY;
    run->identity = hello.identity;
    return rank_hello_check(&hello, ranks, error);
}

enum status run_request(const struct cli *cli, struct sweep_request *request,
                        const struct run_streams *streams, struct error *error)
{
    struct run_command run = {.cli = cli, .request = request, .streams = streams};
    enum status status = sweep_check(request, error);

    if (status == STATUS_OK)
        status = meet_ranks(&run, error);
    if (status == STATUS_OK)
        status = lock_files(&run, error);
    if (status == STATUS_OK)
        status = sweep_all(&run, error);
    if (request->ranks && status != STATUS_OK) {
        ranks_refuse(request->ranks, error);
        status = error->status;
    }
    return finish(&run, status, error);
}

enum status run_refuse(struct ranks *ranks, struct error *error)
{
    if (ranks)
        ranks_refuse(ranks, error);
    return error->status;
}

enum status command_run(const struct cli *cli, struct ranks *ranks,
                        const struct run_streams *streams, const volatile sig_atomic_t *stop,
                        struct error *error)
{
    struct sweep_request request;
    bool rows_on_output = cli->output && !strcmp(cli->output, "-");
    enum status status =
        request_sweep(cli, rows_on_output ? streams->messages : streams->results, &request, error);

    request.stop = stop;
    request.ranks = ranks;
    if (status == STATUS_OK)
        return run_request(cli, &request, streams, error);
    return run_refuse(ranks, error);
}
