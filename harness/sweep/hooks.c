#include "sweep/hooks.h"

#include "sweep/results.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHELL "/bin/sh"

/* A command that waits for a device to cool down may take minutes; one that hangs must not hold up
 * a sweep for ever. */
#define LIMIT_NS UINT64_C(3600000000000)

/* What a shell's child ends with if it could not be started. */
#define NOT_STARTED 127

static void set_number(const char *name, size_t number)
{
    char text[24];

    snprintf(text, sizeof(text), "%zu", number);
    setenv(name, text, 1);
}

static void tell(const struct hook_place *place)
{
    const struct configuration *c = place->configuration;
    char parameters[PARAMETERS_BYTES];

    family_parameters(place->family, c, parameters, sizeof(parameters));
    setenv("VEBENCH_BENCHMARK", place->family->name, 1);
    setenv("VEBENCH_PARAMETERS", parameters, 1);
    setenv("VEBENCH_PCI_ADDRESS", place->device->pci_address, 1);
    set_number("VEBENCH_SUBGROUP_SIZE", c->subgroup_size);
    set_number("VEBENCH_WORKGROUP_SIZE", c->workgroup_size);
    set_number("VEBENCH_WORKGROUP_COUNT", c->workgroup_count);
    set_number("VEBENCH_SEQUENCE", place->sequence);
}

/* The child's side: ends with the worker, should that be ended. */
static _Noreturn void become(const char *command)
{
    int nothing = open("/dev/null", O_RDONLY);

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execl(SHELL, "sh", "-c", command, (char *)NULL);
    _exit(NOT_STARTED);
}

static enum status wait_for(pid_t child, const char *option, const char *command,
                            struct error *error)
{
    int ended = 0;

    while (waitpid(child, &ended, 0) < 0) {
        if (errno != EINTR)
            return error_set(error, STATUS_FAILED, "--%s: waiting for it: %s", option,
                             strerror(errno));
    }
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return STATUS_OK;
    if (WIFEXITED(ended))
        return error_set(error, STATUS_FAILED, "--%s: '%.300s' ended with status %d", option,
                         command, WEXITSTATUS(ended));
    return error_set(error, STATUS_FAILED, "--%s: '%.300s' was ended by signal %d", option, command,
                     WTERMSIG(ended));
}

enum status hook_run(const char *option, const char *command, const struct hook_place *place,
                     struct watch *watch, struct error *error)
{
    enum watch_stage stage = watch_enter(watch, WATCH_COMMAND, LIMIT_NS);

    tell(place);
    pid_t child = fork();
    if (child == 0)
        become(command);
    enum status status = child < 0 ? error_set(error, STATUS_FAILED, "--%s: no process for it: %s",
                                               option, strerror(errno))
                                   : wait_for(child, option, command, error);
    watch_enter(watch, stage, LIMIT_NS);
    return status;
}
