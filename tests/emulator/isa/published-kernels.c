#include "published-kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel-text.h"
#include "machine.h"
#include "stream-kernels.h"
#include "test.h"

static struct machine machine;
/* Cards and chips that others have measured and that differ from a built-in one by a few figures.
 */
static void load(const char *device)
{
    if (strcmp(device, "uhd730") == 0) { /* Intel ARK, Core i5-12400: 24 EUs, 1.45 GHz */
        machine_load(&machine, "uhd770");
        machine.device.ves_per_xe_core = 12;
        machine.device.core_clock = 1450000;
    } else if (strcmp(device, "iris-xe-13") == 0) { /* Intel ARK, Core i9-13900H: 1.5 GHz */
        machine_load(&machine, "iris-xe");
        machine.device.core_clock = 1500000;
    } else if (strcmp(device, "uhd770-5600") == 0) { /* DDR5-5600 */
        machine_load(&machine, "uhd770");
        machine.device.memory_bandwidth = 89600;
    } else if (strcmp(device, "meteor-lake-5600") == 0) { /* Core Ultra 9 185H with DDR5-5600 */
        machine_load(&machine, "meteor-lake");
        machine.device.memory_bandwidth = 89600;
    } else if (strcmp(device, "alder-lake-u") == 0) { /* Intel ARK, Core i7-1265U; DDR5-4800 */
        machine_load(&machine, "alder-lake");
        machine.device.core_clock = 1250000;
        machine.device.memory_bandwidth = 76800;
    } else {
        machine_load(&machine, device);
    }
}

static void begin(const char *device)
{
    load(device);
    machine_finish(&machine);
    machine_use_lanes(&machine, 16);
    emit_start();
}

static const char *float_at_1(void)
{
    return machine.device.architecture == VESIM_GEN12LP ? "@1" : "F@1";
}

static const char *integer_at_1(void)
{
    return machine.device.architecture == VESIM_GEN12LP ? "@1" : "I@1";
}

static uint32_t xe_cores(void)
{
    return (uint32_t)(machine.device.slices * machine.device.xe_cores_per_slice);
}

static double seconds(uint64_t cycles)
{
    return (double)cycles / ((double)machine.device.core_clock * 1000);
}

/* Cycles that so many more bodies take, with every thread slot of an Xe-core taken. The other
 * Xe-cores share nothing that the bodies use, so they take as many. */
static uint64_t body_cycles(void (*body)(const struct published_run *), unsigned bodies,
                            const struct published_run *run)
{
    uint64_t cycles[2];

    machine.walker.threads_per_group =
        (uint32_t)(machine.device.ves_per_xe_core * machine.device.threads_per_ve);
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        for (unsigned j = 0; j < bodies * (i + 1); j++)
            body(run);
        cycles[i] = stream_warm_cycles(&machine);
    }
    return cycles[1] - cycles[0];
}

/* 1e9 operations a second of bodies with so many multiply-adds of 16 lanes each. */
static double operation_rate(void (*body)(const struct published_run *), unsigned mads,
                             const struct published_run *run)
{
    const unsigned bodies = mads >= 32 ? 16 : 128 / mads;

    begin(run->device);
    double seconds_taken = seconds(body_cycles(body, bodies, run));
    double operations = 2.0 * 16 * mads * bodies * machine.walker.threads_per_group * xe_cores();
    machine_destroy(&machine);
    return operations / seconds_taken / 1e9;
}

static double per_lane(double rate, const char *device)
{
    load(device);
    return rate * 1e9 / 2 / ((double)machine.device.core_clock * 1000) /
           (double)(machine.device.ves_per_xe_core * machine.device.lanes_32bit * xe_cores());
}

/* The compiler keeps the first component's x in an accumulator where it is a float. */
static void square(const struct published_run *run)
{
    const char *t = run->type, *at = float_at_1();
    unsigned first = 0;

    if (strcmp(t, "f") == 0) {
        emit("(W) mad (16|M0) acc0.0<1>:f r20.0<8;1>:f acc0.0<8;1>:f r20.0<1>:f {%s}\n"
             "(W) mad (16|M0) r20.0<1>:f acc0.0<8;1>:f acc0.0<8;1>:f r20.0<1>:f\n",
             at);
        first = 1;
    }
    for (unsigned c = first; c < run->components; c++)
        emit("(W) mad (16|M0) r%u.0<1>:%s r%u.0<8;1>:%s r%u.0<8;1>:%s r%u.0<1>:%s {%s}\n",
             22 + 4 * c, t, 24 + 4 * c, t, 22 + 4 * c, t, 24 + 4 * c, t, at);
    for (unsigned c = first; c < run->components; c++)
        emit("(W) mad (16|M0) r%u.0<1>:%s r%u.0<8;1>:%s r%u.0<8;1>:%s r%u.0<1>:%s {%s}\n",
             24 + 4 * c, t, 22 + 4 * c, t, 24 + 4 * c, t, 22 + 4 * c, t, at);
}

