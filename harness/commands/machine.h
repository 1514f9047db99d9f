/* What the machine's files say about its GPUs: kernel driver, nodes and permissions, clock, load.
 * Only reads. */
#ifndef VEBENCH_MACHINE_H
#define VEBENCH_MACHINE_H

#include <stdbool.h>
#include <stddef.h>

#define MACHINE_GPUS_MAX 16
#define MACHINE_PATH     160

/* An Intel GPU known to the kernel. */
struct machine_gpu {
    char card[24];                /* "card0" */
    char pci_address[16];         /* "0000:03:00.0"; empty where unknown */
    char driver[16];              /* "i915", "xe"; empty if none is bound */
    char node[MACHINE_PATH];      /* /dev/dri/renderD128; empty if there is none */
    bool may_open;                /* the node may be read and written */
    char group[32];               /* group of the node: its name, or its number */
    char clock[MACHINE_PATH];     /* folder with its clock limits; empty if there is none */
    unsigned least_mhz, most_mhz; /* the limits that are set; 0 if unknown */
};

struct machine {
    struct machine_gpu gpu[MACHINE_GPUS_MAX];
    size_t gpu_count;
    bool has_wsl;      /* has /dev/dxg: the GPU belongs to Windows */
    double load;       /* runnable processes, averaged over one minute; negative if unknown */
    unsigned openings; /* times other processes have render nodes open, as far as visible */
};

/* `root` is prepended to every path: "" for this machine, another tree in tests. */
void machine_look(struct machine *machine, const char *root);

#endif
