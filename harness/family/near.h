/* The name that somebody meant who wrote another word. */
#ifndef VEBENCH_NEAR_H
#define VEBENCH_NEAR_H

#include "base/error.h"

#include <stddef.h>

struct near {
    const char *word; /* as written, without what follows its first `bytes` */
    size_t bytes;
    const char *best; /* of the names considered; NULL: none is near */
    size_t mistakes;  /* letters to insert, delete, replace or swap to get from one to the other */
};

/* Starts without a name. `word` is borrowed. */
struct near near_begin(const char *word, size_t bytes);

/* Keeps the name if it is nearer than those before, and near at all: at most a third of the letters
 * of the word are wrong. `name` is borrowed. */
void near_consider(struct near *near, const char *name);

/* Appends "; did you mean NAME?" if there is one. `prefix` comes before the name, such as "--". */
void near_append(const struct near *near, const char *prefix, struct error *error);

#endif
