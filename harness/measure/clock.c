#include "measure/clock.h"

#define DOMAINS_MAX 8

double clock_sample_mhz(const struct session *session)
{
    zes_device_handle_t device = session->sysman;
    zes_freq_handle_t domains[DOMAINS_MAX];
    uint32_t count = 0;

    if (!device || !session->ze.zesDeviceEnumFrequencyDomains ||
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

double clock_choose(const struct target *target, double observed_mhz, bool counted,
                    const char **source)
{
    /* A model's clock files only repeat its description. */
    bool observed = target->kind == DEVICE_HARDWARE && observed_mhz > 0.0;
    double mhz = observed ? observed_mhz : target->device.max_clock_mhz;

    if (!(mhz > 0.0))
        *source = "unknown";
    else if (target->kind != DEVICE_HARDWARE)
        *source = "emulated_constant";
    else if (!observed)
        *source = "maximum";
    else
        *source = counted ? "counter" : "sysman";
    return mhz;
}
