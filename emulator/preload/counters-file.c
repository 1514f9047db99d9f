#include "preload/counters-file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_header(FILE *out)
{
    fputs("process_id,sequence,device,kernel_address,simd_width_lanes,work_groups,threads,"
          "start_cycles,end_cycles,duration_cycles,average_resident_threads,peak_resident_threads,"
          "thread_slots",
          out);
#define COUNTER(name, what) fputs("," #name, out);
#include "vesim/counters.def"
#undef COUNTER
    fputs("\r\n", out);
    return ferror(out) ? -1 : 0;
}

/* A field that may hold anything: in quotes where it has to be. */
static void write_text(FILE *out, const char *text)
{
    bool plain = true;

    for (const char *c = text; *c; c++)
        plain &= *c != '"' && *c != ',' && *c != '\r' && *c != '\n';
    if (plain) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* Threads resident on average, while there were any. */
static double average_threads(const struct vesim_walk *walk)
{
    uint64_t cycles = walk->last_end - walk->first_start;

    if (cycles == 0)
        return 0;
    return (double)walk->counters[VESIM_COUNTER_thread_cycles] / (double)cycles;
}

static int write_row(FILE *out, const struct vesim_walk *walk)
{
    fprintf(out, "%ld,%" PRIu64 ",", (long)getpid(), walk->sequence);
    write_text(out, walk->device);
    fprintf(out,
            ",0x%" PRIx64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%.3f,%" PRIu32 ",%" PRIu32,
            walk->kernel_address, walk->simd_width, walk->groups, walk->threads, walk->start,
            walk->end, walk->end - walk->start, average_threads(walk), walk->peak_threads,
            walk->thread_slots);
    for (unsigned i = 0; i < VESIM_COUNTER_COUNT; i++)
        fprintf(out, ",%" PRIu64, walk->counters[i]);
    fputs("\r\n", out);
    return ferror(out) ? -1 : 0;
}

int counters_file_append(const char *path, const struct vesim_walk *walk)
{
    struct stat status;
    FILE *file = fopen(path, "ae");

    if (!file)
        return -1;
    int result = flock(fileno(file), LOCK_EX);
    if (!result)
        result = fstat(fileno(file), &status);
    if (!result && status.st_size == 0)
        result = write_header(file);
    if (!result)
        result = write_row(file, walk);
    int error = errno;
    if (fclose(file)) /* which lets go of the lock */
        return -1;
    errno = error;
    return result;
}
