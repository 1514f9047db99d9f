/* What the machine's files say about its GPUs: kernel driver, nodes and rights, clock, load. Reads
 * only. */
#ifndef VEBENCH_MACHINE_H
#define VEBENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#define MACHINE_GPUS_MAX 16
#define MACHINE_PATH     160

/* One Intel GPU that the kernel has found. */
struct machine_gpu {
    char card[24];                /* "card0" */
    char pci_address[16];         /* "0000:03:00.0"; empty where unknown */
    char driver[16];              /* "i915", "xe"; empty: none is bound */
    char node[MACHINE_PATH];      /* /dev/dri/renderD128; empty: there is none */
    bool may_open;                /* the node, to read and to write */
    char group[32];               /* that the node belongs to, or its number */
    char clock[MACHINE_PATH];     /* the folder that has its limits; empty: there is none */
    unsigned least_mhz, most_mhz; /* those that are set; 0 where unknown */
};

struct machine {
    struct machine_gpu gpu[MACHINE_GPUS_MAX];
    size_t gpu_count;
    bool has_wsl;      /* /dev/dxg: a GPU of Windows */
    double load;       /* runnable processes, over the last minute; negative where unknown */
    unsigned openings; /* of render nodes by other processes, as far as one may see */
};

/* `root` goes before every path: "" for this machine, another tree in a test. */
void machine_look(struct machine *machine, const char *root);

#endif
