/*
 * vebench run --mpi over four ranks, each on an emulated GPU of its own: the rows are those of one
 * process, whoever measures them; a rank that is lost costs one configuration; a run goes on where
 * it ended; a GPU that is slower than the others is found; a user's kernel is shared, too.
 *
 * Argument: the emulated device. MPIEXEC starts ranks; it is empty where this build has no MPI.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "csv-file.h"
#include "process.h"

enum { WORDS_MAX = 160, NAME_CHARS = 1200 };
enum { RANKS = 4, CONFIGURATIONS = 6, VARIANTS = 2, ROWS = CONFIGURATIONS * VARIANTS };

static const char *device;
static struct csv_file alone; /* what one process without MPI measures */

/* A command line under construction. */
struct command {
    char *word[WORDS_MAX];
    size_t count;
};

static void add(struct command *command, const char *word)
{
    assert_true(command->count + 1 < WORDS_MAX);
    command->word[command->count++] = (char *)word;
}

/* The sweep: six configurations of two variants. */
static void add_loud_sweep(struct command *command, const char *output)
{
    static const char *const words[] = {
        "run",       "barrier",
        "--axis",    "subgroup_size=16,32",
        "--axis",    "workgroup_size=32,64,128",
        "--axis",    "workgroup_count=1",
        "--variant", "work_group_none",
        "--output",
    };

    add(command, getenv("VEBENCH"));
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        add(command, words[i]);
    add(command, output);
}

static void add_sweep(struct command *command, const char *output)
{
    add_loud_sweep(command, output);
    add(command, "-q");
}

/* Below a vesim; `fault` may be NULL. */
static void add_vesim(struct command *command, const char *modelled, const char *fault)
{
    add(command, getenv("VESIM"));
    add(command, "--device");
    add(command, modelled);
    if (fault) {
        add(command, "--fault");
        add(command, fault);
    }
    add(command, "--");
}

/* So many ranks, each below a vesim of its own, of a device with a fault unless it is NULL, and
 * with settings of the environment unless they are NULL. The words of vebench follow. */
static void add_ranks(struct command *command, const char *count, const char *modelled,
                      const char *fault, const char *const *settings)
{
    add(command, command->count ? ":" : getenv("MPIEXEC"));
    add(command, "-n");
    add(command, count);
    if (settings)
        add(command, "env");
    for (; settings && *settings; settings++)
        add(command, *settings);
    add_vesim(command, modelled, fault);
}

/* Four ranks on sound devices. */
static void add_four(struct command *command, const char *output)
{
    add_ranks(command, "4", device, NULL, NULL);
    add_sweep(command, output);
    add(command, "--mpi");
}

static int run(struct command *command, const char *log)
{
    command->word[command->count] = NULL;
    int code = process_run(command->word, NULL, log, log);
    if (code != 0)
        process_show_file(log);
    return code;
}

/* As measured by one process, but for who measured it and when. */
static void assert_row_is_known(const struct csv_file *csv, size_t row, size_t known)
{
    csv_file_assert_same_row(csv, row, &alone, known, "rank");
}

/* Rows come in the order in which ranks are done, those of a configuration together. */
static size_t known_row(const struct csv_file *csv, size_t row)
{
    size_t sequence = strtoul(csv_file_field(csv, row, "sequence"), NULL, 10);

    return sequence * VARIANTS + row % VARIANTS;
}

/* Every row of the sweep, once. */
static void assert_all_are_known(const struct csv_file *csv)
{
    bool seen[ROWS] = {false};

    assert_int_equal(csv->row_count, ROWS);
    for (size_t row = 0; row < csv->row_count; row++) {
        size_t known = known_row(csv, row);

        assert_row_is_known(csv, row, known);
        assert_false(seen[known]);
        seen[known] = true;
    }
}

static int measure_alone(void **state)
{
    struct command command = {.count = 0};

    (void)state;
    add_vesim(&command, device, NULL);
    add_sweep(&command, "mpi-alone.csv");
    remove("mpi-alone.csv");
    assert_int_equal(run(&command, "mpi-alone.out"), 0);
    assert_int_equal(csv_file_load(&alone, "mpi-alone.csv"), 0);
    assert_int_equal(alone.row_count, ROWS);
    return 0;
}

