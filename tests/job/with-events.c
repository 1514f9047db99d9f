/* A program as its authors write them: launches a kernel of (buffer, number) twice in a list that
 * runs three times, and prints how long the last launch took by the timestamps of its event, and
 * the lanes that the compiler chose. with-events SPIRV_FILE KERNEL GROUPS BYTES NUMBER work-groups
 * of 256 */
#include <stdio.h>
#include <stdlib.h>

#include "l0.h"

enum { RUNS = 3 }; /* what a list reads for the first time comes from memory */

int main(int argc, char **argv)
{
    ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
    ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
    ze_kernel_timestamp_result_t taken;

    EXPECT(argc == 6);
    const ze_group_count_t groups = {(uint32_t)atoi(argv[3]), 1, 1};
    size_t bytes = (size_t)atoll(argv[4]);

    l0_open();
    CHECK(zeDeviceGetProperties(l0_device, &device));
    ze_kernel_handle_t kernel = l0_kernel(l0_module(l0_context, argv[1]), argv[2], 256);
    CHECK(zeKernelGetProperties(kernel, &properties));
    void *buffer = l0_allocate(l0_context, MEMORY_DEVICE, bytes);
    l0_arguments(kernel, buffer, (uint32_t)atoi(argv[5]));

    /* with host scope, drivers of integrated GPUs write the caches back within the kernel's time */
    ze_event_handle_t event = l0_timed_events(l0_context, 0).event[0];
    ze_command_list_handle_t list = l0_list(l0_context, 0);
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL));
    CHECK(zeCommandListClose(list));
    for (int run = 0; run < RUNS; run++) {
        CHECK(zeEventHostReset(event));
        l0_run(queue, list);
    }
    CHECK(zeEventQueryKernelTimestamp(event, &taken));

    double ticks = (double)(taken.global.kernelEnd - taken.global.kernelStart);
    printf("%.1f %u\n", ticks * 1e9 / (double)device.timerResolution, properties.maxSubgroupSize);
    return 0;
}
