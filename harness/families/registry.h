/* The families of this program, generated from the list at the top of meson.build: how to run them,
 * and what else is known about them. */
#ifndef VEBENCH_REGISTRY_H
#define VEBENCH_REGISTRY_H

struct family_list;         /* family/family.h */
struct family_models;       /* model/family-model.h */
struct family_figures_list; /* predict/family-figures.h */
struct family_pages;        /* report/family-page.h */

extern const struct family_list families;        /* NAME.c: what is measured */
extern const struct family_models family_models; /* NAME-model.c: how its rows are fitted */
/* NAME-figures.c: what its parameters say about a device */
extern const struct family_figures_list family_figures;
extern const struct family_pages family_pages; /* NAME-page.c: what a report shows */

#endif
