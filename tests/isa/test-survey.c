/* Surveys of families and of a user's module, compiled offline; argument: the module. */
#include "test.h"

#include "audit/builds.h"
#include "audit/isa-figures.h"
#include "audit/isa-print.h"
#include "families/registry.h"
#include "vesim/vesim.h"

#include <stdlib.h>
#include <string.h>

static const char *module_path;
static const struct family *barrier;

static struct isa_request barriers(const char *kernel, const char *targets)
{
    static const char *const sixteen[] = {"subgroup_size=16"};

    return (struct isa_request){.families = &barrier,
                                .family_count = 1,
                                .overrides = sixteen,
                                .override_count = 1,
                                .targets = targets,
                                .kernel = kernel};
}

static void make(struct isa_survey *survey, const struct isa_request *request)
{
    struct error error;

    if (isa_survey_make(survey, request, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static const struct isa_entry *entry_of(const struct isa_survey *survey, const char *kernel,
                                        const char *target)
{
    for (size_t i = 0; i < survey->count; i++) {
        if (!strcmp(survey->entries[i].kernel, kernel) &&
            !strcmp(survey->entries[i].target, target))
            return &survey->entries[i];
    }
    fail_msg("no entry for %s, %s", kernel, target);
    return NULL;
}

/* A work-group barrier adds a fence and a signal, and waits. */
static void test_family(void **state)
{
    static const char *const targets[] = {"dg2", "tgllp"};
    struct isa_request request = barriers(NULL, "dg2,tgllp");
    struct isa_survey survey;

    (void)state;
    make(&survey, &request);
    for (size_t i = 0; i < 2; i++) {
        const struct isa_audit *none = &entry_of(&survey, "none", targets[i])->audit;
        const struct isa_audit *group = &entry_of(&survey, "work_group_local", targets[i])->audit;

        assert_int_equal(none->width, 16);
        assert_int_equal(none->required_width, 16);
        assert_int_equal(none->scratch_bytes, 0);
        assert_in_range(none->registers_used, 10, none->registers);
        assert_int_equal(none->hot.message[VESIM_MESSAGE_BARRIER], 0);
        assert_int_equal(none->hot.message[VESIM_MESSAGE_LOAD], 1);
        assert_int_equal(none->hot.message[VESIM_MESSAGE_SLM_STORE], 1);
        assert_int_equal(group->hot.message[VESIM_MESSAGE_BARRIER], 1);
        assert_int_equal(group->hot.message[VESIM_MESSAGE_FENCE], 1);
        assert_true(group->bounds.alone > none->bounds.alone);
        assert_true(none->bounds.bound[none->bounds.highest].cycles > 0.0);
        assert_true(isa_figure(group, ISA_FIGURE_loop_barrier) == 1.0);
    }
    isa_survey_free(&survey);
}

/* A module is compiled once per target and options, and one that the compiler refuses costs no
 * other. */
static void test_builds(void **state)
{
    static const unsigned char no_module[] = "no module at all";
    const struct spirv_module *module = family_module(barrier, 16);
    struct isa_builds builds = {0};
    struct isa_target *targets[2];
    struct error error;
    size_t index[5];

    (void)state;
    assert_int_equal(isa_target_open(&targets[0], "dg2", &error), STATUS_OK);
    assert_int_equal(isa_target_open(&targets[1], "tgllp", &error), STATUS_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(isa_builds_add(&builds, targets[i % 2], module->bytes, module->size_bytes,
                                        NULL, &index[i], &error),
                         STATUS_OK);
    assert_int_equal(
        isa_builds_add(&builds, targets[0], no_module, sizeof(no_module), NULL, &index[4], &error),
        STATUS_OK);
    assert_int_equal(builds.count, 3);
    assert_int_equal(index[0], index[2]);
    assert_int_equal(index[1], index[3]);
    for (unsigned processes = 0; processes < 4; processes += 3) {
        assert_int_equal(isa_builds_compile(&builds, processes, &error), STATUS_OK);
        for (size_t i = 0; i < 2; i++) {
            struct isa_build *build = &builds.build[index[i]];

            assert_int_equal(build->error.status, STATUS_OK);
            assert_non_null(vesim_kernel_name(build->compiled.bytes, build->compiled.size, 0));
            compiled_free(&build->compiled);
        }
        assert_int_equal(builds.build[index[4]].error.status, STATUS_FAILED);
        assert_null(builds.build[index[4]].compiled.bytes);
    }
    isa_builds_free(&builds);
    isa_target_close(targets[0]);
    isa_target_close(targets[1]);
}

/* A kernel that the compiler refuses for a target gives an entry with the compiler's message,
 * beside the others. */
static void test_refused(void **state)
{
    struct isa_request request = barriers("none", "no-such-gpu,dg2");
    struct isa_survey survey;
    struct error error;

    (void)state;
    make(&survey, &request);
    assert_int_equal(survey.count, 2);
    assert_non_null(survey.entries[0].refused);
    assert_non_null(strstr(survey.entries[0].refused, "no-such-gpu"));
    assert_null(strchr(survey.entries[0].refused, '\n'));
    assert_null(survey.entries[1].refused);
    isa_survey_free(&survey);
    request = barriers("no_such_kernel", "dg2");
    assert_int_equal(isa_survey_make(&survey, &request, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "no_such_kernel"));
    isa_survey_free(&survey);
    request = barriers(NULL, "./no/description");
    assert_int_equal(isa_survey_make(&survey, &request, &error), STATUS_USAGE);
    isa_survey_free(&survey);
}

static char *printed(const struct isa_survey *survey, const char *a, const char *b,
                     enum table_format format, enum status expected)
{
    struct error error;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    if (a)
        assert_int_equal(isa_print_difference(out, survey, a, b, format, &error), expected);
    else
        assert_int_equal(isa_print_survey(out, survey, format, &error), expected);
    assert_int_equal(fclose(out), 0);
    if (!text) // out of memory
        abort();
    return text;
}

static void expect_row(const char *text, const char *row)
{
    if (!strstr(text, row))
        fail_msg("no \"%s\" in\n%s", row, text);
}

static void test_difference(void **state)
{
    struct isa_request request = barriers("*none", "dg2,tgllp");
    struct isa_survey survey;

    (void)state;
    make(&survey, &request);
    char *text = printed(&survey, "none", "work_group_none", TABLE_CSV, STATUS_OK);
    expect_row(text, "module,of,what,before,after,change");
    expect_row(text, "barrier,\"16, dg2\",loop: barriers,0,1,1");
    expect_row(text, "barrier,\"16, tgllp\",loop: barriers,0,1,1");
    expect_row(text, "loop: sync.bar,0,1,1");
    free(text);
    text = printed(&survey, "dg2", "tgllp", TABLE_MARKDOWN, STATUS_OK);
    expect_row(text, "| module | of | what | dg2 | tgllp | change |\n");
    free(text);
    text = printed(&survey, "none", "sub_group_none", TABLE_PLAIN, STATUS_OK);
    expect_row(text, "the same in every figure");
    free(text);
    free(printed(&survey, "none", "nothing", TABLE_PLAIN, STATUS_USAGE));
    isa_survey_free(&survey);
}

static void test_formats(void **state)
{
    struct isa_request request = barriers("none", "dg2,no-such-gpu");
    struct isa_survey survey;

    (void)state;
    make(&survey, &request);
    char *text = printed(&survey, NULL, NULL, TABLE_PLAIN, STATUS_OK);
    expect_row(text, "barrier, dg2\n");
    expect_row(text, "no-such-gpu: refused: ");
    free(text);
    text = printed(&survey, NULL, NULL, TABLE_JSON, STATUS_OK);
    expect_row(text, "\"kernel\": \"none\", \"subgroup_size\": 16, \"target\": \"dg2\", "
                     "\"width\": 16, \"required_width\": 16,");
    expect_row(text, "\"width\": null");
    free(text);
    isa_survey_free(&survey);
}

static void test_module(void **state)
{
    struct isa_request request = {.spirv_path = module_path, .kernel = "n_body", .targets = "dg2"};
    struct isa_survey survey;
    struct error error;

    (void)state;
    make(&survey, &request);
    assert_int_equal(survey.count, 1);
    assert_string_equal(survey.entries[0].module, "physics-16.spv");
    assert_int_equal(survey.entries[0].audit.width, 16);
    assert_true(survey.entries[0].audit.hot.pipe[ISA_MATH] > 0);
    isa_survey_free(&survey);
    request.spirv_path = "no-such-file.spv";
    assert_int_equal(isa_survey_make(&survey, &request, &error), STATUS_FAILED);
    isa_survey_free(&survey);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_family),  cmocka_unit_test(test_builds),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_difference),
        cmocka_unit_test(test_formats), cmocka_unit_test(test_module),
    };

    module_path = argc > 1 ? argv[1] : "physics-16.spv";
    barrier = family_find(&families, "barrier");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
