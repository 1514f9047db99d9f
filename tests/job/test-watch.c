/* vebench watch: a planted regression is found, and a change that is none is not. */
#include "process.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "watched"
#define SAID   "watch-said.txt"

static void write_file(const char *path, const char *before, const char *text)
{
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    fprintf(out, "%s\n%s", before, text);
    assert_int_equal(fclose(out), 0);
}

/* Keeps as many numbers at once as LIVE says; other lines say that. */
static void write_kernel(const char *live)
{
    write_file(FOLDER "/live.cl", live,
               "kernel void live(global const float *in, global float *out)\n"
               "{\n"
               "    float kept[LIVE];\n"
               "    for (int i = 0; i < LIVE; i++)\n"
               "        kept[i] = in[i * 64 + get_global_id(0)];\n"
               "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
               "    for (int i = 0; i < LIVE; i++)\n"
               "        out[i * 64 + get_global_id(0)] = kept[LIVE - 1 - i];\n"
               "}\n");
}

static int watch(const char *format)
{
    char *argv[] = {getenv("VEBENCH"), "watch", FOLDER,     "--baseline",   "watched.csv",
                    "--target",        "a380",  "--format", (char *)format, "--junit",
                    "watched.xml",     "-f",    NULL};

    return process_run(argv, NULL, SAID, SAID);
}

/* The compiler's own words follow the name of what does not compile, in the same line. */
static void assert_names_undeclared(void)
{
    static const char before[] = "not compiled: live.yaml: ";
    FILE *in = fopen(SAID, "r");
    bool is_named = false;
    char line[2000];

    assert_non_null(in);
    while (!is_named && fgets(line, sizeof(line), in)) {
        const char *at = strstr(line, before);

        is_named = at && strstr(at, "undeclared identifier 'many'");
    }
    fclose(in);
    if (!is_named)
        process_show_file(SAID);
    assert_true(is_named);
}

static void test_watch(void **state)
{
    (void)state;
    unlink("watched.csv");
    mkdir(FOLDER, 0777);
    write_file(FOLDER "/live.yaml", "source: live.cl",
               "global: 64\nlocal: 64\nsizes: [16]\narguments:\n  in: {bytes: 64K}\n"
               "  out: {bytes: 64K}\n");
    write_kernel("#define LIVE 32");
    assert_int_equal(watch("table"), 0);
    assert_true(process_file_says(SAID, "1 kernels are the baseline in watched.csv"));
    write_kernel("#define LIVE 32 /* and a remark */");
    assert_int_equal(watch("table"), 0);
    assert_true(process_file_says(SAID, "1 kernels, 0 changes, 0 for the worse"));
    /* 256 numbers of 16 lanes are twice what a thread has registers for. */
    write_kernel("#define LIVE 256");
    assert_int_equal(watch("markdown"), 3);
    assert_true(
        process_file_says(SAID, "| worse | live.yaml | launch | 16 | a380 | bytes spilled | 0 |"));
    assert_true(process_file_says("watched.xml", "failures=\"1\""));
    assert_true(process_file_says("watched.xml", "bytes spilled: 0 before"));
    /* What does not compile any more is worse, too. */
    write_kernel("#define LIVE many");
    assert_int_equal(watch("csv"), 3);
    assert_true(process_file_says(SAID, "worse,live.yaml,,0,,compiles,,refused"));
    assert_true(process_file_says("watched.xml", "undeclared identifier"));
    /* What stays refused is no change. It is named, so as not to pass for watched. */
    unlink("watched.csv");
    assert_int_equal(watch("table"), 0);
    assert_names_undeclared();
    assert_int_equal(watch("table"), 0);
    assert_names_undeclared();
    unlink(FOLDER "/live.cl");
    unlink(FOLDER "/live.yaml");
    assert_int_equal(watch("table"), 2);
    assert_true(process_file_says(SAID, "has no jobs"));
    rmdir(FOLDER);
    unlink("watched.csv");
    unlink("watched.xml");
    unlink(SAID);
}

/* A job's file is read strictly: a wrong key is named with its line, and those that there are. */
static void test_job_file(void **state)
{
    char *argv[] = {getenv("VEBENCH"), "kernel", "wrong.yaml", NULL};

    (void)state;
    write_file("wrong.yaml", "source: live.cl", "globl: 64\n");
    assert_int_equal(process_run(argv, NULL, SAID, SAID), 2);
    assert_true(process_file_says(SAID, "wrong.yaml:2: there is no key globl"));
    assert_true(process_file_says(SAID, "did you mean global?"));
    write_file("wrong.yaml", "source: live.cl", "arguments: [1, 2]\n");
    assert_int_equal(process_run(argv, NULL, SAID, SAID), 2);
    assert_true(process_file_says(SAID, "wrong.yaml:2: arguments have names and values"));
    write_file("wrong.yaml", "global: 64", "local: [\n");
    assert_int_equal(process_run(argv, NULL, SAID, SAID), 2);
    assert_true(process_file_says(SAID, "it is no YAML"));
    unlink("wrong.yaml");
    unlink(SAID);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_job_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
