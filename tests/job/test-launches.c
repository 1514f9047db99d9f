/* Jobs of several launches: what their files say, without a device, and what mistakes in them are
 * answered with; then, on the emulated A380, what they compute and what is timed. argv[1] is a
 * source of kernels. */
#include "csv-file.h"
#include "job/file.h"
#include "process.h"

#include "test.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define JOB       "launches.yaml"
#define ROWS      "launches.csv"
#define SAID      "launches-said.txt"
#define ITEMS     1024u
#define REFERENCE "reference.cl"

static const char *source;

#define FIRST  "  - kernel: triple\n    arguments: {out: middle}\n"
#define SECOND "  - kernel: doubled\n    arguments: {in: middle, out: last}\n"
#define MEMORY "arguments: {middle: {bytes: 4K}, last: {bytes: 4K}, n: 1024}\n"

/* A job of these launches; they begin in line 5. */
static void write_job(const char *launches, const char *arguments)
{
    FILE *out = fopen(JOB, "w");

    assert_non_null(out);
    fprintf(out, "source: %s\nglobal: 1024\nlocal: 64\nlaunches:\n%s%s", source, launches,
            arguments);
    assert_int_equal(fclose(out), 0);
}

static enum status open_job(struct job_file *file, struct job *job, struct error *error)
{
    enum status status = job_file_read(file, JOB, error);

    return status == STATUS_OK ? job_open(job, &file->request, error) : status;
}

static void refused(const char *launches, const char *arguments, const char *says)
{
    struct job_file *file = malloc(sizeof(*file));
    struct job *job = malloc(sizeof(*job));
    struct error error;

    write_job(launches, arguments);
    assert_int_equal(open_job(file, job, &error), STATUS_USAGE);
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
    job_file_free(file);
    free(file);
    free(job);
}

/* Each mistake is named, with its file and line. */
static void test_mistakes(void **state)
{
    (void)state;
    refused("  - kernel: tripel\n" SECOND, MEMORY, JOB ":5: --kernel tripel: the module has no");
    refused(FIRST "  - kernel: doubled\n    arguments: {out: last}\n", MEMORY,
            JOB ":7: argument 0 (in) of doubled points to memory, and the job's arguments have no "
                "in with its bytes");
    refused(FIRST "  - kernel: doubled\n    arguments: {in: nowhere, out: last}\n", MEMORY,
            "the job's arguments have no nowhere");
    refused(FIRST "  - kernel: doubled\n    arguments: {inn: middle, out: last}\n", MEMORY,
            JOB ":7: inn: there is no such argument; the arguments of doubled are 0 (in), 1 (out)");
    refused(FIRST SECOND, "arguments: {middle: {bytes: 4K}, last: {bytes: 4K}}\n",
            JOB ":5: argument 1 (n) of triple is missing");
    refused(FIRST SECOND, "arguments: {middle: {bytes: 4K}, last: {bytes: 4K}, n: 1, m: 1}\n",
            "--arg m=1: there is no such argument; the launches have middle, n, last");
    refused(FIRST "    timed: true\n" SECOND "    timed: true\n", MEMORY,
            JOB ":10: a launch before is timed");
    refused(FIRST "    timed: perhaps\n", MEMORY, JOB ":7: timed is true or false");
    refused(FIRST "    globl: 64\n", MEMORY, "did you mean global?");
    refused("  - {arguments: {out: middle}}\n", MEMORY, JOB ":5: the key kernel is missing");
    refused(FIRST "    global: 100\n    local: 64\n", MEMORY,
            JOB ":5: global 100 is no multiple of local 64");
    refused(FIRST SECOND, MEMORY "kernel: triple\n", "each launch names its");
    unlink(JOB);
}

