/*
 * A run that ended at any instant goes on to the same rows: none lost, none twice.
 *
 * Argument: the emulated device.
 */
#define _GNU_SOURCE /* unshare */
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "csv-file.h"
#include "process.h"
#include "sweep.h"

enum { NAME_CHARS = 128, MS = 1000000 };

static const char *const small_sweep[] = {
    "run",       "barrier",
    "--axis",    "subgroup_size=16",
    "--axis",    "workgroup_size=16,32,64",
    "--axis",    "workgroup_count=1",
    "--variant", "work_group_none",
    "--jobs",    "1",
    "--verbose", "--resume",
};

enum { VARIANTS = 2, ROWS = 3 * VARIANTS };

static const char whole_rows[] = "resume-whole.csv", whole_samples[] = "resume-whole-samples.csv";
static struct csv_file rows_of_whole, samples_of_whole;

static int start_run(const char *output, const char *samples)
{
    enum { BEFORE = 9 };
    const char *folder_end = strrchr(output, '/');
    char err[NAME_CHARS];
    char *argv[BEFORE + sizeof(small_sweep) / sizeof(*small_sweep) + 1] = {
        getenv("VESIM"), "--device", (char *)sweep_device, "--", getenv("VEBENCH")};
    size_t count = 5;

    for (size_t i = 0; i < sizeof(small_sweep) / sizeof(*small_sweep); i++)
        argv[count++] = (char *)small_sweep[i];
    argv[count++] = "--output";
    argv[count++] = (char *)output;
    argv[count++] = "--samples";
    argv[count++] = (char *)samples;
    assert_true(count < sizeof(argv) / sizeof(*argv));
    snprintf(err, sizeof(err), "%s.err", folder_end ? folder_end + 1 : output);
    return process_start(argv, NULL, "/dev/null", err);
}

static void write_part(const char *path, const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* The rows of one run, as `whole` has them. */
static void assert_complete(const char *path, const struct csv_file *whole)
{
    struct csv_file csv;

    assert_int_equal(csv_file_load(&csv, path), 0);
    assert_int_equal(csv.row_count, whole->row_count);
    csv_file_assert_same_rows(&csv, whole, whole->row_count);
    for (size_t row = 1; row < csv.row_count; row++)
        assert_string_equal(csv_file_field(&csv, row, "run_id"), csv_file_field(&csv, 0, "run_id"));
    csv_file_free(&csv);
}

/* The byte behind so many line ends. */
static size_t behind_lines(const char *text, size_t lines)
{
    const char *at = text;

    while (lines-- > 0)
        at = strchr(at, '\n') + 1;
    return (size_t)(at - text);
}

static int measure_whole(void **state)
{
    (void)state;
    remove(whole_rows);
    remove(whole_samples);
    assert_int_equal(process_wait(start_run(whole_rows, whole_samples)), 0);
    assert_int_equal(csv_file_load(&rows_of_whole, whole_rows), 0);
    assert_int_equal(csv_file_load(&samples_of_whole, whole_samples), 0);
    assert_int_equal(rows_of_whole.row_count, ROWS);
    return 0;
}

static int free_whole(void **state)
{
    (void)state;
    csv_file_free(&rows_of_whole);
    csv_file_free(&samples_of_whole);
    return 0;
}

static void test_cut_anywhere(void **state)
{
    static const char rows[] = "resume-cut.csv", samples[] = "resume-cut-samples.csv";
    char *text = process_read_file(whole_rows), *samples_text = process_read_file(whole_samples);
    const size_t cuts[] = {
        100,                                  /* in the header */
        behind_lines(text, 1),                /* after it */
        behind_lines(text, 2) + 200,          /* in a row */
        behind_lines(text, 1 + VARIANTS),     /* after a configuration */
        behind_lines(text, 2 + VARIANTS) - 1, /* in a row's end */
        strlen(text),                         /* nothing is missing */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cuts) / sizeof(*cuts); i++) {
        write_part(rows, text, cuts[i]);
        /* All samples but the last half row: more than the rows need, as after a sudden end. */
        write_part(samples, samples_text, strlen(samples_text) - 20);
        assert_int_equal(process_wait(start_run(rows, samples)), 0);
        assert_complete(rows, &rows_of_whole);
        assert_complete(samples, &samples_of_whole);
    }
    free(text);
    free(samples_text);
}

