/* What a module says of its kernels, and the size of sub-groups that is put into it: modules
 * written word by word after the SPIR-V specification (1.6, sections 2.3 and 3). */
#include "test.h"

#include "spirv/spirv-kernel.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 400

struct module {
    uint32_t words[WORDS_MAX];
    size_t count;
};

/* An instruction: its code, operands, and after them a string unless it is NULL. */
static void put(struct module *module, uint32_t code, const char *text, size_t count,
                const uint32_t *operands)
{
    size_t first = module->count++;

    for (size_t i = 0; i < count; i++)
        module->words[module->count++] = operands[i];
    if (text) {
        memcpy(module->words + module->count, text, strlen(text) + 1);
        module->count += strlen(text) / 4 + 1;
    }
    module->words[first] = (uint32_t)(module->count - first) << 16 | code;
}

#define OPERANDS(...)                                                                              \
    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[])                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Ids: 1 "many", 2 "few", 3 void, 4 its function type; 10 and up: types; 30 and up: parameters. */
enum { CAPABILITY = 17, NAME = 5, STRING = 7, ENTRY = 15, MODE = 16, DECORATE = 71 };
enum { VOID = 19, INT = 21, FLOAT, VECTOR, IMAGE = 25, STRUCT = 30, POINTER = 32 };
enum { FUNCTION = 54, PARAMETER, END };

static void put_types(struct module *m)
{
    put(m, VOID, NULL, OPERANDS(3));
    put(m, INT, NULL, OPERANDS(10, 32, 0));
    put(m, INT, NULL, OPERANDS(11, 16, 0));
    put(m, FLOAT, NULL, OPERANDS(12, 64));
    put(m, VECTOR, NULL, OPERANDS(13, 12, 4));
    put(m, STRUCT, NULL, OPERANDS(14, 10, 12));
    put(m, POINTER, NULL, OPERANDS(15, 5, 13));                /* global, to vectors of double */
    put(m, POINTER, NULL, OPERANDS(16, 0, 11));                /* constant, to 16 bits */
    put(m, POINTER, NULL, OPERANDS(17, 4, 10));                /* local */
    put(m, POINTER, NULL, OPERANDS(18, 7, 14));                /* a structure by value */
    put(m, POINTER, NULL, OPERANDS(19, 12, 10));               /* of another storage class */
    put(m, IMAGE, NULL, OPERANDS(20, 3, 1, 0, 0, 0, 0, 0, 0)); /* 2-D, only read */
    put(m, IMAGE, NULL, OPERANDS(21, 3, 2, 0, 0, 0, 0, 0, 1)); /* 3-D, only written */
    put(m, IMAGE, NULL, OPERANDS(22, 3, 1, 0, 1, 0, 0, 0, 0)); /* an array of images */
    put(m, IMAGE, NULL, OPERANDS(23, 3, 3, 0, 0, 0, 0, 0, 0)); /* a cube */
}

static const struct {
    uint32_t type;
    const char *name;
    enum spirv_argument_kind kind;
    unsigned bytes;
    bool is_float, is_const;
    unsigned dimensions;
} arguments[] = {
    {15, "in", SPIRV_BUFFER, 8, true, true, 0}, /* by decoration */
    {15, "out", SPIRV_BUFFER, 8, true, false, 0},
    {16, "table", SPIRV_BUFFER, 2, false, true, 0},
    {15, "said", SPIRV_BUFFER, 8, true, true, 0}, /* by the source's qualifier */
    {17, "part", SPIRV_LOCAL, 4, false, false, 0},
    {18, "limits", SPIRV_VALUE, 0, false, false, 0},
    {19, "other", SPIRV_OTHER, 4, false, false, 0},
    {10, "n", SPIRV_NUMBER, 4, false, false, 0},
    {12, "scale", SPIRV_NUMBER, 8, true, false, 0},
    {13, "four", SPIRV_VALUE, 0, false, false, 0},
    {20, "picture", SPIRV_IMAGE, 0, false, true, 2},
    {21, "volume", SPIRV_IMAGE, 0, false, false, 3},
    {22, "pictures", SPIRV_OTHER, 0, false, false, 0},
    {23, "cube", SPIRV_OTHER, 0, false, false, 0},
};

enum { COUNT = sizeof(arguments) / sizeof(arguments[0]) };

static struct module make(uint32_t version, bool has_capability, unsigned size)
{
    struct module m = {{0x07230203, version, 0, 100, 0}, 5};
    static const char qualifiers[] = "kernel_arg_type_qual.many.,,,const,,,,,,,,,,,";

    put(&m, CAPABILITY, NULL, OPERANDS(6)); /* Kernel */
    if (has_capability)
        put(&m, CAPABILITY, NULL, OPERANDS(58));
    put(&m, ENTRY, "many", OPERANDS(6, 1));
    put(&m, ENTRY, "few", OPERANDS(6, 2));
    put(&m, MODE, NULL, OPERANDS(2, 35, 32));
    if (size)
        put(&m, MODE, NULL, OPERANDS(1, 35, size));
    put(&m, MODE, NULL, OPERANDS(1, 17, 64, 1, 1)); /* LocalSize */
    put(&m, STRING, qualifiers, OPERANDS(60));
    for (uint32_t i = 0; i < COUNT; i++)
        put(&m, NAME, arguments[i].name, OPERANDS(30 + i));
    put(&m, DECORATE, NULL, OPERANDS(30, 38, 6)); /* NoWrite */
    put(&m, DECORATE, NULL, OPERANDS(31, 38, 5)); /* NoCapture */
    put_types(&m);
    put(&m, FUNCTION, NULL, OPERANDS(3, 1, 0, 4));
    for (uint32_t i = 0; i < COUNT; i++)
        put(&m, PARAMETER, NULL, OPERANDS(arguments[i].type, 30 + i));
    put(&m, END, NULL, 0, NULL);
    put(&m, FUNCTION, NULL, OPERANDS(3, 2, 0, 4));
    put(&m, PARAMETER, NULL, OPERANDS(10, 70));
    put(&m, END, NULL, 0, NULL);
    return m;
}

