/* What the messages of ranks hold (wire.h says which). */
#ifndef VEBENCH_RANK_MESSAGES_H
#define VEBENCH_RANK_MESSAGES_H

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Part of the rows of a configuration. */
enum rank_part { RANK_RESULTS, RANK_SAMPLES, RANK_COUNTERS, RANK_PARTS };

/* How a sweep is about to go on, if all agree. */
struct wire_agree {
    struct error error; /* STATUS_OK: this rank would go on */
    bool is_last;       /* the sweep begins; then */
    bool is_one_file;   /* rank 0 writes all rows */
    uint64_t key;       /* what no two ranks may have; 0: nothing */
    bool is_of_node;    /* ranks of one node may have the same */
};

#define WIRE_NOBODY UINT32_MAX

/* The answer, before what rank 0 tells. */
struct wire_agreed {
    struct error error;
    uint32_t twin; /* the first other rank with the same key, or WIRE_NOBODY */
};

struct wire_plan {
    uint64_t
        total; /* what there is to deal out, the same in each rank; 0: every rank measures all */
    uint64_t left; /* for this rank to measure, if every one measures all */
};

struct wire_ask {
    uint64_t ranks;   /* that the sender deals to, itself included */
    uint64_t waiting; /* those of them that have nothing to do */
};

struct wire_range {
    uint64_t first, count;
};

/* Rows of a configuration, in one part of the files. */
struct wire_entry {
    uint32_t rank; /* that measured it */
    uint32_t part; /* enum rank_part */
    uint64_t sequence;
    uint64_t left; /* of a will: configurations that would be missing besides */
    uint32_t rows; /* of a will: how many failed */
    bool keeps;    /* what is there of it already stays, and these follow it */
};

/* A rank whose figures are slower than those of all: by so much, relative, by their median. */
struct slow_rank {
    char host[32];
    double deviation;
    uint32_t rank, figures;
};

enum { SLOW_RANKS = 8 };

/* How ranks have ended, summed along the tree. */
struct totals {
    uint64_t ok, skipped, failed, unreliable, excluded; /* rows */
    uint64_t missing;                                   /* configurations */
    uint64_t rows_bytes;                                /* written */
    uint32_t ranks, lost, files;                        /* lost of the ranks, */
    uint32_t gone;                                      /* the whole process of these */
    struct error error;                                 /* of the first that failed */
    uint32_t compared, slow;              /* ranks with figures, and those of them that are slow */
    struct slow_rank slowest[SLOW_RANKS]; /* of the slow ones, the slowest first */
};

void totals_add(struct totals *sum, const struct totals *more);
void totals_add_slow(struct totals *sum, const struct slow_rank *slow);

#endif
