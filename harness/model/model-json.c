/* Reads and writes a model as a file. */
#include "model/model.h"

#include "base/replace-file.h"
#include "base/text.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FORMAT    "vebench-model-2"
#define BYTES_MAX 67108864 /* some 100000 parameters */

/* JSON has neither NaN nor infinity, so both become null. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* Bytes and elements as they are: a real has ten digits in the file. */
static json_t *whole(double value)
{
    bool is_whole = value == floor(value) && fabs(value) < 0x1p53;

    return is_whole ? json_integer((json_int_t)value) : number(value);
}

/* Where a text is not UTF-8, as a file name may be, its bytes beyond ASCII become question
 * marks. */
static json_t *text(const char *bytes)
{
    json_t *json = json_string(bytes);

    if (json)
        return json;
    char *copy = malloc(strlen(bytes) + 1);
    if (!copy)
        return NULL;
    strcpy(copy, bytes);
    for (char *at = copy; *at; at++) {
        if ((unsigned char)*at >= 0x80)
            *at = '?';
    }
    json = json_string(copy);
    free(copy);
    return json;
}

static json_t *parameter_to_json(const struct parameter *p)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:b, s:b, s:I, s:[o, o], s:o, s:o, s:[o, o], s:b, s:I, "
        "s:[I, I], s:o, s:o, s:o, s:o}",
        "name", text(p->name), "term", text(p->term), "unit", text(p->unit), "form", text(p->form),
        "larger_of_terms", p->is_larger_of_terms, "less_baseline_wait", p->less_baseline_wait,
        "level", (json_int_t)p->level, "working_sets", whole(p->working_sets.low),
        whole(p->working_sets.high), "stride", whole(p->stride), "value", number(p->value),
        "interval95", number(p->interval.low), number(p->interval.high), "below_resolution",
        p->below_resolution, "rows", (json_int_t)p->rows, "threads", (json_int_t)p->least_threads,
        (json_int_t)p->most_threads, "left_out_error", number(p->left_out_error), "left_out_share",
        number(p->left_out_share), "worst_residual", number(p->worst_residual),
        "worst_configuration", text(p->worst));
}

static json_t *absence_to_json(const struct model *model, size_t i)
{
    const struct absence *a = &model->absence[i];

    return json_pack("{s:o, s:o, s:o}", "name", text(a->name), "why", text(a->why), "command",
                     text(a->command));
}

static json_t *source_to_json(const struct model *model, size_t i)
{
    const struct source *s = &model->source[i];

    return json_pack("{s:o, s:I, s:I, s:I}", "file", text(s->path), "rows", (json_int_t)s->rows,
                     "rows_used", (json_int_t)s->used, "rows_not_ok", (json_int_t)s->unusable);
}

static json_t *margin_to_json(const struct model *model, size_t i)
{
    const struct margin *m = &model->margin[i];

    return json_pack("{s:o, s:I, s:o, s:o, s:o}", "mechanism", text(m->mechanism), "rows",
                     (json_int_t)m->rows, "median", number(m->median), "shorter",
                     number(m->shorter), "longer", number(m->longer));
}

static json_t *calibration_to_json(const struct model *model, size_t i)
{
    const struct calibration *c = &model->calibration[i];

    return json_pack("{s:o, s:o, s:[o, o], s:I, s:o}", "figure", text(c->figure), "value",
                     number(c->value), "interval", number(c->interval.low),
                     number(c->interval.high), "rows", (json_int_t)c->rows, "off", number(c->off));
}

static json_t *barrier_to_json(const struct model *model, size_t i)
{
    const struct barrier_excess *b = &model->barrier[i];

    return json_pack("{s:I, s:o, s:I}", "threads", (json_int_t)b->threads, "cycles",
                     number(b->cycles), "rows", (json_int_t)b->rows);
}

static json_t *launch_to_json(const struct model *model, size_t i)
{
    const struct measured_launch *l = &model->launch[i];

    return json_pack("{s:o, s:o, s:I, s:o, s:o, s:[o, o]}", "kernel", text(l->kernel), "sha256",
                     text(l->sha256), "subgroup_size", (json_int_t)l->lanes, "words",
                     text(l->launch), "value", number(l->value), "interval95",
                     number(l->interval.low), number(l->interval.high));
}

