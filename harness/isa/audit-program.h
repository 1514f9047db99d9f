/* The audit of decoded code, without what only a device binary tells. */
#ifndef VEBENCH_ISA_AUDIT_PROGRAM_H
#define VEBENCH_ISA_AUDIT_PROGRAM_H

#include "isa/audit.h"
#include "isa/decode/program.h"

/* `registers`: that a thread is given. Otherwise as isa_audit_make(). */
enum status isa_audit_program(struct isa_audit *audit, const struct program *program,
                              unsigned registers, int loop, struct error *error);

#endif
