/* The ways in which variants of `exchange`, `collective` and `group_collective` do a task, told by
 * the ends of their names. Their runs, models and pages are libraries of their own, which is why
 * this is a header. */
#ifndef VEBENCH_CHAIN_WAY_H
#define VEBENCH_CHAIN_WAY_H

#include <stddef.h>
#include <string.h>

enum chain_way {
    CHAIN_SLM_GROUP,    /* _slm_group: through SLM with a work-group barrier */
    CHAIN_SLM,          /* _slm: through SLM with the barrier that suffices */
    CHAIN_GLOBAL_GROUP, /* _global_group: through global memory with a work-group barrier */
    CHAIN_GLOBAL,       /* _global: through global memory within the sub-group */
    CHAIN_FUNCTION,     /* no ending: by function */
};

/* The way of a variant; `*task` gets the length of its name without the way. */
static inline enum chain_way chain_way_of(const char *variant, size_t *task)
{
    static const char *const endings[] = {
        [CHAIN_SLM_GROUP] = "_slm_group",
        [CHAIN_SLM] = "_slm",
        [CHAIN_GLOBAL_GROUP] = "_global_group",
        [CHAIN_GLOBAL] = "_global",
        [CHAIN_FUNCTION] = "",
    };
    size_t length = strlen(variant);
    enum chain_way way = CHAIN_SLM_GROUP;

    for (;; way++) {
        size_t end = strlen(endings[way]);

        if (length >= end && !strcmp(variant + length - end, endings[way])) {
            *task = length - end;
            return way;
        }
    }
}

#endif
