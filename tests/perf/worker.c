/* Runs plain kernels on request: see plain.h. The argument is the file of kernels for the backend.
 */
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void fail(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

void *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, 0, SEEK_END))
        fail(path, "cannot be opened");
    *bytes = (size_t)ftell(file);
    rewind(file);
    char *content = malloc(*bytes + 1);
    if (!content || fread(content, 1, *bytes, file) != *bytes)
        fail(path, "cannot be read");
    content[*bytes] = '\0';
    fclose(file);
    return content;
}

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Floats are small multiples of 1/8: sums and products of them are exact in any order. */
static void fill(uint32_t *words, uint32_t count, bool is_float, uint64_t state)
{
    for (uint32_t i = 0; i < count; i++) {
        /* Knuth's linear congruential generator, the high half */
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        words[i] = (uint32_t)(state >> 32);
        float value = (float)((int)(words[i] >> 26) - 32) / 8;
        if (is_float)
            memcpy(&words[i], &value, sizeof(value));
    }
}

/* Times since `start`. */
static struct plain_times times_since(struct plain_times start)
{
    return (struct plain_times){now(CLOCK_PROCESS_CPUTIME_ID) - start.processor_s,
                                now(CLOCK_MONOTONIC) - start.wall_s};
}

static struct plain_reply launch_for(double wall_s)
{
    const struct plain_times start = times_since((struct plain_times){0});
    struct plain_reply reply = {0};
    struct plain_times all;
    uint32_t count = 0;

    do {
        backend_launch();
        all = times_since(start);
        if (count++ == 0)
            reply.first = all;
    } while (all.wall_s < wall_s);
    reply.mean = (struct plain_times){all.processor_s / count, all.wall_s / count};
    return reply;
}

static void serve(const struct plain_request *request, FILE *replies)
{
    const struct plain_kernel *kernel = &plain_kernels[request->index];
    size_t in_bytes = kernel->in_words * sizeof(uint32_t);
    uint32_t *a = malloc(in_bytes), *b = malloc(in_bytes);
    uint32_t *out = malloc(kernel->out_words * sizeof(uint32_t));

    if (!a || !b || !out)
        fail(kernel->name, "out of memory");
    fill(a, kernel->in_words, kernel->is_float, 1);
    fill(b, kernel->in_words, kernel->is_float, 2);
    backend_prepare(kernel, a, b);
    struct plain_reply reply = launch_for(request->wall_s);
    backend_finish(out);
    fwrite(&reply, sizeof(reply), 1, replies);
    fwrite(out, sizeof(*out), kernel->out_words, replies);
    if (fflush(replies))
        fail(kernel->name, "the reply cannot be written");
    free(a);
    free(b);
    free(out);
}

int main(int argc, char **argv)
{
    struct plain_request request;

    if (argc != 2)
        fail("usage", "worker FILE");
    /* Output of libraries must not get between the replies. */
    FILE *replies = fdopen(dup(STDOUT_FILENO), "wb");
    if (!replies || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        fail("standard output", "cannot be set aside");
    backend_open(argv[1]);
    while (fread(&request, sizeof(request), 1, stdin) == 1)
        serve(&request, replies);
    return 0;
}
