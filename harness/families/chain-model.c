/* Advice on chains of exchanges: in registers, or through shared local memory. */
#include "families/chain-model.h"

#include "families/chain-way.h"
#include "model/advise-ladder.h"
#include "model/crossover.h"

#include <string.h>

/* For advise_tasks(): the length of the name without the way. */
static size_t chain_task(const char *variant)
{
    size_t task;

    chain_way_of(variant, &task);
    return task;
}

static const char *memory_of(const char *variant)
{
    size_t task;
    enum chain_way way = chain_way_of(variant, &task);

    return way == CHAIN_GLOBAL || way == CHAIN_GLOBAL_GROUP ? "global memory" : "SLM";
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
                own.value <= memory.value ? "the sub-group" : memory_of(twin->variant),
                estimates_overlap(&own, &memory) ? ", within the noise" : "");
    }
}

/* Compares a way through memory with the sub-group function, over all work-group sizes. */
static void advise_twin(struct advising *a, const struct parameter_parts *twin)
{
    struct estimate own[ADVISE_ITEMS_MAX], slm[ADVISE_ITEMS_MAX];
    size_t count = ADVISE_ITEMS_MAX / twin->subgroup_size;
    char variant[VARIANT_NAME_BYTES];

    snprintf(variant, sizeof(variant), "%.*s", (int)chain_task(twin->variant), twin->variant);
    for (size_t i = 0; i < count; i++) {
        unsigned threads = (unsigned)i + 1;

        if (!advise_ladder_cost(a, variant, twin->subgroup_size, threads, &own[i]) ||
            !advise_ladder_cost(a, twin->variant, twin->subgroup_size, threads, &slm[i]))
            count = i; /* not measured beyond this */
    }
    if (count == 0)
        return;
    struct crossover crossover = crossover_find(own, slm, count);
    fprintf(a->out, "%s against %s, sub-group %u: ", variant, twin->variant, twin->subgroup_size);
    print_crossover(a->out, &crossover, twin->subgroup_size, memory_of(twin->variant),
                    count * twin->subgroup_size);
    print_others(a, variant, twin, (unsigned)count + 1);
}

enum status advise_chain(struct advising *a)
{
    enum status status = advise_tasks(a, chain_task);
    struct parameter_parts parts;

    for (size_t i = 0; status == STATUS_OK && i < a->model->parameter_count; i++) {
        if (advise_is_base(a, i, &parts) && chain_task(parts.variant) < strlen(parts.variant))
            advise_twin(a, &parts);
    }
    return status;
}
