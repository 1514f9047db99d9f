/* The numbers of an audit as one list: audit-figures.def. */
#ifndef VEBENCH_ISA_FIGURES_H
#define VEBENCH_ISA_FIGURES_H

#include "audit/audit.h"

enum isa_figure {
#define FIGURE(name, title, value) ISA_FIGURE_##name,
#include "audit/audit-figures.def"
#undef FIGURE
    ISA_FIGURE_COUNT
};

struct isa_figure_info {
    const char *name, *title;
};

extern const struct isa_figure_info isa_figures[ISA_FIGURE_COUNT];

/* NAN if there is no such figure, as for a figure of the loop in code without loops. */
double isa_figure(const struct isa_audit *audit, enum isa_figure figure);

#endif
