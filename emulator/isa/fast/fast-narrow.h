/* How the fast path finds integers of one to four bytes that do not simply lie side by side as
 * dwords: as elements, each at the beginning of a container of 1, 2, 4 or 8 bytes. */
#ifndef VESIM_FAST_NARROW_H
#define VESIM_FAST_NARROW_H

#include "isa/decode/inst.h"

struct narrow_form {
    bool is_value;               /* the same dword in the instruction, for all lanes */
    bool is_one;                 /* one element for all lanes */
    bool is_signed;              /* or extended with zeros */
    uint32_t element, container; /* bytes; the container is at least as long */
};

/* As it stands in struct fast_source. */
static inline uint8_t narrow_form_pack(struct narrow_form form)
{
    return (uint8_t)(form.is_value | form.is_one << 1 | form.is_signed << 2 |
                     __builtin_ctz(form.element) << 3 | __builtin_ctz(form.container) << 5);
}

static inline struct narrow_form narrow_form_of(uint8_t packed)
{
    return (struct narrow_form){.is_value = packed & 1,
                                .is_one = packed & 2,
                                .is_signed = packed & 4,
                                .element = 1u << (packed >> 3 & 3),
                                .container = 1u << (packed >> 5 & 3)};
}

/* Whether the fast path takes the instruction as one on such integers; prepares its operands. */
bool narrow_prepare(struct inst *inst);

#endif
