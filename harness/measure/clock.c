#include "measure/clock.h"

#define DOMAINS_MAX 8

double clock_sample_mhz(const struct session *session)
{
    /* With ZES_ENABLE_SYSMAN set before zeInit, a core device handle is a system-management handle
     * too (Level Zero specification, Sysman programming guide). */
    zes_device_handle_t device = (zes_device_handle_t)session->device->handle;
    zes_freq_handle_t domains[DOMAINS_MAX];
    uint32_t count = 0;

    if (session->kind != DEVICE_HARDWARE || !session->ze.zesDeviceEnumFrequencyDomains ||
        !session->ze.zesFrequencyGetProperties || !session->ze.zesFrequencyGetState)
        return 0.0;
    if (session->ze.zesDeviceEnumFrequencyDomains(device, &count, NULL) != ZE_RESULT_SUCCESS)
        return 0.0;
    if (count > DOMAINS_MAX)
        count = DOMAINS_MAX;
    if (count == 0 ||
        session->ze.zesDeviceEnumFrequencyDomains(device, &count, domains) != ZE_RESULT_SUCCESS)
        return 0.0;
    for (uint32_t i = 0; i < count; i++) {
        zes_freq_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES};
        zes_freq_state_t state = {.stype = ZES_STRUCTURE_TYPE_FREQ_STATE};

        if (session->ze.zesFrequencyGetProperties(domains[i], &properties) == ZE_RESULT_SUCCESS &&
            properties.type == ZES_FREQ_DOMAIN_GPU &&
            session->ze.zesFrequencyGetState(domains[i], &state) == ZE_RESULT_SUCCESS &&
            state.actual > 0.0)
            return state.actual;
    }
    return 0.0;
}

double clock_choose(const struct target *target, double sampled_mhz, const char **source)
{
    if (target->kind == DEVICE_HARDWARE && sampled_mhz > 0.0) {
        *source = "sysman";
        return sampled_mhz;
    }
    if (target->device.max_clock_mhz == 0)
        *source = "unknown";
    else
        *source = target->kind == DEVICE_HARDWARE ? "maximum" : "emulated_constant";
    return target->device.max_clock_mhz;
}
