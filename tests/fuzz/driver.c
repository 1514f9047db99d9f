/* A fuzz target without libFuzzer: runs every file of its corpus, then mutations of them that
 * depend only on a fixed seed, so that failures are reproducible. fuzz-TARGET RUNS SECONDS
 * FOLDER|FILE... stops at whichever comes first; with 0 runs only the inputs themselves are run. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fuzz.h"

#define INPUT_BYTES_MAX 16384
#define SEEDS_MAX       512
#define HANG_SECONDS    60 /* an input that takes longer is a failure as well */

/* The sanitizers' hook for the end of the process; absent without them. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

struct input {
    char name[4096];
    uint8_t *data;
    size_t size;
};

static struct input seeds[SEEDS_MAX];
static size_t seed_count;
static const uint8_t *current;
static size_t current_size;
static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

/* Saves the current input for later inspection. Called when the process is about to die. */
static void save_input(void)
{
    static const char path[] = "fuzz-failure";
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (fd < 0 || write(fd, current, current_size) != (ssize_t)current_size)
        return;
    close(fd);
    fprintf(stderr, "the input was written to %s\n", path);
}

static void on_signal(int number)
{
    save_input();
    signal(number, SIG_DFL);
    raise(number);
}

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13; /* xorshift64 */
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)((random_state >> 32) % limit);
}

/* A copy of exactly the input's size, so that a sanitizer sees reads beyond it. */
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);

    if (!copy)
        abort();
    memcpy(copy, data, size);
    current = copy;
    current_size = size;
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void load_file(const char *path)
{
    struct input *input = &seeds[seed_count];
    FILE *file = fopen(path, "rb");

    if (!file || !(input->data = malloc(INPUT_BYTES_MAX))) {
        perror(path);
        exit(1);
    }
    snprintf(input->name, sizeof(input->name), "%s", path);
    input->size = fread(input->data, 1, INPUT_BYTES_MAX, file);
    fclose(file);
    seed_count++;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct input *)a)->name, ((const struct input *)b)->name);
}

static void load(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    char file[4096];

    if (!folder) {
        load_file(path);
        return;
    }
    while ((entry = readdir(folder)) && seed_count < SEEDS_MAX) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
        load_file(file);
    }
    closedir(folder);
}

static uint32_t interesting(void)
{
    static const uint32_t values[] = {
        0,         1,         2,          3,          4,          7,          8,
        15,        16,        31,         32,         63,         64,         127,
        128,       255,       256,        4095,       4096,       0x7fff,     0x8000,
        0xffff,    0x10000,   0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x01000000,
        0x2000000, 0x4000000, 0x8000000,  0x31000000};

    return values[random_below(sizeof(values) / sizeof(*values))];
}

static void mutate_once(uint8_t *data, size_t *size)
{
    uint32_t at = random_below((uint32_t)*size), value, length;
    const struct input *other;

    switch (random_below(7)) {
    case 0:
    case 1:
        data[at] ^= (uint8_t)(1u << random_below(8));
        break;
    case 2:
        data[at] = (uint8_t)random_below(256);
        break;
    case 3: /* a dword where one may lie */
        at &= ~UINT32_C(3);
        value = random_below(2) ? interesting() : random_below(UINT32_MAX);
        if (at + 4 <= *size)
            memcpy(data + at, &value, 4);
        break;
    case 4: /* a part of this or another input over this one */
        other = &seeds[random_below((uint32_t)seed_count)];
        length = 1 + random_below(64);
        if (other->size >= length && at + length <= *size)
            memcpy(data + at, other->data + random_below((uint32_t)(other->size - length + 1)),
                   length);
        break;
    case 5: /* shorter */
        length = 1 + random_below(16);
        if (at + length < *size) {
            memmove(data + at, data + at + length, *size - at - length);
            *size -= length;
        }
        break;
    default: /* longer: the same again */
        length = 1 + random_below(64);
        if (at + length <= *size && *size + length <= INPUT_BYTES_MAX) {
            memmove(data + at + length, data + at, *size - at);
            *size += length;
        }
        break;
    }
}

static void run_mutation(void)
{
    uint8_t data[INPUT_BYTES_MAX];
    const struct input *seed = &seeds[random_below((uint32_t)seed_count)];
    size_t size = seed->size;

    memcpy(data, seed->data, size);
    for (uint32_t steps = 1 + random_below(6); size && steps; steps--)
        mutate_once(data, &size);
    run(data, size);
}

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void catch_signals(void)
{
    static const int fatal[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    size_t count = sizeof(fatal) / sizeof(*fatal);

    if (__sanitizer_set_death_callback) { /* it handles all but the first itself */
        __sanitizer_set_death_callback(save_input);
        count = 1;
    }
    for (size_t i = 0; i < count; i++)
        signal(fatal[i], on_signal);
}

int main(int argc, char **argv)
{
    unsigned long done = 0;
    double start = seconds();

    if (argc < 4) {
        fprintf(stderr, "usage: %s RUNS SECONDS FOLDER|FILE...\n", argv[0]);
        return 2;
    }
    unsigned long runs = strtoul(argv[1], NULL, 10);
    double limit = strtod(argv[2], NULL);
    catch_signals();
    for (int i = 3; i < argc; i++)
        load(argv[i]);
    qsort(seeds, seed_count, sizeof(*seeds), by_name); /* a folder has no order */
    for (size_t i = 0; i < seed_count; i++) {
        alarm(HANG_SECONDS);
        run(seeds[i].data, seeds[i].size);
    }
    for (; done < runs && seed_count && seconds() - start < limit; done++) {
        alarm(HANG_SECONDS);
        run_mutation();
    }
    printf("%zu inputs, %lu mutations, %.1f s\n", seed_count, done, seconds() - start);
    for (size_t i = 0; i < seed_count; i++)
        free(seeds[i].data);
    return seed_count == 0;
}