/* Reads members of one object; `error` names the first bad one. */
struct member_reader {
    const char *path;
    const char *where; /* what the object is, for messages */
    const json_t *object;
    enum status status;
    struct error *error;
};

static void wrong_member(struct member_reader *r, const char *name, const char *what)
{
    if (r->status == STATUS_OK)
        r->status = error_set(r->error, STATUS_FAILED, "%s: member %s%s is %s", r->path, r->where,
                              name, what);
}

static void no_memory(struct member_reader *r)
{
    r->status = error_out_of_memory(r->error);
}

static void read_text(struct member_reader *r, const char *name, char *to, size_t bytes)
{
    const char *value = json_string_value(json_object_get(r->object, name));

    if (!value)
        wrong_member(r, name, "missing or not a text");
    else if (strlen(value) >= bytes)
        wrong_member(r, name, "too long");
    else
        text_tame(strcpy(to, value), strlen(value));
}

static double read_value(struct member_reader *r, const char *name, const json_t *value)
{
    if (!value || (!json_is_number(value) && !json_is_null(value)))
        wrong_member(r, name, "missing or not a number");
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double read_member_number(struct member_reader *r, const char *name)
{
    return read_value(r, name, json_object_get(r->object, name));
}

static size_t read_count(struct member_reader *r, const char *name)
{
    const json_t *value = json_object_get(r->object, name);

    if (!json_is_integer(value) || json_integer_value(value) < 0)
        wrong_member(r, name, "missing or not a count");
    return json_is_integer(value) ? (size_t)json_integer_value(value) : 0;
}

static bool read_flag(struct member_reader *r, const char *name)
{
    const json_t *value = json_object_get(r->object, name);

    if (!json_is_boolean(value))
        wrong_member(r, name, "neither true nor false");
    return json_is_true(value);
}

static struct interval read_interval(struct member_reader *r, const char *name)
{
    const json_t *ends = json_object_get(r->object, name);
    struct interval interval = {read_value(r, name, json_array_get(ends, 0)),
                                read_value(r, name, json_array_get(ends, 1))};

    if (!(interval.low <= interval.high))
        wrong_member(r, name, "not an interval: an end is missing, or the ends are swapped");
    return interval;
}

/* A number that may not be null. */
static double read_known(struct member_reader *r, const char *name)
{
    double value = read_member_number(r, name);

    if (isnan(value))
        wrong_member(r, name, "no number");
    return value;
}

static unsigned to_unsigned(struct member_reader *r, const char *name, double value)
{
    if (value >= 0.0 && value <= UINT_MAX)
        return (unsigned)value;
    wrong_member(r, name, "out of range");
    return 0;
}

/* What the form says to people. */
static void read_meaning(struct member_reader *r, struct parameter *p)
{
    struct interval threads = read_interval(r, "threads");

    read_text(r, "term", p->term, sizeof(p->term));
    p->is_larger_of_terms = read_flag(r, "larger_of_terms");
    p->less_baseline_wait = read_flag(r, "less_baseline_wait");
    p->level = to_unsigned(r, "level", (double)read_count(r, "level"));
    p->working_sets = read_interval(r, "working_sets");
    p->stride = read_known(r, "stride");
    p->least_threads = to_unsigned(r, "threads", threads.low);
    p->most_threads = to_unsigned(r, "threads", threads.high);
}

static void read_parameter(struct member_reader *r, struct parameter *p)
{
    read_text(r, "name", p->name, sizeof(p->name));
    read_text(r, "unit", p->unit, sizeof(p->unit));
    read_text(r, "form", p->form, sizeof(p->form));
    read_text(r, "worst_configuration", p->worst, sizeof(p->worst));
    p->value = read_known(r, "value");
    p->interval = read_interval(r, "interval95");
    p->below_resolution = read_flag(r, "below_resolution");
    p->rows = read_count(r, "rows");
    p->left_out_error = read_member_number(r, "left_out_error");
    p->left_out_share = read_member_number(r, "left_out_share");
    p->worst_residual = read_member_number(r, "worst_residual");
    read_meaning(r, p);
}

/* `names` is the set of names so far: a duplicate could never be found. */
static enum status add_parameter(struct member_reader *r, struct model *model, const json_t *object,
                                 const char *list, json_t *names)
{
    char where[48];
    struct parameter *p = model_add_parameter(model);
    struct member_reader of_parameter = {r->path, where, object, STATUS_OK, r->error};

    if (!p)
        return error_out_of_memory(r->error);
    snprintf(where, sizeof(where), "%s[%zu].", list, model->parameter_count - 1);
    p->is_cost = !strcmp(list, "costs");
    read_parameter(&of_parameter, p);
    if (of_parameter.status == STATUS_OK && json_object_get(names, p->name))
        wrong_member(&of_parameter, "name", "there twice");
    if (of_parameter.status == STATUS_OK)
        json_object_set_new(names, p->name, json_true());
    return of_parameter.status;
}

static enum status read_parameters(struct member_reader *r, struct model *model)
{
    static const char *const lists[] = {"parameters", "costs"};
    json_t *names = json_object();

    for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
        const json_t *list = json_object_get(r->object, lists[l]);

        if (!json_is_array(list))
            wrong_member(r, lists[l], "missing or not a list");
        for (size_t i = 0; r->status == STATUS_OK && i < json_array_size(list); i++)
            r->status = add_parameter(r, model, json_array_get(list, i), lists[l], names);
    }
    json_decref(names);
    return r->status;
}

