#include "commands/predict-kernel.h"

#include "job/contents.h"
#include "job/source.h"
#include "spirv/spirv-file.h"
#include "spirv/spirv-kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Default size of a buffer: so many bytes per work-item, but at least BUFFER_LEAST. */
enum { BYTES_PER_ITEM = 64, BUFFER_LEAST = 65536 };

/* The exit status of a process in which the module compiles; the compiler's own are others. */
enum { COMPILES = 42 };

#define FIRST_BUFFER     (UINT64_C(1) << 32)
#define BUFFER_ALIGNMENT (UINT64_C(1) << 16)
#define BUFFER_MOST      (UINT64_C(1) << 32)

/* Reads up to `most` comma-separated whole numbers, each 0 or at least `least`. */
static enum status read_list(const char *option, const char *text, unsigned least, unsigned *values,
                             size_t most, size_t *count, struct error *error)
{
    const char *at = text;

    for (*count = 0; *count < most;) {
        char *end;

        errno = 0;
        unsigned long value = strtoul(at, &end, 10);
        if (errno || end == at || *at == '-' || value < least || value > INT_MAX)
            break;
        values[(*count)++] = (unsigned)value;
        if (*end == '\0')
            return STATUS_OK;
        if (*end != ',')
            break;
        at = end + 1;
    }
    return error_set(error, STATUS_USAGE,
                     "%s %s: give 1 to %zu whole numbers of at least %u, separated by "
                     "commas",
                     option, text, most, least);
}

enum status kernel_launch_shape(const struct predict_request *request,
                                struct predict_launch *launch, struct error *error)
{
    unsigned global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
    size_t count;
    enum status status = read_list("--global", request->global, 1, global, 3, &count, error);

    if (status == STATUS_OK)
        status = read_list("--local", request->local, 1, local, 3, &count, error);
    for (size_t i = 0; status == STATUS_OK && i < 3; i++) {
        if (global[i] % local[i] != 0)
            return error_set(error, STATUS_USAGE, "--global %s is no multiple of --local %s",
                             request->global, request->local);
        launch->local[i] = local[i];
        launch->count[i] = global[i] / local[i];
    }
    return status;
}

/* The value given for an argument, the last one of several, or NULL. */
static const char *given(const char *const *words, size_t count, size_t index)
{
    while (count-- > 0) {
        char *end;
        unsigned long number = strtoul(words[count], &end, 10);

        if (end != words[count] && *end == '=' && number == index)
            return end + 1;
    }
    return NULL;
}

/* Bytes, optionally with the suffix K or M. */
static enum status read_bytes(const char *text, size_t index, uint64_t *bytes, struct error *error)
{
    char *end;

    errno = 0;
    *bytes = strtoull(text, &end, 0);
    if (!errno && end != text && *text != '-' && *bytes <= BUFFER_MOST) {
        if (*end == 'K' || *end == 'M') {
            *bytes <<= *end == 'K' ? 10 : 20;
            end++;
        }
        if (*end == '\0' && *bytes > 0 && *bytes <= BUFFER_MOST)
            return STATUS_OK;
    }
    return error_set(error, STATUS_USAGE,
                     "--arg %zu=%s: argument %zu points to memory; give its bytes, such as 64K",
                     index, text, index);
}

/* A number, whole or with a decimal point, in the kernel's representation. */
static enum status read_size(const char *text, size_t index, size_t bytes, uint64_t *value,
                             struct error *error)
{
    char *end;

    errno = 0;
    if (strpbrk(text, ".eE") && !strpbrk(text, "xX")) {
        double number = strtod(text, &end);
        float single = (float)number;

        *value = 0;
        if (bytes == sizeof(single))
            memcpy(value, &single, sizeof(single));
        else
            memcpy(value, &number, sizeof(number));
    } else if (*text == '-') {
        *value = (uint64_t)strtoll(text, &end, 0);
    } else {
        *value = strtoull(text, &end, 0);
    }
    if (errno || end == text || *end)
        return error_set(error, STATUS_USAGE, "--arg %zu=%s: argument %zu is a number", index, text,
                         index);
    return STATUS_OK;
}

/* Gives the buffer these contents, in a file that launches map as they find it; none for zeros. */
static enum status make_contents(struct kernel_launch *made, const struct contents *contents,
                                 struct predict_buffer *buffer, struct error *error)
{
    size_t bytes = buffer->bytes;
    void *memory = MAP_FAILED;

