#include "published-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel-text.h"
#include "machine.h"
#include "stream-kernels.h"
#include "test.h"

struct machine published_machine;

/* Cards and chips that others have measured and that differ from a built-in one by a few figures.
 */
static void load(const char *device)
{
    if (strcmp(device, "uhd730") == 0) { /* Intel ARK, Core i5-12400: 24 EUs, 1.45 GHz */
        machine_load(&published_machine, "uhd770");
        published_machine.device.ves_per_xe_core = 12;
        published_machine.device.core_clock = 1450000;
    } else if (strcmp(device, "iris-xe-13") == 0) { /* Intel ARK, Core i9-13900H: 1.5 GHz */
        machine_load(&published_machine, "iris-xe");
        published_machine.device.core_clock = 1500000;
    } else if (strcmp(device, "uhd770-5600") == 0) { /* DDR5-5600 */
        machine_load(&published_machine, "uhd770");
        published_machine.device.memory_bandwidth = 89600;
    } else if (strcmp(device, "uhd770-3200") == 0) { /* DDR4-3200 */
        machine_load(&published_machine, "uhd770");
        published_machine.device.memory_bandwidth = 51200;
    } else if (strcmp(device, "meteor-lake-5600") == 0) { /* Core Ultra 9 185H with DDR5-5600 */
        machine_load(&published_machine, "meteor-lake");
        published_machine.device.memory_bandwidth = 89600;
    } else if (strcmp(device, "alder-lake-u") == 0) { /* Intel ARK, Core i7-1265U; DDR5-4800 */
        machine_load(&published_machine, "alder-lake");
        published_machine.device.core_clock = 1250000;
        published_machine.device.memory_bandwidth = 76800;
    } else if (strcmp(device, "b60") == 0) { /* Intel ARK, Arc Pro B60: a B580 at 2.4 GHz */
        machine_load(&published_machine, "b580");
        published_machine.device.core_clock = 2400000;
    } else if (strcmp(device, "b70") == 0) { /* an Arc Pro B70 whose clock its author held */
        machine_load(&published_machine, "0xe223");
        published_machine.device.core_clock = 2400000;
    } else if (strcmp(device, "125h") == 0) { /* Core Ultra 5 125H: 7 Xe-cores at 2.2 GHz */
        machine_load(&published_machine, "meteor-lake");
        published_machine.device.slices = 1;
        published_machine.device.xe_cores_per_slice = 7;
        published_machine.device.core_clock = 2200000;
    } else {
        machine_load(&published_machine, device);
    }
}

void published_begin(const char *device)
{
    load(device);
    machine_finish(&published_machine);
    machine_use_lanes(&published_machine, 16);
    emit_start();
}

static const char *float_at_1(void)
{
    return published_machine.device.architecture == VESIM_GEN12LP ? "@1" : "F@1";
}

static const char *integer_at_1(void)
{
    return published_machine.device.architecture == VESIM_GEN12LP ? "@1" : "I@1";
}

uint32_t published_xe_cores(void)
{
    return (uint32_t)(published_machine.device.slices *
                      published_machine.device.xe_cores_per_slice);
}

double published_seconds(uint64_t cycles)
{
    return (double)cycles / ((double)published_machine.device.core_clock * 1000);
}

void published_fill_xe_core(void)
{
    const struct vesim_device *device = &published_machine.device;
    struct walker *walker = &published_machine.walker;

    walker->threads_per_group =
        (uint32_t)(device->ves_per_xe_core * vesim_threads_per_ve(device, walker->grf_registers));
}

/* Cycles that so many more bodies take, with every thread slot of an Xe-core taken. The other
 * Xe-cores share nothing that the bodies use, so they take as many. */
static uint64_t body_cycles(void (*body)(const struct published_run *), unsigned bodies,
                            const struct published_run *run)
{
    uint64_t cycles[2];

    published_fill_xe_core();
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        for (unsigned j = 0; j < bodies * (i + 1); j++)
            body(run);
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    return cycles[1] - cycles[0];
}

/* 1e9 operations a second of bodies with so many multiply-adds of 16 lanes each. */
double published_rate(void (*body)(const struct published_run *), unsigned mads,
                      const struct published_run *run)
{
    const unsigned bodies = mads >= 32 ? 16 : 128 / mads;

    published_begin(run->device);
    double seconds_taken = published_seconds(body_cycles(body, bodies, run));
    double operations = 2.0 * 16 * mads * bodies * published_machine.walker.threads_per_group *
                        published_xe_cores();
    machine_destroy(&published_machine);
    return operations / seconds_taken / 1e9;
}

