/* The Level Zero entry points vebench uses, looked up in the loader at run time. The loader is
 * opened with dlopen rather than linked, because a program with a missing shared library dies
 * before main() with a message that suggests no remedy. */
#ifndef VEBENCH_ZE_API_H
#define VEBENCH_ZE_API_H

#include "base/error.h"

#include <stdbool.h> /* before ze_loader.h, which relies on it */

#include <level_zero/loader/ze_loader.h>
#include <level_zero/ze_api.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zes_api.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_api.h>
#include <level_zero/zet_ddi.h>

#include <stddef.h>

/* Newer than the oldest supported headers (Level Zero 1.5, zesInit and related functions). */
typedef ze_result_t(ZE_APICALL *zes_init_fn)(uint32_t);
typedef ze_result_t(ZE_APICALL *zes_driver_get_fn)(uint32_t *, zes_driver_handle_t *);
typedef ze_result_t(ZE_APICALL *zes_device_get_fn)(zes_driver_handle_t, uint32_t *,
                                                   zes_device_handle_t *);
typedef ze_result_t(ZE_APICALL *zes_driver_get_device_by_uuid_fn)(zes_driver_handle_t,
                                                                  ze_device_uuid_t,
                                                                  zes_device_handle_t *,
                                                                  ze_bool_t *, uint32_t *);
typedef ze_result_t(ZE_APICALL *zel_loader_get_versions_fn)(size_t *, zel_component_version_t *);

/* X(type, name): without these nothing can be measured. */
#define ZE_API_REQUIRED(X)                                                                         \
    X(ze_pfnInit_t, zeInit)                                                                        \
    X(ze_pfnDriverGet_t, zeDriverGet)                                                              \
    X(ze_pfnDriverGetProperties_t, zeDriverGetProperties)                                          \
    X(ze_pfnDriverGetExtensionProperties_t, zeDriverGetExtensionProperties)                        \
    X(ze_pfnDeviceGet_t, zeDeviceGet)                                                              \
    X(ze_pfnDeviceGetProperties_t, zeDeviceGetProperties)                                          \
    X(ze_pfnDeviceGetComputeProperties_t, zeDeviceGetComputeProperties)                            \
    X(ze_pfnDeviceGetCommandQueueGroupProperties_t, zeDeviceGetCommandQueueGroupProperties)        \
    X(ze_pfnContextCreate_t, zeContextCreate)                                                      \
    X(ze_pfnContextDestroy_t, zeContextDestroy)                                                    \
    X(ze_pfnCommandQueueCreate_t, zeCommandQueueCreate)                                            \
    X(ze_pfnCommandQueueDestroy_t, zeCommandQueueDestroy)                                          \
    X(ze_pfnCommandQueueExecuteCommandLists_t, zeCommandQueueExecuteCommandLists)                  \
    X(ze_pfnCommandQueueSynchronize_t, zeCommandQueueSynchronize)                                  \
    X(ze_pfnCommandListCreate_t, zeCommandListCreate)                                              \
    X(ze_pfnCommandListCreateImmediate_t, zeCommandListCreateImmediate)                            \
    X(ze_pfnCommandListDestroy_t, zeCommandListDestroy)                                            \
    X(ze_pfnCommandListClose_t, zeCommandListClose)                                                \
    X(ze_pfnCommandListReset_t, zeCommandListReset)                                                \
    X(ze_pfnCommandListAppendBarrier_t, zeCommandListAppendBarrier)                                \
    X(ze_pfnCommandListAppendMemoryCopy_t, zeCommandListAppendMemoryCopy)                          \
    X(ze_pfnCommandListAppendMemoryCopyRegion_t, zeCommandListAppendMemoryCopyRegion)              \
    X(ze_pfnCommandListAppendLaunchKernel_t, zeCommandListAppendLaunchKernel)                      \
    X(ze_pfnEventPoolCreate_t, zeEventPoolCreate)                                                  \
    X(ze_pfnEventPoolDestroy_t, zeEventPoolDestroy)                                                \
    X(ze_pfnEventCreate_t, zeEventCreate)                                                          \
    X(ze_pfnEventDestroy_t, zeEventDestroy)                                                        \
    X(ze_pfnEventHostReset_t, zeEventHostReset)                                                    \
    X(ze_pfnEventHostSynchronize_t, zeEventHostSynchronize)                                        \
    X(ze_pfnEventQueryKernelTimestamp_t, zeEventQueryKernelTimestamp)                              \
    X(ze_pfnMemAllocHost_t, zeMemAllocHost)                                                        \
    X(ze_pfnMemAllocDevice_t, zeMemAllocDevice)                                                    \
    X(ze_pfnMemFree_t, zeMemFree)                                                                  \
    X(ze_pfnModuleCreate_t, zeModuleCreate)                                                        \
    X(ze_pfnModuleDestroy_t, zeModuleDestroy)                                                      \
    X(ze_pfnModuleBuildLogDestroy_t, zeModuleBuildLogDestroy)                                      \
    X(ze_pfnModuleBuildLogGetString_t, zeModuleBuildLogGetString)                                  \
    X(ze_pfnKernelCreate_t, zeKernelCreate)                                                        \
    X(ze_pfnKernelDestroy_t, zeKernelDestroy)                                                      \
    X(ze_pfnKernelSetGroupSize_t, zeKernelSetGroupSize)                                            \
    X(ze_pfnKernelSetArgumentValue_t, zeKernelSetArgumentValue)                                    \
    X(ze_pfnKernelGetProperties_t, zeKernelGetProperties)

