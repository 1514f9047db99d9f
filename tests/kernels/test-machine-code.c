/*
 * The audit of the barrier kernels' machine code, of what Intel's disassembler prints. Each module
 * is compiled for three targets: DG2-G11, the LSC messages of an A380; DG2's first stepping, which
 * uses the older data cache messages; Tiger Lake.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "barrier-audit.h"
#include "compile.h"
#include "spirv-modules.h"

enum { PATH_CHARS = 256 };

struct target {
    struct barrier_target barrier;  /* its name as ocloc compile wants it */
    const char *disassembly_device; /* as ocloc disasm wants it */
};

/* The first stepping of DG2 has a fence for typed memory (tgm) beside that for untyped (ugm). */
static const struct target targets[] = {
    {{"acm-g11", 2, 1, 16, "(W) sync.bar null", true}, "dg2"},
    {{"dg2", 2, 2, 16, "(W) sync.bar null", true}, "dg2"},
    {{"tgllp", 1, 1, 16, "(W) sync.bar null", true}, "tgllp"},
};

enum { TARGET_COUNT = sizeof(targets) / sizeof(targets[0]) };

static void load_printed(struct listing *listing, void *context, const char *name)
{
    const char *directory = context;
    char path[2 * PATH_CHARS];
    int length = snprintf(path, sizeof(path), "%s/listings/%s_KernelHeap.asm", directory, name);

    assert_true(length > 0 && (size_t)length < sizeof(path));
    if (listing_load(listing, path) != 0)
        fail_msg("no listing of %s: ocloc disassembles only with libigc-dev installed", name);
    assert_true(listing->count > 0);
}

static void check_module(const struct spirv_module *module, const struct target *target)
{
    char directory[PATH_CHARS];

    assert_int_equal(module->entry_point_count, BARRIER_VARIANTS);
    snprintf(directory, sizeof(directory), "machine-code-%s-%u", target->barrier.name,
             module->subgroup_size);
    assert_int_equal(
        compile_listings(module, target->barrier.name, target->disassembly_device, directory), 0);
    barrier_audit(&target->barrier, module->subgroup_size, load_printed, directory);
}

static void check_subgroup_size(unsigned subgroup_size)
{
    size_t found = 0;

    for (size_t i = 0; i < spirv_module_count; i++) {
        if (strcmp(spirv_modules[i].family, "barrier") != 0 ||
            spirv_modules[i].subgroup_size != subgroup_size)
            continue;
        found++;
        for (size_t t = 0; t < TARGET_COUNT; t++)
            check_module(&spirv_modules[i], &targets[t]);
    }
    assert_int_equal(found, 1);
}

static void test_subgroup_size_8(void **state)
{
    (void)state;
    check_subgroup_size(8);
}

static void test_subgroup_size_16(void **state)
{
    (void)state;
    check_subgroup_size(16);
}

static void test_subgroup_size_32(void **state)
{
    (void)state;
    check_subgroup_size(32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subgroup_size_8),
        cmocka_unit_test(test_subgroup_size_16),
        cmocka_unit_test(test_subgroup_size_32),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
