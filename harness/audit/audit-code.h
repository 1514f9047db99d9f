/* The audit of decoded code, without the facts that only a device binary holds. */
#ifndef VEBENCH_ISA_AUDIT_CODE_H
#define VEBENCH_ISA_AUDIT_CODE_H

#include "audit/audit.h"

/* `registers`: the registers that a thread is given. Otherwise like isa_audit_make(). */
enum status isa_audit_code(struct isa_audit *audit, const struct vesim_code *code,
                           unsigned registers, int loop, struct error *error);

#endif
