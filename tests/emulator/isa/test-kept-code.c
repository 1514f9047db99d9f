/* Compiled code that is kept in files: another program of the same instructions takes it from
 * there; files that are damaged, or that others could have written, are replaced. test-xe-kept-code
 * [DEVICE] */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "isa/compile/compile.h"
#include "isa/compile/kept-folder.h"
#include "machine.h"
#include "test.h"

static struct machine machine; /* assembles */
static char folder[PATH_MAX] = "/tmp/kept-code.XXXXXX", path[2 * PATH_MAX];

/* Of the last two lines, one is executed by the interpreter's function, and the other takes a
 * constant of the process. */
static struct program *decode(unsigned add)
{
    char text[1024];

    snprintf(text, sizeof(text),
             "(W) add (8|M0) r20.0<1>:d r22.0<8;8,1>:d %u:w\n"
             "(W) mad (8|M0) r24.0<1>:f r26.0<8;1>:f r28.0<8;1>:f r30.0<1>:f\n"
             "(W) fbh (8|M0) r32.0<1>:d r20.0<8;8,1>:d\n"
             "(W) math.inv (8|M0) r34.0<1>:f r24.0<8;8,1>:f\n",
             add);
    machine_assemble(&machine, text);
    struct program *program = machine_decode(&machine, VESIM_LANES_BEST);

    assert_non_null(program);
    return program;
}

/* Compiles the program, or takes its code from the folder, and compares with the interpreter. */
static void run(unsigned add, const char *from)
{
    static struct thread compared, interpreted;
    struct program *program = decode(add);
    struct compiled *compiled = compiled_create(program, COMPILE_PLAIN, COMPILE_AT_ONCE, NULL);
    uint64_t executed = 0;

    assert_non_null(compiled);
    compiled_keep(compiled, from);
    memset(&compared, 0, sizeof(compared));
    compared.program = program;
    compared.active = compared.dispatched = 0xff;
    for (uint32_t at = 0; at < ARF_NULL; at += 4)
        thread_write32(&compared, at, at * 2654435761u);
    thread_write32(&compared, ARF_CR, 0x4c0); /* denormals are kept */
    interpreted = compared;
    const struct block *block = compiled_find(compiled, &compared, 0, 0, UINT64_MAX);
    assert_non_null(block);
    assert_true(block->run(&compared, &executed, UINT64_MAX) >= 0);
    assert_true(executed >= 4);
    for (uint32_t i = 0; i < executed; i++)
        assert_int_equal(program->insts[i].execute(&interpreted, &program->insts[i]), 0);
    assert_memory_equal(compared.registers, interpreted.registers, sizeof(compared.registers));
    compiled_destroy(compiled);
    program_free(program);
}

/* The number of files in the folder; `path` becomes that of one. */
static unsigned count_files(void)
{
    DIR *listed = opendir(folder);
    unsigned files = 0;

    assert_non_null(listed);
    for (struct dirent *entry; (entry = readdir(listed));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        files++;
    }
    closedir(listed);
    return files;
}

static struct stat status_of_file(void)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status;
}

static void empty_folder(void)
{
    while (count_files())
        assert_int_equal(unlink(path), 0);
}

/* A file that is written has another inode than the one it replaces. */
static bool replaces(void)
{
    ino_t before = status_of_file().st_ino;

    run(1, folder);
    assert_int_equal(count_files(), 1);
    return status_of_file().st_ino != before;
}

static void test_keeps(void **state)
{
    (void)state;
    empty_folder();
    run(1, folder);
    assert_int_equal(count_files(), 1);
    assert_false(replaces());
    run(2, folder);
    assert_int_equal(count_files(), 2);
    run(2, NULL);
    assert_int_equal(count_files(), 2);
}

