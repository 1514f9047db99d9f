#include "run/bench-sweep.h"

#include "ze/emulator.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN_ARGUMENTS_MAX 400
#define TEXT_BYTES        4096
#define DEFAULT_EMULATED  "a380"

/* An argument list under construction. */
struct sweep_arguments {
    const char *word[RUN_ARGUMENTS_MAX + 1];
    size_t count;
    char text[TEXT_BYTES]; /* storage for words made here */
    size_t used;
};

static void add(struct sweep_arguments *list, const char *word)
{
    if (list->count < RUN_ARGUMENTS_MAX)
        list->word[list->count++] = word;
    list->word[list->count] = NULL;
}

/* Adds the word made of `prefix` and the first `bytes` of `text`. */
static void add_text(struct sweep_arguments *list, const char *prefix, const char *text,
                     size_t bytes)
{
    char *at = list->text + list->used;
    size_t room = TEXT_BYTES - list->used;
    int length = snprintf(at, room, "%s%.*s", prefix, (int)bytes, text);

    if ((size_t)length >= room)
        return;
    list->used += (size_t)length + 1;
    add(list, at);
}

/* Starts a program and waits for it. A keyboard interrupt reaches the program too: it ends, and its
 * exit status says why. */
static enum status run_program(const struct sweep_arguments *list, bool shows_output,
                               bool shows_messages, int *code, struct error *error)
{
    posix_spawn_file_actions_t actions;
    int wait_status = 0;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    if (!shows_output)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!shows_messages)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    fflush(NULL);
    int failed =
        posix_spawnp(&child, list->word[0], &actions, NULL, (char *const *)list->word, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed)
        return error_set(error, STATUS_FAILED, "cannot start %s: %s", list->word[0],
                         strerror(failed));
    while (waitpid(child, &wait_status, 0) < 0) {
        if (errno != EINTR)
            return error_set(error, STATUS_FAILED, "waiting for %s: %s", list->word[0],
                             strerror(errno));
    }
    if (!WIFEXITED(wait_status))
        return error_set(error, STATUS_FAILED, "%s was ended by signal %d", list->word[0],
                         WTERMSIG(wait_status));
    *code = WEXITSTATUS(wait_status);
    return STATUS_OK;
}

/* Finds this program, and vesim: next to it if installed, in the neighbouring folder of a build
 * tree, else through PATH. */
enum status bench_find_programs(struct bench_device *device, struct error *error)
{
    static const char *const places[] = {"vesim", "../emulator/vesim"};
    ssize_t bytes = readlink("/proc/self/exe", device->vebench, sizeof(device->vebench) - 1);

    if (bytes < 0)
        return error_set(error, STATUS_FAILED, "cannot find out where this program is: %s",
                         strerror(errno));
    device->vebench[bytes] = '\0';
    int folder = (int)(strrchr(device->vebench, '/') + 1 - device->vebench);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        int used = snprintf(device->vesim, sizeof(device->vesim), "%.*s%s", folder, device->vebench,
                            places[i]);

        if (used < (int)sizeof(device->vesim) && access(device->vesim, X_OK) == 0)
            return STATUS_OK;
    }
    strcpy(device->vesim, "vesim");
    return STATUS_OK;
}

enum status bench_become_emulated(const struct cli *cli, struct error *error)
{
    struct sweep_arguments list = {.count = 0};
    struct bench_device device;
    enum status status = bench_find_programs(&device, error);

    if (status != STATUS_OK)
        return status;
    add(&list, device.vesim);
    add(&list, "--device");
    add(&list, cli->emulate);
    add(&list, "--");
    add(&list, device.vebench);
    for (char *const *word = cli->argv + 1; *word; word++)
        add(&list, *word);
    execvp(list.word[0], (char *const *)list.word);
    return error_set(error, STATUS_FAILED, "--emulate %s: cannot start %s: %s", cli->emulate,
                     list.word[0], strerror(errno));
}

bool bench_has_vesim(const struct bench_device *device)
{
    struct sweep_arguments list = {.count = 0};
    struct error ignored;
    int code = 1;

    add(&list, device->vesim);
    add(&list, "--list");
    return run_program(&list, false, false, &code, &ignored) == STATUS_OK && code == 0;
}

static enum status gpu_answers(const struct bench_device *device, bool *answers,
                               struct error *error)
{
    struct sweep_arguments list = {.count = 0};
    int code = 1;

    add(&list, device->vebench);
    add(&list, "devices");
    enum status status = run_program(&list, false, false, &code, error);
    *answers = code == 0;
    return status;
}

