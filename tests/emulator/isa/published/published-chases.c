/* Chases: loads of which each says where the next one goes. Registers of 64 bytes. */
#include "published-kernels.h"

#include <stdlib.h>

#include "kernel-text.h"
#include "stream-kernels.h"
#include "test.h"

enum { CHASE_STEPS = 4096, CHASE_PART = 512 /* unrolled */, NODE_STEPS = 1 << 20 };

/* MT19937 (Matsumoto and Nishimura 1998), as the source's std::mt19937. */
enum { TWISTER_WORDS = 624, TWISTER_SHIFT = 397 };

struct twister {
    uint32_t state[TWISTER_WORDS];
    unsigned next;
};

static void twister_seed(struct twister *twister, uint32_t seed)
{
    twister->state[0] = seed;
    for (unsigned i = 1; i < TWISTER_WORDS; i++) {
        uint32_t last = twister->state[i - 1];

        twister->state[i] = 1812433253u * (last ^ last >> 30) + i;
    }
    twister->next = 0;
}

static uint32_t twister_draw(struct twister *twister)
{
    const unsigned i = twister->next, after = (i + 1) % TWISTER_WORDS;
    uint32_t mixed = (twister->state[i] & 0x80000000) | (twister->state[after] & 0x7FFFFFFF);
    uint32_t far = twister->state[(i + TWISTER_SHIFT) % TWISTER_WORDS];
    uint32_t value = far ^ mixed >> 1 ^ (mixed & 1 ? 0x9908B0DF : 0);

    twister->state[i] = value;
    twister->next = after;
    value ^= value >> 11;
    value ^= value << 7 & 0x9D2C5680;
    value ^= value << 15 & 0xEFC60000;
    return value ^ value >> 18;
}

/* Shuffles by Fisher and Yates, or by Sattolo (1986), where no value stays at its place. */
static void shuffle(uint32_t *values, uint32_t count, uint32_t seed, bool may_stay)
{
    struct twister twister;

    twister_seed(&twister, seed);
    for (uint32_t i = count - 1; i > 0; i--) {
        uint32_t other = twister_draw(&twister) % (i + may_stay), value = values[i];

        values[i] = values[other];
        values[other] = value;
    }
}

/* The source's chase through so many elements: each holds the next one's index, in an order that a
 * generator of seed 42 shuffles. */
static void write_chase(uint32_t *elements, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        elements[i] = (i + 1) % count;
    shuffle(elements, count, 42, true);
}

/* Of elements 1 << `shift` bytes apart. */
static void emit_chase(uint32_t steps, unsigned shift)
{
    emit_start();
    emit("(W) mov (1|M0) r12.0<1>:ud 0:uw\n(W) mov (1|M0) r14.0<1>:d %u:d\nCHASE:\n",
         steps / CHASE_PART);
    for (unsigned step = 0; step < CHASE_PART; step++)
        emit("(W) send.ugm (1|M0) r20 r12 null:0 0x1000000 0x62108500 {I@1,$1}\n"
             "(W) shl (1|M0) r16.0<1>:ud r20.0<0;1,0>:ud %u:w {$1.dst}\n"
             "(W) add (1|M0) r12.0<1>:ud r16.0<0;1,0>:ud 0:w {I@1}\n",
             shift);
    emit("(W) add (1|M0) r14.0<1>:d r14.0<0;1,0>:d -1:w\n"
         "(W) cmp (1|M0) (gt)f0.0 null<1>:d r14.0<0;1,0>:d 0:w {I@1}\n"
         "(W&f0.0) jmpi CHASE\n");
}

/* Cycles of a step by one lane: the load, a shift of the index, the addition of an address. As the
 * source counts them: 4096 steps through whatever is in the L2 from the launch before, while each
 * launch drops the first level; timed by the host, so its submission is in them. */
double published_chase(const struct published_run *run)
{
    const uint32_t bytes = run->components * 1024;

    published_begin(run->device);
    write_chase(stream_add_buffer(&published_machine, bytes), bytes / 4);
    emit_chase(CHASE_STEPS, 2);
    machine_run_ok(&published_machine, emitted());
    gpu_cache_control(published_machine.gpu, GPU_INVALIDATE_DATA, published_machine.clock);
    assert_int_equal(machine_run(&published_machine), 0);
    double submission = (double)published_machine.device.submission_latency *
                        (double)published_machine.device.core_clock / 1e6;
    double step = ((double)published_machine.cycles + submission) / CHASE_STEPS;
    machine_destroy(&published_machine);
    return step;
}

/* One cycle through all nodes of a line each, in a random order. */
static void write_nodes(uint32_t *memory, uint32_t nodes)
{
    uint32_t *next = malloc(nodes * sizeof(*next));

    assert_non_null(next);
    for (uint32_t i = 0; i < nodes; i++)
        next[i] = i;
    shuffle(next, nodes, 1, false);
    for (uint32_t i = 0; i < nodes; i++)
        memory[16 * i] = next[i];
    free(next);
}

/* ns of a step by one lane through lines in a random order, of `components` KB, all of them or
 * NODE_STEPS; whatever the launch before has left in the caches. */
double published_node_chase(const struct published_run *run)
{
    const uint32_t nodes = run->components * 16;
    uint32_t steps = nodes < NODE_STEPS ? nodes : NODE_STEPS;

    published_begin(run->device);
    write_nodes(stream_add_buffer(&published_machine, run->components * 1024), nodes);
    emit_chase(steps, 6);
    double step = published_seconds(stream_warm_cycles(&published_machine)) / steps * 1e9;
    machine_destroy(&published_machine);
    return step;
}
