#include "image/zebin-info.h"

#include "image/image-error.h"
#include "memory/round-up.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#define GRF_BYTES 32

/* The value of a key in a mapping, or NULL. */
static yaml_node_t *value_of(yaml_document_t *document, const yaml_node_t *mapping, const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
         pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *name = yaml_document_get_node(document, pair->key);

        if (name && name->type == YAML_SCALAR_NODE &&
            !strcmp((const char *)name->data.scalar.value, key))
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

static const char *text_of(yaml_document_t *document, const yaml_node_t *mapping, const char *key)
{
    const yaml_node_t *node = value_of(document, mapping, key);

    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : "";
}

static uint32_t number_of(yaml_document_t *document, const yaml_node_t *mapping, const char *key)
{
    return (uint32_t)strtoul(text_of(document, mapping, key), NULL, 0);
}

/* Element `index` of a list, or NULL after the last. */
static yaml_node_t *element_of(yaml_document_t *document, const yaml_node_t *list, size_t index)
{
    if (!list || list->type != YAML_SEQUENCE_NODE ||
        index >= (size_t)(list->data.sequence.items.top - list->data.sequence.items.start))
        return NULL;
    return yaml_document_get_node(document, list->data.sequence.items.start[index]);
}

/* Arguments with memory of their own: what a pointer points to. */
static enum payload_kind pointer_kind(yaml_document_t *document, const yaml_node_t *node)
{
    const char *space = text_of(document, node, "addrspace");

    if (!strcmp(space, "local"))
        return PAYLOAD_LOCAL;
    if (!strcmp(text_of(document, node, "addrmode"), "bindless"))
        return PAYLOAD_SURFACE;
    return !strcmp(space, "global") || !strcmp(space, "constant") ? PAYLOAD_POINTER : PAYLOAD_OTHER;
}

static enum payload_kind kind_of(yaml_document_t *document, const yaml_node_t *node)
{
    static const struct {
        const char *name;
        enum payload_kind kind;
    } kinds[] = {
        {"global_id_offset", PAYLOAD_GLOBAL_ID_OFFSET},
        {"local_size", PAYLOAD_LOCAL_SIZE},
        {"enqueued_local_size", PAYLOAD_ENQUEUED_LOCAL_SIZE},
        {"global_size", PAYLOAD_GLOBAL_SIZE},
        {"group_count", PAYLOAD_GROUP_COUNT},
        {"work_dimensions", PAYLOAD_WORK_DIMENSIONS},
        {"private_base_stateless", PAYLOAD_PRIVATE_BASE},
        {"indirect_data_pointer", PAYLOAD_INDIRECT},
        {"scratch_pointer", PAYLOAD_SCRATCH},
        {"arg_byvalue", PAYLOAD_VALUE},
        {"buffer_address", PAYLOAD_POINTER},
    };
    const char *type = text_of(document, node, "arg_type");

    if (!strcmp(type, "arg_bypointer"))
        return pointer_kind(document, node);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (!strcmp(kinds[i].name, type))
            return kinds[i].kind;
    }
    return PAYLOAD_OTHER;
}

static int add_payload(yaml_document_t *document, const yaml_node_t *node,
                       struct zebin_kernel *kernel, char *error, size_t error_size)
{
    struct payload payload = {
        .kind = kind_of(document, node),
        .offset = number_of(document, node, "offset"),
        .size = number_of(document, node, "size"),
        .source = number_of(document, node, "source_offset"),
        .argument = number_of(document, node, "arg_index"),
    };

    if (payload.offset > UINT16_MAX || payload.size > UINT16_MAX ||
        payload.argument >= VESIM_ARGUMENTS_MAX || kernel->payload_count == ZEBIN_PAYLOADS_MAX)
        return image_error(error, error_size, "a kernel with more arguments than fit");
    if (value_of(document, node, "arg_index") && payload.argument >= kernel->argument_count)
        kernel->argument_count = payload.argument + 1;
    if (payload.offset + payload.size > kernel->cross_thread_bytes)
        kernel->cross_thread_bytes = payload.offset + payload.size;
    if (payload.kind != PAYLOAD_OTHER && payload.size)
        kernel->payload[kernel->payload_count++] = payload;
    return 0;
}

static int read_payload(yaml_document_t *document, const yaml_node_t *node,
                        struct zebin_kernel *kernel, char *error, size_t error_size)
{
    const yaml_node_t *list = value_of(document, node, "payload_arguments");
    int status = 0;

    for (size_t i = 0; !status && element_of(document, list, i); i++)
        status = add_payload(document, element_of(document, list, i), kernel, error, error_size);
    kernel->cross_thread_bytes = (uint32_t)round_up(kernel->cross_thread_bytes, GRF_BYTES);
    return status;
}

static void read_per_thread(yaml_document_t *document, const yaml_node_t *node,
                            struct zebin_kernel *kernel)
{
    const yaml_node_t *list = value_of(document, node, "per_thread_payload_arguments");

    for (size_t i = 0; element_of(document, list, i); i++) {
        const yaml_node_t *ids = element_of(document, list, i);

        if (strcmp(text_of(document, ids, "arg_type"), "local_id"))
            continue;
        kernel->has_local_ids = true;
        kernel->per_thread_bytes = number_of(document, ids, "size");
    }
}

