#include "module.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

/* SPIR-V specification 1.6, sections 3.42 (opcodes) and 3.6 (execution modes). */
enum { OP_ENTRY_POINT = 15, OP_EXECUTION_MODE = 16 };
enum { EXECUTION_MODE_SUBGROUP_SIZE = 35 };

/* Far above any module of ours; a longer file is a mistake in the command line. */
enum { MODULE_BYTES_MAX = 16 * 1024 * 1024 };

static int fail(const char *path, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "embed-spirv: %s: ", path);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return -1;
}

static int parse_size(unsigned *size, const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (end == text || *end || value == 0 || value > 1024 || (value & (value - 1)) != 0)
        return -1;
    *size = (unsigned)value;
    return 0;
}

static int is_identifier(const char *name)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

    return *name && name[strspn(name, letters)] == '\0';
}

static int read_words(struct module *module, const char *path)
{
    int status = -1;
    FILE *in = fopen(path, "rb");

    if (!in)
        return fail(path, "%s", strerror(errno));
    if (fseek(in, 0, SEEK_END) != 0) {
        fail(path, "%s", strerror(errno));
        goto out;
    }
    long bytes = ftell(in);
    if (bytes < 20 || bytes > MODULE_BYTES_MAX || bytes % 4 != 0) {
        fail(path, "%ld bytes cannot be a SPIR-V module", bytes);
        goto out;
    }
    rewind(in);
    module->words = malloc((size_t)bytes);
    if (!module->words) {
        fail(path, "out of memory");
        goto out;
    }
    module->word_count = (size_t)bytes / 4;
    if (fread(module->words, 4, module->word_count, in) != module->word_count) {
        fail(path, "could not be read completely");
        goto out;
    }
    status = 0;
out:
    fclose(in);
    return status;
}

static spv_result_t on_header(void *user_data, spv_endianness_t endian, uint32_t magic,
                              uint32_t version, uint32_t generator, uint32_t id_bound,
                              uint32_t reserved)
{
    struct module *module = user_data;

    (void)endian, (void)magic, (void)generator, (void)id_bound, (void)reserved;
    module->version_major = version >> 16 & 0xff;
    module->version_minor = version >> 8 & 0xff;
    return SPV_SUCCESS;
}

/* OpEntryPoint: execution model, id, name, interface ids. */
static spv_result_t add_entry_point(struct module *module, const spv_parsed_instruction_t *inst)
{
    const char *name = (const char *)(inst->words + inst->operands[2].offset);
    size_t length = strlen(name);
    struct entry_point *entry_points =
        realloc(module->entry_points, (module->entry_point_count + 1) * sizeof(*entry_points));

    if (!entry_points)
        return SPV_ERROR_OUT_OF_MEMORY;
    module->entry_points = entry_points;
    struct entry_point *entry = &entry_points[module->entry_point_count];
    entry->id = inst->words[inst->operands[1].offset];
    entry->subgroup_size = 0;
    entry->name = malloc(length + 1);
    if (!entry->name)
        return SPV_ERROR_OUT_OF_MEMORY;
    memcpy(entry->name, name, length + 1);
    module->entry_point_count++;
    return SPV_SUCCESS;
}

/* OpExecutionMode: id of an entry point, mode, operands. They follow every OpEntryPoint. */
static void add_execution_mode(struct module *module, const spv_parsed_instruction_t *inst)
{
    if (inst->words[inst->operands[1].offset] != EXECUTION_MODE_SUBGROUP_SIZE)
        return;
    for (size_t i = 0; i < module->entry_point_count; i++) {
        if (module->entry_points[i].id == inst->words[inst->operands[0].offset])
            module->entry_points[i].subgroup_size = inst->words[inst->operands[2].offset];
    }
}

static spv_result_t on_instruction(void *user_data, const spv_parsed_instruction_t *inst)
{
    if (inst->opcode == OP_ENTRY_POINT)
        return add_entry_point(user_data, inst);
    if (inst->opcode == OP_EXECUTION_MODE)
        add_execution_mode(user_data, inst);
    return SPV_SUCCESS;
}

/* The version that OpenCL 2.2 goes with, but not its environment, which refuses what OpenCL has as
 * extensions (64-bit atomics). */
static int validate_and_parse(struct module *module, const char *path)
{
    spv_diagnostic diagnostic = NULL;
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_2);

    if (!context)
        return fail(path, "SPIRV-Tools has no context for SPIR-V 1.2");
    spv_const_binary_t binary = {module->words, module->word_count};
    spv_result_t result = spvValidate(context, &binary, &diagnostic);
    if (result == SPV_SUCCESS) {
        result = spvBinaryParse(context, module, module->words, module->word_count, on_header,
                                on_instruction, &diagnostic);
    }
    if (result != SPV_SUCCESS) {
        fail(path, "not valid SPIR-V: %s (%d)",
             diagnostic && diagnostic->error ? diagnostic->error : "no diagnostic", (int)result);
    }
    spvDiagnosticDestroy(diagnostic);
    spvContextDestroy(context);
    return result == SPV_SUCCESS ? 0 : -1;
}

/* A kernel says by its name that it leaves the size to the compiler. */
static int has_any_size(const char *name)
{
    size_t length = strlen(name), suffix = strlen(ANY_SIZE_SUFFIX);

    return length > suffix && strcmp(name + length - suffix, ANY_SIZE_SUFFIX) == 0;
}

static int check_entry_points(const struct module *module, const char *path)
{
    if (module->entry_point_count == 0)
        return fail(path, "no entry point");
    for (size_t i = 0; i < module->entry_point_count; i++) {
        const struct entry_point *entry = &module->entry_points[i];

        if (!is_identifier(entry->name))
            return fail(path, "the entry point's name \"%s\" is not an identifier", entry->name);
        unsigned required = has_any_size(entry->name) ? 0 : module->subgroup_size;
        if (entry->subgroup_size != required) {
            return fail(path, "%s requires sub-group size %u instead of %u (0: none)", entry->name,
                        entry->subgroup_size, required);
        }
    }
    return 0;
}

int module_load(struct module *module, const char *family, const char *size, const char *path)
{
    module->family = family;
    if (!is_identifier(family))
        return fail(path, "the family \"%s\" is not an identifier", family);
    if (parse_size(&module->subgroup_size, size) != 0)
        return fail(path, "the sub-group size \"%s\" is not a power of two", size);
    if (read_words(module, path) != 0 || validate_and_parse(module, path) != 0)
        return -1;
    if (check_entry_points(module, path) != 0)
        return -1;
    sha256_hex(module->words, module->word_count * 4, module->sha256);
    return 0;
}

void module_free(struct module *module)
{
    for (size_t i = 0; i < module->entry_point_count; i++)
        free(module->entry_points[i].name);
    free(module->entry_points);
    free(module->words);
}