static double per_lane(double rate, const char *device)
{
    load(device);
    return rate * 1e9 / 2 / ((double)published_machine.device.core_clock * 1000) /
           (double)(published_machine.device.ves_per_xe_core *
                    published_machine.device.lanes_32bit * published_xe_cores());
}

const char *published_wait(const char *pipe, unsigned distance)
{
    static char wait[8];

    distance = distance < 7 ? distance : 7;
    snprintf(wait, sizeof(wait), "%s@%u",
             published_machine.device.architecture >= VESIM_XE_HPG ? pipe : "", distance);
    return wait;
}

/* Of the kernels of chains: with registers of 64 bytes, 32 halves or words a cycle. */
static unsigned chain_lanes(void)
{
    return published_machine.device.architecture >= VESIM_XE_HPC ? 32 : 16;
}

/* The compiler keeps the first component's x in an accumulator where it is a float and reading a
 * register twice costs a pass. */
static void square(const struct published_run *run)
{
    const char *t = run->type;
    unsigned lanes = chain_lanes(), first = 0;

    if (strcmp(t, "f") == 0 && lanes == 16) {
        emit("(W) mad (16|M0) acc0.0<1>:f r20.0<8;1>:f acc0.0<8;1>:f r20.0<1>:f {%s}\n"
             "(W) mad (16|M0) r20.0<1>:f acc0.0<8;1>:f acc0.0<8;1>:f r20.0<1>:f\n",
             float_at_1());
        first = 1;
    }
    for (unsigned half = 0; half < 2; half++)
        for (unsigned c = first; c < run->components; c++) {
            unsigned x = 22 + 4 * c + 2 * half, y = 24 + 4 * c - 2 * half;

            emit("(W) mad (%u|M0) r%u.0<1>:%s r%u.0<8;1>:%s r%u.0<8;1>:%s r%u.0<1>:%s {%s}\n",
                 lanes, x, t, y, t, x, t, y, t, published_wait("F", run->components - first));
        }
}

bool published_can_run(const struct published_run *run)
{
    load(run->device);
    return machine_knows(published_machine.device.name);
}

unsigned published_generation(const struct published_run *run)
{
    load(run->device);
    return published_machine.device.architecture;
}

double published_square(const struct published_run *run)
{
    load(run->device);
    return published_rate(square, 2 * run->components * chain_lanes() / 16, run);
}

static void square_and_sum(const struct published_run *run)
{
    (void)run;
    emit("(W) mad (16|M0) r20.0<1>:f r8.2<0;0>:f r20.0<8;1>:f r20.0<1>:f {%s}\n", float_at_1());
}

double published_square_and_sum_per_lane(const struct published_run *run)
{
    return per_lane(published_rate(square_and_sum, 1, run), run->device);
}

static void affine(const struct published_run *run)
{
    emit("(W) mad (16|M0) acc0.0<1>:f r8.3<0;0>:f acc0.0<8;1>:f r8.2<0>:f\n");
    for (unsigned c = 1; c < run->components; c++)
        emit("(W) mad (16|M0) r%u.0<1>:f r8.3<0;0>:f r%u.0<8;1>:f r8.2<0>:f {%s}\n", 20 + 2 * c,
             20 + 2 * c, float_at_1());
}

double published_affine(const struct published_run *run)
{
    return published_rate(affine, run->components, run);
}

double published_affine_per_lane(const struct published_run *run)
{
    return per_lane(published_affine(run), run->device);
}

static void vectors(const struct published_run *run)
{
    const char *t = run->type;
    unsigned first = 0;

    if (strcmp(t, "f") == 0) {
        emit("(W) mad (16|M0) acc0.0<1>:f r16.0<8;1>:f acc0.0<8;1>:f r18.0<1>:f\n");
        first = 1;
    }
    for (unsigned c = first; c < run->components; c++)
        emit("(W) mad (16|M0) r%u.0<1>:%s r%u.0<8;1>:%s r%u.0<8;1>:%s r%u.0<1>:%s {%s}\n",
             20 + 2 * c, t, 60 + 4 * c, t, 20 + 2 * c, t, 62 + 4 * c, t,
             published_wait("F", run->components));
}

double published_vectors(const struct published_run *run)
{
    return published_rate(vectors, run->components, run);
}

/* x = a * x, as Intel's compiler has it: a half of the product in the accumulator, then the other.
 */
static void emit_product_of_dwords(unsigned x, unsigned a)
{
    const unsigned lanes = published_machine.device.architecture >= VESIM_XE_HPC ? 16 : 8;

    for (unsigned part = 0; part < 16 / lanes; part++)
        emit("(W) mul (%u|M0) acc0.0<1>:d r%u.0<8;8,1>:d r%u.0<16;8,2>:uw {%s}\n"
             "(W) mach (%u|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
             lanes, a + part, x + part, integer_at_1(), lanes, x + part, a + part, x + part);
}

