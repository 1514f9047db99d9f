/* What an event's scope costs by the driver's timestamps, and as it is predicted: a Level Zero
 * program below vesim. argv[1] is the device, argv[2] a module with kernel `add`. */
#include "l0.h"

#include "test.h"

#include "commands/predict-kernel.h"
#include "families/registry.h"

#include <assert.h>

enum { ITEMS = 1 << 19, GROUP = 256, BYTES = ITEMS * 4, LAUNCHES = 3 };

static const char *device, *module_path;
static double tick_us;

/* The duration by its event of the last of some launches, each in a list of its own, behind the
 * same without an event: on Xe-LP the first of a list has the list's state set within its time, and
 * i915 has it find the translations of its pages. */
static double measure_us(ze_event_scope_flags_t scope)
{
    const ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
    ze_kernel_timestamp_result_t stamps;

    CHECK(zeDeviceGetProperties(l0_device, &properties));
    struct event_set events = l0_timed_events(l0_context, scope);
    ze_event_handle_t event = events.event[0];
    void *data = l0_allocate(l0_context, MEMORY_DEVICE, BYTES);
    ze_module_handle_t module = l0_module(l0_context, module_path);
    ze_kernel_handle_t kernel = l0_kernel(module, "add", GROUP);
    ze_command_queue_handle_t queue = l0_queue(l0_context, 0);
    l0_arguments(kernel, data, 1);
    for (unsigned i = 0; i < LAUNCHES; i++) {
        ze_command_list_handle_t list = l0_list(l0_context, 0);

        CHECK(zeEventHostReset(event));
        CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
        CHECK(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL));
        CHECK(zeCommandListClose(list));
        l0_run(queue, list);
        CHECK(zeEventQueryKernelTimestamp(event, &stamps));
        CHECK(zeCommandListDestroy(list));
    }
    CHECK(zeCommandQueueDestroy(queue));
    CHECK(zeKernelDestroy(kernel));
    CHECK(zeModuleDestroy(module));
    l0_free(l0_context, MEMORY_DEVICE, data);
    l0_destroy_events(&events);
    tick_us = 1e6 / (double)properties.timerResolution;
    return (double)(stamps.context.kernelEnd - stamps.context.kernelStart) * tick_us;
}

static double predict_us(enum predict_event event)
{
    const struct predict_request request = {.spirv_path = module_path,
                                            .kernel = "add",
                                            .global = "524288",
                                            .local = "256",
                                            .arguments = {"0=2M", "1=1"},
                                            .argument_count = 2,
                                            .event = event};
    const struct predict_once warm = {.caches = PREDICT_WARM};
    struct predict_signature signature;
    struct predictor *predictor;
    struct kernel_launch made;
    struct model model;
    struct error error;
    double cycles = NAN;

    model_init(&model, &family_models);
    const struct predictor_settings settings = {
        .model = &model, .figures = &family_figures, .base = device};
    assert_int_equal(predictor_open(&predictor, &settings, &error), STATUS_OK);
    if (kernel_launch_make(&made, predictor, &request, &signature, &error) != STATUS_OK ||
        predict_cycles(predictor, &made.kernel, &made.launch, &warm, &cycles, NULL, &error) !=
            STATUS_OK)
        fail_msg("%s", error.text);
    cycles /= predictor_clock_mhz(predictor);
    kernel_launch_free(&made);
    predictor_close(predictor);
    return cycles;
}

/* Measured as predicted; which of them waits for the lines is what the driver's commands say. A
 * driver that submits lists without Linux leaves the code where it is. */
static void test_scopes(void **state)
{
    double measured[] = {measure_us(0), measure_us(ZE_EVENT_SCOPE_FLAG_HOST)};
    double least[] = {predict_us(PREDICT_EVENT_BEHIND), predict_us(PREDICT_EVENT_HOST)};
    double most[] = {predict_us(PREDICT_EVENT_LISTS), least[1]};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        double near = tick_us + 0.06 * measured[i];

        print_message("%s: %s scope: %.2f us, predicted %.2f to %.2f\n", device, i ? "host" : "no",
                      measured[i], least[i], most[i]);
        assert_true(least[i] - near <= measured[i] && measured[i] <= most[i] + near);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scopes)};

    assert(argc == 3);
    device = argv[1];
    module_path = argv[2];
    l0_open();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    l0_close();
    return failed;
}
