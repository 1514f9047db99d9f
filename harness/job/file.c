#include "job/file.h"

#include "family/near.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* What is being read. */
struct reader {
    struct job_file *file;
    const char *path;
    size_t folder_bytes; /* of the path up to its last slash */
    yaml_document_t document;
    struct error *error;
};

static const char *scalar_of(const yaml_node_t *node)
{
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static enum status complain(const struct reader *reader, const yaml_node_t *node, const char *text)
{
    return error_set(reader->error, STATUS_USAGE, "%s:%zu: %s", reader->path,
                     node ? node->start_mark.line + 1 : 1, text);
}

enum key {
    KEY_SOURCE,
    KEY_KERNEL,
    KEY_GLOBAL,
    KEY_LOCAL,
    KEY_SIZES,
    KEY_ARGUMENTS,
    KEY_DEFINES,
    KEY_OPTIONS,
    KEY_GRF,
    KEY_CACHES,
    KEY_TOLERANCE,
    KEY_REFERENCE,
    KEY_LAUNCHES,
    KEYS
};

enum launch_key {
    LAUNCH_SOURCE,
    LAUNCH_KERNEL,
    LAUNCH_GLOBAL,
    LAUNCH_LOCAL,
    LAUNCH_ARGUMENTS,
    LAUNCH_TIMED,
    LAUNCH_KEYS
};

enum memory_key { MEMORY_BYTES, MEMORY_CONTENTS, MEMORY_EXPECTED, MEMORY_KEYS };

static const char *const job_keys[KEYS] = {"source",    "kernel",    "global",  "local", "sizes",
                                           "arguments", "defines",   "options", "grf",   "caches",
                                           "tolerance", "reference", "launches"};
static const char *const launch_keys[LAUNCH_KEYS] = {"source", "kernel",    "global",
                                                     "local",  "arguments", "timed"};
static const char *const memory_keys[MEMORY_KEYS] = {"bytes", "contents", "expected"};

const char *const *job_file_keys(enum job_key_owner owner, size_t *count)
{
    static const struct {
        const char *const *key;
        size_t count;
    } of[JOB_KEY_OWNERS] = {[JOB_KEYS] = {job_keys, KEYS},
                            [JOB_LAUNCH_KEYS] = {launch_keys, LAUNCH_KEYS},
                            [JOB_MEMORY_KEYS] = {memory_keys, MEMORY_KEYS}};

    *count = of[owner].count;
    return of[owner].key;
}

/* The place of a key among those of its owner, or their number. */
static size_t find_key(enum job_key_owner owner, const yaml_node_t *key)
{
    size_t count, k = 0;
    const char *const *names = job_file_keys(owner, &count);

    while (k < count && strcmp(names[k], scalar_of(key)) != 0)
        k++;
    return k;
}

/* Keeps a text made of up to three parts; NULL: out of memory. */
static const char *keep(const struct reader *reader, const char *a, const char *b, const char *c)
{
    struct job_file *file = reader->file;
    size_t bytes = strlen(a) + strlen(b) + strlen(c) + 1;
    char **more = realloc(file->texts, (file->text_count + 1) * sizeof(*more));
    char *text = malloc(bytes);

    if (more)
        file->texts = more;
    if (!more || !text) {
        free(text);
        return NULL;
    }
    snprintf(text, bytes, "%s%s%s", a, b, c);
    return file->texts[file->text_count++] = text;
}

/* A path of the file's as one of this process. */
static const char *keep_path(const struct reader *reader, const char *before, const char *path)
{
    char folder[4096];

    if (path[0] == '/' || reader->folder_bytes >= sizeof(folder))
        return keep(reader, before, "", path);
    memcpy(folder, reader->path, reader->folder_bytes);
    folder[reader->folder_bytes] = '\0';
    return keep(reader, before, folder, path);
}

static enum status add_word(const struct reader *reader, const yaml_node_t *node,
                            struct job_words *words, const char *text)
{
    if (!text)
        return error_out_of_memory(reader->error);
    if (words->count == JOB_WORDS_MAX)
        return complain(reader, node, "too many values");
    words->word[words->count++] = text;
    return STATUS_OK;
}

/* A value, or several in a list. */
static enum status read_words(struct reader *reader, const yaml_node_t *node,
                              struct job_words *words)
{
    const char *text = scalar_of(node);
    enum status status = STATUS_OK;

    if (text)
        return add_word(reader, node, words, keep(reader, text, "", ""));
    if (node->type != YAML_SEQUENCE_NODE)
        return complain(reader, node, "give a value or a list of them");
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         status == STATUS_OK && item < node->data.sequence.items.top; item++) {
        const yaml_node_t *each = yaml_document_get_node(&reader->document, *item);

        text = scalar_of(each);
        status = text ? add_word(reader, each, words, keep(reader, text, "", ""))
                      : complain(reader, each, "give a number or a text");
    }
    return status;
}

