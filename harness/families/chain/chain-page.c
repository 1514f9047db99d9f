#include "families/chain/chain-page.h"

#include "report/plot-place.h"

bool place_chain(const struct record *r, struct plot_point *point)
{
    plot_panel_by_size(r, point);
    plot_text(point->series, r->method);
    task_name(point->category, r->operation, r->type);
    return true;
}