    if (contents->rule == CONTENTS_ZEROS)
        return STATUS_OK;
    int file = memfd_create("vebench buffer", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, (off_t)bytes) == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        if (file >= 0)
            close(file);
        return error_set(error, STATUS_FAILED, "no memory for a buffer of %zu bytes", bytes);
    }
    made->filled[made->filled_count].memory = memory;
    made->filled[made->filled_count].bytes = bytes;
    made->filled[made->filled_count++].file = file;
    buffer->host = memory;
    buffer->is_file = true;
    buffer->file = file;
    return contents_fill(contents, memory, bytes, error);
}

static enum status add_buffer(struct kernel_launch *made, size_t index, uint64_t bytes,
                              const struct contents *contents, struct error *error)
{
    struct predict_launch *launch = &made->launch;
    struct predict_buffer *buffer = &launch->buffer[launch->buffer_count];

    *buffer = (struct predict_buffer){.address = FIRST_BUFFER, .bytes = bytes};
    if (launch->buffer_count) {
        const struct predict_buffer *last = buffer - 1;

        buffer->address = (last->address + last->bytes + BUFFER_ALIGNMENT - 1) / BUFFER_ALIGNMENT *
                          BUFFER_ALIGNMENT;
    }
    enum status status = make_contents(made, contents, buffer, error);
    if (status != STATUS_OK)
        return status;
    launch->buffer_count++;
    launch->argument[index].value = buffer->address;
    return STATUS_OK;
}

static uint64_t work_items(const struct predict_launch *launch)
{
    uint64_t items = 1;

    for (unsigned i = 0; i < 3; i++)
        items *= (uint64_t)launch->local[i] * launch->count[i];
    return items;
}

/* The bytes of a buffer: as --arg says, or those of the file it is filled from, or many. */
static enum status buffer_bytes(const struct predict_launch *launch, const char *text, size_t index,
                                const struct contents *contents, uint64_t *bytes,
                                struct error *error)
{
    if (text)
        return read_bytes(text, index, bytes, error);
    if (contents->rule == CONTENTS_FILE)
        return contents_file_bytes(contents, bytes, error);
    *bytes = work_items(launch) * BYTES_PER_ITEM;
    *bytes = *bytes < BUFFER_LEAST ? BUFFER_LEAST : *bytes > BUFFER_MOST ? BUFFER_MOST : *bytes;
    return STATUS_OK;
}

static enum status add_memory(struct kernel_launch *made, const struct predict_request *request,
                              size_t index, const char *text, struct error *error)
{
    const char *rule = given(request->buffers, request->buffer_count, index);
    struct contents contents = {.rule = CONTENTS_ZEROS};
    enum status status = STATUS_OK;
    uint64_t bytes = 0;
    char name[32];

    snprintf(name, sizeof(name), "--buffer %zu", index);
    if (rule)
        status = contents_read(&contents, name, rule, error);
    if (status == STATUS_OK)
        status = buffer_bytes(&made->launch, text, index, &contents, &bytes, error);
    if (status != STATUS_OK)
        return status;
    made->unsaid[made->launch.buffer_count] = !rule;
    made->unsaid_count += !rule;
    return add_buffer(made, index, bytes, &contents, error);
}

/* A struct by value: its bytes are those of a file, which may be longer than what the code reads.
 */
static enum status read_struct(struct kernel_launch *made, const char *text, size_t index,
                               size_t bytes, struct error *error)
{
    struct contents contents = {.rule = CONTENTS_FILE, .path = text + 1};
    uint64_t there = 0;
    enum status status = contents_file_bytes(&contents, &there, error);

    if (status == STATUS_OK && there < bytes)
        status = error_set(error, STATUS_USAGE,
                           "--arg %zu=%s: the file has %" PRIu64
                           " bytes, the kernel reads %zu of the argument",
                           index, text, there, bytes);
    if (status != STATUS_OK)
        return status;
    made->structs[index] = malloc(bytes);
    if (!made->structs[index])
        return error_out_of_memory(error);
    made->launch.argument[index].data = made->structs[index];
    return contents_fill(&contents, made->structs[index], bytes, error);
}

