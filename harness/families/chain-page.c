#include "families/chain-page.h"

#include "families/chain-way.h"
#include "page/plot-place.h"

bool place_chain(const struct record *r, struct plot_point *point)
{
    static const char *const names[] = {
        [CHAIN_SLM_GROUP] = "slm+barrier",       [CHAIN_SLM] = "slm",
        [CHAIN_GLOBAL_GROUP] = "global+barrier", [CHAIN_GLOBAL] = "global",
        [CHAIN_FUNCTION] = "registers",
    };
    size_t task;
    enum chain_way way = chain_way_of(r->variant, &task);

    plot_panel_by_size(r, point);
    plot_text(point->series, names[way]);
    snprintf(point->category, sizeof(point->category), "%.*s", (int)task, r->variant);
    return true;
}
