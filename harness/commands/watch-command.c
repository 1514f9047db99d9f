#include "commands/watch-command.h"

#include "base/replace-file.h"
#include "base/text.h"
#include "commands/kernel-command.h"
#include "watch/watch.h"
#include "ze/emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define DRIVERS    2
#define FILE_NAME  "vebench-watch.XXXXXX"
#define WORDS_MOST 16

static enum status keep_baseline(const struct watch_rows *rows, const char *path, FILE *out,
                                 struct error *error)
{
    enum status status = watch_write(rows, path, error);

    if (status != STATUS_OK)
        return status;
    fprintf(out, "%zu kernels are the baseline in ", rows->count);
    text_put_path(out, "", path, "");
    watch_print_refused(out, rows);
    return STATUS_OK;
}

static enum status write_junit(const struct watch_changes *changes, const struct watch_rows *rows,
                               const char *path, struct error *error)
{
    struct replacement replacement;
    enum status status = replacement_open(&replacement, path, error);

    if (status != STATUS_OK)
        return status;
    watch_print_junit(replacement.out, changes, rows);
    return replacement_close(&replacement, STATUS_OK, error);
}

static enum status tell_changes(const struct cli *cli, const struct watch_rows *before,
                                const struct watch_rows *rows, FILE *out, bool *worse,
                                struct error *error)
{
    struct watch_changes changes = {NULL, 0, 0};
    enum status status = watch_compare(&changes, before, rows, cli->threshold, error);

    if (status == STATUS_OK)
        status = watch_print(out, &changes, rows, (enum table_format)cli->format, error);
    if (status == STATUS_OK && cli->junit)
        status = write_junit(&changes, rows, cli->junit, error);
    *worse = changes.worse > 0;
    watch_changes_free(&changes);
    return status;
}

static enum status hold_against(const struct cli *cli, const struct watch_rows *rows, FILE *out,
                                bool *worse, struct error *error)
{
    struct watch_rows before;
    enum status status = watch_read(&before, cli->baseline, error);

    if (status == STATUS_OK)
        status = tell_changes(cli, &before, rows, out, worse, error);
    watch_free(&before);
    return status;
}

/* Makes an empty file of its own; the name is a template. */
static enum status make_file(char *path, struct error *error)
{
    int file = mkstemp(path);

    if (file < 0)
        return error_set(error, STATUS_FAILED, "cannot make a file like %s: %s", path,
                         strerror(errno));
    close(file);
    return STATUS_OK;
}

/* Adds the job's times, which vebench kernel measures into a file. */
static enum status add_job_times(struct watch_rows *rows, const char *folder, const char *name,
                                 const char *csv, FILE *nowhere, const volatile sig_atomic_t *stop,
                                 struct error *error)
{
    const char *model = emulator_device_name();
    const struct run_streams streams = {nowhere, nowhere};
    char path[PATH_MAX], target[64];
    char *argv[] = {"vebench", "kernel", path, "--output", (char *)csv, "--force", "--quiet", NULL};
    struct records records;
    struct cli cli;

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    snprintf(target, sizeof(target), "%.40s, %s", model ? model : "GPU",
             model ? "emulated" : "measured");
    enum status status = cli_parse(&cli, 7, argv, error);
    if (status == STATUS_OK)
        status = command_kernel(&cli, NULL, &streams, stop, error);
    /* A launch that has failed is a row. */
    if (status != STATUS_OK && records_read(&records, &csv, 1, &(struct error){STATUS_OK, ""}))
        return status;
    if (status == STATUS_OK)
        status = records_read(&records, &csv, 1, error);
    else
        status = STATUS_OK;
    if (status != STATUS_OK)
        return status;
    status = watch_add_times(rows, name, target, &records, error);
    records_free(&records);
    return status;
}

static enum status add_times(struct watch_rows *rows, const char *folder,
                             const volatile sig_atomic_t *stop, struct error *error)
{
    char csv[] = "/tmp/" FILE_NAME;
    FILE *nowhere = fopen("/dev/null", "we");
    char **names = NULL;
    size_t count = 0;
    enum status status = nowhere ? make_file(csv, error)
                                 : error_set(error, STATUS_FAILED, "cannot write to /dev/null");

    if (status == STATUS_OK) {
        status = watch_jobs(&names, &count, folder, error);
        unlink(csv);
    }
    for (size_t i = 0; i < count; i++) {
        if (status == STATUS_OK)
            status = add_job_times(rows, folder, names[i], csv, nowhere, stop, error);
        unlink(csv);
        free(names[i]);
    }
    free(names);
    if (nowhere)
        fclose(nowhere);
    return status;
}

