/* Advice on chains of exchanges: in registers, or through shared local memory. */
#include "families/chain/chain-model.h"

#include "families/chain/chain-variants.h"
#include "model/advise-ladder.h"
#include "model/crossover.h"

static const char *memory_of(const struct variant *variant)
{
    const struct chain_variant *chain = variant->own;

    return chain->memory == CHAIN_GLOBAL ? "global memory" : "SLM";
}

static void print_threads(FILE *out, size_t point, unsigned subgroup_size)
{
    fprintf(out, "%zu hardware threads (%zu work-items)", point + 1, (point + 1) * subgroup_size);
}

/* `memory`: the memory that the second way uses; `items`: the largest work-group compared. */
static void print_crossover(FILE *out, const struct crossover *c, unsigned subgroup_size,
                            const char *memory, size_t items)
{
    const char *const names[] = {"the sub-group", memory};
    bool second = c->second_first;

    if (c->count == 0) {
        fprintf(out, "%s is cheaper from one sub-group on, %s never within %zu work-items",
                names[second], names[!second], items);
        if (c->clear_count == 0)
            fputs("; the difference is within the noise at all sizes", out);
    } else {
        fprintf(out, "%s is cheaper at first", names[second]);
    }
    for (size_t i = 0; i < c->count; i++) {
        const struct crossing *x = &c->crossing[i];

        second = !second;
        fprintf(out, ", %s from ", names[second]);
        print_threads(out, x->at, subgroup_size);
        if (x->noise_first <= x->noise_last)
            fprintf(out, ", from %zu to %zu threads within the noise", x->noise_first + 1,
                    x->noise_last + 1);
    }
    fputc('\n', out);
}

/* Numbers of threads that were measured apart from the others, from `first` on. */
static void print_others(struct advising *a, const char *variant,
                         const struct parameter_parts *twin, unsigned first)
{
    for (unsigned n = first; n <= ADVISE_ITEMS_MAX / twin->subgroup_size; n++) {
        struct estimate own, memory;

        if (!advise_ladder_cost(a, variant, twin->subgroup_size, n, &own) ||
            !advise_ladder_cost(a, twin->variant, twin->subgroup_size, n, &memory))
            continue;
        fprintf(a->out, "    at %u hardware threads %s is cheaper%s\n", n,
                own.value <= memory.value ? "the sub-group" : memory_of(twin->descriptor),
                estimates_overlap(&own, &memory) ? ", within the noise" : "");
    }
}

/* Compares a way through memory with the sub-group function, over all work-group sizes. */
static void advise_twin(struct advising *a, const struct parameter_parts *twin, const char *variant)
{
    struct estimate own[ADVISE_ITEMS_MAX], slm[ADVISE_ITEMS_MAX];
    size_t count = ADVISE_ITEMS_MAX / twin->subgroup_size;

    for (size_t i = 0; i < count; i++) {
        unsigned threads = (unsigned)i + 1;

        if (!advise_ladder_curve(a, variant, twin->subgroup_size, threads, &own[i]) ||
            !advise_ladder_curve(a, twin->variant, twin->subgroup_size, threads, &slm[i]))
            count = i; /* not measured beyond this */
    }
    if (count == 0)
        return;
    struct crossover crossover = crossover_find(own, slm, count);
    fprintf(a->out, "%s against %s, sub-group %u: ", variant, twin->variant, twin->subgroup_size);
    print_crossover(a->out, &crossover, twin->subgroup_size, memory_of(twin->descriptor),
                    count * twin->subgroup_size);
    print_others(a, variant, twin, (unsigned)count + 1);
}

/* The variant that does the same by function; NULL for that one itself and for baselines. */
static const struct variant *function_of(const char *family, const struct variant *variant)
{
    const struct chain_variant *chain = variant ? variant->own : NULL;

    if (!chain || (chain->memory != CHAIN_SLM && chain->memory != CHAIN_GLOBAL))
        return NULL;
    return variant_by(family, variant, "function");
}

enum status advise_chain(struct advising *a)
{
    enum status status = advise_tasks(a);
    struct parameter_parts parts;

    for (size_t i = 0; status == STATUS_OK && !a->has_rows && i < a->model->parameter_count; i++) {
        const struct variant *function =
            advise_is_base(a, i, &parts) ? function_of(a->family, parts.descriptor) : NULL;

        if (function)
            advise_twin(a, &parts, function->name);
    }
    return status;
}
