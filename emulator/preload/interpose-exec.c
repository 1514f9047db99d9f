/* The functions by which a program starts another with an environment of its own. If that loses the
 * preload, the other program sees no GPU and cannot say why; this warns. */
#include "preload/interpose.h"

#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/program.h"

static bool silent;

/* Later the program may have emptied its environment. */
__attribute__((constructor)) static void look_at_the_environment(void)
{
    const char *quiet = getenv("VESIM_QUIET"), *preload = getenv("LD_PRELOAD");

    silent = (quiet && *quiet) || !preload || !strstr(preload, "libvesim");
}

static const char *find_variable(char *const environment[], const char *name)
{
    size_t length = strlen(name);

    for (; environment && *environment; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    }
    return NULL;
}

/* Says so on stderr if `program` will not have the GPU that this one has. */
static void warn_of_loss(const char *program, bool search, char *const environment[])
{
    const char *theirs = find_variable(environment, "LD_PRELOAD"), *why;
    char path[PATH_MAX];

    if (silent || !program)
        return;
    if (search ? program_find(program, path, sizeof(path))
               : snprintf(path, sizeof(path), "%s", program) >= (int)sizeof(path))
        return;
    if (!theirs || !strstr(theirs, "libvesim"))
        why = "is started without LD_PRELOAD in its environment";
    else
        why = program_refuses_preload(path);
    if (why)
        fprintf(stderr, "vesim: %s %s: it does not see the emulated GPU\n", program, why);
}

EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    NEXT(execve, int, const char *, char *const[], char *const[])
    warn_of_loss(path, false, environment);
    return next(path, arguments, environment);
}

EXPORT int execv(const char *path, char *const arguments[])
{
    NEXT(execv, int, const char *, char *const[])
    warn_of_loss(path, false, environ);
    return next(path, arguments);
}

EXPORT int execvp(const char *name, char *const arguments[])
{
    NEXT(execvp, int, const char *, char *const[])
    warn_of_loss(name, true, environ);
    return next(name, arguments);
}

EXPORT int execvpe(const char *name, char *const arguments[], char *const environment[])
{
    NEXT(execvpe, int, const char *, char *const[], char *const[])
    warn_of_loss(name, true, environment);
    return next(name, arguments, environment);
}

EXPORT int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                       const posix_spawnattr_t *attributes, char *const arguments[],
                       char *const environment[])
{
    NEXT(posix_spawn, int, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const[], char *const[])
    warn_of_loss(path, false, environment);
    return next(pid, path, actions, attributes, arguments, environment);
}

EXPORT int posix_spawnp(pid_t *pid, const char *name, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const arguments[],
                        char *const environment[])
{
    NEXT(posix_spawnp, int, pid_t *, const char *, const posix_spawn_file_actions_t *,
         const posix_spawnattr_t *, char *const[], char *const[])
    warn_of_loss(name, true, environment);
    return next(pid, name, actions, attributes, arguments, environment);
}
