#include "ranks/member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct text nothing;

static bool heap_add(struct heap *heap, struct text text)
{
    if (heap->bytes + text.bytes > heap->room) {
        size_t room = 2 * (heap->bytes + text.bytes);
        char *more = realloc(heap->at, room);

        if (!more)
            return false;
        heap->at = more;
        heap->room = room;
    }
    if (text.bytes)
        memcpy(heap->at + heap->bytes, text.at, text.bytes);
    heap->bytes += text.bytes;
    return true;
}

static void heap_free(struct heap *heap)
{
    free(heap->at);
    *heap = (struct heap){NULL, 0, 0};
}

static struct text heap_text(const struct heap *heap)
{
    return (struct text){heap->at, heap->bytes};
}

bool member_writes(const struct member_place *place)
{
    return place->is_one_file ? place->rank == 0 : place->is_leader;
}

static void note_error(struct member *member, const struct error *error)
{
    if (member->totals.error.status == STATUS_OK)
        member->totals.error = *error;
}

static bool is_root(const struct member *member)
{
    return member->place.above_count == 0;
}

static void send_up(struct member *member, enum wire_kind kind, struct text head, struct text data)
{
    if (!is_root(member) && !member->is_finished)
        member->ways->to_rank(member->ways->context, member->place.above[member->above], kind, head,
                              data);
}

static void send_down(struct member *member, const struct below *below, enum wire_kind kind,
                      struct text head, struct text data)
{
    if (below == member->below)
        member->ways->to_sweep(member->ways->context, kind, head, data);
    else
        member->ways->to_rank(member->ways->context, below->rank, kind, head, data);
}

/* To all members below, and to the sweep if `sweep`. */
static void send_all_down(struct member *member, enum wire_kind kind, struct text data, bool sweep)
{
    for (uint32_t i = sweep ? 0 : 1; i < member->below_count; i++) {
        if (!member->below[i].is_gone)
            send_down(member, &member->below[i], kind, data, nothing);
    }
}

static struct below *add_below(struct member *member, uint32_t rank)
{
    if (member->below_count == member->below_room) {
        uint32_t room = 2 * member->below_room + 1;
        struct below *more = realloc(member->below, room * sizeof(*more));

        if (!more)
            return NULL;
        member->below = more;
        member->below_room = room;
    }
    struct below *below = &member->below[member->below_count++];
    *below = (struct below){.rank = rank, .ranks = 1, .heard_ms = member->now_ms};
    return below;
}

enum status member_open(struct member *member, const struct member_place *place,
                        const struct member_ways *ways, struct error *error)
{
    *member = (struct member){.place = *place, .ways = ways};
    member->below_room = place->below_count + 1;
    member->below = calloc(member->below_room, sizeof(*member->below));
    if (!member->below)
        return error_out_of_memory(error);
    add_below(member, place->rank);
    for (uint32_t i = 0; i < place->below_count; i++)
        add_below(member, place->below[i])->ranks = place->below_ranks[i];
    member->place.below = NULL;
    member->place.below_ranks = NULL;
    return STATUS_OK;
}

void member_close(struct member *member)
{
    for (uint32_t i = 0; i < member->below_count; i++)
        free(member->below[i].will_rows);
    free(member->below);
    heap_free(&member->shared);
    heap_free(&member->manifest);
    heap_free(&member->medians);
    sketch_free(&member->figures);
    memset(member, 0, sizeof(*member));
}

/* The ranks from here on down. */
static uint64_t ranks_of(const struct member *member)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < member->below_count; i++)
        sum += member->below[i].has_ended ? 0 : member->below[i].ranks;
    return sum ? sum : 1;
}

