#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int names_equal(const char *a, const char *b)
{
    size_t length = strcspn(a, "=");

    return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

/* The pointers only; the strings stay the caller's and the environment's. */
static char **merged_environment(const char *const *extra)
{
    size_t inherited = 0, added = 0, count = 0;

    while (environ[inherited])
        inherited++;
    while (extra && extra[added])
        added++;
    char **merged = malloc((inherited + added + 1) * sizeof(*merged));
    if (!merged)
        return NULL;
    for (size_t i = 0; i < inherited; i++) {
        size_t j = 0;

        while (j < added && !names_equal(environ[i], extra[j]))
            j++;
        if (j == added)
            merged[count++] = environ[i];
    }
    for (size_t j = 0; j < added; j++)
        merged[count++] = (char *)extra[j];
    merged[count] = NULL;
    return merged;
}

int process_wait(int pid)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int process_start(char *const argv[], const char *const *environment, const char *stdout_path,
                  const char *stderr_path)
{
    const int flags = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    posix_spawn_file_actions_t actions;
    pid_t pid;

    char **merged = merged_environment(environment);
    if (!merged)
        return -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, stdout_path, flags, 0666);
    if (strcmp(stdout_path, stderr_path) == 0)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, stderr_path, flags, 0666);

    int error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, merged);
    posix_spawn_file_actions_destroy(&actions);
    free(merged);
    if (error) {
        fprintf(stderr, "cannot start %s: %s\n", argv[0], strerror(error));
        return -1;
    }
    return (int)pid;
}

int process_run(char *const argv[], const char *const *environment, const char *stdout_path,
                const char *stderr_path)
{
    int pid = process_start(argv, environment, stdout_path, stderr_path);

    return pid < 0 ? -1 : process_wait(pid);
}

char *process_read_file(const char *path)
{
    FILE *in = fopen(path, "rb");

    if (!in)
        return NULL;
    char *text = NULL;
    if (fseek(in, 0, SEEK_END) == 0) {
        long size = ftell(in);

        rewind(in);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        if (text)
            text[fread(text, 1, (size_t)size, in)] = '\0';
    }
    fclose(in);
    return text;
}

bool process_file_says(const char *path, const char *text)
{
    char *said = process_read_file(path);
    bool says = said && strstr(said, text);

    free(said);
    return says;
}

void process_show_file(const char *path)
{
    char *text = process_read_file(path);

    fprintf(stderr, "--- %s\n%s\n---\n", path, text ? text : "(cannot be read)");
    free(text);
}