/* Whole lines of a file, 0 if there is none; the text up to the end of the last in `*text`, which
 * the caller frees. What follows the last line end can only be a row whose writing was cut short.
 */
static size_t read_lines(const char *path, char **text)
{
    size_t lines = 0;

    *text = access(path, F_OK) == 0 ? process_read_file(path) : NULL;
    if (!*text)
        return 0;
    char *end = *text;
    for (char *at = *text; (at = strchr(at, '\n')); end = ++at)
        lines++;
    *end = '\0';
    return lines;
}

/* Configurations that a run has said to be done: its messages have a line for each. */
static size_t count_reported(const char *path)
{
    static const char done[] = " 2 ok";
    char *text = process_read_file(path);
    size_t count = 0;

    assert_non_null(text);
    for (const char *at = text; (at = strstr(at, done)); at++)
        count++;
    free(text);
    return count;
}

/* Without time to say anything, again and again, at random moments: no row that is there is lost,
 * and what was said to be done is there. */
static void test_killed(void **state)
{
    static const char rows[] = "resume-killed.csv", samples[] = "resume-killed-samples.csv";
    unsigned long random = 20261124, bound_us = 100000;
    unsigned kills = 0;
    size_t before = 0, most_done = 0;
    int status;

    (void)state;
    remove(rows);
    remove(samples);
    do {
        char *text;

        random = random * 6364136223846793005ul + 1442695040888963407ul;
        unsigned long delay_us = (random >> 33) % bound_us;
        struct timespec delay = {(time_t)(delay_us / 1000000),
                                 (long)(delay_us % 1000000) * (MS / 1000)};
        int pid = start_run(rows, samples);
        assert_true(pid > 0);
        nanosleep(&delay, NULL);
        kill(pid, SIGKILL);
        status = process_wait(pid);
        assert_true(status == 0 || status == 128 + SIGKILL);
        kills += status != 0;
        size_t lines = read_lines(rows, &text);
        free(text);
        size_t done = VARIANTS * count_reported("resume-killed.csv.err");
        assert_true(lines >= before);
        /* The last configuration is measured again. */
        assert_true(done == 0 || lines + VARIANTS >= before + done);
        assert_true(done == 0 || lines >= 1 + done);
        most_done = done > most_done ? done : most_done;
        before = lines;
        bound_us += bound_us / 2;
    } while (status != 0);
    assert_true(kills > 0);
    assert_true(most_done > 0); /* the messages are what they are taken for */
    assert_complete(rows, &rows_of_whole);
    assert_complete(samples, &samples_of_whole);
}

