#include "commands/measurable.h"

#include "base/csv.h"
#include "base/streams.h"
#include "base/version.h"
#include "run/bench-sweep.h"
#include "run/run-command.h"
#include "sweep/results.h"
#include "ze/emulator.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WHOLE_LIMIT_S 300u
#define SHORT_LIMIT_S 90u

/* Between two readings of what other clients have used. */
#define CLIENTS_APART_NS 500000000

/* What a child process has found out, in memory that it shares. */
struct trial {
    struct target target;
    struct selftest test;
    enum status status; /* STATUS_LOST until it is known */
    struct error error;
};

static void try(struct trial *trial, const char *selector, enum selftest_extent extent)
{
    struct session session;
    enum status status = session_connect(&session, run_loader(), &trial->error);

    if (status == STATUS_OK) {
        status = session_open(&session, selector, 0, &trial->error);
        if (status == STATUS_OK)
            session_target(&session, &trial->target);
        if (status == STATUS_OK)
            status = selftest_run(&session, extent, &trial->test, &trial->error);
        session_close(&session);
    }
    trial->status = status;
}

/* In a process of its own: a driver that crashes, exits or hangs is a finding. NULL: out of memory.
 * Release with forget(). */
static struct trial *try_apart(const char *selector, enum selftest_extent extent)
{
    struct trial *trial =
        mmap(NULL, sizeof(*trial), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int state = 0;

    if (trial == MAP_FAILED)
        return NULL;
    trial->status =
        error_set(&trial->error, STATUS_LOST, "cannot start a process: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(extent == SELFTEST_SHORT ? SHORT_LIMIT_S : WHOLE_LIMIT_S);
        error_set(&trial->error, STATUS_LOST, "driver or device crash or do not answer");
        try(trial, selector, extent);
        _exit(0);
    }
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    return trial;
}

static void forget(struct trial *trial)
{
    if (trial)
        munmap(trial, sizeof(*trial));
}

static const struct machine_gpu *gpu_of(const struct machine *machine, const struct target *target)
{
    for (size_t i = 0; i < machine->gpu_count; i++) {
        if (!strcmp(machine->gpu[i].pci_address, target->device.pci_address))
            return &machine->gpu[i];
    }
    return NULL;
}

static void watch_clients(struct clients *clients, const char *pci_address)
{
    const struct timespec pause = {0, CLIENTS_APART_NS};
    struct clients before;

    clients_read(&before, "", pci_address);
    if (before.count > 0)
        nanosleep(&pause, NULL);
    clients_read(clients, "", pci_address);
    clients_use(clients, &before);
}

static void judge(struct doctor *doctor, const struct trial *trial, const struct clients *clients,
                  const struct records *records)
{
    struct machine machine;
    struct utsname system = {.release = "unknown"};

    machine_look(&machine, "");
    uname(&system);
    measurable_judge(doctor, &(struct measurable){.target = trial->target,
                                                  .test = trial->test,
                                                  .gpu = gpu_of(&machine, &trial->target),
                                                  .clients = clients,
                                                  .records = records,
                                                  .kernel = system.release});
}

static void put_short(const struct doctor *doctor, const struct selftest *test, FILE *out)
{
    double mhz = test->counted_mhz > 0.0 ? test->counted_mhz : test->asked_mhz;

    if (doctor->wrong) {
        fprintf(out, "self-test: %s (vebench doctor --measure says what to change)\n",
                doctor->first_wrong);
        return;
    }
    fputs("self-test: this machine can be measured; ", out);
    if (mhz > 0.0)
        fprintf(out, "%.0f MHz after %.0f ms, ", mhz, test->ramp_ms);
    else
        fputs("its clock is not known, ", out);
    fprintf(out, "launches differ by %.2g %%\n", 100.0 * test->scatter);
}

void measurable_short(const char *selector, FILE *out)
{
    struct trial *trial = try_apart(selector, SELFTEST_SHORT);
    FILE *nowhere = fopen("/dev/null", "w");
    struct clients clients;

    if (trial && nowhere && trial->status == STATUS_OK && !trial->test.is_emulated) {
        struct doctor doctor = {.out = nowhere};

        watch_clients(&clients, trial->target.device.pci_address);
        judge(&doctor, trial, &clients, NULL);
        put_short(&doctor, &trial->test, out);
    }
    if (nowhere)
        fclose(nowhere);
    forget(trial);
}

/* A chain of instructions, arithmetic and reading of the whole device. */
static enum status measure_rows(const struct cli *cli, const char *file, bool is_emulated,
                                struct error *error)
{
    const char *const words[] = {"pipeline",
                                 "device_arithmetic",
                                 "device_bandwidth",
                                 "--axis",
                                 "subgroup_size=16",
                                 "--axis",
                                 is_emulated ? "working_set=64K" : "working_set=8L",
                                 "--variant",
                                 "register",
                                 "--variant",
                                 "fp32",
                                 "--variant",
                                 "read",
                                 "--force",
                                 "--quiet",
                                 NULL};
    struct bench_device device = {.is_emulated = emulator_device_name() != NULL};
    enum status status = bench_find_programs(&device, error);
    int code = CLI_FAILED;

