/* A model as a file. */
#include "model.h"
#include "replace-file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "vebench-model-1"

/* JSON has no NaN and no infinity: null. */
static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *parameter_to_json(const struct parameter *p)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:[o, o], s:b, s:I, s:o, s:o, s:s}", "name", p->name,
                     "unit", p->unit, "form", p->form, "value", number(p->value), "interval95",
                     number(p->interval.low), number(p->interval.high), "below_resolution",
                     p->below_resolution, "rows", (json_int_t)p->rows, "left_out_error",
                     number(p->left_out_error), "worst_residual", number(p->worst_residual),
                     "worst_configuration", p->worst);
}

static json_t *model_to_json(const struct model *model)
{
    json_t *parameters = json_array(), *absences = json_array(), *sources = json_array();

    for (size_t i = 0; i < model->parameter_count; i++)
        json_array_append_new(parameters, parameter_to_json(&model->parameter[i]));
    for (size_t i = 0; i < model->absence_count; i++) {
        const struct absence *a = &model->absence[i];

        json_array_append_new(absences, json_pack("{s:s, s:s, s:s}", "name", a->name, "why", a->why,
                                                  "command", a->command));
    }
    for (size_t i = 0; i < model->source_count; i++) {
        const struct source *s = &model->source[i];

        json_array_append_new(sources,
                              json_pack("{s:s, s:I, s:I, s:I}", "file", s->path, "rows",
                                        (json_int_t)s->rows, "rows_used", (json_int_t)s->used,
                                        "rows_not_ok", (json_int_t)s->unusable));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "format", FORMAT,
                     "device_name", model->device_name, "device_uuid", model->device_uuid,
                     "device_kind", model->device_kind, "driver_version", model->driver_version,
                     "clock_mhz", number(model->clock_mhz), "parameters", parameters, "absent",
                     absences, "sources", sources);
}

static void print_text(FILE *out, const void *text)
{
    fprintf(out, "%s\n", (const char *)text);
}

enum status model_write(const struct model *model, const char *path, struct error *error)
{
    json_t *json = model_to_json(model);
    char *text = json ? json_dumps(json, JSON_INDENT(1) | JSON_REAL_PRECISION(10)) : NULL;
    enum status status = text ? replace_file(path, print_text, text, error)
                              : error_set(error, STATUS_FAILED,
                                          "%s: out of memory, or a name that is no UTF-8", path);

    free(text);
    json_decref(json);
    return status;
}

/* Reads members of one object; the first that is wrong is named in `error`. */
struct member_reader {
    const char *path;
    const json_t *object;
    enum status status;
    struct error *error;
};

static void wrong(struct member_reader *r, const char *name, const char *what)
{
    if (r->status == STATUS_OK)
        r->status = error_set(r->error, STATUS_FAILED, "%s: member %s is %s", r->path, name, what);
}

static void read_text(struct member_reader *r, const char *name, char *text, size_t bytes)
{
    const char *value = json_string_value(json_object_get(r->object, name));

    if (!value)
        wrong(r, name, "missing or no text");
    else if (strlen(value) >= bytes)
        wrong(r, name, "too long");
    else
        strcpy(text, value);
}

