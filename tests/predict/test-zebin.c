/* Device binaries: the compiler's are read, and invalid ones are refused. */
#include "test.h"

#include "image/launch-image.h"
#include "image/zebin-info.h"
#include "image/zebin.h"
#include "predict/compiler.h"
#include "spirv/spirv-file.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char a380[] = "0x56a5", iris_xe[] = "tgllp";

static const char *module_path;

static void compile(const char *device, struct compiled *compiled)
{
    struct spirv_file file;
    struct error error;

    if (spirv_file_load(&file, module_path, NULL, &error) != STATUS_OK ||
        compiler_compile(file.bytes, file.module.size_bytes, device, NULL, compiled, &error) !=
            STATUS_OK)
        fail_msg("%s", error.text);
    spirv_file_free(&file);
}

static const struct payload *payload_of(const struct zebin_kernel *kernel, uint32_t argument,
                                        enum payload_kind kind)
{
    for (size_t i = 0; i < kernel->payload_count; i++) {
        if (kernel->payload[i].kind == kind && kernel->payload[i].argument == argument)
            return &kernel->payload[i];
    }
    return NULL;
}

/* n_body(bodies, out, count, step, local tile). */
static void test_kernel(void **state)
{
    const char *const devices[] = {a380, iris_xe};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct zebin_kernel kernel;
        struct compiled compiled;
        char error[512];

        compile(devices[i], &compiled);
        assert_int_equal(
            zebin_find(compiled.bytes, compiled.size, "n_body", &kernel, error, sizeof(error)), 0);
        assert_int_equal(kernel.simd_width, 16);
        assert_int_equal(kernel.barriers, 1);
        assert_int_equal(kernel.argument_count, 5);
        assert_true(kernel.code_bytes > 256);
        assert_true(kernel.has_local_ids);
        assert_int_equal(kernel.per_thread_bytes, 96);
        assert_int_equal(kernel.inline_bytes, devices[i] == a380 ? 32 : 0);
        assert_int_equal(kernel.cross_thread_bytes % 32, 0);
        assert_non_null(payload_of(&kernel, 0, PAYLOAD_POINTER));
        assert_non_null(payload_of(&kernel, 2, PAYLOAD_VALUE));
        assert_int_equal(payload_of(&kernel, 3, PAYLOAD_VALUE)->size, 4);
        assert_non_null(payload_of(&kernel, 4, PAYLOAD_LOCAL));
        compiled_free(&compiled);
    }
}

static void test_no_such_kernel(void **state)
{
    struct zebin_kernel kernel;
    struct compiled compiled;
    char error[512];

    (void)state;
    compile(a380, &compiled);
    assert_int_equal(
        zebin_find(compiled.bytes, compiled.size, "nobody", &kernel, error, sizeof(error)), -1);
    assert_non_null(strstr(error, "no kernel nobody"));
    assert_non_null(strstr(error, "n_body"));
    compiled_free(&compiled);
}

/* Wherever a binary is cut off or one of its bytes changed: an error or a kernel, and no access out
 * of bounds (which the build with sanitizers would see). */
static void test_broken(void **state)
{
    struct compiled compiled;
    char error[512];
    unsigned found = 0;

    (void)state;
    compile(a380, &compiled);
    for (size_t cut = 0; cut < 64; cut++) {
        size_t bytes = compiled.size * cut / 64;
        uint8_t *part = malloc(bytes + 1);
        struct zebin_kernel kernel;

        memcpy(part, compiled.bytes, bytes);
        assert_int_equal(zebin_find(part, bytes, "n_body", &kernel, error, sizeof(error)), -1);
        free(part);
    }
    for (size_t i = 0; i < 2048; i++) {
        size_t at = i < 64 ? i : compiled.size - 1 - (i - 64);
        uint8_t before = compiled.bytes[at];
        struct zebin_kernel kernel;

        compiled.bytes[at] = (uint8_t)(before ^ (1u << i % 8));
        found +=
            zebin_find(compiled.bytes, compiled.size, "n_body", &kernel, error, sizeof(error)) == 0;
        compiled.bytes[at] = before;
    }
    assert_true(found > 0);
    compiled_free(&compiled);
}

static void expect_info(const char *text, const char *message)
{
    struct zebin_kernel kernel = {0};
    char error[512];

    assert_int_equal(zebin_read_info(text, strlen(text), "k", &kernel, error, sizeof(error)), -1);
    if (!strstr(error, message))
        fail_msg("\"%s\" lacks \"%s\"", error, message);
}

