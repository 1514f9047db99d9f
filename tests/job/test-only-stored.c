/* Which memory a kernel only stores to: only-stored.cl says it in its kernels' names. */
#include "job/source.h"
#include "spirv/spirv-stores.h"
#include "spirv/spirv-words.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

static const char *source;

/* The ending of the name has a letter for each pointer that is no const, and those come first. */
static void check(const void *module, size_t size, const char *name)
{
    const char *ending = strrchr(name, '_') + 1;
    uint64_t stored = spirv_only_stored(module, size, name);

    for (size_t i = 0; ending[i]; i++)
        if ((stored >> i & 1) != (ending[i] == 's'))
            fail_msg("%s: argument %zu is taken to be %s", name, i,
                     stored >> i & 1 ? "only stored to" : "loaded, too");
}

static void test_all(void **state)
{
    struct spirv_words words;
    struct spirv_instruction i;
    struct error error;
    void *module;
    size_t size, count = 0;

    (void)state;
    assert_int_equal(source_compile(source, NULL, 0, 16, &module, &size, &error), STATUS_OK);
    words = (struct spirv_words){module, size / sizeof(uint32_t)};
    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(&words, &at, &i);) {
        if (i.code != OP_ENTRY_POINT)
            continue;
        check(module, size, spirv_text(&i, 2));
        count++;
    }
    assert_int_equal(count, 14);
    assert_int_equal(spirv_only_stored(module, size, "absent"), 0);
    free(module);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};

    if (argc != 2)
        return 2;
    source = argv[1];
    return cmocka_run_group_tests_name("only-stored", tests, NULL, NULL);
}
