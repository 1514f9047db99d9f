#include "ze/peak.h"
#include "ze/emulator.h"

#include <string.h>

#define MODULES_MAX 16

double peak_bandwidth(const struct session *session)
{
    zes_mem_handle_t modules[MODULES_MAX];
    uint32_t count = MODULES_MAX;
    double sum = 0.0;

    if (session->is_deterministic)
        return emulator_memory_bandwidth();
    if (!session->sysman || !session->ze.zesDeviceEnumMemoryModules ||
        !session->ze.zesMemoryGetBandwidth ||
        session->ze.zesDeviceEnumMemoryModules(session->sysman, &count, modules) !=
            ZE_RESULT_SUCCESS)
        return 0.0;
    for (uint32_t i = 0; i < count && i < MODULES_MAX; i++) {
        zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
        zes_mem_bandwidth_t bandwidth;

        if (session->ze.zesMemoryGetProperties &&
            session->ze.zesMemoryGetProperties(modules[i], &properties) == ZE_RESULT_SUCCESS &&
            !device_has_part(session->device, properties.onSubdevice, properties.subdeviceId))
            continue;

        memset(&bandwidth, 0, sizeof(bandwidth));
        if (session->ze.zesMemoryGetBandwidth(modules[i], &bandwidth) == ZE_RESULT_SUCCESS)
            sum += (double)bandwidth.maxBandwidth;
    }
    return sum;
}
