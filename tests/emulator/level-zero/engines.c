/* Every queue of every queue group copies: one after another, all at once, and in a chain of events
 * from one to the next. level-zero-engines MODULE [COPY_QUEUES]: so many queues have to be of
 * groups that only copy. The module is not used. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "l0.h"

/* Of each queue; no whole pages. The driver splits long copies over several engines. */
enum { BYTES = (6 << 20) + 137, QUEUES_MAX = 32 };

/* A queue, and what goes through it: to the device, on to another place there, and back. */
struct lane {
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    uint32_t ordinal, index;
    uint8_t *from, *device, *other, *to;
};

static struct lane lanes[QUEUES_MAX];
static unsigned lane_count;

static void open_lanes(void)
{
    for (uint32_t ordinal = 0; ordinal < l0_groups(); ordinal++) {
        for (uint32_t index = 0; index < l0_group(ordinal).numQueues; index++) {
            EXPECT(lane_count < QUEUES_MAX);
            lanes[lane_count++] =
                (struct lane){.queue = l0_queue_at(l0_context, ordinal, index),
                              .list = l0_list(l0_context, ordinal),
                              .ordinal = ordinal,
                              .index = index,
                              .from = l0_allocate(l0_context, MEMORY_HOST, BYTES),
                              .device = l0_allocate(l0_context, MEMORY_DEVICE, BYTES),
                              .other = l0_allocate(l0_context, MEMORY_DEVICE, BYTES),
                              .to = l0_allocate(l0_context, MEMORY_HOST, BYTES)};
        }
    }
}

static void close_lanes(void)
{
    for (struct lane *lane = lanes; lane < lanes + lane_count; lane++) {
        CHECK(zeCommandListDestroy(lane->list));
        CHECK(zeCommandQueueDestroy(lane->queue));
        l0_free(l0_context, MEMORY_HOST, lane->from);
        l0_free(l0_context, MEMORY_DEVICE, lane->device);
        l0_free(l0_context, MEMORY_DEVICE, lane->other);
        l0_free(l0_context, MEMORY_HOST, lane->to);
    }
}

static void copy(const struct lane *lane, void *to, const void *from)
{
    CHECK(zeCommandListAppendMemoryCopy(lane->list, to, from, BYTES, NULL, 0, NULL));
    CHECK(zeCommandListAppendBarrier(lane->list, NULL, 0, NULL));
}

static void fill_list(const struct lane *lane, uint32_t seed)
{
    l0_noise(lane->from, BYTES, seed);
    memset(lane->to, 0, BYTES);
    CHECK(zeCommandListReset(lane->list));
    copy(lane, lane->device, lane->from);
    copy(lane, lane->other, lane->device);
    copy(lane, lane->to, lane->other);
    CHECK(zeCommandListClose(lane->list));
}

static void each_alone(void)
{
    for (unsigned i = 0; i < lane_count; i++) {
        fill_list(&lanes[i], i + 1);
        l0_run(lanes[i].queue, lanes[i].list);
        EXPECT_BYTES(lanes[i].to, lanes[i].from, BYTES);
    }
}

static void all_at_once(void)
{
    for (unsigned i = 0; i < lane_count; i++)
        fill_list(&lanes[i], 100 + i);
    for (unsigned i = 0; i < lane_count; i++)
        CHECK(zeCommandQueueExecuteCommandLists(lanes[i].queue, 1, &lanes[i].list, NULL));
    for (unsigned i = lane_count; i-- > 0;) {
        CHECK(zeCommandQueueSynchronize(lanes[i].queue, UINT64_MAX));
        EXPECT_BYTES(lanes[i].to, lanes[i].from, BYTES);
    }
}

/* Each queue takes what the one before has brought to the device, and so the bytes go through all
 * of them; the last one brings them back. Submitted from the last to the first. */
static void one_after_another(void)
{
    const ze_event_pool_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                              .count = QUEUES_MAX};
    ze_event_handle_t events[QUEUES_MAX];
    ze_event_pool_handle_t pool;

    CHECK(zeEventPoolCreate(l0_context, &description, 1, &l0_device, &pool));
    l0_noise(lanes[0].from, BYTES, 1000);
    memset(lanes[lane_count - 1].to, 0, BYTES);
    for (unsigned i = 0; i < lane_count; i++) {
        const ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
        const struct lane *lane = &lanes[i];

        CHECK(zeEventCreate(pool, &event, &events[i]));
        CHECK(zeCommandListReset(lane->list));
        CHECK(zeCommandListAppendMemoryCopy(lane->list, lane->device,
                                            i ? lanes[i - 1].device : lane->from, BYTES, events[i],
                                            i > 0, i ? &events[i - 1] : NULL));
        if (i == lane_count - 1)
            CHECK(zeCommandListAppendMemoryCopy(lane->list, lane->to, lane->device, BYTES, NULL, 1,
                                                &events[i]));
        CHECK(zeCommandListClose(lane->list));
    }
    for (unsigned i = lane_count; i-- > 0;)
        CHECK(zeCommandQueueExecuteCommandLists(lanes[i].queue, 1, &lanes[i].list, NULL));
    for (unsigned i = 0; i < lane_count; i++)
        CHECK(zeCommandQueueSynchronize(lanes[i].queue, UINT64_MAX));
    EXPECT_BYTES(lanes[lane_count - 1].to, lanes[0].from, BYTES);
    for (unsigned i = 0; i < lane_count; i++)
        CHECK(zeEventDestroy(events[i]));
    CHECK(zeEventPoolDestroy(pool));
}

int main(int argc, char **argv)
{
    unsigned copying = 0;

    l0_open();
    open_lanes();
    for (unsigned i = 0; i < lane_count; i++) {
        printf("group %u, queue %u: %s\n", lanes[i].ordinal, lanes[i].index,
               l0_computes(lanes[i].ordinal) ? "computes" : "copies");
        copying += !l0_computes(lanes[i].ordinal);
    }
    if (argc > 2)
        EXPECT(copying == strtoul(argv[2], NULL, 0));
    each_alone();
    all_at_once();
    one_after_another();
    close_lanes();
    l0_close();
    return 0;
}