/* Deals out what is there to those who wait, and asks above for more. */
static void deal(struct member *member)
{
    uint64_t all = ranks_of(member), waiting = 0;

    for (uint32_t i = 0; i < member->below_count; i++) {
        struct below *below = &member->below[i];

        if (!below->waits || below->has_ended)
            continue;
        const struct wire_ask ask = {below->ranks, below->waiting};
        struct wire_range range = pool_take(&member->pool, &ask, all);

        if (range.count == 0 && !member->pool.is_dry) {
            waiting += below->waiting;
            continue;
        }
        below->waits = false;
        below->has_hand = range.count > 0 && below->ranks == 1;
        send_down(member, below, WIRE_ASK, (struct text){(char *)&range, sizeof(range)}, nothing);
    }
    if (member->has_asked || is_root(member) ||
        (waiting == 0 &&
         !(member->place.is_leader && member->is_dealing && pool_is_low(&member->pool, all))))
        return;
    const struct wire_ask ask = {all, waiting};
    member->has_asked = true;
    send_up(member, WIRE_ASK, (struct text){(const char *)&ask, sizeof(ask)}, nothing);
}

/* Rows that cannot be written are kept by nobody: measuring more makes no sense. */
static void fail_to_write(struct member *member, const struct error *error)
{
    note_error(member, error);
    member->is_broken = true;
    member->ways->stop_sweep(member->ways->context);
    send_all_down(member, WIRE_STOP, nothing, false);
}

static void put_rows(struct member *member, const struct wire_entry *entry, struct text rows)
{
    struct error error;

    if (!member_writes(&member->place)) {
        send_up(member, WIRE_ROWS, (struct text){(const char *)entry, sizeof(*entry)}, rows);
        return;
    }
    if (!member->is_broken &&
        member->ways->write(member->ways->context, entry, rows, &error) != STATUS_OK)
        fail_to_write(member, &error);
    if (member->is_broken)
        member->totals.missing += entry->part == RANK_RESULTS;
    else
        member->totals.rows_bytes += rows.bytes;
}

static void commit_rows(struct member *member)
{
    struct error error;

    if (!member_writes(&member->place))
        send_up(member, WIRE_COMMIT, nothing, nothing);
    else if (!member->is_broken && member->ways->commit(member->ways->context, &error) != STATUS_OK)
        fail_to_write(member, &error);
}

static void drop_will(struct below *below)
{
    free(below->will_rows);
    below->will_rows = NULL;
    below->has_hand = false;
}

/* When all below have said what others need to know, or never will: it goes to all. */
static void pass_on_shared(struct member *member)
{
    bool any = false;

    for (uint32_t i = 0; i < member->below_count; i++) {
        if (!member->below[i].has_ended && !member->below[i].has_shared)
            return;
        any = any || member->below[i].has_shared;
    }
    if (!any || member->has_shared)
        return;
    member->has_shared = true;
    if (!is_root(member)) {
        send_up(member, WIRE_SHARE, heap_text(&member->shared), nothing);
        return;
    }
    struct wire_message all = {WIRE_SHARE, member->shared.at, member->shared.bytes};
    member_take(member, UINT32_MAX, &all);
}

/* What all have shared is here: another generation of configurations may follow. */
static void hand_down_shared(struct member *member, struct text all)
{
    member->has_shared = false;
    member->pool.is_dry = false;
    member->has_total = false;
    for (uint32_t i = 0; i < member->below_count; i++) {
        struct below *below = &member->below[i];

        if (below->has_shared && !below->has_ended)
            send_down(member, below, WIRE_SHARE, all, nothing);
        below->has_shared = false;
    }
    member->shared.bytes = 0;
}

static void send_medians(struct member *member, const struct below *below)
{
    send_down(member, below, WIRE_FIGURES, heap_text(&member->medians), nothing);
}

static struct text figures_text(const struct member *member)
{
    const struct sketch *figures = &member->figures;

    return (struct text){(const char *)figures->cells, figures->count * sizeof(*figures->cells)};
}

/* Those of all ranks are known. */
static void hand_down_medians(struct member *member, struct text medians)
{
    if (member->has_medians)
        return;
    member->has_medians = heap_add(&member->medians, medians);
    for (uint32_t i = 0; i < member->below_count; i++) {
        if (member->below[i].has_figures && !member->below[i].has_ended)
            send_medians(member, &member->below[i]);
    }
}

static void find_medians(struct member *member)
{
    struct sketch_median *medians = NULL;
    struct error error;
    size_t count = 0;

    if (sketch_medians(&member->figures, &medians, &count, &error) != STATUS_OK)
        note_error(member, &error);
    hand_down_medians(member, (struct text){(const char *)medians, count * sizeof(*medians)});
    free(medians);
}