bool published_can_run(const struct published_run *run)
{
    load(run->device);
    return machine_knows(machine.device.name);
}

unsigned published_generation(const struct published_run *run)
{
    load(run->device);
    return machine.device.architecture;
}

double published_square(const struct published_run *run)
{
    return operation_rate(square, 2 * run->components, run);
}

static void square_and_sum(const struct published_run *run)
{
    (void)run;
    emit("(W) mad (16|M0) r20.0<1>:f r8.2<0;0>:f r20.0<8;1>:f r20.0<1>:f {%s}\n", float_at_1());
}

double published_square_and_sum_per_lane(const struct published_run *run)
{
    return per_lane(operation_rate(square_and_sum, 1, run), run->device);
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
    return operation_rate(affine, run->components, run);
}

double published_affine_per_lane(const struct published_run *run)
{
    return per_lane(published_affine(run), run->device);
}

/* A wait for the `distance`-th last instruction of a pipe. */
static const char *at(const char *pipe, unsigned distance)
{
    static char wait[8];

    distance = distance < 7 ? distance : 7;
    snprintf(wait, sizeof(wait), "%s@%u", machine.device.architecture == VESIM_XE_HPG ? pipe : "",
             distance);
    return wait;
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
             20 + 2 * c, t, 60 + 4 * c, t, 20 + 2 * c, t, 62 + 4 * c, t, at("F", run->components));
}

double published_vectors(const struct published_run *run)
{
    return operation_rate(vectors, run->components, run);
}

static void integers(const struct published_run *run)
{
    const char *at = integer_at_1();

    for (unsigned c = 0; c < run->components; c++) {
        unsigned x = 20 + 2 * c, a = 60 + 4 * c, b = 62 + 4 * c;

        for (unsigned half = 0; half < 2; half++)
            emit("(W) mul (8|M0) acc0.0<1>:d r%u.0<8;8,1>:d r%u.0<16;8,2>:uw {%s}\n"
                 "(W) mach (8|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d\n",
                 a + half, x + half, at, x + half, a + half, x + half);
        emit("(W) add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d {%s}\n", x, x, b, at);
    }
}

double published_integers(const struct published_run *run)
{
    return operation_rate(integers, run->components, run);
}

static void words(const struct published_run *run)
{
    unsigned n = run->components;

    for (unsigned c = 0; c < n; c++)
        emit("(W) mul (16|M0) r%u.0<1>:w r%u.0<16;16,1>:w r%u.0<16;16,1>:w {%s}\n", 20 + c,
             60 + 2 * c, 20 + c, at("I", n));
    for (unsigned c = 0; c < n; c++)
        emit("(W) add (16|M0) r%u.0<1>:w r%u.0<16;16,1>:w r%u.0<16;16,1>:w {%s}\n", 20 + c, 20 + c,
             61 + 2 * c, at("I", n));
}

double published_words(const struct published_run *run)
{
    return operation_rate(words, run->components, run);
}

/* What Intel's compiler makes of x = y * x + y of a vector of two words: a component in each. */
static void word_chains(const struct published_run *run)
{
    for (unsigned c = 0; c < run->components; c++)
        emit("(W) mad (16|M0) r%u.0<1>:w r%u.0<1;0>:w r%u.0<1;0>:w r%u.0<1>:w {%s}\n", 30 + c,
             20 + c, 20 + c, 60 + c, at("I", run->components));
    for (unsigned c = 0; c < run->components; c++)
        emit("(W) mad (16|M0) r%u.0<1>:w r%u.0<1;0>:w r%u.0<1;0>:w r%u.0<1>:w {%s}\n", 20 + c,
             30 + c, 30 + c, 60 + c, at("I", run->components));
}

double published_word_chains(const struct published_run *run)
{
    return operation_rate(word_chains, 2 * run->components, run);
}

