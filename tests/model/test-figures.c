/* Figures of a device from models made by hand. */
#include "test.h"

#include "families/registry.h"
#include "family/family.h"
#include "predict/family-figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH "test-figures.device"

static struct model model;
static struct figures figures;

static void start_model(const char *device_name, const char *uuid, double clock_mhz)
{
    model_init(&model, &family_models);
    snprintf(model.device_name, sizeof(model.device_name), "%s", device_name);
    snprintf(model.device_uuid, sizeof(model.device_uuid), "%s", uuid);
    model.clock_mhz = clock_mhz;
}

static void add_range(const char *name, double value, double low, double high)
{
    struct parameter *p = model_add_parameter(&model);

    assert_non_null(p);
    snprintf(p->name, sizeof(p->name), "%s", name);
    p->value = value;
    p->interval = (struct interval){low, high};
}

static void add(const char *name, double value)
{
    add_range(name, value, value - 0.02, value + 0.02);
}

static void add_of_set(const char *of, double working_set, double value)
{
    char name[MODEL_NAME_BYTES];

    snprintf(name, sizeof(name), "%.40s.set%.0f", of, working_set);
    add(name, value);
    model.parameter[model.parameter_count - 1].working_sets =
        (struct interval){working_set, working_set};
}

static void add_bandwidth(const char *scope, double working_set, double value)
{
    char of[MODEL_NAME_BYTES];

    snprintf(of, sizeof(of), "bandwidth.%.20s", scope);
    add_of_set(of, working_set, value);
}

/* Independent multiply-adds, 16 in a round, each of so many cycles: 3 rounds in a loop of 30 cycles
 * besides, and a step of 4 rounds more. */
static void add_lanes(unsigned size, double cycles)
{
    char name[MODEL_NAME_BYTES];

    snprintf(name, sizeof(name), "pipeline.lanes_few.simd%u", size);
    add(name, 3.0 * 16.0 * cycles + 30.0);
    snprintf(name, sizeof(name), "pipeline.lanes.simd%u", size);
    add(name, cycles);
}

/* The same of 32 sub-groups, by the cycles of an Xe-core for each instruction: 3 rounds in a loop,
 * which takes `loop` cycles, and a step of 4 rounds more. Sub-groups of 32 have 8 in a round. */
static void add_shared_lanes(unsigned size, double loop, double cycles)
{
    char name[MODEL_NAME_BYTES];

    snprintf(name, sizeof(name), "pipeline.shared_lanes_few.simd%u", size);
    add(name, loop);
    snprintf(name, sizeof(name), "pipeline.shared_lanes.simd%u", size);
    add(name, cycles);
}

