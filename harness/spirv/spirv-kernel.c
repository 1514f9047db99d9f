#include "spirv/spirv-kernel.h"

#include "spirv/spirv-words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From the SPIR-V specification, version 1.6, sections 3.6, 3.20 and 3.31. */
enum {
    VERSION_1_1 = 0x00010100, /* the first with sub-group sizes; in the second word */
    MODE_SUBGROUP_SIZE = 35,
    CAPABILITY_SUBGROUP_DISPATCH = 58,
    DECORATION_FUNC_PARAM_ATTR = 38,
    ATTRIBUTE_NO_WRITE = 6,
    IMAGE_DIMENSIONS = 2, /* its operand: one less, up to 3-D; others are no images of OpenCL */
    IMAGE_DIMENSIONS_3D = 2,
    IMAGE_ARRAYED = 4,
    IMAGE_ACCESS = 8,
    ACCESS_READ_ONLY = 0,
};

static void copy_name(char to[SPIRV_NAME_BYTES], const char *from)
{
    snprintf(to, SPIRV_NAME_BYTES, "%s", from);
}

static bool defines(const struct spirv_instruction *i, uint32_t id)
{
    return i->count > 0 && i->operand[0] == id && i->code >= OP_TYPE_VOID &&
           i->code <= OP_TYPE_LAST;
}

/* The type called `id`. */
static bool find_type(const struct spirv_words *module, uint32_t id, struct spirv_instruction *type)
{
    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, type);) {
        if (defines(type, id))
            return true;
    }
    return false;
}

/* Bytes of a number, or of the numbers of a vector or an array; 0 for anything else. */
static unsigned number_bytes(const struct spirv_words *module, uint32_t id, bool *is_float)
{
    struct spirv_instruction type;

    while (find_type(module, id, &type)) {
        if (type.code == OP_TYPE_INT || type.code == OP_TYPE_FLOAT) {
            *is_float = type.code == OP_TYPE_FLOAT;
            return type.operand[1] / 8;
        }
        if (type.code != OP_TYPE_VECTOR && type.code != OP_TYPE_ARRAY)
            break;
        id = type.operand[1];
    }
    return 0;
}

static void read_pointer(const struct spirv_words *module, const struct spirv_instruction *type,
                         struct spirv_argument *argument)
{
    uint32_t storage = type->operand[1];

    argument->kind = storage == STORAGE_WORKGROUP ? SPIRV_LOCAL
                     : storage == STORAGE_CROSS_WORKGROUP || storage == STORAGE_UNIFORM_CONSTANT
                         ? SPIRV_BUFFER
                     : storage == STORAGE_FUNCTION ? SPIRV_VALUE
                                                   : SPIRV_OTHER;
    argument->is_const = storage == STORAGE_UNIFORM_CONSTANT;
    argument->bytes = number_bytes(module, type->operand[2], &argument->is_float);
}

static void read_image(const struct spirv_instruction *type, struct spirv_argument *argument)
{
    uint32_t dimensions = type->operand[IMAGE_DIMENSIONS];

    if (dimensions > IMAGE_DIMENSIONS_3D || type->operand[IMAGE_ARRAYED])
        return;
    argument->kind = SPIRV_IMAGE;
    argument->dimensions = dimensions + 1;
    argument->is_const =
        type->count > IMAGE_ACCESS && type->operand[IMAGE_ACCESS] == ACCESS_READ_ONLY;
}

static void read_argument(const struct spirv_words *module, uint32_t type_id,
                          struct spirv_argument *argument)
{
    struct spirv_instruction type;

    memset(argument, 0, sizeof(*argument));
    argument->kind = SPIRV_OTHER;
    if (!find_type(module, type_id, &type))
        return;
    if (type.code == OP_TYPE_POINTER) {
        read_pointer(module, &type, argument);
    } else if (type.code == OP_TYPE_INT || type.code == OP_TYPE_FLOAT) {
        argument->kind = SPIRV_NUMBER;
        argument->bytes = number_bytes(module, type_id, &argument->is_float);
    } else if (type.code == OP_TYPE_IMAGE && type.count > IMAGE_ARRAYED) {
        read_image(&type, argument);
    } else if (type.code == OP_TYPE_VECTOR || type.code == OP_TYPE_STRUCT) {
        argument->kind = SPIRV_VALUE;
    }
}

/* Is there a decoration that says that nothing is written through the parameter? */
static bool is_read_only(const struct spirv_words *module, uint32_t id)
{
    struct spirv_instruction i;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, &i);) {
        if (i.code == OP_DECORATE && i.count == 3 && i.operand[0] == id &&
            i.operand[1] == DECORATION_FUNC_PARAM_ATTR && i.operand[2] == ATTRIBUTE_NO_WRITE)
            return true;
    }
    return false;
}

/* The parameters of a function. Some translators make the entry point a function of its own that
 * calls the kernel: then only the latter's parameters have names. */
