#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "vesim/vesim.h"

static void print_figure(FILE *out, const char *name, uint64_t value, const char *unit,
                         const char *source, const char *what)
{
    char text[48];

    snprintf(text, sizeof(text), strcmp(unit, "id") ? "%" PRIu64 " %s" : "0x%" PRIx64 " %s", value,
             unit);
    fprintf(out, "  %-24s %-18s %s\n  %-24s %-18s source: %s\n", name, text, what, "", "", source);
}

static void print_description(FILE *out, const struct vesim_description *description)
{
    const struct vesim_device *device = &description->device;
    unsigned assumed = 0;

    fprintf(out, "%s: %s, architecture %s, kernel driver %s\n", device->name, device->title,
            vesim_architecture_names[device->architecture],
            vesim_kernel_driver_names[device->kernel_driver]);
#define SECTION(title) fprintf(out, "\n%s\n", title);
#define FIGURE(name, unit, minimum, maximum, what)                                                 \
    print_figure(out, #name, device->name, unit, description->sources[VESIM_FIGURE_##name], what);
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION

    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++)
        assumed += strncmp(description->sources[i], "assumed", 7) == 0;
    fprintf(out, "\n%u of %d figures are assumed: nobody has published them.\n", assumed,
            VESIM_FIGURE_COUNT);
}

int vesim_device_describe(FILE *out, const char *name_or_path, char *error, size_t error_size)
{
    struct vesim_description *description = malloc(sizeof(*description));

    if (!description) {
        snprintf(error, error_size, "%s: out of memory", name_or_path);
        return -1;
    }
    int status = vesim_description_load(description, name_or_path, error, error_size);
    if (status == 0)
        print_description(out, description);
    free(description);
    return status;
}
