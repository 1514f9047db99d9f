/* Translates global memory to host addresses. An instruction usually stays in the mapping it used
 * last, which the Xe-core remembers. */
#ifndef VESIM_LAST_MAPPING_H
#define VESIM_LAST_MAPPING_H

#include "isa/message/access.h"

static inline const struct mapping **last_mapping(const struct thread *thread,
                                                  const struct inst *inst)
{
    return &thread->access->mappings[inst->pc / 8 % ACCESS_MAPPINGS];
}

/* The mapping that holds [address, address + bytes); NULL if none does. */
static inline const struct mapping *
find_mapping(const struct thread *thread, const struct inst *inst, uint64_t address, uint64_t bytes)
{
    const struct mapping **last = last_mapping(thread, inst), *m = *last;

    if (!m || address < m->address || bytes > m->size || address - m->address > m->size - bytes)
        m = address_space_find(thread->space, address, bytes);
    if (m)
        *last = m;
    return m;
}

#endif
