/* Which GPUs of a fleet are slower than their peers, and in which figure. Peers are GPUs of the
 * same name that have measured the same. */
#ifndef VEBENCH_FLEET_H
#define VEBENCH_FLEET_H

#include "rows/records.h"

/* Fewer could not tell the slow one from the fast one. */
#define FLEET_PEERS_LEAST 2

struct fleet_gpu {
    const char *host, *device_name, *device_uuid;
    double rank;    /* NaN where the file has none */
    size_t figures; /* compared with peers */
    size_t slower;  /* of these */
};

struct fleet_figure {
    const struct record *record;
    size_t gpu; /* index */
    size_t peers;
    /* Median of the peers' means. */
    double peers_ns;
    /* Of this mean against it, relative, as in comparisons. */
    double change;
    /* Half of its 95 % interval: of the measurements, and of how GPUs differ. */
    double change_error;
    /* From the median of all, this one included, relative. */
    double deviation;
    /* That a GPU like its peers is as slow, corrected for the number of figures (Holm 1979). */
    double probability;
    bool slower;
};

struct fleet {
    struct fleet_gpu *gpus; /* owned */
    size_t gpu_count;
    struct fleet_figure *figures; /* owned; by GPU, those of each from slow to fast */
    size_t figure_count;
    size_t lonely;   /* usable rows with too few peers */
    size_t left_out; /* rows that are not ok, not verified, or no time */
};

/* A GPU that is slower by less than `threshold` is like its peers. `records` are of many GPUs, and
 * are borrowed. STATUS_FAILED if nothing can be compared. */
enum status fleet_find(struct fleet *fleet, const struct records *records, double threshold,
                       struct error *error);
void fleet_free(struct fleet *fleet);

#endif
