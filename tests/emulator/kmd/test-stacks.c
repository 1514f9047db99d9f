/* Requests to the node of xe of a device with two stacks, which are tiles there: run this under
 * `vesim --device max-1550`. */
#include <drm.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "i915.h"
#include "xe.h"

/* Each stack is a tile with a GT, its engines and its memory. */
static void tells_of_both(void **state)
{
    uint32_t size;

    (void)state;
    struct xe_gt_list *gts = xe_query(XE_QUERY_GT_LIST, &size);
    struct xe_engines *engines = xe_query(XE_QUERY_ENGINES, &size);
    struct xe_memory_regions *regions = xe_query(XE_QUERY_MEMORY_REGIONS, &size);
    assert_int_equal(gts->count, 2);
    assert_int_equal(engines->count, 4);
    assert_int_equal(regions->count, 3);
    for (uint16_t i = 0; i < 2; i++) {
        assert_int_equal(gts->gts[i].tile, i);
        assert_int_equal(gts->gts[i].number, i);
        assert_int_equal(gts->gts[i].near_regions, 1 << regions->regions[1 + i].instance);
        assert_int_equal(gts->gts[i].far_regions, 1 | 1 << regions->regions[2 - i].instance);
        assert_int_equal(engines->engines[2 * i].instance.gt, i);
        assert_int_equal(engines->engines[2 * i + 1].instance.gt, i);
        assert_int_equal(regions->regions[1 + i].memory_class, XE_MEMORY_LOCAL);
        assert_int_equal(regions->regions[1 + i].bytes, UINT64_C(64) << 30);
    }
    free(gts);
    free(engines);
    free(regions);
}

/* A buffer takes from the memory of the stack that it is put into. */
static void buffers_are_in_a_stack(void **state)
{
    uint32_t size;

    (void)state;
    for (uint32_t region = 1; region <= 2; region++) {
        uint32_t buffer = xe_create_buffer(1 << 20, 1u << region);
        struct xe_memory_regions *regions = xe_query(XE_QUERY_MEMORY_REGIONS, &size);

        assert_int_equal(regions->regions[region].used, 1 << 20);
        assert_int_equal(regions->regions[3 - region].used, 0);
        free(regions);
        close_buffer(buffer);
    }
    struct xe_gem_create nowhere = {.size = 4096, .placement = 1u << 3, .caching = 1};
    assert_int_equal(request(XE(XE_GEM_CREATE, nowhere), &nowhere), EINVAL);
}

/* Queues run on either; each has a clock. */
static void engines_are_of_a_stack(void **state)
{
    const uint32_t vm = xe_create_vm();

    (void)state;
    for (uint16_t gt = 0; gt < 3; gt++) {
        const struct xe_engine_instance engine = {.engine_class = XE_ENGINE_COMPUTE, .gt = gt};
        struct xe_exec_queue_create create = {
            .width = 1, .placements = 1, .vm = vm, .instances = (uintptr_t)&engine};
        struct xe_engine_cycles cycles = {.engine = engine, .clock = CLOCK_MONOTONIC_RAW};
        struct xe_device_query asked = {
            .query = XE_QUERY_ENGINE_CYCLES, .size = sizeof(cycles), .data = (uintptr_t)&cycles};

        assert_int_equal(request(XE(XE_EXEC_QUEUE_CREATE, create), &create), gt < 2 ? 0 : EINVAL);
        assert_int_equal(request(XE(XE_DEVICE_QUERY, asked), &asked), gt < 2 ? 0 : EINVAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(tells_of_both),
        TEST(buffers_are_in_a_stack),
        TEST(engines_are_of_a_stack),
    };

    return cmocka_run_group_tests_name("xe node of stacks", tests, NULL, NULL);
}
