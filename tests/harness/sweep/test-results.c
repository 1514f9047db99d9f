/* The results file: exactly the columns that were promised, and every row as wide as the header. */
#include "test.h"

#include "fake-ze.h"
#include "families/registry.h"
#include "sweep/results.h"
#include "ze/clock.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "test-results.tmp";

static const char promised[] =
    "run_id,time_utc,host,device_kind,device_name,device_uuid,pci_address,driver_version,"
    "loader_version,timer_hz,clock_mhz,clock_source,benchmark,variant,subgroup_size,"
    "subgroup_size_compiled,workgroup_size,workgroup_count,iterations,samples,ns_min,ns_p05,"
    "ns_median,ns_mean,ns_p95,ns_max,ns_stddev,ci95_lo_ns,ci95_hi_ns,value,unit,cycles,r_squared,"
    "list_kind,timestamp_domain,spill_bytes,private_bytes,slm_bytes,verified,status,reason,version,"
    "kernel_sha256,parameters,group,baseline,sequence,seed,loop_ns,work_units,work_bytes,"
    "work_messages,work_lines,work_barriers,work_exchanges,work_flops,lines_per_message,gb_per_s,"
    "bytes_per_clock_per_xe_core,gflop_per_s,xe_cores,threads_per_xe_core,peak_gb_per_s,"
    "peak_fraction,outliers,bend,notes,clock_spread,lead_ms,environment,reference,ratio,op,"
    "type,method,rank,launch";

static size_t count_commas(const char *text)
{
    size_t commas = 0;

    for (; *text; text++)
        commas += *text == ',';
    return commas;
}

static void read_line(FILE *file, char *line, size_t bytes)
{
    assert_non_null(fgets(line, (int)bytes, file));
    assert_non_null(strstr(line, "\r\n"));
    *strstr(line, "\r\n") = '\0';
}

static void test_rows(void **state)
{
    const struct family *family = family_find(&families, "barrier");
    const struct configuration configuration = {16, 64, 1, {0}};
    struct axis_columns axes;
    const struct run_identity identity = {.run_id = "id", .axes = &axes};
    struct measurement measured = {.outcome = OUTCOME_OK,
                                   .verified = 1,
                                   .iterations = 300,
                                   .value = 3.5,
                                   .outliers = 2,
                                   .bend = 0.25,
                                   .values = {3, 1, 2, 3.5, 4, 5, 6, 0.25},
                                   .ci95_lo = 3.25,
                                   .ci95_hi = 4.75,
                                   .r_squared = 0.9995,
                                   .is_time = true,
                                   .iteration_ns = 103.5,
                                   .one_domain = true};
    struct measurement skipped = {
        .outcome = OUTCOME_SKIPPED, .verified = -1, .reason = "no such size"};
    struct kernel kernels[FAKE_VARIANTS];
    struct kernel no_kernel = {0};
    struct session session;
    struct target target;
    struct row row = {.identity = &identity,
                      .target = &target,
                      .host = "host",
                      .rank = -1,
                      .family = family,
                      .configuration = &configuration,
                      .variant = 3,
                      .kernel = &kernels[3],
                      .measurement = &measured,
                      .kernel_sha256 = "abc",
                      .sequence = 7,
                      .seed = 9};
    struct error error;
    struct csv csv;
    char line[2000];

    (void)state;
    fake_open(&session, kernels);
    session_target(&session, &target);
    unlink(path);
    assert_int_equal(axis_columns_fill(&axes, &families, &error), STATUS_OK);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_OK);
    assert_int_equal(results_write_header(&csv, &axes, &error), STATUS_OK);
    assert_int_equal(results_write_row(&csv, &row, &error), STATUS_OK);
    row.measurement = &skipped;
    row.kernel = &no_kernel;
    row.variant = 0;
    assert_int_equal(results_write_row(&csv, &row, &error), STATUS_OK);
    assert_int_equal(csv_close(&csv, &error), STATUS_OK);

    FILE *file = fopen(path, "r");
    assert_non_null(file);
    read_line(file, line, sizeof(line));
    assert_memory_equal(line, promised, strlen(promised));
    assert_non_null(strstr(line, ",op,type,method,rank,launch,size_y,"));
    size_t columns = count_commas(line);
    assert_int_equal(columns, count_commas(promised) + axes.count);
    read_line(file, line, sizeof(line));
    assert_int_equal(count_commas(line), columns);
    assert_non_null(strstr(line, ",barrier,work_group_local,16,16,64,1,300,3,1,2,3.5,4,5,6,0.25,"
                                 "3.25,4.75,3.5,ns/barrier,,0.9995,regular,global,0,0,256,1,ok,,"));
    assert_non_null(strstr(line, ",emulated,"));
    assert_non_null(strstr(line, ",abc,,64x1x1,none,7,9,103.5,1,,,,1,,,,,,"));
    read_line(file, line, sizeof(line));
    assert_int_equal(count_commas(line), columns);
    assert_non_null(strstr(line, ",barrier,none,16,,64,1,,0,,,,,,,,,,,ns/iteration,,,regular,,,,,,"
                                 "skipped,no such size,"));
    fclose(file);
    unlink(path);
    fake_close();
}

