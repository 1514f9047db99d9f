#include "kernels.h"

#include "planted.h"

#include "barrier-simulation.h"

#include <string.h>

#define SUBGROUP_SIZE 16u
#define CHAINS        8u /* spirv_kernels/multiply-add.h */
#define STEPS         15u
#define FEW           8u /* spirv_kernels/pipeline.cl */
#define MANY          32u
#define PLACES        5u

static unsigned threads_of_group(const struct simulated_launch *l)
{
    return (l->group_size + SUBGROUP_SIZE - 1) / SUBGROUP_SIZE;
}

unsigned kernel_threads(const struct simulated_launch *l)
{
    return threads_of_group(l) * l->group_count;
}

static void *pointer(const struct simulated_launch *launch, unsigned argument)
{
    void *memory;

    memcpy(&memory, &launch->arguments[argument], sizeof(memory));
    return memory;
}

static uint32_t number(const struct simulated_launch *launch, unsigned argument)
{
    return (uint32_t)launch->arguments[argument];
}

static void write_witness(const struct simulated_launch *l, uint32_t *witness)
{
    for (size_t i = 0; i < (size_t)l->group_size * l->group_count; i++)
        witness[i] = SUBGROUP_SIZE;
}

static void run_barrier(const struct simulated_launch *l)
{
    const struct barrier_arguments arguments = {
        l->group_size, l->group_count, number(l, 3), number(l, 4), number(l, 5), number(l, 6),
    };

    barrier_simulate(&arguments, pointer(l, 0));
    write_witness(l, pointer(l, 1));
}

static void run_counted(const struct simulated_launch *l)
{
    uint32_t *counts = pointer(l, 0), *witness = pointer(l, 1);
    uint32_t first = number(l, 2);

    for (uint32_t i = 0; first < l->group_count && i < l->group_size; i++) {
        counts[i] += l->group_count - first;
        witness[i] = SUBGROUP_SIZE;
    }
}

/* Straight-line code, an operation a cycle. */
static double run_code(const struct simulated_launch *l)
{
    enum { CODE_STEPS = 512, EACH = 2 };
    uint32_t *results = pointer(l, 0), *witness = pointer(l, 1);
    uint32_t first = number(l, 2);

    for (uint32_t i = 0; i < l->group_size; i++) {
        results[i] = i + first;
        for (uint32_t step = 0; step < CODE_STEPS; step++) {
            results[i] ^= step * 0x9e3779b9u;
            results[i] += i + first;
        }
        witness[i] = SUBGROUP_SIZE;
    }
    return CODE_STEPS * EACH;
}

static double run_spin(const struct simulated_launch *l)
{
    double cycles = (double)number(l, 1) * PLANTED_SPIN_CYCLES;
    uint64_t counted =
        !strcmp(l->name, "spin") ? 0 : (uint64_t)(cycles * (1.0 + settings.counter_error));

    memcpy(pointer(l, 0), &counted, sizeof(counted));
    return cycles;
}

static double run_chain(const struct simulated_launch *l, unsigned steps)
{
    uint32_t *data = pointer(l, 0), iterations = number(l, 3);

    for (size_t item = 0; item < (size_t)l->group_size * l->group_count; item++) {
        for (uint32_t i = 0; i < iterations; i++) {
            for (unsigned step = 0; step < steps; step++)
                data[item] = (data[item] << PLACES | data[item] >> (32u - PLACES)) + i;
        }
    }
    write_witness(l, pointer(l, 1));
    return iterations * (PLANTED_LOOP_CYCLES + 2.0 * steps * PLANTED_CHAIN_CYCLES);
}