static void flip(long at)
{
    FILE *file = fopen(path, "r+b");

    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    assert_int_not_equal(byte, EOF);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

static void write_file(const char *name, size_t bytes, time_t used)
{
    const struct timespec times[2] = {{.tv_sec = used}, {.tv_sec = used}};

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)bytes), 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static bool is_there(const char *name)
{
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* What was used last stays, and so do files of others. */
static void test_trimmed(void **state)
{
    (void)state;
    empty_folder();
    write_file("0000000000000001", 1000, 300);
    write_file("0000000000000002", 1000, 100);
    write_file("0000000000000003.abcdef", 1000, 50);
    write_file("0000000000000004", 1000, 200);
    write_file("notes", 1000, 10);
    kept_folder_trim(folder, 4000);
    assert_int_equal(count_files(), 5);
    kept_folder_trim(folder, 3000);
    assert_true(is_there("0000000000000001") && is_there("0000000000000004"));
    assert_false(is_there("0000000000000002") || is_there("0000000000000003.abcdef"));
    assert_true(is_there("notes"));
    empty_folder();
}

/* Reading a file uses it. */
static void test_used(void **state)
{
    const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};

    (void)state;
    empty_folder();
    run(1, folder);
    assert_int_equal(count_files(), 1);
    assert_int_equal(utimensat(AT_FDCWD, path, long_ago, 0), 0);
    run(1, folder);
    assert_true(status_of_file().st_mtim.tv_sec > 1);
}

static void test_folders_made(void **state)
{
    char above[PATH_MAX + 8], below[PATH_MAX + 16];

    (void)state;
    empty_folder();
    snprintf(above, sizeof(above), "%s/a", folder);
    snprintf(below, sizeof(below), "%s/b", above);
    run(1, below);
    snprintf(path, sizeof(path), "%s", below);
    assert_int_equal(status_of_file().st_mode & 0777, S_IRWXU);
    kept_folder_trim(below, 0);
    assert_int_equal(rmdir(below), 0);
    assert_int_equal(rmdir(above), 0);
}

/* One wrong byte, anywhere, and missing ones. */
static void test_damaged(void **state)
{
    (void)state;
    empty_folder();
    run(1, folder);
    assert_int_equal(count_files(), 1);
    long bytes = (long)status_of_file().st_size;
    for (long i = 0; i < 40; i++) {
        flip(i * (bytes - 1) / 39);
        assert_true(replaces());
        assert_int_equal(status_of_file().st_size, bytes);
        assert_false(replaces());
    }
    for (long left = bytes - 1; left > 0; left /= 3) {
        assert_int_equal(truncate(path, left), 0);
        assert_true(replaces());
    }
    assert_int_equal(truncate(path, bytes + 1), 0);
    assert_true(replaces());
    assert_int_equal(truncate(path, 0), 0);
    assert_true(replaces());
}

/* Code of others is not executed. */
static void test_foreign(void **state)
{
    static const mode_t modes[] = {S_IRUSR | S_IWUSR | S_IWGRP, S_IRUSR | S_IWUSR | S_IWOTH};

    (void)state;
    empty_folder();
    run(1, folder);
    assert_int_equal(count_files(), 1);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(chmod(path, modes[i]), 0);
        assert_true(replaces());
        assert_int_equal(status_of_file().st_mode & (S_IWGRP | S_IWOTH), 0);
    }
    char elsewhere[2 * PATH_MAX];
    snprintf(elsewhere, sizeof(elsewhere), "%s/.moved", folder);
    assert_int_equal(rename(path, elsewhere), 0);
    assert_int_equal(symlink(elsewhere, path), 0);
    run(1, folder);
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISREG(status.st_mode));
    assert_int_equal(unlink(elsewhere), 0);
}

/* The code is used, and kept nowhere. */
static void test_no_folder(void **state)
{
    (void)state;
    run(1, "/proc/no-such-folder");
    run(1, "/dev/null");
    char outer[PATH_MAX];
    memcpy(outer, folder, sizeof(outer));
    strcat(folder, "/.inner");
    run(1, folder); /* which is made */
    assert_int_equal(count_files(), 1);
    empty_folder();
    assert_int_equal(rmdir(folder), 0);
    memcpy(folder, outer, sizeof(outer));
}

int main(int argc, char **argv)
{
    if (!mkdtemp(folder))
        return 1;
    machine_create(&machine, argc > 1 ? argv[1] : "a380");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps),        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_foreign),      cmocka_unit_test(test_no_folder),
        cmocka_unit_test(test_folders_made), cmocka_unit_test(test_used),
        cmocka_unit_test(test_trimmed)};
    int status = cmocka_run_group_tests_name("compiled code in files", tests, NULL, NULL);
    machine_destroy(&machine);
    empty_folder();
    return rmdir(folder) || status;
}
