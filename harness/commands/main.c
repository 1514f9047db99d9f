/* vebench: the only file that prints and exits. */
#include "base/streams.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/wrap.h"
#include "commands/bench-command.h"
#include "commands/commands.h"
#include "commands/doctor.h"
#include "commands/fleet-command.h"
#include "commands/inventory.h"
#include "commands/kernel-command.h"
#include "commands/measurable.h"
#include "commands/plausible-command.h"
#include "commands/requests.h"
#include "commands/watch-command.h"
#include "families/registry.h"
#include "rows/csv-read.h"
#include "run/bench-sweep.h"
#include "run/join.h"
#include "run/run-command.h"
#include "ze/emulator.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
    stop_requested = signal_number;
}

/* The same, and says so: a configuration may take minutes. */
static void tell_and_request_stop(int signal_number)
{
    static const char told[] = "\nvebench: stopping once the current configurations are done; a "
                               "second signal ends it now\n";
    int before = errno;

    request_stop(signal_number);
    if (write(STDERR_FILENO, told, sizeof(told) - 1) < 0) {
        /* there is nobody to tell */
    }
    errno = before;
}

/* The first signal stops the run after the configurations in progress; a second one ends the
 * process at once. */
static void install_stop_handler(void (*handler)(int signal_number))
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action.sa_handler = handler;
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static int fail(const struct error *error)
{
    fprintf(stderr, "vebench: %s\n", error->text);
    if (error->status == STATUS_INTERRUPTED)
        return stop_requested == SIGTERM ? CLI_TERMINATED : CLI_INTERRUPTED;
    return error->status == STATUS_USAGE ? CLI_USAGE : CLI_FAILED;
}

/* Once, however often the file is read. */
static void warn_of_torn_row(const char *path, unsigned line)
{
    static char told_path[PATH_MAX];
    static unsigned told_line;

    if (told_line == line && strcmp(told_path, path) == 0)
        return;
    told_line = line;
    snprintf(told_path, sizeof(told_path), "%s", path);
    fprintf(stderr,
            "vebench: %s:%u: the last row is cut off and left out; vebench run --resume measures "
            "it again\n",
            path, line);
}

static int end(enum status status, const struct error *error)
{
    return status == STATUS_OK ? CLI_DONE : fail(error);
}

/* A failure to write standard output is an error, unless there already is one. What was found is
 * none: nobody can read it. */
static int close_output(int code)
{
    struct error error;

    if (stream_close(stdout, "standard output", &error) == STATUS_OK)
        return code;
    fail(&error);
    return code == CLI_DONE || code == CLI_FOUND ? CLI_FAILED : code;
}

static bool as_json(const struct cli *cli)
{
    return cli->json || cli->listing == LISTING_JSON;
}

static int show_devices(const struct cli *cli)
{
    struct session session;
    struct error error;

    if (cli->list_counters)
        counters_prepare();
    enum status status = session_connect(&session, run_loader(), &error);

    if (status != STATUS_OK)
        return fail(&error);
    status = inventory_devices(stdout, &session, cli->list_counters, as_json(cli), &error);
    session_close(&session);
    return end(status, &error);
}

static int doctor(const struct cli *cli)
{
    struct error error;
    unsigned wrong = 0;

    if (!cli->measure)
        return command_doctor(stdout) ? CLI_FAILED : CLI_DONE;
    if (command_measurable(cli, stdout, &wrong, &error) != STATUS_OK)
        return fail(&error);
    return wrong ? CLI_FOUND : CLI_DONE;
}

static int show_families(const struct cli *cli)
{
    const struct family *chosen[WORDS_MAX];
    struct error error;
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && i < cli->words.count; i++)
        status = request_family(cli->words.word[i], &chosen[i], &error);
    if (status == STATUS_OK)
        status = inventory_families(stdout, chosen, cli->words.count, as_json(cli), &error);
    return end(status, &error);
}

static struct ranks ranks; /* of --mpi */

