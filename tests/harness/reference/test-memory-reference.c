/* Families `memory_8` to `memory_64` on host memory: their kernels, simulated iteration by
 * iteration from the OpenCL C, have to leave what verify() expects, and nothing else may pass. */
#include "test.h"

#include "fake-ze.h"
#include "families/registry.h"

#include <stdlib.h>
#include <string.h>

#define ITEMS 16

enum { SRC, DST, SUMS, WITNESS, OFFSETS, COPY_OFFSETS };

/* A launch, with the kernel's arguments. */
struct play {
    const struct configuration *c;
    const char *pattern;
    unsigned vector; /* elements of an access */
    uint32_t width;  /* bytes */
    uint32_t turns, total, span, dst_span, stride;
    const uint32_t *offsets;
};

static struct session session;
static struct kernel kernels[FAKE_VARIANTS];
static struct workspace workspace;

static uint32_t number_argument(const struct arguments *arguments, size_t index)
{
    assert_true(index < arguments->count);
    return (uint32_t)arguments->argument[index].value;
}

static struct play make_play(const struct family *family, const struct launch *launch)
{
    const char *name = launch->variant->name;
    const char *pattern = strchr(name, '_') ? strchr(name, '_') + 1 : "subgroup";
    struct arguments arguments = {.count = 0};
    struct play play = {.c = &launch->configuration, .pattern = pattern, .vector = 1};

    family_arguments(family, &workspace, launch, &arguments);
    assert_int_equal(arguments.count, 10);
    if (!strncmp(pattern, "vec", 3))
        play.vector = (unsigned)atoi(pattern + 3);
    if (!strncmp(pattern, "block", 5))
        play.vector = (unsigned)atoi(pattern + 5);
    play.width = (uint32_t)atoi(strchr(family->name, '_') + 1) / 8;
    play.offsets = workspace.buffers[strncmp(name, "copy", 4) ? OFFSETS : COPY_OFFSETS].initial;
    play.turns = number_argument(&arguments, 5);
    play.total = number_argument(&arguments, 6);
    play.span = number_argument(&arguments, 7);
    play.dst_span = number_argument(&arguments, 8);
    play.stride = number_argument(&arguments, 9);
    return play;
}

/* The element of access `access`, component `part`, when all stand at `at` of `limit` elements. */
static uint32_t index_of(const struct play *play, uint32_t item, uint32_t access, uint32_t part,
                         uint32_t at, uint32_t limit)
{
    uint32_t size = play->c->subgroup_size;
    uint32_t lane = item % size;
    uint32_t first = (item - lane) * ITEMS;
    uint32_t index;

    if (!strcmp(play->pattern, "item"))
        index = at + first + lane * ITEMS + access;
    else if (!strcmp(play->pattern, "strided"))
        index = at + (first + access * size + lane) * play->stride;
    else if (!strcmp(play->pattern, "gather"))
        index = (at + play->offsets[first + access * size + lane]) % limit;
    else if (!strncmp(play->pattern, "block", 5))
        index = at + first + (access * play->vector + part) * size + lane;
    else
        index = at + first + (access * size + lane) * play->vector + part;
    assert_true(index < limit);
    return index;
}

/* The sum of the words of a vector. */
static uint32_t words(const unsigned char *vector, size_t bytes)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < bytes; i += 4) {
        uint32_t word = 0;

        memcpy(&word, vector + i, bytes - i < 4 ? bytes - i : 4);
        sum += word;
    }
    return sum;
}

static uint32_t play_load(const struct play *play, uint32_t item)
{
    const unsigned char *src = workspace.buffers[SRC].initial;
    uint32_t sum = 0;

    for (uint32_t turn = 0, at = 0; turn < play->turns; turn++) {
        for (uint32_t access = 0; access < ITEMS / play->vector; access++) {
            unsigned char vector[128];

            for (uint32_t part = 0; part < play->vector; part++) {
                uint32_t index = index_of(play, item, access, part, at, play->span);

                memcpy(vector + part * play->width, src + index * play->width, play->width);
            }
            sum += words(vector, play->vector * play->width);
        }
        at = (at + play->total) % play->span;
    }
    return sum;
}

static void play_store(const struct play *play, uint32_t item)
{
    unsigned char *dst = workspace.buffers[DST].result;

    for (uint32_t turn = 0, at = 0; turn < play->turns; turn++) {
        uint64_t value = (uint64_t)item + turn;

        for (uint32_t i = 0; i < ITEMS; i++) {
            uint32_t index =
                index_of(play, item, i / play->vector, i % play->vector, at, play->span);

            memcpy(dst + index * play->width, &value, play->width);
        }
        at = (at + play->total) % play->span;
    }
}

static void play_copy(const struct play *play, uint32_t item)
{
    const unsigned char *src = workspace.buffers[SRC].initial;
    unsigned char *dst = workspace.buffers[DST].result;

    for (uint32_t turn = 0, at = 0, to = 0; turn < play->turns; turn++) {
        for (uint32_t i = 0; i < ITEMS; i++) {
            uint32_t access = i / play->vector;
            uint32_t part = i % play->vector;
            uint32_t from = index_of(play, item, access, part, at, play->span);
            uint32_t index = index_of(play, item, access, part, to, play->dst_span);

            memcpy(dst + index * play->width, src + from * play->width, play->width);
        }
        at = (at + play->total) % play->span;
        to = (to + play->total) % play->dst_span;
    }
}

