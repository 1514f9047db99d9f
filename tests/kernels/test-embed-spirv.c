/* The table of embedded modules, and what embed-spirv refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "process.h"
#include "spirv-modules.h"

#define LOG "embed-spirv.log"

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");

    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* Runs embed-spirv on one module and returns its status, its messages in LOG. */
static int embed(const char *family, const char *size, const char *path)
{
    char *const argv[] = {
        getenv("EMBED_SPIRV"), "--output", "embed-spirv-out.c", (char *)family, (char *)size,
        (char *)path,          NULL};

    assert_non_null(argv[0]);
    return process_run(argv, NULL, LOG, LOG);
}

static void assert_refused(const char *size, const char *path, const char *reason)
{
    assert_int_equal(embed("barrier", size, path), 1);
    char *log = process_read_file(LOG);
    assert_non_null(log);
    if (!strstr(log, reason) || !strstr(log, path))
        fail_msg("\"%s\" names neither %s nor \"%s\"", log, path, reason);
    free(log);
}

static void test_table(void **state)
{
    (void)state;
    assert_true(spirv_module_count >= 3);
    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *module = &spirv_modules[i];
        uint32_t magic;

        assert_int_equal((uintptr_t)module->bytes % sizeof(uint32_t), 0);
        assert_int_equal(module->size_bytes % sizeof(uint32_t), 0);
        memcpy(&magic, module->bytes, sizeof(magic));
        assert_int_equal(magic, 0x07230203);
        assert_int_equal(module->version_major, 1);
        assert_int_equal(module->bytes[1 * 4 + 1], module->version_minor);
        assert_int_equal(strlen(module->sha256), 64);
        assert_true(module->entry_point_count > 0);
        for (size_t e = 0; e < module->entry_point_count; e++)
            assert_memory_equal(module->entry_points[e], module->family, strlen(module->family));
    }
}

static void test_accepts_its_own(void **state)
{
    (void)state;
    write_file("embed-good.spv", spirv_modules[0].bytes, spirv_modules[0].size_bytes);
    assert_int_equal(embed("barrier", "8", "embed-good.spv"), 0);
    char *source = process_read_file("embed-spirv-out.c");
    assert_non_null(source);
    assert_non_null(strstr(source, spirv_modules[0].sha256));
    free(source);
}

static void test_refuses_broken_modules(void **state)
{
    (void)state;
    unsigned char garbage[256];
    for (size_t i = 0; i < sizeof(garbage); i++)
        garbage[i] = (unsigned char)(i * 37 + 11);
    write_file("embed-good.spv", spirv_modules[0].bytes, spirv_modules[0].size_bytes);
    write_file("embed-cut.spv", spirv_modules[0].bytes, spirv_modules[0].size_bytes / 8 * 4);
    write_file("embed-odd.spv", spirv_modules[0].bytes, spirv_modules[0].size_bytes - 1);
    write_file("embed-garbage.spv", garbage, sizeof(garbage));
    write_file("embed-empty.spv", garbage, 0);

    assert_refused("16", "embed-good.spv", "sub-group size");
    assert_refused("12", "embed-good.spv", "power of two");
    assert_refused("8", "embed-cut.spv", "not valid SPIR-V");
    assert_refused("8", "embed-odd.spv", "cannot be a SPIR-V module");
    assert_refused("8", "embed-garbage.spv", "not valid SPIR-V");
    assert_refused("8", "embed-empty.spv", "cannot be a SPIR-V module");
    assert_refused("8", "embed-absent.spv", "No such file");
}

/* Writes the module of subgroup_map for sub-groups of 8 with an entry point under another name of
 * the same length. */
static void write_renamed(const char *path, const char *name, const char *other)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        const struct spirv_module *module = &spirv_modules[i];
        unsigned char *at;

        if (strcmp(module->family, "subgroup_map") != 0 || module->subgroup_size != 8)
            continue;
        unsigned char *bytes = malloc(module->size_bytes);
        assert_non_null(bytes);
        memcpy(bytes, module->bytes, module->size_bytes);
        for (at = bytes; memcmp(at, name, strlen(name)) != 0; at += 4)
            assert_true(at + strlen(name) < bytes + module->size_bytes);
        memcpy(at, other, strlen(other));
        write_file(path, bytes, module->size_bytes);
        free(bytes);
        return;
    }
    fail_msg("no module");
}

/* A kernel may leave its size open only if its name says so. */
static void test_open_sizes_are_stated(void **state)
{
    (void)state;
    write_renamed("embed-open.spv", "subgroup_map_any_size", "subgroup_map_any_sort");
    assert_refused("8", "embed-open.spv", "requires sub-group size 0 instead of 8");
    write_renamed("embed-closed.spv", "subgroup_map_required", "subgroup_mat_any_size");
    assert_refused("8", "embed-closed.spv", "requires sub-group size 8 instead of 0");
}

static void test_usage(void **state)
{
    (void)state;
    char *const argv[] = {getenv("EMBED_SPIRV"), NULL};
    assert_non_null(argv[0]);
    assert_int_equal(process_run(argv, NULL, LOG, LOG), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_accepts_its_own),
        cmocka_unit_test(test_refuses_broken_modules),
        cmocka_unit_test(test_open_sizes_are_stated),
        cmocka_unit_test(test_usage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
