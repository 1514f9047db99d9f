#include "gpu/remembered.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/recording.h"

enum {
    RUNS_BYTES = 1 << 18, /* of a program's runs; when they are full, all are forgotten */
    RUNS_OF_PLACE = 8,    /* that are looked at */
    VISITS = 16,          /* of a place, from which to tell how long its runs are */
    WORTH = 12,           /* instructions of a run for which looking it up pays */
    CREDIT = 1024,        /* of a place whose runs are to be remembered: */
    COST = 16,            /* what recording one takes of it; each that is found again gives 1 */
    DOUBT_MAX = 16,
};

_Static_assert(RUNS_BYTES >= 2 * RUN_BYTES_MAX, "room for some");

/* An instruction as the beginning of runs. */
struct place {
    struct run *runs; /* the last that was found, first */
    uint32_t visits;  /* runs that began here, of so many instructions */
    uint64_t issued;
    int32_t credit; /* 0: none is remembered */
    uint8_t doubt;  /* how often credit has run out: it takes twice the visits each time */
};

void remembered_begin(struct remembered *remembered, const struct program *program)
{
    if (remembered->serial == program->serial)
        return;
    free(remembered->places);
    remembered->places = NULL;
    remembered->place_count = program->count;
    remembered->serial = program->serial;
    remembered->used = 0;
}

void remembered_release(struct remembered *remembered)
{
    free(remembered->places);
    free(remembered->runs);
    free(remembered->recording);
    free(remembered->anew);
}

struct place *remembered_place(struct remembered *remembered, const struct ve *ve, uint32_t number)
{
    const struct program *program = ve->slots[number]->thread.program;
    uint64_t index = (uint64_t)(ve->slot_issue[number] - program->issues);

    if (index >= remembered->place_count) /* in a function outside, which is decoded later */
        return NULL;
    if (!remembered->places)
        remembered->places = calloc(remembered->place_count, sizeof(*remembered->places));
    return remembered->places ? &remembered->places[index] : NULL;
}

static inline const struct run_thread *first_thread(const struct run *run)
{
    return (const struct run_thread *)(const void *)(run + 1);
}

static inline const struct board_time *times_of(const struct run_thread *thread)
{
    return (const struct board_time *)(const void *)(thread + 1);
}

static inline const struct run_thread *next_thread(const struct run_thread *thread)
{
    return (const struct run_thread *)(const void *)(times_of(thread) + thread->nths +
                                                     thread->reads + thread->rings +
                                                     thread->writes);
}

static inline bool board_fits(const struct run_thread *thread, const struct scoreboard *board,
                              uint64_t now)
{
    const struct board_time *of = times_of(thread);
    const uint64_t *times = (const uint64_t *)(const void *)board;

    for (unsigned i = 0; i < thread->nths; i++, of++)
        if (cycles_ahead(scoreboard_nth_last(board, of->index >> 4, of->index & 15), now) !=
            of->time)
            return false;
    for (unsigned i = 0; i < thread->reads; i++, of++)
        if (cycles_ahead(times[of->index], now) != of->time)
            return false;
    return true;
}

static inline bool thread_fits(const struct run_thread *thread, const struct ve *ve, uint64_t now)
{
    return ve->slot_issue[thread->slot] == thread->first &&
           cycles_ahead(ve->slot_time[thread->slot], now) == thread->first_time &&
           board_fits(thread, &ve->slots[thread->slot]->scoreboard, now);
}

/* Whether the engine is in a state from which it issues this run, if nothing ends it before. */
static bool run_fits(const struct run *run, const struct ve *ve, uint64_t now)
{
    const struct run_thread *thread = first_thread(run);

    if (run->before_slot != (ve->last_slot & ve->turn_mask))
        return false;
    for (unsigned i = 0; i < run->thread_count; i++, thread = next_thread(thread))
        if (!thread_fits(thread, ve, now))
            return false;
    for (unsigned ports = run->ports_asked; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);

        if (cycles_ahead(ve->port_free[port], now) != run->ports_before[port])
            return false;
    }
    /* ports only get busier */
    for (uint32_t others = ve->runnable & ~run->slots; others; others &= others - 1)
        if (issue_time(ve, (uint32_t)__builtin_ctz(others)) <= now + run->next_time)
            return false;
    return true;
}

