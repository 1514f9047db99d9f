/* Files that somebody else has written: whatever stands in the fields of a results file or a model,
 * no command breaks or sends it to a terminal, and a browser takes it for text. Without Chromium
 * the test is skipped. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser.h"
#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXIT_SKIP 77
#define FOLDER    "hostile-names"
#define COLUMNS   31
#define SHORT     60 /* of identifiers, which longer ones are refused for */

static const char bad[] = "</title></svg><script>document.title='owned'</script><img src=x "
                          "onerror=document.title='owned'>%s%n|`\x1b[2J../../x";

static const char *const names[COLUMNS] = {
    "device_kind",   "device_name", "device_uuid",   "driver_version", "clock_mhz",
    "benchmark",     "variant",     "subgroup_size", "workgroup_size", "workgroup_count",
    "samples",       "ns_mean",     "ci95_lo_ns",    "ci95_hi_ns",     "value",
    "unit",          "spill_bytes", "verified",      "status",         "reason",
    "parameters",    "baseline",    "loop_ns",       "work_units",     "work_bytes",
    "work_messages", "work_lines",  "work_barriers", "work_exchanges", "work_flops",
    "host",
};

static const char *const values[COLUMNS] = {
    "emulated", "GPU", "uuid", "1", "2000", "exchange", "shuffle_u32", "16",
    "16",       "1",   "3",    "9", "8",    "10",       "9",           "ns/exchange",
    "0",        "1",   "ok",   "",  "",     "none",     "100",         "1",
    "",         "",    "",     "",  "",     "",         "host",
};

/* Rows of three sub-group sizes; the field of column `hostile` is bad, or all that are text if that
 * is COLUMNS. */
static void write_rows(const char *path, size_t hostile)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(file, "%s%s", c ? "," : "", names[c]);
    for (unsigned size = 8; size <= 32; size *= 2) {
        for (size_t c = 0; c < COLUMNS; c++) {
            bool is_text = strspn(values[c], "0123456789") < strlen(values[c]);
            bool is_bad = c == hostile ||
                          (hostile == COLUMNS && is_text && c != 0 && c != 5 && c != 18 && c != 21);

            fputs(c ? "," : "\r\n", file);
            if (c == 7)
                fprintf(file, "%u", size);
            else
                fprintf(file, "%.*s", c == 2 || c == 3 ? SHORT : (int)sizeof(bad),
                        is_bad ? bad : values[c]);
        }
    }
    fputs("\r\n", file);
    assert_int_equal(fclose(file), 0);
}

static void write_model(const char *path)
{
    FILE *file = fopen(path, "wb");
    char text[sizeof(bad) + 16] = "";

    assert_non_null(file);
    for (const char *c = bad; *c; c++) { /* in JSON an escape is no byte */
        const char byte[] = {*c, '\0'};

        strcat(text, *c == 0x1b ? "\\u001b" : byte);
    }
    fprintf(
        file,
        "{\"format\": \"vebench-model-2\", \"device_name\": \"%s\", \"device_uuid\": \"uuid\", "
        "\"device_kind\": \"emulated\", \"driver_version\": \"%.40s\", \"clock_mhz\": 2000, "
        "\"xe_cores\": 8, \"margins\": [], \"parameters\": [], \"costs\": [], \"absent\": "
        "[{\"name\": \"%.40s\", \"why\": \"%s\", "
        "\"command\": \"%s\"}], \"sources\": [{\"file\": \"%s\", \"rows\": 1, \"rows_used\": 1, "
        "\"rows_not_ok\": 0}]}",
        text, text, text, text, text, text);
    assert_int_equal(fclose(file), 0);
}

/* The command ends by itself, with a status of its own, and no escape reaches a terminal. */
static void expect_calm(char *const argv[])
{
    int status = process_run(argv, NULL, "hostile.out", "hostile.err");
    char *out = process_read_file("hostile.out"), *err = process_read_file("hostile.err");

    if (status < 0 || status > 3)
        fail_msg("%s ends with %d", argv[1], status);
    if ((out && strchr(out, 0x1b)) || (err && strchr(err, 0x1b)))
        fail_msg("%s sends an escape to the terminal", argv[1]);
    free(out);
    free(err);
}

static void test_commands(void **state)
{
    char *vebench = getenv("VEBENCH");

    (void)state;
    write_model("hostile.json");
    for (size_t c = 0; c <= COLUMNS; c++) {
        char *const commands[][10] = {
            {vebench, "compare", "hostile.csv", "hostile.csv", "--all", NULL},
            {vebench, "compare", "hostile.csv", "hostile.csv", "--all", "--format", "markdown",
             NULL},
            {vebench, "fit", "hostile.csv", "--output", "hostile-fit.json", "--force", NULL},
            {vebench, "report", "hostile.csv", "--output", "hostile-one", "--force", NULL},
            {vebench, "report", "hostile.csv", "plain.csv", "--output", "hostile-two", "--force",
             NULL},
            {vebench, "report", "hostile.csv", "--model", "hostile.json", "--output", "hostile-one",
             "--force", NULL},
            {vebench, "check", "hostile.json", "hostile.csv", NULL},
            {vebench, "advise", "hostile.json", "hostile.csv", "--family", "exchange", NULL},
        };

        write_rows("hostile.csv", c);
        write_rows("plain.csv", COLUMNS + 1);
        for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
            expect_calm(commands[i]);
    }
}

static void test_in_browser(void **state)
{
    char *const report[] = {getenv("VEBENCH"), "report",  "hostile.csv", "--output",
                            "hostile-page",    "--force", NULL};
    struct server server;

    (void)state;
    write_rows("hostile.csv", COLUMNS);
    write_model("hostile.json");
    expect_calm(report);
    char *page = browser_page("hostile-page/index.html");
    assert_true(server_start(&server, page));
    browser_open(&server, 1000, false);
    server_stop(&server);
    browser_check_log();
    browser_check_requests(&server);
    char *dom = process_read_file("dom.html");
    assert_non_null(dom);
    assert_non_null(strstr(dom, "END OF FACTS"));
    assert_null(strstr(dom, "<title>owned"));
    assert_null(strstr(dom, "<img"));
    assert_non_null(strstr(dom, "&lt;script&gt;"));
    free(dom);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_in_browser),
    };

    if (!browser_is_there())
        return EXIT_SKIP;
    /* a folder of its own: other tests leave files of the same names */
    if ((mkdir(FOLDER, 0777) != 0 && errno != EEXIST) || chdir(FOLDER) != 0)
        return EXIT_FAILURE;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
