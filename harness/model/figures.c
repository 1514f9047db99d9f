#include "figures.h"

#include <string.h>

enum status figures_of_model(struct figures *figures, const struct model *model, const char *base,
                             struct error *error)
{
    char text[512];

    (void)model;
    memset(figures, 0, sizeof *figures);
    if (description_load(&figures->description, base ? base : "a380", text, sizeof text))
        return error_set(error, STATUS_FAILED, "%s", text);
    return STATUS_OK;
}