/* Samples and counts, of a family with an axis of its own: what adds up has a share for each
 * iteration, other counters and those of launches without a loop have none. */
static void test_samples_and_counts(void **state)
{
    const struct family *family = family_find(&families, "divergence");
    const struct configuration configuration = {16, 64, 2, {4}};
    struct axis_columns axes;
    const struct run_identity identity = {.run_id = "id", .axes = &axes};
    const struct count counts[] = {
        {0, 8, {"GpuTime", "ns", "duration", true}, 100.0, ""},
        {1, 8, {"Busy", "%", "ratio", false}, 50.0, ""},
        {1, 0, {"GpuTime", "ns", "duration", true}, 100.0, ""},
        {0, 8, {"", "", "", false}, NAN, "no counters"},
    };
    const struct sample sample = {.variant = 1, .round = 3, .iterations = 8, .value = 12.5};
    char line[2000], expected[400];
    struct error error;
    struct csv csv;

    (void)state;
    unlink(path);
    assert_int_equal(axis_columns_fill(&axes, &families, &error), STATUS_OK);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_OK);
    assert_int_equal(counters_write_header(&csv, &axes, &error), STATUS_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(counters_write_row(&csv, &identity, family, &configuration, "Group",
                                            &counts[i], i == 1 ? 5 : -1, &error),
                         STATUS_OK);
    assert_int_equal(samples_write_header(&csv, &axes, &error), STATUS_OK);
    assert_int_equal(
        samples_write_row(&csv, &identity, family, &configuration, &sample, -1, &error), STATUS_OK);
    assert_int_equal(csv_close(&csv, &error), STATUS_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    read_line(file, line, sizeof(line));
    static const char *const ends[] = {
        "8,Group,GpuTime,duration,100,ns,12.5,,paths=4,", "8,Group,Busy,ratio,50,%,,,paths=4,",
        "0,Group,GpuTime,duration,100,ns,,,paths=4,", "8,Group,,,,,,no counters,paths=4,"};
    for (size_t i = 0; i < 4; i++) {
        const struct variant *variant = &family->variants[counts[i].variant];

        read_line(file, line, sizeof(line));
        snprintf(expected, sizeof(expected), "id,divergence,%s,16,64,2,%s%s,%s,%s,%s,",
                 variant->name, ends[i], variant_operation(variant), variant_type(variant),
                 variant_method(variant), i == 1 ? "5" : "");
        assert_memory_equal(line, expected, strlen(expected));
    }
    read_line(file, line, sizeof(line));
    read_line(file, line, sizeof(line));
    snprintf(expected, sizeof(expected), "id,divergence,%s,16,64,2,", family->variants[1].name);
    assert_memory_equal(line, expected, strlen(expected));
    assert_non_null(strstr(line, ",3,8,"));
    assert_non_null(strstr(line, ",12.5,paths=4,"));
    fclose(file);
    unlink(path);
}

/* The work of a loop is in its columns, and the clock of the device. */
static void test_work(void **state)
{
    const struct family *family = family_find(&families, "matmul");
    const struct configuration configuration = {16, 32, 1, {16, 32, 32}};
    size_t variant = family_variant(family, "broadcast_float");
    struct work work = family_work(family, &configuration, variant);
    struct measurement measured = {
        .outcome = OUTCOME_OK, .verified = 1, .values = {.count = 3}, .iteration_ns = 100.0};
    struct axis_columns axes;
    const struct run_identity identity = {.run_id = "id", .axes = &axes};
    struct kernel kernels[FAKE_VARIANTS];
    struct session session;
    struct target target;
    char line[2000], expected[300];
    struct error error;
    struct csv csv;

    (void)state;
    fake_open(&session, kernels);
    session_target(&session, &target);
    target.device.max_clock_mhz = 2100;
    target.device.total_eus = 0;
    target.device.slices = 2;
    target.device.subslices_per_slice = 4;
    const struct row row = {.identity = &identity,
                            .target = &target,
                            .host = "host",
                            .rank = -1,
                            .family = family,
                            .configuration = &configuration,
                            .variant = variant,
                            .kernel = &kernels[0],
                            .measurement = &measured,
                            .kernel_sha256 = "abc"};
    unlink(path);
    assert_int_equal(axis_columns_fill(&axes, &families, &error), STATUS_OK);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_OK);
    assert_int_equal(results_write_row(&csv, &row, &error), STATUS_OK);
    assert_int_equal(csv_close(&csv, &error), STATUS_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    read_line(file, line, sizeof(line));
    fclose(file);
    unlink(path);
    fake_close();
    assert_true(work.lines > 0.0 && work.exchanges > 0.0);
    /* Rates are those of a loop of 100 ns; a clock takes 1 / 2.1 ns; there are eight Xe-cores. */
    snprintf(expected, sizeof(expected),
             ",%.10g,%.10g,%.10g,%.10g,,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,8,", work.units,
             work.bytes, work.messages, work.lines, work.exchanges, work.flops,
             work.lines / work.messages, work.bytes / 100.0, work.bytes / 210.0 / 8.0,
             work.flops / 100.0);
    if (!strstr(line, expected))
        fail_msg("%s is not in %s", expected, line);
    assert_non_null(strstr(line, ",2100,emulated_constant,"));
}

/* What a row is compared with, and how many times as long it takes. */
static void test_reference(void **state)
{
    const struct family *family = family_find(&families, "transpose");
    const struct configuration configuration = {16, 64, 1, {64}};
    struct axis_columns axes = {.count = 0};
    const struct run_identity identity = {.run_id = "id", .axes = &axes};
    const struct measurement copy = {.values = {.count = 3}, .iteration_ns = 200.0};
    const struct measurement measured = {.values = {.count = 3}, .iteration_ns = 500.0};
    struct target target = {.kind = DEVICE_EMULATED, .is_deterministic = true};
    struct kernel kernel = {0};
    struct row row = {.identity = &identity,
                      .target = &target,
                      .host = "host",
                      .rank = -1,
                      .family = family,
                      .configuration = &configuration,
                      .variant = family_variant(family, "slm"),
                      .kernel = &kernel,
                      .measurement = &measured,
                      .reference = &copy,
                      .kernel_sha256 = "abc"};
    struct error error;
    struct csv csv;
    char line[2000];

    (void)state;
    assert_int_equal(family_reference(family, row.variant), family_variant(family, "copy"));
    assert_int_equal(family_reference(family, family_variant(family, "copy")), VARIANTS_MAX);
    unlink(path);
    assert_int_equal(csv_create(&csv, path, &error), STATUS_OK);
    assert_int_equal(results_write_row(&csv, &row, &error), STATUS_OK);
    row.reference = NULL;
    assert_int_equal(results_write_row(&csv, &row, &error), STATUS_OK);
    assert_int_equal(csv_close(&csv, &error), STATUS_OK);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    read_line(file, line, sizeof(line));
    assert_non_null(strstr(line, ",copy,2.5,transpose,u32,slm"));
    read_line(file, line, sizeof(line));
    assert_non_null(strstr(line, ",copy,,transpose,"));
    fclose(file);
    unlink(path);
}

static void assert_name(const char *family_name, const char *variant, const char *op,
                        const char *type, const char *method)
{
    const struct family *family = family_find(&families, family_name);
    const struct variant *v = &family->variants[family_variant(family, variant)];

    assert_string_equal(variant_operation(v), op);
    assert_string_equal(variant_type(v), type);
    assert_string_equal(variant_method(v), method);
}

static void test_names(void **state)
{
    (void)state;
    assert_name("exchange", "shuffle_u32_slm_group", "shuffle", "u32", "slm_group");
    assert_name("exchange", "broadcast_index_u32", "broadcast_index", "u32", "function");
    assert_name("exchange", "none_u8", "none", "u8", "");
    assert_name("exchange", "any_slm", "any", "", "slm");
    assert_name("atomics", "global_add_u32_ordered", "add_ordered", "u32", "global");
    assert_name("matmul", "broadcast_block_half", "matmul", "f16", "broadcast_block");
    assert_name("transpose", "in_place_slm_padded", "in_place", "u32", "slm_padded");
    assert_name("memory_8", "load_vec16", "load", "u8", "vec16");
    assert_name("barrier", "work_group_local", "work_group_local", "", "");
}

/* The three words are of one variant of a family: grouping by them mixes no measurements. */
static void test_names_differ(void **state)
{
    (void)state;
    for (size_t f = 0; f < families.count; f++) {
        const struct family *family = families.family[f];

        for (size_t v = 0; v < family->variant_count; v++) {
            assert_true(variant_operation(&family->variants[v])[0]);
            for (size_t other = 0; other < v; other++) {
                if (variant_same_task(&family->variants[v], &family->variants[other]) &&
                    !strcmp(variant_method(&family->variants[v]),
                            variant_method(&family->variants[other])))
                    fail_msg("%s: %s and %s have one name", family->name, family->variants[v].name,
                             family->variants[other].name);
            }
        }
    }
}

/* An axis cannot be called as a column is: both would be one. */
static void test_axis_columns(void **state)
{
    const struct axis wrong[] = {{.name = "subgroup_size"},
                                 {.name = "workgroup_size"},
                                 {.name = "workgroup_count"},
                                 {.name = "seed"}};
    const struct family family = {.name = "wrong", .axes = wrong, .axis_count = 4};
    const struct family *const list[] = {&family};
    const struct family_list one = {list, 1};
    struct axis_columns axes;
    struct error error;

    (void)state;
    assert_int_equal(axis_columns_fill(&axes, &one, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "seed"));
}

/* An emulated device never gets a measured clock, and cycles follow the clock. */
static void test_clock(void **state)
{
    struct target target = {.kind = DEVICE_EMULATED, .is_deterministic = true};
    const char *source;

    (void)state;
    assert_near(clock_choose(&target, 1234.0, false, &source), 0.0, 0.0);
    assert_string_equal(source, "unknown");
    target.device.max_clock_mhz = 2000;
    assert_near(clock_choose(&target, 1234.0, false, &source), 2000.0, 0.0);
    assert_string_equal(source, "emulated_constant");
    target.kind = DEVICE_HARDWARE;
    target.is_deterministic = false;
    /* The highest clock that a GPU can reach says nothing about the one that it had. */
    assert_near(clock_choose(&target, 0.0, false, &source), 0.0, 0.0);
    assert_string_equal(source, "unknown");
    assert_near(clock_choose(&target, 1234.0, false, &source), 1234.0, 0.0);
    assert_string_equal(source, "sysman");
    /* What is neither known as hardware nor known to repeat exactly has a clock like hardware's. */
    target.kind = DEVICE_EMULATED;
    assert_near(clock_choose(&target, 1234.0, true, &source), 1234.0, 0.0);
    assert_string_equal(source, "counter");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_names_differ),
        cmocka_unit_test(test_axis_columns),
        cmocka_unit_test(test_samples_and_counts),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
