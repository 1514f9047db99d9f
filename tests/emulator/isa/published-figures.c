/* What the model gives where somebody has measured the device: runs a kernel for each published
 * figure and prints the table of docs/emulator.md.
 *     published-figures             prints it
 *     published-figures --check F   and fails unless F holds each of its lines
 * The figures are not fitted: a deviation says what the model does not know. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "test.h"

#define BIG_BUFFER 0x40000000 /* binding table entry 1, where a measurement wants it */

static struct machine machine;
static char text[131072];
static size_t length;

__attribute__((format(printf, 1, 2))) static void emit(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof(text) - length, format, arguments);
    va_end(arguments);
    assert_true(length < sizeof(text));
}

static void begin(const char *device)
{
    machine_create(&machine, device);
    machine.walker.simd_width = 16;
    machine.walker.execution_mask = 0xffff;
    length = 0;
    text[0] = '\0';
}

static uint32_t xe_cores(void)
{
    return (uint32_t)(machine.device.slices * machine.device.xe_cores_per_slice);
}

static double seconds(uint64_t cycles)
{
    return (double)cycles / ((double)machine.device.core_clock * 1000);
}

/* Runs the emitted kernel twice and returns the second run's cycles. */
static uint64_t warm_cycles(void)
{
    machine_run_ok(&machine, text);
    if (machine_run(&machine))
        fail_msg("%s", machine.fault.text);
    return machine.cycles;
}

static void add_big_buffer(uint32_t bytes)
{
    uint32_t size = bytes - 1, entry = 0x40;
    uint32_t state[16] = {[0] = 4u << 29,
                          [2] = (size & 0x7f) | (size >> 7 & 0x3fff) << 16,
                          [3] = (size >> 21 & 0x7ff) << 21,
                          [8] = BIG_BUFFER};
    struct mapping mapping = {.address = BIG_BUFFER,
                              .size = bytes,
                              .host = calloc(1, bytes),
                              .physical = BIG_BUFFER,
                              .local = true};
    assert_non_null(mapping.host);
    assert_int_equal(address_space_add(&machine.space, &mapping), 0);
    memcpy(machine.surfaces + entry, state, sizeof(state));
    memcpy(machine.surfaces + 0x1004, &entry, sizeof(entry));
}

/* r12: the lanes' addresses, `item_bytes` apart, from (the thread's number in the walk) << shift.
 */
static void emit_addresses(uint32_t threads_per_group, unsigned item_bytes, unsigned shift)
{
    emit("(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
         "(W) add (8|M0) r10.8<1>:w r10.0<8;8,1>:w 8:w {I@1}\n"
         "(W) mul (16|M0) r12.0<1>:d r10.0<8;8,1>:w %u:w {I@1}\n"
         "(W) and (1|M0) r4.0<1>:ud r0.2<0;1,0>:ud 0xff:uw\n"
         "(W) mul (1|M0) r4.1<1>:d r0.1<0;1,0>:d %u:w\n"
         "(W) add (1|M0) r4.2<1>:d r4.1<0;1,0>:d r4.0<0;1,0>:d {I@1}\n"
         "(W) shl (1|M0) r4.3<1>:ud r4.2<0;1,0>:ud %u:w {I@1}\n"
         "(W) add (16|M0) r12.0<1>:d r12.0<8;8,1>:d r4.3<0;1,0>:d {I@1}\n"
         "sync.nop null {I@1}\n",
         item_bytes, threads_per_group, shift);
}

/* GB/s of reading 64 MB once with all threads: float4 for each work-item, 8 loads in flight. */
static double memory_bandwidth(const char *device)
{
    const uint32_t bytes = 64 << 20, group = 32;
    begin(device);
    add_big_buffer(bytes);
    emit_addresses(group, 16, 11);
    for (unsigned i = 0; i < 8; i++)
        emit("(W) add (16|M0) r%u.0<1>:d r12.0<8;8,1>:d %u:w\n", 100 + 2 * i, i * 256);
    emit("sync.nop null {I@1}\n");
    for (unsigned i = 0; i < 8; i++)
        emit("(W) send.dc1 (16|M0) r%u r%u null:0 0x0 0x04805001 {$%u}\n", 20 + 8 * i, 100 + 2 * i,
             i);
    emit("sync.allwr null\n");
    machine.walker.threads_per_group = group;
    machine.walker.group_end[0] = bytes / 2048 / group;
    double bandwidth = bytes / seconds(warm_cycles()) / 1e9;
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
    add_big_buffer(bytes);
    machine.walker.threads_per_group = threads;
    for (unsigned i = 0; i < 2; i++) {
        length = 0;
        emit_addresses(threads, 4 * components, 16);
        for (unsigned load = 0; load < 100 * (i + 1); load++)
            emit("(W) send.dc1 (16|M0) r20 r12 null:0 0x0 %s {$1}\n"
                 "(W) add (16|M0) r12.0<1>:d r12.0<8;8,1>:d %u:w {$1.dst}\n"
                 "sync.nop null {I@1}\n",
                 components == 4 ? "0x04805001" : "0x04205E01", components * 64);
        machine.walker.kernel_address = MACHINE_CODE;
        machine_run_ok(&machine, text); /* from memory, and only once */
        cycles[i] = machine.cycles;
        machine.clock = machine.cycles = 0;
        gpu_destroy(machine.gpu); /* with its caches */
        machine.gpu = gpu_create(&machine.device);
        assert_non_null(machine.gpu);
    }
    double bandwidth = 100.0 * threads * 64 * components / seconds(cycles[1] - cycles[0]) / 1e9;
    machine_destroy(&machine);
    return bandwidth;
}