/* A number or, of more bytes than any has, a struct. */
static enum status read_value(struct kernel_launch *made, const char *text, size_t index,
                              size_t bytes, struct error *error)
{
    if (text[0] == '@')
        return read_struct(made, text, index, bytes, error);
    if (bytes > sizeof(uint64_t))
        return error_set(
            error, STATUS_USAGE,
            "--arg %zu=%s: argument %zu is a struct or a vector of at least %zu bytes: "
            "give them in a file, --arg %zu=@FILE",
            index, text, index, bytes, index);
    return read_size(text, index, bytes, &made->launch.argument[index].value, error);
}

static enum status add_argument(struct kernel_launch *made, const struct predict_request *request,
                                const struct predict_signature *signature, size_t index,
                                struct error *error)
{
    enum argument_kind kind = signature->argument[index].kind;
    const char *text = given(request->arguments, request->argument_count, index);
    bool is_struct = signature->argument[index].bytes > sizeof(uint64_t);
    uint64_t bytes;

    if (kind == ARGUMENT_UNUSED)
        return STATUS_OK;
    made->launch.argument[index].bytes = signature->argument[index].bytes;
    if (kind != ARGUMENT_BUFFER && given(request->buffers, request->buffer_count, index))
        return error_set(error, STATUS_USAGE,
                         "--buffer %zu: argument %zu of %s is no global memory", index, index,
                         request->kernel);
    if (kind == ARGUMENT_BUFFER)
        return add_memory(made, request, index, text, error);
    if (!text)
        return error_set(error, STATUS_USAGE, "argument %zu of %s is %s: give --arg %zu=%s", index,
                         request->kernel,
                         kind == ARGUMENT_LOCAL ? "shared local memory"
                         : is_struct            ? "a struct or a vector"
                                                : "a number",
                         index,
                         kind == ARGUMENT_LOCAL ? "BYTES"
                         : is_struct            ? "@FILE, which has its bytes"
                                                : "VALUE");
    if (kind == ARGUMENT_NUMBER)
        return read_value(made, text, index, signature->argument[index].bytes, error);
    enum status status = read_bytes(text, index, &bytes, error);
    made->launch.argument[index].is_local = true;
    made->launch.argument[index].bytes = status == STATUS_OK ? bytes : 0;
    return status;
}

static enum status check_kernel_words(const char *option, const char *value,
                                      const char *const *words, size_t count,
                                      const struct predict_signature *signature, const char *kernel,
                                      struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        char *end;
        unsigned long index = strtoul(words[i], &end, 10);

        if (end == words[i] || *end != '=' || !end[1] || index >= signature->argument_count)
            return error_set(error, STATUS_USAGE, "%s %s: give INDEX=%s; %s has arguments 0 to %zu",
                             option, words[i], value, kernel,
                             signature->argument_count ? signature->argument_count - 1 : 0);
    }
    return STATUS_OK;
}

static enum status check_given(const struct predict_request *request,
                               const struct predict_signature *signature, struct error *error)
{
    enum status status =
        check_kernel_words("--arg", "VALUE", request->arguments, request->argument_count, signature,
                           request->kernel, error);

    if (status == STATUS_OK)
        status = check_kernel_words("--buffer", "CONTENTS", request->buffers, request->buffer_count,
                                    signature, request->kernel, error);
    return status;
}

/* The bytes of the file or, of OpenCL C, what it is compiled to. */
static enum status read_source(const struct predict_request *request, unsigned lanes,
                               struct kernel_module *module, struct error *error)
{
    struct spirv_file file;

    if (source_is_opencl(request->spirv_path) && !lanes)
        return error_set(error, STATUS_USAGE, "%s is OpenCL C: give its sub-group size, --sizes 16",
                         request->spirv_path);
    if (source_is_opencl(request->spirv_path))
        return source_compile(request->spirv_path, request->defines, request->define_count, lanes,
                              &module->spirv, &module->bytes, error);
    enum status status = spirv_file_read(&file, request->spirv_path, error);
    if (status != STATUS_OK)
        return status;
    module->spirv = file.bytes;
    module->bytes = file.module.size_bytes;
    memcpy(module->objection, file.objection, sizeof(module->objection));
    module->objection[strcspn(module->objection, "\n")] = '\0';
    return STATUS_OK;
}

