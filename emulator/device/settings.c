#include "vesim/vesim.h"

struct vesim_settings vesim_settings_default(void)
{
    return (struct vesim_settings){.compile = VESIM_COMPILE_ON,
                                   .instruction_limit = UINT64_MAX,
                                   .time_limit_s = 3600,
                                   .poll_limit_s = 30};
}