static double one_float(const char *device)
{
    return one_core_bandwidth(device, 1);
}

static double one_float4(const char *device)
{
    return one_core_bandwidth(device, 4);
}

/* TFLOP/s of multiply-adds, each thread with two chains as clpeak has them, every place taken. */
static double float_rate(const char *device, const char *type)
{
    uint64_t cycles[2];
    begin(device);
    machine.walker.threads_per_group =
        (uint32_t)(machine.device.ves_per_xe_core * machine.device.threads_per_ve);
    machine.walker.group_end[0] = xe_cores();
    for (unsigned i = 0; i < 2; i++) {
        length = 0;
        for (unsigned mad = 0; mad < 64 * (i + 1); mad++)
            emit("(W) mad (16|M0) r20.0<1>:%s r22.0<8;1>:%s r20.0<8;1>:%s r22.0<1>:%s {F@1}\n"
                 "(W) mad (16|M0) r22.0<1>:%s r20.0<8;1>:%s r22.0<8;1>:%s r20.0<1>:%s {F@1}\n",
                 type, type, type, type, type, type, type, type);
        cycles[i] = warm_cycles();
    }
    double operations = 2.0 * 16 * 2 * 64 * machine.walker.threads_per_group * xe_cores();
    double rate = operations / seconds(cycles[1] - cycles[0]) / 1e12;
    machine_destroy(&machine);
    return rate;
}

static double float32_rate(const char *device)
{
    return float_rate(device, "f");
}

static double float16_rate(const char *device)
{
    return float_rate(device, "hf");
}

/* ns of a load that misses the first level and hits the L2: a chase after its invalidation. */
static double l2_latency(const char *device)
{
    uint64_t cycles[2];
    begin(device);
    for (unsigned line = 0; line < 400; line++)
        machine.data[line * 16] = (line + 1) * 64;
    for (unsigned i = 0; i < 2; i++) {
        length = 0;
        emit("(W) mov (8|M0) r12.0<1>:d 0:w\nsync.nop null {I@1}\n");
        for (unsigned load = 0; load < 100 * (i + 1); load++)
            emit("(W) send.dc1 (8|M0) r12 r12 null:0 0x0 0x02106E00 {$1}\n");
        machine_run_ok(&machine, text);
        gpu_cache_control(machine.gpu, GPU_INVALIDATE_DATA, machine.clock);
        assert_int_equal(machine_run(&machine), 0);
        cycles[i] = machine.cycles;
    }
    double latency = seconds(cycles[1] - cycles[0]) / 100 * 1e9;
    machine_destroy(&machine);
    return latency;
}

static double l2_latency_ratio(const char *device)
{
    return l2_latency(device) / l2_latency("a380");
}

/* Bytes a cycle of one Xe-core's shared local memory, all lanes reading 4 dwords in a row. */
static double slm_bandwidth(const char *device)
{
    uint64_t cycles[2];
    begin(device);
    machine.walker.slm_bytes = 65536;
    machine.walker.threads_per_group = 64;
    for (unsigned i = 0; i < 2; i++) {
        length = 0;
        emit_addresses(0, 16, 8);
        for (unsigned load = 0; load < 64 * (i + 1); load++)
            emit("(W) send.dc1 (16|M0) r%u r12 null:0 0x0 0x048050FE {$%u}\n", 20 + load % 8 * 8,
                 load % 8);
        emit("sync.allwr null\n");
        cycles[i] = warm_cycles();
    }
    double rate = 64.0 * 64 * 256 / (double)(cycles[1] - cycles[0]);
    machine_destroy(&machine);
    return rate;
}