/* Whether all its instructions are where the instruction cache is asked first. */
static bool lines_are_there(const struct run *run, const struct cache *instructions, uint64_t first,
                            uint64_t now)
{
    for (uint32_t i = 0; i < run->line_count; i++) {
        uint64_t line = first + run->lines[i];
        const struct cache_line *cached = cache_set(instructions, line);

        if (!cache_is_line(instructions, cached, line) || cached->ready > now)
            return false;
    }
    return true;
}

/* One that fails does so again when it issues. */
static bool execute_all(const struct run *run, struct ve *ve)
{
    const struct run_thread *thread = first_thread(run);
    bool done = true;

    for (unsigned i = 0; done && i < run->thread_count; i++, thread = next_thread(thread))
        done = thread_slot_execute(ve->slots[thread->slot], thread->count);
    return done;
}

static inline void set_board(const struct run_thread *thread, struct scoreboard *board,
                             uint64_t now)
{
    const struct board_time *of = times_of(thread) + thread->nths + thread->reads;
    uint64_t *times = (uint64_t *)(void *)board;
    uint32_t start[RINGS];

    for (unsigned ring = 0; ring < RINGS; ring++) {
        unsigned issued = thread->issued[ring];

        start[ring] =
            board->issued[ring] + (issued > SCOREBOARD_DISTANCE ? issued - SCOREBOARD_DISTANCE : 0);
        board->issued[ring] += issued;
    }
    for (unsigned i = 0; i < thread->rings; i++, of++)
        board->done[of->index][start[of->index]++ % SCOREBOARD_DISTANCE] = now + of->time;
    for (unsigned i = 0; i < thread->writes; i++, of++)
        times[of->index] = now + of->time;
}

static inline void set_thread(const struct run_thread *thread, struct ve *ve, uint64_t now)
{
    struct thread_slot *slot = ve->slots[thread->slot];

    if (thread->count == 0)
        return;
    set_board(thread, &slot->scoreboard, now);
    slot->thread.index += thread->count;
    slot->ready = now + thread->ready;
    slot->fetched = thread->fetched;
    set_next(ve, slot, thread->next, now + thread->next_time);
}

/* The engine's state at the end of the run, from that at its beginning. */
static void set_times(const struct run *run, struct ve *ve, struct choice *next)
{
    const struct run_thread *thread = first_thread(run);
    const uint64_t now = next->time;

    for (unsigned i = 0; i < run->thread_count; i++, thread = next_thread(thread))
        set_thread(thread, ve, now);
    for (unsigned ports = run->ports_changed; ports; ports &= ports - 1) {
        unsigned port = (unsigned)__builtin_ctz(ports);

        ve->port_free[port] = now + run->ports_after[port];
    }
    ve->last_slot = run->last_slot;
    *next = (struct choice){now + run->next_time, run->next_slot, 0};
}

/* The run of the place for the engine's state, now the first of the place; NULL if none is
 * known. */
static const struct run *find_run(struct place *place, const struct ve *ve, uint64_t now)
{
    struct run **at = &place->runs;

    for (unsigned i = 0; *at && i < RUNS_OF_PLACE; i++, at = &(*at)->next_of_place) {
        struct run *run = *at;

        if (!run_fits(run, ve, now))
            continue;
        *at = run->next_of_place;
        run->next_of_place = place->runs;
        return place->runs = run;
    }
    return NULL;
}

const struct run *remembered_find(const struct xe_core *core, const struct ve *ve,
                                  struct place *place, uint64_t limit, uint64_t left,
                                  const struct choice *next)
{
    const struct run *run = place->credit > 0 ? find_run(place, ve, next->time) : NULL;

    if (!run || next->time + run->last_time >= limit || run->executed > left ||
        !lines_are_there(run, &core->instructions, ve->slots[next->slot]->thread.program->line,
                         next->time))
        return NULL;
    place->credit += place->credit < CREDIT;
    return run;
}

