#include "families/chain-page.h"

#include "page/plot-place.h"

#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    return strlen(text) >= strlen(end) && !strcmp(text + strlen(text) - strlen(end), end);
}

bool place_chain(const struct record *r, struct plot_point *point)
{
    static const char *const ways[] = {"_slm_group", "_slm", "_global_group", "_global", ""};
    static const char *const names[] = {"slm+barrier", "slm", "global+barrier", "global",
                                        "registers"};
    size_t way = 0;

    while (!ends_with(r->variant, ways[way]))
        way++;
    plot_panel_by_size(r, point);
    plot_text(point->series, names[way]);
    snprintf(point->category, sizeof point->category, "%.*s",
             (int)(strlen(r->variant) - strlen(ways[way])), r->variant);
    return true;
}
