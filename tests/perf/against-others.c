/* How fast vesim runs plain kernels, compared with Oclgrind, an interpreter of OpenCL kernels, and
 * with PoCL, which compiles them for the host: work-items per second of host processor time, for
 * launches alone. All measure for as long: a launch takes Oclgrind half a second, so the others
 * launch the kernel again and again for half a second. What they do in their first second is not
 * counted, as vesim compiles hot code in it; for programs that launch a kernel once, the very first
 * launches are compared, too. Workers alternate, and the rows are medians, so that other load on
 * the host affects all. Results have to agree; speed is printed, not judged. Each gets one thread:
 * the figures are those of one core.
 */
#include "plain.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OCLGRIND, POCL, CLOCK, FUNCTIONAL, WORKERS };
enum { ROUNDS = 5, KERNELS_MAX = 16, SKIPPED = 77 };

#define POCL_VENDOR "/etc/OpenCL/vendors/pocl.icd"

static const double warm_up_s = 1, measured_s = 0.5;

static struct worker {
    const char *name;
    pid_t pid; /* 0: not here */
    FILE *requests, *replies;
    double first_s[KERNELS_MAX]; /* processor time of the very first launch */
    double processor_s[KERNELS_MAX][ROUNDS], wall_s[KERNELS_MAX][ROUNDS];
    uint32_t *out;
} workers[WORKERS] = {
    {.name = "Oclgrind"}, {.name = "PoCL"}, {.name = "vesim"}, {.name = "vesim --functional"}};

_Noreturn void fail(const char *what, const char *detail)
{
    fprintf(stderr, "against-others: %s: %s\n", what, detail);
    exit(1);
}

static void start(struct worker *worker, char *const argv[])
{
    int to[2], from[2];

    if (pipe(to) || pipe(from))
        fail("pipe", strerror(errno));
    /* Otherwise a later worker would keep this one's input open. */
    fcntl(to[1], F_SETFD, FD_CLOEXEC);
    fcntl(from[0], F_SETFD, FD_CLOEXEC);
    worker->pid = fork();
    if (worker->pid < 0)
        fail("fork", strerror(errno));
    if (worker->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[0]);
        close(from[1]);
        execvp(argv[0], argv);
        fprintf(stderr, "%s cannot be run: %s\n", argv[0], strerror(errno));
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    worker->requests = fdopen(to[1], "wb");
    worker->replies = fdopen(from[0], "rb");
    if (!worker->requests || !worker->replies)
        fail(worker->name, "no pipe to it");
}

static struct plain_reply run(struct worker *worker, uint32_t index, double wall_s)
{
    const struct plain_request request = {.index = index, .wall_s = wall_s};
    struct plain_reply reply;
    uint32_t words = plain_kernels[index].out_words;

    worker->out = realloc(worker->out, words * sizeof(*worker->out));
    if (!worker->out)
        fail(worker->name, "out of memory");
    fwrite(&request, sizeof(request), 1, worker->requests);
    if (fflush(worker->requests) || fread(&reply, sizeof(reply), 1, worker->replies) != 1 ||
        fread(worker->out, sizeof(*worker->out), words, worker->replies) != words)
        fail(worker->name, "ended before its reply");
    return reply;
}

static bool agree(uint32_t x, uint32_t y, bool is_float)
{
    float a, b;

    if (!is_float || x == y)
        return x == y;
    memcpy(&a, &x, sizeof(a));
    memcpy(&b, &y, sizeof(b));
    /* The inverse square root may differ in its last place, and a sum add up in another order. */
    return fabsf(a - b) <= 1e-5f * (1 + fabsf(a));
}

static const struct worker *first_here(void)
{
    const struct worker *worker = workers;

    while (!worker->pid)
        worker++;
    return worker;
}

static void compare(const struct plain_kernel *kernel)
{
    const struct worker *reference = first_here();
    bool written = false;

    for (uint32_t i = 0; i < kernel->out_words; i++) {
        written |= reference->out[i] != 0;
        for (const struct worker *w = reference + 1; w < workers + WORKERS; w++) {
            if (!w->pid || agree(reference->out[i], w->out[i], kernel->is_float))
                continue;
            fprintf(stderr, "%s, word %u: 0x%08x of %s, 0x%08x of %s\n", kernel->name, i,
                    reference->out[i], reference->name, w->out[i], w->name);
            fail(kernel->name, "the results differ");
        }
    }
    if (!written)
        fail(kernel->name, "the result is nothing but zeros");
}

static int order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(const double values[ROUNDS])
{
    double sorted[ROUNDS];

    memcpy(sorted, values, sizeof(sorted));
    qsort(sorted, ROUNDS, sizeof(*sorted), order);
    return sorted[ROUNDS / 2];
}

/* How many times as fast as the other one worker is, by one of the times. */
typedef double ratio_function(unsigned other, unsigned worker, unsigned kernel);

static double by_processor(unsigned other, unsigned worker, unsigned kernel)
{
    return median(workers[other].processor_s[kernel]) / median(workers[worker].processor_s[kernel]);
}

static double by_wall(unsigned other, unsigned worker, unsigned kernel)
{
    return median(workers[other].wall_s[kernel]) / median(workers[worker].wall_s[kernel]);
}

static double by_first(unsigned other, unsigned worker, unsigned kernel)
{
    return workers[other].first_s[kernel] / workers[worker].first_s[kernel];
}