static int forget(void **state)
{
    (void)state;
    csv_file_free(&alone);
    return 0;
}

static void test_ranks_share_a_sweep(void **state)
{
    struct command command = {.count = 0};
    struct csv_file csv;
    bool seen[RANKS] = {false};
    unsigned ranks = 0;

    (void)state;
    remove("mpi-dealt.csv");
    add_four(&command, "mpi-dealt.csv");
    assert_int_equal(run(&command, "mpi-dealt.out"), 0);
    assert_int_equal(csv_file_load(&csv, "mpi-dealt.csv"), 0);
    assert_int_equal(csv.row_count, ROWS);
    for (size_t row = 0; row < csv.row_count; row++) {
        unsigned long rank = strtoul(csv_file_field(&csv, row, "rank"), NULL, 10);

        assert_row_is_known(&csv, row, known_row(&csv, row));
        assert_true(rank < RANKS);
        ranks += !seen[rank];
        seen[rank] = true;
    }
    assert_true(ranks > 1);
    csv_file_free(&csv);
}

static void add_kernel(struct command *command, const char *output)
{
    add(command, getenv("VEBENCH"));
    add(command, "kernel");
    add(command, getenv("KERNEL_JOB"));
    add(command, "--sizes");
    add(command, "8,16,32");
    add(command, "-q");
    add(command, "--output");
    add(command, output);
    remove(output);
}

/* A kernel of the user's: the rows are those of one process, and rank 0 answers. */
static void test_ranks_share_a_kernel(void **state)
{
    struct command one = {.count = 0}, many = {.count = 0};
    struct csv_file csv, known;

    (void)state;
    add_vesim(&one, device, NULL);
    add_kernel(&one, "mpi-kernel-alone.csv");
    assert_int_equal(run(&one, "mpi-kernel-alone.out"), 0);
    add_ranks(&many, "2", device, NULL, NULL);
    add_kernel(&many, "mpi-kernel.csv");
    add(&many, "--mpi");
    assert_int_equal(run(&many, "mpi-kernel.out"), 0);
    assert_true(process_file_says("mpi-kernel.out", "Best: "));
    assert_int_equal(csv_file_load(&known, "mpi-kernel-alone.csv"), 0);
    assert_int_equal(csv_file_load(&csv, "mpi-kernel.csv"), 0);
    assert_int_equal(known.row_count, 3);
    assert_int_equal(csv.row_count, known.row_count);
    for (size_t row = 0; row < csv.row_count; row++) {
        size_t sequence = strtoul(csv_file_field(&csv, row, "sequence"), NULL, 10);

        csv_file_assert_same_row(&csv, row, &known, sequence, "rank");
    }
    csv_file_free(&csv);
    csv_file_free(&known);
}

/* Every GPU measures all of a kernel: who compares them is named, unless rows go to the same
 * output. */
static void test_each_measures_a_kernel(void **state)
{
    struct command file = {.count = 0}, output = {.count = 0};
    struct csv_file csv;

    (void)state;
    add_ranks(&file, "2", device, NULL, NULL);
    add_kernel(&file, "mpi-kernel-each.csv");
    add(&file, "--mpi");
    add(&file, "--each");
    assert_int_equal(run(&file, "mpi-kernel-each.out"), 0);
    assert_true(process_file_says("mpi-kernel-each.out", "fleet mpi-kernel-each.csv compares"));
    assert_int_equal(csv_file_load(&csv, "mpi-kernel-each.csv"), 0);
    assert_int_equal(csv.row_count, 6);
    csv_file_free(&csv);
    add_ranks(&output, "2", device, NULL, NULL);
    add_kernel(&output, "-");
    add(&output, "--mpi");
    add(&output, "--each");
    assert_int_equal(run(&output, "mpi-kernel-each.out"), 0);
    assert_false(process_file_says("mpi-kernel-each.out", "vebench fleet"));
}