static bool is_running(int pid)
{
    siginfo_t info = {.si_pid = 0};

    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

static void pause_shortly(void)
{
    const struct timespec pause = {0, MS / 5};

    nanosleep(&pause, NULL);
}

/* Whoever reads a file while it is written sees all of its header or no file, and what was there
 * once is there from then on. */
static void test_readers(void **state)
{
    static const char rows[] = "resume-read.csv", samples[] = "resume-read-samples.csv";
    static const char *const paths[] = {rows, samples};
    char *before[2] = {NULL, NULL};
    unsigned grown = 0;

    (void)state;
    remove(rows);
    remove(samples);
    int pid = start_run(rows, samples);
    assert_true(pid > 0);
    for (size_t i = 0; is_running(pid); i++) {
        char **last = &before[i % 2], *text;

        pause_shortly();
        if (read_lines(paths[i % 2], &text) == 0) {
            assert_null(text);
            assert_null(*last);
            continue;
        }
        size_t bytes = *last ? strlen(*last) : 0;
        assert_true(strlen(text) >= bytes);
        if (*last)
            assert_memory_equal(text, *last, bytes);
        grown += strlen(text) > bytes;
        free(*last);
        *last = text;
    }
    assert_int_equal(process_wait(pid), 0);
    print_message("seen to grow %u times\n", grown);
    assert_complete(rows, &rows_of_whole);
    free(before[0]);
    free(before[1]);
}

/* A second run on a file that is being written is refused, by whatever name it has the file, and
 * says who writes; the first loses nothing. */
static void test_second_run(void **state)
{
    static const char rows[] = "resume-two/two.csv", samples[] = "resume-two/samples.csv";
    static const char same[] = "resume-two-link/two.csv", others[] = "resume-two-others.csv";
    static const char *const words[] = {
        "resume-two-link/two.csv is being written by process ",
        " on ",
        " since 20",
        "--resume --output resume-two/two.csv",
        "wait for it to end or stop it, or name another file",
    };

    (void)state;
    remove(rows);
    remove(samples);
    remove("resume-two-link");
    mkdir("resume-two", 0777);
    assert_int_equal(symlink("resume-two", "resume-two-link"), 0);
    int first = start_run(rows, samples);
    assert_true(first > 0);
    while (access(rows, F_OK) != 0 && is_running(first))
        pause_shortly();
    assert_int_equal(kill(first, SIGSTOP), 0);
    char *rows_before = process_read_file(rows);
    assert_int_equal(process_wait(start_run(same, others)), 1);
    char *rows_after = process_read_file(rows);
    assert_string_equal(rows_before, rows_after);
    assert_int_equal(process_wait(start_run(others, samples)), 1); /* the samples of the first */
    assert_int_equal(access(others, F_OK), -1);
    assert_int_equal(kill(first, SIGCONT), 0);
    assert_int_equal(process_wait(first), 0);
    char *said = process_read_file("two.csv.err");
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
        if (!strstr(said, words[i]))
            fail_msg("\"%s\" does not say \"%s\"", said, words[i]);
    }
    assert_complete(rows, &rows_of_whole);
    assert_complete(samples, &samples_of_whole);
    assert_int_equal(access("resume-two/two.csv.lock", F_OK), -1);
    free(rows_before);
    free(rows_after);
    free(said);
}

/* Two that start at once: one at least has the file, and all rows are there once. */
static void test_two_at_once(void **state)
{
    static const char rows[] = "resume-at-once.csv", samples[] = "resume-at-once-samples.csv";

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        remove(rows);
        remove(samples);
        int one = start_run(rows, samples), other = start_run(rows, samples);
        int one_status = process_wait(one), other_status = process_wait(other);

        assert_true(one_status == 0 || other_status == 0);
        assert_true((one_status | other_status) <= 1);
        assert_complete(rows, &rows_of_whole);
        assert_complete(samples, &samples_of_whole);
    }
}

/* Files that may not grow beyond so many bytes, as on a disk that is full then: an error, and what
 * there is stays. */
static void run_with_room(rlim_t bytes, const char *rows, const char *samples, const char *words)
{
    struct rlimit before;
    char err[NAME_CHARS];

    remove(rows);
    remove(samples);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    struct rlimit limit = before;
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    int pid = start_run(rows, samples);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(process_wait(pid), 1);
    snprintf(err, sizeof(err), "%s.err", rows);
    char *said = process_read_file(err);
    if (!strstr(said, "cannot write to resume-full") || !strstr(said, "File too large") ||
        !strstr(said, words))
        fail_msg("with room for %lu bytes: \"%s\"", (unsigned long)bytes, said);
    free(said);
}

