#include "cli/spirv-check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts spirv-val with both its outputs in the pipe; -1: there is none. */
static pid_t start(const char *path, const int ends[2])
{
    char from_here[PATH_MAX];
    char *const argv[] = {(char *)(uintptr_t) "spirv-val", from_here, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child = -1;

    /* No path begins like an option. */
    if (snprintf(from_here, sizeof(from_here), "%s%s", path[0] == '/' ? "" : "./", path) >=
        (int)sizeof(from_here))
        return -1;
    if (posix_spawn_file_actions_init(&actions))
        return -1;
    if (posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) ||
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO) ||
        posix_spawnp(&child, argv[0], &actions, NULL, argv, environ))
        child = -1;
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

/* Reads everything, and keeps the first line. */
static void read_line(int end, char *line, size_t size)
{
    char rest[4096];
    size_t used = 0;
    ssize_t got;

    while ((got = read(end, rest, sizeof(rest))) > 0 || (got < 0 && errno == EINTR)) {
        size_t room = size - 1 - used, more = got > 0 ? (size_t)got : 0;

        memcpy(line + used, rest, more < room ? more : room);
        used += more < room ? more : room;
    }
    line[used] = '\0';
    line[strcspn(line, "\n")] = '\0';
}

bool spirv_check(const char *path, FILE *out)
{
    char line[512];
    int ends[2], status = 0;
    pid_t child;

    if (pipe2(ends, O_CLOEXEC))
        return false;
    child = start(path, ends);
    close(ends[1]);
    if (child > 0)
        read_line(ends[0], line, sizeof(line));
    close(ends[0]);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (child <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 127)
        return false;
    fprintf(out,
            "vebench: %s: spirv-val refuses the module, which this compiler accepts and another "
            "driver need not: %s\n",
            path, line);
    return true;
}