static void test_arguments(void **state)
{
    const struct module m = make(0x10100, true, 16);
    struct spirv_kernel kernel;
    struct error error;

    (void)state;
    assert_int_equal(spirv_kernel_read(&kernel, m.words, m.count * 4, "many", &error), STATUS_OK);
    assert_string_equal(kernel.name, "many");
    assert_int_equal(kernel.subgroup_size, 16);
    assert_int_equal(kernel.argument_count, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        const struct spirv_argument *a = &kernel.argument[i];

        if (strcmp(a->name, arguments[i].name) != 0 || a->kind != arguments[i].kind ||
            a->bytes != arguments[i].bytes || a->is_float != arguments[i].is_float ||
            a->is_const != arguments[i].is_const || a->dimensions != arguments[i].dimensions)
            fail_msg("%s is read as %s: kind %d, %u bytes, float %d, const %d, %u dimensions",
                     arguments[i].name, a->name, a->kind, a->bytes, a->is_float, a->is_const,
                     a->dimensions);
    }
    assert_int_equal(spirv_kernel_read(&kernel, m.words, m.count * 4, "few", &error), STATUS_OK);
    assert_int_equal(kernel.subgroup_size, 32);
    assert_int_equal(kernel.argument_count, 1);
    assert_string_equal(kernel.argument[0].name, "");
}

static void test_no_such_kernel(void **state)
{
    const struct module m = make(0x10100, true, 16), none = {{0x07230203, 0x10100, 0, 1, 0}, 5};
    struct spirv_kernel kernel;
    struct error error;

    (void)state;
    assert_int_equal(spirv_kernel_read(&kernel, m.words, m.count * 4, "man", &error), STATUS_USAGE);
    assert_string_equal(error.text,
                        "--kernel man: the module has no such kernel; it has many, few");
    assert_int_equal(spirv_kernel_read(&kernel, m.words, m.count * 4, NULL, &error), STATUS_USAGE);
    assert_string_equal(error.text,
                        "--kernel says which kernel is meant; the module has many, few");
    assert_int_equal(spirv_kernel_read(&kernel, none.words, 20, NULL, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "none at all"));
    assert_null(spirv_kernel_resized(m.words, m.count * 4, "absent", 8, &(size_t){0}));
}

/* How often the module's words are that instruction. */
static size_t count_of(const uint32_t *words, size_t count, const uint32_t *wanted, size_t length)
{
    size_t found = 0;

    for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16)
        found += words[at] >> 16 == length && !memcmp(words + at, wanted, length * 4);
    return found;
}

/* The size is there once, the other kernel keeps its own, and so does everything else; version and
 * capability are what the mode needs. */
static void assert_resized(const struct module *m, size_t more, bool has_mode)
{
    static const uint32_t capability[] = {2u << 16 | 17, 58};
    static const uint32_t mode[] = {4u << 16 | 16, 1, 35, 8}, other[] = {4u << 16 | 16, 2, 35, 32};
    static const uint32_t before[] = {4u << 16 | 16, 1, 35, 16};
    struct spirv_kernel kernel;
    struct error error;
    size_t bytes;
    uint32_t *words = spirv_kernel_resized(m->words, m->count * 4, "many", 8, &bytes);

    assert_non_null(words);
    assert_int_equal(bytes, (m->count + more) * 4);
    assert_int_equal(words[1], m->words[1] < 0x10100 ? 0x10100 : m->words[1]);
    assert_int_equal(count_of(words, bytes / 4, capability, 2), 1);
    assert_int_equal(count_of(words, bytes / 4, mode, 4), 1);
    assert_int_equal(count_of(words, bytes / 4, other, 4), 1);
    assert_int_equal(count_of(words, bytes / 4, before, 4), 0);
    assert_int_equal(count_of(m->words, m->count, before, 4), has_mode);
    assert_int_equal(spirv_kernel_read(&kernel, words, bytes, "many", &error), STATUS_OK);
    assert_int_equal(kernel.subgroup_size, 8);
    assert_int_equal(kernel.argument_count, COUNT);
    /* From the names on, nothing has moved but as a whole. */
    size_t tail = m->count - 60;
    assert_memory_equal(words + bytes / 4 - tail, m->words + m->count - tail, tail * 4);
    /* Modes stand behind all entry points: the specification's order of a module. */
    bool is_mode_seen = false;
    for (size_t at = 5; at < bytes / 4; at += words[at] >> 16) {
        is_mode_seen |= (words[at] & 0xffff) == MODE;
        assert_false(is_mode_seen && (words[at] & 0xffff) == ENTRY);
    }
    free(words);
}

static void test_resized(void **state)
{
    const struct module replaced = make(0x10200, true, 16), added = make(0x10000, false, 0);

    (void)state;
    assert_resized(&replaced, 0, true);
    assert_resized(&added, 2 + 4, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_no_such_kernel),
        cmocka_unit_test(test_resized),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
