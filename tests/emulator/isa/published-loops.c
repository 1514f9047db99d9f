/* Loops, chases and launches, as others have timed them by their slopes. Xe2's registers.
 */
#include "published-kernels.h"

#include <string.h>

#include "kernel-text.h"
#include "stream-kernels.h"
#include "test.h"

enum { CHASE_STEPS = 512, LINE = 64, STRIDE = 40503 /* lines; odd */ };

/* A chase through `kilobytes`, a power of two: one element in each line, all lines in turn.
 * Elements are bytes from the buffer's start, by four. */
static void write_chase(uint32_t *elements, uint32_t kilobytes)
{
    uint32_t lines = kilobytes * 1024 / LINE, at = 0;

    for (uint32_t i = 1; i <= lines; i++) {
        uint32_t next = i * STRIDE % lines;

        elements[at * LINE / 4] = next * LINE / 4;
        at = next;
    }
}

/* Cycles of a step by one lane: the load, a shift of the index, the addition of an address. All
 * lines have been loaded before, by the same lane. */
double published_chase(const struct published_run *run)
{
    uint32_t kilobytes = run->components, lines = kilobytes * 1024 / LINE;
    uint32_t once = lines > CHASE_STEPS ? lines / CHASE_STEPS : 1; /* rounds */
    uint64_t cycles[2];

    published_begin(run->device);
    write_chase(stream_add_buffer(&published_machine, kilobytes * 1024), kilobytes);
    for (unsigned i = 0; i < 2; i++) {
        unsigned rounds = (i + 1) * once;

        emit_start();
        emit("(W) mov (1|M0) r12.0<1>:ud 0:uw\n(W) mov (1|M0) r14.0<1>:d %u:d\nCHASE:\n", rounds);
        for (unsigned step = 0; step < CHASE_STEPS; step++)
            emit("(W) send.ugm (1|M0) r20 r12 null:0 0x1000000 0x62108500 {I@1,$1}\n"
                 "(W) shl (1|M0) r16.0<1>:ud r20.0<0;1,0>:ud 2:w {$1.dst}\n"
                 "(W) add (1|M0) r12.0<1>:ud r16.0<0;1,0>:ud 0:w {I@1}\n");
        emit("(W) add (1|M0) r14.0<1>:d r14.0<0;1,0>:d -1:w\n"
             "(W) cmp (1|M0) (gt)f0.0 null<1>:d r14.0<0;1,0>:d 0:w {I@1}\n"
             "(W&f0.0) jmpi CHASE\n");
        cycles[i] = stream_warm_cycles(&published_machine);
    }
    double step = (double)(cycles[1] - cycles[0]) / CHASE_STEPS / once;
    machine_destroy(&published_machine);
    return step;
}

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

/* Cycles of a walk of so many work-groups of one thread that does next to nothing. */
static uint64_t walk_of(uint32_t groups)
{
    published_machine.walker.group_end[0] = groups;
    emit_start();
    emit("(W) mov (16|M0) r20.0<1>:f 0:f\n");
    return stream_warm_cycles(&published_machine);
}

double published_empty(const struct published_run *run)
{
    published_begin(run->device);
    double taken = published_seconds(walk_of(1)) * 1e9;
    machine_destroy(&published_machine);
    return taken;
}

double published_groups(const struct published_run *run)
{
    published_begin(run->device);
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