/* X(type, name): NULL in the table if the loader is too old to have them. */
#define ZE_API_OPTIONAL(X)                                                                         \
    X(ze_pfnDevicePciGetPropertiesExt_t, zeDevicePciGetPropertiesExt)                              \
    X(ze_pfnDeviceGetSubDevices_t, zeDeviceGetSubDevices)                                          \
    X(ze_pfnImageCreate_t, zeImageCreate)                                                          \
    X(ze_pfnImageDestroy_t, zeImageDestroy)                                                        \
    X(ze_pfnCommandListAppendImageCopyFromMemory_t, zeCommandListAppendImageCopyFromMemory)        \
    X(ze_pfnCommandListAppendImageCopyToMemory_t, zeCommandListAppendImageCopyToMemory)            \
    X(ze_pfnDeviceGetGlobalTimestamps_t, zeDeviceGetGlobalTimestamps)                              \
    X(ze_pfnDeviceGetCacheProperties_t, zeDeviceGetCacheProperties)                                \
    X(ze_pfnDeviceGetMemoryProperties_t, zeDeviceGetMemoryProperties)                              \
    X(ze_pfnDeviceGetModuleProperties_t, zeDeviceGetModuleProperties)                              \
    X(ze_pfnModuleGetNativeBinary_t, zeModuleGetNativeBinary)                                      \
    X(ze_pfnModuleGetGlobalPointer_t, zeModuleGetGlobalPointer)                                    \
    X(ze_pfnCommandListAppendLaunchCooperativeKernel_t,                                            \
      zeCommandListAppendLaunchCooperativeKernel)                                                  \
    X(ze_pfnKernelSuggestMaxCooperativeGroupCount_t, zeKernelSuggestMaxCooperativeGroupCount)      \
    X(zes_init_fn, zesInit)                                                                        \
    X(zes_driver_get_fn, zesDriverGet)                                                             \
    X(zes_device_get_fn, zesDeviceGet)                                                             \
    X(zes_driver_get_device_by_uuid_fn, zesDriverGetDeviceByUuidExp)                               \
    X(zes_pfnDeviceGetProperties_t, zesDeviceGetProperties)                                        \
    X(zes_pfnDevicePciGetProperties_t, zesDevicePciGetProperties)                                  \
    X(zes_pfnDeviceEnumFrequencyDomains_t, zesDeviceEnumFrequencyDomains)                          \
    X(zes_pfnFrequencyGetProperties_t, zesFrequencyGetProperties)                                  \
    X(zes_pfnFrequencyGetState_t, zesFrequencyGetState)                                            \
    X(zes_pfnDeviceGetEccState_t, zesDeviceGetEccState)                                            \
    X(zes_pfnDeviceEnumPowerDomains_t, zesDeviceEnumPowerDomains)                                  \
    X(zes_pfnPowerGetProperties_t, zesPowerGetProperties)                                          \
    X(zes_pfnPowerGetLimits_t, zesPowerGetLimits)                                                  \
    X(zes_pfnDeviceEnumMemoryModules_t, zesDeviceEnumMemoryModules)                                \
    X(zes_pfnMemoryGetProperties_t, zesMemoryGetProperties)                                        \
    X(zes_pfnMemoryGetBandwidth_t, zesMemoryGetBandwidth)                                          \
    X(zet_pfnMetricGroupGet_t, zetMetricGroupGet)                                                  \
    X(zet_pfnMetricGroupGetProperties_t, zetMetricGroupGetProperties)                              \
    X(zet_pfnMetricGroupCalculateMetricValues_t, zetMetricGroupCalculateMetricValues)              \
    X(zet_pfnMetricGet_t, zetMetricGet)                                                            \
    X(zet_pfnMetricGetProperties_t, zetMetricGetProperties)                                        \
    X(zet_pfnContextActivateMetricGroups_t, zetContextActivateMetricGroups)                        \
    X(zet_pfnMetricQueryPoolCreate_t, zetMetricQueryPoolCreate)                                    \
    X(zet_pfnMetricQueryPoolDestroy_t, zetMetricQueryPoolDestroy)                                  \
    X(zet_pfnMetricQueryCreate_t, zetMetricQueryCreate)                                            \
    X(zet_pfnMetricQueryDestroy_t, zetMetricQueryDestroy)                                          \
    X(zet_pfnMetricQueryReset_t, zetMetricQueryReset)                                              \
    X(zet_pfnMetricQueryGetData_t, zetMetricQueryGetData)                                          \
    X(zet_pfnCommandListAppendMetricQueryBegin_t, zetCommandListAppendMetricQueryBegin)            \
    X(zet_pfnCommandListAppendMetricQueryEnd_t, zetCommandListAppendMetricQueryEnd)                \
    X(zel_loader_get_versions_fn, zelLoaderGetVersions)

