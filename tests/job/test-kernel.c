/* vebench kernel on the emulated A380: what it says of kernels whose results are known. argv[1] is
 * their source. */
#include "csv-file.h"
#include "process.h"

#include "test.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROWS  "kernel-rows.csv"
#define SAID  "kernel-said.txt"
#define ITEMS 1024u

static const char *source;

/* Runs vebench kernel with what all launches here share, and further words up to a NULL. */
static int run_into(const char *rows, const char *how, const char *kernel, const char *const *more)
{
    char *argv[40] = {getenv("VEBENCH"), "kernel",    (char *)source, "--kernel", (char *)kernel,
                      "--global",        "1024",      "--emulate",    "a380",     "--output",
                      (char *)rows,      (char *)how, "--rounds",     "10"};
    size_t count = 14;

    while (*more)
        argv[count++] = (char *)*more++;
    return process_run(argv, NULL, SAID, SAID);
}

static int run(const char *kernel, const char *const *more)
{
    unlink(ROWS);
    return run_into(ROWS, "--force", kernel, more);
}

#define RUN(kernel, ...) run(kernel, (const char *const[]){__VA_ARGS__, NULL})
#define RESUME(kernel, ...)                                                                        \
    run_into(ROWS, "--resume", kernel, (const char *const[]){__VA_ARGS__, NULL})

static void assert_says(const char *text)
{
    if (!process_file_says(SAID, text)) {
        process_show_file(SAID);
        fail_msg("it does not say '%s'", text);
    }
}

/* What the kernel `triple` leaves, with one element changed if it is below ITEMS. */
static void write_expected(const char *path, size_t changed)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint32_t value = i == changed ? 0 : 3 * i + 1;

        assert_int_equal(fwrite(&value, sizeof(value), 1, out), 1);
    }
    fclose(out);
}

/* Every size is measured, runs as what it claims to be, and is held against the file. */
static void test_sizes(void **state)
{
    (void)state;
    write_expected("expected.bin", ITEMS);
    assert_int_equal(
        RUN("triple", "--local", "64", "--arg", "n=1024", "--buffer", "out=@expected.bin"), 0);
    assert_says("3 ok, 0 skipped, 0 unreliable, 0 failed");
    assert_says("Best: ");
    assert_says("Machine code for a380");
    for (unsigned size = 8; size <= 32; size *= 2) {
        char text[32];
        FILE *out = fopen("lanes.bin", "wb");

        assert_non_null(out);
        for (unsigned i = 0; i < ITEMS; i++)
            assert_int_equal(fwrite(&size, sizeof(size), 1, out), 1);
        fclose(out);
        snprintf(text, sizeof(text), "%u", size);
        assert_int_equal(
            RUN("lanes", "--local", "64", "--sizes", text, "--buffer", "out=@lanes.bin"), 0);
    }
    unlink("lanes.bin");
}

/* A planted difference is found in each way of verifying, at its element. */
static void test_differences(void **state)
{
    (void)state;
    write_expected("expected.bin", 17);
    assert_int_equal(RUN("triple", "--local", "64", "--sizes", "16", "--arg", "n=1024", "--buffer",
                         "out=@expected.bin"),
                     1);
    assert_says("wrong result: out[17] is 52 (0x34), and expected.bin has 0 (0x0) there");
    /* Memory that nobody has written is not what a kernel leaves there. */
    write_expected("expected.bin", ITEMS);
    assert_int_equal(RUN("triple", "--local", "64", "--sizes", "16", "--arg", "n=1000", "--buffer",
                         "out=@expected.bin"),
                     1);
    assert_says("out[1000] is 3735928559 (0xdeadbeef), and expected.bin has 3001");
    unlink("expected.bin");
    assert_int_equal(RUN("planted", "--local", "64", "--sizes", "16", "--arg", "n=1024", "--arg",
                         "out=4K", "-D", "PLANTED=5000,99"),
                     1);
    assert_says("1 ok, 0 skipped, 0 unreliable, 1 failed");
    assert_says("wrong result: out[99] is 5 (0x5), and planted with sub-groups of 16");
}

/* An image goes in and out by a file, and its outputs are held against one. */
static void test_image(void **state)
{
    char *argv[] = {getenv("VEBENCH"),
                    "kernel",
                    (char *)source,
                    "--kernel",
                    "inverted",
                    "--global",
                    "16,8",
                    "--local",
                    "4,4",
                    "--sizes",
                    "8,16",
                    "--arg",
                    "in=16,8:rgba8u",
                    "--arg",
                    "out=16,8:rgba8u",
                    "--buffer",
                    "in=in.bin",
                    "--buffer",
                    "out=@out.bin",
                    "--emulate",
                    "a380",
                    "-o",
                    ROWS,
                    "-f",
                    "--rounds",
                    "4",
                    NULL};
    FILE *in = fopen("in.bin", "wb"), *out = fopen("out.bin", "wb");

    (void)state;
    assert_true(in && out);
    for (int i = 0; i < 16 * 8 * 4; i++) {
        fputc(i * 7 & 255, in);
        fputc(~(i * 7) & 255, out);
    }
    assert_int_equal(fclose(in) | fclose(out), 0);
    if (process_run(argv, NULL, SAID, SAID) != 0)
        process_show_file(SAID);
    assert_says("2 ok, 0 skipped, 0 unreliable, 0 failed");
    out = fopen("out.bin", "r+b");
    assert_non_null(out);
    fseek(out, 77, SEEK_SET);
    fputc(0, out);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(process_run(argv, NULL, SAID, SAID), 1);
    assert_says("wrong result: out[77] is 228 (0xe4), and out.bin has 0 (0x0) there");
    unlink("in.bin");
    unlink("out.bin");
}