typedef enum status (*ranked_command)(const struct cli *cli, struct ranks *ranks,
                                      const struct run_streams *streams,
                                      const volatile sig_atomic_t *stop, struct error *error);

/* A command that measures, alone or as one of the ranks of --mpi. */
static int measure_among(const struct cli *cli, ranked_command command)
{
    const struct run_streams streams = {stdout, stderr};
    struct error error;

    install_stop_handler(ranks.rank > 0 ? request_stop : tell_and_request_stop);
    if (ranks.local_rank > 0) /* another says so of the same file */
        csv_on_torn_row = NULL;
    enum status status = command(cli, cli->mpi ? &ranks : NULL, &streams, &stop_requested, &error);
    if (ranks.rank > 0) /* rank 0 speaks for all */
        return status == STATUS_OK ? CLI_DONE : CLI_FAILED;
    return end(status, &error);
}

static int run(const struct cli *cli)
{
    return measure_among(cli, command_run);
}

static int kernel(const struct cli *cli)
{
    return measure_among(cli, command_kernel);
}

static int bench(const struct cli *cli)
{
    const struct run_streams streams = {stdout, stderr};
    struct error error;

    install_stop_handler(request_stop);
    return end(command_bench(cli, &streams, &stop_requested, &error), &error);
}

static int compare(const struct cli *cli)
{
    size_t base_count = cli->divided ? cli->left : 1;
    struct compare_request request = {
        .files = cli->words.word,
        .base_count = base_count,
        .new_count = cli->words.count - base_count,
        .base_samples = cli->base_samples,
        .new_samples = cli->new_samples,
        .threshold = cli->threshold,
        .base_size = (unsigned)cli->sizes[0],
        .new_size = (unsigned)cli->sizes[1],
        .format = (enum cli_format)cli->format,
        .all = cli->all,
        .time_unit = (enum time_unit)cli->time_unit,
    };
    struct error error;
    bool slower = false;

    if (command_compare(&request, stdout, &slower, &error) != STATUS_OK)
        return fail(&error);
    return slower ? CLI_FOUND : CLI_DONE;
}

static int fleet(const struct cli *cli)
{
    struct error error;
    bool slower;

    if (command_fleet(cli, stdout, &slower, &error) != STATUS_OK)
        return fail(&error);
    return slower ? CLI_FOUND : CLI_DONE;
}

static int plausible(const struct cli *cli)
{
    struct error error;
    bool out_of_line;

    if (command_plausible(cli, stdout, &out_of_line, &error) != STATUS_OK)
        return fail(&error);
    return out_of_line ? CLI_FOUND : CLI_DONE;
}

static int report(const struct cli *cli)
{
    struct report_summary summary;
    struct error error;

    if (command_report(cli->words.word, cli->words.count, cli->model, cli->output,
                       (enum time_unit)cli->time_unit, &summary, &error) != STATUS_OK)
        return fail(&error);
    if (summary.is_side_by_side)
        printf("Of %zu measurements in both, %zu became slower and %zu faster.\n", summary.compared,
               summary.slower, summary.faster);
    print_findings(stdout, &summary.findings, cli->verbose);
    text_put_path(stdout, "", cli->output, "/index.html");
    return CLI_DONE;
}

static int fit(const struct cli *cli)
{
    struct fit_request request = {
        .files = cli->words.word,
        .count = cli->words.count,
        .output = cli->output,
        .seed = cli->seed,
        .as_device = cli->as_device,
        .base = cli->base,
    };
    struct error error;

    if (command_fit(&request, stdout, &error) != STATUS_OK)
        return fail(&error);
    text_put_path(stdout, "model in ", cli->output, "");
    if (cli->as_device)
        text_put_path(stdout, "device description in ", cli->as_device, "");
    return CLI_DONE;
}

static int check(const struct cli *cli)
{
    struct error error;
    bool exceeded = false;

    if (command_check(cli->words.word[0], cli->base, &cli->words.word[1], cli->words.count - 1,
                      cli->threshold, cli->all, stdout, &exceeded, &error) != STATUS_OK)
        return fail(&error);
    return exceeded ? CLI_FOUND : CLI_DONE;
}

