/* Bad input end to end: what vebench says, where, and its exit status. argv[1] is the program. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process.h"

#define OUT "test-cli.out"
#define ERR "test-cli.err"

static char *vebench;

/* Intel's driver in its capture mode: devices without a GPU, nothing executes. */
static const char *const capture[] = {"NEOReadDebugKeys=1", "SetCommandStreamReceiver=1",
                                      "ProductFamilyOverride=tgllp",
                                      "AUBDumpCaptureFileName=/dev/null", NULL};

/* Intel's driver opens its libraries in a way (RTLD_DEEPBIND) that AddressSanitizer refuses. */
static void skip_if_driver_cannot_load(void)
{
#ifdef SANITIZED
    skip();
#endif
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;

    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Runs vebench; the exit status has to be `status`, and stderr a single line, beginning with the
 * program's name, that holds each of the NULL-terminated `words`. */
static void assert_refused(const char *const *environment, const char *const *arguments, int status,
                           const char *const *words)
{
    char *argv[16] = {vebench};

    for (size_t i = 0; arguments[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)arguments[i];
    assert_int_equal(process_run(argv, environment, OUT, ERR), status);
    char *text = process_read_file(ERR);
    assert_non_null(text);
    for (size_t i = 0; words[i]; i++) {
        if (!strstr(text, words[i]))
            fail_msg("'%s' is not in: %s", words[i], text);
    }
    assert_int_equal(strncmp(text, "vebench: ", 9), 0);
    if (count_lines(text) != 1)
        fail_msg("not one line: %s", text);
    free(text);
}

#define LIST(...) ((const char *const[]){__VA_ARGS__, NULL})

/* It has something to say where there is nothing at all. */
static void test_doctor_without_a_loader(void **state)
{
    static const char *const environment[] = {"VEBENCH_ZE_LOADER=/nonexistent.so", NULL};
    char *argv[] = {vebench, "doctor", NULL};

    (void)state;
    assert_int_equal(process_run(argv, environment, OUT, ERR), 1);
    char *text = process_read_file(OUT);
    assert_non_null(text);
    assert_non_null(strstr(text, "wrong  loader: "));
    assert_non_null(strstr(text, "sudo apt install libze1"));
    assert_non_null(strstr(text, "vesim: "));
    free(text);
}

static void test_usage(void **state)
{
    (void)state;
    assert_refused(NULL, (const char *const[]){NULL}, 2, LIST("run", "--help"));
    assert_refused(NULL, LIST("frobnicate"), 2, LIST("frobnicate", "run"));
    assert_refused(NULL, LIST("a\033[31mb\nc\302\233d"), 2, LIST("a\\x1b[31mb\\x0ac\\xc2\\x9bd;"));
    assert_refused(NULL, LIST("run", "nosuch"), 2, LIST("nosuch", "barrier"));
    assert_refused(NULL, LIST("run", "--nosuch"), 2, LIST("--nosuch", "--axis"));
    assert_refused(NULL, LIST("run", "bariers"), 2, LIST("did you mean barrier?"));
    assert_refused(NULL, LIST("reprot", "a.csv"), 2, LIST("did you mean vebench report?"));
    assert_refused(NULL, LIST("run", "--presets", "quick"), 2, LIST("did you mean --preset?"));
    assert_refused(NULL, LIST("run", "--axis", "sugbroup_size=8"), 2,
                   LIST("did you mean subgroup_size?"));
    assert_refused(NULL, LIST("run", "--axis"), 2, LIST("--axis", "value"));
    assert_refused(NULL, LIST("run", "--axis", "color=1"), 2, LIST("color", "vebench list"));
    assert_refused(NULL, LIST("run", "barrier", "--axis", "color=1"), 2,
                   LIST("color", "workgroup_size"));
    assert_refused(NULL, LIST("run", "--preset", "tiny"), 2, LIST("tiny", "quick"));
    assert_refused(NULL, LIST("compare", "one.csv"), 2, LIST("two files"));
    assert_refused(NULL, LIST("compare", "a", "b", "c"), 2, LIST("3 files", "--"));
    assert_refused(NULL, LIST("compare", "a", "b", "--"), 2, LIST("--", "side"));
    assert_refused(NULL, LIST("compare", "--", "a", "b"), 2, LIST("--", "side"));
    assert_refused(NULL, LIST("compare", "a", "b", "--", "c", "--sizes", "16,32"), 2,
                   LIST("--sizes takes one file for each side"));
    assert_refused(NULL, LIST("compare", "a", "b", "--threshold", "x"), 2, LIST("percentage"));
    assert_refused(NULL, LIST("compare", "/nonexistent.csv", "b"), 1, LIST("/nonexistent.csv"));
    assert_refused(NULL, LIST("report", "one.csv"), 2, LIST("--output"));
    assert_refused(NULL, LIST("advise", "model.json"), 2, LIST("--family"));
    assert_refused(NULL, LIST("advise", "--family", "barrier"), 2, LIST("a model"));
    assert_refused(NULL, LIST("advise", "model.json", "--family", "nosuch"), 2,
                   LIST("nosuch", "barrier"));
    assert_refused(NULL, LIST("advise", "/nonexistent.json", "--family", "barrier"), 1,
                   LIST("/nonexistent.json"));
    assert_refused(NULL, LIST("run", "--axis", "workgroup_size"), 2, LIST("NAME=VALUE"));
    assert_refused(NULL, LIST("run", "--axis", "workgroup_size=many"), 2, LIST("many"));
    assert_refused(NULL, LIST("run", "barrier", "--axis", "workgroup_size=48"), 2,
                   LIST("48", "power of two"));
    assert_refused(NULL, LIST("run", "--axis", "subgroup_size=4"), 2, LIST("4", "8 16 32"));
    assert_refused(NULL, LIST("run", "barrier", "--variant", "x*"), 2,
                   LIST("--variant x*", "work_group_both"));
    assert_refused(NULL, LIST("run", "--variant", "slm/no*"), 2, LIST("vebench list"));
    assert_refused(NULL, LIST("run", "--format", "xml"), 2, LIST("--format xml", "jsonl"));
    assert_refused(NULL, LIST("run", "--rounds", "1"), 2, LIST("--rounds 1"));
    assert_refused(NULL, LIST("run", "--stop", "min=1"), 2, LIST("--stop min=1", "stdrel=0.5%"));
    assert_refused(NULL, LIST("run", "--spirv", "barrier:7=x"), 2, LIST("barrier:7=x"));
    assert_refused(NULL, LIST("run", "--json"), 2, LIST("--json"));
    assert_refused(NULL, LIST("run", "--dry-run", "--output", "x"), 2, LIST("--output"));
    assert_refused(NULL, LIST("run", "--build-only", "--samples", "x"), 2, LIST("--build-only"));
    assert_refused(NULL, LIST("run", "--like", "x"), 2, LIST("--dry-run"));
    assert_refused(NULL, LIST("run", "--budget", "10"), 2, LIST("--budget 10", "10m"));
    assert_refused(NULL, LIST("run", "--budget", "-1m"), 2, LIST("--budget -1m"));
    assert_refused(NULL, LIST("run", "--budget", "1mm"), 2, LIST("--budget 1mm"));
    assert_refused(NULL, LIST("run", "--budget", "10m,"), 2, LIST("--budget 10m,"));
    assert_refused(NULL, LIST("run", "--budget", "10m,5m"), 2, LIST("--budget 10m,5m"));
    assert_refused(NULL, LIST("run", "--budget", "each="), 2, LIST("--budget each="));
    assert_refused(NULL, LIST("run", "--budget", "each=1s,each=2s"), 2, LIST("each=30s"));
    assert_refused(NULL, LIST("run", "--budget", ""), 2, LIST("--budget"));
    assert_refused(NULL, LIST("bench", "--device", "all"), 2, LIST("run takes --device all"));
    assert_refused(NULL, LIST("run", "--mpi", "--format", "json"), 2, LIST("csv or jsonl"));
    assert_refused(NULL, LIST("run", "--mpi", "--table"), 2, LIST("no table"));
    assert_refused(NULL, LIST("fleet", "--history", "--format", "csv", "a.csv"), 2,
                   LIST("answers in words"));
    assert_refused(NULL, LIST("run", "--device", "all", "--resume", "--output", "x"), 2,
                   LIST("--resume"));
    assert_refused(NULL, LIST("run", "--output", "x", "--samples", "x"), 2, LIST("same file"));
    assert_refused(NULL, LIST("devices", "more"), 2, LIST("more"));
    assert_refused(NULL, LIST("fit", "-o", "model.json"), 2, LIST("results files"));
    assert_refused(NULL, LIST("fit", "results.csv"), 2, LIST("--output"));
    assert_refused(NULL, LIST("fit", "a.csv", "-o", "x", "--as-device", "x"), 2, LIST("same file"));
    assert_refused(NULL, LIST("fit", "a.csv", "-o", "x", "--base", "a380"), 2,
                   LIST("--base", "--as-device"));
    assert_refused(NULL, LIST("--nosuch", "run"), 2, LIST("--nosuch", "vebench --help"));
    assert_refused(NULL, LIST("run", "--as-device", "x"), 2,
                   LIST("--as-device is not an option of vebench run, but of fit"));
    assert_refused(NULL, LIST("compare", "a", "b", "--sizes", "-8,16"), 2, LIST("--sizes -8,16"));
    assert_refused(NULL, LIST("compare", "a", "b", "--sizes", "8,"), 2, LIST("--sizes 8,"));
    assert_refused(NULL, LIST("compare", "a", "b", "--sizes", "0,8"), 2, LIST("--sizes 0,8"));
    assert_refused(NULL, LIST("run", "--seed", "-1"), 2, LIST("--seed -1"));
    assert_refused(NULL, LIST("run", "--seed", " 1"), 2, LIST("whole number"));
    assert_refused(NULL, LIST("list", "nosuch"), 2, LIST("nosuch", "barrier"));
    assert_refused(NULL, LIST("help", "nosuch"), 2, LIST("nosuch", "compare", "axes"));
    assert_refused(NULL, LIST("help", "reprot"), 2, LIST("did you mean report?"));
    assert_refused(NULL, LIST("help", "colums"), 2, LIST("did you mean columns?"));
    assert_refused(NULL, LIST("completion", "csh"), 2, LIST("csh", "bash"));
    assert_refused(NULL, LIST("check", "model.json"), 2, LIST("a model and results"));
}

/* Runs a command of the shell in which "$0" is vebench. */
static int run_shell(char *command, const char *const *environment)
{
    char *argv[] = {"/bin/sh", "-c", command, vebench, NULL};

    return process_run(argv, environment, OUT, ERR);
}

#define RESULTS_HEADER                                                                             \
    "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,"              \
    "subgroup_size,workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,"    \
    "unit,spill_bytes,verified,status,parameters,baseline,loop_ns,work_units,work_bytes,"          \
    "work_messages,work_lines,work_barriers,work_exchanges,work_flops\n"

/* A row of one variant that took so long. */
static void write_results(const char *path, const char *variant, double ns, const char *status)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fprintf(file,
            "run_id," RESULTS_HEADER
            "run-of-%s,emulated,GPU,u,1,2000,barrier,%s,16,64,1,3,%g,%g,%g,%g,ns/barrier,0,1,"
            "%s,,none,100,1,,,,,,\n",
            path, variant, ns, ns - 0.1, ns + 0.1, ns, status);
    assert_int_equal(fclose(file), 0);
}

/* Says what changed, and fails where it could compare nothing. */
static void test_compare(void **state)
{
    char *argv[] = {vebench, "compare", "one.csv", "two.csv", "--format", "markdown", NULL};
    char *several[] = {vebench, "compare", "one.csv", "other.csv", "--", "two.csv", NULL};

    (void)state;
    write_results("one.csv", "a", 20.0, "ok");
    write_results("other.csv", "a", 20.0, "ok");
    write_results("two.csv", "a", 25.0, "ok");
    assert_int_equal(process_run(argv, NULL, OUT, ERR), 3);
    char *text = process_read_file(OUT);
    assert_non_null(strstr(text, "| SLOWER | +25.00 % ± "));
    assert_non_null(strstr(text, "One run for each side"));
    free(text);
    assert_int_equal(process_run(several, NULL, OUT, ERR), 3);
    text = process_read_file(OUT);
    assert_non_null(strstr(text, "+25.00 %"));
    assert_non_null(strstr(text, "2 and 1 runs"));
    assert_null(strstr(text, "One run for each side"));
    free(text);
    assert_refused(NULL, LIST("compare", "one.csv", "one.csv", "--", "two.csv"), 1,
                   LIST("run-of-one.csv", "once"));
    /* a name is no markup, and steers no terminal */
    write_results("one.csv", "a|<b>\x1b[2J", 20.0, "ok");
    write_results("two.csv", "a|<b>\x1b[2J", 25.0, "ok");
    assert_int_equal(process_run(argv, NULL, OUT, ERR), 3);
    text = process_read_file(OUT);
    assert_non_null(strstr(text, "barrier a\\|\\<b\\>?[2J, sub-group 16"));
    assert_null(strchr(text, '\x1b'));
    free(text);
    write_results("one.csv", "a", 20.0, "ok");
    write_results("two.csv", "b", 25.0, "ok");
    assert_refused(NULL, LIST("compare", "one.csv", "two.csv"), 1, LIST("nothing to compare"));
    write_results("two.csv", "a", 25.0, "unreliable");
    assert_refused(NULL, LIST("compare", "one.csv", "two.csv"), 1,
                   LIST("nothing to compare", "0 and 1 rows are unusable"));
    unlink("one.csv");
    unlink("other.csv");
    unlink("two.csv");
}

/* A variant that no build has is a row as any other, and its name is text. */
static void test_odd_variant(void **state)
{
    char *argv[] = {vebench, "report", "odd.csv", "--output", "odd-page", NULL};

    (void)state;
    assert_int_equal(run_shell("rm -rf odd-page odd.csv", NULL), 0);
    write_results("odd.csv", "a'><script>alert(1)</script>", 20.0, "ok");
    assert_int_equal(process_run(argv, NULL, OUT, ERR), 0);
    char *page = process_read_file("odd-page/index.html");
    assert_non_null(page);
    assert_null(strstr(page, "<script>alert"));
    assert_non_null(strstr(page, "</html>"));
    free(page);
    assert_int_equal(run_shell("rm -rf odd-page odd.csv", NULL), 0);
}

/* Names of files are said as messages say them. */
static void test_odd_path(void **state)
{
    char *argv[] = {vebench, "report", "odd.csv", "--output", "odd\x1b[2J-page", NULL};

    (void)state;
    assert_int_equal(run_shell("rm -rf odd*-page odd.csv", NULL), 0);
    write_results("odd.csv", "a", 20.0, "ok");
    assert_int_equal(process_run(argv, NULL, OUT, ERR), 0);
    char *said = process_read_file(OUT);
    assert_non_null(strstr(said, "odd\\x1b[2J-page/index.html\n"));
    assert_null(strchr(said, '\x1b'));
    free(said);
    assert_int_equal(run_shell("rm -rf odd*-page odd.csv", NULL), 0);
}

/* Nothing that is there is replaced by accident, and nothing that is read at all. */
static void test_overwriting(void **state)
{
    struct stat status;

    (void)state;
    assert_int_equal(
        run_shell("rm -rf guard && mkdir -p guard/full guard/odd guard/own && cd guard && "
                  "echo a > in.csv && ln -s in.csv soft && ln in.csv hard && "
                  "echo b > other && echo c > full/index.html && ln -s ../in.csv "
                  "odd/index.html && echo d > own/index.html",
                  NULL),
        0);
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "guard/in.csv", "-f"), 1,
                   LIST("--output guard/in.csv", "which is an input"));
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "guard/soft", "-f"), 1,
                   LIST("guard/soft", "which is an input"));
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "guard/hard", "-f"), 1,
                   LIST("guard/hard", "which is an input"));
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "new", "--as-device", "guard/../new"), 2,
                   LIST("name the same file"));
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "new", "--as-device", "guard/in.csv"), 1,
                   LIST("--as-device", "which is an input"));
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "guard/other"), 1,
                   LIST("guard/other exists already", "--force"));
    assert_refused(NULL, LIST("fit", "guard/in.csv", "-o", "/dev/null", "-f"), 1,
                   LIST("/dev/null", "not a regular file"));
    assert_refused(NULL, LIST("report", "guard/in.csv", "-o", "guard/full"), 1,
                   LIST("guard/full", "not empty", "--force"));
    assert_refused(NULL, LIST("report", "guard/in.csv", "-o", "guard/odd", "-f"), 1,
                   LIST("guard/odd contains index.html"));
    assert_refused(NULL, LIST("report", "guard/own/index.html", "-o", "guard/own", "-f"), 1,
                   LIST("guard/own contains index.html", "which is an input"));
    assert_refused(NULL, LIST("report", "guard/in.csv", "-o", "guard/soft", "-f"), 1,
                   LIST("guard/soft"));
    assert_int_equal(stat("guard/in.csv", &status), 0);
    assert_int_equal(status.st_size, 2);
    assert_int_equal(stat("guard/other", &status), 0);
    assert_int_equal(status.st_size, 2);
    assert_int_equal(run_shell("rm -rf guard", NULL), 0);
}

