/* Members of thousands of ranks in one process, with simulated time: configurations are dealt out
 * and rows arrive, whoever is slow, lost or out of disk; what passes rank 0 grows with those right
 * below it, and not with the ranks; and how well a sweep scales. */
#include "test.h"

#include "base/prng.h"
#include "ranks/member.h"

#include <math.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS_A_NODE = 12, ROW_BYTES = 600, ROWS_A_CONFIGURATION = 4, STEP_MS = 500, FIGURES = 40 };

/* Latency between two members: they look for messages every 1 to 8 ms. */
#define LATENCY_US       UINT64_C(8000)
#define CONFIGURATION_US UINT64_C(300000)

/* The sanitizers take ten times as long. */
#ifdef SANITIZED
#define CONFIGURATIONS_EACH UINT64_C(60)
#else
#define CONFIGURATIONS_EACH UINT64_C(600)
#endif

struct event {
    uint64_t at_us, number;
    uint32_t from, to; /* the same: of its sweep */
    bool is_done;      /* the sweep of `to` is done with what it had; otherwise a message */
    bool is_from_sweep;
    enum wire_kind kind;
    char *data; /* owned */
    size_t bytes;
};

/* The sweep of a rank, which takes a while for each configuration. */
struct idle_sweep {
    uint64_t sequence;
    bool has_one, has_ended, is_stopped;
    double slowness;
    double figures[FIGURES]; /* that it has measured */
    struct totals totals;    /* as it was told in the end */
};

struct rank {
    struct member member;
    struct idle_sweep sweep;
    bool is_dead, fails_to_write;
    double slower;      /* its figures, than those of most */
    uint64_t clock_ms;  /* what its node's clock shows at the beginning */
    uint64_t written;   /* bytes, of a leader */
    uint64_t most_will; /* bytes of wills that it holds at most */
};

static struct {
    struct rank *ranks;
    uint32_t count;
    uint64_t configurations;
    bool is_each;
    uint64_t now_us, number;
    struct event *heap;
    size_t events, room;
    unsigned *written; /* of each configuration, or with is_each of each rank: how often */
    unsigned *failed;
    uint64_t root_messages, root_bytes;
} run;

static bool is_earlier(const struct event *a, const struct event *b)
{
    return a->at_us != b->at_us ? a->at_us < b->at_us : a->number < b->number;
}

static void push(struct event event)
{
    size_t at = run.events++;

    if (run.events > run.room) {
        run.room = 2 * run.events + 1024;
        run.heap = realloc(run.heap, run.room * sizeof(*run.heap));
        assert_non_null(run.heap);
    }
    event.number = run.number++;
    while (at > 0 && is_earlier(&event, &run.heap[(at - 1) / 2])) {
        run.heap[at] = run.heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    run.heap[at] = event;
}

static struct event pop(void)
{
    struct event first = run.heap[0], last = run.heap[--run.events];
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < run.events; at = child) {
        if (child + 1 < run.events && is_earlier(&run.heap[child + 1], &run.heap[child]))
            child++;
        if (is_earlier(&last, &run.heap[child]))
            break;
        run.heap[at] = run.heap[child];
    }
    run.heap[at] = last;
    return first;
}

static void send(uint32_t from, uint32_t to, bool is_from_sweep, enum wire_kind kind,
                 struct text head, struct text data)
{
    struct event event = {.at_us = run.now_us + (is_from_sweep ? 10 : LATENCY_US),
                          .from = from,
                          .to = to,
                          .is_from_sweep = is_from_sweep,
                          .kind = kind,
                          .bytes = head.bytes + data.bytes};

    event.data = malloc(event.bytes + 1);
    assert_non_null(event.data);
    if (head.bytes)
        memcpy(event.data, head.at, head.bytes);
    if (data.bytes)
        memcpy(event.data + head.bytes, data.at, data.bytes);
    push(event);
}

static uint32_t rank_of(const struct rank *rank)
{
    return (uint32_t)(rank - run.ranks);
}

static void sweep_says(const struct rank *rank, enum wire_kind kind, const void *data, size_t bytes,
                       struct text rows)
{
    send(rank_of(rank), rank_of(rank), true, kind, (struct text){data, bytes}, rows);
}

