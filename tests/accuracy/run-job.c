#include "run-job.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv-file.h"
#include "process.h"

#define SAID     "application-said.txt"
#define ROWS     "application.csv"
#define BEFORE   "application-before.bin"
#define EXPECTED "application-expected.bin"
#define DEVICE   "./application.device"

enum { WORDS = 40, PATH_BYTES = 4096 };

static bool write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return false;
    bool done = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && done;
}

/* What the output holds before the launch and after. */
static bool write_buffers(const struct host_job *job, unsigned size)
{
    size_t bytes = job->output_bytes(job, size);
    void *output = calloc(1, bytes);
    bool done = output;

    if (done && job->fill) {
        job->fill(job, size, output);
        done = write_file(BEFORE, output, bytes);
    }
    if (done) {
        job->compute(job, size, output);
        done = write_file(EXPECTED, output, bytes);
    }
    free(output);
    return done;
}

/* The value of a line's figure among the changes, or NULL. */
static const char *change_of(const char *line, const char *changes)
{
    size_t name = strcspn(line, " ");

    while (changes && *changes) {
        if (strncmp(changes, line, name) == 0 && changes[name] == '=')
            return changes + name + 1;
        changes = strchr(changes, ',');
        changes += changes != NULL;
    }
    return NULL;
}

/* Copies a description up to the other GPUs that it fits. */
static bool write_device(const char *path, const char *changes)
{
    FILE *in = fopen(path, "r"), *out = fopen(DEVICE, "w");
    char line[1024];
    bool is_open = in && out;

    while (is_open && fgets(line, sizeof(line), in) && line[0] != '[') {
        const char *value = change_of(line, changes);

        if (value)
            fprintf(out, "%.*s = %.*s | as measured\n", (int)strcspn(line, " "), line,
                    (int)strcspn(value, ","), value);
        else
            fputs(line, out);
    }
    if (in)
        fclose(in);
    return out && fclose(out) == 0 && is_open;
}

/* Nanoseconds of a launch: the median of its rounds. Of two rounds that differ by a few parts in a
 * thousand vebench gives no interval and calls the row unreliable, which is enough here: the next
 * run gives the same two. */
static double launch_ns(void)
{
    struct csv_file csv = {0};
    double ns = NAN;

    if (csv_file_load(&csv, ROWS) == 0 && csv.row_count == 1 &&
        strcmp(csv_file_field(&csv, 0, "verified"), "1") == 0)
        ns = strtod(csv_file_field(&csv, 0, "ns_median"), NULL);
    csv_file_free(&csv);
    return ns;
}

static double launch(const char *jobs, const struct host_job *job, char *device, unsigned lanes,
                     unsigned size)
{
    char path[PATH_BYTES], sizes[16], before[128], expected[128],
        option[HOST_JOB_OPTIONS][HOST_JOB_OPTION_BYTES];
    char *words[WORDS] = {getenv("VEBENCH"), "kernel", path,       "--emulate", device,
                          "--rounds",        "2",      "--force",  "--output",  "-",
                          "--sizes",         sizes,    "--buffer", expected};
    char *of_filled[] = {"--buffer", before};
    size_t count = 14, options = job->options ? job->options(job, size, option) : 0;

    snprintf(path, sizeof(path), "%s/%s.yaml", jobs, job->name);
    snprintf(sizes, sizeof(sizes), "%u", lanes);
    snprintf(before, sizeof(before), "%s=" BEFORE, job->output);
    snprintf(expected, sizeof(expected), "%s=@" EXPECTED, job->output);
    for (size_t i = 0; job->fill && i < sizeof(of_filled) / sizeof(*of_filled); i++)
        words[count++] = of_filled[i];
    for (size_t i = 0; i < options && count < WORDS - 1; i++)
        words[count++] = option[i];
    if (process_run(words, NULL, ROWS, SAID) == 0)
        return launch_ns();
    process_show_file(SAID);
    return NAN;
}

double run_job(const struct run_folders *folders, const struct host_job *job, const char *model,
               const char *changes, unsigned lanes, unsigned size)
{
    char path[PATH_BYTES], device[64];
    bool is_changed = changes[0];
    double rate = NAN;

    snprintf(path, sizeof(path), "%s/%s.device", folders->devices, model);
    snprintf(device, sizeof(device), "%s", is_changed ? DEVICE : model);
    if ((!is_changed || write_device(path, changes)) && write_buffers(job, size))
        rate = job->work(size) / launch(folders->jobs, job, device, lanes, size);
    else
        fprintf(stderr, "%s on %s: cannot write its files\n", job->name, model);
    remove(BEFORE);
    remove(EXPECTED);
    remove(DEVICE);
    return rate;
}