enum status kernel_module_read(const struct predict_request *request, unsigned lanes,
                               struct kernel_module *module, struct error *error)
{
    *module = (struct kernel_module){.spirv = NULL};
    enum status status = read_source(request, lanes, module, error);
    if (status != STATUS_OK || !lanes)
        return status;
    void *read = module->spirv;
    module->spirv =
        spirv_kernel_resized(read, module->bytes, request->kernel, lanes, &module->bytes);
    free(read);
    return module->spirv ? STATUS_OK
                         : error_set(error, STATUS_FAILED, "%s: there is no kernel %s",
                                     request->spirv_path, request->kernel);
}

/* The compiler ends the process on some modules that spirv-val refuses: whether it does is seen in
 * another one first. */
static enum status try_objected(const struct kernel_launch *made, struct predictor *predictor,
                                const char *path, const char *objection, struct error *error)
{
    struct predict_signature signature;
    int ended = 0;

    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return error_set(error, STATUS_FAILED, "cannot start a process: %s", strerror(errno));
    if (child == 0)
        _exit(predict_signature(predictor, &made->kernel, &signature, error) == STATUS_OK
                  ? COMPILES
                  : EXIT_FAILURE);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == COMPILES)
        return STATUS_OK;
    return error_set(error, STATUS_FAILED,
                     "%s: the compiler refuses the module, as spirv-val does: %s", path, objection);
}

enum status kernel_launch_of(struct kernel_launch *made, const struct kernel_module *module,
                             struct predictor *predictor, const struct predict_request *request,
                             struct predict_signature *signature, struct error *error)
{
    memset(made, 0, sizeof(*made));
    made->kernel.name = request->kernel;
    made->kernel.options = request->options;
    made->kernel.spirv = module->spirv;
    made->kernel.spirv_bytes = module->bytes;
    enum status status = kernel_launch_shape(request, &made->launch, error);
    if (status == STATUS_OK && request->trips)
        status = read_list("--trips", request->trips, 0, made->kernel.trips, PREDICT_TRIPS_MAX,
                           &made->kernel.trip_count, error);
    if (status == STATUS_OK && module->objection[0])
        status = try_objected(made, predictor, request->spirv_path, module->objection, error);
    if (status == STATUS_OK)
        status = predict_signature(predictor, &made->kernel, signature, error);
    if (status == STATUS_OK)
        status = check_given(request, signature, error);
    made->launch.event = request->event;
    made->launch.argument_count = status == STATUS_OK ? signature->argument_count : 0;
    for (size_t i = 0; status == STATUS_OK && i < signature->argument_count; i++)
        status = add_argument(made, request, signature, i, error);
    if (status != STATUS_OK)
        kernel_launch_free(made);
    return status;
}

enum status kernel_launch_make(struct kernel_launch *made, struct predictor *predictor,
                               const struct predict_request *request,
                               struct predict_signature *signature, struct error *error)
{
    struct kernel_module module;
    enum status status = kernel_module_read(request, request->lanes, &module, error);

    if (status == STATUS_OK)
        status = kernel_launch_of(made, &module, predictor, request, signature, error);
    if (status == STATUS_OK)
        made->module = module;
    else
        free(module.spirv);
    return status;
}

enum status kernel_launch_fill(struct kernel_launch *made, struct predict_launch *other,
                               struct error *error)
{
    struct contents contents = {.rule = CONTENTS_RANDOM, .seed = 1, .limit = UINT64_C(1) << 32};
    enum status status = STATUS_OK;

    *other = made->launch;
    for (size_t i = 0; i < other->buffer_count; i++)
        contents.limit = other->buffer[i].bytes / sizeof(uint64_t) < contents.limit
                             ? other->buffer[i].bytes / sizeof(uint64_t)
                             : contents.limit;
    for (size_t i = 0; status == STATUS_OK && contents.limit && i < other->buffer_count; i++) {
        if (made->unsaid[i])
            status = make_contents(made, &contents, &other->buffer[i], error);
    }
    return status;
}

void kernel_launch_free(struct kernel_launch *made)
{
    while (made->filled_count > 0) {
        made->filled_count--;
        munmap(made->filled[made->filled_count].memory, made->filled[made->filled_count].bytes);
        close(made->filled[made->filled_count].file);
    }
    for (size_t i = 0; i < PREDICT_ARGUMENTS_MAX; i++)
        free(made->structs[i]);
    memset(made->structs, 0, sizeof(made->structs));
    free(made->module.spirv);
    made->module.spirv = NULL;
}
