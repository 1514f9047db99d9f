/*
 * The barrier kernels' machine code: do the variants differ by the barrier, and by nothing else?
 *
 * The cost of a barrier is measured as a difference between kernels, so everything which differs
 * between them ends up in the result. Each module is compiled for three targets (DG2-G11, the
 * LSC messages of an A380; DG2's first stepping, which uses the older data cache messages; Tiger
 * Lake) and each kernel's disassembly is compared with that of barrier_none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "compile.h"
#include "listing.h"
#include "spirv-modules.h"

enum { PATH_CHARS = 256, BARRIER_INSTRUCTIONS_MAX = 16 };

struct target {
    const char *device;             /* as ocloc compile wants it */
    const char *disassembly_device; /* as ocloc disasm wants it */
    size_t payload_setup;           /* instructions which build the signal's payload */
    size_t global_fences;           /* fences of a work-group barrier with CLK_GLOBAL_MEM_FENCE */
};

/* The first stepping of DG2 has a fence for typed memory (tgm) beside that for untyped (ugm). */
static const struct target targets[] = {
    {"acm-g11", "dg2", 2, 1},
    {"dg2", "dg2", 2, 2},
    {"tgllp", "tgllp", 1, 1},
};

struct variant {
    const char *name;
    int slm_fence;
    int global_fence;
    int signal;
};

static const struct variant variants[] = {
    {"barrier_none", 0, 0, 0},
    {"barrier_sub_group_local", 0, 0, 0},
    {"barrier_sub_group_global", 0, 0, 0},
    {"barrier_work_group_local", 1, 0, 1},
    {"barrier_work_group_global", 0, 1, 1},
    {"barrier_work_group_both", 1, 1, 1},
    {"barrier_sub_group_both", 0, 0, 0},
    {"barrier_sub_group_none", 0, 0, 0},
    {"barrier_work_group_none", 0, 0, 1},
};

enum { TARGET_COUNT = sizeof(targets) / sizeof(targets[0]) };
enum { VARIANT_COUNT = sizeof(variants) / sizeof(variants[0]) };

struct difference {
    const struct instruction *extra[BARRIER_INSTRUCTIONS_MAX];
    size_t index[BARRIER_INSTRUCTIONS_MAX]; /* in the variant's listing */
    size_t count;
};

static int is_barrier_instruction(const struct instruction *instruction)
{
    static const char *const texts[] = {
        /* the wait for a fence's reply */
        "(W) mov (8|M0) null<1>:ud r<1;1,0>:ud",
        "(W) mov (8|M0) null<1>:ud r<8;8,1>:ud",
        /* the signal's payload: the barrier's number and the count of threads, out of r0 */
        "(W) mov (1|M0) r<1>:f 0.0:f",
        "(W) mov (2|M0) r<1>:ub r<0;1,0>:ub",
        "(W) and (8|M0) r<1>:ud r<0;1,0>:ud 0x7F000000:ud",
        "(W) sync.bar null",
    };

    if (instruction->access == ACCESS_SLM_FENCE || instruction->access == ACCESS_GLOBAL_FENCE ||
        instruction->access == ACCESS_SIGNAL_BARRIER)
        return 1;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        if (strcmp(instruction->text, texts[i]) == 0)
            return 1;
    }
    return 0;
}

/* Fails unless `variant` is `baseline` plus the instructions of a barrier. */
static void compare(const struct listing *baseline, const struct listing *variant, const char *name,
                    struct difference *difference)
{
    size_t b = 0;

    difference->count = 0;
    for (size_t v = 0; v < variant->count; v++) {
        const struct instruction *instruction = &variant->instructions[v];

        if (b < baseline->count && strcmp(instruction->text, baseline->instructions[b].text) == 0) {
            b++;
            continue;
        }
        if (!is_barrier_instruction(instruction) || difference->count == BARRIER_INSTRUCTIONS_MAX) {
            fail_msg("%s, instruction %zu: \"%s\" where barrier_none has \"%s\"", name, v,
                     instruction->text,
                     b < baseline->count ? baseline->instructions[b].text : "nothing");
        }
        difference->index[difference->count] = v;
        difference->extra[difference->count++] = instruction;
    }
    if (b != baseline->count)
        fail_msg("%s lacks \"%s\" of barrier_none", name, baseline->instructions[b].text);
}

