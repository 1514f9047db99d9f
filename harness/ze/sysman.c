#include "ze/sysman.h"
#include "ze/emulator.h"

#include <stdlib.h>
#include <string.h>

#define DRIVERS_MAX 8
#define MODULES_MAX 16

void sysman_prepare(struct session *session)
{
    const struct ze_api *ze = &session->ze;

    /* With system management, a driver in capture mode expects a device that is not there. */
    if (!device_kind_hardware_possible() && !emulator_device_name())
        return;
    session->sysman_is_apart = ze->zesInit && ze->zesDriverGet && ze->zesDeviceGet &&
                               !getenv("ZES_ENABLE_SYSMAN") && ze->zesInit(0) == ZE_RESULT_SUCCESS;
    if (!session->sysman_is_apart)
        setenv("ZES_ENABLE_SYSMAN", "1", 0);
}

static bool has_address(const struct session *session, zes_device_handle_t handle)
{
    zes_pci_properties_t pci = {.stype = ZES_STRUCTURE_TYPE_PCI_PROPERTIES};
    char text[PCI_TEXT_BYTES];

    if (!session->device->pci_address[0] || !session->ze.zesDevicePciGetProperties ||
        session->ze.zesDevicePciGetProperties(handle, &pci) != ZE_RESULT_SUCCESS)
        return false;
    device_format_pci(&pci.address, text);
    return !strcmp(text, session->device->pci_address);
}

static bool has_uuid(const struct session *session, zes_device_handle_t handle)
{
    zes_device_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    char text[UUID_TEXT_BYTES];

    properties.core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    if (!session->ze.zesDeviceGetProperties ||
        session->ze.zesDeviceGetProperties(handle, &properties) != ZE_RESULT_SUCCESS)
        return false;
    device_format_uuid(&properties.core.uuid, text);
    return !strcmp(text, session->device->uuid);
}

/* Is the selected device a tile, though it is not called one? System management, which always shows
 * whole cards, knows. */
static void find_tile(struct session *session, zes_driver_handle_t driver, zes_device_handle_t card)
{
    struct device *device = &session->devices.device[session->device - session->devices.device];
    zes_device_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    zes_device_handle_t found = NULL;
    ze_bool_t is_tile = false;
    uint32_t tile = 0;

    properties.core.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    if (device->is_tile || device->tile_count > 1 || !session->ze.zesDeviceGetProperties ||
        session->ze.zesDeviceGetProperties(card, &properties) != ZE_RESULT_SUCCESS ||
        properties.numSubdevices < 2)
        return;
    if (!session->ze.zesDriverGetDeviceByUuidExp ||
        session->ze.zesDriverGetDeviceByUuidExp(driver, device->id, &found, &is_tile, &tile) !=
            ZE_RESULT_SUCCESS)
        is_tile = false;
    device->is_tile = true;
    device->tile = is_tile ? tile : TILE_UNKNOWN;
}

void sysman_find(struct session *session)
{
    zes_driver_handle_t drivers[DRIVERS_MAX];
    zes_device_handle_t devices[DEVICES_MAX];
    uint32_t driver_count = DRIVERS_MAX;

    session->sysman = NULL;
    if (!session->sysman_is_apart) {
        /* With ZES_ENABLE_SYSMAN a core device handle is a system-management handle too. */
        session->sysman = (zes_device_handle_t)session->device->handle;
        return;
    }
    if (session->ze.zesDriverGet(&driver_count, drivers) != ZE_RESULT_SUCCESS)
        return;
    for (uint32_t d = 0; d < driver_count && d < DRIVERS_MAX; d++) {
        uint32_t count = DEVICES_MAX;

        if (session->ze.zesDeviceGet(drivers[d], &count, devices) != ZE_RESULT_SUCCESS)
            continue;
        for (uint32_t i = 0; i < count && i < DEVICES_MAX; i++) {
            if (has_address(session, devices[i])) {
                session->sysman = devices[i];
                find_tile(session, drivers[d], devices[i]);
                return;
            }
            if (has_uuid(session, devices[i]))
                session->sysman = devices[i];
        }
    }
}

double sysman_peak_bandwidth(const struct session *session)
{
    zes_mem_handle_t modules[MODULES_MAX];
    uint32_t count = MODULES_MAX;
    double sum = 0.0;

    if (session->is_deterministic) {
        const uint32_t tiles = session->device->tile_count;

        return emulator_memory_bandwidth() * (tiles > 1 ? tiles : 1);
    }
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
