/* The page of the audit: what was compiled, what a target refuses, and nothing that a browser would
 * take for markup. */
#include "test.h"

#include "commands/isa-page.h"
#include "families/registry.h"
#include "process.h"

#include <stdlib.h>
#include <string.h>

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("the page lacks: %s", part);
}

static void test_page(void **state)
{
    const struct family *barrier = family_find(&families, "barrier");
    static const char *const sixteen[] = {"subgroup_size=16"};
    const struct isa_request request = {.families = &barrier,
                                        .family_count = 1,
                                        .overrides = sixteen,
                                        .override_count = 1,
                                        .targets = "dg2,<gpu>",
                                        .kernel = "work_group_local"};
    struct isa_survey survey;
    struct error error;

    (void)state;
    if (isa_survey_make(&survey, &request, &error) != STATUS_OK ||
        isa_page_write(&survey, "isa-page", &error) != STATUS_OK)
        fail_msg("%s", error.text);
    char *page = process_read_file("isa-page/isa.html");
    char *figures = process_read_file("isa-page/isa.csv");
    assert_non_null(page);
    assert_non_null(figures);
    expect(page, "No kernel was run");
    expect(page, "<h2>barrier</h2>");
    expect(page, "<h3>dg2</h3>");
    expect(page, "<td>work_group_local</td><td class=\"number\">16</td>");
    expect(page, "1 fence, 1 barrier");
    expect(page, "<h3>&lt;gpu&gt;</h3>");
    expect(page, "refused: ");
    assert_null(strstr(page, "<gpu>"));
    assert_null(strstr(page, "To the report"));
    expect(figures, "\nbarrier,work_group_local,16,dg2,");
    free(page);
    free(figures);
    isa_survey_free(&survey);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_page)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
