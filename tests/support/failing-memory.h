/* Memory runs out in a test's own code, and in no library that it loads. Takes failing_memory_dep.
 */
#ifndef VEBENCH_FAILING_MEMORY_H
#define VEBENCH_FAILING_MEMORY_H

#include <stdbool.h>

/* The allocation that fails, counted from 1 on from here; 0: none does. */
void memory_fails_at(unsigned long allocation);

/* Has it failed, or is there none that does? */
bool memory_has_failed(void);

#endif