static void read_absence(struct member_reader *r, struct model *model)
{
    struct absence *absence = model_add_absence(model);

    if (!absence) {
        no_memory(r);
        return;
    }
    read_text(r, "name", absence->name, sizeof(absence->name));
    read_text(r, "why", absence->why, sizeof(absence->why));
    read_text(r, "command", absence->command, sizeof(absence->command));
}

static void read_source(struct member_reader *r, struct model *model)
{
    const char *file = json_string_value(json_object_get(r->object, "file"));

    if (!file) {
        wrong_member(r, "file", "missing or not a text");
        return;
    }
    struct source *source = model_add_source(model, file);
    if (!source) {
        no_memory(r);
        return;
    }
    text_tame(source->path, strlen(source->path));
    source->rows = read_count(r, "rows");
    source->used = read_count(r, "rows_used");
    source->unusable = read_count(r, "rows_not_ok");
}

static double read_factor(struct member_reader *r, const char *name)
{
    double factor = read_member_number(r, name);

    if (r->status == STATUS_OK && !(factor >= 1.0))
        wrong_member(r, name, "below 1");
    return factor;
}

static void read_margin(struct member_reader *r, struct model *model)
{
    struct margin *margin = &model->margin[model->margin_count++];

    read_text(r, "mechanism", margin->mechanism, sizeof(margin->mechanism));
    margin->rows = read_count(r, "rows");
    margin->median = read_member_number(r, "median");
    margin->shorter = read_factor(r, "shorter");
    margin->longer = read_factor(r, "longer");
}

static void read_calibration(struct member_reader *r, struct model *model)
{
    struct calibration *calibration = &model->calibration[model->calibration_count++];

    read_text(r, "figure", calibration->figure, sizeof(calibration->figure));
    calibration->value = read_known(r, "value");
    calibration->interval = read_interval(r, "interval");
    calibration->rows = read_count(r, "rows");
    calibration->off = read_known(r, "off");
    if (r->status == STATUS_OK && !(calibration->interval.low <= calibration->value &&
                                    calibration->value <= calibration->interval.high))
        wrong_member(r, "interval", "not around the value");
}

static void read_barrier(struct member_reader *r, struct model *model)
{
    struct barrier_excess *barrier = &model->barrier[model->barrier_count++];
    unsigned fewer = barrier > model->barrier ? barrier[-1].threads : 0;

    barrier->threads = (unsigned)read_count(r, "threads");
    barrier->cycles = read_known(r, "cycles");
    barrier->rows = read_count(r, "rows");
    if (r->status == STATUS_OK && barrier->threads <= fewer)
        wrong_member(r, "threads", "not ascending");
}

