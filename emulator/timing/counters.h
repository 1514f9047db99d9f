/* What happened during a walk, counted: why it took as long as it did. */
#ifndef VESIM_COUNTERS_H
#define VESIM_COUNTERS_H

#include <stdint.h>
#include <stdio.h>

enum counter {
#define COUNTER(name, what) COUNTER_##name,
#include "timing/counters.def"
#undef COUNTER
    COUNTER_COUNT
};

struct counters {
    uint64_t value[COUNTER_COUNT];
};

static inline void count(struct counters *counters, enum counter counter, uint64_t amount)
{
    counters->value[counter] += amount;
}

void counters_add(struct counters *sum, const struct counters *part);

/* A walk with its counters: a row of the file. */
struct walk_record {
    uint64_t sequence; /* of the walk in its process, from 0 */
    uint64_t kernel_address;
    const char *device;
    uint32_t simd_width;
    uint64_t groups, threads;
    uint64_t start, end;                  /* GPU clock cycles */
    uint64_t first_start, last_end;       /* of its threads */
    uint32_t peak_threads, thread_places; /* resident at once; the device's places for them */
    struct counters counters;
};

/* The CSV (RFC 4180) that `vesim --counters` writes: its header line, and a walk's row. Both return
 * 0, or -1 when `out` fails. */
int counters_write_header(FILE *out);
int counters_write_row(FILE *out, const struct walk_record *record);

/* Appends to the file at `path`, the header first if it is empty; several processes may do so at
 * once. Returns 0, or -1 with errno set. */
int counters_append(const char *path, const struct walk_record *record);

#endif
