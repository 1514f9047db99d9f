/* Runs a program and waits for it. For tests only. */
#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

#include <stdbool.h>

/*
 * Runs argv[0] (searched for in PATH) with standard output and standard error in the two files,
 * which may be the same, in this process's environment with the NAME=VALUE strings of `environment`
 * (NULL-terminated, or NULL) put over it. Returns the exit status, 128 + N after signal N, or -1
 * with a line on stderr if the program could not be started.
 */
int process_run(char *const argv[], const char *const *environment, const char *stdout_path,
                const char *stderr_path);

/* The same in two steps: the process's id, or -1, and what process_run() returns. */
int process_start(char *const argv[], const char *const *environment, const char *stdout_path,
                  const char *stderr_path);
int process_wait(int pid);

/* The whole file with a terminating NUL, to be freed by the caller; NULL if it cannot be read. */
char *process_read_file(const char *path);

/* Whether the file can be read and has the text in it. */
bool process_file_says(const char *path, const char *text);

/* Prints the file on stderr, for a reader of a failed test's log. */
void process_show_file(const char *path);

#endif
