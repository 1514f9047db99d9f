/* How long `vebench compare` takes for more and more rows: a line for each size. n log n shows as a
 * time per row that hardly grows.
 *     growth VEBENCH */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "process.h"

static const char header[] =
    "device_kind,device_name,device_uuid,driver_version,clock_mhz,benchmark,variant,"
    "subgroup_size,workgroup_size,workgroup_count,samples,ns_mean,ci95_lo_ns,ci95_hi_ns,value,"
    "unit,spill_bytes,verified,status,parameters,baseline,loop_ns,work_units,work_bytes,"
    "work_messages,work_lines,work_barriers,work_exchanges,work_flops\n";

/* Rows of one variant each, by the count of its work-groups; every seventh of them changed. */
static int write_results(const char *path, size_t rows, double change)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return -1;
    fputs(header, file);
    for (size_t i = 0; i < rows; i++) {
        double ns = 20.0 + (double)(i % 97) + (i % 7 == 0 ? change : 0.0);

        fprintf(file,
                "emulated,GPU,u,1,2000,barrier,variant_%zu,%u,64,%zu,3,%g,%g,%g,%g,ns/barrier,0,1,"
                "ok,stride=%zu,none,100,1,,,,,,\n",
                i % 50, 8u << i % 3, 1 + i, ns, ns - 0.1, ns + 0.1, ns, i % 11);
    }
    return fclose(file);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1000, 10000, 100000};

    if (argc < 2) {
        fprintf(stderr, "usage: growth VEBENCH\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *compare[] = {argv[1], "compare", "growth-base.csv", "growth-new.csv", NULL};
        double start;
        int code;

        if (write_results(compare[2], sizes[i], 0.0) || write_results(compare[3], sizes[i], 5.0))
            return 1;
        start = now_s();
        code = process_run(compare, NULL, "growth.out", "growth.err");
        printf("compare, %6zu rows: %7.3f s, %6.2f us a row\n", sizes[i], now_s() - start,
               (now_s() - start) / (double)sizes[i] * 1e6);
        if (code != 3) { /* something became slower */
            process_show_file("growth.err");
            return 1;
        }
    }
    return 0;
}
