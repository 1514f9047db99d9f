#include "preload/environment.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/counters-file.h"
#include "preload/progress-line.h"
#include "preload/seconds.h"

/* More host threads than this are a mistake. */
#define HOST_THREADS_MAX 1024

/* Exit status of a program that ended with 0, but whose counters could not be written. */
#define COUNTERS_LOST 1

/* One call per line, so that threads' lines do not mix. */
static void log_to_stderr(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "vesim: %s\n", line);
}

/* The variable's value; NULL if it is empty or not there. */
static const char *variable(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static int counters_failed;

/* A program that ends well has not, without all of its counters. Runs after the program's own
 * handlers and its driver's, and has to print itself what is left to print. */
static void fail_for_counters(int status, void *unused)
{
    (void)unused;
    if (status == 0 && __atomic_load_n(&counters_failed, __ATOMIC_RELAXED)) {
        fflush(NULL);
        _exit(COUNTERS_LOST);
    }
}

/* Handlers of exit() run in reverse order. */
__attribute__((constructor)) static void watch_the_exit(void)
{
    if (variable("VESIM_COUNTERS"))
        on_exit(fail_for_counters, NULL);
}

/* Says only once that a file cannot be written. */
static void append_counters(void *context, const struct vesim_walk *walk)
{
    const char *path = getenv("VESIM_COUNTERS");

    (void)context;
    if (!path || __atomic_load_n(&counters_failed, __ATOMIC_RELAXED) ||
        !counters_file_append(path, walk))
        return;
    int error = errno;
    if (!__atomic_exchange_n(&counters_failed, 1, __ATOMIC_RELAXED))
        fprintf(stderr,
                "vesim: cannot write counters to %s: %s; the exit status will be %d unless the "
                "program has another error\n",
                path, strerror(error), COUNTERS_LOST);
}

static int read_number(const char *name, uint64_t most, uint64_t *number, char *error,
                       size_t error_size)
{
    const char *value = variable(name);
    char *end = NULL;

    if (!value)
        return 0;
    errno = 0;
    unsigned long long read = strtoull(value, &end, 0);
    if (*value < '0' || *value > '9' || *end || errno || read < 1 || read > most) {
        snprintf(error, error_size, "%s is '%.64s': give a number from 1 to %" PRIu64, name, value,
                 most);
        return -1;
    }
    *number = read;
    return 0;
}

/* A time; 0 stands for none. */
static int read_seconds(const char *name, double *seconds, char *error, size_t error_size)
{
    const char *value = variable(name);

    if (!value || !seconds_read(value, seconds))
        return 0;
    snprintf(error, error_size,
             "%s is '%.64s': give a number of seconds, such as 600, or 0 for no "
             "limit",
             name, value);
    return -1;
}

/* One of the words, by its position; `*choice` stays if the variable is not there. */
static int read_choice(const char *name, const char *const *words, unsigned *choice, char *error,
                       size_t error_size)
{
    const char *value = variable(name);

    for (unsigned i = 0; value && words[i]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *choice = i;
            return 0;
        }
    }
    if (!value)
        return 0;
    int used = snprintf(error, error_size, "%s is '%.64s': give one of", name, value);
    for (unsigned i = 0; words[i] && used > 0 && (size_t)used < error_size; i++)
        used += snprintf(error + used, error_size - (size_t)used, " %s", words[i]);
    return -1;
}

/* A folder by its path, or with "1" the user's own for such things. NULL: none. */
static const char *read_cache(void)
{
    static char folder[PATH_MAX];
    const char *value = variable("VESIM_CACHE"), *caches = variable("XDG_CACHE_HOME"),
               *home = variable("HOME");

    if (!value || strcmp(value, "0") == 0)
        return NULL;
    if (strcmp(value, "1") != 0)
        snprintf(folder, sizeof(folder), "%s", value);
    else if (caches)
        snprintf(folder, sizeof(folder), "%s/vesim", caches);
    else if (home)
        snprintf(folder, sizeof(folder), "%s/.cache/vesim", home);
    return folder[0] ? folder : NULL;
}

