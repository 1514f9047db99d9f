#include "timing/counters.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void counters_add(struct counters *sum, const struct counters *part)
{
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        sum->value[i] += part->value[i];
}

int counters_write_header(FILE *out)
{
    fputs("process_id,sequence,device,kernel_address,simd_width_lanes,work_groups,threads,"
          "start_cycles,end_cycles,duration_cycles,average_resident_threads,peak_resident_threads,"
          "thread_places",
          out);
#define COUNTER(name, what) fputs("," #name, out);
#include "timing/counters.def"
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
static double average_threads(const struct walk_record *record)
{
    uint64_t cycles = record->last_end - record->first_start;
    if (cycles == 0)
        return 0;
    return (double)record->counters.value[COUNTER_thread_cycles] / (double)cycles;
}

int counters_write_row(FILE *out, const struct walk_record *record)
{
    fprintf(out, "%ld,%" PRIu64 ",", (long)getpid(), record->sequence);
    write_text(out, record->device);
    fprintf(out,
            ",0x%" PRIx64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%.3f,%" PRIu32 ",%" PRIu32,
            record->kernel_address, record->simd_width, record->groups, record->threads,
            record->start, record->end, record->end - record->start, average_threads(record),
            record->peak_threads, record->thread_places);
    for (unsigned i = 0; i < COUNTER_COUNT; i++)
        fprintf(out, ",%" PRIu64, record->counters.value[i]);
    fputs("\r\n", out);
    return ferror(out) ? -1 : 0;
}

int counters_append(const char *path, const struct walk_record *record)
{
    struct stat status;
    FILE *file = fopen(path, "ae");
    if (!file)
        return -1;
    int result = flock(fileno(file), LOCK_EX);
    if (!result)
        result = fstat(fileno(file), &status);
    if (!result && status.st_size == 0)
        result = counters_write_header(file);
    if (!result)
        result = counters_write_row(file, record);
    int error = errno;
    if (fclose(file)) /* which lets go of the lock */
        return -1;
    errno = error;
    return result;
}
