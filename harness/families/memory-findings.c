/* Advice from the rows of the memory families: how to lay out accesses, and how many to keep in
 * flight. */
#include "families/memory-page.h"

#include "families/memory-model.h"
#include "page/findings-parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FAMILY        "memory_32"
#define NEARLY        0.9 /* share of the best bandwidth that counts as saturated */
#define LEAST_FLIGHTS 3

/* Hardware threads on each Xe-core in use. */
static double threads_of(const struct record *r)
{
    return record_occupancy(r).threads;
}

static double gb_per_s(const struct record *r)
{
    return r->work_bytes / r->loop_ns;
}

/* The row of a variant with the most, or the fewest, bytes in flight for which `twin` has a row,
 * too. Prefers sub-groups of 16, for which most patterns exist. */
static const struct record *busiest(const struct records *records, const char *variant,
                                    const char *twin, bool most)
{
    const struct record *best = NULL, *r;

    for (size_t i = 0; (r = next_row(records, FAMILY, variant, &i));) {
        bool is_better = !best || (r->subgroup_size == 16) > (best->subgroup_size == 16);
        double more = best ? memory_bytes_in_flight(r) - memory_bytes_in_flight(best) : 0.0;

        if (best && (r->subgroup_size == 16) == (best->subgroup_size == 16))
            is_better = most ? more > 0.0 : more < 0.0;
        if (is_better && r->work_bytes > 0.0 && sibling(records, r, twin))
            best = r;
    }
    return best;
}

static void layout(struct findings *findings, const struct records *records)
{
    static const char *const variants[] = {"load_item", "load_subgroup"};
    static const char *const advices[] = {
        "Let each work-item load its own run of neighbouring elements.",
        "Let the lanes of a sub-group load neighbouring elements, not each work-item a run of its "
        "own.",
    };
    static const char *const names[] = {"contiguous per work-item", "contiguous per sub-group"};
    const struct record *item = busiest(records, variants[0], variants[1], true);
    const struct record *lone = busiest(records, variants[0], variants[1], false);
    char text[FINDING_BYTES], ratio[ESTIMATE_BYTES], load[OCCUPANCY_BYTES];
    unsigned best = 0;

    /* A single thread shows the latency of its messages, which is no advice for a busy device. */
    if (!item || !record_is_busy(item))
        return;
    const struct record *group = sibling(records, item, variants[1]);
    struct estimate gain = ratio_of(cost_of(group), cost_of(item));
    if (!is_worth_it(gain)) {
        gain = ratio_of(cost_of(item), cost_of(group));
        best = 1;
    }
    if (!is_worth_it(gain))
        return;
    size_t used = (size_t)snprintf(
        text, sizeof(text), "32-bit loads: %.3g GB/s %s, %s times that of %s.",
        gb_per_s(best ? group : item), names[best], show(gain, ratio), names[!best]);
    group = sibling(records, lone, variants[1]);
    gain = best ? ratio_of(cost_of(group), cost_of(lone)) : ratio_of(cost_of(lone), cost_of(group));
    if (is_worth_it(gain) && used < sizeof(text))
        snprintf(text + used, sizeof(text) - used, " With %s the other is %s times as fast.",
                 record_occupancy_text(lone, load), show(gain, ratio));
    findings_add(findings, item, advices[best], text);
}

/* The fastest of the patterns in the configuration of `like`, or NULL. */
static const struct record *fastest(const struct records *records, const struct record *like,
                                    const char *const *variants, size_t count)
{
    const struct record *best = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct record *r = sibling(records, like, variants[i]);

        if (r && (!best || r->value < best->value))
            best = r;
    }
    return best;
}

