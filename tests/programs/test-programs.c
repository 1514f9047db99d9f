/* Ordinary OpenCL C kernels on a Level Zero device, every output compared with the host's.
 *     test-programs FOLDER SUB_GROUP_SIZE BUILD_FLAGS [GROUP|GROUP:TEST …]
 * FOLDER holds the compiled kernels; size 0 leaves the sub-group size to the compiler. */
#include "programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TESTS_MAX = 256 };

static void run(void **state)
{
    const struct program_test *test = *state;

    test->run();
}

static int release(void **state)
{
    (void)state;
    runtime_release();
    return 0;
}

/* An argument is a group or GROUP:TEST. */
static bool chosen(const char *group, const char *name, int argc, char **argv)
{
    size_t length = strlen(group);
    bool all = argc <= 4;

    for (int i = 4; i < argc; i++)
        all |= strcmp(argv[i], group) == 0 ||
               (strncmp(argv[i], group, length) == 0 && argv[i][length] == ':' &&
                strcmp(argv[i] + length + 1, name) == 0);
    return all;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        const struct program_test *tests;
    } groups[] = {
#define X(name) {#name, name##_tests},
        PROGRAM_GROUPS(X)
#undef X
    };
    static struct CMUnitTest tests[TESTS_MAX];
    static char names[TESTS_MAX][64];
    size_t count = 0;

    if (argc < 4) {
        fprintf(stderr,
                "usage: test-programs FOLDER SUB_GROUP_SIZE BUILD_FLAGS [GROUP|GROUP:TEST …]\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
        for (const struct program_test *test = groups[i].tests; test->name; test++) {
            if (count == TESTS_MAX || !chosen(groups[i].name, test->name, argc, argv))
                continue;
            snprintf(names[count], sizeof(names[count]), "%s: %s", groups[i].name, test->name);
            tests[count].name = names[count];
            tests[count].test_func = run;
            tests[count].teardown_func = release;
            tests[count].initial_state = (void *)(uintptr_t)test;
            count++;
        }
    }
    runtime_open(argv[1], (unsigned)strtoul(argv[2], NULL, 10), argv[3]);
    int failed = _cmocka_run_group_tests("programs", tests, count, NULL, NULL);
    runtime_close();
    return failed ? 1 : 0;
}