/* Two multiply-adds of each component. x = y * x + y becomes a product and a sum of three, by
 * today's compiler two products, a sum of three with a constant and a sum of two. */
static void integers(const struct published_run *run)
{
    const bool today = strcmp(run->type, "today") == 0;
    const char *at = integer_at_1();

    for (unsigned i = 0; i < 2; i++)
        for (unsigned c = 0; c < run->components; c++) {
            unsigned x = 20 + 2 * c, a = 60 + 4 * c, b = 62 + 4 * c;

            emit_product_of_dwords(x, a);
            if (!today)
                emit("(W) add3 (16|M0) r%u.0<1>:d r%u.0<8;1>:d r%u.0<8;1>:d r%u.0<1>:d {%s}\n", x,
                     x, a, b, at);
            else if (i)
                emit("(W) add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d 1:w {%s}\n", x, x, at);
            else
                emit("(W) add3 (16|M0) r%u.0<1>:d r%u.0<8;1>:d r%u.0<8;1>:d 1:w {%s}\n", x, x, b,
                     at);
        }
}

double published_integers(const struct published_run *run)
{
    return published_rate(integers, 2 * run->components, run);
}

/* What Intel's compiler makes of x = y * x + y of a vector of two words: a component in each. */
static void word_chains(const struct published_run *run)
{
    for (unsigned half = 0; half < 2; half++)
        for (unsigned c = 0; c < run->components; c++) {
            unsigned x = 20 + c + 10 * half, y = 30 + c - 10 * half;

            emit("(W) mad (%u|M0) r%u.0<1>:w r%u.0<1;0>:w r%u.0<1;0>:w r%u.0<1>:w {%s}\n",
                 chain_lanes(), y, x, x, 60 + c, published_wait("I", run->components));
        }
}

double published_word_chains(const struct published_run *run)
{
    load(run->device);
    return published_rate(word_chains, 2 * run->components * chain_lanes() / 16, run);
}

/* Chains of doubles. */
static void doubles(const struct published_run *run)
{
    (void)run;
    for (unsigned c = 0; c < 8; c++)
        emit("(W) mad (16|M0) r%u.0<1>:df r%u.0<8;1>:df r90.0<8;1>:df r92.0<1>:df {L@7}\n",
             20 + 2 * c, 20 + 2 * c);
}

double published_doubles(const struct published_run *run)
{
    return published_rate(doubles, 8, run);
}

static unsigned product_lanes(void)
{
    return published_machine.device.architecture >= VESIM_XE_HPC ? 16 : 8;
}

/* Eight products of so many rows that do not depend on one another. */
static void products(const struct published_run *run)
{
    for (unsigned i = 0; i < 8; i++)
        emit("dpas.8x%u (%u|M0) r%u:f r%u:f r%u:hf r%u.0:hf {$%u}\n", run->components,
             product_lanes(), 16 + 8 * i, 16 + 8 * i, 80 + 8 * (i % 4), 112 + 8 * (i / 4), i);
}

double published_products(const struct published_run *run)
{
    load(run->device);
    return published_rate(products, 8 * product_lanes() * run->components, run); /* of 16 each */
}

static void product_and_sum(const struct published_run *run)
{
    (void)run;
    emit("(W) mul (16|M0) r20.0<1>:f r20.0<8;8,1>:f r22.0<8;8,1>:f {%s}\n"
         "(W) add (16|M0) r22.0<1>:f r20.0<8;8,1>:f r22.0<8;8,1>:f {%s}\n",
         float_at_1(), float_at_1());
}

double published_product_and_sum(const struct published_run *run)
{
    return published_rate(product_and_sum, 1, run);
}

static void matrix(const struct published_run *run)
{
    (void)run;
    emit("dpas.8x8 (8|M0) r60:f r60:f r30:hf r40.0:hf {$2}\nsync.nop null {$2.dst}\n");
}

double published_matrix(const struct published_run *run)
{
    return published_rate(matrix, 8 * 8 * 16 / 16, run); /* 1024 multiply-adds in each */
}

