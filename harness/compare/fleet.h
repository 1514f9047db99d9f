/* Which GPUs of a fleet are slower than their peers, and in which figure. Peers are GPUs of the
 * same name that have measured the same. Time and memory grow with the number of rows, 64 bytes
 * each, and not with their texts: a row is forgotten once it is added. */
#ifndef VEBENCH_FLEET_H
#define VEBENCH_FLEET_H

#include "rows/records.h"

#include <stdint.h>

/* Fewer could not tell the slow one from the fast one. */
#define FLEET_PEERS_LEAST 2

/* Up to so many GPUs, the probability that chance names any is limited, to FLEET_LEVEL (Holm 1979).
 * Among more, what is limited is the share of those named that chance has named, to FLEET_RATE
 * (Benjamini and Hochberg 1995): with a hundred thousand GPUs some are slow, and one named in
 * addition matters less than many missed. A GPU is tested by all of its figures together (Simes
 * 1986), and only those of GPUs that are named by themselves (Benjamini and Bogomolov 2014). */
#define FLEET_HOLM_MOST 300
#define FLEET_LEVEL     0.05
#define FLEET_RATE      0.001

/* What a figure depends on most, by what its row counts. */
enum fleet_kind {
    FLEET_COMPUTE,  /* arithmetic operations */
    FLEET_MEMORY,   /* bytes loaded and stored */
    FLEET_BARRIER,  /* barriers */
    FLEET_EXCHANGE, /* operations of sub-groups */
    FLEET_OTHER,
    FLEET_CLOCK, /* not of rows: the mean of the clocks that they were measured at */
    FLEET_KINDS
};

const char *fleet_kind_name(enum fleet_kind kind);

struct fleet_gpu {
    const char *host, *device_name, *device_uuid, *pci_address;
    double rank;        /* NaN where the file has none */
    double clock_mhz;   /* mean over its usable rows; NaN where unknown */
    double probability; /* that a GPU like its peers has such figures, corrected for all GPUs;
                           NaN where figures are corrected by themselves (Holm) */
    size_t figures;     /* compared with peers */
    size_t slower;      /* of these */
    size_t first;       /* where its figures begin in fleet.by_gpu */
};

/* What is measured. */
struct fleet_place {
    const char *device_name, *benchmark, *variant, *parameters, *unit;
    unsigned subgroup_size, workgroup_size, workgroup_count;
    enum fleet_kind kind;
    size_t gpus;  /* that have measured it */
    size_t first; /* for those who group figures by place */
};

struct fleet_figure {
    double ns; /* mean */
    /* That a GPU like its peers is as slow, corrected as FLEET_HOLM_MOST says. */
    double probability;
    uint32_t gpu, place; /* indices */
    uint32_t file, line; /* where its row is */
    float error;         /* standard error of the mean, ns */
    float loop_ns;       /* the scale of changes of a value that may be nothing; 0: itself */
    float clock_mhz;
    float peers_ns;     /* median of the peers' means */
    float change;       /* of this mean against it, relative, as in comparisons */
    float change_error; /* half of its 95 % interval: of the measurements, and of how GPUs
                           differ */
    float deviation;    /* from the median of all, this one included, relative */
    bool slower;
};

struct fleet_text;
struct fleet_index;

struct fleet {
    struct fleet_gpu *gpus; /* owned */
    size_t gpu_count;
    struct fleet_place *places; /* owned */
    size_t place_count;
    struct fleet_figure *figures; /* owned */
    size_t figure_count;
    uint32_t *by_gpu; /* owned; figures by GPU, those of each from slow to fast */
    size_t lonely;    /* usable rows with too few peers */
    size_t left_out;  /* rows that are not ok, not verified, or no time */
    bool is_rate;     /* a rate of false discoveries is limited, instead of their probability */
    char first_time[32], last_time[32]; /* time_utc of rows; "" where they have none */

    /* Of fleet-rows.c. */
    size_t figure_room;
    const char **files;
    size_t file_count;
    const char *file; /* the last one */
    struct fleet_text *texts;
    struct fleet_index *gpu_index, *place_index;
    size_t last_gpu;
};

/* Adds a row; a fleet starts zeroed. Fails only when out of memory. */
enum status fleet_add(struct fleet *fleet, const struct record *record, struct error *error);

/* Compares, once all rows are there. A GPU that is slower by less than `threshold` is like its
 * peers. STATUS_FAILED if nothing can be compared, or one GPU has measured something twice. */
enum status fleet_judge(struct fleet *fleet, double threshold, struct error *error);
void fleet_free(struct fleet *fleet);

#endif
