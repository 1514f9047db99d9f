/*
 * vebench-mpi with many ranks on one machine, on devices that idle: every configuration is measured
 * once, and with an argument, how long that takes for 1 to 32 ranks.
 *
 * Arguments: mpiexec, vebench-mpi, idle-sweep; RANKS, or "scaling".
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process.h"

enum { WORD_CHARS = 24 };

static const char output[] = "many-ranks.csv";

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Is each configuration there once? */
static bool is_whole(unsigned long configurations)
{
    char *text = process_read_file(output), *line = text ? strchr(text, '\n') : NULL;
    bool *seen = calloc(configurations, sizeof(*seen));
    unsigned long count = 0;
    bool sound = line && seen;

    for (; sound && line && line[1]; line = strchr(line + 1, '\n')) {
        unsigned long sequence = strtoul(strchr(line, ',') + 1, NULL, 10);

        sound = sequence < configurations && !seen[sequence];
        if (sound)
            seen[sequence] = true;
        count++;
    }
    free(seen);
    free(text);
    return sound && count == configurations;
}

/* Seconds; negative if something was wrong. */
static double run_s(char **argv, unsigned ranks, unsigned long configurations, unsigned ms)
{
    static const char *const environment[] = {"OMPI_ALLOW_RUN_AS_ROOT=1",
                                              "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                              "OMPI_MCA_rmaps_base_oversubscribe=1", NULL};
    char count[WORD_CHARS], all[WORD_CHARS], each[WORD_CHARS];
    char *words[] = {argv[1], "-n", count, argv[2], argv[3], (char *)output, all, each, NULL};
    double start = now_s();

    snprintf(count, sizeof(count), "%u", ranks);
    snprintf(all, sizeof(all), "%lu", configurations);
    snprintf(each, sizeof(each), "%u", ms);
    remove(output);
    if (process_run(words, environment, "many-ranks.out", "many-ranks.out") != 0 ||
        !is_whole(configurations)) {
        process_show_file("many-ranks.out");
        return -1.0;
    }
    return now_s() - start;
}

/* What starting takes is measured with nothing to do. */
static int show_scaling(char **argv)
{
    const unsigned configurations = 160, ms = 500;
    double alone_s = 0.0;

    puts("ranks  seconds  without start  of linear");
    for (unsigned ranks = 1; ranks <= 32; ranks *= 2) {
        double start_s = run_s(argv, ranks, 0, 0);
        double all_s = run_s(argv, ranks, configurations, ms);

        if (start_s < 0.0 || all_s < 0.0)
            return 1;
        alone_s = ranks == 1 ? all_s - start_s : alone_s;
        printf("%5u  %7.2f  %13.2f  %9.3f\n", ranks, all_s, all_s - start_s,
               alone_s / (all_s - start_s) / ranks);
        fflush(stdout);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    if (!strcmp(argv[4], "scaling"))
        return show_scaling(argv);
    unsigned ranks = (unsigned)strtoul(argv[4], NULL, 10);
    double seconds = run_s(argv, ranks, 8ul * ranks, 100);
    printf("%u ranks: %.2f s\n", ranks, seconds);
    return seconds < 0.0;
}