/* When all below have given their figures, or never will. */
static void pass_on_figures(struct member *member)
{
    bool any = false;

    for (uint32_t i = 0; i < member->below_count; i++) {
        if (!member->below[i].has_ended && !member->below[i].has_figures)
            return;
        any = any || (member->below[i].has_figures && !member->below[i].has_ended);
    }
    if (!any || member->has_figures)
        return;
    member->has_figures = true;
    if (is_root(member))
        find_medians(member);
    else
        send_up(member, WIRE_FIGURES, figures_text(member), nothing);
}

/* Those who come too late to count, since the one above them is gone, are answered all the same. */
static void take_figures(struct member *member, struct below *below, struct text data)
{
    struct error error;

    below->has_figures = true;
    if (member->has_medians)
        send_medians(member, below);
    if (member->has_figures)
        return;
    if (sketch_add(&member->figures, (const struct sketch_cell *)data.at,
                   data.bytes / sizeof(struct sketch_cell), &error) != STATUS_OK)
        note_error(member, &error);
    pass_on_figures(member);
}

/* Ends the files, and says below that all is done. */
static void finish(struct member *member, const struct totals *totals)
{
    send_all_down(member, WIRE_END, (struct text){(const char *)totals, sizeof(*totals)}, true);
    member->totals = *totals;
    member->is_finished = true;
}

static void close_files(struct member *member)
{
    struct text line = nothing;
    struct error error;

    if (!member_writes(&member->place))
        return;
    if (member->ways->close(member->ways->context, &line, &error) != STATUS_OK)
        note_error(member, &error);
    member->totals.files++;
    heap_add(&member->manifest, line);
}

/* When all below have ended, this member has. */
static void sum_up(struct member *member)
{
    struct error error;

    for (uint32_t i = 0; i < member->below_count; i++) {
        if (!member->below[i].has_ended)
            return;
    }
    if (member->has_summed || member->now_ms < member->orphans_until_ms)
        return;
    member->has_summed = true;
    member->totals.missing += pool_left(&member->pool); /* nobody is left to take it */
    close_files(member);
    if (!is_root(member)) {
        send_up(member, WIRE_END, (struct text){(char *)&member->totals, sizeof(member->totals)},
                heap_text(&member->manifest));
        return;
    }
    if (member->ways->manifest(member->ways->context, heap_text(&member->manifest), &error) !=
        STATUS_OK)
        note_error(member, &error);
    finish(member, &member->totals);
}

static void take_end(struct member *member, struct below *below, struct text data)
{
    struct totals totals;

    if (data.bytes < sizeof(totals))
        return;
    memcpy(&totals, data.at, sizeof(totals));
    totals_add(&member->totals, &totals);
    heap_add(&member->manifest,
             (struct text){data.at + sizeof(totals), data.bytes - sizeof(totals)});
    below->has_ended = true;
    /* It was told to stop meanwhile; of a rank that leads no node, its leader says so. */
    if (below != member->below || member->place.is_leader)
        member->totals.missing += below->has_hand;
    drop_will(below);
    pass_on_shared(member);
    pass_on_figures(member);
    sum_up(member);
}

static void take_will(struct member *member, struct below *below, struct text data)
{
    struct wire_entry *will = &below->will;

    if (data.bytes < sizeof(*will))
        return;
    memcpy(will, data.at, sizeof(*will));
    free(below->will_rows);
    below->will_bytes = data.bytes - sizeof(*will);
    below->will_rows = malloc(below->will_bytes + 1);
    if (below->will_rows)
        memcpy(below->will_rows, data.at + sizeof(*will), below->will_bytes);
    below->left = will->left;
    /* Of a rank that leads no node, its leader keeps it too, and outlives it. */
    if (below == member->below && !member->place.is_leader)
        send_up(member, WIRE_WILL, data, nothing);
}

static void take_rows(struct member *member, struct below *below, struct text data)
{
    struct wire_entry entry;

    if (data.bytes < sizeof(entry))
        return;
    memcpy(&entry, data.at, sizeof(entry));
    if (entry.part == RANK_RESULTS && below->will_rows && below->will.sequence == entry.sequence &&
        below->will.rank == entry.rank)
        drop_will(below);
    put_rows(member, &entry, (struct text){data.at + sizeof(entry), data.bytes - sizeof(entry)});
}

