/* The processes of a run over many GPUs, one for each GPU, as MPI has started them. Rank 0 plans,
 * deals out and writes; the others have an agent each (agent.h). MPI only brings them together:
 * from then on they are connected by streams, because what MPI does after the loss of a process is
 * undefined, and the end of a stream is not. */
#ifndef VEBENCH_RANKS_H
#define VEBENCH_RANKS_H

#include "base/error.h"
#include "sweep/results.h"
#include "ze/target.h"

#include <stdint.h>

#define RANKS_MAX          255
#define RANK_VERSION_BYTES 80

struct ranks {
    unsigned rank, count;             /* this process, out of how many */
    unsigned local_rank, local_count; /* the same among those of this machine */
    int streams[RANKS_MAX]; /* in rank 0 to each other rank, by rank; in others [0], to rank 0 */
    uint64_t digest;        /* of the command line, which must be the same everywhere */
};

/* What an agent says of itself. */
struct rank_hello {
    char version[RANK_VERSION_BYTES];
    char host[HOST_BYTES];
    uint64_t digest;
};

/* A GPU of the run, as rank 0 knows it. */
struct gpu {
    char host[HOST_BYTES];
    struct target target; /* as reported by its last worker */
    bool has_target;
    bool lost;                /* nothing can be measured on it any more */
    unsigned failed_starts;   /* of workers, in a row */
    struct error start_error; /* of the last one */
};

/* Fills in this process's. */
void rank_hello_fill(struct rank_hello *hello, uint64_t digest);

/* STATUS_FAILED if the agent of a rank is of another program, or was started with other words than
 * this one. */
enum status rank_hello_check(const struct rank_hello *hello, const struct ranks *ranks,
                             unsigned rank, struct error *error);

/* Whether the GPUs can share a sweep: STATUS_USAGE if two ranks have the same one, or if they are
 * not alike and not `each` measures everything. */
enum status gpus_check(const struct gpu *gpus, size_t count, bool each, struct error *error);

#endif