/* Launches are variants of the family that have no rows of their own. */
static void test_variants(void **state)
{
    struct job_file *file = malloc(sizeof(*file));
    struct job *job = malloc(sizeof(*job));
    struct error error;

    (void)state;
    write_job(FIRST "    global: 2048\n    local: 32\n" SECOND "    timed: true\n" SECOND,
              MEMORY "sizes: [16]\ngrf: [128, 256]\n");
    assert_int_equal(open_job(file, job, &error), STATUS_OK);
    assert_string_equal(job->family.name, "kernel:doubled");
    assert_int_equal(job->variant_count, 2);
    assert_int_equal(job->family.variant_count, 6);
    assert_int_equal(job->buffer_count, 2);
    assert_true(job->buffer[0].is_output && job->buffer[1].is_output);
    for (size_t v = 0; v < 2; v++) {
        const struct variant *variant = &job->variants[v];

        assert_false(variant->is_part || variant->times_before);
        assert_true(variant->before[0]->is_part && variant->after[0]->is_part);
        assert_string_equal(variant->before[0]->entry_point, "triple");
        assert_string_equal(variant->after[0]->entry_point, "doubled");
        assert_true(variant->build_flags == NULL ? variant->before[0]->build_flags == NULL
                                                 : variant->before[0]->build_flags != NULL);
        assert_null(variant->before[1]);
        assert_null(variant->after[1]);
        struct launch launch = {{16, 64, 16, {0}}, variant, 1, LAUNCH_MEASURE};
        assert_int_equal(family_geometry(&job->family, &launch).count[0], 16);
        launch.variant = variant->before[0];
        assert_int_equal(family_geometry(&job->family, &launch).size[0], 32);
        assert_int_equal(family_geometry(&job->family, &launch).count[0], 64);
    }
    job_close(job);
    job_file_free(file);
    write_job(FIRST SECOND, MEMORY);
    assert_int_equal(open_job(file, job, &error), STATUS_OK);
    assert_string_equal(job->family.name, "kernel:triple+doubled");
    assert_true(job->variants[0].times_before);
    job_close(job);
    job_file_free(file);
    free(file);
    free(job);
    unlink(JOB);
}

static int run(const char *more, const char *value)
{
    char *argv[] = {
        getenv("VEBENCH"), "kernel", JOB,          "--emulate",   "a380", "-o", ROWS, "-f",
        "--rounds",        "4",      (char *)more, (char *)value, NULL};

    unlink(ROWS);
    return process_run(argv, NULL, SAID, SAID);
}

static void assert_says(const char *text)
{
    if (!process_file_says(SAID, text)) {
        process_show_file(SAID);
        fail_msg("it does not say '%s'", text);
    }
}

/* The time of a job's only row. */
static double measured(const char *launches)
{
    struct csv_file rows;

    write_job(launches, MEMORY "sizes: [16]\n");
    if (run("--buffer", "last=@last.bin") != 0) {
        process_show_file(SAID);
        fail_msg("it cannot be measured");
    }
    assert_int_equal(csv_file_load(&rows, ROWS), 0);
    assert_int_equal(rows.row_count, 1);
    double value = strtod(csv_file_field(&rows, 0, "value"), NULL);
    csv_file_free(&rows);
    return value;
}

/* What the two leave: 2 (3 i + 1), or something else in one place. */
static void write_last(size_t changed)
{
    FILE *out = fopen("last.bin", "wb");

    assert_non_null(out);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t value = i == changed ? 0 : 6 * i + 2;

        assert_int_equal(fwrite(&value, sizeof(value), 1, out), 1);
    }
    assert_int_equal(fclose(out), 0);
}

/* The whole takes longer than its parts, one after the other, on a model whose times repeat. */
static void test_times(void **state)
{
    (void)state;
    write_last(ITEMS);
    double first = measured(FIRST "    timed: true\n" SECOND);
    double second = measured(FIRST SECOND "    timed: true\n");
    double whole = measured(FIRST SECOND), three = measured(FIRST SECOND SECOND);

    assert_true(first > 0.0 && second > 0.0);
    assert_true(whole > first + second);
    assert_true(three > whole + second);
    write_job(FIRST SECOND, MEMORY);
    assert_int_equal(run("--sizes", "8,16,32"), 0);
    assert_says("3 ok, 0 skipped, 0 unreliable, 0 failed");
    assert_says("16 lanes, launch 1: triple");
    /* The launches of one job are no results that are missing. */
    assert_false(process_file_says(SAID, "left out") || process_file_says(SAID, "excluded"));
}

