/* vkpeak's loops: 16 times c = a * c + b of each lane, of scalars or vectors of four. The code, and
 * the registers that decide about banks, are those that Mesa 22.3 makes for an A770 of vkpeak's
 * shaders (nihui/vkpeak of 2023-08); for a UHD 770 it and Mesa 24.0 make the same but for the
 * registers. */
#include "published-kernels.h"

#include <string.h>

#include "kernel-text.h"
#include "stream-kernels.h"

enum { ROUNDS = 16, TURNS = 16, COUNTER = 1 /* registers r1 and r2 */ };

/* The steps that a body has in a turn of the loop, and one of them. */
struct loop {
    unsigned steps;
    void (*step)(const struct published_run *run, unsigned number);
};

static void emit_turn(const struct loop *loop, const struct published_run *run)
{
    for (unsigned i = 0; i < loop->steps; i++) {
        loop->step(run, i);
        if (i + 1 == run->components)
            emit("add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d 1:w\n", COUNTER, COUNTER);
    }
}

static uint64_t cycles_of(const struct loop *loop, const struct published_run *run, unsigned turns)
{
    emit_start();
    emit("(W) mov (16|M0) r%u.0<1>:d 0:w\n"
         "TURN:\n"
         "cmp (16|M0) (ge)f0.0 null<1>:d r%u.0<8;8,1>:d %u:w {%s}\n"
         "(f0.0) break (16|M0) LAST LAST\n",
         COUNTER, COUNTER, turns, published_wait("I", 1));
    emit_turn(loop, run);
    emit("LAST:\n"
         "while (16|M0) TURN\n");
    return stream_warm_cycles(&published_machine);
}

/* 1e9 operations a second of a loop that has so many steps for each component. */
static double rate_of(void (*step)(const struct published_run *, unsigned), unsigned steps,
                      const struct published_run *run)
{
    struct loop loop = {steps * run->components, step};

    published_begin(run->device);
    published_fill_xe_core();
    uint64_t few = cycles_of(&loop, run, TURNS), many = cycles_of(&loop, run, 2 * TURNS);
    double operations = 2.0 * 16 * ROUNDS * run->components * TURNS *
                        published_machine.walker.threads_per_group * published_xe_cores();
    double seconds = published_seconds(many - few);

    machine_destroy(&published_machine);
    return operations / seconds / 1e9;
}

static const char *float_wait(const struct published_run *run)
{
    return published_wait("F", run->components);
}

static const char *integer_wait(unsigned distance)
{
    return published_wait("I", distance);
}

/* Of vectors of floats: the register that step `i` writes, before the first the one that it reads.
 */
static unsigned float4_register(int i)
{
    static const unsigned first[] = {30, 32, 34, 36};
    const int steps = 4 * ROUNDS;

    if (i < 0 || i >= steps - 4)
        return first[i < 0 ? i + 4 : i + 4 - steps];
    if (i < 41)
        return 46 + 2 * (unsigned)i;
    return i < 49 ? 14 + 2 * (unsigned)(i - 41) : 46 + 2 * (unsigned)(i - 49);
}

static unsigned half4_register(int i)
{
    static const unsigned first[] = {30, 33, 32, 31};
    const int steps = 4 * ROUNDS;

    if (i < 0 || i >= steps - 4)
        return first[i < 0 ? i + 4 : i + 4 - steps];
    return 42 + (unsigned)i;
}

static unsigned float_register(int i)
{
    return i < 0 || i == ROUNDS - 1 ? 61 : 27 + 2 * (unsigned)i;
}

static unsigned half_register(int i)
{
    if (i < 0 || i == ROUNDS - 1)
        return 4;
    return i == 0 ? 6 : 27 + (unsigned)i;
}

static void emit_mad(const struct published_run *run, unsigned to, unsigned a, unsigned c,
                     unsigned b)
{
    const char *t = run->type;

    emit("mad (16|M0) r%u.0<1>:%s r%u.0<8;1>:%s r%u.0<8;1>:%s r%u.0<1>:%s {%s}\n", to, t, a, t, c,
         t, b, t, float_wait(run));
}

static void mad(const struct published_run *run, unsigned number)
{
    const bool halves = strcmp(run->type, "hf") == 0;
    const int i = (int)number;

    if (run->components == 1 && halves)
        emit_mad(run, half_register(i), 25, half_register(i - 1), 64);
    else if (run->components == 1)
        emit_mad(run, float_register(i), 25, float_register(i - 1), 23);
    else if (halves)
        emit_mad(run, half4_register(i), 38 + number % 4, half4_register(i - 4), 3 + number % 4);
    else
        emit_mad(run, float4_register(i), 38 + 2 * (number % 4), float4_register(i - 4),
                 3 + 2 * (number % 4));
}

double published_mesa_floats(const struct published_run *run)
{
    return rate_of(mad, ROUNDS, run);
}

/* Products, then sums. The words of a and b lie two apart, those of c side by side. */
static void word_step(const struct published_run *run, unsigned number)
{
    const unsigned n = run->components, c = number % n;
    const bool sum = number / n % 2;
    const unsigned to = 34 + number % (2 * ROUNDS * n) % 64, from = 34 + (number + 64 - n) % 64;
    const unsigned constant = (sum ? 30 : 26) + c / 2 * 2;

    if (sum)
        emit("add (16|M0) r%u.0<1>:w r%u.0<16;16,1>:w r%u.%u<16;8,2>:w {%s}\n", to, from, constant,
             c % 2, integer_wait(n));
    else
        emit("mul (16|M0) r%u.0<1>:w r%u.%u<16;8,2>:w r%u.0<16;16,1>:w {%s}\n", to, constant, c % 2,
             from, integer_wait(n));
}

double published_mesa_words(const struct published_run *run)
{
    return rate_of(word_step, 2 * ROUNDS, run);
}

/* The product by either half, their sum by words two apart, and the addition: four steps of each.
 */
static void dword_step(const struct published_run *run, unsigned number)
{
    const unsigned n = run->components, c = number % n, which = number / n % 4;
    const unsigned a = 30 + 2 * c, b = 38 + 2 * c, x = 46 + 2 * c, t = 54 + 2 * c, u = 62 + 2 * c;

    if (which < 2)
        emit("mul (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.%u<16;8,2>:uw {%s}\n", which ? u : t, a, x,
             which, integer_wait(n + which * n));
    else if (which == 2)
        emit("add (16|M0) r%u.1<2>:uw r%u.1<16;8,2>:uw r%u.0<16;8,2>:uw {%s}\n", t, t, u,
             integer_wait(n));
    else
        emit("add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r%u.0<8;8,1>:d {%s}\n", x, t, b,
             integer_wait(n));
}

double published_mesa_dwords(const struct published_run *run)
{
    return rate_of(dword_step, 4 * ROUNDS, run);
}