static void test_no_room(void **state)
{
    static const char rows[] = "resume-full.csv", samples[] = "resume-full-samples.csv";
    static const struct {
        rlim_t bytes;
        const char *words;
    } cases[] = {
        {700, ""}, /* in the header */
        {2500, "; what is measured is kept: run again with --resume --output resume-full.csv"},
        {3800, "; what is measured is kept: run again with --resume --output resume-full.csv"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        run_with_room(cases[i].bytes, rows, samples, cases[i].words);
        assert_int_equal(process_wait(start_run(rows, samples)), 0);
        assert_complete(rows, &rows_of_whole);
        assert_complete(samples, &samples_of_whole);
    }
}

static bool write_word(const char *path, const char *word)
{
    int file = open(path, O_WRONLY);
    bool written = file >= 0 && write(file, word, strlen(word)) == (ssize_t)strlen(word);

    if (file >= 0)
        close(file);
    return written;
}

/* Gives this process mounts of its own. False where it may not have any. */
static bool unshare_mounts(void)
{
    char map[NAME_CHARS];

    snprintf(map, sizeof(map), "0 %u 1", (unsigned)getuid());
    if (unshare(CLONE_NEWNS) != 0 &&
        (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 || !write_word("/proc/self/uid_map", map)))
        return false;
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* A file system that is full once two locks and two beginnings are on it: an error that says so,
 * what there is stays, and once there is room the run goes on. */
static void test_full_file_system(void **state)
{
    static const char folder[] = "resume-disk", rows[] = "resume-disk/rows.csv",
                      samples[] = "resume-disk/samples.csv";

    (void)state;
    mkdir(folder, 0777);
    if (!unshare_mounts() || mount("tmpfs", folder, "tmpfs", 0, "size=16k") != 0)
        skip(); /* no mounts of its own for a process here */
    assert_int_equal(process_wait(start_run(rows, samples)), 1);
    char *said = process_read_file("rows.csv.err");
    if (!strstr(said, "cannot write to resume-disk/") || !strstr(said, "No space left on device") ||
        !strstr(said, "; what is measured is kept: run again with --resume --output "
                      "resume-disk/rows.csv"))
        fail_msg("\"%s\"", said);
    free(said);
    assert_int_equal(mount("tmpfs", folder, "tmpfs", MS_REMOUNT, "size=1m"), 0);
    assert_int_equal(process_wait(start_run(rows, samples)), 0);
    assert_complete(rows, &rows_of_whole);
    assert_complete(samples, &samples_of_whole);
    assert_int_equal(umount(folder), 0);
}

/* Rows of another sweep are not touched, and the file stays as it is. */
static void test_other_runs_are_refused(void **state)
{
    static const char rows[] = "resume-other.csv";
    char *argv[] = {
        getenv("VESIM"),
        "--device",
        (char *)sweep_device,
        "--",
        getenv("VEBENCH"),
        "run",
        "barrier",
        "--axis",
        "subgroup_size=8",
        "--axis",
        "workgroup_size=64",
        "--resume",
        "--output",
        (char *)rows,
        NULL,
    };
    char *before = process_read_file(whole_rows);

    (void)state;
    assert_non_null(before);
    write_part(rows, before, strlen(before));
    assert_int_equal(process_run(argv, NULL, "/dev/null", "resume-other.err"), 1);
    char *after = process_read_file(rows);
    assert_string_equal(before, after);
    char *said = process_read_file("resume-other.err");
    assert_non_null(strstr(said, "not in the plan of this run"));
    free(before);
    free(after);
    free(said);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_readers),
        cmocka_unit_test(test_second_run),
        cmocka_unit_test(test_two_at_once),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_other_runs_are_refused),
        cmocka_unit_test(test_full_file_system), /* the last: what comes later has its mounts */
    };

    if (argc != 2)
        return 2;
    sweep_device = argv[1];
    return cmocka_run_group_tests(tests, measure_whole, free_whole);
}