static void derive(const char *base)
{
    struct error error;

    if (figures_of_model(&figures, &model, &family_figures, base, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static const char *source_of(enum vesim_figure_index index)
{
    return figures.description.sources[index];
}

#define ASSERT_MEASURED(name, expected, parameter)                                                 \
    do {                                                                                           \
        assert_true(figures.figure[VESIM_FIGURE_##name].measured);                                 \
        assert_int_equal(figures.description.device.name, expected);                               \
        assert_non_null(strstr(source_of(VESIM_FIGURE_##name), parameter));                        \
    } while (0)

#define ASSERT_ASSUMED(name, expected)                                                             \
    do {                                                                                           \
        assert_false(figures.figure[VESIM_FIGURE_##name].measured);                                \
        assert_int_equal(figures.description.device.name, expected);                               \
        assert_non_null(strstr(source_of(VESIM_FIGURE_##name), "as in "));                         \
    } while (0)

/* An engine of 16 lanes takes two cycles for 32, and one for 16, which shows only that it is no
 * narrower. b580 has 8 engines in an Xe-core. What one thread takes does not matter. */
static void test_shared_pipes(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2850.0);
    add_lanes(16, 1.97);
    add_shared_lanes(16, 3 * 16 * 32 * 0.138, 0.138);
    derive("b580");
    ASSERT_ASSUMED(lanes_32bit, 16);
    model_free(&model);

    start_model("GPU", "uuid-1", 2850.0);
    add_shared_lanes(16, 3 * 16 * 32 * 0.26, 0.26);
    derive("b580");
    ASSERT_MEASURED(lanes_32bit, 8, "pipeline.shared_lanes.simd16");
    model_free(&model);

    start_model("GPU", "uuid-1", 2850.0);
    add_shared_lanes(16, 3 * 16 * 32 * 0.138, 0.138);
    add_shared_lanes(32, 3 * 8 * 32 * 0.26, 0.26);
    derive("b580");
    ASSERT_MEASURED(lanes_32bit, 16, "pipeline.shared_lanes.simd32");
    model_free(&model);

    /* The further rounds seem to take less than two cycles each, the whole loop takes more. */
    start_model("GPU", "uuid-1", 2850.0);
    add_shared_lanes(16, 554.0, 1.42 / 8.0);
    derive("b580");
    ASSERT_MEASURED(lanes_32bit, 8, "pipeline.shared_lanes.simd16");
    model_free(&model);

    /* One thread at 16 lanes shows more than many at 8. */
    start_model("GPU", "uuid-1", 1350.0);
    add_lanes(16, 1.0);
    add_shared_lanes(8, 3 * 16 * 32 * 0.0625, 0.0625);
    derive("iris-xe");
    ASSERT_MEASURED(lanes_32bit, 16, "pipeline.lanes.simd16");
    model_free(&model);
}

/* Pipes of 4 lanes and 1: instructions of 16 lanes take 2 and 8 cycles more than those of 8. */
static void test_pipes(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_lanes(8, 2.0);
    add_lanes(16, 4.0);
    add("pipeline.math_lanes.simd16", 16.1);
    add("pipeline.register.simd8", 12.0);
    add("pipeline.register.simd16", 18.0);
    add("pipeline.accumulator.simd8", 8.0);
    add("pipeline.math.simd8", 30.0);
    add("pipeline.flag.simd8", 36.0 + 21.0);
    add("pipeline.loop.simd8", 12.0 + 21.0 + 9.0);
    add("pipeline.send.simd8", 5.0);
    derive("a380");
    ASSERT_MEASURED(core_clock, 2000000, "clock_mhz");
    ASSERT_MEASURED(lanes_32bit, 4, "pipeline.lanes.simd16");
    ASSERT_MEASURED(math_lanes, 1, "pipeline.math_lanes.simd16");
    ASSERT_MEASURED(wide_step, 3, "pipeline.register.simd16");
    ASSERT_MEASURED(fpu_latency, 12, "pipeline.register.simd8");
    ASSERT_MEASURED(accumulator_latency, 7, "pipeline.accumulator.simd8");
    ASSERT_MEASURED(math_latency, 30, "pipeline.math.simd8");
    ASSERT_MEASURED(arf_latency, 21, "pipeline.flag.simd8");
    ASSERT_MEASURED(branch_latency, 9, "pipeline.loop.simd8");
    ASSERT_MEASURED(send_arbitration, 5, "pipeline.send.simd8");
    ASSERT_ASSUMED(barrier_latency, 30);
    ASSERT_ASSUMED(systolic_latency, 21);
    assert_near(figures.figure[VESIM_FIGURE_arf_latency].value, 21.0, 1e-9);
    assert_near(figures.figure[VESIM_FIGURE_arf_latency].interval.high, 21.0 + hypot(0.02, 0.06),
                1e-9);
    assert_string_equal(figures.description.device.name, "a380-fitted");
    model_free(&model);
}

/* Sixteen lanes in two cycles. Most instructions of the baseline take three, as their operands
 * collide: the further rounds alone would show one and a half. */
static void test_colliding_operands(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add("pipeline.lanes_few.simd16", 162.0);
    add("pipeline.lanes.simd16", (253.0 - 162.0) / 64.0);
    derive("a380");
    ASSERT_MEASURED(lanes_32bit, 8, "pipeline.lanes.simd16");
    model_free(&model);
}

/* From sub-groups of 16 alone: what the further cycles add is the base's. An instruction of one
 * cycle bounds the lanes only. */
static void test_other_sizes(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_lanes(16, 1.04);
    add("pipeline.register.simd16", 11.0);
    add("pipeline.flag.simd16", 33.0 + 16.0);
    add("pipeline.loop.simd16", 11.0 + 16.0 + 23.0);
    derive("iris-xe");
    ASSERT_MEASURED(lanes_32bit, 16, "pipeline.lanes.simd16");
    ASSERT_MEASURED(fpu_latency, 11, "pipeline.register.simd16");
    ASSERT_MEASURED(arf_latency, 16, "pipeline.flag.simd16");
    ASSERT_MEASURED(branch_latency, 23, "pipeline.loop.simd16");
    ASSERT_ASSUMED(wide_step, 1);
    ASSERT_ASSUMED(math_latency, 17);
    model_free(&model);

    start_model("GPU", "uuid-1", 2000.0);
    add("pipeline.register.simd16", 11.0);
    derive("a380"); /* 8 lanes */
    ASSERT_MEASURED(fpu_latency, 10, "pipeline.register.simd16");
    model_free(&model);
}

static void test_barriers(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add("pipeline.barrier.simd8.base", 38.0);
    add("pipeline.barrier.simd8.per_thread", 2.0);
    add("pipeline.barrier_local.simd8.base", 40.0 + 25.0 + 1.0);
    add("pipeline.barrier_global.simd8.base", 40.0 + 70.0 + 1.0);
    derive("a380");
    ASSERT_MEASURED(barrier_latency, 40, "pipeline.barrier.simd8.base");
    ASSERT_MEASURED(gateway_interval, 2, "pipeline.barrier.simd8.per_thread");
    ASSERT_MEASURED(slm_fence_latency, 25, "pipeline.barrier_local.simd8.base");
    ASSERT_MEASURED(lsc_fence_latency, 70, "pipeline.barrier_global.simd8.base");
    model_free(&model);
}

static void add_levels(const char *variant, const double *cycles, const double *capacities)
{
    for (unsigned level = 1; cycles[level - 1] > 0.0; level++) {
        char name[96];

        snprintf(name, sizeof(name), "latency.%s.simd16.level%u.latency", variant, level);
        add(name, cycles[level - 1]);
        snprintf(name, sizeof(name), "latency.%s.simd16.level%u.capacity", variant, level);
        if (capacities[level] > 0.0)
            add_range(name, capacities[level - 1], capacities[level - 1], capacities[level]);
    }
}

static void test_levels(void **state)
{
    static const double three[] = {51.2, 221.3, 701.3, 0.0}, two[] = {161.7, 401.8, 0.0},
                        one[] = {31.1, 0.0};
    /* 192 KiB lies in the first; 4 MiB not in the second. */
    static const double sizes[] = {131072, 262144, 1048576, 0.0}, none[2];

    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_levels("global_uniform", three, sizes);
    add_levels("slm_uniform", one, none);
    derive("a380");
    ASSERT_MEASURED(slm_latency, 31, "latency.slm_uniform.simd16.level1.latency");
    ASSERT_MEASURED(l1_hit_latency, 35, "latency.global_uniform.simd16.level1.latency");
    ASSERT_MEASURED(l3_hit_latency, 220, "level2");
    ASSERT_MEASURED(memory_latency, 700, "level3");
    ASSERT_ASSUMED(l1_bytes, 196608);
    assert_non_null(strstr(source_of(VESIM_FIGURE_l1_bytes), "from 131072 to 262144"));
    ASSERT_MEASURED(l3_bytes, 524288, "level2.capacity");
    assert_near(figures.figure[VESIM_FIGURE_l3_bytes].interval.low, 262144.0, 0.0);
    add_levels("global_scalar", three, sizes); /* the other chase goes first */
    derive("a380");
    ASSERT_MEASURED(l1_hit_latency, 35, "latency.global_uniform.simd16.level1.latency");
    /* Three levels are one too many for a device without a first level. */
    derive("iris-xe");
    ASSERT_ASSUMED(l3_hit_latency, 146);
    ASSERT_ASSUMED(memory_latency, 350);
    model_free(&model);

    /* A message of one address compares none. */
    start_model("GPU", "uuid-1", 2000.0);
    add_levels("global_scalar", three, sizes);
    derive("a380");
    ASSERT_MEASURED(l1_hit_latency, 50, "latency.global_scalar.simd16.level1.latency");
    ASSERT_MEASURED(l3_hit_latency, 220, "level2");
    model_free(&model);

    start_model("GPU", "uuid-1", 2000.0);
    add_levels("global_uniform", two, sizes);
    derive("iris-xe");
    ASSERT_MEASURED(l3_hit_latency, 160, "level1");
    ASSERT_MEASURED(l1_hit_latency, 160, "level1");
    ASSERT_MEASURED(memory_latency, 400, "level2");
    ASSERT_ASSUMED(l1_bytes, 0);
    /* It is unknown which two of the three levels these are. */
    derive("a380");
    ASSERT_ASSUMED(l1_hit_latency, 45);
    ASSERT_ASSUMED(memory_latency, 600);
    model_free(&model);
}

struct level_of_sets {
    double cycles, low, high; /* working sets, bytes */
};

static void add_level_of_sets(unsigned level, const struct level_of_sets *sets)
{
    char name[96];

    snprintf(name, sizeof(name), "latency.global_uniform.simd16.level%u.latency", level);
    add(name, sets->cycles);
    model.parameter[model.parameter_count - 1].working_sets =
        (struct interval){sets->low, sets->high};
}

/* The figures that a ladder of two levels gives. */
static void derive_from_two(const char *device, struct level_of_sets near, struct level_of_sets far)
{
    start_model("GPU", "uuid-1", 2000.0);
    add_level_of_sets(1, &near);
    add_level_of_sets(2, &far);
    derive(device);
}

/* A ladder of two levels and a ramp between them, of a device with three: the sizes tell which they
 * are. */
static void test_levels_by_size(void **state)
{
    (void)state;
    derive_from_two("a380", (struct level_of_sets){51.2, 16384.0, 32768.0},
                    (struct level_of_sets){701.3, 16777216.0, 25165824.0});
    ASSERT_MEASURED(l1_hit_latency, 35, "latency.global_uniform.simd16.level1.latency");
    ASSERT_MEASURED(memory_latency, 700, "level2");
    ASSERT_ASSUMED(l3_hit_latency, 200);
    model_free(&model);

    /* From 256 KiB, more than the first level holds, to 2 MiB, which is far more; then a ramp. */
    derive_from_two("a380", (struct level_of_sets){51.2, 16384.0, 32768.0},
                    (struct level_of_sets){221.3, 262144.0, 2097152.0});
    ASSERT_MEASURED(l3_hit_latency, 220, "level2");
    ASSERT_ASSUMED(memory_latency, 600);
    model_free(&model);

    /* Two levels, as the device has, but sets of the second are all in the processor's cache. */
    derive_from_two("iris-xe", (struct level_of_sets){161.7, 16384.0, 1048576.0},
                    (struct level_of_sets){251.8, 6291456.0, 12582912.0});
    ASSERT_MEASURED(l3_hit_latency, 160, "level1");
    ASSERT_ASSUMED(memory_latency, 350);
    model_free(&model);

    /* Sets of 4 MiB may be in its L3 or not. */
    derive_from_two("a380", (struct level_of_sets){51.2, 16384.0, 32768.0},
                    (struct level_of_sets){701.3, 4194304.0, 25165824.0});
    ASSERT_ASSUMED(memory_latency, 600);
    model_free(&model);
}

/* A chase whose steps go up by so many bytes. */
static void add_up(const char *variant, double set, double bytes, double cycles)
{
    char name[96];

    snprintf(name, sizeof(name), "latency.%s.simd16.set%.0f.up%.0f", variant, set, bytes);
    add(name, cycles);
    struct parameter *p = &model.parameter[model.parameter_count - 1];
    snprintf(p->term, sizeof(p->term), "up");
    p->working_sets = (struct interval){set, set};
    p->stride = bytes;
}

static void add_first_level(const char *variant, double cycles)
{
    char name[96];

    snprintf(name, sizeof(name), "latency.%s.simd16.level1.latency", variant);
    add(name, cycles);
}

/* Where no level of the L3 or of memory is clear, steps up tell both: through half of the L3, and
 * farther than is fetched ahead (two lines here, so that two of three steps by one line hit). */
static void test_levels_by_steps_up(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_up("global_uniform", 2097152.0, 64.0, 221.4);
    add_up("global_uniform", 8388608.0, 64.0, (2.0 * 221.4 + 901.4) / 3.0);
    add_up("global_uniform", 8388608.0, 128.0, (221.4 + 901.4) / 2.0);
    add_up("global_uniform", 8388608.0, 256.0, 901.4);
    add_up("global_uniform", 8388608.0, 1024.0, 901.4);
    derive("a380");
    ASSERT_MEASURED(l3_hit_latency, 220, "set2097152.up64");
    ASSERT_MEASURED(l3_prefetch_lines, 2, "up64");
    assert_true(figures.figure[VESIM_FIGURE_memory_latency].measured);
    assert_near(figures.figure[VESIM_FIGURE_memory_latency].value, 900.0, 15.0);
    model_free(&model);
}

/* Of 16 lines that are sent within 7 cycles, as the first level says, and take evenly up to 50 more
 * or less, the last one is 48.0 cycles above the mean (of 200,000 draws). */
static void test_latency_spread(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_first_level("global_uniform", 51.0);
    add_first_level("global_divergent", 58.0);
    add_up("global_uniform", 2097152.0, 64.0, 221.4);
    add_up("global_divergent", 2097152.0, 64.0, 221.4 + 48.0);
    derive("a380");
    assert_true(figures.figure[VESIM_FIGURE_l3_latency_spread].measured);
    assert_near(figures.figure[VESIM_FIGURE_l3_latency_spread].value, 100.0, 3.0);
    model_free(&model);

    start_model("GPU", "uuid-1", 2000.0);
    add_first_level("global_uniform", 51.0);
    add_first_level("global_divergent", 58.0);
    add_up("global_uniform", 2097152.0, 64.0, 221.4);
    add_up("global_divergent", 2097152.0, 64.0, 228.4);
    derive("a380");
    ASSERT_MEASURED(l3_latency_spread, 0, "global_divergent");
    model_free(&model);
}

static void test_shared(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add("slm.banks", 16.0);
    add("launch.dispatch.simd8.per_group", 7.0);
    add("launch.dispatch.simd16.per_group", 6.0);
    add("launch.dispatch.simd16.per_thread", 1.5);
    add("atomics.global_add_u32.simd16.per_lane", 3.0);
    add("pipeline.send.simd8", 1000.0);
    derive("a380"); /* 8 Xe-cores */
    ASSERT_MEASURED(slm_banks, 16, "slm.banks");
    ASSERT_MEASURED(group_dispatch_interval, 6, "launch.dispatch.simd16.per_group");
    ASSERT_MEASURED(thread_dispatch_interval, 12, "launch.dispatch.simd16.per_thread");
    ASSERT_MEASURED(atomic_interval, 3, "atomics.global_add_u32.simd16.per_lane");
    ASSERT_MEASURED(send_arbitration, 100, "pipeline.send.simd8"); /* the most it may be */
    model_free(&model);
}

/* Where threads take longer to start in every work-group that was launched, the start of the
 * work-group takes no longer than they do: of two threads, 3 cycles. */
static void test_group_starts_before_its_threads(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add("launch.dispatch.simd16.per_thread", 1.5);
    derive("a380"); /* how many threads these work-groups had is not known */
    ASSERT_ASSUMED(group_dispatch_interval, 4);
    model.parameter[model.parameter_count - 1].least_threads = 2;
    derive("a380");
    ASSERT_MEASURED(group_dispatch_interval, 3, "launch.dispatch.simd16.per_thread");
    assert_near(figures.figure[VESIM_FIGURE_group_dispatch_interval].interval.low, 1.0, 1e-9);
    assert_near(figures.figure[VESIM_FIGURE_group_dispatch_interval].interval.high, 3.04, 1e-9);
    model_free(&model);
}

/* A fiftieth of a bank: something else limits these rows, and nothing is known of the banks. */
static void test_impossible(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add("slm.banks", 0.02);
    derive("a380");
    ASSERT_ASSUMED(slm_banks, 32);
    model_free(&model);
}

/* 6 Xe-cores, an L3 between 256 KiB and 6 MiB, so 3840 KiB as in the base. */
static void test_bandwidths(void **state)
{
    static const double latencies[] = {147.5, 351.5, 0.0}, sizes[] = {262144, 6291456, 0.0};

    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_bandwidth("core", 65536, 21.3);
    add_bandwidth("core", 33554432, 10.0);
    add_bandwidth("device", 65536, 128.2);
    add_bandwidth("device", 8388608, 90.0); /* parts of it are in the L3 */
    add_bandwidth("device", 33554432, 30.0);
    derive("iris-xe");
    ASSERT_MEASURED(l1_line_interval, 6, "bandwidth.core.set65536"); /* two lines in each */
    ASSERT_MEASURED(memory_bandwidth, 60000, "bandwidth.device.set33554432");
    ASSERT_ASSUMED(l3_banks, 8); /* it is not known that the L3 holds 64 KiB */
    add_levels("global_uniform", latencies, sizes);
    derive("iris-xe"); /* two lines every 6 cycles for each Xe-core: 2 a cycle for all */
    ASSERT_ASSUMED(l3_banks, 8);
    assert_non_null(strstr(source_of(VESIM_FIGURE_l3_banks), "from 2 to"));
    model_free(&model);

    start_model("GPU", "uuid-1", 2000.0);
    add_bandwidth("core", 65536, 64.0);
    add_bandwidth("device", 65536, 128.2);
    add_levels("global_uniform", latencies, sizes);
    derive("iris-xe"); /* or is it what each Xe-core can have in flight? */
    ASSERT_ASSUMED(l3_banks, 8);
    add_bandwidth("core_load", 65536, 64.0);
    derive("iris-xe");
    ASSERT_MEASURED(l3_banks, 2, "bandwidth.device.set65536");
    model_free(&model);
}

/* What an Xe-core gets from a set beyond its first level says only what it can take at the least.
 */
static void test_bandwidths_beyond_l1(void **state)
{
    const struct interval *interval = &figures.figure[VESIM_FIGURE_l1_line_interval].interval;

    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_bandwidth("core", 524288, 80.0); /* 1.6 cycles a line */
    derive("a380");
    ASSERT_ASSUMED(l1_line_interval, 1);
    assert_near(interval->high, 1.6, 0.01);
    add_bandwidth("core", 65536, 64.0);
    derive("a380");
    ASSERT_MEASURED(l1_line_interval, 2, "bandwidth.core.set65536");
    model_free(&model);
}

/* An Xe-core has so many lines in flight as the latency of a level lasts, at the rate that it gets
 * from there; if it gets all that it can ask for, perhaps more. */
static void test_lines_in_flight(void **state)
{
    static const double latencies[] = {61.45, 201.45, 1001.45, 0.0};
    static const double sizes[] = {131072, 1048576, 16777216, 0.0};
    const struct interval *range = &figures.figure[VESIM_FIGURE_l1_mshrs].interval;

    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add_levels("global_uniform", latencies, sizes);
    add_bandwidth("core", 65536, 64.0);
    add_bandwidth("core_load", 65536, 64.0);
    derive("a380");
    ASSERT_ASSUMED(l1_mshrs, 256); /* the first level serves that set */
    assert_true(range->low == 64.0 && range->high == 512.0);
    add_bandwidth("core_load", 1048576, 64.0);
    derive("a380"); /* a line a cycle from an L3 of 200 cycles */
    ASSERT_ASSUMED(l1_mshrs, 256);
    assert_true(range->low == 200.0 && range->high == 512.0);
    add_bandwidth("core_load", 16777216, 19.2);
    derive("a380"); /* 0.3 lines a cycle from memory of 1000 */
    ASSERT_MEASURED(l1_mshrs, 300, "bandwidth.core_load.set16777216");
    model_free(&model);

    start_model("GPU", "uuid-1", 2000.0);
    add_levels("global_uniform", latencies, sizes);
    add_bandwidth("core_load", 1048576, 32.0);
    derive("a380"); /* or is that all that its loads get from anywhere? */
    ASSERT_ASSUMED(l1_mshrs, 256);
    add_bandwidth("core_load", 65536, 36.0);
    derive("a380");
    ASSERT_MEASURED(l1_mshrs, 100, "bandwidth.core_load.set1048576");
    model_free(&model);
}

/* A device of three levels whose Xe-cores ask for a line a cycle, and whose stores to half a MiB
 * come to so many bytes a cycle. */
static void start_stores(double stored)
{
    static const double latencies[] = {61.45, 201.45, 1001.45, 0.0};
    static const double sizes[] = {131072, 1048576, 16777216, 0.0};

    start_model("GPU", "uuid-1", 2000.0);
    add_levels("global_uniform", latencies, sizes);
    add_bandwidth("core", 65536, 64.0);
    add_bandwidth("core_load", 1048576, 64.0);
    add_bandwidth("device_store", 524288, stored);
}

/* Stores go through the first level, to banks that take a line a cycle; atomics keep these busy for
 * longer, and tell more banks than there are Xe-cores. */
static void test_banks(void **state)
{
    const struct interval *range = &figures.figure[VESIM_FIGURE_l3_banks].interval;

    (void)state;
    start_stores(4.0 * 64.0);
    derive("a380");
    ASSERT_MEASURED(l3_banks, 4, "bandwidth.device_store.set524288");
    add_bandwidth("device_partial", 2097152, 4.0 * 2.0);
    derive("a380"); /* each of the 4 banks takes one of these elements in 2 cycles */
    ASSERT_MEASURED(partial_store_interval, 2, "bandwidth.device_partial.set2097152");
    model_free(&model);

    /* 8 cycles, where no more than 4 are possible: these stores wait for something else. */
    start_stores(4.0 * 64.0);
    add_bandwidth("device_partial", 2097152, 4.0 * 0.5);
    derive("a380");
    ASSERT_MEASURED(l3_banks, 4, "bandwidth.device_store.set524288");
    ASSERT_ASSUMED(partial_store_interval, 4);
    model_free(&model);

    /* Of several rows the fastest counts: 4 cycles for the 16 lines of a KiB. */
    start_stores(2.0 * 64.0);
    add_of_set("device_bandwidth.write.simd16", 2097152, 4.0);
    derive("a380");
    ASSERT_MEASURED(l3_banks, 4, "device_bandwidth.write.simd16.set2097152");
    model_free(&model);

    /* There are devices of 6 banks, but none of 5: what limits these stores is something else. */
    start_stores(6.1 * 64.0);
    derive("a380");
    ASSERT_MEASURED(l3_banks, 6, "bandwidth.device_store.set524288");
    model_free(&model);
    start_stores(5.0 * 64.0);
    derive("a380");
    ASSERT_ASSUMED(l3_banks, 8);
    assert_true(range->low == 6.0 && range->high == 16.0);
    model_free(&model);

    start_stores(8.0 * 64.0);
    add_bandwidth("device_partial", 2097152, 4.0 * 2.0);
    derive("a380"); /* all that 8 Xe-cores ask for */
    ASSERT_ASSUMED(l3_banks, 8);
    ASSERT_ASSUMED(partial_store_interval, 4);
    assert_true(range->low == 8.0 && range->high == 16.0);
    add("atomics.global_add_u32.simd16.per_lane", 5.0);
    add("atomics.global_add_u32.simd16.device", 16.0 / 5.0);
    derive("a380");
    ASSERT_MEASURED(l3_banks, 16, "atomics.global_add_u32.simd16.device");
    model_free(&model);
}

/* Stores that go on no faster than memory takes them, 70 bytes a cycle, say nothing of banks. */
static void test_banks_behind_memory(void **state)
{
    const struct interval *range = &figures.figure[VESIM_FIGURE_l3_banks].interval;

    (void)state;
    start_stores(65.0);
    derive("a380");
    ASSERT_ASSUMED(l3_banks, 8);
    assert_true(range->low == 4.0 && range->high == 16.0); /* as the description assumes */
    model_free(&model);
}

/* Times in ns count in the base's clock, 2.45 GHz; what cannot be told from nothing is not there.
 */
static void test_without_a_clock(void **state)
{
    (void)state;
    start_model("GPU", "uuid-1", NAN);
    add("pipeline.register.simd8", 12.0 / 2.45);
    add("pipeline.math.simd8", 0.1);
    model.parameter[1].below_resolution = true;
    derive("a380");
    ASSERT_ASSUMED(core_clock, 2450000);
    ASSERT_MEASURED(fpu_latency, 12, "pipeline.register.simd8");
    ASSERT_ASSUMED(math_latency, 17);
    model_free(&model);
}

static void test_base(void **state)
{
    struct error error;

    (void)state;
    start_model("Intel(R) Graphics [0x56a5]", "00000300-0000-0000-0000-000000000001", 2000.0);
    derive(NULL);
    assert_string_equal(figures.description.device.name, "a380-fitted");
    model_free(&model);

    start_model("Intel(R) Arc(TM) A770 Graphics", "8680a056-0800-0000-0300-000000000000", 2000.0);
    derive(NULL);
    assert_string_equal(figures.description.device.name, "a770-fitted");
    model_free(&model);

    start_model("Some GPU", "86800000-0800-0000-0300-000000000000", 2000.0);
    assert_int_equal(figures_of_model(&figures, &model, &family_figures, NULL, &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "Some GPU"));
    assert_non_null(strstr(error.text, "iris-xe"));
    assert_int_equal(figures_of_model(&figures, &model, &family_figures, "no-such", &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "no-such"));
    assert_non_null(strstr(error.text, "iris-xe"));
    model_free(&model);
}

/* What is written can be read, and says the same. */
static void test_file(void **state)
{
    static struct vesim_description read;
    struct error error;
    char text[256];

    (void)state;
    start_model("GPU", "uuid-1", 2000.0);
    add("pipeline.register.simd8", 13.0);
    derive("iris-xe");
    if (figures_write(&figures, PATH, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    if (vesim_description_load(&read, "./" PATH, text, sizeof(text)) != 0)
        fail_msg("%s", text);
    assert_string_equal(read.device.name, "iris-xe-fitted");
    assert_string_equal(read.device.title, "GPU, as fitted");
    assert_memory_equal(&read.device.pci_device, &figures.description.device.pci_device,
                        sizeof(read.device) - offsetof(struct vesim_device, pci_device));
    assert_string_equal(read.sources[VESIM_FIGURE_fpu_latency],
                        source_of(VESIM_FIGURE_fpu_latency));
    assert_int_equal(strncmp(read.sources[VESIM_FIGURE_slices], "as in iris-xe: ", 15), 0);
    assert_int_equal(strncmp(read.sources[VESIM_FIGURE_gateway_interval], "assumed ", 8), 0);
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (figures.figure[i].measured)
            continue;
        assert_true((double)read.low[i] == figures.figure[i].interval.low);
        assert_true((double)read.high[i] == figures.figure[i].interval.high);
    }
    unlink(PATH);
    assert_int_equal(figures_write(&figures, "no-such-folder/x.device", &error), STATUS_FAILED);
    assert_non_null(strstr(error.text, "no-such-folder/x.device"));
    model_free(&model);
}

static bool has_sweep(const struct family_figures *family, enum vesim_figure_index figure)
{
    bool found = false;

    for (size_t i = 0; i < family->count; i++)
        found |= family->rules[i].figure == figure && family->rules[i].sweep;
    return found;
}

/* Each rule names a run of its family, which exists, or leaves that to another of its figure. */
static void test_sweeps(void **state)
{
    static const char run[] = "vebench run ";
    size_t rules = 0;

    (void)state;
    for (size_t f = 0; f < family_figures.count; f++) {
        for (size_t i = 0; i < family_figures.family[f]->count; i++, rules++) {
            const struct figure_rule *rule = &family_figures.family[f]->rules[i];
            char family[64] = "";

            assert_non_null(family_find(&families, rule->family));
            if (!rule->sweep) {
                assert_true(has_sweep(family_figures.family[f], rule->figure));
                continue;
            }
            assert_int_equal(strncmp(rule->sweep, run, strlen(run)), 0);
            assert_int_equal(sscanf(rule->sweep + strlen(run), "%63s", family), 1);
            assert_string_equal(family, rule->family);
        }
    }
    assert_true(rules > 20);
}

/* A base with another number of Xe-cores than the rows say is of another device. */
static void test_base_that_rows_contradict(void **state)
{
    struct error error;

    (void)state;
    start_model("GPU", "", 2000.0);
    model.xe_cores = 64;
    assert_int_equal(figures_of_model(&figures, &model, &family_figures, "a380", &error),
                     STATUS_FAILED);
    assert_non_null(strstr(error.text, "64 Xe-cores, the base a380 has 8"));
    model.xe_cores = 8;
    derive("a380");
    model_free(&model);
}

/* A published time or rate is a tenth off at the most where the rows are of that device, a quarter
 * where they are of another; what a device consists of is exact. */
static void test_published_figures_have_a_range(void **state)
{
    static const char *const names[] = {"Intel(R) Graphics [0x56a5]", "GPU"};
    static const double shares[] = {0.10, 0.25};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        start_model(names[i], "", 2000.0);
        derive("a380");
        const struct interval *range = &figures.figure[VESIM_FIGURE_l3_hit_latency].interval;
        const struct interval *peak = &figures.figure[VESIM_FIGURE_memory_bandwidth].interval;
        double value = figures.figure[VESIM_FIGURE_l3_hit_latency].value;

        assert_false(figures.figure[VESIM_FIGURE_l3_hit_latency].measured);
        assert_true(fabs(range->low - value * (1.0 - shares[i])) < 1.0);
        assert_true(fabs(range->high - value * (1.0 + shares[i])) < 1.0);
        assert_true((peak->low < peak->high) == (i == 1));
        assert_true(figures.figure[VESIM_FIGURE_lanes_32bit].interval.low ==
                    figures.figure[VESIM_FIGURE_lanes_32bit].interval.high);
        model_free(&model);
    }
}

/* A miss of the TLB takes 100 to 2000 cycles as a380 assumes, and `value` as measured. */
static void expect_miss_range(double value, struct interval measured, struct interval expected)
{
    const struct interval *range = &figures.figure[VESIM_FIGURE_tlb_miss_latency].interval;

    start_model("GPU", "uuid-1", 2000.0);
    add_range("latency.global_uniform.simd16.pages.miss", value, measured.low, measured.high);
    derive("a380");
    ASSERT_MEASURED(tlb_miss_latency, value, "pages.miss");
    assert_near(range->low, expected.low, 0.0);
    assert_near(range->high, expected.high, 0.0);
    model_free(&model);
}

/* An interval that says less than what is assumed, and has its value in there, ends where that
 * does. One with a value elsewhere is what has been measured. */
static void test_intervals_wider_than_assumed(void **state)
{
    (void)state;
    expect_miss_range(1258.0, (struct interval){0.0, 97362.0}, (struct interval){100.0, 2000.0});
    expect_miss_range(1258.0, (struct interval){1200.0, 97362.0},
                      (struct interval){1200.0, 2000.0});
    expect_miss_range(2258.0, (struct interval){1200.0, 7362.0}, (struct interval){1200.0, 7362.0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shared_pipes),
        cmocka_unit_test(test_pipes),
        cmocka_unit_test(test_other_sizes),
        cmocka_unit_test(test_colliding_operands),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_levels_by_size),
        cmocka_unit_test(test_levels_by_steps_up),
        cmocka_unit_test(test_latency_spread),
        cmocka_unit_test(test_shared),
        cmocka_unit_test(test_group_starts_before_its_threads),
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_without_a_clock),
        cmocka_unit_test(test_bandwidths),
        cmocka_unit_test(test_bandwidths_beyond_l1),
        cmocka_unit_test(test_lines_in_flight),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_banks_behind_memory),
        cmocka_unit_test(test_base),
        cmocka_unit_test(test_base_that_rows_contradict),
        cmocka_unit_test(test_published_figures_have_a_range),
        cmocka_unit_test(test_intervals_wider_than_assumed),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_sweeps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