static void take_plan(struct member *member, struct below *below, struct text data)
{
    struct wire_plan plan;

    if (data.bytes != sizeof(plan))
        return;
    memcpy(&plan, data.at, sizeof(plan));
    below->left = plan.left;
    if (below == member->below && is_root(member)) {
        pool_add(&member->pool, (struct wire_range){member->dealt, plan.total - member->dealt});
        member->dealt = plan.total;
        member->pool.is_dry = member->has_total = true;
        deal(member);
    } else if (below == member->below && !member->place.is_leader) {
        send_up(member, WIRE_PLAN, data, nothing);
    }
}

static void take_ask(struct member *member, struct below *below, struct text data)
{
    struct wire_ask ask;

    if (data.bytes != sizeof(ask))
        return;
    memcpy(&ask, data.at, sizeof(ask));
    drop_will(below);
    below->ranks = ask.ranks;
    below->waiting = ask.waiting;
    below->waits = true;
    deal(member);
}

static void lose(struct member *member, struct below *below, const char *reason);

static void take_from_below(struct member *member, struct below *below, enum wire_kind kind,
                            struct text data)
{
    struct error error;

    below->heard_ms = member->now_ms;
    switch (kind) {
    case WIRE_PLAN:
        take_plan(member, below, data);
        break;
    case WIRE_ASK:
        take_ask(member, below, data);
        break;
    case WIRE_WILL:
        take_will(member, below, data);
        break;
    case WIRE_ROWS:
        take_rows(member, below, data);
        break;
    case WIRE_COMMIT:
        commit_rows(member);
        break;
    case WIRE_SHARE:
        heap_add(&member->shared, data);
        below->has_shared = true;
        pass_on_shared(member);
        break;
    case WIRE_FIGURES:
        take_figures(member, below, data);
        break;
    case WIRE_END:
        take_end(member, below, data);
        break;
    case WIRE_LOST:
        if (data.bytes != sizeof(error))
            break;
        memcpy(&error, data.at, sizeof(error));
        lose(member, below, error.text);
        break;
    default:
        if (data.bytes == sizeof(uint64_t)) /* alive */
            memcpy(&below->ranks, data.at, sizeof(uint64_t));
    }
}

static void take_from_above(struct member *member, enum wire_kind kind, struct text data)
{
    struct wire_range range;
    struct totals totals;

    member->above_heard_ms = member->now_ms;
    if (kind == WIRE_ASK && data.bytes == sizeof(range)) {
        memcpy(&range, data.at, sizeof(range));
        member->has_asked = false;
        pool_add(&member->pool, range);
        member->is_dealing = range.count > 0;
        deal(member);
    } else if (kind == WIRE_SHARE) {
        hand_down_shared(member, data);
    } else if (kind == WIRE_FIGURES) {
        hand_down_medians(member, data);
    } else if (kind == WIRE_STOP) {
        member->ways->stop_sweep(member->ways->context);
        send_all_down(member, WIRE_STOP, nothing, false);
    } else if (kind == WIRE_END && data.bytes == sizeof(totals)) {
        memcpy(&totals, data.at, sizeof(totals));
        finish(member, &totals);
    }
}

static struct below *find_below(struct member *member, uint32_t rank)
{
    for (uint32_t i = 0; i < member->below_count; i++) {
        if (member->below[i].rank == rank)
            return &member->below[i];
    }
    return NULL;
}

void member_take(struct member *member, uint32_t from, const struct wire_message *message)
{
    struct text data = {message->data, message->bytes};
    bool from_above =
        from == UINT32_MAX || (!is_root(member) && from == member->place.above[member->above]);
    struct below *below = from_above ? NULL : find_below(member, from);

    if (member->is_finished)
        return;
    if (from_above)
        take_from_above(member, message->kind, data);
    else if (!below && message->kind == WIRE_ADOPT)
        add_below(member, from);
    else if (below && !below->has_ended)
        take_from_below(member, below, message->kind, data);
}