static void end_sweep(struct rank *rank, const struct slow_rank *slow)
{
    struct totals totals = {.ok = 0, .ranks = 1, .compared = run.is_each};

    if (slow)
        totals_add_slow(&totals, slow);
    rank->sweep.has_ended = true;
    sweep_says(rank, WIRE_END, &totals, sizeof(totals), (struct text){NULL, 0});
}

static double figure_of(unsigned figure)
{
    return 20.0 * pow(1.5, figure);
}

/* Figures scatter by 0.5 % among GPUs. */
static void tell_figures(struct rank *rank)
{
    struct sketch_cell cells[FIGURES];
    struct prng random;

    prng_seed(&random, rank_of(rank) + 1);
    for (unsigned i = 0; i < FIGURES; i++) {
        double *value = &rank->sweep.figures[i];

        *value = figure_of(i) * rank->slower * (0.995 + 1e-5 * prng_below(&random, 1001));
        cells[i] = sketch_cell(i, *value);
    }
    sweep_says(rank, WIRE_FIGURES, cells, sizeof(cells), (struct text){NULL, 0});
}

/* The medians are those that were planted, whoever is slow or lost; ends the sweep. */
static void take_medians(struct rank *rank, struct text text)
{
    const struct sketch_median *medians = (const void *)text.at;
    double above = 0.0;

    if (rank->sweep.has_ended)
        return;
    assert_int_equal(text.bytes, FIGURES * sizeof(*medians));
    for (unsigned i = 0; i < FIGURES; i++) {
        assert_int_equal(medians[i].key, i);
        assert_true(fabs(medians[i].median / figure_of(i) - 1.0) < 0.002);
        assert_true(medians[i].spread > 0.001 && medians[i].spread < 0.004);
        above += (rank->sweep.figures[i] / medians[i].median - 1.0) / FIGURES;
    }
    const struct slow_rank slow = {.rank = rank_of(rank), .figures = FIGURES, .deviation = above};
    end_sweep(rank, above > 0.01 ? &slow : NULL);
}

/* Nothing is left to measure. */
static void conclude(struct rank *rank)
{
    if (run.is_each && !rank->sweep.is_stopped)
        tell_figures(rank);
    else
        end_sweep(rank, NULL);
}

static void begin_configuration(struct rank *rank, uint64_t sequence)
{
    char rows[ROW_BYTES] = "lost";
    struct wire_entry will = {.rank = rank_of(rank),
                              .sequence = sequence,
                              .rows = ROWS_A_CONFIGURATION,
                              .left = run.is_each ? run.configurations - sequence - 1 : 0};

    rank->sweep.sequence = sequence;
    rank->sweep.has_one = true;
    sweep_says(rank, WIRE_WILL, &will, sizeof(will), (struct text){rows, sizeof(rows)});
    push((struct event){.at_us = run.now_us + (uint64_t)(CONFIGURATION_US * rank->sweep.slowness),
                        .to = rank_of(rank),
                        .from = rank_of(rank),
                        .is_done = true});
}

static void ask(struct rank *rank)
{
    const struct wire_ask one = {1, 1};

    sweep_says(rank, WIRE_ASK, &one, sizeof(one), (struct text){NULL, 0});
}

static void finish_configuration(struct rank *rank)
{
    char rows[ROW_BYTES * ROWS_A_CONFIGURATION] = "rows";
    struct idle_sweep *sweep = &rank->sweep;
    struct wire_entry entry = {.rank = rank_of(rank), .sequence = sweep->sequence};

    sweep->has_one = false;
    sweep_says(rank, WIRE_ROWS, &entry, sizeof(entry), (struct text){rows, sizeof(rows)});
    if (sweep->is_stopped || (run.is_each && sweep->sequence + 1 == run.configurations))
        conclude(rank);
    else if (run.is_each)
        begin_configuration(rank, sweep->sequence + 1);
    else
        ask(rank);
}

/* The ways of a member. */

static void to_rank(void *context, uint32_t rank, enum wire_kind kind, struct text head,
                    struct text data)
{
    if (rank == 0) {
        run.root_messages++;
        run.root_bytes += head.bytes + data.bytes;
    }
    send(rank_of(context), rank, false, kind, head, data);
}

static void to_sweep(void *context, enum wire_kind kind, struct text head, struct text data)
{
    struct rank *rank = context;
    struct wire_range range;

    (void)data;
    if (kind == WIRE_FIGURES) {
        take_medians(rank, head);
    } else if (kind == WIRE_END) {
        memcpy(&rank->sweep.totals, head.at, sizeof(rank->sweep.totals));
    } else if (kind == WIRE_ASK && !rank->sweep.has_ended) {
        memcpy(&range, head.at, sizeof(range));
        if (range.count == 0 || rank->sweep.is_stopped)
            conclude(rank);
        else
            begin_configuration(rank, range.first);
    }
}

