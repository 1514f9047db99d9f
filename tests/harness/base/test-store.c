/*
 * What results are kept in: a file of entries that has each whole or not at all, and the lock of a
 * file that one process writes. What a file must hold is written out by hand; other processes are
 * real ones.
 */
#include "test.h"

#include "base/entry-file.h"
#include "base/file-lock.h"
#include "process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH "store-entries.csv"
#define LOCK PATH ".lock"

static struct text line(const char *text)
{
    return (struct text){text, strlen(text)};
}

static void assert_content(const char *expected)
{
    char *text = process_read_file(PATH);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void create_three(struct entry_file *file)
{
    struct error error;

    assert_int_equal(entry_file_create(file, PATH, true, line("header\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_add(file, line("one\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_add(file, line("two\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_add(file, line("three\n"), &error), STATUS_OK);
    assert_content("header\none\ntwo\nthree\n");
}

static void test_changes(void **state)
{
    struct entry_file file;
    struct error error;

    (void)state;
    create_three(&file);
    assert_int_equal(entry_file_change(&file, 0, line("first, and longer\n"), false, &error), 0);
    assert_content("header\none\ntwo\nthree\n"); /* not before all changes are known */
    assert_int_equal(entry_file_commit(&file, &error), STATUS_OK);
    assert_content("header\nfirst, and longer\ntwo\nthree\n");
    /* Entries have moved, more follow, and one may keep what it has. */
    assert_int_equal(entry_file_change(&file, 0, line("1\n"), true, &error), 0);
    assert_int_equal(entry_file_change(&file, 2, line("3\n"), false, &error), 0);
    assert_int_equal(entry_file_commit(&file, &error), STATUS_OK);
    assert_int_equal(entry_file_add(&file, line("four\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_change(&file, 1, line("2\n"), true, &error), 0);
    assert_int_equal(entry_file_change(&file, 3, line("4\n"), false, &error), 0);
    assert_int_equal(entry_file_commit(&file, &error), STATUS_OK);
    assert_content("header\nfirst, and longer\n1\ntwo\n2\n3\n4\n");
    assert_int_equal(entry_file_close(&file, &error), STATUS_OK);
}

/* What cannot be written leaves the file as it was, and no other behind. */
static void test_a_change_that_fails(void **state)
{
    struct rlimit before, limit;
    struct entry_file file;
    struct error error;
    char left[64];

    (void)state;
    create_three(&file);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = strlen("header\none\ntwo\nthree\n") + 2;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    /* Two bytes of it would fit. */
    enum status added = entry_file_add(&file, line("four\n"), &error);
    assert_int_equal(entry_file_change(&file, 0, line("longer\n"), false, &error), STATUS_OK);
    enum status committed = entry_file_commit(&file, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(added, STATUS_FAILED);
    assert_int_equal(committed, STATUS_FAILED);
    assert_string_equal(error.text, "cannot write to " PATH ": File too large");
    assert_content("header\none\ntwo\nthree\n");
    snprintf(left, sizeof(left), PATH ".%ld.0", (long)getpid());
    assert_int_equal(access(left, F_OK), -1);
    /* The change is forgotten, and there is room again. */
    assert_int_equal(entry_file_add(&file, line("four\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_commit(&file, &error), STATUS_OK);
    assert_content("header\none\ntwo\nthree\nfour\n");
    unlink(PATH); /* somebody has moved it away */
    assert_int_equal(entry_file_change(&file, 0, line("1\n"), false, &error), STATUS_OK);
    assert_int_equal(entry_file_commit(&file, &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, PATH));
    assert_int_equal(entry_file_close(&file, &error), STATUS_OK);
}

/* An entry goes out by one write: a socket that keeps messages apart tells how many there were. */
static void test_one_write_for_an_entry(void **state)
{
    enum { LONG = 20000 };
    char *text = malloc(LONG), *received = malloc(2 * LONG);
    int pair[2];
    struct error error;

    (void)state;
    assert_non_null(text);
    assert_non_null(received);
    memset(text, 'x', LONG);
    for (size_t i = 99; i < LONG; i += 100)
        text[i] = '\n';
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    struct entry_file file = {.name = "a socket", .descriptor = pair[0]};
    assert_int_equal(entry_file_add(&file, (struct text){text, LONG}, &error), STATUS_OK);
    assert_int_equal(entry_file_add(&file, (struct text){text, 100}, &error), STATUS_OK);
    assert_int_equal(read(pair[1], received, 2 * LONG), LONG);
    assert_int_equal(read(pair[1], received, 2 * LONG), 100);
    assert_int_equal(entry_file_close(&file, &error), STATUS_OK);
    close(pair[0]);
    close(pair[1]);
    free(text);
    free(received);
}

static void test_existing_files(void **state)
{
    static const char link_name[] = "store-link.csv";
    struct entry_file file;
    struct error error;
    struct stat status;

    (void)state;
    create_three(&file);
    assert_int_equal(entry_file_close(&file, &error), STATUS_OK);
    assert_int_equal(entry_file_create(&file, PATH, false, line("other\n"), &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, PATH " exists already"));
    assert_int_equal(entry_file_create(&file, "no-such-folder/x", false, line("x\n"), &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "no-such-folder/x"));
    assert_content("header\none\ntwo\nthree\n");
    /* One that is gone on with: from byte 11 on is an entry, what follows byte 15 is cut off. A
     * link stays one. */
    unlink(link_name);
    assert_int_equal(symlink(PATH, link_name), 0);
    assert_int_equal(entry_file_continue(&file, link_name, 11, 15, &error), STATUS_OK);
    assert_content("header\none\ntwo\n");
    assert_int_equal(entry_file_change(&file, 0, line("2\n"), false, &error), STATUS_OK);
    assert_int_equal(entry_file_add(&file, line("3\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_commit(&file, &error), STATUS_OK);
    assert_content("header\none\n2\n3\n");
    assert_int_equal(entry_file_close(&file, &error), STATUS_OK);
    assert_int_equal(lstat(link_name, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
}

static void test_a_stream(void **state)
{
    FILE *stream = fopen(PATH, "w");
    struct entry_file file;
    struct error error;

    (void)state;
    assert_non_null(stream);
    assert_int_equal(entry_file_attach(&file, stream, "a pipe", line("header\n"), &error), 0);
    entry_file_hold(&file);
    assert_int_equal(entry_file_add(&file, line("one\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_add(&file, line("two\n"), &error), STATUS_OK);
    assert_int_equal(entry_file_change(&file, 0, line("1\n"), false, &error), STATUS_OK);
    assert_int_equal(entry_file_commit(&file, &error), STATUS_OK);
    assert_content("header\n");
    assert_int_equal(entry_file_release(&file, &error), STATUS_OK);
    assert_content("header\n1\ntwo\n");
    assert_int_equal(entry_file_add(&file, line("three\n"), &error), STATUS_OK);
    assert_content("header\n1\ntwo\nthree\n");
    assert_int_equal(entry_file_close(&file, &error), STATUS_OK);
    fclose(stream);
    stream = fopen("/dev/full", "w");
    if (!stream)
        skip();
    assert_int_equal(entry_file_attach(&file, stream, "a pipe", line("header\n"), &error),
                     STATUS_FAILED);
    assert_string_equal(error.text, "cannot write to a pipe: No space left on device");
    fclose(stream);
}

/* A process that has the lock, and perhaps a child of its own, until it is killed. */
static pid_t hold(bool with_child)
{
    char byte = 0;
    int ready[2];

    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct file_lock lock;
        struct error error;

        if (file_lock_take(&lock, PATH, "on HOST since TIME: a\ncommand", &error) != STATUS_OK)
            _exit(1);
        if (with_child && fork() == 0) {
            sleep(5);
            _exit(0);
        }
        if (write(ready[1], &byte, 1) == 1)
            pause();
        _exit(0);
    }
    close(ready[1]);
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void test_a_lock(void **state)
{
    struct file_lock lock;
    struct error error;
    char expected[200];

    (void)state;
    unlink(LOCK);
    pid_t holder = hold(true);
    assert_int_equal(file_lock_take(&lock, PATH, "", &error), STATUS_FAILED);
    snprintf(expected, sizeof(expected),
             PATH " is being written by process %ld on HOST since TIME: a; wait for it to end or "
                  "stop it, or name another file",
             (long)holder);
    assert_string_equal(error.text, expected);
    file_lock_release(&lock); /* nothing was taken, nothing is given back */
    assert_int_equal(access(LOCK, F_OK), 0);
    /* It ends with the process: its file remains, and so does a child. */
    end(holder);
    assert_int_equal(access(LOCK, F_OK), 0);
    assert_int_equal(file_lock_take(&lock, PATH, "on ME", &error), STATUS_OK);
    assert_true(lock.is_held);
    char *text = process_read_file(LOCK);
    snprintf(expected, sizeof(expected), "written by process %ld on ME\n", (long)getpid());
    assert_string_equal(text, expected);
    free(text);
    file_lock_release(&lock);
    assert_int_equal(access(LOCK, F_OK), -1);
}

/* What the file says may be of a holder before: the kernel knows better. */
static void test_a_lock_that_says_nothing(void **state)
{
    static const char *const texts[] = {"", "written by process 1 on HOST since TIME: another\n"};
    struct file_lock lock;
    struct error error;
    char expected[100];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        unlink(LOCK);
        pid_t holder = hold(false);
        FILE *file = fopen(LOCK, "w");

        assert_non_null(file);
        fputs(texts[i], file);
        fclose(file);
        assert_int_equal(file_lock_take(&lock, PATH, "", &error), STATUS_FAILED);
        snprintf(expected, sizeof(expected), "by process %ld;", (long)holder);
        assert_non_null(strstr(error.text, expected));
        end(holder);
    }
}

/* Somebody's own file of that name stays as it is. */
static void test_no_lock_at_all(void **state)
{
    struct file_lock lock;
    struct error error;
    FILE *file = fopen(LOCK, "w");

    (void)state;
    assert_non_null(file);
    fputs("my notes\n", file);
    fclose(file);
    assert_int_equal(file_lock_take(&lock, PATH, "", &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "is no lock of this program"));
    char *text = process_read_file(LOCK);
    assert_string_equal(text, "my notes\n");
    free(text);
    unlink(LOCK);
    assert_int_equal(symlink("elsewhere", LOCK), 0);
    assert_int_equal(file_lock_take(&lock, PATH, "", &error), STATUS_FAILED);
    assert_int_equal(access("elsewhere", F_OK), -1);
    unlink(LOCK);
    assert_int_equal(mkdir(LOCK, 0777), 0);
    assert_int_equal(file_lock_take(&lock, PATH, "", &error), STATUS_FAILED);
    assert_int_equal(rmdir(LOCK), 0);
    assert_int_equal(file_lock_take(&lock, "no-such-folder/x.csv", "", &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "name a file in a folder that exists"));
}

/* Two names of one file. */
static void test_a_lock_through_a_link(void **state)
{
    static const char link_name[] = "store-lock-link.csv";
    FILE *file = fopen(PATH, "w");
    struct file_lock lock;
    struct error error;

    (void)state;
    assert_non_null(file);
    fclose(file);
    unlink(LOCK);
    unlink(link_name);
    assert_int_equal(symlink(PATH, link_name), 0);
    pid_t holder = hold(false);
    assert_int_equal(file_lock_take(&lock, link_name, "", &error), STATUS_FAILED);
    end(holder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_a_change_that_fails),
        cmocka_unit_test(test_one_write_for_an_entry),
        cmocka_unit_test(test_existing_files),
        cmocka_unit_test(test_a_stream),
        cmocka_unit_test(test_a_lock),
        cmocka_unit_test(test_a_lock_that_says_nothing),
        cmocka_unit_test(test_no_lock_at_all),
        cmocka_unit_test(test_a_lock_through_a_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