/* The same with commas between them. */
static enum status read_list(struct reader *reader, const yaml_node_t *node, const char **text)
{
    struct job_words words = {.count = 0};
    enum status status = read_words(reader, node, &words);

    for (size_t i = 0; status == STATUS_OK && i < words.count; i++) {
        *text = keep(reader, i ? *text : "", i ? "," : "", words.word[i]);
        if (!*text)
            status = error_out_of_memory(reader->error);
    }
    return status;
}

static enum status read_text(struct reader *reader, const yaml_node_t *node, const char **text)
{
    const char *scalar = scalar_of(node);

    if (!scalar)
        return complain(reader, node, "give a number or a text");
    *text = keep(reader, scalar, "", "");
    return *text ? STATUS_OK : error_out_of_memory(reader->error);
}

static enum status read_path(struct reader *reader, const yaml_node_t *node, const char **text)
{
    const char *scalar = scalar_of(node);

    if (!scalar)
        return complain(reader, node, "give the path of a file");
    *text = keep_path(reader, "", scalar);
    return *text ? STATUS_OK : error_out_of_memory(reader->error);
}

/* Visits each pair of a mapping. */
typedef enum status visit(struct reader *reader, const yaml_node_t *key, const yaml_node_t *value,
                          void *context);

static enum status visit_pairs(struct reader *reader, const yaml_node_t *node, visit *each,
                               void *context, const char *otherwise)
{
    enum status status = STATUS_OK;

    if (!node || node->type != YAML_MAPPING_NODE)
        return complain(reader, node, otherwise);
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         status == STATUS_OK && pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(&reader->document, pair->key);

        status =
            scalar_of(key)
                ? each(reader, key, yaml_document_get_node(&reader->document, pair->value), context)
                : complain(reader, key, "give the name of a key");
    }
    return status;
}

/* "bytes", "contents" or "expected" of the argument whose name is the context. */
static enum status read_memory(struct reader *reader, const yaml_node_t *key,
                               const yaml_node_t *value, void *context)
{
    struct job_request *request = &reader->file->request;
    const char *text = scalar_of(value);
    const char *name = keep(reader, context, "=", "");
    size_t what = find_key(JOB_MEMORY_KEYS, key);

    if (what == MEMORY_KEYS)
        return complain(reader, key, "memory has bytes, contents and expected contents");
    if (!text)
        return complain(reader, value, "give a number or a text");
    if (!name)
        return error_out_of_memory(reader->error);
    if (what == MEMORY_BYTES)
        return add_word(reader, key, &request->arguments, keep(reader, name, text, ""));
    if (what == MEMORY_EXPECTED)
        name = keep(reader, name, "@", "");
    if (!name)
        return error_out_of_memory(reader->error);
    return add_word(reader, key, &request->buffers,
                    what == MEMORY_EXPECTED || !contents_is_rule(text)
                        ? keep_path(reader, name, text)
                        : keep(reader, name, text, ""));
}

static enum status read_argument(struct reader *reader, const yaml_node_t *key,
                                 const yaml_node_t *value, void *context)
{
    const char *text = scalar_of(value);

    (void)context;
    if (!text)
        return visit_pairs(reader, value, read_memory, (void *)(uintptr_t)scalar_of(key),
                           "an argument is a number, or memory with its bytes, contents or "
                           "expected contents");
    const char *name = keep(reader, scalar_of(key), text[0] == '@' ? "=@" : "=", "");
    if (!name)
        return error_out_of_memory(reader->error);
    return add_word(reader, key, &reader->file->request.arguments,
                    text[0] == '@' ? keep_path(reader, name, text + 1)
                                   : keep(reader, name, text, ""));
}

