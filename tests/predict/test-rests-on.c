/* What findings rest on, on the published rows of the modelled A380: whoever claims the opposite of
 * a finding holds in just the draws in which the finding does not.
 *
 * Argument: the results. */
#include "test.h"

#include "families/registry.h"
#include "report/rests-on.h"

#include <stdlib.h>
#include <string.h>

#define DRAWS 24

/* The number in "holds in N of 24 draws"; -1 without one. */
static int held(const struct finding *finding)
{
    const char *at = strstr(finding->rests_on, "olds in ");

    if (!at || !strstr(at, " of 24 draws"))
        return -1;
    return (int)strtol(at + strlen("olds in "), NULL, 10);
}

static void find(struct findings *findings, const struct records *records)
{
    rests_on_find(findings, records, &family_models, &family_figures, &families);
}

/* Keeps the findings that say one of these. */
static void keep(struct findings *findings)
{
    static const char *const kept[] = {"Where barriers matter", "Avoid a stride"};
    struct findings chosen = {.count = 0};

    for (size_t i = 0; i < findings->count; i++) {
        for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++) {
            if (strstr(findings->line[i].advice, kept[k]))
                chosen.line[chosen.count++] = findings->line[i];
        }
    }
    *findings = chosen;
}

static const char *results;

static void test_opposites(void **state)
{
    const char *const paths[] = {results};
    struct findings findings, opposite;
    struct records records;
    struct error error;

    (void)state;
    if (records_read(&records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    findings_collect(&findings, &family_pages, &records);
    keep(&findings);
    assert_int_equal(findings.count, 2);
    find(&findings, &records);
    opposite = findings;
    for (size_t i = 0; i < findings.count; i++) {
        const struct claim *claim = &findings.line[i].claim;

        opposite.line[i].claim = (struct claim){claim->more, claim->less};
        opposite.line[i].is_weak = false;
    }
    find(&opposite, &records);
    for (size_t i = 0; i < findings.count; i++) {
        const struct finding *one = &findings.line[i], *other = NULL;

        for (size_t j = 0; j < opposite.count; j++) {
            if (!strcmp(opposite.line[j].advice, one->advice))
                other = &opposite.line[j];
        }
        assert_non_null(other);
        print_message("%s\n  %s\n  opposite: %s\n", one->advice, one->rests_on, other->rests_on);
        assert_int_equal(held(one) + held(other), DRAWS);
        assert_true(other->is_weak);
        assert_true(one->is_weak == (held(one) < 23));
        /* The weak one is last, and says which figure it hangs on. */
        assert_true(i == 0 || !findings.line[i - 1].is_weak || one->is_weak);
    }
    /* What banks do is sure; the gateway's rate is assumed, and barriers of many threads hang on
     * it. */
    assert_true(held(&findings.line[0]) == DRAWS);
    assert_non_null(strstr(findings.line[1].rests_on, "gateway_interval"));
    records_free(&records);
}

static void test_measured(void **state)
{
    const char *const paths[] = {results};
    struct findings findings;
    struct records records;
    struct error error;

    (void)state;
    if (records_read(&records, paths, 1, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    strcpy(records.device_kind, "hardware");
    findings_collect(&findings, &family_pages, &records);
    find(&findings, &records);
    assert_true(findings.count > 0);
    assert_string_equal(findings.line[0].rests_on, "Measured in 1 run on 1 day.");
    records_free(&records);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opposites),
        cmocka_unit_test(test_measured),
    };

    if (argc != 2)
        return EXIT_FAILURE;
    results = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