uint32_t remembered_replay(struct xe_core *core, struct ve *ve, struct place *place, uint64_t limit,
                           uint64_t left, struct choice *next)
{
    const struct run *run = remembered_find(core, ve, place, limit, left, next);

    if (!run || !execute_all(run, ve))
        return 0;
    set_times(run, ve, next);
    return run->executed;
}

uint32_t remembered_length(const struct run *run)
{
    return run->executed;
}

/* Notes what the engine, now in the state before a run, will issue; NULL: no memory. */
static struct recording *begin_recording(struct remembered *remembered, const struct ve *ve,
                                         const struct choice *next)
{
    struct recording *recording = remembered->recording;

    if (!recording)
        recording = remembered->recording =
            aligned_alloc(alignof(struct recording), sizeof(*recording));
    if (!recording)
        return NULL;
    recording->start = next->time;
    recording->count = 0;
    recording->before = *ve;
    for (uint32_t slots = ve->runnable; slots; slots &= slots - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(slots);

        recording->boards[slot] = ve->slots[slot]->scoreboard;
    }
    return recording;
}

struct recording *remembered_check_with(struct remembered *remembered, const struct ve *ve,
                                        const struct choice *next)
{
    if (!remembered->anew)
        remembered->anew = malloc(RUN_BYTES_MAX);
    return remembered->anew ? begin_recording(remembered, ve, next) : NULL;
}

bool remembered_matches(const struct remembered *remembered, const struct run *run,
                        const struct ve *ve, const struct choice *next)
{
    struct run *anew = remembered->anew;
    size_t bytes = recording_make_run(remembered->recording, ve, next, anew);

    anew->next_of_place = run->next_of_place;
    return bytes > 0 && memcmp(anew, run, bytes) == 0;
}

struct recording *remembered_record(struct remembered *remembered, struct place *place,
                                    const struct ve *ve, uint64_t limit, const struct choice *next)
{
    /* near the limit, it would be cut off */
    if (place->credit <= 0 || limit - next->time < RECORDING_LONGEST)
        return NULL;
    return begin_recording(remembered, ve, next);
}

/* Room for a run; NULL: out of memory. */
static struct run *run_room(struct remembered *remembered)
{
    if (!remembered->runs)
        remembered->runs = malloc(RUNS_BYTES);
    if (remembered->runs && remembered->used + RUN_BYTES_MAX > RUNS_BYTES) {
        for (uint32_t i = 0; i < remembered->place_count; i++)
            remembered->places[i].runs = NULL;
        remembered->used = 0;
    }
    return remembered->runs ? (struct run *)(void *)(remembered->runs + remembered->used) : NULL;
}

static void keep(struct remembered *remembered, struct place *place,
                 const struct recording *recording, const struct ve *ve, const struct choice *next)
{
    struct run *run = run_room(remembered);
    size_t bytes = run ? recording_make_run(recording, ve, next, run) : 0;

    if (bytes == 0)
        return;
    remembered->used += bytes;
    run->next_of_place = place->runs;
    place->runs = run;
}

/* Whether the runs of the place are long. */
static void judge(struct place *place, uint64_t issued)
{
    place->issued += issued;
    if (++place->visits < (uint32_t)VISITS << place->doubt)
        return;
    place->credit = place->issued >= (uint64_t)WORTH * place->visits ? CREDIT : 0;
    place->visits = 0;
    place->issued = 0;
}

void remembered_learn(struct remembered *remembered, struct place *place, uint64_t issued,
                      const struct recording *recording, const struct ve *ve,
                      const struct choice *next)
{
    if (place->credit <= 0) {
        judge(place, issued);
        return;
    }
    if (!recording)
        return;
    /* a run that ends because of the limit or a missing line is a part of another */
    if (issued == RECORDING_LONGEST || ve->slot_needs[next->slot] & ~(uint32_t)NEEDS_FETCH)
        keep(remembered, place, recording, ve, next);
    place->credit -= COST;
    if (place->credit <= 0) {
        place->runs = NULL;
        place->doubt += place->doubt < DOUBT_MAX;
    }
}