static enum status read_define(struct reader *reader, const yaml_node_t *key,
                               const yaml_node_t *value, void *context)
{
    const char *values = NULL;
    enum status status = read_list(reader, value, &values);

    (void)context;
    if (status != STATUS_OK)
        return status;
    return add_word(reader, key, &reader->file->request.defines,
                    values ? keep(reader, scalar_of(key), "=", values)
                           : keep(reader, scalar_of(key), "", ""));
}

static enum status no_key(const struct reader *reader, enum job_key_owner owner,
                          const yaml_node_t *key)
{
    struct near near = near_begin(scalar_of(key), strlen(scalar_of(key)));
    size_t count;
    const char *const *names = job_file_keys(owner, &count);

    complain(reader, key, "");
    error_append(reader->error, "there is no key %s; there are", scalar_of(key));
    for (size_t i = 0; i < count; i++) {
        error_append(reader->error, "%s %s", i ? "," : "", names[i]);
        near_consider(&near, names[i]);
    }
    near_append(&near, "", reader->error);
    return STATUS_USAGE;
}

/* An argument of one of several launches, the context. */
static enum status read_passed(struct reader *reader, const yaml_node_t *key,
                               const yaml_node_t *value, void *context)
{
    struct job_launch_words *launch = context;
    const char *text = scalar_of(value);

    if (!text || !text[0])
        return complain(reader, value, "give the job's name of it, or a number");
    return add_word(reader, key, &launch->arguments, keep(reader, scalar_of(key), "=", text));
}

static enum status read_timed(struct reader *reader, const yaml_node_t *key,
                              const yaml_node_t *value, struct job_launch_words *launch)
{
    const char *text = scalar_of(value);

    if (!text || (strcmp(text, "true") != 0 && strcmp(text, "false") != 0))
        return complain(reader, value, "timed is true or false");
    launch->is_timed = !strcmp(text, "true");
    for (const struct job_launch_words *before = reader->file->launches; before < launch;
         before++) {
        if (launch->is_timed && before->is_timed)
            return complain(reader, key,
                            "a launch before is timed: either one is, or none for all of them");
    }
    return STATUS_OK;
}

static enum status read_launch_key(struct reader *reader, const yaml_node_t *key,
                                   const yaml_node_t *value, void *context)
{
    struct job_launch_words *launch = context;

    switch ((enum launch_key)find_key(JOB_LAUNCH_KEYS, key)) {
    case LAUNCH_SOURCE:
        return read_path(reader, value, &launch->source);
    case LAUNCH_KERNEL:
        return read_text(reader, value, &launch->kernel);
    case LAUNCH_GLOBAL:
        return read_list(reader, value, &launch->global);
    case LAUNCH_LOCAL:
        return read_list(reader, value, &launch->local);
    case LAUNCH_ARGUMENTS:
        return visit_pairs(reader, value, read_passed, launch, "arguments have names and values");
    case LAUNCH_TIMED:
        return read_timed(reader, key, value, launch);
    case LAUNCH_KEYS:
        break;
    }
    return no_key(reader, JOB_LAUNCH_KEYS, key);
}

/* One of several launches. */
static enum status read_launch(struct reader *reader, const yaml_node_t *node)
{
    struct job_request *request = &reader->file->request;
    struct job_launch_words *launch = &reader->file->launches[request->launch_count];
    char line[24];

    if (request->launch_count == JOB_LAUNCHES_MAX)
        return complain(reader, node, "too many launches");
    snprintf(line, sizeof(line), ":%zu", node->start_mark.line + 1);
    launch->where = keep(reader, reader->path, line, "");
    if (!launch->where)
        return error_out_of_memory(reader->error);
    request->launch_count++;
    enum status status = visit_pairs(reader, node, read_launch_key, launch,
                                     "a launch has keys and values, such as kernel: NAME");
    if (status == STATUS_OK && !launch->kernel)
        return complain(reader, node, "the key kernel is missing: which kernel is launched");
    return status;
}

