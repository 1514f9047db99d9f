/* Which figures of a device follow from a family's parameters, and how. For a family that
 * determines some they are in harness/families/NAME-figures.c, which ends with this descriptor,
 * family_NAME_figures. */
#ifndef VEBENCH_FAMILY_FIGURES_H
#define VEBENCH_FAMILY_FIGURES_H

#include "predict/figures-estimate.h"

/* Of a set so many times the L3, threads find nothing there, whichever are ahead of others: at
 * twice the L3 they find more than half of their lines. */
#define SETS_BEYOND 4.0

enum figure_sets {
    SETS_ANY,
    SETS_HELD_BY_L3, /* and that first levels together hold half of at most */
    SETS_BEYOND_L3,
};

struct figure_rule {
    enum vesim_figure_index figure;

    /* False where the model does not determine the figure. NULL: no parameter does, and what rows
     * say of it is found by machine code alone (predict/calibrate.h). */
    bool (*measure)(const struct figure_input *input, struct figure_estimate *estimate);

    const char *family; /* whose rows the figure moves */
    const char *sweep;  /* a command that measures what the rule needs of that family; NULL:
                           another rule's of this figure tells more */
    const char *const *variants; /* those whose rows the figure moves, ends with NULL; NULL: any */
    bool many_groups;            /* of these rows, only those of more than one work-group, */
    bool single_threads;         /* or of work-groups of one hardware thread, */
    enum figure_sets sets;       /* or of such sets */
    double stride;               /* or with nodes so many bytes apart; 0: any */
    bool moved_by_others; /* figures that are assumed move these rows as much as this one: what
                             they do is in the interval */
    enum vesim_figure_index depends_on; /* another figure moves these rows as much: each value that
                                           it may have is tried; 0: none */
    double most; /* rows may show so much, whatever the base assumes; 0: what it assumes */
};

/* Ordered so that the figures a rule needs are measured before it: by earlier rules of this family,
 * or by families earlier in the list. */
struct family_figures {
    const struct figure_rule *rules;
    size_t count;
};

#endif