static void read_parameters(const struct spirv_words *module, uint32_t function,
                            struct spirv_kernel *kernel)
{
    struct spirv_instruction i, name;
    bool inside = false;
    size_t count = 0;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, &i);) {
        if (i.code == OP_FUNCTION)
            inside = i.operand[1] == function;
        if (!inside || i.code != OP_FUNCTION_PARAMETER || count == SPIRV_ARGUMENTS_MAX)
            continue;
        struct spirv_argument *argument = &kernel->argument[count++];
        if (count > kernel->argument_count)
            read_argument(module, i.operand[0], argument);
        argument->is_const = argument->is_const || is_read_only(module, i.operand[1]);
        if (!argument->name[0] && spirv_find(module, OP_NAME, 0, i.operand[1], &name))
            copy_name(argument->name, spirv_text(&name, 1));
    }
    if (count)
        kernel->argument_count = count;
}

/* What OpenCL's front end leaves of the source: "kernel_arg_type_qual.NAME.const,,". */
static void read_qualifiers(const struct spirv_words *module, struct spirv_kernel *kernel)
{
    char prefix[SPIRV_NAME_BYTES + 40];
    struct spirv_instruction i;

    int bytes = snprintf(prefix, sizeof(prefix), "kernel_arg_type_qual.%s.", kernel->name);
    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, &i);) {
        if (i.code != OP_STRING || strncmp(spirv_text(&i, 1), prefix, (size_t)bytes) != 0)
            continue;
        const char *text = spirv_text(&i, 1) + bytes;
        for (size_t a = 0; a < kernel->argument_count && *text; a++) {
            size_t length = strcspn(text, ",");
            const char *found = strstr(text, "const");

            if (found && found < text + length)
                kernel->argument[a].is_const = true;
            text += length + (text[length] == ',');
        }
    }
}

static enum status name_kernels(const struct spirv_words *module, const char *wanted,
                                struct error *error)
{
    struct spirv_instruction i;
    size_t count = 0;

    if (wanted)
        error_set(error, STATUS_USAGE, "--kernel %s: the module has no such kernel; it has",
                  wanted);
    else
        error_set(error, STATUS_USAGE, "--kernel says which kernel is meant; the module has");
    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, &i);) {
        if (i.code == OP_ENTRY_POINT)
            error_append(error, "%s %s", count++ ? "," : "", spirv_text(&i, 2));
    }
    if (count == 0)
        error_append(error, " none at all");
    return STATUS_USAGE;
}

enum status spirv_kernel_read(struct spirv_kernel *kernel, const void *bytes, size_t size,
                              const char *name, struct error *error)
{
    const struct spirv_words module = {bytes, size / sizeof(uint32_t)};
    struct spirv_instruction entry, i;

    memset(kernel, 0, sizeof(*kernel));
    if (!spirv_find_entry(&module, name, &entry))
        return name_kernels(&module, name, error);
    copy_name(kernel->name, spirv_text(&entry, 2));
    read_parameters(&module, entry.operand[1], kernel);
    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&module, &at, &i);) {
        if (i.code == OP_EXECUTION_MODE && i.count == 3 && i.operand[0] == entry.operand[1] &&
            i.operand[1] == MODE_SUBGROUP_SIZE)
            kernel->subgroup_size = i.operand[2];
        if (i.code == OP_NAME && strcmp(spirv_text(&i, 1), kernel->name) == 0 &&
            i.operand[0] != entry.operand[1])
            read_parameters(&module, i.operand[0], kernel);
    }
    read_qualifiers(&module, kernel);
    return STATUS_OK;
}

static bool has_capability(const struct spirv_words *module)
{
    struct spirv_instruction i;

    return spirv_find(module, OP_CAPABILITY, 0, CAPABILITY_SUBGROUP_DISPATCH, &i);
}

void *spirv_kernel_resized(const void *bytes, size_t size, const char *name, unsigned lanes,
                           size_t *copy_bytes)
{
    const struct spirv_words module = {bytes, size / sizeof(uint32_t)};
    struct spirv_writer writer = {0};
    struct spirv_instruction entry = {0}, i;
    bool is_done = false;

    if (!spirv_find_entry(&module, name, &entry))
        return NULL;
    uint32_t version = module.words[SPIRV_HEADER_VERSION];
    spirv_put_words(&writer, module.words, SPIRV_HEADER_WORDS);
    if (version < VERSION_1_1 && !writer.failed)
        writer.words[SPIRV_HEADER_VERSION] = VERSION_1_1;
    if (!has_capability(&module))
        SPIRV_PUT(&writer, OP_CAPABILITY, CAPABILITY_SUBGROUP_DISPATCH);
    for (size_t at = SPIRV_HEADER_WORDS, before = at; spirv_next(&module, &at, &i); before = at) {
        if (i.code == OP_EXECUTION_MODE && i.count == 3 && i.operand[0] == entry.operand[1] &&
            i.operand[1] == MODE_SUBGROUP_SIZE)
            continue;
        /* The modes stand right behind the entry points. */
        if (!is_done && i.code != OP_ENTRY_POINT && module.words + before > entry.operand) {
            SPIRV_PUT(&writer, OP_EXECUTION_MODE, entry.operand[1], MODE_SUBGROUP_SIZE, lanes);
            is_done = true;
        }
        spirv_put_words(&writer, module.words + before, at - before);
    }
    return spirv_written(&writer, copy_bytes);
}
