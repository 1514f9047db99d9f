#include "base/processors.h"

#include <sched.h>

unsigned processors_available(void)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&allowed);
}
