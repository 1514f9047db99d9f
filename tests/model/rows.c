#include "rows.h"

#include "test.h"

#include "families/registry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MODEL "test-rows-members.json"

static const char header[] =
    "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,subgroup_size,"
    "workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,unit,spill_bytes,"
    "verified,status,parameters,baseline,loop_ns,work_units,work_bytes,work_messages,work_lines,"
    "work_barriers,work_exchanges,work_flops,xe_cores,threads_per_xe_core,op,type,method\r\n";

void rows_open(struct row_writer *writer, const char *path, const char *benchmark)
{
    memset(writer, 0, sizeof(*writer));
    writer->path = path;
    writer->benchmark = benchmark;
    writer->file = fopen(path, "wb");
    assert_non_null(writer->file);
    fputs(header, writer->file);
}

void rows_add(struct row_writer *writer, const struct row_values *v)
{
    char lines[32] = "";

    if (v->lines > 0.0)
        snprintf(lines, sizeof(lines), "%.10g", v->lines);
    fprintf(writer->file,
            "emulated,GPU,%s,1.3,%.10g,%s,%s,%u,%u,%u,3,%.10g,%.10g,%.10g,%.10g,%s,0,1,%s,%s,%s,"
            "%.10g,1,%.10g,%.10g,%s,,,,8,128,%s,%s,%s\r\n",
            writer->device_uuid ? writer->device_uuid : "uuid-1",
            writer->clock_mhz > 0.0 ? writer->clock_mhz : 2000.0, writer->benchmark, v->variant,
            v->subgroup_size, v->workgroup_size, v->workgroup_count, v->value,
            v->value - v->half_width, v->value + v->half_width, v->value,
            v->unit ? v->unit : "ns/barrier", v->status ? v->status : "ok",
            v->parameters ? v->parameters : "", strcmp(v->variant, "none") != 0 ? "none" : "",
            v->loop_ns > 0.0 ? v->loop_ns : 100.0, v->bytes, v->messages, lines, v->op ? v->op : "",
            v->type ? v->type : "", v->method ? v->method : "");
}

void rows_close(struct row_writer *writer)
{
    assert_int_equal(fclose(writer->file), 0);
}

void rows_fit(const char *path, uint64_t seed, struct records *records, struct model *model)
{
    const char *const paths[] = {path};
    struct error error;

    if (records_read(records, paths, 1, &error) != STATUS_OK ||
        fit_model(model, &family_models, records, seed, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* Parts of all equations. */
static const char other_words[] = "max(latency, q / bandwidth) of working sets from 1 to 2 bytes, "
                                  "nodes 3 bytes apart - (baseline(m) - baseline(1))";

void rows_require_members(const struct records *records, const struct model *model)
{
    struct model reworded = *model, again;
    struct error error;
    size_t predicted = 0;

    reworded.parameter = calloc(model->parameter_count, sizeof(*reworded.parameter));
    assert_non_null(reworded.parameter);
    for (size_t i = 0; i < model->parameter_count; i++) {
        reworded.parameter[i] = model->parameter[i];
        strcpy(reworded.parameter[i].form, other_words);
    }
    if (model_write(&reworded, MODEL, &error) != STATUS_OK ||
        model_read(&again, &family_models, MODEL, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < records->count; i++) {
        struct fit_prediction was, is;
        bool is_predicted = fit_predict(model, &records->record[i], &was);

        assert_int_equal(fit_predict(&again, &records->record[i], &is), is_predicted);
        if (is_predicted)
            assert_near(is.predicted, was.predicted, 1e-6 * fabs(was.predicted));
        predicted += is_predicted;
    }
    assert_true(predicted > 0);
    free(reworded.parameter);
    model_free(&again);
    unlink(MODEL);
}