/* The loop of the source: a register for each operation, two others that all of them read. */
static void chosen(const struct published_run *run)
{
    const bool halves = strcmp(run->type, "hf") == 0;

    for (unsigned i = 0; i < 32; i++)
        emit("(W) mad (%u|M0) r%u.0<1>:%s r%u.0<8;1>:%s r13.0<8;1>:%s r14.0<1>:%s\n",
             halves ? 16 : 8, 20 + i, run->type, 20 + i, run->type, run->type, run->type);
}

double published_chosen(const struct published_run *run)
{
    return operation_rate(chosen, strcmp(run->type, "hf") == 0 ? 32 : 16, run);
}

/* Eight products of so many rows that do not depend on one another. */
static void products(const struct published_run *run)
{
    for (unsigned i = 0; i < 8; i++)
        emit("dpas.8x%u (8|M0) r%u:f r%u:f r%u:hf r%u.0:hf {$%u}\n", run->components, 16 + 8 * i,
             16 + 8 * i, 80 + 8 * (i % 4), 112 + 8 * (i / 4), i);
}

double published_products(const struct published_run *run)
{
    return operation_rate(products, 8 * 8 * run->components, run); /* of 16 multiply-adds */
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
    return operation_rate(product_and_sum, 1, run);
}

static void matrix(const struct published_run *run)
{
    (void)run;
    emit("dpas.8x8 (8|M0) r60:f r60:f r30:hf r40.0:hf {$2}\nsync.nop null {$2.dst}\n");
}

double published_matrix(const struct published_run *run)
{
    return operation_rate(matrix, 8 * 8 * 16 / 16, run); /* 1024 multiply-adds in each */
}

/* Loads of so many components, each thread with 8 in flight. */
static double read_bandwidth(unsigned components, const char *device)
{
    static const char *const load[] = {[1] = "0x04205E01", [2] = "0x04405C01", [4] = "0x04805001"};
    const uint32_t bytes = 64 << 20, group = 32, step = 64 * components;
    unsigned shift = 9;

    for (unsigned c = components; c > 1; c /= 2)
        shift++;
    begin(device);
    stream_add_buffer(&machine, bytes);
    stream_emit_addresses(&machine, group, 4 * components, shift);
    for (unsigned i = 0; i < 8; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r12.0<8;8,1>:d %u:w\n", 100 + 2 * i, i * step);
    emit("sync.nop null {I@1}\n");
    for (unsigned i = 0; i < 8; i++)
        emit("(W) send.dc1 (16|M0) r%u r%u null:0 0x0 %s {$%u}\n", 20 + 8 * i, 100 + 2 * i,
             load[components], i);
    emit("sync.allwr null\n");
    machine.walker.threads_per_group = group;
    machine.walker.group_end[0] = bytes / (8 * step) / group;
    double bandwidth = bytes / seconds(stream_warm_cycles(&machine)) / 1e9;
    machine_destroy(&machine);
    return bandwidth;
}

double published_read(const struct published_run *run)
{
    return read_bandwidth(run->components, run->device);
}

/* GB/s of a pattern over 8 times the L3, or `least` bytes. */
static double pattern_rate(const char *device, enum stream_pattern pattern, uint32_t least)
{
    begin(device);
    uint32_t bytes = (uint32_t)(8 * machine.device.l3_bytes);
    double rate = stream_rate(&machine, pattern, bytes > least ? bytes : least);

    rate *= (double)machine.device.core_clock / 1e6;
    machine_destroy(&machine);
    return rate;
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

double published_triad(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_TRIAD, 0);
}

/* Twice what the processor's cache holds. */
double published_lattice(const struct published_run *run)
{
    return pattern_rate(run->device, STREAM_LATTICE, 64 << 20) * 1e3 / STREAM_CELL_BYTES;
}

double published_link(const struct published_run *run)
{
    struct memory_traffic traffic = {.to_device = 64 << 20, .from_host = 64 << 20};

    begin(run->device);
    double bandwidth = (64 << 20) / seconds(gpu_memory_transfer(machine.gpu, &traffic, 0)) / 1e9;
    machine_destroy(&machine);
    return bandwidth;
}

/* GB/s of one work-group of 256 work-items, each with one load of `components` floats in flight.
 * The slope over the number of loads. */
static double one_core_bandwidth(const char *device, unsigned components)
{
    const uint32_t bytes = 64 << 20, threads = 16;
    uint64_t cycles[2];

    begin(device);
    stream_add_buffer(&machine, bytes);
    machine.walker.threads_per_group = threads;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        stream_emit_addresses(&machine, threads, 4 * components, 16);
        for (unsigned load = 0; load < 100 * (i + 1); load++)
            emit("(W) send.dc1 (16|M0) r20 r12 null:0 0x0 %s {$1}\n"
                 "(W) add (16|M0) r12.0<1>:d r12.0<8;8,1>:d %u:w {$1.dst}\n"
                 "sync.nop null {I@1}\n",
                 components == 4 ? "0x04805001" : "0x04205E01", components * 64);
        machine.walker.kernel_address = MACHINE_CODE;
        machine_run_ok(&machine, emitted()); /* from memory, and only once */
        cycles[i] = machine.cycles;
        machine.clock = machine.cycles = 0;
        gpu_destroy(machine.gpu); /* with its caches */
        machine.gpu = gpu_create(&machine.device, &machine.settings);
        assert_non_null(machine.gpu);
    }
    double bandwidth = 100.0 * threads * 64 * components / seconds(cycles[1] - cycles[0]) / 1e9;
    machine_destroy(&machine);
    return bandwidth;
}