/* The first three lines, in which a row has been begun. */
static void cut_file(const char *path)
{
    char *text = process_read_file(path), *at = text;

    assert_non_null(text);
    for (int line = 0; line < 4; line++)
        at = strchr(at, '\n') + 1;
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(at - text) + 10, file);
    assert_int_equal(fclose(file), 0);
    free(text);
}

static void test_a_shared_sweep_goes_on(void **state)
{
    struct command command = {.count = 0};
    struct csv_file csv;

    (void)state;
    cut_file("mpi-dealt.csv");
    add_four(&command, "mpi-dealt.csv");
    add(&command, "--resume");
    assert_int_equal(run(&command, "mpi-resumed.out"), 0);
    assert_int_equal(csv_file_load(&csv, "mpi-dealt.csv"), 0);
    assert_int_equal(csv.row_count, ROWS);
    assert_all_are_known(&csv);
    csv_file_free(&csv);
}

static const char each_samples[] = "mpi-each-samples.csv";

static void add_each(struct command *command)
{
    add(command, "--each");
    add(command, "--samples");
    add(command, each_samples);
}

/* Three ranks, and one whose agent is killed by its worker in the middle of a measurement. */
static void add_one_that_dies(struct command *command, const char *output, bool each)
{
    static char loader[NAME_CHARS];
    const char *const settings[] = {loader, "FAULT=parent@zeCommandQueueExecuteCommandLists:3+",
                                    "FAULT_COUNT=mpi-fault-count", NULL};

    snprintf(loader, sizeof(loader), "VEBENCH_ZE_LOADER=%s", getenv("FAULTY_LOADER"));
    add_ranks(command, "3", device, NULL, NULL);
    add_sweep(command, output);
    add(command, "--mpi");
    if (each)
        add_each(command);
    add_ranks(command, "1", device, NULL, settings);
    add_sweep(command, output);
    add(command, "--mpi");
    if (each)
        add_each(command);
    remove("mpi-fault-count");
    remove(output);
}

static void test_a_lost_rank_costs_one_configuration(void **state)
{
    struct command command = {.count = 0};
    struct csv_file csv;
    unsigned failed = 0;

    (void)state;
    add_one_that_dies(&command, "mpi-lost.csv", false);
    assert_int_equal(run(&command, "mpi-lost.out"), 1); /* rows failed */
    assert_int_equal(csv_file_load(&csv, "mpi-lost.csv"), 0);
    assert_int_equal(csv.row_count, ROWS);
    for (size_t row = 0; row < csv.row_count; row++) {
        if (strcmp(csv_file_field(&csv, row, "status"), "failed") != 0) {
            assert_row_is_known(&csv, row, known_row(&csv, row));
            continue;
        }
        failed++;
        assert_string_equal(csv_file_field(&csv, row, "rank"), "3");
        assert_non_null(strstr(csv_file_field(&csv, row, "reason"), "rank 3 on "));
    }
    assert_int_equal(failed, VARIANTS);
    csv_file_free(&csv);
}

/* The number of samples of a row of results. */
static size_t samples_of(const struct csv_file *samples, const struct csv_file *results, size_t row)
{
    static const char *const columns[] = {"rank", "variant", "subgroup_size", "workgroup_size"};
    size_t count = 0;

    for (size_t i = 0; i < samples->row_count; i++) {
        bool same = true;

        for (size_t c = 0; c < sizeof(columns) / sizeof(columns[0]); c++)
            same = same && !strcmp(csv_file_field(samples, i, columns[c]),
                                   csv_file_field(results, row, columns[c]));
        count += same;
    }
    return count;
}

/* Every row that was measured has as many samples, each once. */
static void assert_samples(const struct csv_file *results, const char *path)
{
    struct csv_file samples;
    size_t each = 0;

    assert_int_equal(csv_file_load(&samples, path), 0);
    for (size_t row = 0; row < results->row_count; row++) {
        if (strcmp(csv_file_field(results, row, "status"), "ok") != 0)
            continue;
        each = each ? each : samples_of(&samples, results, row);
        assert_true(each > 0);
        assert_int_equal(samples_of(&samples, results, row), each);
    }
    csv_file_free(&samples);
}