#define ZE_API_MEMBER(type, name) type name;
struct ze_api {
    void *library; /* dlopen handle */
    ZE_API_REQUIRED(ZE_API_MEMBER)
    ZE_API_OPTIONAL(ZE_API_MEMBER)
};
#undef ZE_API_MEMBER

/* Opens the loader, `path` or, if NULL, libze_loader.so.1, and fills the table. STATUS_FAILED,
 * naming the packages to install, if there is no usable one. */
enum status ze_api_open(struct ze_api *api, const char *path, struct error *error);

/* Maps and relocates what a session will load, so that processes forked from now on share it;
 * nothing of it is started. What is not installed is left out. */
void ze_api_preload(void);

/* Releases the loader. The driver's own threads and exit handlers may still run afterwards, so the
 * library stays mapped until the process ends. */
void ze_api_close(struct ze_api *api);

/* The loader's own version, "1.8.12", or "unknown". */
void ze_loader_version(const struct ze_api *api, char *text, size_t text_bytes);

/* "ZE_RESULT_ERROR_DEVICE_LOST" and so on. Never NULL. */
const char *ze_result_name(ze_result_t result);

/* Turns a result into a status and an error text that names the call, the result and the place. */
enum status ze_report(ze_result_t result, const char *call, const char *file, int line,
                      struct error *error);

/* Calls entry point `name` of the table and reports; every Level Zero call goes through here. */
#define ZE_CALL(api, error, name, ...)                                                             \
    ze_report((api)->name(__VA_ARGS__), #name, __FILE__, __LINE__, (error))

#endif
