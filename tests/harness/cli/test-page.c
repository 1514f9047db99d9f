/* The report: every plot with rows is drawn, what has none says how to get them, a model is drawn
 * with the rows it is of and with no others, nothing on the page comes from elsewhere. */
#include "test.h"
#include "whole-file.h"

#include "drawing/html.h"
#include "drawing/scale.h"
#include "families/registry.h"
#include "model/fit.h"
#include "report/findings.h"
#include "report/page.h"
#include "report/plot-key.h"
#include "report/predicted.h"
#include "report/side-by-side.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char header[] =
    "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,subgroup_size,"
    "workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,unit,spill_bytes,"
    "verified,status,reason,parameters,baseline,loop_ns,work_units,work_bytes,work_messages,"
    "work_lines,work_barriers,work_exchanges,work_flops,host\r\n";

static const char folder[] = "test-page";

static void write_results(const char *path)
{
    static const char *const variants[] = {"work_group_local", "work_group_global"};
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fputs(header, file);
    for (unsigned v = 0; v < 2; v++) {
        for (unsigned size = 16; size <= 512; size *= 2) {
            double ns = 20.0 + 100.0 * v + size / 10.0;

            fprintf(file,
                    "emulated,A <GPU> & more,uuid,1.3,2000,barrier,%s,16,%u,1,3,%g,%g,%g,%g,"
                    "ns/barrier,0,1,ok,,,none,100,1,,,,,,,host\r\n",
                    variants[v], size, ns, ns - 1, ns + 1, ns);
        }
    }
    fputs("emulated,A <GPU> & more,uuid,1.3,2000,launch,tick,16,1,1,0,,,,,ns,0,,skipped,"
          "\"no host <time>\",,,,1,,,,,,,host\r\n",
          file);
    assert_int_equal(fclose(file), 0);
}

/* What a page that was not finished left behind: this test's, or an earlier run's. */
static size_t remove_left(void)
{
    glob_t left;
    size_t count = glob("test-page/index.html.*", 0, NULL, &left) == 0 ? left.gl_pathc : 0;

    for (size_t i = 0; i < count; i++)
        unlink(left.gl_pathv[i]);
    if (count)
        globfree(&left);
    return count;
}

static char *read_page(void)
{
    return whole_file_read("test-page/index.html");
}