static void width(struct findings *findings, const struct records *records)
{
    static const char *const vectors[] = {"load_vec2", "load_vec4", "load_vec8", "load_vec16"};
    static const char *const blocks[] = {"load_block1", "load_block2", "load_block4",
                                         "load_block8"};
    const struct record *single = busiest(records, "load_subgroup", "load_vec4", true);
    char advice[FINDING_BYTES], text[FINDING_BYTES], ratio[ESTIMATE_BYTES];

    if (!single || !record_is_busy(single))
        return;
    const struct record *vector = fastest(records, single, vectors, 4);
    const struct record *block = fastest(records, single, blocks, 4);
    const struct record *best = block && block->value < vector->value ? block : vector;
    struct estimate gain = ratio_of(cost_of(single), cost_of(best));
    if (!is_worth_it(gain))
        return;
    snprintf(advice, sizeof(advice), "Load %s elements at a time, as %s.",
             best->variant + strcspn(best->variant, "0123456789"),
             best == block ? "a sub-group block" : "a vector");
    size_t used =
        (size_t)snprintf(text, sizeof(text), "%.3g GB/s by %s, %s times that of single elements.",
                         gb_per_s(best), best->variant, show(gain, ratio));
    if (block && used < sizeof(text))
        snprintf(text + used, sizeof(text) - used, " The best %s, %s, gets %.3g GB/s.",
                 best == block ? "vector" : "block", (best == block ? vector : block)->variant,
                 gb_per_s(best == block ? vector : block));
    findings_add(findings, best, advice, text);
}

/* Do the rows differ only in the number of bytes in flight? */
static bool is_same_curve(const struct record *a, const struct record *b)
{
    return !strcmp(a->variant, b->variant) && a->subgroup_size == b->subgroup_size &&
           !strcmp(a->parameters, b->parameters) && a->workgroup_count == b->workgroup_count;
}

static size_t flights_of(const struct records *records, const struct record *like)
{
    const struct record *r;
    size_t flights = 0;

    for (size_t i = 0; (r = next_row(records, FAMILY, like->variant, &i));)
        flights += is_same_curve(r, like);
    return flights;
}

static void saturation(struct findings *findings, const struct records *records)
{
    const struct record *best = NULL, *fewest, *r;
    char advice[FINDING_BYTES], text[FINDING_BYTES], ratio[ESTIMATE_BYTES];

    for (size_t i = 0; (r = next_row(records, FAMILY, NULL, &i));) {
        if (!strncmp(r->variant, "load_", 5) && r->work_bytes > 0.0 && r->workgroup_count == 1 &&
            (!best || gb_per_s(r) > gb_per_s(best)) && flights_of(records, r) >= LEAST_FLIGHTS)
            best = r;
    }
    if (!best)
        return;
    const struct record *enough = fewest = best;
    for (size_t i = 0; (r = next_row(records, FAMILY, best->variant, &i));) {
        if (!is_same_curve(r, best))
            continue;
        if (r->workgroup_size < fewest->workgroup_size)
            fewest = r;
        if (r->workgroup_size < enough->workgroup_size && gb_per_s(r) >= NEARLY * gb_per_s(best))
            enough = r;
    }
    struct estimate gain = ratio_of(cost_of(fewest), cost_of(enough));
    if (!is_worth_it(gain))
        return;
    snprintf(advice, sizeof(advice),
             "Give each Xe-core at least %.0f hardware threads that load, %.3g KiB in flight.",
             threads_of(enough), memory_bytes_in_flight(enough) / 1024.0);
    snprintf(text, sizeof(text),
             "With these %s reaches %.0f %% of its best, %.3g GB/s, on one Xe-core: %s times what "
             "%.0f thread%s.",
             enough->variant, 100.0 * gb_per_s(enough) / gb_per_s(best), gb_per_s(best),
             show(gain, ratio), threads_of(fewest), threads_of(fewest) == 1.0 ? " gets" : "s get");
    findings_add(findings, best, advice, text);
}

void findings_memory(struct findings *findings, const struct records *records)
{
    layout(findings, records);
    width(findings, records);
    saturation(findings, records);
}