/* Memory of a thread: addressed through a surface of its own, or plain global memory. */
static void read_buffers(yaml_document_t *document, const yaml_node_t *node,
                         struct zebin_kernel *kernel)
{
    const yaml_node_t *list = value_of(document, node, "per_thread_memory_buffers");

    for (size_t i = 0; element_of(document, list, i); i++) {
        const yaml_node_t *buffer = element_of(document, list, i);
        uint32_t bytes = number_of(document, buffer, "size");
        bool each_lane = !strcmp(text_of(document, buffer, "is_simt_thread"), "true");

        if (!strcmp(text_of(document, buffer, "type"), "global"))
            kernel->private_bytes += each_lane ? bytes * kernel->simd_width : bytes;
        else
            kernel->scratch_bytes += bytes;
    }
}

static int read_binding_table(yaml_document_t *document, const yaml_node_t *node,
                              struct zebin_kernel *kernel, char *error, size_t error_size)
{
    const yaml_node_t *list = value_of(document, node, "binding_table_indices");

    for (size_t i = 0; element_of(document, list, i); i++) {
        const yaml_node_t *entry = element_of(document, list, i);
        uint32_t index = number_of(document, entry, "bti_value");

        if (index >= ZEBIN_SURFACES_MAX || kernel->surface_count == ZEBIN_SURFACES_MAX)
            return image_error(error, error_size, "a kernel with more surfaces than %d",
                               ZEBIN_SURFACES_MAX);
        kernel->surface[kernel->surface_count].index = index;
        kernel->surface[kernel->surface_count++].argument = number_of(document, entry, "arg_index");
    }
    return 0;
}

static int read_kernel(yaml_document_t *document, const yaml_node_t *node,
                       struct zebin_kernel *kernel, char *error, size_t error_size)
{
    const yaml_node_t *environment = value_of(document, node, "execution_env");
    const yaml_node_t *attributes = value_of(document, node, "user_attributes");

    kernel->required_width = number_of(document, attributes, "intel_reqd_sub_group_size");
    kernel->simd_width = number_of(document, environment, "simd_size");
    kernel->grf_count = number_of(document, environment, "grf_count");
    kernel->barriers = number_of(document, environment, "barrier_count");
    kernel->slm_bytes = number_of(document, environment, "slm_size");
    kernel->inline_bytes = number_of(document, environment, "inline_data_payload_size");
    kernel->skip_bytes = number_of(document, environment, "offset_to_skip_per_thread_data_load");
    if (kernel->simd_width != 8 && kernel->simd_width != 16 && kernel->simd_width != 32)
        return image_error(error, error_size, "a kernel of %u lanes", kernel->simd_width);
    read_per_thread(document, node, kernel);
    read_buffers(document, node, kernel);
    if (kernel->scratch_bytes > ZEBIN_SCRATCH_MAX || kernel->private_bytes > ZEBIN_SCRATCH_MAX ||
        kernel->slm_bytes > ZEBIN_SLM_MAX || kernel->per_thread_bytes > ZEBIN_PER_THREAD_MAX)
        return image_error(error, error_size,
                           "a kernel with more private memory than hardware supports");
    int status = read_payload(document, node, kernel, error, error_size);
    return status ? status : read_binding_table(document, node, kernel, error, error_size);
}

static void append(char *error, size_t error_size, const char *name)
{
    size_t used = strlen(error);

    snprintf(error + used, error_size - used, " %s", name);
}

static int no_such_kernel(yaml_document_t *document, const yaml_node_t *kernels, const char *name,
                          char *error, size_t error_size)
{
    image_error(error, error_size, "there is no kernel %s; there are", name);
    for (size_t i = 0; element_of(document, kernels, i); i++)
        append(error, error_size, text_of(document, element_of(document, kernels, i), "name"));
    return -1;
}

static int read_document(yaml_document_t *document, const char *name, struct zebin_kernel *kernel,
                         char *error, size_t error_size)
{
    const yaml_node_t *kernels =
        value_of(document, yaml_document_get_root_node(document), "kernels");

    for (size_t i = 0; element_of(document, kernels, i); i++) {
        const yaml_node_t *node = element_of(document, kernels, i);

        if (!strcmp(text_of(document, node, "name"), name))
            return read_kernel(document, node, kernel, error, error_size);
    }
    return no_such_kernel(document, kernels, name, error, error_size);
}

int zebin_read_info(const char *text, size_t bytes, const char *name, struct zebin_kernel *kernel,
                    char *error, size_t error_size)
{
    yaml_document_t document;
    yaml_parser_t parser;
    int status;

    if (!yaml_parser_initialize(&parser))
        return image_error(error, error_size, "out of memory");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, strnlen(text, bytes));
    if (yaml_parser_load(&parser, &document)) {
        status = read_document(&document, name, kernel, error, error_size);
        yaml_document_delete(&document);
    } else {
        status =
            image_error(error, error_size, "line %zu of the device binary's .ze_info: %s",
                        parser.problem_mark.line + 1, parser.problem ? parser.problem : "no YAML");
    }
    yaml_parser_delete(&parser);
    return status;
}
