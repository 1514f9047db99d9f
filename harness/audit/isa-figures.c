#include "audit/isa-figures.h"

#include <math.h>

const struct isa_figure_info isa_figures[ISA_FIGURE_COUNT] = {
#define FIGURE(name, title, value) {#name, title},
#include "audit/audit-figures.def"
#undef FIGURE
};

#define LOOP(value)  (a->loop_count ? (value) : NAN)
#define BOUND(value) (a->line_count ? (value) : NAN)

double isa_figure(const struct isa_audit *audit, enum isa_figure figure)
{
    const struct isa_audit *a = audit;

    switch (figure) {
#define FIGURE(name, title, value)                                                                 \
    case ISA_FIGURE_##name:                                                                        \
        return value;
#include "audit/audit-figures.def"
#undef FIGURE
    default:
        return NAN;
    }
}
