/* The place of a rank among the others: it stands between the sweep of its rank, which is below it,
 * and the rest of the run. Members form a tree. Those of a node stand below the first of the node,
 * its leader, and leaders below other leaders, up to rank 0. What is to be measured is dealt out
 * down the tree, rows go up to whoever writes them (the leader of a node, or rank 0 if there is one
 * file), and sums of how ranks have ended go up to rank 0. So nobody has more to do than with those
 * right below it.
 *
 * A member is driven by messages and the time alone. vebench-mpi carries them by MPI; tests, for
 * thousands of members in one process.
 *
 * Whoever is lost costs what it had in hand: before a sweep measures a configuration it leaves with
 * the member above it the rows that say that it is lost. */
#ifndef VEBENCH_MEMBER_H
#define VEBENCH_MEMBER_H

#include "base/entry-file.h"
#include "ranks/messages.h"
#include "ranks/pool.h"
#include "ranks/sketch.h"
#include "ranks/tree.h"
#include "ranks/wire.h"

#define ABOVE_MAX      16u
#define ALIVE_MS       2000u
#define SILENCE_MS_MAX 60000u

/* Where a rank stands. */
struct member_place {
    uint32_t rank, count;
    bool is_leader;            /* of its node */
    bool is_one_file;          /* which rank 0 writes */
    uint32_t above[ABOVE_MAX]; /* the member above it, the one above that, and so on to rank 0; of a
                                  rank that leads no node, its leader only */
    uint32_t above_count;
    uint32_t *below;       /* owned by the caller; only used to open */
    uint64_t *below_ranks; /* each of these and all below it; the same */
    uint32_t below_count;
};

/* How a member reaches others. */
struct member_ways {
    void *context;
    void (*to_rank)(void *context, uint32_t rank, enum wire_kind kind, struct text head,
                    struct text data);
    void (*to_sweep)(void *context, enum wire_kind kind, struct text head, struct text data);
    void (*stop_sweep)(void *context);
    /* The files of a member that writes. The manifest is of rank 0. */
    enum status (*write)(void *context, const struct wire_entry *entry, struct text rows,
                         struct error *error);
    enum status (*commit)(void *context, struct error *error);
    enum status (*close)(void *context, struct text *line, struct error *error);
    enum status (*manifest)(void *context, struct text lines, struct error *error);
};

/* Somebody right below: the sweep of the rank itself, or another member. */
struct below {
    uint32_t rank;
    uint64_t ranks; /* it and those below it */
    uint64_t heard_ms;
    bool has_ended, has_shared, has_figures, waits;
    bool is_gone;     /* the process of the member, or the sweep, is no more */
    uint64_t waiting; /* of its ranks, when it waits */
    bool has_hand;    /* it was dealt a configuration, and has no rows of it yet */
    struct wire_entry will;
    char *will_rows; /* owned; NULL: none */
    size_t will_bytes;
    uint64_t left; /* configurations that are missing if it is lost, besides the one in hand */
};

/* Text that grows. */
struct heap {
    char *at; /* owned */
    size_t bytes, room;
};

struct member {
    struct member_place place;
    const struct member_ways *ways; /* borrowed */
    struct below *below;            /* owned; the first is the sweep of this rank */
    uint32_t below_count, below_room;
    uint32_t above; /* index of the one that it talks to */
    uint64_t now_ms, above_heard_ms, alive_ms;
    uint64_t orphans_until_ms; /* those below a lost one may come until then */
    struct pool pool;
    bool has_total;  /* of rank 0: it knows how much there is to deal out */
    uint64_t dealt;  /* of rank 0: what came into its pool */
    bool is_dealing; /* something came from above */
    bool has_asked, has_shared, has_summed;
    bool has_figures; /* those of all below are together, and went up */
    bool has_medians;
    bool is_broken;   /* cannot write */
    bool is_finished; /* nothing more will come */
    struct heap shared, manifest;
    struct sketch figures; /* of those below */
    struct heap medians;   /* of all ranks */
    struct totals totals;
};

/* Fails only when out of memory. */
enum status member_open(struct member *member, const struct member_place *place,
                        const struct member_ways *ways, struct error *error);
void member_close(struct member *member);

/* Takes in a message; `from` is the rank itself for one of its sweep. */
void member_take(struct member *member, uint32_t from, const struct wire_message *message);

/* The sweep of this rank, or another rank right below, is gone without having ended. */
void member_lose(struct member *member, uint32_t rank, const char *reason);

/* The user asked this process to stop. Rank 0 says so to all. */
void member_stop(struct member *member);

/* Time has passed; `now_ms` counts from any beginning, on this node only. */
void member_tick(struct member *member, uint64_t now_ms);

/* Does it write rows? */
bool member_writes(const struct member_place *place);

#endif
