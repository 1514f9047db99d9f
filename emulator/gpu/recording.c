#include "gpu/recording.h"

#include <stddef.h>

/* What a thread's part in the run has to do with its scoreboard: a run depends on a time that is
 * asked for before it is set. */
struct use {
    uint8_t issued[RINGS]; /* instructions so far */
    uint8_t nths[RINGS];   /* a bit for each n: the n-th last before the run is asked for */
    bool asked[sizeof(struct scoreboard) / sizeof(uint64_t)];
    bool set[sizeof(struct scoreboard) / sizeof(uint64_t)];
};

#define INDEX_OF(member) (offsetof(struct scoreboard, member) / sizeof(uint64_t))

enum { TOKEN_SOURCE_TIME, TOKEN_DESTINATION_TIME, TOKEN_TIMES };

static size_t token_index(unsigned token, unsigned time)
{
    return INDEX_OF(tokens) + TOKEN_TIMES * token + time;
}

static void ask(struct use *use, size_t index)
{
    if (!use->set[index])
        use->asked[index] = true;
}

static void ask_each(struct use *use, size_t first, uint32_t bits)
{
    for (; bits; bits &= bits - 1)
        ask(use, first + (unsigned)__builtin_ctz(bits));
}

static void set_each(struct use *use, size_t first, uint32_t bits)
{
    for (; bits; bits &= bits - 1)
        use->set[first + (unsigned)__builtin_ctz(bits)] = true;
}

static void ask_nth(struct use *use, unsigned ring, unsigned nth)
{
    if (nth > use->issued[ring])
        use->nths[ring] |= (uint8_t)(1u << (nth - use->issued[ring]));
}

static void ask_distance(struct use *use, const struct issue *issue)
{
    ask_nth(use, issue->distance_ring, issue->distance);
    for (unsigned ring = 0; issue->waits & WAITS_PIPES && ring < RING_OTHERS; ring++)
        ask_nth(use, ring, issue->distance);
}

/* What scoreboard_ready() reads. */
static void note_waits(struct use *use, const struct issue *issue)
{
    if (issue->distance)
        ask_distance(use, issue);
    if (issue->waits & WAITS_RESULT)
        ask(use, token_index(issue->token, TOKEN_DESTINATION_TIME));
    if (issue->waits & WAITS_SOURCE)
        ask(use, token_index(issue->token, TOKEN_SOURCE_TIME));
    if (issue->waits & WAITS_ADDRESS)
        ask(use, INDEX_OF(address));
    ask_each(use, INDEX_OF(flags), issue->flags_read);
    ask_each(use, INDEX_OF(accumulators), issue->accumulators_read);
    for (unsigned token = 0; token < TOKENS; token++) {
        if (issue->waits & WAITS_ALL_READ)
            ask(use, token_index(token, TOKEN_SOURCE_TIME));
        if (issue->waits & WAITS_ALL_WRITTEN)
            ask(use, token_index(token, TOKEN_DESTINATION_TIME));
    }
}

/* What issuing it writes. */
static void note_marks(struct use *use, const struct issue *issue)
{
    use->issued[issue->ring]++;
    if (issue->marks & MARKS_TOKEN)
        for (unsigned time = 0; time < TOKEN_TIMES; time++)
            use->set[token_index(issue->token, time)] = true;
    if (issue->marks & MARKS_ADDRESS)
        use->set[INDEX_OF(address)] = true;
    set_each(use, INDEX_OF(flags), issue->flags_written);
    set_each(use, INDEX_OF(accumulators), issue->accumulators_written);
}

/* A run in the making. */
struct making {
    const struct recording *recording;
    const struct ve *after;
    struct run *run;
    uint8_t *end;   /* of what is written */
    bool too_large; /* a time, or the number of lines */
};

static uint32_t time_of(struct making *m, uint64_t time)
{
    uint64_t ahead = cycles_ahead(time, m->recording->start);

    m->too_large |= ahead > UINT32_MAX;
    return (uint32_t)ahead;
}

static void add_time(struct making *m, size_t index, uint64_t time)
{
    struct board_time *of = (struct board_time *)(void *)m->end;

    *of = (struct board_time){(uint32_t)index, time_of(m, time)};
    m->end += sizeof(*of);
}

static void add_line(struct making *m, uint32_t line)
{
    struct run *run = m->run;

    for (uint32_t i = 0; i < run->line_count; i++)
        if (run->lines[i] == line)
            return;
    if (run->line_count == RUN_LINES_MAX)
        m->too_large = true;
    else
        run->lines[run->line_count++] = line;
}

