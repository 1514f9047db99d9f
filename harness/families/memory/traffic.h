/* Counts the messages and cache lines of a sub-group's loads and stores, for `work`. */
#ifndef VEBENCH_TRAFFIC_H
#define VEBENCH_TRAFFIC_H

#include "family/family.h"

/* Bytes of a cache line (Intel, Xe architecture). */
#define TRAFFIC_LINE_BYTES 64u

/* Lanes of one message to global memory with elements of up to 32 bits and an address per lane; the
 * compiler splits the access of a wider sub-group (Intel, Xe architecture). */
#define TRAFFIC_MESSAGE_LANES 16u

#define TRAFFIC_LANES_MAX     32u

/* Offset of a lane that does not take part. */
#define TRAFFIC_IDLE UINT32_MAX

/* Where the lanes of a sub-group access memory: bytes from the beginning of a cache line. */
struct access {
    uint32_t offset[TRAFFIC_LANES_MAX];
    unsigned lanes;
    unsigned element_bytes;
};

/* A piece of a row: `lanes` adjacent elements from `offset` on. */
struct access access_row(unsigned lanes, unsigned element_bytes, uint32_t offset);

/* A piece of a column: one element every `pitch_bytes`, the first at the start of a line. */
struct access access_column(unsigned lanes, unsigned element_bytes, uint32_t pitch_bytes);

/* Adds bytes, messages and lines of `times` executions. An access in which no lane takes part is
 * jumped over; otherwise all of its messages are sent, and those without active lanes touch no
 * line. */
void work_add_access(struct work *work, const struct access *access, double times);

#endif
