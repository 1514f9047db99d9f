/* A sweep among ranks: what it says to the member that keeps its place (member.h), which
 * vebench-mpi is, over a socket that this process got from it. */
#ifndef VEBENCH_RANKS_H
#define VEBENCH_RANKS_H

#include "base/entry-file.h"
#include "ranks/messages.h"
#include "ranks/rank-files.h"
#include "ranks/wire.h"

struct ranks {
    unsigned rank, count;             /* this process, out of how many */
    unsigned local_rank, local_count; /* the same among those of this machine */
    unsigned leader;                  /* the first rank of this machine */
    int stream;                       /* to the member */
    uint64_t digest;                  /* of the command line, which must be the same everywhere */
    bool is_one_file;                 /* rank 0 writes all rows; otherwise each leader of a node */
    struct wire_buffer in;
    bool has_begun;  /* past the last agreement */
    bool is_refused; /* there was none */
};

/* Reads what vebench-mpi says of the ranks, "RANK COUNT LOCAL_RANK LOCAL_COUNT LEADER
 * STREAM". False if it
 * makes no sense. */
bool ranks_read(struct ranks *ranks, char *text);

/* Does this rank have files to write? */
bool ranks_writes(const struct ranks *ranks);

/* All ranks come here at once, to go on or not. */
struct agreement {
    bool is_last;      /* the sweep begins */
    uint64_t key;      /* what no two ranks may have; 0: nothing */
    bool is_of_node;   /* ranks of one node may have the same */
    struct text tells; /* of rank 0, to all */
    struct text told;  /* filled in; valid until the next call */
    uint32_t twin;     /* filled in: the first other rank with the same key, or WIRE_NOBODY */
};

/* `*error` is STATUS_OK if this rank would go on. If one would not, all get the status and the
 * words of the first of those. */
enum status ranks_agree(struct ranks *ranks, struct agreement *agreement, struct error *error);

/* For one that cannot go on: says so to the others, unless all know that already. */
void ranks_refuse(struct ranks *ranks, struct error *error);

/* WIRE_LOCK and WIRE_CREATE: the request with its texts. */
enum status ranks_files(struct ranks *ranks, enum wire_kind kind,
                        const struct files_request *request, const char *const texts[FILES_TEXTS],
                        struct error *error);

/* Sends a message that has an answer only later, or none. False if the member is gone. */
bool ranks_say(struct ranks *ranks, enum wire_kind kind, struct text head, struct text data);

/* Waits for the answer of a kind, valid until the next message. STATUS_LOST if the member is gone.
 */
enum status ranks_hear(struct ranks *ranks, enum wire_kind kind, struct text *answer,
                       struct error *error);

#endif
