#include "audit/target-device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char isa_default_targets[] = "dg2,tgllp";

/* Generations by the compiler's names, each with the emulated device that represents it. To the
 * compiler "dg2" alone means the first stepping, which was never sold and uses different
 * messages. */
static const struct {
    const char *name, *device;
} generations[] = {
    {"dg2", "a380"},         {"dg2-g10", "a770"},      {"dg2-g11", "a380"},
    {"acm-g10", "a770"},     {"acm-g11", "a380"},      {"tgllp", "iris-xe"},
    {"tgl", "iris-xe"},      {"adls", "uhd770"},       {"adl-s", "uhd770"},
    {"bmg", "b580"},         {"bmg-g21", "b580"},      {"lnl", "lunar-lake"},
    {"lnl-m", "lunar-lake"}, {"adlp", "alder-lake"},   {"adl-p", "alder-lake"},
    {"pvc", "max-1100"},     {"mtl-h", "meteor-lake"}, {"arl-h", "arrow-lake"},
};

static const char *device_of(const char *name)
{
    for (size_t i = 0; i < sizeof(generations) / sizeof(generations[0]); i++) {
        if (!strcmp(generations[i].name, name))
            return generations[i].device;
    }
    for (const char *const *device = vesim_device_names(); *device; device++) {
        if (!strcmp(*device, name))
            return name;
    }
    return strchr(name, '/') || !strncmp(name, "0x", 2) ? name : NULL; /* a path or a PCI id */
}

static enum status find(struct isa_target *target, const char *name, struct error *error)
{
    const char *device = device_of(name);
    char problem[256];

    if (!*name || strlen(name) >= sizeof(target->name))
        return error_set(error, STATUS_USAGE,
                         "--target %s: give names such as dg2, tgllp, a770 or the path of a device "
                         "description",
                         name);
    snprintf(target->name, sizeof(target->name), "%s", name);
    snprintf(target->compiler, sizeof(target->compiler), "%s", name);
    if (!device)
        return STATUS_OK;
    if (vesim_device_load(&target->device, device, problem, sizeof(problem)))
        return error_set(error, STATUS_USAGE, "--target %s: %s", name, problem);
    target->has_figures = true;
    snprintf(target->compiler, sizeof(target->compiler), "0x%x",
             (unsigned)target->device.pci_device);
    return STATUS_OK;
}

enum status isa_target_open(struct isa_target **opened, const char *name, struct error *error)
{
    struct isa_target *target = calloc(1, sizeof(*target));

    *opened = NULL;
    if (!target)
        return error_out_of_memory(error);
    enum status status = find(target, name, error);
    if (status == STATUS_OK)
        *opened = target;
    else
        free(target);
    return status;
}

void isa_target_close(struct isa_target *target)
{
    free(target);
}

const char *isa_target_name(const struct isa_target *target)
{
    return target->name;
}

const char *isa_target_compiler(const struct isa_target *target)
{
    return target->compiler;
}

bool isa_target_has_figures(const struct isa_target *target)
{
    return target->has_figures;
}
