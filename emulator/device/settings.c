#include "vesim/vesim.h"

struct vesim_settings vesim_settings_default(void)
{
    return (struct vesim_settings){.instruction_limit = UINT64_C(20000000000)};
}