/* ns of a load that misses the first level and hits the L2: a chase after its invalidation. */
static double l2_latency(const char *device)
{
    uint64_t cycles[2];

    begin(device);
    for (unsigned line = 0; line < 400; line++)
        machine.data[line * 16] = (line + 1) * 64;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (8|M0) r12.0<1>:d 0:w\nsync.nop null {I@1}\n");
        for (unsigned load = 0; load < 100 * (i + 1); load++)
            emit("(W) send.dc1 (8|M0) r12 r12 null:0 0x0 0x02106E00 {$1}\n");
        machine_run_ok(&machine, emitted());
        gpu_cache_control(machine.gpu, GPU_INVALIDATE_DATA, machine.clock);
        assert_int_equal(machine_run(&machine), 0);
        cycles[i] = machine.cycles;
    }
    double latency = seconds(cycles[1] - cycles[0]) / 100 * 1e9;
    machine_destroy(&machine);
    return latency;
}

/* Bytes a cycle of one Xe-core, all lanes reading 4 dwords in a row. */
static double one_core_rate(const char *device, const char *load_message, uint32_t slm_bytes)
{
    uint64_t cycles[2];

    begin(device);
    machine.walker.slm_bytes = slm_bytes;
    machine.walker.threads_per_group = 64;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        stream_emit_addresses(&machine, 0, 16, 8);
        for (unsigned load = 0; load < 64 * (i + 1); load++)
            emit("(W) send.dc1 (16|M0) r%u r12 null%s 0x0 %s {$%u}\n", 20 + load % 8 * 8,
                 machine.device.architecture == VESIM_XE_HPG ? ":0" : "", load_message, load % 8);
        emit("sync.allwr null\n");
        cycles[i] = stream_warm_cycles(&machine);
    }
    double rate = 64.0 * 64 * 256 / (double)(cycles[1] - cycles[0]);
    machine_destroy(&machine);
    return rate;
}

/* Gop/s of 32-bit atomic adds of all threads, each work-item to an element of its own. */
static double atomic_rate(const char *device)
{
    uint64_t cycles[2];

    begin(device);
    machine.walker.threads_per_group =
        (uint32_t)(machine.device.ves_per_xe_core * machine.device.threads_per_ve);
    machine.walker.group_end[0] = xe_cores();
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        stream_emit_addresses(&machine, machine.walker.threads_per_group, 4, 6);
        for (unsigned add = 0; add < 16 * (i + 1); add++)
            emit("(W) send.%s {$1}\n", machine.device.architecture == VESIM_XE2
                                           ? "ugm (16|M0) null r12 r20:1 0x0 0x6200050C"
                                           : "dc1 (16|M0) null r12 r20:2 0x0 0x04008700");
        cycles[i] = stream_warm_cycles(&machine);
    }
    double operations = 16.0 * 16 * machine.walker.threads_per_group * xe_cores();
    double rate = operations / seconds(cycles[1] - cycles[0]) / 1e9;
    machine_destroy(&machine);
    return rate;
}

/* ns until a value that one work-item puts into local memory is replaced by another one's: two of
 * them, lanes of a thread, wait for their turns, the odd or the even numbers, by comparing and
 * exchanging. */
