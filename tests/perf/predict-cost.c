/* What a prediction takes, and what emulating the kernel takes: seconds of processor time of
 * `vebench predict` and of a program that launches the kernel once below vesim, for kernels that
 * are no benchmark. predict-cost VEBENCH VESIM LAUNCH-ONCE RESULTS.csv UNSEEN.spv PLAIN.spv */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "process.h"

enum { WORDS_MAX = 8, ARGV_MAX = 48 };

/* The words are those of launch-once.c. */
struct row {
    const char *kernel, *global, *local;
    const char *arguments[WORDS_MAX], *contents[WORDS_MAX];
};

static const struct row rows[] = {
    {"reduction", "16384", "256", {"0=4M", "1=4K", "2=1048576", "3=local:1K"}, {"0=float:1"}},
    {"scan", "131072", "256", {"0=512K", "1=512K", "2=local:1K"}, {"0=random:2:100"}},
    {"histogram", "16384", "256", {"0=2M", "1=1K", "2=32"}, {"0=random:3"}},
    {"gather", "131072", "256", {"0=512K", "1=1M", "2=512K"}, {"0=random:4:262144"}},
    {"stencil", "1024,256", "64,4", {"0=1M", "1=1M"}, {"0=float:5"}},
    {"n_body", "4096", "128", {"0=64K", "1=64K", "2=512"}, {"0=float:6"}},
    {"product",
     "256,128",
     "16,16",
     {"0=64K", "1=128K", "2=128K", "3=128"},
     {"0=float:7", "1=float:8"}},
    {"sort_step", "131072", "256", {"0=1M", "1=64", "2=256"}, {"0=random:9"}},
    {"rounds", "32768", "128", {"0=128K", "1=128K"}, {"0=random:10"}},
    {"atomics", "65536", "256", {"0=256K", "1=64K", "2=4095"}, {"0=random:11"}},
    {"n_body", "16384", "128", {"0=256K", "1=256K", "2=2048"}, {"0=float:6"}},
    {"n_body", "65536", "128", {"0=1M", "1=1M", "2=2048"}, {"0=float:6"}},
    {"product", "512,512", "16,16", {"0=1M", "1=1M", "2=1M", "3=512"}, {"0=float:7", "1=float:8"}},
    {"scan", "16777216", "256", {"0=64M", "1=64M", "2=local:1K"}, {"0=random:2:100"}},
    {"saxpy",
     "4194304",
     "256",
     {"0=16M", "1=16M", "2=16M", "3=4194304", "4=3"},
     {"0=float:1", "1=float:2"}},
};

static double used_s(void)
{
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Processor seconds of a program that is to end with status 0, or -1. */
static double take(const char *const *argv)
{
    double before = used_s();

    if (process_run((char *const *)argv, NULL, "predict-cost.out", "predict-cost.err") == 0)
        return used_s() - before;
    process_show_file("predict-cost.err");
    return -1.0;
}

static double emulate(const char *const *programs, const struct row *row, const char *module)
{
    const char *argv[ARGV_MAX] = {programs[1], "--quiet", "--device",  "a380",      "--",
                                  programs[2], module,    row->kernel, row->global, row->local};
    size_t count = 10;

    for (size_t i = 0; row->arguments[i]; i++)
        argv[count++] = row->arguments[i];
    argv[count++] = "--";
    for (size_t i = 0; row->contents[i]; i++)
        argv[count++] = row->contents[i];
    return take(argv);
}

static double predict(const char *const *programs, const struct row *row, const char *module)
{
    const char *argv[ARGV_MAX] = {programs[0], "predict",  "predict-cost.json", "--spirv",
                                  module,      "--kernel", row->kernel,         "--global",
                                  row->global, "--local",  row->local};
    char words[WORDS_MAX][32];
    size_t count = 11;

    for (size_t i = 0; row->arguments[i]; i++) {
        const char *value = strchr(row->arguments[i], '=') + 1;

        snprintf(words[i], sizeof(words[i]), "%.2s%s", row->arguments[i],
                 strncmp(value, "local:", 6) ? value : value + 6);
        argv[count++] = "--arg";
        argv[count++] = words[i];
    }
    for (size_t i = 0; row->contents[i]; i++) {
        argv[count++] = "--buffer";
        argv[count++] = row->contents[i];
    }
    return take(argv);
}

int main(int argc, char **argv)
{
    const char *const *programs = (const char *const *)argv + 1;

    if (argc != 7) {
        fprintf(stderr,
                "usage: predict-cost VEBENCH VESIM LAUNCH-ONCE RESULTS.csv UNSEEN.spv PLAIN.spv\n");
        return 2;
    }
    unlink("predict-cost.json");
    if (take((const char *const[]){programs[0], "fit", argv[4], "-o", "predict-cost.json", NULL}) <
        0.0)
        return 1;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *module = argv[strcmp(rows[i].kernel, "saxpy") ? 5 : 6];
        double emulated = emulate(programs, &rows[i], module);
        double predicted = predict(programs, &rows[i], module);

        if (emulated < 0.0 || predicted < 0.0)
            return 1;
        printf("%-10s %10s work-items: emulated %6.2f s, predicted %6.2f s\n", rows[i].kernel,
               rows[i].global, emulated, predicted);
        fflush(stdout);
    }
    return 0;
}