static void read_launch(struct member_reader *r, struct model *model)
{
    struct measured_launch *launch = model_add_launch(model);

    if (!launch) {
        no_memory(r);
        return;
    }
    read_text(r, "kernel", launch->kernel, sizeof(launch->kernel));
    read_text(r, "sha256", launch->sha256, sizeof(launch->sha256));
    read_text(r, "words", launch->launch, sizeof(launch->launch));
    launch->lanes = to_unsigned(r, "subgroup_size", (double)read_count(r, "subgroup_size"));
    launch->value = read_known(r, "value");
    launch->interval = read_interval(r, "interval95");
    if (r->status == STATUS_OK &&
        !(launch->interval.low > 0.0 && launch->interval.low <= launch->value &&
          launch->value <= launch->interval.high))
        wrong_member(r, "interval95", "not around the value, or not above 0");
}

/* What a model is a list of, but for parameters. */
static const struct model_list {
    const char *name;
    size_t count;       /* where the model has the number of elements */
    size_t most;        /* elements */
    bool is_compulsory; /* models that were written before there were any have no such list */
    json_t *(*write)(const struct model *model, size_t i);
    void (*read)(struct member_reader *r, struct model *model); /* one more */
} model_lists[] = {
    {"absent", offsetof(struct model, absence_count), SIZE_MAX, true, absence_to_json,
     read_absence},
    {"sources", offsetof(struct model, source_count), SIZE_MAX, true, source_to_json, read_source},
    {"margins", offsetof(struct model, margin_count), MODEL_MARGINS_MAX, true, margin_to_json,
     read_margin},
    {"calibrations", offsetof(struct model, calibration_count), MODEL_CALIBRATIONS_MAX, false,
     calibration_to_json, read_calibration},
    {"barriers", offsetof(struct model, barrier_count), MODEL_BARRIERS_MAX, false, barrier_to_json,
     read_barrier},
    {"launches", offsetof(struct model, launch_count), SIZE_MAX, false, launch_to_json,
     read_launch},
};
enum { MODEL_LISTS = sizeof(model_lists) / sizeof(model_lists[0]) };

static void read_list(struct member_reader *r, struct model *model, const struct model_list *list)
{
    const json_t *elements = json_object_get(r->object, list->name);
    char where[48];

    if (!elements && !list->is_compulsory)
        return;
    if (!json_is_array(elements))
        wrong_member(r, list->name, "missing or not a list");
    if (json_array_size(elements) > list->most)
        wrong_member(r, list->name, "longer than it can be");
    snprintf(where, sizeof(where), "%s[].", list->name);
    for (size_t i = 0; r->status == STATUS_OK && i < json_array_size(elements); i++) {
        struct member_reader of_element = {r->path, where, json_array_get(elements, i), STATUS_OK,
                                           r->error};

        list->read(&of_element, model);
        r->status = of_element.status;
    }
}

static enum status read_members(struct member_reader *r, struct model *model)
{
    read_text(r, "device_name", model->device_name, sizeof(model->device_name));
    read_text(r, "device_uuid", model->device_uuid, sizeof(model->device_uuid));
    read_text(r, "device_kind", model->device_kind, sizeof(model->device_kind));
    read_text(r, "driver_version", model->driver_version, sizeof(model->driver_version));
    model->clock_mhz = read_member_number(r, "clock_mhz");
    if (model->clock_mhz <= 0.0)
        wrong_member(r, "clock_mhz", "not above 0");
    r->status = read_parameters(r, model);
    if (r->status == STATUS_OK)
        r->status = model_index(model, r->error);
    model->xe_cores = (unsigned)read_count(r, "xe_cores");
    if (json_object_get(r->object, "threads_per_xe_core")) /* younger than the format */
        model->threads_per_xe_core = (unsigned)read_count(r, "threads_per_xe_core");
    for (size_t i = 0; r->status == STATUS_OK && i < MODEL_LISTS; i++)
        read_list(r, model, &model_lists[i]);
    return r->status;
}

/* Rejects files too long to be a model before reading them into memory. */
static enum status load_json(const char *path, json_t **json, struct error *error)
{
    FILE *file = fopen(path, "rb");
    struct stat stat;
    json_error_t where;