static void stop_sweep(void *context)
{
    struct rank *rank = context;

    rank->sweep.is_stopped = true;
}

static enum status write_rows(void *context, const struct wire_entry *entry, struct text rows,
                              struct error *error)
{
    struct rank *rank = context;
    size_t at = entry->sequence + (run.is_each ? entry->rank * run.configurations : 0);

    if (rank->fails_to_write && rank->written > 20000)
        return error_set(error, STATUS_FAILED, "No space left on device");
    rank->written += rows.bytes;
    if (!strcmp(rows.at, "lost"))
        run.failed[at]++;
    else
        run.written[at]++;
    return STATUS_OK;
}

static enum status commit_rows(void *context, struct error *error)
{
    (void)context;
    (void)error;
    return STATUS_OK;
}

static enum status close_files(void *context, struct text *line, struct error *error)
{
    (void)context;
    (void)error;
    *line = (struct text){"x4001c2s3b0n0.csv,4800\r\n", 24};
    return STATUS_OK;
}

static enum status write_manifest(void *context, struct text lines, struct error *error)
{
    (void)context;
    (void)lines;
    (void)error;
    return STATUS_OK;
}

static uint64_t *node_ranks; /* of each node and those below it */

static void place_rank(uint32_t r, struct member_place *place, uint32_t *below, uint64_t *ranks)
{
    uint32_t node = r / GPUS_A_NODE, nodes = (run.count + GPUS_A_NODE - 1) / GPUS_A_NODE, first,
             count;

    *place =
        (struct member_place){.rank = r, .count = run.count, .below = below, .below_ranks = ranks};
    place->is_leader = r % GPUS_A_NODE == 0;
    if (!place->is_leader) {
        place->above[place->above_count++] = node * GPUS_A_NODE;
        return;
    }
    for (uint32_t i = 1; i < GPUS_A_NODE && r + i < run.count; i++) {
        ranks[place->below_count] = 1;
        below[place->below_count++] = r + i;
    }
    for (uint32_t at = node; at > 0;) {
        at = tree_above(at);
        place->above[place->above_count++] = at * GPUS_A_NODE;
    }
    tree_below(node, nodes, &first, &count);
    for (uint32_t i = 0; i < count; i++) {
        ranks[place->below_count] = node_ranks[first + i];
        below[place->below_count++] = (first + i) * GPUS_A_NODE;
    }
}

static struct member_ways *ways; /* of each rank */

static void begin_run(uint32_t count, uint64_t configurations, bool is_each)
{
    memset(&run, 0, sizeof(run));
    run.count = count;
    run.configurations = configurations;
    run.is_each = is_each;
    run.ranks = calloc(count, sizeof(*run.ranks));
    ways = calloc(count, sizeof(*ways));
    run.written = calloc(configurations * (is_each ? count : 1), sizeof(*run.written));
    run.failed = calloc(configurations * (is_each ? count : 1), sizeof(*run.failed));
    assert_true(run.ranks && ways && run.written && run.failed);
    uint32_t nodes = (count + GPUS_A_NODE - 1) / GPUS_A_NODE;
    node_ranks = calloc(nodes, sizeof(*node_ranks));
    assert_non_null(node_ranks);
    for (uint32_t r = 0; r < count; r++)
        node_ranks[r / GPUS_A_NODE]++;
    tree_sum(node_ranks, nodes);
    for (uint32_t r = 0; r < count; r++) {
        uint32_t below[GPUS_A_NODE + LEADERS_BELOW];
        uint64_t ranks[GPUS_A_NODE + LEADERS_BELOW];
        struct rank *rank = &run.ranks[r];
        struct member_place place;
        struct error error;

        ways[r] = (struct member_ways){rank,       to_rank,     to_sweep,    stop_sweep,
                                       write_rows, commit_rows, close_files, write_manifest};
        place_rank(r, &place, below, ranks);
        assert_int_equal(member_open(&rank->member, &place, &ways[r], &error), STATUS_OK);
        rank->sweep.slowness = rank->slower = 1.0;
        rank->clock_ms = 1 + 977u * (r / GPUS_A_NODE); /* clocks of nodes differ by minutes */
    }
}

