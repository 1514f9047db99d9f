/* Parts of an audit in words. */
#ifndef VEBENCH_ISA_TEXT_H
#define VEBENCH_ISA_TEXT_H

#include "audit/audit.h"

#define ISA_TEXT_BYTES 160

/* "2 float, 9 int": the pipes that the instructions keep busy. */
const char *isa_pipes_text(const struct isa_mix *mix, char text[ISA_TEXT_BYTES]);

/* "1 load, 2 SLM store, 1 barrier". */
const char *isa_messages_text(const struct isa_mix *mix, char text[ISA_TEXT_BYTES]);

/* "messages: load.ugm.d32.a64", what sets the loop's lower bound and the instruction with the
 * largest share of it; "no loop". */
const char *isa_bound_text(const struct isa_audit *audit, char text[ISA_TEXT_BYTES]);

#endif