/* Follows the thread through the run. */
static void follow(struct making *m, struct run_thread *thread, struct use *use)
{
    const struct recording *recording = m->recording;
    const struct issue *issue = thread->first;

    m->run->ports_asked |= (uint16_t)(1u << issue->port);
    for (uint32_t i = 0; i < recording->count; i++) {
        if (recording->issued[i].slot != thread->slot)
            continue;
        add_line(m, issue->line);
        thread->fetched = issue->line;
        thread->count++;
        m->run->ports_changed |= (uint16_t)(1u << issue->port);
        note_marks(use, issue);
        note_waits(use, ++issue);
        m->run->ports_asked |= (uint16_t)(1u << issue->port);
    }
    thread->next = issue;
}

/* The times before the run that it depends on. */
static void add_conditions(struct making *m, struct run_thread *thread, const struct use *use)
{
    const struct scoreboard *board = &m->recording->boards[thread->slot];
    const uint64_t *times = (const uint64_t *)(const void *)board;

    for (unsigned ring = 0; ring < RINGS; ring++)
        for (unsigned nth = 1; nth <= DISTANCE_LONGEST; nth++) {
            if (!(use->nths[ring] >> nth & 1))
                continue;
            add_time(m, RING_PLACE(ring, nth), scoreboard_nth_last(board, ring, nth));
            thread->nths++;
        }
    for (size_t i = 0; i < sizeof(use->asked) / sizeof(*use->asked); i++) {
        if (!use->asked[i])
            continue;
        add_time(m, i, times[i]);
        thread->reads++;
    }
}

static void add_results(struct making *m, struct run_thread *thread, const struct use *use)
{
    const struct thread_slot *slot = m->after->slots[thread->slot];
    const struct scoreboard *board = &slot->scoreboard;
    const uint64_t *times = (const uint64_t *)(const void *)board;

    thread->ready = time_of(m, slot->ready);
    thread->next_time = time_of(m, m->after->slot_time[thread->slot]);
    for (unsigned ring = 0; ring < RINGS; ring++) {
        unsigned issued = thread->issued[ring] = use->issued[ring];

        for (unsigned i = issued < SCOREBOARD_DISTANCE ? issued : SCOREBOARD_DISTANCE; i > 0; i--) {
            add_time(m, ring, board->done[ring][(board->issued[ring] - i) % SCOREBOARD_DISTANCE]);
            thread->rings++;
        }
    }
    for (size_t i = 0; i < sizeof(use->set) / sizeof(*use->set); i++) {
        if (!use->set[i])
            continue;
        add_time(m, i, times[i]);
        thread->writes++;
    }
}

static void add_thread(struct making *m, uint32_t slot)
{
    const struct ve *before = &m->recording->before;
    struct run_thread *thread = (struct run_thread *)(void *)m->end;
    struct use use = {0};

    *thread = (struct run_thread){.first = before->slot_issue[slot],
                                  .first_time = time_of(m, before->slot_time[slot]),
                                  .slot = (uint16_t)slot};
    m->end += sizeof(*thread);
    m->run->slots |= UINT32_C(1) << slot;
    m->run->thread_count++;
    follow(m, thread, &use);
    add_conditions(m, thread, &use);
    if (thread->count)
        add_results(m, thread, &use);
}

size_t recording_make_run(const struct recording *recording, const struct ve *ve,
                          const struct choice *next, struct run *run)
{
    const struct ve *before = &recording->before;
    struct making m = {recording, ve, run, (uint8_t *)(run + 1), false};

    *run = (struct run){.executed = recording->count,
                        .last_time = recording->issued[recording->count - 1].time,
                        .next_time = time_of(&m, next->time),
                        .next_slot = (uint8_t)next->slot,
                        .before_slot = (uint8_t)(before->last_slot & ve->turn_mask),
                        .last_slot = (uint8_t)ve->last_slot};
    for (uint32_t slots = before->runnable; slots; slots &= slots - 1) {
        uint32_t slot = (uint32_t)__builtin_ctz(slots);

        if (issue_time(before, slot) <= next->time)
            add_thread(&m, slot);
    }
    for (unsigned port = 0; port < PIPE_COUNT; port++) {
        if (run->ports_asked >> port & 1)
            run->ports_before[port] = time_of(&m, before->port_free[port]);
        if (run->ports_changed >> port & 1)
            run->ports_after[port] = time_of(&m, ve->port_free[port]);
    }
    return m.too_large ? 0 : (size_t)(m.end - (uint8_t *)run);
}
