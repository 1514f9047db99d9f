#include "barrier-audit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BARRIER_INSTRUCTIONS_MAX = 16 };

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

_Static_assert(sizeof(variants) / sizeof(variants[0]) == BARRIER_VARIANTS, "one row each");

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
        "(W) mov (1|M0) r<1>:f 3.58732e-43:f", /* bit 8: of active threads only */
        "(W) mov (2|M0) r<1>:ub r<0;1,0>:ub",
        "(W) and (8|M0) r<1>:ud r<0;1,0>:ud 0x7F000000:ud",
        "(W) sync.bar null",
        "(W) sync.bar 0x0",
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

/* The first instruction of the baseline from `from` to `to` that reads as `text` and is not found
 * yet; `to` if there is none. */
static size_t find_in(const struct listing *baseline, const bool *found, size_t from, size_t to,
                      const char *text)
{
    while (from < to && (found[from] || strcmp(text, baseline->instructions[from].text) != 0))
        from++;
    return from;
}

/* The listing's instructions up to the loop, in it, and behind it: part n is from bounds[n] to
 * bounds[n + 1]. */
static void find_parts(const struct listing *listing, size_t bounds[4])
{
    assert_int_equal(listing_loop(listing, &bounds[1], &bounds[2]), 0);
    bounds[0] = 0;
    bounds[2]++;
    bounds[3] = listing->count;
}

/* Once per kernel, before the loop or behind it, later compilers fence local memory: where depends
 * on the barriers in the loop. */
static bool may_move(const struct instruction *instruction, size_t at, const size_t parts[4],
                     bool in_order)
{
    bool in_loop = at >= parts[1] && at < parts[2];

    return !in_order && !in_loop && is_barrier_instruction(instruction);
}

/* Fails unless `variant` is `baseline` plus the instructions of a barrier: in the same order, or,
 * where the compiler arranges the rest anew around a barrier, in another, but before the loop, in
 * it and behind it as there. */
static void compare(const struct listing *baseline, const struct listing *variant, const char *name,
                    bool in_order, struct difference *difference)
{
    bool *found = calloc(baseline->count, sizeof(*found));
    size_t part = 0, next = 0, ours[4], theirs[4];

    assert_non_null(found);
    find_parts(variant, ours);
    find_parts(baseline, theirs);
    difference->count = 0;
    for (size_t v = 0; v < variant->count; v++) {
        const struct instruction *instruction = &variant->instructions[v];

        for (; v >= ours[part + 1]; part++)
            next = theirs[part + 1];
        size_t end = theirs[part + 1], to = in_order && next < end ? next + 1 : end;
        size_t at = find_in(baseline, found, next, to, instruction->text);
        if (at < to) {
            found[at] = true;
            next += in_order;
            continue;
        }
        if (may_move(instruction, v, ours, in_order))
            continue;
        if (!is_barrier_instruction(instruction) || difference->count == BARRIER_INSTRUCTIONS_MAX)
            fail_msg("%s, instruction %zu: \"%s\", which barrier_none does not have there", name, v,
                     instruction->text);
        difference->index[difference->count] = v;
        difference->extra[difference->count++] = instruction;
    }
    for (size_t b = 0; b < baseline->count; b++)
        if (!found[b] && !may_move(&baseline->instructions[b], b, theirs, in_order))
            fail_msg("%s lacks \"%s\" of barrier_none", name, baseline->instructions[b].text);
    free(found);
}

static size_t count_extra(const struct difference *difference, enum access access)
{
    size_t count = 0;

    for (size_t i = 0; i < difference->count; i++)
        count += difference->extra[i]->access == access;
    return count;
}

static void check_difference(const struct difference *difference, const struct variant *variant,
                             const struct barrier_target *target)
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
        assert_string_equal(difference->extra[difference->count - 1]->text, target->wait);
}

static void check_loop(const struct listing *listing, unsigned subgroup_size,
                       const struct barrier_target *target, const struct difference *difference)
{
    size_t first, last, counts[ACCESS_COUNT] = {0};
    size_t sends = subgroup_size > target->message_lanes ? 2 : 1;

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

void barrier_audit(const struct barrier_target *target, unsigned subgroup_size, load_listing *load,
                   void *context)
{
    struct listing baseline;

    load(&baseline, context, variants[0].name);
    for (size_t i = 0; i < BARRIER_VARIANTS; i++) {
        struct listing listing;
        struct difference difference;

        print_message("%s, sub-group size %u, %s\n", target->name, subgroup_size, variants[i].name);
        load(&listing, context, variants[i].name);
        compare(&baseline, &listing, variants[i].name, target->in_order, &difference);
        check_difference(&difference, &variants[i], target);
        check_loop(&listing, subgroup_size, target, &difference);
        listing_free(&listing);
    }
    listing_free(&baseline);
}
