/* Family `latency` on host memory: its nodes are walked as the kernels do, by the addresses in
 * them, and verify() has to agree with the result. */
#include "test.h"

#include "base/prng.h"
#include "fake-ze.h"
#include "families/registry.h"

#include <stdlib.h>
#include <string.h>

#define STEPS 32
#define FAR   8192u /* nodes of an iteration, at the most */

enum { NODES, NEXT, STARTS_OF_SUBGROUPS, STARTS_OF_LANES, LAST, WITNESS };

static struct session session;
static struct kernel kernels[FAKE_VARIANTS];
static struct workspace workspace;

static const struct family *latency(void)
{
    const struct family *family = family_find(&families, "latency");

    assert_non_null(family);
    return family;
}

/* As the device gets it: of a buffer with rows, the rest stays what it was. */
static void copy_in(const struct buffer *buffer)
{
    size_t pitch = buffer->rows.pitch ? buffer->rows.pitch : buffer->bytes;
    size_t bytes = buffer->rows.pitch ? buffer->rows.bytes : buffer->bytes;

    memset(buffer->device, 0xa5, buffer->bytes);
    for (size_t at = 0; at < buffer->bytes; at += pitch)
        memcpy((unsigned char *)buffer->device + at, (unsigned char *)buffer->initial + at, bytes);
}

static void set_up(const struct configuration *c)
{
    struct error error;

    fake_open(&session, kernels);
    workspace_init(&workspace, &session, 7);
    assert_int_equal(family_prepare(latency(), &workspace, c, &error), STATUS_OK);
    copy_in(&workspace.buffers[NODES]);
}

static void tear_down(void)
{
    workspace_release(&workspace);
    assert_int_equal(fake_close(), 0);
}

static bool has(size_t variant, const char *part)
{
    return strstr(latency()->variants[variant].name, part) != NULL;
}

static uint32_t walk(const struct configuration *c, size_t variant, uint32_t start, uint32_t steps)
{
    const unsigned char *nodes = workspace.buffers[NODES].device;
    const uint32_t *next = workspace.buffers[NEXT].initial;
    const unsigned char *at = nodes + start;

    for (uint32_t i = 0; i < steps; i++) {
        if (has(variant, "slm")) {
            start = next[start / c->own[1] * 2 + start % c->own[1] / 8];
        } else {
            uint64_t address;

            memcpy(&address, at, sizeof(address));
            at = (const unsigned char *)(uintptr_t)address;
        }
    }
    return has(variant, "slm") ? start : (uint32_t)(at - nodes);
}

/* What the kernel of a variant leaves after so many iterations of its loop. */
static void simulate(const struct configuration *c, size_t variant, uint32_t turns)
{
    const uint32_t *starts =
        workspace.buffers[has(variant, "divergent") ? STARTS_OF_LANES : STARTS_OF_SUBGROUPS]
            .initial;
    uint32_t *last = workspace.buffers[LAST].result;
    uint32_t *witness = workspace.buffers[WITNESS].result;

    for (uint32_t item = 0; item < c->workgroup_size * c->workgroup_count; item++) {
        bool idle = has(variant, "one_lane") && item % c->subgroup_size != 0;

        last[item] = walk(c, variant, starts[item], idle ? 0 : turns * STEPS);
        witness[item] = c->subgroup_size;
    }
}

/* The trip count of the loop is the fifth argument. */
static uint32_t turns_of(const struct launch *launch)
{
    struct arguments arguments = {.count = 0};

    family_arguments(latency(), &workspace, launch, &arguments);
    assert_true(arguments.count == 5 || arguments.count == 7);
    return (uint32_t)arguments.argument[4].value;
}

