#include "measure/peak.h"

#include <string.h>

#define MODULES_MAX 16

double peak_bandwidth(const struct session *session)
{
    zes_mem_handle_t modules[MODULES_MAX];
    uint32_t count = MODULES_MAX;
    double sum = 0.0;

    if (session->kind != DEVICE_HARDWARE)
        return device_kind_model_bandwidth();
    if (!session->sysman || !session->ze.zesDeviceEnumMemoryModules ||
        !session->ze.zesMemoryGetBandwidth ||
        session->ze.zesDeviceEnumMemoryModules(session->sysman, &count, modules) !=
            ZE_RESULT_SUCCESS)
        return 0.0;
    for (uint32_t i = 0; i < count && i < MODULES_MAX; i++) {
        zes_mem_bandwidth_t bandwidth;

        memset(&bandwidth, 0, sizeof(bandwidth));
        if (session->ze.zesMemoryGetBandwidth(modules[i], &bandwidth) == ZE_RESULT_SUCCESS)
            sum += (double)bandwidth.maxBandwidth;
    }
    return sum;
}
