/* The report in a browser: of results of all families, the argument, and the model fitted to them,
 * opened in headless Chromium at phone and desktop widths. There must be no error, every plot
 * present, filled and legible, and no request for anything but the page. Without Chromium the test
 * is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser.h"
#include "process.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXIT_SKIP   77
#define TEXT_BYTES  512
#define LEAST_WIDTH 250 /* of a plot on a screen of 400 */

static const char folder[] = "report-page";
static char *results;

/* One line of the probe's findings. */
static void check_fact(const char *fact)
{
    static const char *const wrong[] = {"twice ", "wide ", "cut ", "over "};
    unsigned width, height, shapes;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        if (!strncmp(fact, wrong[i], strlen(wrong[i])))
            fail_msg("on the page: %s", fact);
    }
    if (sscanf(fact, "plot %u %u %u", &width, &height, &shapes) == 3 &&
        (width < LEAST_WIDTH || height < LEAST_WIDTH / 2 || shapes < 10))
        fail_msg("an empty or tiny plot: %s", fact);
}

static void check_page(void)
{
    static const char *const figures[] = {"barrier",  "latency",  "in-flight",  "memory",
                                          "exchange", "slm",      "divergence", "matmul",
                                          "roofline", "predicted"};
    char *dom = process_read_file("dom.html");
    char *rest = NULL;

    assert_non_null(dom);
    char *facts = strstr(dom, "FACTS\n");
    assert_non_null(facts);
    assert_non_null(strstr(facts, "END OF FACTS"));
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
        char line[TEXT_BYTES];

        snprintf(line, sizeof(line), "\nfigure %s\n", figures[i]);
        if (!strstr(facts, line))
            fail_msg("the page has no plot %s", figures[i]);
    }
    /* Bars of a group that was measured at three sizes. */
    assert_non_null(strstr(facts, "\nverdict 3\n"));
    for (char *fact = strtok_r(facts, "\n", &rest); fact; fact = strtok_r(NULL, "\n", &rest))
        check_fact(fact);
    free(dom);
}

static void test_in_browser(void **state)
{
    static const unsigned widths[] = {1400, 400, 1400};
    char *page = browser_page("report-page/index.html");

    (void)state;
    for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
        struct server server;

        assert_true(server_start(&server, page));
        browser_open(&server, widths[i], i == 2);
        server_stop(&server);
        browser_check_log();
        browser_check_requests(&server);
        check_page();
    }
    free(page);
}

/* The only addresses in the file are the names of SVG's languages. */
static void test_no_addresses(void **state)
{
    static const char space[] = "http://www.w3.org/";
    char *page = process_read_file("report-page/index.html");

    (void)state;
    assert_non_null(page);
    for (char *at = strstr(page, "http"); at; at = strstr(at + 1, "http")) {
        if (strncmp(at, space, strlen(space)) != 0 && strncmp(at, "http-equiv", 10) != 0)
            fail_msg("an address: %.60s", at);
    }
    assert_null(strstr(page, "src="));
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<link"));
    assert_null(strstr(page, "@import"));
    free(page);
}

static void run(char *const argv[], const char *log)
{
    int status = process_run(argv, NULL, log, log);

    if (status != 0)
        process_show_file(log);
    assert_int_equal(status, 0);
}

static int make_page(void **state)
{
    char *vebench = getenv("VEBENCH");
    char *const remove[] = {"rm", "-rf", (char *)folder, "report.json", NULL};
    char *const fit[] = {vebench, "fit", results, "--output", "report.json", NULL};
    char *const report[] = {vebench,       "report", results,        "--model",
                            "report.json", "-o",     (char *)folder, NULL};

    (void)state;
    run(remove, "report.log");
    run(fit, "report.log");
    run(report, "report.log");
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_addresses),
        cmocka_unit_test(test_in_browser),
    };

    assert(argc == 2);
    results = argv[1];
    if (!browser_is_there())
        return EXIT_SKIP;
    return cmocka_run_group_tests(tests, make_page, NULL);
}
