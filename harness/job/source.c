#include "job/source.h"

#include "spirv/spirv-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORDS_MAX   80
#define QUOTE_BYTES 700

/* Of a program that could not be started. */
enum { NOT_FOUND = 127 };

/* A folder for what the compilers exchange. */
struct workshop {
    char folder[PATH_MAX];
    char bitcode[PATH_MAX + 16], spirv[PATH_MAX + 16], log[PATH_MAX + 16];
};

struct command_line {
    const char *word[WORDS_MAX + 1]; /* borrowed, or one of: */
    char *made[WORDS_MAX];           /* owned */
    size_t count, made_count;
};

bool source_is_opencl(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && (!strcmp(dot, ".cl") || !strcmp(dot, ".ocl") || !strcmp(dot, ".clcpp"));
}

static enum status workshop_open(struct workshop *workshop, struct error *error)
{
    const char *place = getenv("TMPDIR");

    snprintf(workshop->folder, sizeof(workshop->folder), "%s/vebench-XXXXXX",
             place && *place ? place : "/tmp");
    if (!mkdtemp(workshop->folder))
        return error_set(error, STATUS_FAILED, "cannot make the folder %s: %s", workshop->folder,
                         strerror(errno));
    snprintf(workshop->bitcode, sizeof(workshop->bitcode), "%s/kernel.bc", workshop->folder);
    snprintf(workshop->spirv, sizeof(workshop->spirv), "%s/kernel.spv", workshop->folder);
    snprintf(workshop->log, sizeof(workshop->log), "%s/log", workshop->folder);
    return STATUS_OK;
}

static void workshop_close(const struct workshop *workshop)
{
    unlink(workshop->bitcode);
    unlink(workshop->spirv);
    unlink(workshop->log);
    rmdir(workshop->folder);
}

static void add(struct command_line *line, const char *word)
{
    if (line->count < WORDS_MAX)
        line->word[line->count++] = word;
}

/* Adds "-DNAME=VALUE". */
static void add_define(struct command_line *line, const char *define)
{
    size_t bytes = strlen(define) + 3;
    char *word = malloc(bytes);

    if (!word || line->made_count == WORDS_MAX) {
        free(word);
        return;
    }
    snprintf(word, bytes, "-D%s", define);
    line->made[line->made_count++] = word;
    add(line, word);
}

static void clear(struct command_line *line)
{
    while (line->made_count > 0)
        free(line->made[--line->made_count]);
}

/* The first line of the log that tells of an error, or its first line at all. */
static void quote_log(const struct workshop *workshop, char quote[QUOTE_BYTES])
{
    char line[QUOTE_BYTES];
    FILE *log = fopen(workshop->log, "re");

    quote[0] = '\0';
    while (log && fgets(line, sizeof(line), log)) {
        line[strcspn(line, "\n")] = '\0';
        if (!quote[0] || strstr(line, "error:"))
            snprintf(quote, QUOTE_BYTES, "%s", line);
        if (strstr(line, "error:"))
            break;
    }
    if (log)
        fclose(log);
}

static enum status run(const struct workshop *workshop, const struct command_line *line,
                       const char *path, unsigned subgroup_size, struct error *error)
{
    posix_spawn_file_actions_t actions;
    char quote[QUOTE_BYTES];
    int ended = 0;
    pid_t child;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, workshop->log,
                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    int failed =
        posix_spawnp(&child, line->word[0], &actions, NULL, (char *const *)line->word, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!failed && waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    if (!failed && WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
        return STATUS_OK;
    if (failed == ENOENT || (!failed && WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_FOUND))
        return error_set(error, STATUS_FAILED,
                         "%s, which compiles %s, is not installed: install " SOURCE_CLANG
                         " and " SOURCE_LLVM_SPIRV
                         ", or give a SPIR-V module (vebench help spirv says how to make one)",
                         line->word[0], path);
    if (failed)
        return error_set(error, STATUS_FAILED, "cannot start %s: %s", line->word[0],
                         strerror(failed));
    quote_log(workshop, quote);
    return error_set(error, STATUS_FAILED, "%s refuses %s for sub-groups of %u: %s", line->word[0],
                     path, subgroup_size, quote[0] ? quote : "it does not say why");
}

/* Optimisation is left to the driver's compiler, as in the modules that are built in. */
static void clang_line(struct command_line *line, const struct workshop *workshop, const char *path,
                       const char *const *defines, size_t count, unsigned size)
{
    static const char *const words[] = {SOURCE_CLANG,
                                        "-c",
                                        "-target",
                                        "spirv64-unknown-unknown",
                                        "-x",
                                        "cl",
                                        "-cl-std=CL3.0",
                                        "-O2",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-cl-no-stdinc",
                                        "-Xclang",
                                        "-finclude-default-header",
                                        "-fno-discard-value-names",
                                        "-cl-kernel-arg-info",
                                        "-Dcl_intel_subgroups=1",
                                        "-Dcl_intel_subgroups_short=1",
                                        "-Dcl_intel_subgroups_char=1",
                                        "-Dcl_intel_subgroups_long=1",
                                        "-w",
                                        "-emit-llvm"};
    char number[32];

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        add(line, words[i]);
    snprintf(number, sizeof(number), "SUB_GROUP_SIZE=%u", size);
    add_define(line, number);
    for (size_t i = 0; i < count; i++)
        add_define(line, defines[i]);
    add(line, path);
    add(line, "-o");
    add(line, workshop->bitcode);
}

static void llvm_spirv_line(struct command_line *line, const struct workshop *workshop)
{
    static const char *const words[] = {
        SOURCE_LLVM_SPIRV, "--spirv-max-version=1.2",
        "--spirv-ext=+SPV_INTEL_subgroups,+SPV_EXT_shader_atomic_float_add",
        "--preserve-ocl-kernel-arg-type-metadata-through-string"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        add(line, words[i]);
    add(line, workshop->bitcode);
    add(line, "-o");
    add(line, workshop->spirv);
}

enum status source_compile(const char *path, const char *const *defines, size_t count,
                           unsigned subgroup_size, void **module, size_t *bytes,
                           struct error *error)
{
    struct command_line *line = calloc(2, sizeof(*line));
    struct workshop workshop;
    struct spirv_file file;

    if (!line)
        return error_out_of_memory(error);
    enum status status = workshop_open(&workshop, error);
    if (status != STATUS_OK) {
        free(line);
        return status;
    }
    clang_line(&line[0], &workshop, path, defines, count, subgroup_size);
    llvm_spirv_line(&line[1], &workshop);
    for (int i = 0; status == STATUS_OK && i < 2; i++)
        status = run(&workshop, &line[i], path, subgroup_size, error);
    if (status == STATUS_OK)
        status = spirv_file_read(&file, workshop.spirv, error);
    if (status == STATUS_OK) {
        *module = file.bytes;
        *bytes = file.module.size_bytes;
    }
    workshop_close(&workshop);
    clear(&line[0]);
    free(line);
    return status;
}
