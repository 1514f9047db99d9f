/* The other GPUs that a description fits, by their PCI ids. */
#ifndef VESIM_FAMILY_H
#define VESIM_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

#include "vesim/vesim.h"

/* A line "[0xe20c 0xe20d] Intel Arc B570". The texts are in the line. */
struct family_line {
    const char *ids;   /* between the brackets, separated by spaces */
    const char *title; /* not empty */
};

/* Splits `line`, in place; -1 if it is no such line. */
int family_line_read(struct family_line *family, char *line);

/* Whether `id` is among its ids. */
bool family_line_has(const struct family_line *family, unsigned id);

/* The next of the ids in a line's text from `*ids` on, which moves behind it; 0: there is none. */
unsigned family_next_id(const char **ids);

/* Reads a description as vesim_description_parse() does, of the GPU `id` that it fits; 0: the
 * description's own. The device's name is the id then. */
int description_parse_id(struct vesim_description *description, const char *text, unsigned id,
                         const char *origin, char *error, size_t error_size);

/* Gives a description the id, and its name from it, with the source of the id; no text may be one
 * of the description's own. */
void description_take_id(struct vesim_description *description, unsigned id, const char *title,
                         const char *source);

/* The id in "0xe20c", or 0 if `name` is something else. */
unsigned family_id_of(const char *name);

/* Reads the device with this id: of the built-in description that lists it, or of the one that
 * lists the nearest, which its title and the id's source say. */
int family_load(struct vesim_description *description, unsigned id, char *error, size_t error_size);

#endif