/* What is written to nowhere is noticed though nothing says what is right; and cold caches cost
 * something, which is not held against warm ones. */
static void test_nothing_and_cold(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("triple", "--local", "64", "--sizes", "16", "--arg", "n=0", "--arg", "out=4K"), 1);
    assert_says("the kernel has left its buffers as they were");
    assert_int_equal(RUN("triple", "--local", "64", "--sizes", "16", "--arg", "n=1024", "--arg",
                         "out=4K", "--caches", "warm,flushed", "--page", "page.html"),
                     0);
    assert_says("Best of triple caches=warm: ");
    assert_says("Best of triple caches=flushed: ");
    assert_says("Where the time goes");
    assert_says("start and end of the launch");
    assert_true(process_file_says("page.html", "<p class=emulated>"));
    assert_true(process_file_says("page.html", "Best of triple caches=flushed"));
    unlink("page.html");
}

static int watch(const char *work, const char *update)
{
    char *argv[] = {
        getenv("VEBENCH"), "watch", "watched-times", "--baseline", "times.csv", "--target", "a380",
        "--emulate",       "a380",  (char *)update,  NULL};
    FILE *out = fopen("watched-times/work.yaml", "w");

    assert_non_null(out);
    fprintf(out,
            "source: %s\nkernel: work\nglobal: 256\nlocal: 64\nsizes: [16]\n"
            "arguments: {out: 1K, n: %s}\n",
            source, work);
    assert_int_equal(fclose(out), 0);
    return process_run(argv, NULL, SAID, SAID);
}

/* The same instructions, executed more often, are found by the time alone. */
static void test_watched_times(void **state)
{
    (void)state;
    mkdir("watched-times", 0777);
    assert_int_equal(watch("300", "--update"), 0);
    assert_int_equal(watch("300", NULL), 0);
    assert_says("0 changes, 0 for the worse");
    assert_int_equal(watch("600", NULL), 3);
    assert_says("a380, emulated");
    assert_says("time, ns");
    unlink("watched-times/work.yaml");
    rmdir("watched-times");
    unlink("times.csv");
}

static void test_faults(void **state)
{
    (void)state;
    assert_int_equal(
        RUN("triple", "--local", "64", "--sizes", "16", "--arg", "n=1024", "--arg", "out=4000"), 1);
    assert_says("writes up to 96 bytes behind the end of out, which has 4000");
    assert_int_equal(
        RUN("never", "--local", "1024", "--sizes", "16", "--arg", "out=4K", "--timeout", "3"), 1);
    assert_says("did not finish within 3 s");
    /* One work-group does not divide the launch; the other is measured. */
    assert_int_equal(RUN("triple", "--local", "48", "--local", "64", "--sizes", "16", "--arg",
                         "n=1024", "--arg", "out=4K"),
                     0);
    assert_says("1 ok, 1 skipped");
    assert_says("1024 work-items are no multiple of a work-group's 48");
    unlink(ROWS);
    unlink(SAID);
}

/* Rows of a kernel that has changed since, or of another launch of it, are not continued; and what
 * is refused gives no answer, which would be the old rows'. */
static void test_resumed(void **state)
{
    (void)state;
    assert_int_equal(RUN("planted", "--local", "64", "--sizes", "8,16", "--arg", "n=1024", "--arg",
                         "out=4K", "-D", "PLANTED=5000,99"),
                     1);
    assert_int_equal(RESUME("planted", "--local", "64", "--sizes", "8,16", "--arg", "n=1024",
                            "--arg", "out=4K", "-D", "PLANTED=5000,99"),
                     1);
    assert_says("1 failed");
    assert_int_equal(RESUME("planted", "--local", "64", "--sizes", "8,16", "--arg", "n=1024",
                            "--arg", "out=4K", "-D", "PLANTED=5000,98"),
                     1);
    assert_says("is of another source or other arguments of this kernel");
    assert_false(process_file_says(SAID, "Best: "));
    assert_int_equal(RESUME("planted", "--local", "64", "--sizes", "8,16", "--arg", "n=1000",
                            "--arg", "out=4K", "-D", "PLANTED=5000,99"),
                     1);
    assert_says("is of another source or other arguments of this kernel");
    assert_int_equal(
        run_into("-", "--force", "planted",
                 (const char *const[]){"--local", "64", "--sizes", "16", "--arg", "n=1024", "--arg",
                                       "out=4K", "--page", "kernel-page.html", NULL}),
        2);
    assert_says("--page is made of a file of rows: name it with --output");
    unlink(ROWS);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),         cmocka_unit_test(test_differences),
        cmocka_unit_test(test_image),         cmocka_unit_test(test_nothing_and_cold),
        cmocka_unit_test(test_watched_times), cmocka_unit_test(test_faults),
        cmocka_unit_test(test_resumed),
    };

    assert(argc == 2);
    source = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