static void end_run(void)
{
    while (run.events > 0)
        free(pop().data);
    for (uint32_t r = 0; r < run.count; r++)
        member_close(&run.ranks[r].member);
    free(node_ranks);
    free(run.heap);
    free(run.written);
    free(run.failed);
    free(run.ranks);
    free(ways);
}

static void start_all(void)
{
    const struct wire_plan plan = {.total = run.is_each ? 0 : run.configurations,
                                   .left = run.is_each ? run.configurations : 0};

    for (uint32_t r = 0; r < run.count; r++) {
        sweep_says(&run.ranks[r], WIRE_PLAN, &plan, sizeof(plan), (struct text){NULL, 0});
        if (run.is_each)
            begin_configuration(&run.ranks[r], 0);
        else
            ask(&run.ranks[r]);
    }
}

static void note_memory(struct rank *rank)
{
    uint64_t bytes = rank->member.below_room * sizeof(*rank->member.below) +
                     rank->member.shared.room + rank->member.manifest.room +
                     rank->member.medians.room +
                     rank->member.figures.count * sizeof(struct sketch_cell);

    for (uint32_t i = 0; i < rank->member.below_count; i++)
        bytes += rank->member.below[i].will_rows ? rank->member.below[i].will_bytes : 0;
    rank->most_will = bytes > rank->most_will ? bytes : rank->most_will;
}

static void tick_all(void)
{
    for (uint32_t r = 0; r < run.count; r++) {
        struct rank *rank = &run.ranks[r];

        /* One clock goes a thousandth fast, the next as it should. */
        if (!rank->is_dead)
            member_tick(&rank->member, rank->clock_ms + run.now_us / 1000 +
                                           (r / GPUS_A_NODE % 2) * run.now_us / 1000000);
        note_memory(rank);
    }
}

static bool all_have_finished(void)
{
    for (uint32_t r = 0; r < run.count; r++) {
        if (!run.ranks[r].is_dead && !run.ranks[r].member.is_finished)
            return false;
    }
    return true;
}

static void kill_rank(uint32_t rank)
{
    uint32_t leader = rank / GPUS_A_NODE * GPUS_A_NODE;

    run.ranks[rank].is_dead = true;
    if (rank != leader && !run.ranks[leader].is_dead)
        member_lose(&run.ranks[leader].member, rank, "the process ended");
}

static void happen(struct event *event)
{
    struct rank *rank = &run.ranks[event->to];

    if (rank->is_dead || (event->is_done && rank->sweep.has_ended))
        return;
    const struct wire_message message = {event->kind, event->data, event->bytes};
    if (event->is_done)
        finish_configuration(rank);
    else
        member_take(&rank->member, event->from, &message);
}

/* Runs until all have finished, and kills some on the way. Returns the seconds. */
static double run_all(const uint32_t *kills, size_t kill_count, uint64_t kill_us)
{
    uint64_t tick_us = 0;
    bool has_killed = false;

    start_all();
    while (run.events > 0 || !all_have_finished()) {
        assert_true(run.now_us < UINT64_C(4000000000)); /* it ends */
        if (run.events == 0 || run.heap[0].at_us >= tick_us) {
            run.now_us = tick_us;
            tick_us += STEP_MS * 1000;
            tick_all();
            if (!has_killed && run.now_us >= kill_us)
                for (size_t i = 0; i < kill_count; i++)
                    kill_rank(kills[i]);
            has_killed = has_killed || run.now_us >= kill_us;
            if (all_have_finished())
                break;
            continue;
        }
        struct event event = pop();
        run.now_us = event.at_us;
        happen(&event);
        free(event.data);
    }
    for (uint32_t r = 0; r < run.count; r++)
        note_memory(&run.ranks[r]);
    return (double)run.now_us / 1e6;
}

/* How many have rows, once each; others have been lost, at most once. */
static uint64_t count_written(uint64_t *failed)
{
    uint64_t written = 0, all = run.configurations * (run.is_each ? run.count : 1);

    *failed = 0;
    for (uint64_t i = 0; i < all; i++) {
        assert_true(run.written[i] + run.failed[i] <= 1);
        written += run.written[i];
        *failed += run.failed[i];
    }
    return written;
}

static const struct totals *totals_of_root(void)
{
    return &run.ranks[0].sweep.totals;
}

