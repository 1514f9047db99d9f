/* The GPUs that Level Zero reports, and selecting one. */
#ifndef VEBENCH_DEVICE_H
#define VEBENCH_DEVICE_H

#include "base/error.h"
#include "ze/ticks.h"
#include "ze/ze-api.h"

#include <stdbool.h>

#define DEVICES_MAX        32
#define UUID_TEXT_BYTES    37
#define PCI_TEXT_BYTES     16
#define VERSION_TEXT_BYTES 32
#define TILE_UNKNOWN       UINT32_MAX

struct device {
    ze_driver_handle_t driver;
    ze_device_handle_t handle;
    char name[ZE_MAX_DEVICE_NAME];
    char uuid[UUID_TEXT_BYTES];       /* 8-4-4-4-12 hex digits, bytes in the driver's order */
    char pci_address[PCI_TEXT_BYTES]; /* "0000:03:00.0", empty if unknown */
    char driver_version[VERSION_TEXT_BYTES];
    uint32_t vendor_id;
    uint32_t device_id;
    uint64_t timer_resolution; /* as reported; interpreted by timer_init */
    uint32_t timestamp_valid_bits;
    uint32_t kernel_timestamp_valid_bits;
    uint32_t max_clock_mhz; /* 0 if unknown */
    uint32_t total_eus;     /* enabled ones; 0 if the driver does not say */
    uint32_t slices, subslices_per_slice, eus_per_subslice, threads_per_eu;
    uint32_t eu_lanes;       /* floats that an EU takes per cycle; 0 if unknown */
    uint32_t max_group_size; /* work-items */
    uint32_t max_slm_bytes;  /* per work-group */
    uint32_t cache_bytes;    /* of last-level cache: as reported, but no less than 512 KiB for each
                                Xe-core */
    uint64_t memory_bytes;   /* of the largest memory; 0 if unknown */
    ze_device_uuid_t id;     /* the bytes of `uuid` */
    bool is_tile;            /* a part of a card that has several */
    uint32_t tile;           /* its number on the card, from 0, or TILE_UNKNOWN */
    uint32_t tile_count;     /* of a device that is a card of several, over which the driver spreads
                                the work-groups of a launch (implicit scaling); 0 of any other */
    bool is_integrated;      /* shares the host's memory */
    uint32_t float_atomics;  /* ZE_DEVICE_FP_ATOMIC_EXT_FLAG_* for floats; 0 also if unknown */
    bool has_fp64;           /* doubles */
    uint32_t matrix_lanes; /* the sub-group size of OpenCL's matrix functions; 0: the device has no
                              systolic engines */
    bool has_block_2d;     /* messages that load and store 2-D blocks */
    bool has_lists_in_order; /* immediate lists whose commands wait for one another */
    uint32_t subgroup_size_count;
    uint32_t subgroup_sizes[ZE_SUBGROUPSIZE_COUNT];
    bool has_kernel_max_group_size; /* the driver reports it per kernel */
};

struct device_list {
    struct device device[DEVICES_MAX];
    size_t count;
};

/* Initialises Level Zero and lists the Intel GPUs of all drivers. STATUS_FAILED, saying what to
 * install or check, if there are none. */
enum status device_list_fill(const struct ze_api *api, struct device_list *list,
                             struct error *error);

/* Devices of a driver at one PCI address are the tiles of a card, though with
 * ZE_FLAT_DEVICE_HIERARCHY=FLAT the driver calls them devices of their own. */
void device_list_find_tiles(struct device_list *list);

/* In the format of `uuid` and `pci_address` above. */
void device_format_uuid(const ze_device_uuid_t *uuid, char text[UUID_TEXT_BYTES]);
void device_format_pci(const zes_pci_address_t *address, char text[PCI_TEXT_BYTES]);

/* Xe-cores: the driver's sub-slices. Derived from the number of EUs if known: parts with disabled
 * units may have unequal slices. */
uint32_t device_xe_cores(const struct device *device);

/* Hardware threads per Xe-core. */
uint32_t device_threads_per_xe_core(const struct device *device);

/* Hardware threads that these work-groups keep busy at once: at most those of the device, at least
 * 1. */
double device_busy_threads(const struct device *device, unsigned subgroup_size,
                           unsigned workgroup_size, unsigned workgroup_count);

/* Does a resource of the card that is on this tile, or on none, belong to the device? */
bool device_has_part(const struct device *device, bool on_tile, uint32_t tile);

/* Does the device support sub-groups of this size? */
bool device_has_subgroup_size(const struct device *device, unsigned size);

/* Selects a device: `selector` is an index, a UUID, a PCI address or part of the name, ignoring
 * case; "best" is the discrete device with the most Xe-cores (an integrated one if there is no
 * other; the first of equals, such as the tiles of one card); NULL requires that there is only one.
 * `*index` gets its place in the list. STATUS_USAGE, with the list, if no device or more than one
 * matches. */
enum status device_select(const struct device_list *list, const char *selector, size_t *index,
                          struct error *error);

/* The device's `subgroup_sizes` as "8, 16, 32". */
void device_subgroup_sizes_text(const struct device *device, char *text, size_t text_bytes);

#endif
