/* How fast vesim runs plain kernels, compared with Oclgrind, an interpreter of OpenCL kernels:
 * work-items per second of host processor time, for launches alone. All measure for as long: a
 * launch takes Oclgrind half a second, so vesim launches the kernel again and again for half a
 * second. What it does in its first second is not counted, as hot code is compiled in it; for
 * programs that launch a kernel once, the very first launches are compared, too. Workers alternate,
 * and the rows are medians, so that other load on the host affects all. Results have to agree;
 * speed is printed, not judged. Oclgrind gets one worker thread: the figures are those of one core.
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

enum { OCLGRIND, CLOCK, FUNCTIONAL, WORKERS };
enum { ROUNDS = 5, KERNELS_MAX = 16, SKIPPED = 77 };

static const double warm_up_s = 1, measured_s = 0.5;

static struct worker {
    const char *name;
    double goal; /* times Oclgrind's rate */
    pid_t pid;
    FILE *requests, *replies;
    double first_s[KERNELS_MAX]; /* processor time of the very first launch */
    double processor_s[KERNELS_MAX][ROUNDS], wall_s[KERNELS_MAX][ROUNDS];
    uint32_t *out;
} workers[WORKERS] = {{.name = "Oclgrind"},
                      {.name = "vesim", .goal = 100},
                      {.name = "vesim --functional", .goal = 600}};

_Noreturn void fail(const char *what, const char *detail)
{
    fprintf(stderr, "against-oclgrind: %s: %s\n", what, detail);
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

static void compare(const struct plain_kernel *kernel)
{
    bool written = false;

    for (uint32_t i = 0; i < kernel->out_words; i++) {
        written |= workers[OCLGRIND].out[i] != 0;
        for (unsigned w = CLOCK; w < WORKERS; w++) {
            if (agree(workers[OCLGRIND].out[i], workers[w].out[i], kernel->is_float))
                continue;
            fprintf(stderr, "%s, word %u: 0x%08x of Oclgrind, 0x%08x of %s\n", kernel->name, i,
                    workers[OCLGRIND].out[i], workers[w].out[i], workers[w].name);
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

/* What print_means() takes the mean of: how many times as fast as Oclgrind the worker is. */
static double by_processor(const struct worker *worker, unsigned kernel)
{
    return median(workers[OCLGRIND].processor_s[kernel]) / median(worker->processor_s[kernel]);
}

static double by_wall(const struct worker *worker, unsigned kernel)
{
    return median(workers[OCLGRIND].wall_s[kernel]) / median(worker->wall_s[kernel]);
}

static double by_first(const struct worker *worker, unsigned kernel)
{
    return workers[OCLGRIND].first_s[kernel] / worker->first_s[kernel];
}

static double geometric_mean(const struct worker *worker,
                             double (*ratio)(const struct worker *, unsigned), unsigned count)
{
    double sum = 0;

    for (unsigned k = 0; k < count; k++)
        sum += log(ratio(worker, k));
    return exp(sum / count);
}

static void print_means(const char *name, double (*ratio)(const struct worker *, unsigned),
                        unsigned count)
{
    printf("%-35s %12s %7.1fx %12s %7.1fx\n", name, "",
           geometric_mean(&workers[CLOCK], ratio, count), "",
           geometric_mean(&workers[FUNCTIONAL], ratio, count));
}

static void print_rows(void)
{
    unsigned count = 0;

    printf("%-13s %10s %10s %12s %8s %12s %8s\n", "", "work-items", "Oclgrind", "vesim", "ratio",
           "functional", "ratio");
    for (const struct plain_kernel *kernel = plain_kernels; kernel->name; kernel++, count++) {
        double rate[WORKERS], items = (double)kernel->items[0] * kernel->items[1];

        for (unsigned w = 0; w < WORKERS; w++)
            rate[w] = items / median(workers[w].processor_s[count]);
        printf("%-13s %10.0f %10.0f %12.0f %7.1fx %12.0f %7.1fx\n", kernel->name, items,
               rate[OCLGRIND], rate[CLOCK], by_processor(&workers[CLOCK], count), rate[FUNCTIONAL],
               by_processor(&workers[FUNCTIONAL], count));
    }
    print_means("geometric mean", by_processor, count);
    print_means("geometric mean by the wall clock", by_wall, count);
    print_means("geometric mean of the first launch", by_first, count);
    printf("%-35s %12s %7.1fx %12s %7.1fx\n", "goal of the first two", "", workers[CLOCK].goal, "",
           workers[FUNCTIONAL].goal);
}

static void measure(void)
{
    for (unsigned round = 0; round <= ROUNDS; round++) {
        for (uint32_t k = 0; plain_kernels[k].name; k++) {
            for (unsigned w = 0; w < WORKERS; w++) {
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

int main(int argc, char **argv)
{
    char version[80];
    double load = 0;

    if (argc != 7)
        fail("usage", "DEVICE VESIM LEVEL-ZERO-WORKER MODULE OPENCL-WORKER SOURCE");
    if (!oclgrind_version(version, sizeof(version))) {
        puts("skipped: oclgrind does not run here; on Debian, it is the package oclgrind");
        return SKIPPED;
    }
    char *device = argv[1], *vesim = argv[2];
    start(&workers[OCLGRIND], (char *[]){"oclgrind", "--num-threads", "1", argv[5], argv[6], NULL});
    start(&workers[CLOCK], (char *[]){vesim, "--device", device, "--", argv[3], argv[4], NULL});
    start(&workers[FUNCTIONAL],
          (char *[]){vesim, "--device", device, "--functional", "--", argv[3], argv[4], NULL});
    signal(SIGPIPE, SIG_IGN); /* a worker that ended is reported by its name */
    getloadavg(&load, 1);
    printf("%s and vesim --device %s: work-items a second of processor time, medians of %d\n"
           "rounds of %.1f s each; the host's load was %.1f, on %ld processors\n",
           version, device, ROUNDS, measured_s, load, sysconf(_SC_NPROCESSORS_ONLN));
    measure();
    for (unsigned w = 0; w < WORKERS; w++)
        stop(&workers[w]);
    print_rows();
    return 0;
}
