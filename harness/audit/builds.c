#include "audit/builds.h"

#include "base/text.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES_MAX 64

/* A process that compiles, and the file through which its results come. */
struct helper {
    pid_t pid;
    FILE *results;
};

/* What it writes before each module's machine code. */
struct result {
    size_t index, bytes;
    struct error error;
};

enum status isa_builds_add(struct isa_builds *builds, const struct isa_target *target,
                           const void *spirv, size_t bytes, const char *options, size_t *index,
                           struct error *error)
{
    const char *compiler = isa_target_compiler(target);

    for (*index = 0; *index < builds->count; ++*index) {
        const struct isa_build *build = &builds->build[*index];

        if (build->spirv == spirv && !strcmp(build->compiler, compiler) &&
            text_same(build->options, options))
            return STATUS_OK;
    }
    if (builds->count == builds->room) {
        size_t room = builds->room ? 2 * builds->room : 64;
        struct isa_build *more = realloc(builds->build, room * sizeof(*more));

        if (!more)
            return error_out_of_memory(error);
        builds->build = more;
        builds->room = room;
    }
    builds->build[builds->count++] = (struct isa_build){
        .compiler = compiler, .spirv = spirv, .options = options, .bytes = bytes};
    return STATUS_OK;
}

static void write_result(FILE *out, struct isa_build *build, size_t index)
{
    struct result result = {.index = index, .bytes = build->compiled.size, .error = build->error};

    fwrite(&result, sizeof(result), 1, out);
    fwrite(build->compiled.bytes, 1, build->compiled.size, out);
    fflush(out);
}

/* Compiles what is next until nothing is left. What the compiler says of a module is in its log;
 * what else it prints, by the thousand words for some modules, is lost. */
static void help(struct isa_builds *builds, atomic_size_t *next, FILE *results)
{
    if (!freopen("/dev/null", "w", stderr))
        fclose(stderr);
    for (size_t i; (i = atomic_fetch_add(next, 1)) < builds->count;) {
        struct isa_build *build = &builds->build[i];

        build->error.status = compiler_compile(build->spirv, build->bytes, build->compiler,
                                               build->options, &build->compiled, &build->error);
        write_result(results, build, i);
        compiled_free(&build->compiled);
    }
}

static enum status start(struct helper *helper, struct isa_builds *builds, atomic_size_t *next,
                         struct error *error)
{
    helper->results = tmpfile();
    if (!helper->results)
        return error_set(error, STATUS_FAILED, "cannot make a temporary file: %s", strerror(errno));
    fflush(NULL);
    helper->pid = fork();
    if (helper->pid == 0) {
        help(builds, next, helper->results);
        _exit(EXIT_SUCCESS);
    }
    if (helper->pid > 0)
        return STATUS_OK;
    fclose(helper->results);
    return error_set(error, STATUS_FAILED, "cannot start a process: %s", strerror(errno));
}

static enum status take_results(struct isa_builds *builds, FILE *results, struct error *error)
{
    struct result result;

    rewind(results);
    while (fread(&result, sizeof(result), 1, results) == 1 && result.index < builds->count) {
        struct isa_build *build = &builds->build[result.index];

        build->compiled.bytes = malloc(result.bytes + 1);
        if (!build->compiled.bytes)
            return error_out_of_memory(error);
        if (fread(build->compiled.bytes, 1, result.bytes, results) != result.bytes) {
            compiled_free(&build->compiled);
            return STATUS_OK; /* the process ended while it wrote, or the disk is full */
        }
        build->compiled.size = result.bytes;
        build->error = result.error;
    }
    return STATUS_OK;
}

static enum status finish(struct helper *helper, struct isa_builds *builds, struct error *error)
{
    while (waitpid(helper->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    enum status status = take_results(builds, helper->results, error);
    fclose(helper->results);
    return status;
}

/* A round of processes: each goes on until nothing is left, or the compiler ends it. */
static enum status compile_round(struct isa_builds *builds, atomic_size_t *next, size_t processes,
                                 struct error *error)
{
    struct helper helpers[PROCESSES_MAX];
    size_t count = 0;
    enum status status = STATUS_OK;

    while (count < processes && status == STATUS_OK) {
        status = start(&helpers[count], builds, next, error);
        count += status == STATUS_OK;
    }
    for (size_t i = 0; i < count; i++) {
        enum status finished = finish(&helpers[i], builds, error);

        status = status == STATUS_OK ? finished : status;
    }
    return status;
}

enum status isa_builds_compile(struct isa_builds *builds, unsigned processes, struct error *error)
{
    atomic_size_t *next =
        mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    enum status status = STATUS_OK;

    if (next == MAP_FAILED)
        return error_out_of_memory(error);
    atomic_init(next, 0);
    for (size_t i = 0; i < builds->count; i++)
        error_set(&builds->build[i].error, STATUS_FAILED, "the compiler crashed");
    while (status == STATUS_OK && atomic_load(next) < builds->count) {
        size_t left = builds->count - atomic_load(next), most = processes ? processes : 1;

        most = most < PROCESSES_MAX ? most : PROCESSES_MAX;
        status = compile_round(builds, next, left < most ? left : most, error);
    }
    munmap(next, sizeof(*next));
    return status;
}

void isa_builds_free(struct isa_builds *builds)
{
    for (size_t i = 0; i < builds->count; i++)
        compiled_free(&builds->build[i].compiled);
    free(builds->build);
    *builds = (struct isa_builds){0};
}