static enum status read_launches(struct reader *reader, const yaml_node_t *node)
{
    struct job_request *request = &reader->file->request;
    enum status status = STATUS_OK;

    if (node->type != YAML_SEQUENCE_NODE ||
        node->data.sequence.items.start == node->data.sequence.items.top)
        return complain(reader, node, "give a list of launches, in their order");
    request->launches = reader->file->launches;
    for (yaml_node_item_t *item = node->data.sequence.items.start;
         status == STATUS_OK && item < node->data.sequence.items.top; item++)
        status = read_launch(reader, yaml_document_get_node(&reader->document, *item));
    return status;
}

static enum status read_key(struct reader *reader, const yaml_node_t *key, const yaml_node_t *value,
                            void *context)
{
    struct job_request *request = &reader->file->request;

    (void)context;
    switch ((enum key)find_key(JOB_KEYS, key)) {
    case KEY_SOURCE:
        return read_path(reader, value, &request->source);
    case KEY_KERNEL:
        return read_text(reader, value, &request->kernel);
    case KEY_GLOBAL:
        return read_list(reader, value, &request->global);
    case KEY_LOCAL:
        return read_words(reader, value, &request->locals);
    case KEY_SIZES:
        return read_list(reader, value, &request->sizes);
    case KEY_ARGUMENTS:
        return visit_pairs(reader, value, read_argument, NULL, "arguments have names and values");
    case KEY_DEFINES:
        return visit_pairs(reader, value, read_define, NULL, "definitions have names and values");
    case KEY_OPTIONS:
        return read_words(reader, value, &request->options);
    case KEY_GRF:
        return read_list(reader, value, &request->grf);
    case KEY_CACHES:
        return read_list(reader, value, &request->caches);
    case KEY_TOLERANCE:
        return read_text(reader, value, &request->tolerance);
    case KEY_REFERENCE:
        return read_path(reader, value, &request->reference);
    case KEY_LAUNCHES:
        return read_launches(reader, value);
    case KEYS:
        break;
    }
    return no_key(reader, JOB_KEYS, key);
}

bool job_is_file(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot && (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

/* The first launch's source, if all have one; NULL otherwise. */
static const char *sources_of(const struct job_file *file)
{
    for (size_t i = 0; i < file->request.launch_count; i++) {
        if (!file->launches[i].source)
            return NULL;
    }
    return file->request.launch_count ? file->launches[0].source : NULL;
}

static enum status read_document(struct reader *reader)
{
    enum status status = visit_pairs(reader, yaml_document_get_root_node(&reader->document),
                                     read_key, NULL, "a job has keys and values");

    if (status == STATUS_OK && !reader->file->request.source)
        reader->file->request.source = sources_of(reader->file);
    if (status == STATUS_OK && !reader->file->request.source)
        return complain(reader, NULL, "the key source is missing: the file with the kernel");
    return status;
}

enum status job_file_read(struct job_file *file, const char *path, struct error *error)
{
    struct reader reader = {.file = file, .path = path, .error = error};
    const char *slash = strrchr(path, '/');
    FILE *stream = fopen(path, "re");
    enum status status = STATUS_FAILED;
    yaml_parser_t parser;

    memset(file, 0, sizeof(*file));
    reader.folder_bytes = slash ? (size_t)(slash + 1 - path) : 0;
    if (!stream)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    if (!yaml_parser_initialize(&parser)) {
        fclose(stream);
        return error_out_of_memory(reader.error);
    }
    yaml_parser_set_input_file(&parser, stream);
    if (yaml_parser_load(&parser, &reader.document)) {
        status = read_document(&reader);
        yaml_document_delete(&reader.document);
    } else {
        error_set(error, STATUS_USAGE, "%s:%zu: it is no YAML: %s", path,
                  parser.problem_mark.line + 1, parser.problem ? parser.problem : "unreadable");
        status = STATUS_USAGE;
    }
    yaml_parser_delete(&parser);
    fclose(stream);
    return status;
}

void job_file_free(struct job_file *file)
{
    while (file->text_count > 0)
        free(file->texts[--file->text_count]);
    free(file->texts);
    memset(file, 0, sizeof(*file));
}