/* Loads of so many components, each thread with 8 in flight. */
static double read_bandwidth(unsigned components, const char *device)
{
    static const char *const load[] = {[1] = "0x04205E01", [2] = "0x04405C01", [4] = "0x04805001"};
    const uint32_t bytes = 64 << 20, group = 32, step = 64 * components;
    unsigned shift = 9;

    for (unsigned c = components; c > 1; c /= 2)
        shift++;
    published_begin(device);
    stream_add_buffer(&published_machine, bytes);
    stream_emit_addresses(&published_machine, group, 4 * components, shift);
    for (unsigned i = 0; i < 8; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r12.0<8;8,1>:d %u:w\n", 100 + 2 * i, i * step);
    emit("sync.nop null {I@1}\n");
    for (unsigned i = 0; i < 8; i++)
        emit("(W) send.dc1 (16|M0) r%u r%u null:0 0x0 %s {$%u}\n", 20 + 8 * i, 100 + 2 * i,
             load[components], i);
    emit("sync.allwr null\n");
    published_machine.walker.threads_per_group = group;
    published_machine.walker.group_end[0] = bytes / (8 * step) / group;
    double bandwidth = bytes / published_seconds(stream_warm_cycles(&published_machine)) / 1e9;
    machine_destroy(&published_machine);
    return bandwidth;
}

double published_read(const struct published_run *run)
{
    return read_bandwidth(run->components, run->device);
}

/* GB/s of a pattern over so many bytes, on the device that has begun; destroys its machine. */
static double rate_over(enum stream_pattern pattern, uint32_t bytes)
{
    double rate = stream_rate(&published_machine, pattern, bytes) *
                  (double)published_machine.device.core_clock / 1e6;

    machine_destroy(&published_machine);
    return rate;
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The same over 8 times the L3, 4 times the processor's cache, or `least` bytes. */
static double pattern_rate(const char *device, enum stream_pattern pattern, uint32_t least)
{
    published_begin(device);
    uint32_t l3 = (uint32_t)(8 * published_machine.device.l3_bytes);
    uint32_t llc = (uint32_t)(4 * published_machine.device.llc_bytes);

    return rate_over(pattern, larger(larger(l3, llc), least));
}

double published_read_arrays(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_READ, 128 << 20);
}

double published_write(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_WRITE, 0);
}

double published_write_lines(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_LINES, 0);
}

double published_copy(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_COPY, 0);
}

double published_copy_of(const struct published_run *run)
{
    published_begin(run->device);
    return rate_over(STREAM_COPY, 2 * run->components * 1024);
}

double published_triad(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_TRIAD, 0);
}

/* Twice what the processor's cache holds. */
double published_lattice(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_LATTICE, 64 << 20) * 1e3 / STREAM_CELL_BYTES;
}

double published_half_lattice(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_HALF_LATTICE, 64 << 20) * 1e3 / STREAM_HALF_CELL_BYTES;
}

double published_link(const struct published_run *run)
{
    struct memory_traffic traffic = {.to_device = 64 << 20, .from_host = 64 << 20};

    published_begin(run->device);
    double bandwidth = (64 << 20) /
                       published_seconds(gpu_memory_transfer(published_machine.gpu, &traffic, 0)) /
                       1e9;
    machine_destroy(&published_machine);
    return bandwidth;
}

/* GB/s of one work-group of 256 work-items, each with one load of `components` floats in flight.
 * The slope over the number of loads. */
static double one_core_bandwidth(const char *device, unsigned components)
{
    const uint32_t bytes = 64 << 20, threads = 16;
    uint64_t cycles[2];

    published_begin(device);
    stream_add_buffer(&published_machine, bytes);
    published_machine.walker.threads_per_group = threads;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        stream_emit_addresses(&published_machine, threads, 4 * components, 16);
        for (unsigned load = 0; load < 100 * (i + 1); load++)
            emit("(W) send.dc1 (16|M0) r20 r12 null:0 0x0 %s {$1}\n"
                 "(W) add (16|M0) r12.0<1>:d r12.0<8;8,1>:d %u:w {$1.dst}\n"
                 "sync.nop null {I@1}\n",
                 components == 4 ? "0x04805001" : "0x04205E01", components * 64);
        published_machine.walker.kernel_address = MACHINE_CODE;
        machine_run_ok(&published_machine, emitted()); /* from memory, and only once */
        cycles[i] = published_machine.cycles;
        published_machine.clock = published_machine.cycles = 0;
        gpu_destroy(published_machine.gpu); /* with its caches */
        published_machine.gpu = gpu_create(&published_machine.device, &published_machine.settings);
        assert_non_null(published_machine.gpu);
    }
    double bandwidth =
        100.0 * threads * 64 * components / published_seconds(cycles[1] - cycles[0]) / 1e9;
    machine_destroy(&published_machine);
    return bandwidth;
}

double published_read_of_one(const struct published_run *run)
{
    return one_core_bandwidth(run->device, run->components);
}