/* Seconds that a sweep of so many configurations takes, with all its rows. */
static double shared_s(uint32_t ranks, uint64_t configurations)
{
    uint64_t failed;

    begin_run(ranks, configurations, false);
    double seconds = run_all(NULL, 0, UINT64_MAX);
    assert_int_equal(count_written(&failed), configurations);
    assert_int_equal(failed, 0);
    assert_int_equal(totals_of_root()->ranks, ranks);
    assert_int_equal(totals_of_root()->files, (ranks + GPUS_A_NODE - 1) / GPUS_A_NODE);
    end_run();
    return seconds;
}

static void test_speed_up(void **state)
{
    const uint64_t configurations = 640;
    double alone = shared_s(1, configurations);

    (void)state;
    puts("ranks  seconds  of linear");
    for (uint32_t ranks = 1; ranks <= 32; ranks *= 2) {
        double seconds = shared_s(ranks, configurations);
        double part = alone / seconds / ranks;

        printf("%5u  %7.2f  %9.3f\n", ranks, seconds, part);
        assert_true(part >= 0.9);
    }
}

/* Without rows, alive messages and sums are what passes rank 0; ten times the ranks are no more. */
static void test_what_passes_rank_0(void **state)
{
    uint64_t messages[2], bytes[2];
    double seconds[2];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint32_t ranks = i ? 10008 : 1008;
        uint64_t failed, most = 0;

        begin_run(ranks, 100, true);
        seconds[i] = run_all(NULL, 0, UINT64_MAX);
        assert_int_equal(count_written(&failed), 100 * (uint64_t)ranks);
        for (uint32_t r = 0; r < ranks; r++)
            most = run.ranks[r].most_will > most ? run.ranks[r].most_will : most;
        messages[i] = run.root_messages;
        bytes[i] = run.root_bytes;
        printf("%u ranks, 100 configurations each: %.1f s, %llu messages and %llu bytes at rank 0; "
               "a member keeps %llu bytes at most\n",
               ranks, seconds[i], (unsigned long long)messages[i], (unsigned long long)bytes[i],
               (unsigned long long)most);
        assert_true(most < 200000);
        end_run();
    }
    assert_true(messages[1] < 2 * messages[0]);
    /* The manifest has a line for each node. */
    assert_true(bytes[1] < 2 * bytes[0] + 24u * 10008 / GPUS_A_NODE);
}

/* Those planted are named, the slowest first, and no others; as many are counted as there are. */
static void test_slow_ones(void **state)
{
    static const struct {
        uint32_t rank;
        double slower;
    } planted[] = {{17, 1.03}, {5003, 1.08}, {9999, 1.02}};
    const uint32_t lost[] = {12 * 3}; /* a leader in the middle of the tree */
    const struct totals *totals = totals_of_root();

    (void)state;
    for (size_t kills = 0; kills < 2; kills++) {
        begin_run(10008, 3, true);
        totals = totals_of_root();
        for (size_t i = 0; i < 3; i++)
            run.ranks[planted[i].rank].slower = planted[i].slower;
        for (uint32_t r = 0; r < run.count; r++)
            run.ranks[r].sweep.slowness = 1.1;
        /* 10 ms after all have measured, while their figures are on the way. */
        run_all(lost, kills, (uint64_t)(3 * 1.1 * CONFIGURATION_US) + 10000);
        assert_int_equal(totals->slow, 3);
        assert_int_equal(totals->slowest[0].rank, 5003);
        assert_int_equal(totals->slowest[1].rank, 17);
        assert_int_equal(totals->slowest[2].rank, 9999);
        assert_true(fabs(totals->slowest[0].deviation - 0.08) < 0.005);
        assert_int_equal(totals->compared, 10008 - kills * GPUS_A_NODE);
        end_run();
    }
}

static void test_dealing_among_10000(void **state)
{
    const uint32_t ranks = 10008;
    uint64_t failed;

    (void)state;
    begin_run(ranks, 20 * ranks, false);
    double seconds = run_all(NULL, 0, UINT64_MAX);
    assert_int_equal(count_written(&failed), 20 * ranks);
    printf("%u ranks, 20 configurations for each: %.2f s instead of %.2f, %llu messages and %llu "
           "bytes at rank 0\n",
           ranks, seconds, 20 * CONFIGURATION_US / 1e6, (unsigned long long)run.root_messages,
           (unsigned long long)run.root_bytes);
    assert_true(20 * CONFIGURATION_US / 1e6 / seconds > 0.8);
    end_run();
}