/* What somebody below had in hand is lost with it, and no more. */
static void settle(struct member *member, struct below *below)
{
    member->totals.ranks += (uint32_t)below->ranks;
    member->totals.lost += (uint32_t)below->ranks;
    member->totals.missing += below->left;
    if (below->will_rows) {
        member->totals.failed += below->will.rows;
        put_rows(member, &below->will, (struct text){below->will_rows, below->will_bytes});
        commit_rows(member);
    } else if (below->has_hand) {
        member->totals.missing++;
    }
}

static void lose(struct member *member, struct below *below, const char *reason)
{
    struct error error;
    bool is_own = below == member->below;

    error_set(&error, STATUS_LOST, "%s", reason);
    if (is_own && !member->place.is_leader) { /* the leader settles it */
        send_up(member, WIRE_LOST, (struct text){(char *)&error, sizeof(error)}, nothing);
    } else {
        note_error(member, &error);
        settle(member, below);
    }
    drop_will(below);
    below->has_ended = true;
    if (is_own && is_root(member) && !member->has_total)
        member->pool.is_dry = true; /* nobody else knows what there is */
    if (below->ranks > 1)
        member->orphans_until_ms = member->now_ms + 2 * (uint64_t)SILENCE_MS_MAX;
    deal(member);
    pass_on_shared(member);
    pass_on_figures(member);
    sum_up(member);
}

void member_lose(struct member *member, uint32_t rank, const char *reason)
{
    struct below *below = find_below(member, rank);

    if (!below || member->is_finished)
        return;
    below->is_gone = true;
    member->totals.gone += rank != member->place.rank;
    if (!below->has_ended)
        lose(member, below, reason);
}

void member_stop(struct member *member)
{
    member->ways->stop_sweep(member->ways->context);
    if (is_root(member))
        send_all_down(member, WIRE_STOP, nothing, false);
}

/* Says again to the one above the lost one what that may not have passed on. */
static void move_up(struct member *member)
{
    struct error error;

    if (member->above + 1 == member->place.above_count) {
        error_set(&error, STATUS_LOST, "rank %u is gone, and with it what there is to measure",
                  member->place.above[member->above]);
        note_error(member, &error);
        member->ways->stop_sweep(member->ways->context);
        close_files(member);
        finish(member, &member->totals);
        return;
    }
    member->above++;
    member->above_heard_ms = member->now_ms;
    send_up(member, WIRE_ADOPT, nothing, nothing);
    if (member->has_asked) {
        member->has_asked = false;
        deal(member);
    }
    if (member->has_shared)
        send_up(member, WIRE_SHARE, heap_text(&member->shared), nothing);
    if (member->has_figures && !member->has_medians)
        send_up(member, WIRE_FIGURES, figures_text(member), nothing);
    if (member->has_summed)
        send_up(member, WIRE_END, (struct text){(char *)&member->totals, sizeof(member->totals)},
                heap_text(&member->manifest));
}

void member_tick(struct member *member, uint64_t now_ms)
{
    if (member->now_ms == 0) { /* the first */
        member->above_heard_ms = now_ms;
        for (uint32_t i = 0; i < member->below_count; i++)
            member->below[i].heard_ms = now_ms;
    }
    member->now_ms = now_ms;
    if (member->is_finished || now_ms < member->alive_ms)
        return;
    member->alive_ms = now_ms + ALIVE_MS;
    uint64_t ranks = ranks_of(member);
    send_up(member, WIRE_ALIVE, (struct text){(const char *)&ranks, sizeof(ranks)}, nothing);
    send_all_down(member, WIRE_ALIVE, nothing, false);
    for (uint32_t i = 1; i < member->below_count; i++) {
        struct below *below = &member->below[i];
        char reason[80];

        if (below->has_ended || now_ms - below->heard_ms < SILENCE_MS_MAX)
            continue;
        snprintf(reason, sizeof(reason), "rank %u has said nothing for a minute", below->rank);
        member_lose(member, below->rank, reason);
    }
    if (!is_root(member) && now_ms - member->above_heard_ms >= SILENCE_MS_MAX)
        move_up(member);
    sum_up(member);
}
