/* The published figures, what the model gives for each, and the page that says how far they are
 * apart: docs/accuracy.md, with its plot. */
#ifndef TEST_PUBLISHED_FIGURES_H
#define TEST_PUBLISHED_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "published-kernels.h"

enum mechanism {
#define MECHANISM(name, ...) MECHANISM_##name,
#include "timing/mechanisms.def"
#undef MECHANISM
    MECHANISM_COUNT
};

/* Where a row stands to the figures of the descriptions: harness/compare/published-figures.def. */
enum relation { TAKEN, SIBLING, FREE, RELATION_COUNT };

struct figure {
    const char *what, *source;
    double published;
    const char *unit;
    enum relation relation;
    double bound; /* on the deviation's size, percent */
    double (*measure)(const struct published_run *run);
    struct published_run run;
    enum mechanism mechanism;
    const char *why; /* of a deviation, or what was taken from it */

    double model;  /* what the kernel gives here, as the page shows it: of four digits */
    bool left_out; /* the assembler here does not know the device: the page's value was taken */
};

/* Of what the model gives, percent of the published value. */
double figure_deviation(const struct figure *figure);

/* Whether both run the same kernel on the same device. */
bool figure_same_run(const struct figure *a, const struct figure *b);

/* Figures with their `model` set. */
struct figures {
    struct figure *of;
    size_t count;
};

/* Whether each figure of a description that the clock takes belongs to one mechanism. */
bool published_mechanisms_cover(void);

/* The page. */
void published_page(FILE *out, const struct figures *figures);

/* Starts the line of a row, as far as it is known before its kernel has run. */
void published_page_row(char *line, size_t bytes, const struct figure *figure);

/* Writes the plot, published against model; 0, or -1 having said why. */
int published_plot(const char *path, const struct figures *figures);

#endif