/* Eight threads of an EU take turns, and each instruction takes 16 lanes through 8. */
static double run_arithmetic(const struct simulated_launch *l)
{
    uint32_t *out = pointer(l, 0), offset = number(l, 3), iterations = number(l, 4);

    for (size_t item = 0; item < (size_t)l->group_size * l->group_count; item++) {
        for (uint32_t c = 0; c < CHAINS; c++) {
            uint32_t first = (uint32_t)(item % l->group_size % 64u) + c;

            out[item * CHAINS + c] = iterations % 2 ? offset - first : first;
        }
    }
    write_witness(l, pointer(l, 1));
    return iterations * (double)CHAINS * STEPS * 2.0 * kernel_threads(l) /
           (XE_CORES * EUS_PER_CORE) / settings.arithmetic_share;
}

static double run_reading(const struct simulated_launch *l)
{
    const uint32_t *in = pointer(l, 0);
    uint32_t *sums = pointer(l, 2), count = number(l, 4), iterations = number(l, 5);

    memset(sums, 0, (size_t)l->group_size * l->group_count * sizeof(*sums));
    for (uint64_t g = 0; g < l->group_count; g++) {
        uint32_t first = (uint32_t)(g * count / l->group_count);
        uint32_t end = (uint32_t)((g + 1) * count / l->group_count);

        for (uint32_t i = first; i < end; i++) {
            const uint32_t *e = in + (size_t)i * 4;

            sums[g * l->group_size + (i - first) % l->group_size] +=
                (e[0] + e[1] + e[2] + e[3]) * iterations;
        }
    }
    write_witness(l, pointer(l, 3));
    return 16e9 * count * iterations / (settings.memory_share * MEMORY_BANDWIDTH);
}

static void run_mark(const struct simulated_launch *l)
{
    uint32_t *data = pointer(l, 0);

    for (size_t i = 0; i < (size_t)number(l, 2) * 4; i++)
        data[i] = ~data[i];
    write_witness(l, pointer(l, 1));
}

/* Work-items fill sub-groups in the order of their local ids. */
static void run_map(const struct simulated_launch *l)
{
    size_t items = l->group_size, total = items * l->group_count;
    uint32_t *map = pointer(l, 0);

    for (size_t place = 0; place < total; place++) {
        size_t item = place % items, first = item - item % SUBGROUP_SIZE;

        map[place] = (uint32_t)(item / SUBGROUP_SIZE);
        map[place + total] = (uint32_t)(item % SUBGROUP_SIZE);
        map[place + 2 * total] =
            items - first < SUBGROUP_SIZE ? (uint32_t)(items - first) : SUBGROUP_SIZE;
        map[place + 3 * total] = SUBGROUP_SIZE;
        map[place + 4 * total] = threads_of_group(l);
    }
}

bool kernel_run(const struct simulated_launch *l, struct kernel_work *work)
{
    double barrier = planted_barrier_cycles(l->name, threads_of_group(l));

    *work = (struct kernel_work){.is_spin = !strncmp(l->name, "spin", 4)};
    if (work->is_spin) {
        work->cycles = run_spin(l);
    } else if (barrier >= 0.0) {
        run_barrier(l);
        work->cycles = barrier * (double)number(l, 3);
    } else if (!strcmp(l->name, "launch_code")) {
        work->cycles = run_code(l);
    } else if (!strncmp(l->name, "launch_", 7)) {
        if (!strcmp(l->name, "launch_counted"))
            run_counted(l);
        work->cycles = PLANTED_GROUP_CYCLES * (l->group_count - 1);
    } else if (!strcmp(l->name, "pipeline_register") || !strcmp(l->name, "pipeline_register_few")) {
        work->cycles = run_chain(l, strstr(l->name, "_few") ? FEW : MANY);
    } else if (!strcmp(l->name, "device_arithmetic_fp32")) {
        work->cycles = run_arithmetic(l);
    } else if (!strcmp(l->name, "device_bandwidth_read")) {
        work->memory_ns = run_reading(l);
    } else if (!strcmp(l->name, "transfer_mark")) {
        run_mark(l);
    } else if (!strncmp(l->name, "subgroup_map_", 13)) {
        run_map(l);
    } else {
        return false;
    }
    return true;
}
