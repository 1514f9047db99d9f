
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "device/embedded.h"
#include "device/family.h"
#include "vesim/vesim.h"

/* No sensible description comes near it; a device or an endless file is refused, not read. */
#define DESCRIPTION_BYTES_MAX (1 << 20)

const char *const *vesim_device_names(void)
{
    return embedded_names;
}

/* Up to Xe2 threads have 128 registers each, or the 256 of two. Xe3 gives them out in steps of 32,
 * from 64 KB of registers: 10 threads with 96 of them, 8 with 128, 6 with 160, 5 with 192, 4 with
 * 256 (compute-runtime, calculateAvailableThreadCount of Xe3). */
enum { USUAL_REGISTERS = 128, XE3_REGISTERS = 1024 };

unsigned vesim_threads_per_ve(const struct vesim_device *device, unsigned registers)
{
    const unsigned most = (unsigned)device->threads_per_ve;
    const bool xe3 = device->architecture >= VESIM_XE3;
    const unsigned file = xe3 ? XE3_REGISTERS : most * USUAL_REGISTERS;
    const unsigned each = registers == 0                       ? USUAL_REGISTERS
                          : xe3 || registers > USUAL_REGISTERS ? registers
                                                               : USUAL_REGISTERS;
    const unsigned fit = file / each;

    return fit > most ? most : fit ? fit : 1;
}

unsigned vesim_address_bits(const struct vesim_device *device)
{
    return device->architecture == VESIM_XE_HPC || device->architecture == VESIM_XE3P_XPC ? 57 : 48;
}

static int load_file(struct vesim_description *description, const char *path, char *error,
                     size_t error_size)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t used;
    int status = -1;

    if (!file) {
        snprintf(error, error_size, "%s: %s; give the path of a device description", path,
                 strerror(errno));
        return -1;
    }
    text = malloc(DESCRIPTION_BYTES_MAX + 1);
    if (!text) {
        snprintf(error, error_size, "%s: out of memory", path);
        goto out;
    }
    used = fread(text, 1, DESCRIPTION_BYTES_MAX + 1, file);
    if (ferror(file)) {
        snprintf(error, error_size, "%s: %s; give the path of a device description", path,
                 strerror(errno));
        goto out;
    }
    if (used > DESCRIPTION_BYTES_MAX) {
        snprintf(error, error_size,
                 "%s: larger than %d bytes; this is not a device "
                 "description",
                 path, DESCRIPTION_BYTES_MAX);
        goto out;
    }
    if (memchr(text, '\0', used)) {
        snprintf(error, error_size, "%s: contains a zero byte; a device description is text", path);
        goto out;
    }
    text[used] = '\0';
    status = vesim_description_parse(description, text, path, error, error_size);
out:
    free(text);
    fclose(file);
    return status;
}

int vesim_description_load(struct vesim_description *description, const char *name_or_path,
                           char *error, size_t error_size)
{
    struct stat status;

    if (!strchr(name_or_path, '/')) {
        for (const struct embedded_text *text = embedded_texts; text->name; text++) {
            if (strcmp(text->name, name_or_path) == 0)
                return vesim_description_parse(description, text->text, name_or_path, error,
                                               error_size);
        }
        if (family_id_of(name_or_path))
            return family_load(description, family_id_of(name_or_path), error, error_size);
    }
    if (strchr(name_or_path, '/') || stat(name_or_path, &status) == 0)
        return load_file(description, name_or_path, error, error_size);

    int used = snprintf(error, error_size,
                        "there is no device '%s'; give a PCI id such as 0xe20c, the "
                        "path of a description or one of:",
                        name_or_path);
    for (const struct embedded_text *text = embedded_texts; text->name; text++) {
        if (used > 0 && (size_t)used < error_size)
            used += snprintf(error + used, error_size - (size_t)used, " %s", text->name);
    }
    return -1;
}

int vesim_device_load(struct vesim_device *device, const char *name_or_path, char *error,
                      size_t error_size)
{
    struct vesim_description *description = malloc(sizeof(*description));

    if (!description) {
        snprintf(error, error_size, "%s: out of memory", name_or_path);
        return -1;
    }
    int status = vesim_description_load(description, name_or_path, error, error_size);
    if (status == 0)
        *device = description->device;
    free(description);
    return status;
}