/* With --each, what only that rank could measure is missing until it is back. */
static void test_each_goes_on_after_a_loss(void **state)
{
    struct command lossy = {.count = 0}, again = {.count = 0};
    struct csv_file csv;
    unsigned failed = 0;

    (void)state;
    remove(each_samples);
    add_one_that_dies(&lossy, "mpi-each.csv", true);
    assert_int_equal(run(&lossy, "mpi-each-lost.out"), 1);
    assert_true(process_file_says("mpi-each-lost.out", "--resume measures the rest"));
    add_four(&again, "mpi-each.csv");
    add_each(&again);
    add(&again, "--resume");
    assert_int_equal(run(&again, "mpi-each.out"), 0);
    assert_int_equal(csv_file_load(&csv, "mpi-each.csv"), 0);
    assert_int_equal(csv.row_count, RANKS * ROWS);
    for (size_t row = 0; row < csv.row_count; row++) {
        if (strcmp(csv_file_field(&csv, row, "status"), "failed") == 0)
            failed++;
        else
            assert_row_is_known(&csv, row, known_row(&csv, row));
    }
    assert_int_equal(failed, VARIANTS);
    assert_samples(&csv, each_samples);
    csv_file_free(&csv);
}

/* One of four is slower: it is named, and no other. */
static void test_a_slow_gpu_is_found(void **state)
{
    struct command command = {.count = 0};
    char *argv[] = {getenv("VEBENCH"), "fleet", "--format", "csv", "mpi-slow.csv", NULL};
    struct csv_file csv;

    (void)state;
    remove("mpi-slow.csv");
    add_ranks(&command, "2", device, NULL, NULL);
    add_loud_sweep(&command, "mpi-slow.csv");
    add(&command, "--mpi");
    add(&command, "--each");
    add_ranks(&command, "1", device, "slow-device", NULL);
    add_loud_sweep(&command, "mpi-slow.csv");
    add(&command, "--mpi");
    add(&command, "--each");
    add_ranks(&command, "1", device, NULL, NULL);
    add_loud_sweep(&command, "mpi-slow.csv");
    add(&command, "--mpi");
    add(&command, "--each");
    assert_int_equal(run(&command, "mpi-slow.out"), 0);
    assert_true(process_file_says("mpi-slow.out", "4 GPUs compared, 1 slower than the others"));
    assert_true(process_file_says("mpi-slow.out", "  rank 2 on "));
    assert_int_equal(process_run(argv, NULL, "mpi-fleet.csv", "mpi-fleet.err"), 3);
    assert_int_equal(csv_file_load(&csv, "mpi-fleet.csv"), 0);
    assert_int_equal(csv.row_count, ROWS); /* all of its figures */
    for (size_t row = 0; row < csv.row_count; row++) {
        assert_string_equal(csv_file_field(&csv, row, "rank"), "2");
        assert_true(fabs(strtod(csv_file_field(&csv, row, "change"), NULL) - 19.0) < 1.0);
    }
    csv_file_free(&csv);
    argv[2] = "mpi-dealt.csv"; /* in which nothing was measured twice */
    argv[3] = NULL;
    assert_int_equal(process_run(argv, NULL, "mpi-fleet.out", "mpi-fleet.out"), 1);
    assert_true(process_file_says("mpi-fleet.out", "there are no peers to compare"));
}

/* Two machines, as far as MPICH can tell; one with another library. All rows are in the files of
 * the manifest, after a second run with nothing to do but each file's last configuration, too. */