static uint32_t play_none(const struct play *play)
{
    uint32_t sum = 0;

    for (uint32_t turn = 0, at = 0; turn < play->turns; turn++) {
        sum += at;
        at = (at + play->total) % play->span;
    }
    return sum;
}

static void play_launch(const struct play *play, const struct launch *launch)
{
    const char *name = launch->variant->name;
    uint32_t *sums = workspace.buffers[SUMS].result;
    uint32_t *witness = workspace.buffers[WITNESS].result;

    memcpy(workspace.buffers[DST].result, workspace.buffers[DST].initial,
           workspace.buffers[DST].bytes);
    for (uint32_t item = 0; item < play->c->workgroup_size * play->c->workgroup_count; item++) {
        witness[item] = play->c->subgroup_size;
        sums[item] = play->turns;
        if (!strncmp(name, "load", 4))
            sums[item] = play_load(play, item);
        else if (!strncmp(name, "store", 5))
            play_store(play, item);
        else if (!strncmp(name, "copy", 4))
            play_copy(play, item);
        else
            sums[item] = play_none(play);
    }
}

static void check_variant(const struct family *family, const struct configuration *c,
                          size_t variant)
{
    const char *name = family->variants[variant].name;
    struct error error;

    if (family->check(NULL, c, &family->variants[variant], &error) != STATUS_OK)
        return;
    for (uint32_t iterations = 1; iterations < 4; iterations++) {
        struct launch launch = {*c, &family->variants[variant], iterations, LAUNCH_MEASURE};
        struct play play = make_play(family, &launch);
        unsigned char *dst = workspace.buffers[DST].result;
        uint32_t *sums = workspace.buffers[SUMS].result;

        play_launch(&play, &launch);
        if (family_verify(family, &workspace, &launch, &error) != STATUS_OK)
            fail_msg("%s %s: %s", family->name, name, error.text);
        dst[workspace.buffers[DST].bytes - 1] ^= 1;
        assert_int_equal(family_verify(family, &workspace, &launch, &error), STATUS_FAILED);
        dst[workspace.buffers[DST].bytes - 1] ^= 1;
        sums[0]++;
        assert_int_equal(family_verify(family, &workspace, &launch, &error), STATUS_FAILED);
        /* One iteration too few; the loop alone does not show it if its position stands still. */
        if (play.total == play.span && !strcmp(name, "none"))
            continue;
        play.turns--;
        play_launch(&play, &launch);
        assert_int_equal(family_verify(family, &workspace, &launch, &error), STATUS_FAILED);
    }
}

static void check_family(const char *name, const struct configuration *c)
{
    const struct family *family = family_find(&families, name);
    struct error error;

    assert_non_null(family);
    fake_open(&session, kernels);
    workspace_init(&workspace, &session, 3);
    assert_int_equal(family_prepare(family, &workspace, c, &error), STATUS_OK);
    for (size_t v = 0; v < family->variant_count; v++)
        check_variant(family, c, v);
    workspace_release(&workspace);
    assert_int_equal(fake_close(), 0);
}

static void test_all_variants(void **state)
{
    static const struct configuration shapes[] = {
        {16, 16, 1, {16384, 1}}, {8, 32, 3, {32768, 1}},  {32, 64, 1, {20000, 1}},
        {16, 32, 1, {65536, 5}}, {16, 16, 1, {65536, 2}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        check_family("memory_8", &shapes[i]);
        check_family("memory_16", &shapes[i]);
        check_family("memory_32", &shapes[i]);
        check_family("memory_64", &shapes[i]);
    }
}

static struct work work_of(const char *family, const char *variant, struct configuration c)
{
    const struct family *f = family_find(&families, family);
    size_t v = family_variant(f, variant);

    if (v >= f->variant_count)
        fail_msg("%s has no variant %s", family, variant);
    return family_work(f, &c, v);
}

/* By hand, for sub-groups of 16 with 32-bit elements: 15 turns of 1 KiB each go through 16 KiB. */
static void test_work(void **state)
{
    const struct configuration c = {16, 16, 1, {16384, 1}};
    struct work work = work_of("memory_32", "load_subgroup", c);

    (void)state;
    assert_near(work.bytes, 15 * 1024, 0);
    assert_near(work.units, 15, 0);
    assert_near(work.messages, 15 * 16, 0);
    assert_near(work.lines, 15 * 16, 0);
    /* Four messages of four words a lane; each lane has a line of its own. */
    work = work_of("memory_32", "load_item", c);
    assert_near(work.messages, 15 * 4, 0);
    assert_near(work.lines, 15 * 4 * 16, 0);
    /* The same messages, and 256 bytes side by side in each. */
    work = work_of("memory_32", "copy_vec4", c);
    assert_near(work.bytes, 15 * 2048, 0);
    assert_near(work.messages, 15 * 8, 0);
    assert_near(work.lines, 15 * 8 * 4, 0);
    /* 128 bytes a message. */
    work = work_of("memory_32", "load_block8", c);
    assert_near(work.messages, 15 * 8, 0);
    assert_near(work.lines, 15 * 8 * 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_variants),
        cmocka_unit_test(test_work),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
