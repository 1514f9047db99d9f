/* The driver waits for the GPU by polling memory and yielding the processor in between. A GPU works
 * beside the processor; the model works on it. So while the emulated GPU has work, a yield sleeps
 * until some of it is done, for a short time at the most. */
#include "preload/after-hang.h"
#include "preload/interpose.h"

EXPORT int sched_yield(void)
{
    enum { PATIENCE_US = 1000 };
    struct node *node = node_if_made();

    if (node && cs_wait_progress(node->cs, PATIENCE_US))
        return 0;
    if (node && cs_has_hung(node->cs))
        after_hang_note_yield(node, __builtin_return_address(0));
    NEXT(sched_yield, int, void);
    return next();
}