static void test_a_folder_gets_a_file_from_each_machine(void **state)
{
    static const char *const settings[] = {"MPIR_CVAR_ODD_EVEN_CLIQUES=1", NULL};
    char *clear[] = {"/bin/rm", "-rf", "mpi-all", NULL};

    (void)state;
    process_run(clear, NULL, "/dev/null", "/dev/null");
    for (int resumes = 0; resumes < 2; resumes++) {
        struct command command = {.count = 0};
        struct csv_file manifest;
        unsigned long rows = 0;

        add_ranks(&command, "4", device, NULL, settings);
        add_sweep(&command, "mpi-all/");
        add(&command, "--mpi");
        add(&command, "--each");
        if (resumes)
            add(&command, "--resume");
        assert_int_equal(run(&command, "mpi-all.out"), 0);
        assert_int_equal(csv_file_load(&manifest, "mpi-all/manifest.csv"), 0);
        for (size_t file = 0; file < manifest.row_count; file++) {
            char path[NAME_CHARS];
            struct csv_file csv;

            snprintf(path, sizeof(path), "mpi-all/%s", csv_file_field(&manifest, file, "file"));
            assert_int_equal(csv_file_load(&csv, path), 0);
            for (size_t row = 0; row < csv.row_count; row++)
                assert_row_is_known(&csv, row, known_row(&csv, row));
            assert_int_equal(csv.row_count,
                             strtoul(csv_file_field(&manifest, file, "rows"), NULL, 10));
            rows += csv.row_count;
            csv_file_free(&csv);
        }
        assert_int_equal(rows, RANKS * ROWS);
        csv_file_free(&manifest);
    }
}

static void test_unlike_devices_do_not_share(void **state)
{
    struct command command = {.count = 0};

    (void)state;
    remove("mpi-unlike.csv");
    add_ranks(&command, "1", device, NULL, NULL);
    add_sweep(&command, "mpi-unlike.csv");
    add(&command, "--mpi");
    add_ranks(&command, "1", "iris-xe", NULL, NULL);
    add_sweep(&command, "mpi-unlike.csv");
    add(&command, "--mpi");
    assert_int_equal(run(&command, "mpi-unlike.out"), 2);
    assert_true(process_file_says("mpi-unlike.out", "with --each every one measures all of it"));
}

static void test_other_words_are_refused(void **state)
{
    struct command command = {.count = 0};

    (void)state;
    remove("mpi-words.csv");
    add_ranks(&command, "1", device, NULL, NULL);
    add_sweep(&command, "mpi-words.csv");
    add(&command, "--mpi");
    add_ranks(&command, "1", device, NULL, NULL);
    add_sweep(&command, "mpi-others.csv");
    add(&command, "--mpi");
    assert_int_equal(run(&command, "mpi-words.out"), 2);
    assert_true(process_file_says("mpi-words.out", "was started with other words than rank 0"));
}

static void test_nonsense_from_the_environment(void **state)
{
    static const char *const nonsense[] = {
        "VEBENCH_RANKS=", "VEBENCH_RANKS=1", "VEBENCH_RANKS=2 2 0 1 0 3",
        "VEBENCH_RANKS=0 2 0 1 0 999", "VEBENCH_RANKS=0 1 0 1 0 x"};

    (void)state;
    for (size_t i = 0; i < sizeof(nonsense) / sizeof(*nonsense); i++) {
        const char *const environment[] = {nonsense[i], NULL};
        char *argv[] = {getenv("VEBENCH"), "run", "--mpi", NULL};

        assert_int_equal(process_run(argv, environment, "/dev/null", "mpi-nonsense.out"), 1);
        assert_true(process_file_says("mpi-nonsense.out", "makes no sense"));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks_share_a_sweep),
        cmocka_unit_test(test_ranks_share_a_kernel),
        cmocka_unit_test(test_each_measures_a_kernel),
        cmocka_unit_test(test_a_shared_sweep_goes_on),
        cmocka_unit_test(test_a_lost_rank_costs_one_configuration),
        cmocka_unit_test(test_each_goes_on_after_a_loss),
        cmocka_unit_test(test_a_slow_gpu_is_found),
        cmocka_unit_test(test_a_folder_gets_a_file_from_each_machine),
        cmocka_unit_test(test_unlike_devices_do_not_share),
        cmocka_unit_test(test_other_words_are_refused),
        cmocka_unit_test(test_nonsense_from_the_environment),
    };
    const char *mpiexec = getenv("MPIEXEC");

    if (argc != 2)
        return 2;
    if (!mpiexec || !*mpiexec) {
        puts("skipped: vebench-mpi is not built, for which libmpich-dev and mpich are missing");
        return 77;
    }
    device = argv[1];
    return cmocka_run_group_tests(tests, measure_alone, forget);
}