/* The columns of ratios. */
static const struct {
    unsigned other, worker;
} columns[] = {{OCLGRIND, CLOCK}, {OCLGRIND, FUNCTIONAL}, {POCL, FUNCTIONAL}};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static void print_ratio(unsigned column, double ratio)
{
    if (workers[columns[column].other].pid)
        printf(" %14.2f", ratio);
    else
        printf(" %14s", "-");
}

static void print_means(const char *name, ratio_function *ratio, unsigned count)
{
    printf("%-46s", name);
    for (unsigned column = 0; column < COLUMNS; column++) {
        double sum = 0;

        for (unsigned k = 0; k < count; k++)
            sum += log(ratio(columns[column].other, columns[column].worker, k));
        print_ratio(column, exp(sum / count));
    }
    putchar('\n');
}

static void print_rows(void)
{
    unsigned count = 0;

    puts("Million work-items a second; then how many times as fast vesim is, with the clock and\n"
         "without:");
    printf("%-12s %8s %8s %8s %8s %14s %14s %14s\n", "", "Oclgrind", "PoCL", "vesim", "no clock",
           "over Oclgrind", "without", "without / PoCL");
    for (const struct plain_kernel *kernel = plain_kernels; kernel->name; kernel++, count++) {
        double items = (double)kernel->items[0] * kernel->items[1];

        printf("%-12s", kernel->name);
        for (unsigned w = 0; w < WORKERS; w++)
            if (workers[w].pid)
                printf(" %8.3f", items / median(workers[w].processor_s[count]) / 1e6);
            else
                printf(" %8s", "-");
        for (unsigned column = 0; column < COLUMNS; column++)
            print_ratio(column, by_processor(columns[column].other, columns[column].worker, count));
        putchar('\n');
    }
    print_means("geometric mean", by_processor, count);
    print_means("geometric mean by the wall clock", by_wall, count);
    print_means("geometric mean of the first launch", by_first, count);
}

static void measure(void)
{
    for (unsigned round = 0; round <= ROUNDS; round++) {
        for (uint32_t k = 0; plain_kernels[k].name; k++) {
            for (unsigned w = 0; w < WORKERS; w++) {
                if (!workers[w].pid)
                    continue;
                struct plain_reply reply = run(&workers[w], k, round ? measured_s : warm_up_s);

                if (round == 0) {
                    workers[w].first_s[k] = reply.first.processor_s;
                    continue;
                }
                workers[w].processor_s[k][round - 1] = reply.mean.processor_s;
                workers[w].wall_s[k][round - 1] = reply.mean.wall_s;
            }
            compare(&plain_kernels[k]);
        }
    }
}

static void stop(struct worker *worker)
{
    int status;

    fclose(worker->requests);
    if (waitpid(worker->pid, &status, 0) != worker->pid || status != 0)
        fail(worker->name, "ended badly");
    fclose(worker->replies);
    free(worker->out);
}

/* Its first line that is not empty, or false if it cannot be run. */
static bool oclgrind_version(char *line, int size)
{
    FILE *output = popen("oclgrind --version 2>/dev/null", "r");
    bool found = false;
    char rest[80];

    /* Reads to the end: it must not fail for lack of a reader. */
    while (output && fgets(found ? rest : line, found ? (int)sizeof(rest) : size, output)) {
        if (found)
            continue;
        line[strcspn(line, "\n")] = '\0';
        found = *line != '\0';
    }
    return output && pclose(output) == 0 && found;
}

static void start_pocl(char *worker, char *source)
{
    if (access(POCL_VENDOR, R_OK))
        return;
    start(&workers[POCL], (char *[]){"env", "OCL_ICD_VENDORS=" POCL_VENDOR,
                                     "POCL_MAX_PTHREAD_COUNT=1", worker, source, NULL});
}

int main(int argc, char **argv)
{
    char version[80] = "no Oclgrind";
    double load = 0;

    if (argc != 7)
        fail("usage", "DEVICE VESIM LEVEL-ZERO-WORKER MODULE OPENCL-WORKER SOURCE");
    char *device = argv[1], *vesim = argv[2];
    if (oclgrind_version(version, sizeof(version)))
        start(&workers[OCLGRIND],
              (char *[]){"oclgrind", "--num-threads", "1", argv[5], argv[6], NULL});
    start_pocl(argv[5], argv[6]);
    if (!workers[OCLGRIND].pid && !workers[POCL].pid) {
        puts("skipped: neither Oclgrind nor PoCL is here; on Debian, these are the packages\n"
             "oclgrind and pocl-opencl-icd");
        return SKIPPED;
    }
    start(&workers[CLOCK], (char *[]){vesim, "--device", device, "--", argv[3], argv[4], NULL});
    start(&workers[FUNCTIONAL],
          (char *[]){vesim, "--device", device, "--functional", "--", argv[3], argv[4], NULL});
    signal(SIGPIPE, SIG_IGN); /* a worker that ended is reported by its name */
    getloadavg(&load, 1);
    printf("%s, %s and vesim --device %s: processor time, medians of %d rounds of %.1f s each;\n"
           "the host's load was %.1f, on %ld processors\n",
           version, workers[POCL].pid ? "PoCL" : "no PoCL", device, ROUNDS, measured_s, load,
           sysconf(_SC_NPROCESSORS_ONLN));
    measure();
    for (unsigned w = 0; w < WORKERS; w++)
        if (workers[w].pid)
            stop(&workers[w]);
    print_rows();
    return 0;
}