static enum status survey(struct watch_rows *rows, const struct cli *cli,
                          const volatile sig_atomic_t *stop, struct error *error)
{
    const char *folder = cli->words.word[0];
    enum status status = watch_survey(rows, folder, cli->target, error);

    if (status == STATUS_OK && (cli->times || cli->emulate))
        status = add_times(rows, folder, stop, error);
    return status;
}

/* Runs this same command with the current driver, which makes a baseline. */
static enum status ask_current(const struct cli *cli, const char *csv, struct error *error)
{
    static const char bootstrap[] = SOURCE_TREE "/bootstrap";
    char *argv[WORDS_MOST] = {(char *)bootstrap,          "current",    "vebench",   "watch",
                              (char *)cli->words.word[0], "--baseline", (char *)csv, "--update"};
    size_t count = 8;
    int ended = 0;

    if (cli->target) {
        argv[count++] = "--target";
        argv[count++] = (char *)cli->target;
    }
    if (cli->emulate) {
        argv[count++] = "--emulate";
        argv[count++] = (char *)cli->emulate;
    }
    if (access(argv[0], X_OK) != 0)
        return error_set(error, STATUS_FAILED,
                         "--driver current takes a checkout, whose `./bootstrap current` makes a "
                         "folder with that driver; there is no %s",
                         argv[0]);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        unsetenv("LD_PRELOAD");                    /* the emulator of this driver's programs */
        int nowhere = open("/dev/null", O_WRONLY); /* the file is all that is wanted of it */
        dup2(nowhere, STDOUT_FILENO);
        execv(argv[0], argv);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    if (child < 0 || !WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return error_set(error, STATUS_FAILED,
                         "this has failed: ./bootstrap current vebench watch");
    return STATUS_OK;
}

/* What the current driver makes of them. The file is in this folder, which the other one shows. */
static enum status survey_current(struct watch_rows *rows, const struct cli *cli,
                                  struct error *error)
{
    char csv[] = FILE_NAME;
    enum status status = make_file(csv, error);

    memset(rows, 0, sizeof(*rows));
    if (status != STATUS_OK)
        return status;
    status = ask_current(cli, csv, error);
    if (status == STATUS_OK)
        status = watch_read(rows, csv, error);
    unlink(csv);
    return status;
}

/* Which of the two drivers, "system,current" or the other way round, come first. */
static enum status read_drivers(const char *text, bool current[DRIVERS], struct error *error)
{
    current[0] = !strcmp(text, "current,system");
    current[1] = !current[0];
    if (current[0] || !strcmp(text, "system,current"))
        return STATUS_OK;
    return error_set(
        error, STATUS_USAGE,
        "--driver %s: give system,current: what the second one makes of the kernels is "
        "held against the first",
        text);
}

static enum status hold_drivers(const struct cli *cli, FILE *out, bool *worse,
                                const volatile sig_atomic_t *stop, struct error *error)
{
    struct watch_rows rows[DRIVERS] = {{NULL, 0}, {NULL, 0}};
    bool current[DRIVERS];
    enum status status = read_drivers(cli->driver, current, error);

    if (status == STATUS_OK && (cli->baseline || cli->times))
        status = error_set(error, STATUS_USAGE,
                           "--driver holds drivers against each other, not against a baseline, and "
                           "without a GPU: leave out %s",
                           cli->baseline ? "--baseline" : "--times");
    for (size_t i = 0; status == STATUS_OK && i < DRIVERS; i++)
        status =
            current[i] ? survey_current(&rows[i], cli, error) : survey(&rows[i], cli, stop, error);
    if (status == STATUS_OK)
        status = tell_changes(cli, &rows[0], &rows[1], out, worse, error);
    watch_free(&rows[0]);
    watch_free(&rows[1]);
    return status;
}

enum status command_watch(const struct cli *cli, FILE *out, bool *worse,
                          const volatile sig_atomic_t *stop, struct error *error)
{
    struct watch_rows rows;

    *worse = false;
    if (cli->driver)
        return hold_drivers(cli, out, worse, stop, error);
    if (!cli->baseline)
        return error_set(error, STATUS_USAGE,
                         "watch needs --baseline FILE.csv, which the first run makes, or --driver "
                         "system,current");
    enum status status = survey(&rows, cli, stop, error);
    if (status == STATUS_OK)
        status = cli->update || access(cli->baseline, F_OK) != 0
                     ? keep_baseline(&rows, cli->baseline, out, error)
                     : hold_against(cli, &rows, out, worse, error);
    watch_free(&rows);
    return status;
}