/* A rank that is ten times as slow as the others delays the end by one of its configurations. */
static void test_stragglers(void **state)
{
    uint64_t failed;

    (void)state;
    begin_run(480, 9600, false);
    for (uint32_t r = 0; r < 480; r += 50)
        run.ranks[r].sweep.slowness = 10.0;
    double seconds = run_all(NULL, 0, UINT64_MAX);
    assert_int_equal(count_written(&failed), 9600);
    assert_true(seconds < 1.25 * 20 * CONFIGURATION_US / 1e6 + 10 * CONFIGURATION_US / 1e6);
    end_run();
}

/* Each lost rank costs what it had in hand. */
static void test_lost_ranks(void **state)
{
    const uint32_t kills[] = {5, 77, 201, 202, 203, 359};
    uint64_t failed;

    (void)state;
    for (int is_each = 0; is_each < 2; is_each++) {
        begin_run(360, is_each ? 20 : 7200, is_each);
        uint64_t all = is_each ? 360 * 20 : 7200;

        run_all(kills, 6, 2000000);
        uint64_t written = count_written(&failed);
        assert_true(failed >= 1 && failed <= 6);
        assert_int_equal(totals_of_root()->lost, 6);
        assert_int_equal(written + failed + totals_of_root()->missing, all);
        if (!is_each)
            assert_true(written >= all - 6);
        end_run();
    }
}

/* A leader that is lost takes those of its node with it; leaders below it go to the one above it.
 */
static void test_a_lost_leader(void **state)
{
    uint32_t kills[GPUS_A_NODE];
    uint64_t failed;

    (void)state;
    for (uint32_t i = 0; i < GPUS_A_NODE; i++)
        kills[i] = 1 * GPUS_A_NODE + i; /* the node has 16 others below it */
    begin_run(400 * GPUS_A_NODE, CONFIGURATIONS_EACH, true);
    double seconds = run_all(kills, GPUS_A_NODE, 5000000);
    uint64_t written = count_written(&failed);
    printf("a node of 400 lost: %llu of %llu configurations written, %u ranks lost, %.0f s\n",
           (unsigned long long)written, (unsigned long long)(CONFIGURATIONS_EACH * run.count),
           totals_of_root()->lost, seconds);
    /* All of the others'. */
    for (uint32_t r = 0; r < run.count; r++) {
        for (uint64_t c = 0; c < run.configurations; c++)
            assert_true(run.ranks[r].is_dead || run.written[r * run.configurations + c] == 1);
    }
    assert_int_equal(totals_of_root()->error.status, STATUS_LOST);
    end_run();
}

/* Where the disk is full nobody goes on measuring; elsewhere all is done, and the run says why. */
static void test_a_full_disk(void **state)
{
    uint64_t failed;

    (void)state;
    begin_run(20 * GPUS_A_NODE, 4800, false);
    run.ranks[3 * GPUS_A_NODE].fails_to_write = true;
    run_all(NULL, 0, UINT64_MAX);
    uint64_t written = count_written(&failed);
    assert_true(written < 4800 && written > 4600);
    assert_int_equal(written + totals_of_root()->missing, 4800);
    assert_non_null(strstr(totals_of_root()->error.text, "No space left"));
    end_run();
}

/* Rank 0 stops all. */
static void test_stop(void **state)
{
    uint64_t failed;

    (void)state;
    begin_run(240, 100000, false);
    start_all();
    for (uint64_t i = 0; i < 5000; i++) {
        struct event event = pop();

        run.now_us = event.at_us;
        happen(&event);
        free(event.data);
    }
    member_stop(&run.ranks[0].member);
    while (run.events > 0) {
        struct event event = pop();

        run.now_us = event.at_us;
        happen(&event);
        free(event.data);
    }
    assert_true(all_have_finished());
    assert_true(count_written(&failed) < 5000);
    end_run();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_speed_up),      cmocka_unit_test(test_what_passes_rank_0),
        cmocka_unit_test(test_slow_ones),     cmocka_unit_test(test_dealing_among_10000),
        cmocka_unit_test(test_stragglers),    cmocka_unit_test(test_lost_ranks),
        cmocka_unit_test(test_a_lost_leader), cmocka_unit_test(test_a_full_disk),
        cmocka_unit_test(test_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