static double read_value(struct member_reader *r, const char *name, const json_t *value)
{
    if (!value || (!json_is_number(value) && !json_is_null(value)))
        wrong(r, name, "missing or no number");
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double read_number(struct member_reader *r, const char *name)
{
    return read_value(r, name, json_object_get(r->object, name));
}

static void read_parameter(struct member_reader *r, struct parameter *p)
{
    const json_t *interval = json_object_get(r->object, "interval95");

    read_text(r, "name", p->name, sizeof p->name);
    read_text(r, "unit", p->unit, sizeof p->unit);
    read_text(r, "form", p->form, sizeof p->form);
    read_text(r, "worst_configuration", p->worst, sizeof p->worst);
    p->value = read_number(r, "value");
    p->interval.low = read_value(r, "interval95", json_array_get(interval, 0));
    p->interval.high = read_value(r, "interval95", json_array_get(interval, 1));
    p->below_resolution = json_is_true(json_object_get(r->object, "below_resolution"));
    p->rows = (size_t)fmax(0.0, read_number(r, "rows"));
    p->left_out_error = read_number(r, "left_out_error");
    p->worst_residual = read_number(r, "worst_residual");
}

static enum status read_parameters(struct member_reader *r, struct model *model)
{
    const json_t *list = json_object_get(r->object, "parameters");

    if (!json_is_array(list))
        wrong(r, "parameters", "missing or no list");
    for (size_t i = 0; r->status == STATUS_OK && i < json_array_size(list); i++) {
        struct parameter *p = model_add_parameter(model);
        struct member_reader of_parameter = {r->path, json_array_get(list, i), STATUS_OK, r->error};

        if (!p)
            return error_set(r->error, STATUS_FAILED, "out of memory");
        read_parameter(&of_parameter, p);
        r->status = of_parameter.status;
    }
    return r->status;
}

/* A member that is there and a list, as it is in every file that was written whole. */
static const json_t *read_list(struct member_reader *r, const char *name)
{
    const json_t *list = json_object_get(r->object, name);

    if (!json_is_array(list))
        wrong(r, name, "missing or no list");
    return list;
}

static enum status read_absences(struct member_reader *r, struct model *model)
{
    const json_t *list = read_list(r, "absent");

    for (size_t i = 0; r->status == STATUS_OK && i < json_array_size(list); i++) {
        struct absence *absence = model_add_absence(model);
        struct member_reader of_absence = {r->path, json_array_get(list, i), STATUS_OK, r->error};

        if (!absence)
            return error_set(r->error, STATUS_FAILED, "out of memory");
        read_text(&of_absence, "name", absence->name, sizeof absence->name);
        read_text(&of_absence, "why", absence->why, sizeof absence->why);
        read_text(&of_absence, "command", absence->command, sizeof absence->command);
        r->status = of_absence.status;
    }
    return r->status;
}

static enum status read_sources(struct member_reader *r, struct model *model)
{
    const json_t *list = read_list(r, "sources");

    for (size_t i = 0; r->status == STATUS_OK && i < json_array_size(list); i++) {
        struct member_reader of_source = {r->path, json_array_get(list, i), STATUS_OK, r->error};
        const char *file = json_string_value(json_object_get(of_source.object, "file"));
        struct source *source;

        if (!file) {
            wrong(r, "sources", "a list with a file that has no name");
            break;
        }
        source = model_add_source(model, file);
        if (!source)
            return error_set(r->error, STATUS_FAILED, "out of memory");
        source->rows = (size_t)fmax(0.0, read_number(&of_source, "rows"));
        source->used = (size_t)fmax(0.0, read_number(&of_source, "rows_used"));
        source->unusable = (size_t)fmax(0.0, read_number(&of_source, "rows_not_ok"));
        r->status = of_source.status;
    }
    return r->status;
}

enum status model_read(struct model *model, const char *path, struct error *error)
{
    json_error_t where;
    json_t *json = json_load_file(path, JSON_REJECT_DUPLICATES, &where);
    struct member_reader reader = {path, json, STATUS_OK, error};
    const char *format = json_string_value(json_object_get(json, "format"));
    enum status status;

    model_init(model);
    if (!json)
        return error_set(error, STATUS_FAILED, "%s:%d:%d: %s", path, where.line, where.column,
                         where.text);
    if (!format || strcmp(format, FORMAT) != 0) {
        json_decref(json);
        return error_set(error, STATUS_FAILED,
                         "%s: this is no model that this version of `vebench fit` has written",
                         path);
    }
    read_text(&reader, "device_name", model->device_name, sizeof model->device_name);
    read_text(&reader, "device_uuid", model->device_uuid, sizeof model->device_uuid);
    read_text(&reader, "device_kind", model->device_kind, sizeof model->device_kind);
    read_text(&reader, "driver_version", model->driver_version, sizeof model->driver_version);
    model->clock_mhz = read_number(&reader, "clock_mhz");
    status = read_parameters(&reader, model);
    if (status == STATUS_OK)
        status = read_absences(&reader, model);
    if (status == STATUS_OK)
        status = read_sources(&reader, model);
    json_decref(json);
    if (status != STATUS_OK)
        model_free(model);
    return status;
}