/* Commands on files need no driver. */
static void test_files(void **state)
{
    (void)state;
    assert_refused(NULL, LIST("fit", "nosuch.csv", "-o", "nosuch.json"), 1,
                   LIST("nosuch.csv", "No such file"));
    assert_int_equal(access("nosuch.json", F_OK), -1);
    assert_refused(NULL, LIST("check", "nosuch.json", "nosuch.csv"), 1, LIST("nosuch.json"));
    assert_refused(NULL, LIST("compare", "nosuch.csv", "nosuch.csv"), 1, LIST("nosuch.csv"));
}

static void test_no_loader(void **state)
{
    (void)state;
    assert_refused(LIST("VEBENCH_ZE_LOADER=/nonexistent.so"), LIST("devices"), 1,
                   LIST("/nonexistent.so", "libze1", "intel-opencl-icd"));
    assert_refused(LIST("VEBENCH_ZE_LOADER=libm.so.6"), LIST("run"), 1, LIST("zeInit", "libze1"));
}

static void test_no_device(void **state)
{
    (void)state;
    skip_if_driver_cannot_load();
    /* A product the driver does not know leaves it without devices, on any machine. */
    if (access("/dev/dri", F_OK) == 0)
        skip();
    assert_refused(NULL, LIST("run", "barrier"), 1,
                   LIST("no Intel GPU", "/dev/dri/renderD", "--emulate a380"));
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void test_corrupt_module(void **state)
{
    /* A header (magic, version 1.0, generator, bound, schema) and then a truncated OpCapability. */
    static const uint32_t truncated[] = {0x07230203, 0x10000, 0, 10, 0, 0x00020011};

    (void)state;
    write_file("noise.spv", "this is not SPIR-V, 32 bytes....", 32);
    assert_refused(NULL, LIST("run", "--spirv", "barrier:16=noise.spv"), 1,
                   LIST("noise.spv", "not a SPIR-V"));
    write_file("truncated.spv", truncated, sizeof(truncated));
    assert_refused(NULL, LIST("run", "--spirv", "barrier:16=truncated.spv"), 1,
                   LIST("truncated.spv", "corrupt"));
    assert_refused(NULL, LIST("run", "--spirv", "barrier:16=absent.spv"), 1, LIST("absent.spv"));
    unlink("noise.spv");
    unlink("truncated.spv");
}

static void test_output(void **state)
{
    struct stat before;
    struct stat after;

    (void)state;
    skip_if_driver_cannot_load();
    write_file("exists.csv", "mine\n", 5);
    assert_int_equal(stat("exists.csv", &before), 0);
    assert_refused(capture, LIST("run", "--output", "exists.csv"), 1,
                   LIST("exists.csv", "exists", "--output"));
    assert_int_equal(stat("exists.csv", &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    assert_refused(capture, LIST("run", "--output", "no/such/folder.csv"), 1,
                   LIST("no/such/folder.csv"));
    /* The results file does not stay behind when the samples file cannot be made. */
    assert_refused(capture, LIST("run", "--output", "left.csv", "--samples", "exists.csv"), 1,
                   LIST("exists.csv"));
    assert_int_not_equal(access("left.csv", F_OK), 0);
    unlink("exists.csv");
}

static void test_device(void **state)
{
    char *argv[] = {vebench, "run", "--device", "no such GPU", "--dry-run", NULL};

    (void)state;
    skip_if_driver_cannot_load();
    assert_int_equal(process_run(argv, capture, OUT, ERR), 2);
    char *text = process_read_file(ERR);
    assert_non_null(strstr(text, "no such GPU"));
    assert_non_null(strstr(text, "uuid"));
    free(text);
}

/* Nothing executes in capture mode: every row has to say so, in bounded time. */
static void test_nothing_executes(void **state)
{
    char *argv[] = {vebench,
                    "run",
                    "barrier",
                    "--axis",
                    "subgroup_size=16",
                    "--axis",
                    "workgroup_size=64",
                    "--timeout",
                    "2",
                    "--output",
                    "capture.csv",
                    NULL};

    (void)state;
    skip_if_driver_cannot_load();
    unlink("capture.csv");
    assert_int_equal(process_run(argv, capture, OUT, ERR), 1);
    char *text = process_read_file("capture.csv");
    assert_non_null(text);
    assert_int_equal(count_lines(text), 10);
    assert_non_null(strstr(text, ",failed,"));
    assert_null(strstr(text, ",ok,"));
    assert_null(strstr(text, ",hardware,"));
    free(text);
    text = process_read_file(ERR);
    assert_non_null(strstr(text, "EMULATED"));
    free(text);
    unlink("capture.csv");
}

/* What the program prints for `words`; the caller frees it. */
static char *output_of(const char *const *words)
{
    char *argv[16] = {vebench};

    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = (char *)(uintptr_t)words[i];
    assert_int_equal(process_run(argv, NULL, OUT, ERR), 0);
    return process_read_file(OUT);
}

/* Help of every command, by option and by command, is the same and names the command's options. */
static void test_help(void **state)
{
    static const char *const commands[] = {"run",     "report", "compare", "fit",  "check",
                                           "predict", "advise", "devices", "list", "completion"};

    (void)state;
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
        char *one = output_of(LIST(commands[i], "--help"));
        char *other = output_of(LIST("help", commands[i]));

        assert_string_equal(one, other);
        assert_non_null(strstr(one, commands[i]));
        assert_non_null(strstr(one, "--help"));
        assert_int_equal(strstr(one, "--trips") != NULL, !strcmp(commands[i], "predict"));
        free(one);
        free(other);
    }
}

/* docs/command-line.md is what the program says about itself. */
static void test_documentation(void **state)
{
    char *documentation = process_read_file(DOCUMENTATION);
    char *said = output_of(LIST("help", "markdown"));

    (void)state;
    assert_non_null(documentation);
    if (strcmp(documentation, said) != 0)
        fail_msg("%s is not what `vebench help markdown` says: write it anew", DOCUMENTATION);
    free(documentation);
    free(said);
}

/* What bash offers for the line `words`, of which the last word is unfinished. */
static char *completions(const char *words)
{
    char script[1000];
    char *argv[] = {"/bin/bash", "--norc", "-c", script, vebench, NULL};

    snprintf(script, sizeof(script),
             "eval \"$(\"$0\" completion bash)\" || exit 1; COMP_WORDS=(vebench %s); "
             "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _vebench; echo \" ${COMPREPLY[*]} \"",
             words);
    assert_int_equal(process_run(argv, NULL, OUT, ERR), 0);
    return process_read_file(OUT);
}

static void assert_completed(const char *words, const char *with, const char *without)
{
    char *offered = completions(words);

    if (!strstr(offered, with) || strstr(offered, without))
        fail_msg("vebench %s: %s", words, offered);
    free(offered);
}

static void test_completion(void **state)
{
    (void)state;
    if (access("/bin/bash", X_OK) != 0)
        skip();
    assert_completed("re", " report ", " run ");
    assert_completed("run --pre", " --preset ", "--trips");
    assert_completed("predict --tr", " --trips ", "--preset");
    assert_completed("run --preset ''", " default quick full ", "barrier");
    assert_completed("run barr", " barrier barrier_arrival ", "slm");
    assert_completed("completion ''", " bash zsh fish ", "run");
}

static void test_full_output(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(run_shell("exec \"$0\" list > /dev/full", NULL), 1);
    char *text = process_read_file(ERR);
    assert_non_null(strstr(text, "vebench: cannot write to standard output"));
    free(text);
}

/* Started without descriptors, nothing that is printed gets into the results. */
static void test_closed_descriptors(void **state)
{
    (void)state;
    skip_if_driver_cannot_load();
    unlink("closed.csv");
    assert_int_equal(run_shell("exec \"$0\" run barrier --axis subgroup_size=16 --axis "
                               "workgroup_size=64 --timeout 1 --output closed.csv <&- >&- 2>&-",
                               capture),
                     1);
    char *text = process_read_file("closed.csv");
    assert_non_null(text);
    assert_int_equal(strncmp(text, "run_id,", 7), 0);
    assert_int_equal(count_lines(text), 10);
    assert_null(strstr(text, "EMULATED"));
    free(text);
    unlink("closed.csv");
}

static void test_what_works(void **state)
{
    char *version[] = {vebench, "--version", NULL};
    char *help[] = {vebench, "--help", NULL};
    char *list[] = {vebench, "list", "--json", NULL};

    (void)state;
    assert_int_equal(process_run(version, NULL, OUT, ERR), 0);
    char *text = process_read_file(OUT);
    assert_int_equal(strncmp(text, "vebench ", 8), 0);
    free(text);
    assert_int_equal(process_run(help, NULL, OUT, ERR), 0);
    assert_int_equal(process_run(list, NULL, OUT, ERR), 0);
    text = process_read_file(OUT);
    assert_non_null(strstr(text, "\"work_group_both\""));
    free(text);
    text = output_of(LIST("list"));
    assert_non_null(strstr(text, "barrier"));
    assert_null(strstr(text, "work_group_both"));
    free(text);
    text = output_of(LIST("list", "barrier"));
    assert_non_null(strstr(text, "work_group_both"));
    assert_null(strstr(text, "load_vec4"));
    free(text);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doctor_without_a_loader),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_no_loader),
        cmocka_unit_test(test_no_device),
        cmocka_unit_test(test_corrupt_module),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_nothing_executes),
        cmocka_unit_test(test_what_works),
        cmocka_unit_test(test_help),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_overwriting),
        cmocka_unit_test(test_odd_variant),
        cmocka_unit_test(test_odd_path),
        cmocka_unit_test(test_full_output),
        cmocka_unit_test(test_closed_descriptors),
        cmocka_unit_test(test_documentation),
        cmocka_unit_test(test_completion),
    };

    if (argc < 2) {
        fprintf(stderr, "usage: test-cli VEBENCH\n");
        return 1;
    }
    vebench = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
