/* What slow GPUs of a fleet have in common: a node, a slot of all nodes, a rack, or where they
 * stand in a row of nodes or racks, as a gradient of temperature has it. */
#ifndef VEBENCH_FLEET_CAUSES_H
#define VEBENCH_FLEET_CAUSES_H

#include "compare/fleet.h"

#include <regex.h>

/* Fewer GPUs do not show well enough how GPUs differ by chance: nothing is named among them. */
#define FLEET_EXPLAIN_LEAST 64

enum fleet_level {
    FLEET_ALONG_RACKS, /* a trend over the racks, in the order of their names */
    FLEET_ALONG_NODES, /* a trend over the nodes of a rack, in the order of their names */
    FLEET_RACK,
    FLEET_SLOT, /* all GPUs at one PCI address */
    FLEET_NODE,
    FLEET_GPU, /* alone */
    FLEET_LEVELS
};

const char *fleet_level_name(enum fleet_level level);

/* A group whose GPUs are slower. */
struct fleet_cause {
    enum fleet_level level;
    enum fleet_kind kind;
    const char *name;   /* of the group; of FLEET_GPU its host. "" for a trend */
    size_t gpu;         /* index; one of the group */
    size_t gpus;        /* in the group */
    double change;      /* how much slower its GPUs are in the figures of the kind, relative; for a
                           trend, the last compared with the first */
    double probability; /* that chance shows as much, corrected for the groups of the level */
};

struct fleet_causes {
    struct fleet_cause *cause; /* owned; those of a level follow each other */
    size_t count;
    char *names; /* owned */
};

/* A GPU stands for its kind of figures by their median. Levels are searched in their order, and
 * what one explains is taken out before the next: of a slow rack, no node is named. A group is
 * named where its GPUs together are slower by more than `threshold`, and by more than chance shows
 * at FLEET_RATE, shared by all kinds and levels.
 *
 * `rack` finds the rack in a host's name: its first group or, if it has none, what it matches; NULL
 * where racks are unknown. Fails only when out of memory. */
enum status fleet_explain(struct fleet_causes *causes, const struct fleet *fleet,
                          const regex_t *rack, double threshold, struct error *error);
void fleet_causes_free(struct fleet_causes *causes);

#endif