/* Gop/s of 32-bit atomic adds of all threads, a line for each message, or all to one line. */
static double atomic_rate(const char *device, bool one_line)
{
    uint64_t cycles[2];
    begin(device);
    machine.walker.threads_per_group =
        (uint32_t)(machine.device.ves_per_xe_core * machine.device.threads_per_ve);
    machine.walker.group_end[0] = xe_cores();
    for (unsigned i = 0; i < 2; i++) {
        length = 0;
        emit_addresses(machine.walker.threads_per_group, 4, one_line ? 0 : 6);
        if (one_line)
            emit("(W) mul (16|M0) r12.0<1>:d r10.0<8;8,1>:w 4:w\nsync.nop null {I@1}\n");
        for (unsigned add = 0; add < 16 * (i + 1); add++)
            emit("(W) send.dc1 (16|M0) null r12 r20:2 0x0 0x04008700 {$1}\n");
        cycles[i] = warm_cycles();
    }
    double operations = 16.0 * 16 * machine.walker.threads_per_group * xe_cores();
    double rate = operations / seconds(cycles[1] - cycles[0]) / 1e9;
    machine_destroy(&machine);
    return rate;
}

static double atomics_apart(const char *device)
{
    return atomic_rate(device, false);
}

static double atomics_together(const char *device)
{
    return atomic_rate(device, true);
}

static const struct figure {
    const char *what, *source;
    double published;
    const char *unit;
    const char *device;
    double (*measure)(const char *device);
    const char *explanation;
} figures[] = {
    {"Arc A770, memory bandwidth", "clpeak issue 99", 410, "GB/s", "a770", memory_bandwidth,
     "the model's channels reach the described peak of 560 GB/s; refresh, row changes and bus "
     "turnaround are not in it"},
    {"Arc A770, bandwidth of one work-group of 256", "Chips and Cheese 2022-10", 8, "GB/s", "a770",
     one_float,
     "with one float a work-item in flight; bytes in flight over `memory_latency`, which is "
     "assumed. How many loads the published kernel keeps in flight is not known"},
    {"the same", "Chips and Cheese 2022-10", 8, "GB/s", "a770", one_float4,
     "with one float4 a work-item in flight: the published figure lies between the two"},
    {"Arc A770, fp32 multiply-add", "clpeak issue 99", 13.0, "TFLOP/s", "a770", float32_rate,
     "the peak: 4096 lanes at a constant 2.4 GHz. Clocks under load (2.1 GHz by the data sheet), "
     "register bank conflicts and the pairing of engines are not modelled"},
    {"Arc A770, fp16 multiply-add", "clpeak issue 99", 19.5, "TFLOP/s", "a770", float16_rate,
     "close by accident: the model runs half precision at the rate of single, and single at its "
     "peak; the hardware runs half faster than single (x 1.5 here) and both below their peak"},
    {"Arc A750 over A380, L2 latency", "Chips and Cheese 2022-10", 1.4, "ratio", "a770",
     l2_latency_ratio,
     "A770 for A750. One number of cycles for both, the compiler's; that a larger chip's L2 is "
     "farther away is not in it"},
    {"Meteor Lake, SLM bandwidth of an Xe-core", "Chips and Cheese 2024-04", 128, "B/clk", "a770",
     slm_bandwidth,
     "not independent: `slm_banks` of Xe-HPG is assumed from this figure. It shows that a kernel "
     "reaches it"},
    {"Arc A750, global int32 atomic add", "Chips and Cheese 2025-02", 86.74, "Gop/s", "a770",
     atomics_apart,
     "A770 for A750, each message to a line of its own; `atomic_interval` is assumed, and the "
     "published kernel's addresses are not known"},
    {"the same", "Chips and Cheese 2025-02", 86.74, "Gop/s", "a770", atomics_together,
     "all threads to the same line: one bank does all the work"},
};

static bool holds(const char *document, const char *line)
{
    if (!document || strstr(document, line))
        return true;
    fprintf(stderr, "the document lacks this line:\n%s", line);
    return false;
}

static char *read_document(const char *path)
{
    FILE *file = fopen(path, "r");
    char *document = calloc(1, 1 << 20);
    if (!file || !document || fread(document, 1, (1 << 20) - 1, file) == 0) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(1);
    }
    fclose(file);
    return document;
}

int main(int argc, char **argv)
{
    char *document = argc == 3 && strcmp(argv[1], "--check") == 0 ? read_document(argv[2]) : NULL;
    bool complete = true;
    printf("| figure | published | model | deviation | why |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof(figures) / sizeof(*figures); i++) {
        const struct figure *f = &figures[i];
        char line[1024];
        double value = f->measure(f->device);
        snprintf(line, sizeof(line), "| %s | %.4g %s (%s) | %.4g | %+.0f %% | %s |\n", f->what,
                 f->published, f->unit, f->source, value, (value / f->published - 1) * 100,
                 f->explanation);
        fputs(line, stdout);
        complete &= holds(document, line);
    }
    free(document);
    return complete ? 0 : 1;
}
