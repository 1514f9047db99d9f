/* A target of machine code: a device known to the compiler, and the figures that code for it is
 * judged by. */
#ifndef VEBENCH_ISA_TARGET_H
#define VEBENCH_ISA_TARGET_H

#include "base/error.h"

#include <stdbool.h>

struct isa_target;

/* The targets if --target is not given. */
extern const char isa_default_targets[];

/* `name`: a generation of GPUs ("dg2", "tgllp"), an emulated device ("a770"), the path of a device
 * description, or any other name that the compiler may know, which then has no figures.
 * STATUS_USAGE for a path without a valid description. */
enum status isa_target_open(struct isa_target **opened, const char *name, struct error *error);
void isa_target_close(struct isa_target *target);

/* The name that was asked for. */
const char *isa_target_name(const struct isa_target *target);

/* The compiler's name for the target. */
const char *isa_target_compiler(const struct isa_target *target);
bool isa_target_has_figures(const struct isa_target *target);

#endif
