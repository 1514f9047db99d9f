/* The driver's system management: one device for the card, with a domain and a memory for each
 * tile. */
#include "simulated.h"

#include "governor.h"
#include "host-clock.h"

#include <string.h>

static char driver_place, card_place;
static uint32_t tiles[2] = {0, 1}; /* their addresses are handles */

ze_result_t ZE_APICALL zesInit(uint32_t flags)
{
    (void)flags;
    ENTER();
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDriverGet(uint32_t *count, zes_driver_handle_t *drivers)
{
    ENTER();
    if (drivers && *count > 0)
        *drivers = (zes_driver_handle_t)(void *)&driver_place;
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDeviceGet(zes_driver_handle_t driver, uint32_t *count,
                                    zes_device_handle_t *handles)
{
    (void)driver;
    ENTER();
    if (handles && *count > 0)
        *handles = (zes_device_handle_t)(void *)&card_place;
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL simulated_device_by_uuid(zes_driver_handle_t driver, ze_device_uuid_t uuid,
                                                zes_device_handle_t *device, ze_bool_t *is_tile,
                                                uint32_t *tile)
{
    (void)driver;
    ENTER();
    if (!(settings.has_by_uuid > 0.0) || uuid.id[0] != 0x51)
        return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    *device = (zes_device_handle_t)(void *)&card_place;
    *is_tile = uuid.id[15] > 0;
    *tile = uuid.id[15] > 0 ? uuid.id[15] - 1u : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDeviceGetProperties(zes_device_handle_t device,
                                              zes_device_properties_t *properties)
{
    (void)device;
    ENTER();
    properties->core.uuid.id[0] = 0x51;
    properties->numSubdevices = settings.tiles > 1.0 ? 2 : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDevicePciGetProperties(zes_device_handle_t device,
                                                 zes_pci_properties_t *pci)
{
    (void)device;
    ENTER();
    pci->address = (zes_pci_address_t){0, 3, 0, 0};
    return ZE_RESULT_SUCCESS;
}

static void enumerate(uint32_t *count, void **handles, bool there_are)
{
    uint32_t found = there_are ? (uint32_t)settings.tiles : 0;

    for (uint32_t i = 0; handles && i < *count && i < found; i++)
        handles[i] = &tiles[i];
    *count = found;
}

ze_result_t ZE_APICALL zesDeviceEnumFrequencyDomains(zes_device_handle_t device, uint32_t *count,
                                                     zes_freq_handle_t *handles)
{
    (void)device;
    ENTER();
    enumerate(count, (void **)handles, settings.has_sysman > 0.0);
    return ZE_RESULT_SUCCESS;
}

static uint32_t tile_of(const void *handle)
{
    return *(const uint32_t *)handle;
}

ze_result_t ZE_APICALL zesFrequencyGetProperties(zes_freq_handle_t domain,
                                                 zes_freq_properties_t *properties)
{
    ENTER();
    properties->type = ZES_FREQ_DOMAIN_GPU;
    properties->onSubdevice = settings.tiles > 1.0;
    properties->subdeviceId = tile_of(domain);
    properties->max = settings.max_mhz;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesFrequencyGetState(zes_freq_handle_t domain, zes_freq_state_t *state)
{
    ENTER();
    host_clock_advance(settings.sysman_us * 500.0);
    state->actual =
        tile_of(domain) == engine_tile ? governor_mhz(host_clock_now()) : settings.idle_mhz;
    state->throttleReasons = (zes_freq_throttle_reason_flags_t)settings.throttle_reasons;
    host_clock_advance(settings.sysman_us * 500.0);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDeviceEnumMemoryModules(zes_device_handle_t device, uint32_t *count,
                                                  zes_mem_handle_t *handles)
{
    (void)device;
    ENTER();
    enumerate(count, (void **)handles, true);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesMemoryGetProperties(zes_mem_handle_t memory,
                                              zes_mem_properties_t *properties)
{
    ENTER();
    properties->location = ZES_MEM_LOC_DEVICE;
    properties->onSubdevice = settings.tiles > 1.0;
    properties->subdeviceId = tile_of(memory);
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesMemoryGetBandwidth(zes_mem_handle_t memory,
                                             zes_mem_bandwidth_t *bandwidth)
{
    (void)memory;
    ENTER();
    bandwidth->maxBandwidth = MEMORY_BANDWIDTH;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDeviceGetEccState(zes_device_handle_t device,
                                            zes_device_ecc_properties_t *state)
{
    (void)device;
    ENTER();
    state->currentState =
        settings.ecc > 0.0 ? ZES_DEVICE_ECC_STATE_ENABLED : ZES_DEVICE_ECC_STATE_DISABLED;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesDeviceEnumPowerDomains(zes_device_handle_t device, uint32_t *count,
                                                 zes_pwr_handle_t *handles)
{
    (void)device;
    ENTER();
    if (handles && *count > 0)
        *handles = (zes_pwr_handle_t)(void *)&card_place;
    *count = settings.power_limit_w > 0.0 ? 1 : 0;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesPowerGetProperties(zes_pwr_handle_t power,
                                             zes_power_properties_t *properties)
{
    (void)power;
    ENTER();
    properties->onSubdevice = false;
    return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zesPowerGetLimits(zes_pwr_handle_t power,
                                         zes_power_sustained_limit_t *sustained,
                                         zes_power_burst_limit_t *burst,
                                         zes_power_peak_limit_t *peak)
{
    (void)power;
    (void)burst;
    (void)peak;
    ENTER();
    if (sustained) {
        sustained->enabled = true;
        sustained->power = (int32_t)(settings.power_limit_w * 1000.0);
    }
    return ZE_RESULT_SUCCESS;
}