static const char *const no_or_yes[] = {"0", "1", NULL};

static int read_settings(struct vesim_settings *settings, char *error, size_t error_size)
{
    static const char *const lanes[] = {[VESIM_LANES_BEST] = "best",
                                        [VESIM_LANES_PLAIN] = "plain",
                                        [VESIM_LANES_GENERAL] = "general",
                                        NULL};
    static const char *const compile[] = {[VESIM_COMPILE_OFF] = "off",
                                          [VESIM_COMPILE_ON] = "on",
                                          [VESIM_COMPILE_ALWAYS] = "always",
                                          [VESIM_COMPILE_CHECK] = "check",
                                          NULL};
    unsigned functional = 0, log = 0, chosen = settings->lanes, compiled = settings->compile;
    uint64_t threads = 0;

    if (read_number("VESIM_THREADS", HOST_THREADS_MAX, &threads, error, error_size) ||
        read_number("VESIM_INSTRUCTION_LIMIT", UINT64_MAX, &settings->instruction_limit, error,
                    error_size) ||
        read_seconds("VESIM_TIME_LIMIT", &settings->time_limit_s, error, error_size) ||
        read_seconds("VESIM_POLL_LIMIT", &settings->poll_limit_s, error, error_size) ||
        read_choice("VESIM_FUNCTIONAL", no_or_yes, &functional, error, error_size) ||
        read_choice("VESIM_LOG", no_or_yes, &log, error, error_size) ||
        read_choice("VESIM_LANES", lanes, &chosen, error, error_size) ||
        read_choice("VESIM_COMPILE", compile, &compiled, error, error_size))
        return -1;
    settings->host_threads = (unsigned)threads;
    settings->functional = functional;
    settings->log_commands = log;
    settings->lanes = (enum vesim_lanes)chosen;
    settings->compile = (enum vesim_compile)compiled;
    settings->cache = read_cache();
    return 0;
}

/* Whose calls the program makes, if not those that the device's description says. */
static int read_kernel_driver(struct vesim_device *device, char *error, size_t error_size)
{
    unsigned driver = device->kernel_driver;

    if (read_choice("VESIM_KERNEL_DRIVER", vesim_kernel_driver_names, &driver, error, error_size))
        return -1;
    device->kernel_driver = (enum vesim_kernel_driver)driver;
    return 0;
}

int environment_read(struct vesim_device *device, struct vesim_settings *settings, char *error,
                     size_t error_size)
{
    const char *name = variable("VESIM_DEVICE");

    *settings = vesim_settings_default();
    settings->log = log_to_stderr;
    settings->limit_names = (struct vesim_limit_names){.instructions = "VESIM_INSTRUCTION_LIMIT",
                                                       .time = "--time-limit",
                                                       .polling = "VESIM_POLL_LIMIT"};
    settings->follows_host = true;
    if (!variable("VESIM_QUIET") && isatty(STDERR_FILENO))
        settings->progress = progress_line_show;
    if (variable("VESIM_COUNTERS")) {
        settings->counters = true;
        settings->walk_done = append_counters;
    }
    if (read_settings(settings, error, error_size))
        return -1;
    if (vesim_device_load(device, name ? name : "a380", error, error_size))
        return -1;
    return read_kernel_driver(device, error, error_size);
}

int environment_after_hang(double *seconds, char *error, size_t error_size)
{
    const char *value = variable("VESIM_AFTER_HANG");

    if (!value || !after_hang_read(value, seconds))
        return 0;
    snprintf(error, error_size,
             "VESIM_AFTER_HANG is '%.64s': give a number of seconds above 0, such as 30, or wait",
             value);
    return -1;
}

bool environment_prints_stacks(void)
{
    return variable("VESIM_GDB") != NULL;
}

bool environment_is_functional(void)
{
    unsigned functional = 0;
    char error[128];

    return !read_choice("VESIM_FUNCTIONAL", no_or_yes, &functional, error, sizeof(error)) &&
           functional;
}
