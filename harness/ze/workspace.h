/* The memory of one configuration: buffers with a device and a host side. What a family declares
 * here is copied to the device and back around every launch, and freed at the end. */
#ifndef VEBENCH_WORKSPACE_H
#define VEBENCH_WORKSPACE_H

#include "base/prng.h"
#include "ze/image.h"

#define BUFFERS_MAX 32

/* What every uint of an output holds before a launch. */
#define BUFFER_UNWRITTEN 0xdeadbeefu

enum buffer_use {
    BUFFER_INPUT,       /* read-only for kernels: copied to the device once; starts random */
    BUFFER_OUTPUT,      /* reset to BUFFER_UNWRITTEN before every launch, read back after it */
    BUFFER_IN_OUT,      /* likewise, but starts random */
    BUFFER_ONLY_STORED, /* likewise, but no kernel reads it: it stays as the same launch left it */
    BUFFER_WITNESS,     /* an output that gets the size of each work-item's sub-group */
};

/* Of an input that is mostly empty: only the first `bytes` of each `pitch` bytes are filled, and
 * copied to the device. The rest may be anything. pitch 0: all is used. */
struct buffer_rows {
    uint32_t bytes, pitch;
};

struct buffer {
    const char *name; /* borrowed */
    enum buffer_use use;
    size_t bytes;
    struct buffer_rows rows;
    void *initial; /* host: what the device holds before a launch */
    void *result;  /* host: what it held after the last launch; NULL for BUFFER_INPUT */
    void *device;
    ze_image_handle_t image; /* in the place of `device`; NULL: none */
};

struct workspace {
    struct session *session; /* borrowed; NULL: there is no device. Buffers then have only their
                                initial side, and `device` is an address with nothing behind it */
    struct buffer buffers[BUFFERS_MAX];
    size_t buffer_count;
    bool inputs_are_there; /* already on the device */
    uint64_t seed;
    struct prng prng;   /* for contents; seeded with `seed` */
    void *own;          /* the family's, freed with free() */
    const void *common; /* the family's for all configurations; borrowed */
    void *scratch;      /* owned */
    size_t scratch_bytes;
    struct kept *kept; /* owned */
};

/* `seed` determines all random contents. */
void workspace_init(struct workspace *workspace, struct session *session, uint64_t seed);

/* Adds a buffer; indices start at 0. Its `initial` may be written to from then on. */
enum status workspace_add(struct workspace *workspace, const char *name, enum buffer_use use,
                          size_t bytes, struct error *error);

/* The same of an input with rows, whose pitch `bytes` is a multiple of. */
enum status workspace_add_rows(struct workspace *workspace, const char *name, size_t bytes,
                               struct buffer_rows rows, struct error *error);

/* The same of an image, an input or an IN_OUT. */
enum status workspace_add_image(struct workspace *workspace, const char *name, enum buffer_use use,
                                const struct image_plan *plan, struct error *error);

/* Draws all random contents anew, and forgets what the family keeps for the old ones. */
void workspace_redraw(struct workspace *workspace, uint64_t seed);

/* Host memory for `bytes` bytes, until the next call; NULL, with the error set, if there is none.
 */
void *workspace_scratch(struct workspace *workspace, size_t bytes, struct error *error);

/* Host memory of `bytes` bytes for what is computed from `key`, which has at most KEPT_KEY_BYTES.
 * `*is_new` tells whether it is to be computed, or has been in an earlier call with this key.
 * Launches of a configuration alternate between a few shapes, so only the last KEPT_MAX are kept,
 * all of them equally large. NULL, with the error set, when out of memory. */
void *workspace_keep(struct workspace *workspace, const void *key, size_t key_bytes, size_t bytes,
                     bool *is_new, struct error *error);

#define KEPT_MAX       512
#define KEPT_KEY_BYTES 48

/* Record copies to the device (what a launch needs) and back. Where nobody reads the launch's
 * results, outputs keep what is in them, unless the family fills them; where the launch is the same
 * one again, so do those that no kernel reads: a copy would take the caches from the others. */
enum status workspace_record_copies_in(struct workspace *workspace, bool reads_results,
                                       bool is_again, struct error *error);
enum status workspace_record_copies_out(struct workspace *workspace, struct error *error);

/* Frees all that the workspace holds. */
void workspace_release(struct workspace *workspace);

#endif