static int predict(const struct cli *cli)
{
    struct predict_request request;
    struct error error;
    enum status status = request_predict(cli, &request, &error);

    if (status == STATUS_OK)
        status = command_predict(&request, stdout, &error);
    return end(status, &error);
}

static int advise_on(const struct cli *cli)
{
    const struct family *family;
    struct error error;
    enum status status = request_family(cli->family, &family, &error);

    if (status == STATUS_OK)
        status = command_advise(cli->words.word[0], family->name, &cli->words.word[1],
                                cli->words.count - 1, stdout, &error);
    return end(status, &error);
}

static int audit_code(const struct cli *cli)
{
    const struct family *chosen[SWEEP_FAMILIES_MAX];
    struct isa_command command;
    struct error error;
    enum status status = request_isa(cli, chosen, &command, &error);

    if (status == STATUS_OK)
        status = command_isa(&command, stdout, &error);
    return end(status, &error);
}

static int watch(const struct cli *cli)
{
    struct error error;
    bool worse;

    install_stop_handler(request_stop);
    if (command_watch(cli, stdout, &worse, &stop_requested, &error) != STATUS_OK)
        return fail(&error);
    return worse ? CLI_FOUND : CLI_DONE;
}

static int help(const struct cli *cli)
{
    struct error error;

    if (cli->words.count)
        return end(help_word(stdout, cli->words.word[0], wrap_width(stdout), &error), &error);
    help_overview(stdout, wrap_width(stdout));
    return CLI_DONE;
}

static int completion(const struct cli *cli)
{
    struct error error;

    return end(completion_write(stdout, cli->words.word[0], &error), &error);
}

static int (*const commands[COMMANDS])(const struct cli *cli) = {
    [COMMAND_BENCH] = bench,         [COMMAND_RUN] = run,
    [COMMAND_KERNEL] = kernel,       [COMMAND_REPORT] = report,
    [COMMAND_COMPARE] = compare,     [COMMAND_FLEET] = fleet,
    [COMMAND_PLAUSIBLE] = plausible, [COMMAND_FIT] = fit,
    [COMMAND_CHECK] = check,         [COMMAND_PREDICT] = predict,
    [COMMAND_ADVISE] = advise_on,    [COMMAND_DEVICES] = show_devices,
    [COMMAND_DOCTOR] = doctor,       [COMMAND_LIST] = show_families,
    [COMMAND_ISA] = audit_code,      [COMMAND_WATCH] = watch,
    [COMMAND_HELP] = help,           [COMMAND_COMPLETION] = completion,
};

static int act(const struct cli *cli)
{
    struct error error;

    if (cli->version)
        printf("vebench %s\n", vebench_version());
    else if (cli->help && cli->command != COMMAND_HELP)
        help_command(stdout, cli->command, wrap_width(stdout));
    else if (cli->command != COMMAND_BENCH && cli->emulate && !emulator_device_name())
        return end(bench_become_emulated(cli, &error), &error);
    else if (cli->mpi && ranks_join(cli, &ranks, &error) != STATUS_OK)
        return fail(&error);
    else if (cli->mpi) /* who writes files looks after them */
        return commands[cli->command](cli);
    else
        return cli_guard(cli, &error) == STATUS_OK ? commands[cli->command](cli) : fail(&error);
    return CLI_DONE;
}

int main(int argc, char **argv)
{
    struct error error;
    struct cli cli;

    if (streams_open_all() != 0)
        return CLI_FAILED;
    setvbuf(stdout, NULL, _IOLBF,
            0);               /* keeps the order of output and messages if both go to one file */
    signal(SIGXFSZ, SIG_IGN); /* a write beyond the limit fails, as on a full disk */
    csv_on_torn_row = warn_of_torn_row;
    emulator_set_quiet(); /* every row already says that it is emulated */
    if (family_check_all(&families, &error) != STATUS_OK ||
        cli_parse(&cli, argc, argv, &error) != STATUS_OK)
        return fail(&error);
    return close_output(act(&cli));
}
