/* The family `transfer` finds how fast a link is: on cards whose descriptions say so, and on a GPU
 * of the processor, which has none, it skips. The arguments are descriptions of cards. */
#include "csv-file.h"
#include "process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DEVICE "transfer.device"
#define ROWS   "transfer.csv"
#define SAID   "transfer-said.txt"

static char **descriptions;

/* The same card behind another link, in MB/s. */
static void write_device(const char *description, unsigned link)
{
    char *text = process_read_file(description);
    FILE *out = fopen(DEVICE, "w");

    assert_true(text && out);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strncmp(line, "host_link_bandwidth", strlen("host_link_bandwidth")) == 0)
            fprintf(out, "host_link_bandwidth = %u MB/s | planted\n", link);
        else
            fprintf(out, "%s\n", line);
    }
    assert_int_equal(fclose(out), 0);
    free(text);
}

static void measure(const char *device, struct csv_file *rows)
{
    char *argv[] = {getenv("VEBENCH"), "run",     "transfer", "-q", "--emulate",
                    (char *)device,    "--force", "-o",       ROWS, NULL};

    if (process_run(argv, NULL, SAID, SAID) != 0) {
        process_show_file(SAID);
        fail_msg("it does not measure %s", device);
    }
    assert_int_equal(csv_file_load(rows, ROWS), 0);
    assert_int_equal(rows->row_count, 2);
    unlink(ROWS);
    unlink(SAID);
}

static void find_links(const char *description)
{
    for (int draw = 0; draw < 2; draw++) {
        unsigned link = draw ? 2000u + (unsigned)rand() % 20000u : 11000u; /* MB/s */
        struct csv_file rows;

        write_device(description, link);
        measure(DEVICE, &rows);
        for (size_t row = 0; row < 2; row++) {
            double ns = strtod(csv_file_field(&rows, row, "value"), NULL);

            printf("%u MB/s planted, %.0f found\n", link, 1024e3 / ns);
            assert_string_equal(csv_file_field(&rows, row, "status"), "ok");
            assert_true(fabs(1024e3 / ns / link - 1.0) < 0.02);
        }
        csv_file_free(&rows);
    }
    unlink(DEVICE);
}

static void test_links(void **state)
{
    (void)state;
    srand((unsigned)time(NULL));
    for (char **description = descriptions; *description; description++)
        find_links(*description);
}

static void test_no_link(void **state)
{
    struct csv_file rows;

    (void)state;
    measure("iris-xe", &rows);
    for (size_t row = 0; row < 2; row++) {
        assert_string_equal(csv_file_field(&rows, row, "status"), "skipped");
        assert_non_null(strstr(csv_file_field(&rows, row, "reason"), "shares the host's memory"));
    }
    csv_file_free(&rows);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_no_link),
    };

    assert(argc > 1);
    descriptions = argv + 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
