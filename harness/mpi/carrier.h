/* Messages between members by MPI: none of the calls waits busily, since the processors are for
 * those who measure. */
#ifndef VEBENCH_MPI_CARRIER_H
#define VEBENCH_MPI_CARRIER_H

#include "ranks/member.h"

#include <mpi.h>

struct sending {
    MPI_Request request;
    char *bytes; /* owned */
    size_t count;
};

struct carrier {
    uint32_t leader;
    MPI_Comm all;            /* a communicator of its own, whose errors are no end of the process */
    struct sending *sending; /* owned; what is on its way */
    size_t count, room, bytes;
    char *in; /* owned */
    size_t in_room;
};

/* `leader` is the first rank of the node. */
void carrier_open(struct carrier *carrier, uint32_t leader);
void carrier_close(struct carrier *carrier);

/* Sends a copy of both parts. */
void carrier_send(struct carrier *carrier, uint32_t rank, enum wire_kind kind, struct text head,
                  struct text data);

/* Takes in all messages that have arrived. True if there was one. */
bool carrier_take(struct carrier *carrier, struct member *member);

/* Forgets what has been sent. */
void carrier_progress(struct carrier *carrier);

/* Waits for all that is on its way, for a while: to lost ranks it never arrives. */
void carrier_flush(struct carrier *carrier);

/* All ranks come here, with an error of STATUS_OK if they would go on; if one would not, all get
 * its error, otherwise what rank 0 tells in `*told`, which the caller frees, and whether another
 * has the same key. Ends all ranks at `*stop`. */
enum status carrier_agree(struct carrier *carrier, const struct wire_agree *agree,
                          struct wire_agreed *agreed, struct text tells, struct text *told,
                          const volatile int *stop);

#endif
