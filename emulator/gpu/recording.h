/* What is noted of a run of instructions while a vector engine issues it, and what becomes of that:
 * see remembered.h. */
#ifndef VESIM_RECORDING_H
#define VESIM_RECORDING_H

#include "gpu/xe-core.h"

/* Instructions of a run. */
enum { RECORDING_LONGEST = 64 };

/* The engine before the run, and what it has issued. */
struct recording {
    struct ve before;
    struct scoreboard boards[VE_MAX_THREADS]; /* of the threads that could issue */
    uint64_t start;                           /* cycle of the first instruction */
    uint32_t count;
    struct {
        uint8_t slot;
        uint32_t time; /* cycles since `start` */
    } issued[RECORDING_LONGEST];
};

/* Notes that a slot's thread issues; `recording` may be NULL. */
static inline void recording_note(struct recording *recording, uint32_t slot, uint64_t now)
{
    if (!recording)
        return;
    recording->issued[recording->count].slot = (uint8_t)slot;
    recording->issued[recording->count++].time = (uint32_t)(now - recording->start);
}

/* A time of a scoreboard: by its index among all that there are, `done` and what is before and
 * behind it in turn; or by RING_PLACE(). */
struct board_time {
    uint32_t index;
    uint32_t time; /* cycles since the run began; 0: then, or before */
};

/* The n-th last of a ring. */
#define RING_PLACE(ring, nth) ((ring) << 4 | (nth))

/* A thread that issues in a run, or would have if others had not been first. Behind it there are
 * struct board_time: what the run depends on, by RING_PLACE() and by index; then what it leaves in
 * each ring, the last at the end, and elsewhere. */
struct run_thread {
    const struct issue *first, *next; /* instructions: before the run and after */
    uint32_t first_time;              /* that and others are cycles since the run began */
    uint32_t next_time, ready;
    uint32_t fetched;
    uint16_t slot;
    uint16_t count; /* instructions; 0: it keeps its times */
    uint16_t nths, reads;
    uint16_t rings, writes; /* times left in rings; elsewhere */
    uint8_t issued[RINGS];  /* instructions of each ring */
};

/* Lines of memory that a run may have instructions in; an odd number, for no padding. */
enum { RUN_LINES_MAX = 25 };

struct run {
    struct run *next_of_place;
    uint32_t executed;  /* instructions */
    uint32_t last_time; /* when the last of them issues, */
    uint32_t next_time; /* and when the next would */
    uint8_t next_slot;
    uint8_t before_slot, last_slot; /* that issued last: before and at the end */
    uint8_t thread_count;
    uint32_t slots;                      /* a bit for each of these threads */
    uint16_t ports_asked, ports_changed; /* a bit for each */
    uint32_t ports_before[PIPE_COUNT], ports_after[PIPE_COUNT];
    uint32_t line_count;
    uint32_t lines[RUN_LINES_MAX];
    /* struct run_thread */
};

/* Runs are compared byte by byte. */
_Static_assert(sizeof(struct run_thread) ==
                   2 * sizeof(void *) + 4 * sizeof(uint32_t) + 6 * sizeof(uint16_t) + RINGS,
               "no padding");
_Static_assert(sizeof(struct run) == sizeof(void *) + 3 * sizeof(uint32_t) + 4 + sizeof(uint32_t) +
                                         2 * sizeof(uint16_t) +
                                         (2 * PIPE_COUNT + 1 + RUN_LINES_MAX) * sizeof(uint32_t),
               "no padding");

/* No run takes more memory. */
enum {
    RUN_BYTES_MAX = sizeof(struct run) +
                    VE_MAX_THREADS * (sizeof(struct run_thread) + 2 * sizeof(struct scoreboard))
};

/* Writes the run to `run`, with room for RUN_BYTES_MAX. The engine, in its state behind it, would
 * go on with `next`. Returns its bytes; 0: it cannot be remembered. */
size_t recording_make_run(const struct recording *recording, const struct ve *ve,
                          const struct choice *next, struct run *run);

/* Cycles from `now` on; 0 for what is before. */
static inline uint64_t cycles_ahead(uint64_t time, uint64_t now)
{
    return time > now ? time - now : 0;
}

#endif
