#include "predict/compiler.h"

#include "predict/compiler-cache.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* oclocInvoke() and oclocFreeOutput() from ocloc_api.h, which is a C++ header. */
typedef int (*invoke_function)(unsigned count, const char **arguments, uint32_t sources,
                               const uint8_t **source_data, const uint64_t *source_bytes,
                               const char **source_names, uint32_t headers,
                               const uint8_t **header_data, const uint64_t *header_bytes,
                               const char **header_names, uint32_t *outputs, uint8_t ***output_data,
                               uint64_t **output_bytes, char ***output_names);
typedef int (*free_function)(uint32_t *outputs, uint8_t ***output_data, uint64_t **output_bytes,
                             char ***output_names);

struct outputs {
    uint32_t count;
    uint8_t **data;
    uint64_t *bytes;
    char **names;
};

#define LOG_NAME "stdout.log" /* the output that holds the compiler's messages */

static const char library[] = "libocloc.so";

/* Stores a symbol from dlsym() as a function pointer. */
static bool find(void *handle, const char *name, void *function)
{
    void *found = dlsym(handle, name);

    memcpy(function, &found, sizeof(found));
    return found != NULL;
}

static enum status no_compiler(struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "%s: Intel's offline compiler is missing; install the Debian package "
                     "intel-ocloc, or intel-opencl-icd on Debian 12",
                     library);
}

static enum status take_binary(const struct outputs *outputs, struct compiled *compiled,
                               struct error *error)
{
    for (uint32_t i = 0; i < outputs->count; i++) {
        if (!strcmp(outputs->names[i], LOG_NAME))
            continue;
        compiled->size = outputs->bytes[i];
        compiled->bytes = malloc(compiled->size + 1);
        if (!compiled->bytes)
            return error_out_of_memory(error);
        memcpy(compiled->bytes, outputs->data[i], compiled->size);
        return STATUS_OK;
    }
    return error_set(error, STATUS_FAILED, "the compiler produced no code");
}

static enum status refused(const struct outputs *outputs, struct error *error)
{
    error_set(error, STATUS_FAILED, "the compiler refuses the module");
    for (uint32_t i = 0; i < outputs->count; i++) {
        if (!strcmp(outputs->names[i], LOG_NAME))
            error_append(error, ":\n%.*s", (int)outputs->bytes[i], (const char *)outputs->data[i]);
    }
    return STATUS_FAILED;
}

/* The library prints its command line on failure, whatever its options. Redirects standard output
 * and returns the original for end_silence(). */
static int begin_silence(void)
{
    int kept = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    fflush(stdout);
    if (kept >= 0 && nowhere >= 0)
        dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0)
        close(nowhere);
    return kept;
}

static void end_silence(int kept)
{
    fflush(stdout);
    if (kept < 0)
        return;
    dup2(kept, STDOUT_FILENO);
    close(kept);
}

/* Where the library is that has the function. */
static const char *path_of(invoke_function function)
{
    void *address;
    Dl_info info;

    memcpy(&address, &function, sizeof(address));
    return dladdr(address, &info) && info.dli_fname ? info.dli_fname : library;
}

enum status compiler_compile(const void *spirv, size_t bytes, const char *device,
                             const char *options, struct compiled *compiled, struct error *error)
{
    const char *arguments[] = {"ocloc",      "compile",           "-spirv_input", "-file",
                               "module.spv", "-device",           device,         "--format",
                               "zebin",      "-output_no_suffix", "-output",      "module",
                               "-q",         "-options",          options};
    const uint8_t *source = spirv;
    const uint64_t source_bytes = bytes;
    const char *source_name = "module.spv";
    struct outputs outputs = {0};
    invoke_function invoke;
    free_function free_outputs;
    enum status status;
    /* Never closed: the compiler keeps state that does not survive unloading. */
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);

    *compiled = (struct compiled){0};
    if (!handle || !find(handle, "oclocInvoke", &invoke) ||
        !find(handle, "oclocFreeOutput", &free_outputs))
        return no_compiler(error);
    const struct compiler_cache_key key =
        compiler_cache_key(path_of(invoke), spirv, bytes, device, options);
    if (compiler_cache_find(&key, compiled))
        return STATUS_OK;
    int standard_output = begin_silence();
    int failed =
        invoke(options ? 15 : 13, arguments, 1, &source, &source_bytes, &source_name, 0, NULL, NULL,
               NULL, &outputs.count, &outputs.data, &outputs.bytes, &outputs.names);
    end_silence(standard_output);
    if (failed)
        status = refused(&outputs, error);
    else
        status = take_binary(&outputs, compiled, error);
    if (status == STATUS_OK)
        compiler_cache_keep(&key, compiled);
    free_outputs(&outputs.count, &outputs.data, &outputs.bytes, &outputs.names);
    return status;
}

void compiled_free(struct compiled *compiled)
{
    free(compiled->bytes);
    *compiled = (struct compiled){0};
}
