/* The families of this program. */
#ifndef VEBENCH_REGISTRY_H
#define VEBENCH_REGISTRY_H

struct family_list; /* measure/family.h */

/* As in the list at the top of meson.build, from which it is generated. */
extern const struct family_list families;

#endif
