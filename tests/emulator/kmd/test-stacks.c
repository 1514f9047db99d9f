/* Requests to the node of xe of a device with two stacks, which are tiles there: run this under
 * `vesim --device max-1550`. */
#include <drm.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "i915.h"
#include "xe.h"

enum { COPY_ENGINES = 8 };

/* Each stack is a tile with a GT, its engines and its memory. */
static void tells_of_both(void **state)
{
    uint32_t size;

    (void)state;
    struct xe_gt_list *gts = xe_query(XE_QUERY_GT_LIST, &size);
    struct xe_engines *engines = xe_query(XE_QUERY_ENGINES, &size);
    struct xe_memory_regions *regions = xe_query(XE_QUERY_MEMORY_REGIONS, &size);
    assert_int_equal(gts->count, 2);
    assert_int_equal(engines->count, 2 * (COPY_ENGINES + 1));
    assert_int_equal(regions->count, 3);
    for (uint16_t i = 0; i < 2; i++) {
        assert_int_equal(gts->gts[i].tile, i);
        assert_int_equal(gts->gts[i].number, i);
        assert_int_equal(gts->gts[i].near_regions, 1 << regions->regions[1 + i].instance);
        assert_int_equal(gts->gts[i].far_regions, 1 | 1 << regions->regions[2 - i].instance);
        for (uint16_t n = 0; n <= COPY_ENGINES; n++) {
            const struct xe_engine_instance engine =
                engines->engines[i * (COPY_ENGINES + 1) + n].instance;
            const bool copies = n < COPY_ENGINES;

            assert_int_equal(engine.gt, i);
            assert_int_equal(engine.engine_class, copies ? XE_ENGINE_COPY : XE_ENGINE_COMPUTE);
            assert_int_equal(engine.number, copies ? n : 0);
        }
        assert_int_equal(regions->regions[1 + i].memory_class, XE_MEMORY_LOCAL);
        assert_int_equal(regions->regions[1 + i].bytes, UINT64_C(64) << 30);
    }
    free(gts);
    free(engines);
    free(regions);
}

/* The errno of making a queue on an engine of the second stack, or 0. */
static int make_queue(uint32_t vm, enum xe_engine_class engine_class, uint16_t number)
{
    const struct xe_engine_instance engine = {
        .engine_class = engine_class, .number = number, .gt = 1};
    struct xe_exec_queue_create create = {
        .width = 1, .placements = 1, .vm = vm, .instances = (uintptr_t)&engine};
    int status = request(XE(XE_EXEC_QUEUE_CREATE, create), &create);

    if (!status) {
        struct xe_exec_queue_destroy destroy = {.queue = create.queue};

        assert_int_equal(request(XE(XE_EXEC_QUEUE_DESTROY, destroy), &destroy), 0);
    }
    return status;
}

/* The ninth copy engine is the kernel's, all slices work for one compute engine, and nothing
 * renders. Linux refuses an engine that is not there with EINVAL (xe_exec_queue.c, xe_query.c). */
static void queues_are_on_engines_that_are_shown(void **state)
{
    const uint32_t vm = xe_create_vm();
    struct xe_vm_destroy destroy = {.vm = vm};

    (void)state;
    for (uint16_t n = 0; n < COPY_ENGINES; n++)
        assert_int_equal(make_queue(vm, XE_ENGINE_COPY, n), 0);
    assert_int_equal(make_queue(vm, XE_ENGINE_COPY, COPY_ENGINES), EINVAL);
    assert_int_equal(make_queue(vm, XE_ENGINE_COMPUTE, 0), 0);
    assert_int_equal(make_queue(vm, XE_ENGINE_COMPUTE, 1), EINVAL);
    assert_int_equal(make_queue(vm, XE_ENGINE_RENDER, 0), EINVAL);
    assert_int_equal(make_queue(vm, 5, 0), EINVAL); /* no class of the interface */
    assert_int_equal(request(XE(XE_VM_DESTROY, destroy), &destroy), 0);
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
        TEST(queues_are_on_engines_that_are_shown),
        TEST(buffers_are_in_a_stack),
        TEST(engines_are_of_a_stack),
    };

    return cmocka_run_group_tests_name("xe node of stacks", tests, NULL, NULL);
}
