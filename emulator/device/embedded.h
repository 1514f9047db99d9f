/* Text files that the build put into the program (tools/embed-text.c writes the table). */
#ifndef VESIM_EMBEDDED_H
#define VESIM_EMBEDDED_H

struct embedded_text {
    const char *name; /* NULL ends the table */
    const char *text; /* NUL-terminated */
};

extern const struct embedded_text embedded_texts[];
extern const char *const embedded_names[]; /* of all, NULL-terminated */

#endif
