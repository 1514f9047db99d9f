/* The report: every plot with rows is drawn, what has none says how to get them, nothing on the
 * page comes from elsewhere. */
#include "test.h"

#include "page.h"
#include "plots.h"

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

static char *read_page(void)
{
    char *text = calloc(1, 1u << 20);
    FILE *file = fopen("test-page/index.html", "rb");

    assert_non_null(text);
    assert_non_null(file);
    assert_true(fread(text, 1, (1u << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

static void test_page(void **state)
{
    static const char path[] = "test-page.tmp.csv";
    const char *const paths[] = {path};
    struct records records;
    struct error error;
    char *page;

    (void)state;
    write_results(path);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    if (page_write(&records, folder, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    page = read_page();
    assert_non_null(strstr(page, "<svg"));
    assert_non_null(strstr(page, "id=\"barrier\""));
    assert_non_null(strstr(page, "Emulated."));
    assert_non_null(strstr(page, "A &lt;GPU&gt; &amp; more"));
    assert_null(strstr(page, "A <GPU>"));
    assert_non_null(strstr(page, "no host &lt;time&gt;"));
    assert_non_null(strstr(page, "costs 43 cycles (21.6 ns)"));
    assert_non_null(strstr(page, "vebench run latency"));
    /* Nothing is fetched: namespaces are the only addresses. */
    assert_null(strstr(page, "src="));
    assert_null(strstr(page, "url(http"));
    assert_null(strstr(page, "<link"));
    assert_null(strstr(page, "<script"));
    assert_int_equal(access("test-page/barrier.svg", R_OK), 0);
    assert_int_equal(access("test-page/barrier.png", R_OK), 0);
    assert_int_equal(access("test-page/latency.csv", R_OK), -1);
    assert_int_equal(access("test-page/index.html.part", R_OK), -1);
    free(page);
    records_free(&records);
    unlink(path);
}

static void test_data(void **state)
{
    static const char path[] = "test-page-data.tmp.csv";
    const char *const paths[] = {path};
    struct records records;
    struct error error;
    char line[200];
    FILE *data;

    (void)state;
    write_results(path);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    data = tmpfile();
    assert_non_null(data);
    assert_string_equal(plots[0].name, "barrier");
    assert_int_equal(plot_write_data(&plots[0], &records, data), 12);
    rewind(data);
    assert_non_null(fgets(line, sizeof line, data));
    assert_string_equal(line, "series,x,y,lo,hi\r\n");
    assert_non_null(fgets(line, sizeof line, data));
    assert_string_equal(line, "work_group_global/S16,16,243.2,241.2,245.2\r\n");
    fclose(data);
    records_free(&records);
    unlink(path);
}

static void test_no_folder(void **state)
{
    static const char path[] = "test-page-none.tmp.csv";
    const char *const paths[] = {path};
    struct records records;
    struct error error;

    (void)state;
    write_results(path);
    assert_int_equal(records_read(&records, paths, 1, &error), STATUS_OK);
    assert_int_equal(page_write(&records, "no/such/folder", &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no/such/folder"));
    records_free(&records);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_no_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