static void check_variant(const struct configuration *c, size_t variant)
{
    uint32_t *last = workspace.buffers[LAST].result;

    for (uint32_t iterations = 1; iterations < 4; iterations++) {
        struct launch launch = {*c, &latency()->variants[variant], iterations, LAUNCH_MEASURE};
        uint32_t turns = turns_of(&launch);
        struct error error;

        simulate(c, variant, turns);
        assert_int_equal(family_verify(latency(), &workspace, &launch, &error), STATUS_OK);
        simulate(c, variant, turns - 1);
        assert_int_equal(family_verify(latency(), &workspace, &launch, &error), STATUS_FAILED);
        simulate(c, variant, turns);
        last[c->workgroup_size * c->workgroup_count - 1] ^= 64;
        assert_int_equal(family_verify(latency(), &workspace, &launch, &error), STATUS_FAILED);
    }
}

static const struct configuration shapes[] = {
    {16, 16, 1, {16384, 64}}, {8, 32, 3, {65536, 128}},  {32, 64, 2, {61440, 64}},
    {32, 32, 1, {1024, 16}},  {8, 8, 1, {524288, 4096}}, {16, 32, 2, {4u << 20, 65600}},
};

static void test_chains(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        set_up(&shapes[i]);
        for (size_t v = 0; v < latency()->variant_count; v++)
            check_variant(&shapes[i], v);
        tear_down();
    }
}

/* One cycle: it takes as many steps as there are nodes to get back, and no fewer. */
static void test_one_cycle(void **state)
{
    const struct configuration *c = &shapes[0];
    uint32_t nodes = c->own[0] / c->own[1] - 1;

    (void)state;
    set_up(c);
    for (uint32_t steps = 1; steps < nodes; steps++)
        assert_int_not_equal(walk(c, 0, 0, steps), 0);
    assert_int_equal(walk(c, 0, 0, nodes), 0);
    tear_down();
}

/* In an iteration every work-group visits every node, except in sets that no first level holds. */
static void test_iterations_reach_everything(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        const struct configuration *c = &shapes[i];

        set_up(c);
        for (size_t v = 0; v < latency()->variant_count; v++) {
            struct launch launch = {*c, &latency()->variants[v], 1, LAUNCH_MEASURE};
            uint32_t items = c->workgroup_size;
            uint32_t chains = has(v, "divergent") ? items : items / c->subgroup_size;

            uint32_t nodes = c->own[0] / c->own[1] - 1;

            assert_true(turns_of(&launch) * STEPS * chains >= (nodes < FAR ? nodes : FAR));
            assert_true(turns_of(&launch) * STEPS * chains < nodes + STEPS * chains);
        }
        tear_down();
    }
}

/* However large the set, all launches are equally long, each continues where the last one ended,
 * and enough of them go all the way round. */
static void test_large_sets_are_walked_in_pieces(void **state)
{
    const struct configuration c = {16, 16, 1, {16u << 20, 64}};
    const uint32_t nodes = (16u << 20) / 64 - 1;
    const size_t uniform = 2, divergent = 3;
    struct launch launch = {c, &latency()->variants[divergent], 1, LAUNCH_MEASURE};
    uint32_t far = 0;
    struct error error;

    (void)state;
    set_up(&c);
    assert_true(has(uniform, "uniform") && has(divergent, "divergent"));
    assert_int_equal(turns_of(&launch) * STEPS * 16, FAR);
    const uint32_t *starts = workspace.buffers[STARTS_OF_SUBGROUPS].initial;
    uint32_t begin = starts[0];
    assert_int_equal(family_warming(latency(), &c, divergent), nodes / FAR + 1);
    for (uint32_t i = 0; i < family_warming(latency(), &c, divergent); i++) {
        simulate(&c, divergent, turns_of(&launch));
        assert_int_equal(family_verify(latency(), &workspace, &launch, &error), STATUS_OK);
        far += FAR;
        assert_int_equal(starts[0], walk(&c, uniform, begin, far % nodes));
    }
    assert_true(far >= nodes);
    assert_int_equal(family_warming(latency(), &shapes[0], divergent), 0);
    tear_down();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chains),
        cmocka_unit_test(test_one_cycle),
        cmocka_unit_test(test_iterations_reach_everything),
        cmocka_unit_test(test_large_sets_are_walked_in_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
