/* Loops and launches, as others have timed them by their slopes. Xe2's registers. */
#include "published-kernels.h"

#include <string.h>

#include "kernel-text.h"
#include "stream-kernels.h"
#include "test.h"

enum { OPERATIONS = 100, TURNS = 64 }; /* aboutSHW's bodies, and their turns */

static void emit_product(void)
{
    emit("dpas.8x8 (16|M0) r60:f r60:f r30:bf r40.0:bf {$2}\n");
}

/* Cycles of a loop around one matrix product that needs the last one's result. */
double published_product_loop(const struct published_run *run)
{
    uint64_t cycles[2];

    published_begin(run->device);
    for (unsigned i = 0; i < 2; i++) {
        emit_start();
        emit("(W) mov (1|M0) r20.0<1>:d 0:w\nLOOP:\nsync.nop null {$2.dst}\n");
        emit_product();
        emit("(W) add (1|M0) r20.0<1>:d r20.0<0;1,0>:d 1:w {I@1}\n"
             "(W) cmp (1|M0) (lt)f0.0 null<1>:d r20.0<0;1,0>:d %u:w {I@1}\n"
             "(W&f0.0) jmpi LOOP\n",
             256 * (i + 1));
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double turn = (double)(cycles[1] - cycles[0]) / 256;
    machine_destroy(&published_machine);
    return turn;
}

static void emit_nothing(void)
{
    emit_start();
    emit("(W) mov (16|M0) r20.0<1>:f 0:f\n");
}

/* The source's least work: three tiles are loaded, multiplied and added, and one is stored; the
 * same ones by all. */
static void emit_tiles(void)
{
    static const unsigned offsets[] = {0, 0x1000, 0x1100, 0x2000, 0x2100};

    emit_start();
    for (unsigned i = 0; i < 5; i++)
        emit("(W) mov (1|M0) r%u.0<1>:ud 0x%x:uw\n", 12 + i, offsets[i]);
    for (unsigned i = 0; i < 5; i++)
        emit("(W) send.ugm (1|M0) r%u r%u null:0 0x1000000 0x6240F500 {I@1,$%u}\n", 20 + 4 * i,
             12 + i, i);
    emit("sync.allwr null\n"
         "dpas.8x8 (16|M0) r32:f r32:f r24:bf r20.0:bf {$5}\n"
         "sync.nop null {$5.dst}\n"
         "(W) send.ugm (1|M0) null r15 r32:4 0x1000000 0x6200F504 {$6}\n"
         "(W) send.ugm (1|M0) null r16 r36:4 0x1000000 0x6200F504 {$7}\n");
}

/* Cycles of a walk of so many work-groups of one thread that does what has been emitted. */
static uint64_t walk_of(uint32_t groups)
{
    published_machine.walker.group_end[0] = groups;
    return stream_warm_cycles(&published_machine);
}

double published_empty(const struct published_run *run)
{
    published_begin(run->device);
    emit_nothing();
    double taken = published_seconds(walk_of(1)) * 1e9;
    machine_destroy(&published_machine);
    return taken;
}

double published_groups(const struct published_run *run)
{
    published_begin(run->device);
    stream_add_buffer(&published_machine, 0x4000);
    emit_tiles();
    double few = published_seconds(walk_of(2048)), many = published_seconds(walk_of(8192));
    machine_destroy(&published_machine);
    return (many - few) / (8192 - 2048) * 1e9;
}

static const char *integer_operation; /* of the body below */
static const char *integer_type;

static unsigned integer_lanes(void)
{
    return strcmp(integer_type, "w") == 0 ? 32 : 16;
}

/* 16 operations that do not depend on one another, each of a register or more. */
static void integer_operations(const struct published_run *run)
{
    (void)run;
    for (unsigned i = 0; i < 16; i++)
        emit("(W) %s (%u|M0) r%u.0<1>:%s r%u.0<1;1,0>:%s r90.0<1;1,0>:%s\n", integer_operation,
             integer_lanes(), 20 + 2 * i, integer_type, 20 + 2 * i, integer_type, integer_type);
}

static double rate_of(const char *operation, const char *type, const struct published_run *run)
{
    integer_operation = operation;
    integer_type = type;
    return published_rate(integer_operations, integer_lanes(), run);
}

double published_integer_ratio(const struct published_run *run)
{
    const char *operation = run->components == 2 ? "mul" : "add";

    return rate_of(operation, run->type, run) / rate_of("add", "f", run);
}

/* us, as the description has it. */
double published_submission(const struct published_run *run)
{
    published_begin(run->device);
    double taken = (double)published_machine.device.submission_latency / 1e3;
    machine_destroy(&published_machine);
    return taken;
}

/* An operation of aboutSHW's loops: its own register, and r13 and r14, which all of them read. */
static void emit_operation(const char *type, unsigned number)
{
    const unsigned to = 16 + number;

    if (strcmp(type, "hf") == 0 || strcmp(type, "f") == 0)
        emit("(W) mad (%u|M0) r%u.0<1>:%s r%u.0<8;1>:%s r13.0<8;1>:%s r14.0<1>:%s\n",
             strcmp(type, "hf") == 0 ? 16 : 8, to, type, to, type, type, type);
    else if (strcmp(type, "mov") == 0)
        emit("(W) mov (8|M0) r%u.0<1>:f 0xBF800000:f\n", to);
    else
        emit("(W) %s (8|M0) r%u.0<1>:f r%u.0<8;8,1>:f 0xBF800000:f\n", type, to, to);
}

/* The loop with what its author has in it beside the operations. */
static uint64_t cycles_of_turns(const char *type, unsigned turns)
{
    emit_start();
    emit("(W) mov (1|M0) r15.0<1>:d %u:w\n"
         "TURN:\n"
         "(W) mul (1|M0) r11.0<1>:ud r0.1<0;1,0>:ud r10.0<0;1,0>:uw\n"
         "(W) add (1|M0) r11.0<1>:ud r11.0<0;1,0>:ud r10.2<0;1,0>:ud {I@1}\n",
         turns);
    for (unsigned i = 0; i < OPERATIONS; i++)
        emit_operation(type, i);
    emit("(W) add (1|M0) (gt)f0.0 r15.0<1>:d r15.0<0;1,0>:d -1:w\n"
         "(W&f0.0) jmpi TURN\n");
    return stream_warm_cycles(&published_machine);
}

double published_chosen(const struct published_run *run)
{
    const unsigned lanes = strcmp(run->type, "hf") == 0 ? 16 : 8;
    const unsigned each = strcmp(run->type, "hf") == 0 || strcmp(run->type, "f") == 0 ? 2 : 1;

    published_begin(run->device);
    published_fill_xe_core();
    uint64_t few = cycles_of_turns(run->type, TURNS), many = cycles_of_turns(run->type, 2 * TURNS);
    double operations = (double)each * lanes * OPERATIONS * TURNS *
                        published_machine.walker.threads_per_group * published_xe_cores();
    double seconds = published_seconds(many - few);

    machine_destroy(&published_machine);
    return operations / seconds / 1e9;
}