static double local_turns(const char *device)
{
    uint64_t cycles[2];

    begin(device);
    machine.walker.slm_bytes = 1024;
    machine.walker.execution_mask = 3;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (8|M0) r1.0<1>:w 0x76543210:v\n"
             "(W) mov (16|M0) r20.0<1>:d 0:w\n"
             "(W) mov (16|M0) r12.0<1>:d 0:w\n"
             "sync.nop null {I@1}\n"
             "(W) send.dc1 (16|M0) null r20 r12:2 0x0 0x04025EFE {$2}\n"
             "sync.allwr null\n"
             "add (16|M0) r10.0<1>:d r1.0<0;8,1>:w 1:w\n"
             "TURN:\n"
             "add (16|M0) r24.0<1>:d r10.0<8;8,1>:d -1:w {I@1}\n"
             "mov (16|M0) r26.0<1>:d r10.0<8;8,1>:d\n"
             "mov (16|M0) r20.0<1>:d 0:w\n"
             "sync.nop null {I@1}\n"
             "send.dc1 (16|M0) r22 r20 r24:4 0x0 0x0420AEFE {$1}\n"
             "add (16|M0) r28.0<1>:d r10.0<8;8,1>:d 2:w\n"
             "cmp (16|M0) (eq)f1.0 null<1>:d r22.0<8;8,1>:d r24.0<8;8,1>:d {$1.dst}\n"
             "(f1.0) sel (16|M0) r10.0<1>:d r28.0<8;8,1>:d r10.0<8;8,1>:d {I@1}\n"
             "cmp (16|M0) (gt)f0.0 null<1>:d r10.0<8;8,1>:d %u:w {I@1}\n"
             "sync.nop null {I@1}\n"
             "(~f0.0) goto.b (16|M0) DONE TURN\n"
             "DONE:\n"
             "join (16|M0) OUT\n"
             "OUT:\n",
             1000 * (i + 1));
        cycles[i] = stream_warm_cycles(&machine);
    }
    double handover = seconds(cycles[1] - cycles[0]) / 1000 * 1e9;
    machine_destroy(&machine);
    return handover;
}

/* ns of a step of a chase through local memory by an array's indices. Xe2's registers. */
static double local_chase(const char *device)
{
    uint64_t cycles[2];

    begin(device);
    machine.walker.slm_bytes = 1024;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (16|M0) r12.0<1>:d 0:w\n"
             "(W) mov (16|M0) r20.0<1>:d 0:w\n"
             "sync.nop null {I@1}\n"
             "(W) send.slm (1|M0) null r12 r20:1 0x0 0x02000504 {$2}\n"
             "sync.allwr null\n");
        for (unsigned step = 0; step < 100 * (i + 1); step++)
            emit("(W) send.slm (1|M0) r20 r12 null:0 0x0 0x02100500 {$1}\n"
                 "(W) shl (1|M0) r12.0<1>:ud r20.0<0;1,0>:ud 2:w {$1.dst}\n"
                 "sync.nop null {I@1}\n");
        cycles[i] = stream_warm_cycles(&machine);
    }
    double latency = seconds(cycles[1] - cycles[0]) / 100 * 1e9;
    machine_destroy(&machine);
    return latency;
}

/* Cycles of a load that hits the L1, of so many lanes that all want the same element. Xe2's
 * registers. */
static double l1_latency(const char *device, unsigned lanes)
{
    uint64_t cycles[2];

    begin(device);
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (16|M0) r12.0<1>:d 0:w\nsync.nop null {I@1}\n");
        for (unsigned step = 0; step < 100 * (i + 1); step++)
            emit("(W) send.ugm (%u|M0) r12 r12 null:0 0x0 0x62100500 {$1}\n", lanes);
        cycles[i] = stream_warm_cycles(&machine);
    }
    double latency = (double)(cycles[1] - cycles[0]) / 100;
    machine_destroy(&machine);
    return latency;
}

double published_local_turns(const struct published_run *run)
{
    return local_turns(run->device);
}

double published_local_chase(const struct published_run *run)
{
    return local_chase(run->device);
}

double published_l1_lanes(const struct published_run *run)
{
    return l1_latency(run->device, 16) - l1_latency(run->device, 1);
}

double published_read_of_one(const struct published_run *run)
{
    return one_core_bandwidth(run->device, run->components);
}

double published_l2_ratio(const struct published_run *run)
{
    return l2_latency(run->device) / l2_latency("a380");
}

double published_slm(const struct published_run *run)
{
    return one_core_rate(run->device, "0x048050FE", 65536);
}

double published_l3_port(const struct published_run *run)
{
    return one_core_rate(run->device, "0x04805000", 0);
}

double published_atomics(const struct published_run *run)
{
    return atomic_rate(run->device);
}
