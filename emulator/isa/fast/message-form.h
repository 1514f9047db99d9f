/* Which messages the fast paths move: those whose elements are the first ones behind each lane's
 * address, in memory that the instruction names; and the forms that have functions of their own. */
#ifndef VESIM_MESSAGE_FORM_H
#define VESIM_MESSAGE_FORM_H

#include "isa/decode/inst.h"
#include "isa/message/access.h"

/* What a function is specialised for: constants wherever the functions below are inlined. */
struct message_form {
    enum message_kind kind;
    enum address_base base; /* BASE_FLAT: whatever global memory there is without a surface */
    unsigned bytes;         /* of an element; in registers, it takes a dword at the least */
    bool single;            /* a single dword for each lane */
    unsigned blocks;        /* of lanes; 0: as many as the message has */
};

/* Whether all there is to it are elements that are the first ones behind each lane's address. */
static inline bool message_moves_elements(const struct message *m)
{
    uint32_t components = m->shape.component_mask;
    bool atomic = m->kind == MESSAGE_ATOMIC && m->element_bytes == 4;

    return (m->kind == MESSAGE_LOAD || m->kind == MESSAGE_STORE || atomic) && !m->block &&
           !m->has_header && m->immediate_offset == 0 &&
           m->register_bytes == (m->element_bytes == 8 ? 8 : 4) && m->lanes >= 1 &&
           m->lanes <= MAX_LANES && components != 0 && (components & (components + 1)) == 0;
}

static inline bool message_names_memory(const struct message *m)
{
    switch (m->base) {
    case BASE_SURFACE:
        return m->surface < ACCESS_SURFACES && m->address_bytes == 4;
    case BASE_SLM:
        return m->address_bytes == 4 && !m->has_scalar && !m->scale_shift;
    case BASE_STATELESS:
        return m->address_bytes == 4;
    case BASE_SCALAR:
        return true;
    case BASE_FLAT:
        return m->address_bytes == 8;
    default:
        return false;
    }
}

#endif
