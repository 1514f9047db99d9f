#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "device/description.h"

static void print_figure(FILE *out, const char *name, uint64_t value, const char *unit,
                         const char *source, const char *what)
{
    char text[48];

    snprintf(text, sizeof(text), strcmp(unit, "id") ? "%" PRIu64 " %s" : "0x%" PRIx64 " %s", value,
             unit);
    fprintf(out, "  %-24s %-18s %s\n  %-24s %-18s source: %s\n", name, text, what, "", "", source);
}

static void print_description(FILE *out, const struct description *description)
{
    const struct device *device = &description->device;
    unsigned assumed = 0;

    fprintf(out, "%s: %s, architecture %s\n", device->name, device->title,
            architecture_names[device->architecture]);
#define SECTION(title) fprintf(out, "\n%s\n", title);
#define FIGURE(name, unit, minimum, maximum, what)                                                 \
    print_figure(out, #name, device->name, unit, description->sources[FIGURE_##name], what);
#include "device/figures.def"
#undef FIGURE
#undef SECTION

    for (size_t i = 0; i < FIGURE_COUNT; i++)
        assumed += strncmp(description->sources[i], "assumed", 7) == 0;
    fprintf(out, "\n%u of %d figures are assumed: nobody has published them.\n", assumed,
            FIGURE_COUNT);
}

int device_describe(FILE *out, const char *name_or_path, char *error, size_t error_size)
{
    struct description *description = malloc(sizeof(*description));
    int status;

    if (!description) {
        snprintf(error, error_size, "%s: out of memory", name_or_path);
        return -1;
    }
    status = description_load(description, name_or_path, error, error_size);
    if (status == 0)
        print_description(out, description);
    free(description);
    return status;
}
