/*
 * The audit of the barrier kernels' machine code for Xe2, which Intel's offline tool compiles but
 * does not disassemble: the emulator's library does. Skipped where the compiler does not know Xe2.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vesim/code.h>
#include <vesim/vesim.h>

#include <cmocka.h>

#include "barrier-audit.h"
#include "compile.h"
#include "spirv-modules.h"

enum { PATH_CHARS = 256, TEXT_CHARS = 512, BINARY_BYTES_MAX = 1 << 20 };

static const struct target {
    struct barrier_target barrier; /* its name as ocloc compile wants it */
    const char *device;
} targets[] = {
    {{"bmg", 2, 1, 32, "(W) sync.bar 0x0", false}, "b580"},
    {{"lnl", 2, 1, 32, "(W) sync.bar 0x0", false}, "lunar-lake"},
};

struct binary {
    const char *directory;
    struct vesim_device device;
    unsigned char bytes[BINARY_BYTES_MAX];
    size_t size;
};

/* A label before each instruction, as branches name their targets. */
static void write_listing(const struct vesim_code *code, const char *path)
{
    FILE *out = fopen(path, "w");

    assert_non_null(out);
    for (size_t i = 0; i < vesim_code_count(code); i++) {
        char text[TEXT_CHARS];

        vesim_code_text(code, i, text, sizeof(text));
        fprintf(out, "L%u:\n%s\n", vesim_code_instruction(code, i)->offset, text);
    }
    assert_int_equal(fclose(out), 0);
}

static void load_decoded(struct listing *listing, void *context, const char *name)
{
    const struct binary *binary = context;
    char path[PATH_CHARS], error[256];
    struct vesim_kernel *kernel;
    struct vesim_code *code;

    if (vesim_kernel_load(&kernel, binary->bytes, binary->size, name, error, sizeof(error)))
        fail_msg("%s", error);
    const struct vesim_kernel_properties *properties = vesim_kernel_properties(kernel);
    if (vesim_code_read(&code, &binary->device, properties->code, properties->code_bytes, error,
                        sizeof(error)))
        fail_msg("%s", error);
    snprintf(path, sizeof(path), "%s/%s.asm", binary->directory, name);
    write_listing(code, path);
    vesim_code_free(code);
    vesim_kernel_free(kernel);
    assert_int_equal(listing_load(listing, path), 0);
    assert_true(listing->count > 0);
}

static void read_binary(struct binary *binary)
{
    char path[PATH_CHARS];

    snprintf(path, sizeof(path), "%s/module.bin", binary->directory);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    binary->size = fread(binary->bytes, 1, sizeof(binary->bytes), in);
    assert_true(binary->size < sizeof(binary->bytes));
    fclose(in);
}

static void check_module(const struct spirv_module *module, const struct target *target)
{
    static struct binary binary;
    char directory[PATH_CHARS], error[256];

    snprintf(directory, sizeof(directory), "machine-code-%s-%u", target->barrier.name,
             module->subgroup_size);
    binary.directory = directory;
    if (vesim_device_load(&binary.device, target->device, error, sizeof(error)))
        fail_msg("%s", error);
    assert_int_equal(compile_binary(module, target->barrier.name, directory), 0);
    read_binary(&binary);
    barrier_audit(&target->barrier, module->subgroup_size, load_decoded, &binary);
}

static const struct spirv_module *barriers_of(unsigned subgroup_size)
{
    for (size_t i = 0; i < spirv_module_count; i++)
        if (strcmp(spirv_modules[i].family, "barrier") == 0 &&
            spirv_modules[i].subgroup_size == subgroup_size)
            return &spirv_modules[i];
    return NULL;
}

static void check_subgroup_size(unsigned subgroup_size)
{
    const struct spirv_module *module = barriers_of(subgroup_size);

    assert_non_null(module);
    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
        check_module(module, &targets[i]);
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
        cmocka_unit_test(test_subgroup_size_16),
        cmocka_unit_test(test_subgroup_size_32),
    };
    const struct spirv_module *module = barriers_of(16);

    if (module && compile_binary(module, targets[0].barrier.name, "machine-code-known")) {
        puts("the compiler here does not know Xe2");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