enum status bench_find_device(struct bench_device *device, const struct cli *cli, FILE *messages,
                              struct error *error)
{
    const char *wish = getenv("BENCH_DEVICE");
    const char *emulated = emulator_device_name();
    bool answers = false;

    memset(device, 0, sizeof(*device));
    enum status status = bench_find_programs(device, error);
    device->emulate = cli->emulate ? cli->emulate : wish && *wish ? wish : NULL;
    device->is_emulated = device->emulate || emulated;
    if (status != STATUS_OK)
        return status;
    if (emulated) { /* already under vesim, which emulates this device */
        device->emulate = NULL;
        return STATUS_OK;
    }
    if (!device->emulate)
        status = gpu_answers(device, &answers, error);
    if (status != STATUS_OK || answers)
        return status;
    if (!device->emulate && !cli->quiet)
        fputs("No Intel GPU answers (vebench devices says why): measuring an emulated Arc A380, "
              "not hardware.\n",
              messages);
    device->emulate = device->emulate ? device->emulate : DEFAULT_EMULATED;
    device->is_emulated = true;
    return STATUS_OK;
}

static void add_choice(struct sweep_arguments *list, const char *choices, uint64_t index)
{
    for (; index > 0 && strchr(choices, '|'); index--)
        choices = strchr(choices, '|') + 1;
    add_text(list, "", choices, strcspn(choices, "|"));
}

static void add_number(struct sweep_arguments *list, uint64_t number)
{
    char text[24];

    add_text(list, "", text,
             (size_t)snprintf(text, sizeof(text), "%llu", (unsigned long long)number));
}

/* Adds the option as it would be given; nothing if it was not given and has no default. */
static void add_option(struct sweep_arguments *list, const struct option_row *row,
                       const struct cli *cli)
{
    const void *member = (const char *)cli + row->offset;
    const struct words *words = member;
    size_t bytes = strlen(row->name);

    switch (row->type) {
    case OPTION_FLAG:
        if (*(const bool *)member)
            add_text(list, "--", row->name, bytes);
        break;
    case OPTION_TEXT:
        if (!*(const char *const *)member)
            break;
        add_text(list, "--", row->name, bytes);
        add(list, *(const char *const *)member);
        break;
    case OPTION_TWO:
        if (!*(const char *const *)member)
            break;
        add_text(list, "--", row->name, bytes);
        add(list, ((const char *const *)member)[0]);
        add(list, ((const char *const *)member)[1]);
        break;
    case OPTION_WORDS:
        for (size_t i = 0; i < words->count; i++) {
            add_text(list, "--", row->name, bytes);
            add(list, words->word[i]);
        }
        break;
    case OPTION_NUMBER:
        if (!*(const uint64_t *)member)
            break;
        add_text(list, "--", row->name, bytes);
        add_number(list, *(const uint64_t *)member);
        break;
    case OPTION_CHOICE:
        add_text(list, "--", row->name, bytes);
        add_choice(list, row->choices, *(const uint64_t *)member);
        break;
    case OPTION_PAIR:
    case OPTION_PERCENT: /* neither bench nor run has one */
        break;
    }
}

const char *bench_selector(const struct cli *cli)
{
    const char *wish = getenv("BENCH_GPU");

    return cli->device ? cli->device : wish && *wish ? wish : "best";
}

bool bench_wants_detail(const struct bench_device *device, const struct cli *cli)
{
    const char *wish = getenv("BENCH_DETAIL");
    bool whole = cli->preset == 0 && !cli->words.count && !cli->axes.count && !cli->variants.count;

    return whole && (!device->is_emulated || cli->detail || (wish && *wish));
}

enum status bench_run(const struct bench_device *device, const struct cli *cli, const char *file,
                      const char *const *words, int *code, struct error *error)
{
    struct sweep_arguments list = {.count = 0};

    if (device->emulate) {
        add(&list, device->vesim);
        add(&list, "--device");
        add(&list, device->emulate);
        add(&list, "--");
    }
    add(&list, device->vebench);
    add(&list, "run");
    add(&list, "--output");
    add(&list, file);
    for (size_t i = 0; i < cli_option_count; i++) {
        const struct option_row *row = &cli_options[i];

        if (row->commands & (1u << COMMAND_RUN) && row->commands & (1u << COMMAND_BENCH))
            add_option(&list, row, cli);
    }
    /* The run itself says which device it uses. */
    if (!device->is_emulated && !cli->device) {
        add(&list, "--device");
        add(&list, bench_selector(cli));
    }
    for (; *words; words++)
        add(&list, *words);
    return run_program(&list, cli->table, true, code, error);
}