static void test_bad_info(void **state)
{
    (void)state;
    expect_info("", "no kernel k");
    expect_info("kernels: [", "line 2 of");
    expect_info("kernels: 5", "no kernel k");
    expect_info("kernels:\n  - name: k\n", "a kernel of 0 lanes");
    expect_info("kernels:\n  - name: k\n    execution_env: {simd_size: 16}\n"
                "    payload_arguments:\n      - {arg_type: arg_byvalue, offset: 4000000, "
                "size: 4, arg_index: 0}\n",
                "more arguments");
    expect_info("kernels:\n  - name: k\n    execution_env: {simd_size: 16}\n"
                "    binding_table_indices:\n      - {bti_value: 77, arg_index: 0}\n",
                "more surfaces");
}

/* An argument that current compilers access through its own surface state. */
static void test_bindless(void **state)
{
    static const char text[] =
        "kernels:\n  - name: k\n    execution_env: {simd_size: 16, grf_count: 128}\n"
        "    payload_arguments:\n      - {arg_type: arg_bypointer, offset: 0, size: 4, "
        "arg_index: 0, addrmode: bindless, addrspace: global}\n";
    static const char *const devices[] = {"a380", "iris-xe"};
    static const uint8_t code[16];
    static uint8_t memory[64];
    const struct vesim_argument argument = {.value = UINT64_C(0x500000000)};
    const struct vesim_launch launch = {{16, 1, 1}, {16, 1, 1}, &argument, 1};
    const struct mapping mapping = {
        .address = argument.value, .size = sizeof(memory), .host = memory};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct zebin_kernel kernel = {.code = code, .code_bytes = sizeof(code)};
        struct address_space space = {0};
        struct launch_image image;
        struct vesim_device device;
        char error[512];

        assert_int_equal(zebin_read_info(text, strlen(text), "k", &kernel, error, sizeof(error)),
                         0);
        assert_int_equal(kernel.payload[0].kind, PAYLOAD_SURFACE);
        assert_int_equal(vesim_device_load(&device, devices[i], error, sizeof(error)), 0);
        assert_int_equal(address_space_add(&space, &mapping), 0);
        assert_int_equal(
            launch_image_make(&image, &device, &kernel, &launch, &space, error, sizeof(error)), 0);
        const uint32_t *data = address_space_host(&image.space, image.walker.indirect_address, 4);
        assert_non_null(data);
        const uint32_t *surface = address_space_host(
            &image.space, image.walker.bindless_surface_base + (i == 0 ? *data : *data >> 6), 64);
        assert_non_null(surface);
        assert_int_equal(surface[0] >> 29, 4);
        assert_int_equal(surface[2], 63);
        assert_int_equal(surface[8], 0);
        assert_int_equal(surface[9], 5);
        launch_image_free(&image);
        address_space_release(&space);
    }
}

static void test_refused_module(void **state)
{
    static const uint32_t no_module[] = {0x07230203, 0x00010000, 0, 1, 0, 0xffffffff};
    struct compiled compiled;
    struct error error;

    (void)state;
    assert_int_equal(compiler_compile(no_module, sizeof(no_module), a380, NULL, &compiled, &error),
                     STATUS_FAILED);
    assert_int_equal(
        compiler_compile(no_module, sizeof(no_module), "0xabcd", NULL, &compiled, &error),
        STATUS_FAILED);
    assert_null(compiled.bytes);
}

/* The only file in a folder; its path is for the caller to free. */
static char *only_file(const char *folder)
{
    struct dirent **entries;
    char *path = malloc(PATH_MAX);
    int count = scandir(folder, &entries, NULL, alphasort); /* begins with . and .. */

    assert_int_equal(count, 3);
    assert_non_null(path);
    snprintf(path, PATH_MAX, "%s/%s", folder, entries[2]->d_name);
    while (count-- > 0)
        free(entries[count]);
    free(entries);
    return path;
}

/* What is kept is taken, for the device that it was made for. */
static void test_kept(void **state)
{
    char folder[] = "kept-XXXXXX";
    struct compiled first, again, other;

    (void)state;
    assert_non_null(mkdtemp(folder));
    setenv("VEBENCH_COMPILED", folder, 1);
    compile(a380, &first);
    char *path = only_file(folder);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fputc(first.bytes[0] ^ 1, file);
    assert_int_equal(fclose(file), 0);
    compile(a380, &again);
    assert_int_equal(again.size, first.size);
    assert_int_equal(again.bytes[0], first.bytes[0] ^ 1);
    assert_memory_equal(again.bytes + 1, first.bytes + 1, first.size - 1);
    assert_int_equal(unlink(path), 0);
    free(path);
    compile(iris_xe, &other);
    path = only_file(folder);
    assert_true(other.size != first.size || memcmp(other.bytes, first.bytes, first.size) != 0);
    unsetenv("VEBENCH_COMPILED");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    free(path);
    compiled_free(&first);
    compiled_free(&again);
    compiled_free(&other);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),           cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_no_such_kernel), cmocka_unit_test(test_broken),
        cmocka_unit_test(test_bad_info),       cmocka_unit_test(test_refused_module),
        cmocka_unit_test(test_bindless),
    };

    if (argc < 2)
        return 1;
    module_path = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
