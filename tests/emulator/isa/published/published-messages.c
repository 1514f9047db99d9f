/* What a message costs: latencies, and rates of one Xe-core. */
#include "published-kernels.h"

#include <string.h>

#include "kernel-text.h"
#include "stream-kernels.h"
#include "test.h"

/* ns of a load that misses the first level and hits the L2: a chase after its invalidation. */
static double l2_latency(const char *device)
{
    uint64_t cycles[2];

    published_begin(device);
    const bool has_blocks = published_machine.device.architecture >= VESIM_XE_HPC;

    for (unsigned line = 0; line < 400; line++)
        published_machine.data[line * 16] = (line + 1) * 64;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (8|M0) r12.0<1>:d 0:w\nsync.nop null {I@1}\n");
        for (unsigned load = 0; load < 100 * (i + 1); load++)
            emit(has_blocks ? "(W) send.ugm (1|M0) r12 r12 null:0 0x0 0x62100500 {$1}\n"
                            : "(W) send.dc1 (8|M0) r12 r12 null:0 0x0 0x02106E00 {$1}\n");
        machine_run_ok(&published_machine, emitted());
        gpu_cache_control(published_machine.gpu, GPU_INVALIDATE_DATA, published_machine.clock);
        assert_int_equal(machine_run(&published_machine), 0);
        cycles[i] = published_machine.cycles;
    }
    double latency = published_seconds(cycles[1] - cycles[0]) / 100 * 1e9;
    machine_destroy(&published_machine);
    return latency;
}

/* Bytes a cycle of one Xe-core, all lanes reading 4 dwords in a row. */
static double one_core_rate(const char *device, const char *load_message, uint32_t slm_bytes)
{
    uint64_t cycles[2];

    published_begin(device);
    published_machine.walker.slm_bytes = slm_bytes;
    published_machine.walker.threads_per_group = 64;
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        stream_emit_addresses(&published_machine, 0, 16, 8);
        for (unsigned load = 0; load < 64 * (i + 1); load++)
            emit("(W) send.dc1 (16|M0) r%u r12 null%s 0x0 %s {$%u}\n", 20 + load % 8 * 8,
                 published_machine.device.architecture == VESIM_XE_HPG ? ":0" : "", load_message,
                 load % 8);
        emit("sync.allwr null\n");
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double rate = 64.0 * 64 * 256 / (double)(cycles[1] - cycles[0]);
    machine_destroy(&published_machine);
    return rate;
}

/* Gop/s of 32-bit atomic adds of all threads, each work-item to an element of its own. */
static double atomic_rate(const char *device)
{
    uint64_t cycles[2];

    published_begin(device);
    published_fill_xe_core();
    published_machine.walker.group_end[0] = published_xe_cores();
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        stream_emit_addresses(&published_machine, published_machine.walker.threads_per_group, 4, 6);
        for (unsigned add = 0; add < 16 * (i + 1); add++)
            emit("(W) send.%s {$1}\n", published_machine.device.architecture >= VESIM_XE_HPC
                                           ? "ugm (16|M0) null r12 r20:1 0x0 0x6200050C"
                                           : "dc1 (16|M0) null r12 r20:2 0x0 0x04008700");
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double operations =
        16.0 * 16 * published_machine.walker.threads_per_group * published_xe_cores();
    double rate = operations / published_seconds(cycles[1] - cycles[0]) / 1e9;
    machine_destroy(&published_machine);
    return rate;
}

/* ns until a value that one work-item puts into local memory is replaced by another one's: two of
 * them, lanes of a thread, wait for their turns, the odd or the even numbers, by comparing and
 * exchanging. */
static double local_turns(const char *device)
{
    uint64_t cycles[2];

    published_begin(device);
    published_machine.walker.slm_bytes = 1024;
    published_machine.walker.execution_mask = 3;
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
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double handover = published_seconds(cycles[1] - cycles[0]) / 1000 * 1e9;
    machine_destroy(&published_machine);
    return handover;
}

/* ns of a step of a chase through local memory by an array's indices. Xe2's registers. */
static double local_chase(const char *device)
{
    uint64_t cycles[2];

    published_begin(device);
    published_machine.walker.slm_bytes = 1024;
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
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double latency = published_seconds(cycles[1] - cycles[0]) / 100 * 1e9;
    machine_destroy(&published_machine);
    return latency;
}

/* Cycles of a load that hits the L1, of so many lanes that all want the same element. Xe2's
 * registers. */
static double l1_latency(const char *device, unsigned lanes)
{
    uint64_t cycles[2];

    published_begin(device);
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (16|M0) r12.0<1>:d 0:w\nsync.nop null {I@1}\n");
        for (unsigned step = 0; step < 100 * (i + 1); step++)
            emit("(W) send.ugm (%u|M0) r12 r12 null:0 0x0 0x62100500 {$1}\n", lanes);
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double latency = (double)(cycles[1] - cycles[0]) / 100;
    machine_destroy(&published_machine);
    return latency;
}

/* Bytes a cycle of one Xe-core, each message 16 dwords in a row for one lane: from shared local
 * memory or from the first level. */
static double row_rate(const char *device, bool slm)
{
    uint64_t cycles[2];

    published_begin(device);
    published_machine.walker.slm_bytes = slm ? 1024 : 0;
    published_machine.walker.threads_per_group = 16;
    published_machine.walker.group_end[0] = 2 * published_xe_cores();
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) and (1|M0) r4.0<1>:ud r0.2<0;1,0>:ud 0xf:uw\n"
             "(W) shl (1|M0) r12.0<1>:ud r4.0<0;1,0>:ud 6:uw {I@1}\n"
             "sync.nop null {I@1}\n");
        for (unsigned load = 0; load < 128 * (i + 1); load++)
            emit("(W) send.%s (1|M0) r%u r12 null:0 0x0 %s {$%u}\n", slm ? "slm" : "ugm",
                 20 + 2 * (load % 16), slm ? "0x0220D500" : "0x6220D500", load % 16);
        emit("sync.allwr null\n");
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double rate = 128.0 * 64 * 32 / (double)(cycles[1] - cycles[0]);
    machine_destroy(&published_machine);
    return rate;
}

double published_row_rate(const struct published_run *run)
{
    return row_rate(run->device, strcmp(run->type, "slm") == 0);
}

/* Cycles from a matrix product to one that needs its result. Xe2's registers. */
double published_product_latency(const struct published_run *run)
{
    uint64_t cycles[2];

    published_begin(run->device);
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        for (unsigned product = 0; product < 64 * (i + 1); product++)
            emit("dpas.8x8 (16|M0) r60:f r60:f r30:bf r40.0:bf {$2}\nsync.nop null {$2.dst}\n");
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double latency = (double)(cycles[1] - cycles[0]) / 64;
    machine_destroy(&published_machine);
    return latency;
}

double published_l1_latency(const struct published_run *run)
{
    return l1_latency(run->device, 1);
}

double published_l2_latency(const struct published_run *run)
{
    double ns = l2_latency(run->device);

    return ns * (double)published_machine.device.core_clock / 1e6;
}

double published_local_chase_cycles(const struct published_run *run)
{
    double ns = local_chase(run->device);

    return ns * (double)published_machine.device.core_clock / 1e6;
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
