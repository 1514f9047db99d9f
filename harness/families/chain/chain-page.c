#include "families/chain/chain-page.h"

#include "report/plot-place.h"

bool place_chain(const struct record *r, struct plot_point *point)
{
    static const struct {
        const char *method, *name;
    } names[] = {
        {"slm_group", "slm+barrier"},
        {"slm", "slm"},
        {"global_group", "global+barrier"},
        {"global", "global"},
    };
    const char *name = "registers";

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (record_is_by(r, names[i].method))
            name = names[i].name;
    }
    plot_panel_by_size(r, point);
    plot_text(point->series, name);
    task_name(point->category, r->operation, r->type);
    return true;
}