    if (!file)
        return error_set(error, STATUS_FAILED, "cannot read %s: %s", path, strerror(errno));
    if (fstat(fileno(file), &stat) != 0 || S_ISDIR(stat.st_mode) || stat.st_size > BYTES_MAX) {
        fclose(file);
        return error_set(error, STATUS_FAILED,
                         "%s is not a model: it is a folder, or longer than "
                         "%d bytes",
                         path, BYTES_MAX);
    }
    *json = json_loadf(file, JSON_REJECT_DUPLICATES, &where);
    fclose(file);
    if (!*json && !where.text[0]) /* there is nothing wrong with the file */
        return error_out_of_memory(error);
    if (!*json)
        return error_set(error, STATUS_FAILED, "%s:%d:%d: %s", path, where.line, where.column,
                         where.text);
    return STATUS_OK;
}

enum status model_read(struct model *model, const struct family_models *families, const char *path,
                       struct error *error)
{
    json_t *json = NULL;
    enum status status = load_json(path, &json, error);
    struct member_reader reader = {path, "", json, STATUS_OK, error};
    const char *format = json_string_value(json_object_get(json, "format"));

    model_init(model, families);
    if (status != STATUS_OK)
        return status;
    if (!format || strcmp(format, FORMAT) != 0)
        status = error_set(error, STATUS_FAILED,
                           "%s was not written by this version of `vebench fit`: its format is "
                           "'%.40s', not '%s'",
                           path, format ? format : "", FORMAT);
    else
        status = read_members(&reader, model);
    json_decref(json);
    if (status != STATUS_OK)
        model_free(model);
    return status;
}

/* NULL when out of memory: an incomplete list would be a wrong model. */
static json_t *list_to_json(const struct model *model, const struct model_list *list)
{
    const size_t *count = (const size_t *)((const char *)model + list->count);
    json_t *elements = json_array();

    for (size_t i = 0; i < *count; i++) {
        if (json_array_append_new(elements, list->write(model, i)) != 0) {
            json_decref(elements);
            return NULL;
        }
    }
    return elements;
}

static json_t *parameters_to_json(const struct model *model, bool are_costs)
{
    json_t *parameters = json_array();

    for (size_t i = 0; i < model->parameter_count; i++) {
        const struct parameter *p = &model->parameter[i];

        if (p->is_cost == are_costs &&
            json_array_append_new(parameters, parameter_to_json(p)) != 0) {
            json_decref(parameters);
            return NULL;
        }
    }
    return parameters;
}

static json_t *model_to_json(const struct model *model)
{
    json_t *json = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "format", FORMAT, "device_name",
        text(model->device_name), "device_uuid", text(model->device_uuid), "device_kind",
        text(model->device_kind), "driver_version", text(model->driver_version), "clock_mhz",
        number(model->clock_mhz), "xe_cores", (json_int_t)model->xe_cores, "threads_per_xe_core",
        (json_int_t)model->threads_per_xe_core, "parameters", parameters_to_json(model, false),
        "costs", parameters_to_json(model, true));

    for (size_t i = 0; json && i < MODEL_LISTS; i++) {
        const struct model_list *list = &model_lists[i];

        if (json_object_set_new(json, list->name, list_to_json(model, list)) != 0) {
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

/* In memory of the right size from the start: where json_dumps() cannot have more, it leaves out
 * the name of a member. NULL when out of memory. */
static char *dump(const json_t *json)
{
    const size_t flags = JSON_INDENT(1) | JSON_REAL_PRECISION(10);
    size_t bytes = json_dumpb(json, NULL, 0, flags);
    char *content = bytes ? malloc(bytes + 1) : NULL;

    if (!content || json_dumpb(json, content, bytes, flags) != bytes) {
        free(content);
        return NULL;
    }
    content[bytes] = '\0';
    return content;
}

static void print_text(FILE *out, const void *content)
{
    fprintf(out, "%s\n", (const char *)content);
}

enum status model_write(const struct model *model, const char *path, struct error *error)
{
    json_t *json = model_to_json(model);
    char *content = json ? dump(json) : NULL;
    enum status status = content ? replace_file(path, print_text, content, error)
                                 : error_set(error, STATUS_NO_MEMORY, "%s: out of memory", path);

    free(content);
    json_decref(json);
    return status;
}
