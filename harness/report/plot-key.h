/* The key of a drawing: what its colours, shapes and lines stand for. */
#ifndef VEBENCH_PLOT_KEY_H
#define VEBENCH_PLOT_KEY_H

#include "report/plot-view.h"

/* Three sub-group sizes, the methods, and four kinds of lines. */
#define PLOT_KEY_MAX (3 + PLOT_METHODS_MAX + 4)

enum plot_key_kind { PLOT_KEY_SIZE, PLOT_KEY_SHAPE, PLOT_KEY_LINE };

struct plot_key_entry {
    enum plot_key_kind kind;
    unsigned subgroup_size; /* PLOT_KEY_SIZE */
    unsigned shape;         /* PLOT_KEY_SHAPE: as for drawing_mark() */
    const char *classes;    /* PLOT_KEY_LINE: as for drawing_line() */
    const char *text;       /* borrowed; for sizes NULL */
};

struct plot_key {
    struct plot_key_entry entry[PLOT_KEY_MAX];
    size_t count;
};

/* Explains what the `count` marks from `first` on use, and nothing else. */
void plot_key_make(struct plot_key *key, const struct plot_view *view, size_t first, size_t count);

/* Adds a sub-group size that is not there yet; none for 0. */
void plot_key_add_size(struct plot_key *key, unsigned subgroup_size);

/* Does nothing if the key is full. */
void plot_key_add(struct plot_key *key, const struct plot_key_entry *entry);

/* As part of a page. */
void plot_key_put(FILE *out, const struct plot_key *key);

/* As part of a drawing: the key and, below it, `inside`, the rest. Returns the key's height, 0 if
 * it is empty. */
double plot_key_draw(FILE *out, const struct plot_key *key, const char *inside);

#endif