static void read_results(struct records *records, const char *path)
{
    const char *const paths[] = {path};
    struct error error;

    write_results(path);
    if (records_read(records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void test_page(void **state)
{
    static const char path[] = "test-page.tmp.csv";
    struct records records;
    struct plot_source source = {.records = &records, .pages = &family_pages};
    struct error error;

    (void)state;
    remove_left();
    read_results(&records, path);
    if (page_write(&source, folder, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    char *page = read_page();
    assert_non_null(strstr(page, "<svg"));
    assert_non_null(strstr(page, "id=\"barrier\""));
    assert_non_null(strstr(page, "Emulated."));
    assert_non_null(strstr(page, "A &lt;GPU&gt; &amp; more"));
    assert_null(strstr(page, "A <GPU>"));
    assert_non_null(strstr(page, "no host &lt;time&gt;"));
    assert_non_null(strstr(page, "A local fence: 142.4 [140.4, 144.4] cycles"));
    assert_non_null(strstr(page, "vebench run latency"));
    assert_non_null(strstr(page, "vebench fit RESULTS.csv"));
    /* Nothing is fetched: namespaces are the only addresses. */
    assert_null(strstr(page, "src="));
    assert_null(strstr(page, "url(http"));
    assert_null(strstr(page, "<link"));
    assert_null(strstr(page, "<script"));
    assert_int_equal(access("test-page/barrier-work-group-barrier-local-fence.svg", R_OK), 0);
    assert_int_equal(access("test-page/latency.csv", R_OK), -1);
    assert_int_equal(remove_left(), 0);
    free(page);
    records_free(&records);
    unlink(path);
}

/* What changed stands there by size, and says of what devices it is. */
static void test_side_by_side(void **state)
{
    static const char path[] = "test-page-side.tmp.csv";
    const struct compare_options options = {.threshold = 0.01};
    struct records base, new;
    struct comparisons comparisons;
    struct side_by_side sides = {"before <1>.csv", "after.csv", &comparisons, 0.01};
    struct error error;

    (void)state;
    read_results(&base, path);
    read_results(&new, path);
    for (size_t i = 0; i < 2; i++) {
        double factor = i ? 0.2 : 1.5;
        struct record *r = &new.record[i];

        r->ns_mean *= factor;
        r->ci95_lo_ns *= factor;
        r->ci95_hi_ns *= factor;
    }
    assert_int_equal(compare_records_of(&comparisons, &base, &new, &options, &error), STATUS_OK);
    if (side_by_side_write(&sides, folder, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    char *page = read_page();
    assert_non_null(strstr(page, "<b>1 became slower</b> and <b>1 faster</b>"));
    assert_non_null(strstr(page, "before &lt;1&gt;.csv"));
    assert_non_null(strstr(page, "Emulated."));
    assert_null(strstr(page, "A <GPU>"));
    char *large = strstr(page, "<td class=\"number\">-80 %");
    char *small = strstr(page, "<td class=\"number\">+50 %");
    assert_true(large && small && large < small);
    free(page);
    page = whole_file_read("test-page/changes.svg");
    assert_non_null(strstr(page, "A &lt;GPU&gt; &amp; more, EMULATED"));
    assert_non_null(strstr(page, ">sub-groups of 16</text>"));
    assert_non_null(strstr(page, ">slower</text>"));
    free(page);
    page = whole_file_read("test-page/changes.csv");
    assert_non_null(strstr(page, "FASTER,-0.8"));
    assert_non_null(strstr(page, ",emulated,A <GPU> & more,emulated\r\n"));
    free(page);
    comparisons_free(&comparisons);
    records_free(&base);
    records_free(&new);
    unlink(path);
}

/* Sub-group sizes are compared where two of them did the same work. */
static void test_heat_map(void **state)
{
    static const char path[] = "test-page-heat.tmp.csv";
    struct records records;
    struct plot_source source = {.records = &records, .pages = &family_pages};
    struct error error;

    (void)state;
    read_results(&records, path);
    records.record[10].operation = records.record[0].operation;
    records.record[10].variant = records.record[0].variant; /* 256 work-items, global fence */
    records.record[10].subgroup_size = 32;
    if (page_write(&source, folder, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    char *page = read_page();
    assert_non_null(strstr(page, "title=\"barrier work_group_local; work-groups of 256, "));
    assert_null(strstr(page, "title=\"barrier work_group_local; work-groups of 128, "));
    assert_null(strstr(page, "title=\"barrier work_group_global; "));
    assert_non_null(strstr(page, "work group local</th><td class=\"none\""));
    assert_null(strstr(page, "nothing can be compared"));
    free(page);
    records_free(&records);
    unlink(path);
}

static const struct plot *find_plot(const char *name)
{
    const struct plot *plot = NULL;

    while ((plot = plots_next(&family_pages, plot))) {
        if (!strcmp(plot->name, name))
            return plot;
    }
    fail_msg("no plot is called %s", name);
    return NULL;
}

static bool place_by_value(const struct record *record, struct plot_point *point)
{
    point->x = record->workgroup_size;
    return true;
}

/* A plot takes as many different x as it says. */
static void test_least_x(void **state)
{
    static const char path[] = "test-page-x.tmp.csv";
    struct records records;
    struct plot_source source = {.records = &records, .pages = &family_pages};
    struct plot plot = *find_plot("barrier");
    struct plot_data points;
    struct error error;

    (void)state;
    plot.place = place_by_value;
    read_results(&records, path);
    for (size_t i = 0; i < records.count; i++)
        records.record[i].workgroup_size = i % 3 ? 64 : 128;
    for (plot.least_x = 1; plot.least_x <= 3; plot.least_x++) {
        assert_int_equal(plot_collect(&plot, &source, &points, &error), STATUS_OK);
        assert_int_equal(points.count > 0, plot.least_x <= 2);
        plot_data_free(&points);
    }
    records_free(&records);
    unlink(path);
}

static void test_data(void **state)
{
    static const char path[] = "test-page-data.tmp.csv";
    struct records records;
    struct plot_source source = {.records = &records, .pages = &family_pages};
    struct plot_data points;
    struct error error;
    char line[200];

    (void)state;
    read_results(&records, path);
    assert_int_equal(plot_collect(find_plot("barrier"), &source, &points, &error), STATUS_OK);
    assert_int_equal(points.count, 12);
    assert_int_equal(plot_data_panel(&points, 0), 6);
    assert_string_equal(points.point[0].panel, "work-group barrier, local fence");
    plot_data_free(&points);
    assert_int_equal(page_write(&source, folder, &error), STATUS_OK);
    FILE *data = fopen("test-page/barrier-work-group-barrier-global-fence.csv", "rb");
    assert_non_null(data);
    assert_non_null(fgets(line, sizeof(line), data));
    assert_string_equal(line, "series,x,y,lo,hi,style,label,device,device_kind\r\n");
    assert_non_null(fgets(line, sizeof(line), data));
    assert_string_equal(line, "SIMD16,16,243.2,241.2,245.2,points,,A <GPU> & more,emulated\r\n");
    fclose(data);
    /* Its picture explains what it uses, and nothing else. */
    char *picture = whole_file_read("test-page/barrier-work-group-barrier-global-fence.svg");
    assert_non_null(strstr(picture, ">sub-groups of 16</text>"));
    assert_non_null(strstr(picture, ">95 % interval</text>"));
    assert_non_null(strstr(picture, "Busy: from one hardware thread"));
    assert_null(strstr(picture, "<rect class=\"m s32\""));
    assert_null(strstr(picture, ">the model</text>"));
    free(picture);
    records_free(&records);
    unlink(path);
}

/* Sizes are sorted and stand once, a method without a name has no entry, and a full key takes no
 * more.
 */
static void test_key(void **state)
{
    const struct plot_point points[] = {
        {.series = "two_methods", .style = "points"},
        {.series = "", .style = "points", .lo = 1.0, .hi = 2.0},
        {.series = "", .style = "level"},
    };
    struct plot_mark marks[] = {
        {.point = &points[0], .method = "two_methods", .subgroup_size = 32},
        {.point = &points[1], .method = "", .subgroup_size = 8},
        {.point = &points[1], .method = "", .subgroup_size = 32},
        {.point = &points[2], .method = ""},
    };
    struct plot_view view = {
        .mark = marks, .count = 4, .methods = {"", "two_methods"}, .method_count = 2};
    struct plot_key key;
    char *text = NULL;
    size_t bytes;

    (void)state;
    plot_key_make(&key, &view, 0, view.count);
    assert_int_equal(key.count, 5);
    assert_int_equal(key.entry[0].subgroup_size, 8);
    assert_int_equal(key.entry[1].subgroup_size, 32);
    assert_int_equal(key.entry[2].shape, 1);
    assert_string_equal(key.entry[4].text, "a level of the model");
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    plot_key_put(out, &key);
    assert_true(plot_key_draw(out, &key, "<g id=\"rest\"/>") > 0.0);
    assert_int_equal(fclose(out), 0);
    assert_non_null(
        strstr(text, "class=\"k s8\">sub-groups of 8</span> <span class=\"k s32\">32<"));
    assert_non_null(strstr(text, ">two methods</text>"));
    assert_non_null(strstr(text, "<g id=\"rest\"/>"));
    free(text);
    plot_key_make(&key, &view, 2, 1);
    assert_int_equal(key.count, 2);
    for (unsigned i = 0; i < 2 * PLOT_KEY_MAX; i++)
        plot_key_add_size(&key, 64 + i);
    assert_int_equal(key.count, PLOT_KEY_MAX);
    assert_int_equal(key.entry[0].subgroup_size, 32);
}

static size_t count_style(const struct plot_data *points, const char *style)
{
    size_t count = 0;

    for (size_t i = 0; i < points->count; i++)
        count += !strcmp(points->point[i].style, style);
    return count;
}

static void test_model(void **state)
{
    static const char path[] = "test-page-model.tmp.csv";
    struct records records;
    struct model model;
    struct plot_source source = {.records = &records, .pages = &family_pages, .model = &model};
    struct plot_data points;
    struct error error;

    (void)state;
    read_results(&records, path);
    if (fit_model(&model, &family_models, &records, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    /* A line through every number of hardware threads, up to 32, of either fence. */
    assert_int_equal(plot_collect(find_plot("barrier"), &source, &points, &error), STATUS_OK);
    assert_int_equal(count_style(&points, "points"), 12);
    assert_int_equal(count_style(&points, "fit"), 64);
    plot_data_free(&points);
    assert_true(predicted_is_seen(&model, &records.record[0]));
    assert_int_equal(plot_collect(find_plot("predicted"), &source, &points, &error), STATUS_OK);
    assert_int_equal(count_style(&points, "points"), 12);
    plot_data_free(&points);
    model.source[0].rows++;
    assert_false(predicted_is_seen(&model, &records.record[0]));

    assert_int_equal(page_write(&source, folder, &error), STATUS_OK);
    char *page = read_page();
    assert_non_null(strstr(page, "work_group_local.simd16.per_thread"));
    assert_non_null(strstr(page, "vebench run slm"));
    free(page);
    page = whole_file_read("test-page/barrier-work-group-barrier-local-fence.svg");
    assert_non_null(strstr(page, ">the model</text>"));
    free(page);
    snprintf(model.device_name, sizeof(model.device_name), "another");
    assert_int_equal(page_write(&source, folder, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "the model is of another"));
    model_free(&model);
    records_free(&records);
    unlink(path);
}

/* Nothing is said that the rows do not carry: with intervals as wide as the difference, no line. */
static void test_no_advice(void **state)
{
    static const char path[] = "test-page-advice.tmp.csv";
    struct records records;
    struct findings findings;

    (void)state;
    read_results(&records, path);
    findings_collect(&findings, &family_pages, &records);
    assert_int_equal(findings.count, 1);
    assert_non_null(strstr(findings.line[0].evidence, "2.404 [2.357, 2.453] times"));
    for (size_t i = 0; i < records.count; i++)
        records.record[i].ci95_hi_ns += 100.0;
    findings_collect(&findings, &family_pages, &records);
    assert_int_equal(findings.count, 0);
    records_free(&records);
    unlink(path);
}

static void add_load(FILE *file, const char *variant, unsigned workgroup_size, double ns_per_kib)
{
    double ns = ns_per_kib * workgroup_size / 16.0; /* an iteration loads a KiB for 16 work-items */

    fprintf(file,
            "emulated,GPU,uuid,1.3,2000,memory_32,%s,16,%u,1,3,%g,%g,%g,%g,ns/KiB,0,1,ok,,"
            "working_set=65536 stride=1,,%g,%u,%u,,,,,,host,8,128,load,u32,%s\r\n",
            variant, workgroup_size, ns_per_kib, ns_per_kib * 0.99, ns_per_kib * 1.01, ns_per_kib,
            ns, workgroup_size / 16, workgroup_size * 64, variant + strlen("load_"));
}

static void add_work(FILE *file, const char *family, const char *variant, const char *task,
                     unsigned size, unsigned groups, double flops, double ns)
{
    fprintf(file,
            "emulated,GPU,uuid,1.3,2000,%s,%s,16,%u,%u,3,%g,%g,%g,%g,ns/product,0,1,ok,,,,%g,1,"
            "4096,,,,,%g,host,8,128,%s\r\n",
            family, variant, size, groups, ns, ns, ns, ns, ns, flops, task);
}

static void add_product(FILE *file, const char *family, const char *variant, const char *task,
                        unsigned groups, double flops, double ns)
{
    add_work(file, family, variant, task, 256, groups, flops, ns);
}

static void write_loads(const char *path, unsigned busiest)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fprintf(file, "%.*s,xe_cores,threads_per_xe_core,op,type,method\r\n", (int)(strlen(header) - 2),
            header);
    for (unsigned size = 16; size <= busiest; size *= 8) {
        add_load(file, "load_subgroup", size, 1000.0 / size);
        add_load(file, "load_item", size, 4000.0 / size);
        add_load(file, "load_vec4", size, 500.0 / size);
    }
    add_product(file, "matmul", "slm_float", "matmul,f32,slm", 1, 65536.0, 1000.0);
    add_product(file, "matmul", "slm_int", "matmul,i32,slm", 1, 65536.0, 1000.0);
    add_product(file, "device_arithmetic", "fp32", "device_arithmetic,f32,", 64, 8e6, 1000.0);
    add_product(file, "device_arithmetic", "int8", "device_arithmetic,i8,", 64, 64e6, 1000.0);
    add_work(file, "device_bandwidth", "read", "device_bandwidth,u32,", 1024, 1, 0.0, 16.0);
    add_work(file, "device_bandwidth", "read", "device_bandwidth,u32,", 1024, 16, 0.0, 4.0);
    assert_int_equal(fclose(file), 0);
}

static void read_loads(struct records *records, const char *path, unsigned busiest)
{
    const char *const paths[] = {path};
    struct error error;

    write_loads(path, busiest);
    if (records_read(records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* How to lay out accesses is said of an Xe-core that has work, with the part of it that has, and
 * not of one thread that waits for its messages. */
static void test_occupancy(void **state)
{
    static const char path[] = "test-page-occupancy.tmp.csv";
    struct records records;
    struct findings findings;

    (void)state;
    read_loads(&records, path, 128);
    findings_collect(&findings, &family_pages, &records);
    assert_int_equal(findings.count, 0);
    records_free(&records);
    read_loads(&records, path, 1024);
    findings_collect(&findings, &family_pages, &records);
    /* Nothing of how many threads suffice: only the axis ends there. */
    assert_int_equal(findings.count, 1);
    assert_non_null(strstr(findings.line[0].advice, "choose 16 lanes, vec4"));
    assert_non_null(strstr(findings.line[0].advice, "half full (64 of 128 threads)"));
    records_free(&records);
    unlink(path);
}

static const struct plot_point *roof_of(const struct plot_data *points, const char *panel,
                                        const char *series)
{
    for (size_t i = 0; i < points->count; i++) {
        if (!strcmp(points->point[i].style, "roof") && strstr(points->point[i].panel, panel) &&
            !strncmp(points->point[i].series, series, strlen(series)))
            return &points->point[i];
    }
    return NULL;
}

/* A roof is of its panel's type, and of rows that keep an Xe-core busy: all of them, where they
 * share what they get. Then one alone, which gets 256 GB/s here, is none. */
static void test_roofline(void **state)
{
    static const char path[] = "test-page-roofline.tmp.csv";
    struct records records;
    struct plot_source source = {.records = &records, .pages = &family_pages};
    struct plot_data points;
    struct error error;

    (void)state;
    read_loads(&records, path, 128);
    assert_int_equal(plot_collect(find_plot("roofline"), &source, &points, &error), STATUS_OK);
    assert_non_null(roof_of(&points, "float", "compute"));
    assert_near(roof_of(&points, "float", "compute")->y, 1000.0, 1e-6);
    assert_null(roof_of(&points, "int", "compute"));
    assert_null(roof_of(&points, "float", "caches"));
    assert_non_null(roof_of(&points, "float", "device_128_GB/s"));
    assert_non_null(strstr(points.note, "compute, float: measured, device_arithmetic fp32, 128 of "
                                        "128 hardware threads on each of 8 Xe-cores."));
    assert_non_null(strstr(points.note, "compute, int: no roof"));
    plot_data_free(&points);
    records_free(&records);
    read_loads(&records, path, 1024);
    assert_int_equal(plot_collect(find_plot("roofline"), &source, &points, &error), STATUS_OK);
    assert_non_null(roof_of(&points, "float", "caches"));
    plot_data_free(&points);
    records_free(&records);
    unlink(path);
}

/* What anybody may have written into a results file or a model. */
static const char bad[] = "</title><script>alert(1)</script><meta http-equiv=refresh "
                          "content=0;url=//x>&'_";

static void write_hostile(const char *path)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fputs(header, file);
    for (unsigned size = 8; size <= 32; size *= 2) {
        fprintf(file,
                "<script>,%s,<script>,<script>,2000,exchange,%s_slm,%u,32,1,3,9,8,10,9,%s,0,"
                "1,ok,,<script>=1,none,100,1,,,,,,,%s\r\n",
                bad, bad, size, bad, bad);
        fprintf(file,
                "<script>,%s,<script>,<script>,2000,%s,%s,%u,32,1,3,9,8,10,9,%s,0,1,"
                "unreliable,%s,,none,100,1,,,,,,,%s\r\n",
                bad, bad, bad, size, bad, bad, bad);
    }
    assert_int_equal(fclose(file), 0);
}

static void expect_tame(const char *page)
{
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "=refresh \""));
    assert_null(strstr(page, "<meta http-equiv=refresh"));
    assert_non_null(strstr(page, "&lt;script&gt;"));
}

static void add_hostile(struct model *model)
{
    struct parameter *parameter = model_add_parameter(model);
    struct absence *absence = model_add_absence(model);

    assert_non_null(parameter);
    assert_non_null(absence);
    snprintf(parameter->name, sizeof(parameter->name), "%s", bad);
    snprintf(parameter->unit, sizeof(parameter->unit), "%.30s", bad);
    snprintf(parameter->form, sizeof(parameter->form), "%s", bad);
    snprintf(absence->name, sizeof(absence->name), "%s", bad);
    snprintf(absence->why, sizeof(absence->why), "%s", bad);
    snprintf(absence->command, sizeof(absence->command), "%s", bad);
}

static void test_hostile(void **state)
{
    static const char path[] = "test-page-hostile.tmp.csv";
    const char *const paths[] = {path};
    struct records records;
    struct model model;
    struct plot_source source = {.records = &records, .pages = &family_pages, .model = &model};
    struct error error;

    (void)state;
    write_hostile(path);
    if (records_read(&records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    model_init(&model, &family_models);
    add_hostile(&model);
    snprintf(model.device_name, sizeof(model.device_name), "%s", records.device_name);
    snprintf(model.device_kind, sizeof(model.device_kind), "%s", records.device_kind);
    snprintf(model.device_uuid, sizeof(model.device_uuid), "%s", records.device_uuid);
    if (page_write(&source, folder, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    char *page = read_page();
    expect_tame(page);
    free(page);
    model_free(&model);
    records_free(&records);
    unlink(path);
}

static void test_no_folder(void **state)
{
    static const char path[] = "test-page-none.tmp.csv";
    struct records records;
    struct plot_source source = {.records = &records, .pages = &family_pages};
    struct error error;

    (void)state;
    read_results(&records, path);
    assert_int_equal(page_write(&source, "no/such/folder", &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no/such/folder"));
    records_free(&records);
    unlink(path);
}

static void assert_put(const char *text, const char *expected)
{
    char put[100] = "";
    FILE *out = fmemopen(put, sizeof(put), "w");

    assert_non_null(out);
    html_put(out, text);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(put, expected);
}

/* HTML's five, in attributes too. */
static void test_special_characters(void **state)
{
    (void)state;
    assert_put("<a b=\"c\">&'", "&lt;a b=&quot;c&quot;&gt;&amp;&#39;");
}

/* A scale contains what it is for, and ends at round values. */
static void test_scales(void **state)
{
    static const double highs[] = {1.0, 1.01, 7.3, 103.0, 999.0, 4.1e6};
    struct scale bytes = {.is_bytes = true};
    char text[SCALE_TEXT_BYTES];

    (void)state;
    for (size_t i = 0; i < sizeof(highs) / sizeof(highs[0]); i++) {
        struct scale scale = scale_over(0.0, highs[i], false, false);

        assert_true(scale.low <= 0.0 && scale.high >= highs[i] && scale.high <= 2.0 * highs[i]);
        scale = scale_over(0.9 * highs[i], highs[i], true, false);
        assert_true(scale.low <= 0.9 * highs[i] * (1.0 + 1e-6));
        assert_true(scale.high >= highs[i] * (1.0 - 1e-6));
    }
    scale_text(&bytes, 1023.0, text);
    assert_string_equal(text, "1023 B");
    scale_text(&bytes, 1024.0, text);
    assert_string_equal(text, "1 KiB");
    scale_text(&bytes, 3.0 * 1024.0 * 1024.0, text);
    assert_string_equal(text, "3 MiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_special_characters),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_least_x),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_key),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_side_by_side),
        cmocka_unit_test(test_heat_map),
        cmocka_unit_test(test_model),
        cmocka_unit_test(test_no_advice),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_occupancy),
        cmocka_unit_test(test_roofline),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