/* What the last launch leaves is verified, and what any of them writes beyond its memory. */
static void test_wrong(void **state)
{
    (void)state;
    write_last(17);
    write_job(FIRST SECOND, MEMORY "sizes: [16]\n");
    assert_int_equal(run("--buffer", "last=@last.bin"), 1);
    assert_says("wrong result: last[17] is 104 (0x68), and last.bin has 0 (0x0) there");
    write_last(ITEMS);
    assert_int_equal(run("--arg", "middle=4000"), 1);
    assert_says("writes up to 96 bytes behind the end of middle, which has 4000");
    write_job("  - kernel: never\n    arguments: {out: middle}\n" SECOND "    timed: true\n",
              "arguments: {middle: {bytes: 4K}, last: {bytes: 4K}}\nsizes: [16]\n");
    assert_int_equal(run("--timeout", "3"), 1);
    assert_says("0 ok, 0 skipped, 0 unreliable, 1 failed");
    unlink("last.bin");
    unlink(JOB);
    unlink(ROWS);
    unlink(SAID);
}

static void write_reference(const char *text)
{
    FILE *out = fopen(REFERENCE, "w");

    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

/* What a kernel of its own computes in one launch is what the last of several must leave: here
 * 2 (3 i + 1), by the host's arithmetic 104 at 17 and 6002 at 1000. It finds its arguments by the
 * job's names, in any order, one of them for itself. */
static void test_reference(void **state)
{
    static const char scaled[] = "kernel void scaled(uint factor, global uint *last, uint n)\n"
                                 "{\n"
                                 "    uint i = get_global_id(0);\n"
                                 "    last[i] = i < n ? factor * i + 2 : 0;\n"
                                 "}\n";

    (void)state;
    write_reference(scaled);
    write_job(FIRST SECOND, MEMORY "sizes: [16]\nreference: " REFERENCE "\n");
    assert_int_equal(run("--arg", "factor=6"), 0);
    assert_says("1 ok, 0 skipped, 0 unreliable, 0 failed");
    assert_int_equal(run("--tolerance", "1e-5"), 2);
    assert_says(REFERENCE ": argument 0 (factor) of scaled is missing");
    assert_int_equal(run("--arg", "factor=7"), 1);
    assert_says("wrong result: last[1] is 8 (0x8), and scaled with sub-groups of 16, work-groups "
                "of 64 has 9 (0x9) there");
    /* The first launch leaves out the elements from 1000 on. */
    write_job(FIRST "    timed: true\n" SECOND,
              "arguments: {middle: {bytes: 4K}, last: {bytes: 4K}, n: 1000, factor: 6}\n"
              "sizes: [16]\nreference: " REFERENCE "\n");
    write_reference("kernel void scaled(global uint *last, uint factor)\n"
                    "{\n"
                    "    last[get_global_id(0)] = factor * get_global_id(0) + 2;\n"
                    "}\n");
    assert_int_equal(run("--local", "32"), 1);
    assert_says("wrong result: last[1000] is 3176889822 (0xbd5b7dde)");
    assert_says("has 6002 (0x1772) there");
    write_reference("kernel void scaled(global const uint *last, global uint *other) {\n"
                    "    other[0] = last[0];\n"
                    "}\n");
    assert_int_equal(run("--arg", "other=4"), 2);
    assert_says("--arg factor=6: there is no such argument");
    write_job(FIRST SECOND, MEMORY "sizes: [16]\nreference: " REFERENCE "\n");
    assert_int_equal(run("--arg", "other=4"), 2);
    assert_says("scaled writes no buffer that the job writes");
}

/* Memory that nobody describes is the same for the reference, whatever its place there. */
static void test_reference_contents(void **state)
{
    (void)state;
    write_reference("kernel void fourfold(global uint *last, global uint *in)\n"
                    "{\n"
                    "    last[get_global_id(0)] = 4 * in[get_global_id(0)];\n"
                    "}\n");
    write_job("  - kernel: doubled\n    arguments: {out: middle}\n" SECOND,
              "arguments: {in: {bytes: 4K}, middle: {bytes: 4K}, last: {bytes: 4K}}\n"
              "reference: " REFERENCE "\n");
    assert_int_equal(run("--sizes", "8,16,32"), 0);
    assert_says("3 ok, 0 skipped, 0 unreliable, 0 failed");
    unlink("last.bin");
    unlink(REFERENCE);
    unlink(JOB);
    unlink(ROWS);
    unlink(SAID);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mistakes),  cmocka_unit_test(test_variants),
        cmocka_unit_test(test_times),     cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_reference), cmocka_unit_test(test_reference_contents),
    };

    assert(argc == 2);
    source = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