static size_t count_extra(const struct difference *difference, enum access access)
{
    size_t count = 0;

    for (size_t i = 0; i < difference->count; i++)
        count += difference->extra[i]->access == access;
    return count;
}

static void check_difference(const struct difference *difference, const struct variant *variant,
                             const struct target *target)
{
    size_t slm_fences = variant->slm_fence ? 1 : 0;
    size_t global_fences = variant->global_fence ? target->global_fences : 0;
    size_t waits = slm_fences + global_fences;
    /* signal and sync.bar */
    size_t barrier = variant->signal ? target->payload_setup + 2 : 0;

    assert_int_equal(count_extra(difference, ACCESS_SLM_FENCE), slm_fences);
    assert_int_equal(count_extra(difference, ACCESS_GLOBAL_FENCE), global_fences);
    assert_int_equal(count_extra(difference, ACCESS_SIGNAL_BARRIER), variant->signal ? 1 : 0);
    assert_int_equal(difference->count, slm_fences + global_fences + waits + barrier);
    if (variant->signal)
        assert_string_equal(difference->extra[difference->count - 1]->text, "(W) sync.bar null");
}

/* A send of 32 lanes takes two of 16. */
static void check_loop(const struct listing *listing, unsigned subgroup_size,
                       const struct difference *difference)
{
    size_t first, last, counts[ACCESS_COUNT] = {0};
    size_t sends = subgroup_size > 16 ? 2 : 1;

    assert_int_equal(listing_loop(listing, &first, &last), 0);
    for (size_t i = first; i <= last; i++)
        counts[listing->instructions[i].access]++;
    assert_int_equal(counts[ACCESS_SLM_READ], sends);
    assert_int_equal(counts[ACCESS_SLM_WRITE], sends);
    assert_int_equal(counts[ACCESS_GLOBAL_READ], sends);
    assert_int_equal(counts[ACCESS_GLOBAL_WRITE], sends);
    for (size_t i = 0; i < difference->count; i++) {
        assert_true(difference->index[i] >= first);
        assert_true(difference->index[i] <= last);
    }
}

static void load_listing(struct listing *listing, const char *directory, const char *name)
{
    char path[2 * PATH_CHARS];
    int length = snprintf(path, sizeof(path), "%s/listings/%s_KernelHeap.asm", directory, name);

    assert_true(length > 0 && (size_t)length < sizeof(path));
    if (listing_load(listing, path) != 0)
        fail_msg("no listing of %s: ocloc disassembles only with libigc-dev installed", name);
    assert_true(listing->count > 0);
}

static void check_module(const struct spirv_module *module, const struct target *target)
{
    char directory[PATH_CHARS];
    struct listing baseline;

    assert_int_equal(module->entry_point_count, VARIANT_COUNT);
    snprintf(directory, sizeof(directory), "machine-code-%s-%u", target->device,
             module->subgroup_size);
    assert_int_equal(
        compile_listings(module, target->device, target->disassembly_device, directory), 0);
    load_listing(&baseline, directory, variants[0].name);
    for (size_t i = 0; i < VARIANT_COUNT; i++) {
        struct listing listing;
        struct difference difference;

        print_message("%s, sub-group size %u, %s\n", target->device, module->subgroup_size,
                      variants[i].name);
        load_listing(&listing, directory, variants[i].name);
        compare(&baseline, &listing, variants[i].name, &difference);
        check_difference(&difference, &variants[i], target);
        check_loop(&listing, module->subgroup_size, &difference);
        listing_free(&listing);
    }
    listing_free(&baseline);
}

static void check_subgroup_size(unsigned subgroup_size)
{
    size_t found = 0;

    for (size_t i = 0; i < spirv_module_count; i++) {
        if (strcmp(spirv_modules[i].family, "barrier") != 0 ||
            spirv_modules[i].subgroup_size != subgroup_size)
            continue;
        found++;
        for (size_t t = 0; t < TARGET_COUNT; t++)
            check_module(&spirv_modules[i], &targets[t]);
    }
    assert_int_equal(found, 1);
}

static void test_subgroup_size_8(void **state)
{
    (void)state;
    check_subgroup_size(8);
}

static void test_subgroup_size_16(void **state)
{
    (void)state;
    check_subgroup_size(16);
}

static void test_subgroup_size_32(void **state)
{
    (void)state;
    check_subgroup_size(32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_subgroup_size_8),
        cmocka_unit_test(test_subgroup_size_16),
        cmocka_unit_test(test_subgroup_size_32),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
