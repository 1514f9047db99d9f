/* Translates global memory to host addresses. An instruction usually stays in the mapping it used
 * last, which the Xe-core remembers; but of what mirrors the process's memory only the page. */
#ifndef VESIM_LAST_MAPPING_H
#define VESIM_LAST_MAPPING_H

#include "isa/message/access.h"

static inline const struct mapping **last_mapping(const struct thread *thread,
                                                  const struct inst *inst)
{
    return &thread->access->mappings[inst->pc / 8 % ACCESS_MAPPINGS];
}

enum { MIRRORED_PAGE = 4096 };

/* Whether there is memory where a mapping mirrors the process's addresses. */
static inline bool is_behind_mirror(struct message_access *access, uint64_t address, uint64_t bytes)
{
    uint64_t first = address / MIRRORED_PAGE, last = (address + bytes - 1) / MIRRORED_PAGE;

    for (uint64_t page = first; page <= last; page++) {
        if (page != access->mirrored_page && !process_has(page * MIRRORED_PAGE, 1))
            return false;
        access->mirrored_page = page;
    }
    return true;
}

/* The mapping that holds [address, address + bytes); NULL if none does. */
static inline const struct mapping *
find_mapping(const struct thread *thread, const struct inst *inst, uint64_t address, uint64_t bytes)
{
    const struct mapping **last = last_mapping(thread, inst), *m = *last;

    if (!m || address < m->address || bytes > m->size || address - m->address > m->size - bytes)
        m = address_space_find(thread->space, address, bytes);
    if (m && m->mirrors)
        return is_behind_mirror(thread->access, address_cut(thread->space, address), bytes) ? m
                                                                                            : NULL;
    if (m)
        *last = m;
    return m;
}

#endif
