/* A SPIR-V module read from a file, validated, with what the table says about it. */
#ifndef GEN_MODULE_H
#define GEN_MODULE_H

#include <stddef.h>
#include <stdint.h>

#include "sha256-hex.h"

/* An entry point whose name ends so requires no sub-group size; every other one requires that of
 * its module. */
#define ANY_SIZE_SUFFIX "_any_size"

struct entry_point {
    uint32_t id;
    unsigned subgroup_size; /* from the SubgroupSize execution mode; 0 if the kernel has none */
    char *name;
};

struct module {
    const char *family; /* the caller's */
    unsigned subgroup_size;
    uint32_t *words; /* host-endian */
    size_t word_count;
    struct entry_point *entry_points;
    size_t entry_point_count;
    unsigned version_major;
    unsigned version_minor;
    char sha256[SHA256_HEX_BYTES];
};

/*
 * Fills the zeroed *module from the file. Returns 0, or -1 after a line on stderr which names the
 * file and what is wrong with it; module_free() is right in both cases.
 */
int module_load(struct module *module, const char *family, const char *size, const char *path);
void module_free(struct module *module);

#endif