    if (status == STATUS_OK)
        status = bench_run(&device, cli, file, words, &code, error);
    if (status == STATUS_OK && access(file, R_OK) != 0)
        status = error_set(error, STATUS_FAILED, "the sweep measured nothing");
    return status;
}

/* Rows as vebench wrote them, but for the name of the machine. */
static enum status append_rows(FILE *report, const char *name, const struct csv_table *table,
                               struct error *error)
{
    size_t host = csv_table_column(table, "host");
    enum status status = STATUS_OK;
    struct csv csv;

    csv_attach(&csv, report, name);
    for (size_t row = 0; status == STATUS_OK && row <= table->row_count; row++) {
        for (size_t c = 0; c < table->column_count; c++)
            csv_text(&csv, row > 0 && c == host ? "" : table->cells[row * table->column_count + c]);
        status = csv_end_row(&csv, error);
    }
    return status;
}

/* The lines as comments, then the rows: so the file is one of results, too. */
static enum status write_report(const char *path, char *lines, const struct records *records,
                                struct error *error)
{
    FILE *report = fopen(path, "w");
    enum status status = STATUS_OK;
    char *rest = lines;

    if (!report)
        return error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    for (char *line; (line = strtok_r(rest, "\n", &rest));)
        fprintf(report, "# %s\r\n", line);
    if (records && records->table_count > 0)
        status = append_rows(report, path, &records->tables[0], error);
    if (fclose(report) != 0 && status == STATUS_OK)
        status = error_set(error, STATUS_FAILED, "cannot write %s: %s", path, strerror(errno));
    return status;
}

static void put_measurable(struct doctor *doctor, const struct selftest *test)
{
    const char *verdict = test->is_emulated
                              ? "An emulated device: its figures repeat, and are not a GPU's."
                          : test->counted_mhz > 0.0 || test->asked_mhz > 0.0
                              ? "This machine can be measured."
                              : "This machine can be measured, in nanoseconds but not in cycles.";
    char text[120];

    snprintf(text, sizeof(text),
             "This machine cannot be measured well: %u line%s above say%s what to change.",
             doctor->wrong, doctor->wrong == 1 ? "" : "s", doctor->wrong == 1 ? "s" : "");
    fprintf(doctor->out, "%s\n", doctor->wrong ? text : verdict);
    fprintf(doctor->report, "%s\n", doctor->wrong ? text : verdict);
}

static void judge_whole(struct doctor *doctor, const struct cli *cli, const struct trial *trial,
                        const char *file, struct records *records)
{
    struct clients clients;
    struct error error;

    fprintf(doctor->report, "vebench %s doctor --measure: %s%s\n", vebench_version(),
            trial->target.device.name, trial->test.is_emulated ? ", EMULATED" : "");
    watch_clients(&clients, trial->target.device.pci_address);
    if (!cli->quiet)
        fputs("Running a chain of instructions, arithmetic and reading...\n", stderr);
    enum status status = measure_rows(cli, file, trial->test.is_emulated, &error);
    if (status == STATUS_OK)
        status = records_read(records, &file, 1, &error);
    judge(doctor, trial, &clients, status == STATUS_OK ? records : NULL);
    if (status != STATUS_OK)
        diagnose(doctor, DIAGNOSIS_WRONG, "rows", "%s", error.text);
    put_measurable(doctor, &trial->test);
}

enum status command_measurable(const struct cli *cli, FILE *out, unsigned *wrong,
                               struct error *error)
{
    char now[TIME_BYTES], path[PATH_MAX], file[PATH_MAX + 8], *lines = NULL;
    struct records records = {.count = 0};
    size_t bytes = 0;
    struct doctor doctor = {.out = out, .report = stream_open_text(&lines, &bytes)};

    utc_compact_text(now);
    if (cli->output)
        snprintf(path, sizeof(path), "%s", cli->output);
    else
        snprintf(path, sizeof(path), "doctor-%s.txt", now);
    snprintf(file, sizeof(file), "%s.rows", path);
    if (!cli->quiet)
        fputs("Watching timer, clock, launches and load...\n", stderr);
    struct trial *trial = try_apart(bench_selector(cli), SELFTEST_WHOLE);
    enum status status = !trial || !doctor.report ? error_out_of_memory(error) : trial->status;
    if (trial && status != STATUS_OK)
        *error = trial->error;
    if (status == STATUS_OK) {
        judge_whole(&doctor, cli, trial, file, &records);
        status = stream_close_text(doctor.report, &lines, error);
        doctor.report = NULL;
        if (status == STATUS_OK)
            status = write_report(path, lines, &records, error);
        unlink(file);
    }
    if (status == STATUS_OK)
        fprintf(out, "report %s\n", path);
    *wrong = doctor.wrong;
    if (doctor.report)
        fclose(doctor.report);
    free(lines);
    records_free(&records);
    forget(trial);
    return status;
}
