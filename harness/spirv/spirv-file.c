#include "spirv/spirv-file.h"

#include <spirv-tools/libspirv.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES  20u
#define MAGIC         0x07230203u
#define LARGEST_BYTES (64u << 20)

static enum status read_file(const char *path, unsigned char **bytes, size_t *size_bytes,
                             struct error *error)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1u << 16;
    size_t used = 0;

    *bytes = NULL;
    if (!file)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    for (;;) {
        unsigned char *grown = realloc(*bytes, room);

        if (!grown || room > LARGEST_BYTES)
            break;
        *bytes = grown;
        used += fread(*bytes + used, 1, room - used, file);
        if (used < room)
            break;
        room *= 2;
    }
    *size_bytes = used;
    if (used == room || ferror(file)) {
        fclose(file);
        return error_set(error, STATUS_FAILED, "cannot read %s: too large, or a read error", path);
    }
    fclose(file);
    return STATUS_OK;
}

static uint32_t first_word(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static enum status check_shape(const char *what, const unsigned char *bytes, size_t size_bytes,
                               struct error *error)
{
    if (size_bytes < HEADER_BYTES || size_bytes % 4 != 0 || first_word(bytes) != MAGIC) {
        return error_set(
            error, STATUS_FAILED,
            "%s is not a SPIR-V module (%zu bytes): `vebench help spirv` says how to make one of "
            "OpenCL C",
            what, size_bytes);
    }
    return STATUS_OK;
}

/* A module whose parts cannot be read is corrupt; others may be such as no rule of SPIR-V allows.
 */
static enum status validate(const char *path, struct spirv_file *file, size_t size_bytes,
                            struct error *error)
{
    spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
    spv_diagnostic diagnostic = NULL;
    uint32_t *words = malloc(size_bytes); /* `bytes` need not be aligned for words */
    enum status status = STATUS_OK;

    if (!context || !words) {
        status = error_out_of_memory(error);
    } else {
        memcpy(words, file->bytes, size_bytes);
        if (spvBinaryParse(context, NULL, words, size_bytes / 4, NULL, NULL, &diagnostic) !=
            SPV_SUCCESS)
            status = error_set(error, STATUS_FAILED, "%s is a corrupt SPIR-V module: %.300s", path,
                               diagnostic ? diagnostic->error : "it cannot be read");
        else if (spvValidateBinary(context, words, size_bytes / 4, &diagnostic) != SPV_SUCCESS)
            snprintf(file->objection, sizeof(file->objection), "%s",
                     diagnostic ? diagnostic->error : "it does not validate");
    }
    spvDiagnosticDestroy(diagnostic);
    free(words);
    spvContextDestroy(context);
    return status;
}

enum status spirv_file_read(struct spirv_file *file, const char *path, struct error *error)
{
    size_t size_bytes = 0;

    memset(file, 0, sizeof(*file));
    enum status status = read_file(path, &file->bytes, &size_bytes, error);
    if (status == STATUS_OK)
        status = check_shape(path, file->bytes, size_bytes, error);
    if (status == STATUS_OK)
        status = validate(path, file, size_bytes, error);
    if (status != STATUS_OK) {
        spirv_file_free(file);
        return status;
    }
    sha256_hex(file->bytes, size_bytes, file->sha256);
    file->module.bytes = file->bytes;
    file->module.size_bytes = size_bytes;
    file->module.sha256 = file->sha256;
    return STATUS_OK;
}

enum status spirv_file_load(struct spirv_file *file, const char *path,
                            const struct spirv_module *replaced, struct error *error)
{
    enum status status = spirv_file_read(file, path, error);
    struct spirv_module own = file->module;

    if (status != STATUS_OK)
        return status;
    if (file->objection[0]) {
        status = error_set(error, STATUS_FAILED, "%s is a corrupt SPIR-V module: %s", path,
                           file->objection);
        spirv_file_free(file);
        return status;
    }
    if (replaced)
        file->module = *replaced;
    file->module.bytes = own.bytes;
    file->module.size_bytes = own.size_bytes;
    file->module.sha256 = own.sha256;
    return STATUS_OK;
}

void spirv_file_free(struct spirv_file *file)
{
    free(file->bytes);
    memset(file, 0, sizeof(*file));
}

enum status spirv_module_check(const struct spirv_module *module, struct error *error)
{
    char sha256[SHA256_HEX_BYTES];
    char what[80];

    snprintf(what, sizeof(what), "the built-in module %s for sub-groups of %u", module->family,
             module->subgroup_size);
    enum status status = check_shape(what, module->bytes, module->size_bytes, error);
    if (status != STATUS_OK)
        return status;
    sha256_hex(module->bytes, module->size_bytes, sha256);
    if (strcmp(sha256, module->sha256) != 0) {
        return error_set(error, STATUS_FAILED,
                         "%s is damaged: its SHA-256 is not the one recorded at build; build again",
                         what);
    }
    return STATUS_OK;
}
