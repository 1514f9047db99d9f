#include "plain-instructions.h"

#include <stdio.h>
#include <string.h>

/* Edge cases come up often: zeros, ones, infinities, NaNs, denormals. */
static uint32_t random_register(void)
{
    static const uint32_t edges[] = {0,          1,          UINT32_MAX, 0x80000000, 0x7fffffff,
                                     0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x3f800000};
    uint32_t choice = machine_random() % 16;

    return choice < sizeof(edges) / sizeof(edges[0]) ? edges[choice] : machine_random();
}

/* A run of those, from a random place among some that are drawn once: drawing 8 KiB for each
 * instruction would be most of what a test takes. */
static void random_registers(void *to, size_t bytes)
{
    enum { DRAWN = 1 << 16 };
    static uint32_t drawn[DRAWN];
    static size_t count;

    while (count < DRAWN)
        drawn[count++] = random_register();
    memcpy(to, &drawn[machine_random() % (DRAWN - bytes / sizeof(drawn[0]))], bytes);
}

void plain_randomise(struct thread *thread, bool keep_denormals)
{
    random_registers(thread->registers, ARF_NULL);
    random_registers(thread->registers + ARF_ACC, ARF_CE - ARF_ACC);
    random_registers(thread->accumulator, sizeof(thread->accumulator));
    /* as kernels set it, or flushing denormals */
    thread_write32(thread, ARF_CR, keep_denormals ? 0x4c0 : 0);
    thread->dispatched = UINT32_MAX;
    thread->active = machine_random() % 4 ? machine_random() : UINT32_MAX;
}

static const char *const instructions[] = {
    "mov (16|M0) r20.0<1>:d r30.0<8;8,1>:d",
    "mov (8|M8) r20.0<1>:f r30.0<0;1,0>:f",
    "(W) mov (1|M0) r20.3<1>:d r30.5<0;1,0>:d",
    "mov (16|M0) r20.0<1>:d 77:w",
    "mov (16|M0) r20.0<1>:d -77:w",
    "(f0.0) mov (16|M16) r20.0<1>:d r30.0<8;8,1>:d",
    "add (16|M0) r20.0<1>:d r20.0<8;8,1>:d r21.0<8;8,1>:d",
    "add (8|M0) r20.0<1>:d -r30.0<8;8,1>:d r40.1<0;1,0>:d",
    "add (4|M0) r20.0<1>:ud r30.0<4;4,1>:ud 0x1234:uw",
    "(W) add (1|M0) (gt)f0.0 r20.0<1>:d r20.0<0;1,0>:d -1:w",
    "add (16|M0) (lt)f0.0 r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "add (16|M16) (ge)f1.0 r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "add (16|M0) (eq)f0.0 r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "(f0.0) add (16|M0) (ne)f0.0 r20.0<1>:d r30.0<8;8,1>:d 1:w",
    "add (8|M0) (le)f0.0 r20.0<1>:d r30.0<8;8,1>:d r40.0<0;1,0>:d",
    "mul (16|M0) r20.0<1>:d r30.0<8;8,1>:d 12345:w",
    "mad (8|M0) r20.0<1>:d r30.0<8;1>:d r31.0<8;1>:d -5:w",
    "shl (16|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "shr (16|M0) r20.0<1>:ud r30.0<8;8,1>:ud 3:w",
    "asr (16|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "asr (8|M0) r20.0<1>:d -r30.0<8;8,1>:d 5:w",
    "and (16|M0) r20.0<1>:d r30.0<8;8,1>:d ~r40.0<8;8,1>:d",
    "or (16|M0) r20.0<1>:d r30.0<8;8,1>:d 0xff:uw",
    "xor (16|M0) r20.0<1>:ud r30.0<8;8,1>:ud r40.2<0;1,0>:ud",
    "(~f1.0) not (16|M0) r20.0<1>:d r30.0<8;8,1>:d",
    "add (16|M0) r20.0<1>:f r30.0<8;8,1>:f -r40.0<8;8,1>:f",
    "mul (16|M0) r20.0<1>:f (abs)r30.0<8;8,1>:f r40.0<0;1,0>:f",
    "mul (8|M0) r20.0<1>:f r30.0<8;8,1>:f 0.5:f",
    "mad (16|M0) r20.0<1>:f r30.0<8;1>:f -r32.0<8;1>:f r34.0<1>:f",
    "mad (8|M0) r20.0<1>:f r30.0<8;1>:f r32.0<0;0>:f r34.0<1>:f",
    "add (16|M0) r20.0<1>:hf r30.0<16;16,1>:hf -r40.0<16;16,1>:hf",
    "add (4|M0) r20.0<1>:hf r30.0<4;4,1>:hf r40.0<4;4,1>:hf",
    "(W) add (1|M0) r20.3<1>:hf r30.5<0;1,0>:hf (abs)r40.0<0;1,0>:hf",
    "mul (32|M0) r20.0<1>:hf r30.0<16;16,1>:hf r40.1<0;1,0>:hf",
    "(f0.0) mul (8|M8) r20.0<1>:hf (abs)r30.0<8;8,1>:hf r40.0<8;8,1>:hf",
    "mad (16|M0) r20.0<1>:hf r30.0<8;1>:hf -r32.0<8;1>:hf r34.0<1>:hf",
    "mad (8|M0) r20.0<1>:hf r30.0<8;1>:hf r32.0<0;0>:hf r34.0<1>:hf",
    "mad (32|M0) r20.0<1>:hf r20.0<8;1>:hf r32.0<8;1>:hf r34.0<1>:hf",
    "(f0.0) sel (16|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "(~f0.0) sel (16|M0) r20.0<1>:ud r30.0<8;8,1>:ud 9:uw",
    "cmp (16|M0) (lt)f0.0 null<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "cmp (16|M0) (ge)f1.0 null<1>:ud r30.0<8;8,1>:ud r40.0<0;1,0>:ud",
    "cmp (8|M8) (ne)f0.0 null<1>:d r30.0<8;8,1>:d -1:w",
    "cmp (16|M0) (gt)f0.0 null<1>:ud r30.0<8;8,1>:ud 0x7:uw",
    "cmp (16|M0) (le)f0.0 null<1>:f r30.0<8;8,1>:f r40.0<8;8,1>:f",
    "cmp (16|M0) (eq)f0.0 null<1>:f -r30.0<8;8,1>:f (abs)r40.0<8;8,1>:f",
    "cmp (16|M0) (ne)f0.0 null<1>:f r30.0<8;8,1>:f r40.0<8;8,1>:f",
    "cmp (16|M0) (gt)f0.0 null<1>:f r30.0<8;8,1>:f 0.5:f",
    "cmp (16|M0) (gt)f0.0 r20.0<1>:d r30.0<8;8,1>:d 3:w",
    "cmp (8|M0) (eq)f1.0 r20.0<1>:ud r30.0<8;8,1>:ud r40.0<0;1,0>:ud",
    "(f0.0) cmp (8|M8) (lt)f0.0 r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "and (16|M0) (eq)f0.0 null<1>:d r30.0<8;8,1>:d 1:w",
    "and (8|M0) (ne)f0.0 r20.0<1>:d r30.0<8;8,1>:d ~r40.0<8;8,1>:d",
    "(f0.0) or (8|M8) (eq)f0.0 null<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:ud",
    "xor (16|M16) (ne)f0.0 r20.0<1>:ud r30.0<8;8,1>:ud r40.0<0;1,0>:ud",
    "(W) and (1|M0) (eq)f0.0 null<1>:d r30.0<0;1,0>:d 4:w",
    /* results of bytes and words, and dwords apart */
    "mov (16|M0) r20.0<1>:w r30.0<16;16,1>:b",
    "mov (16|M0) r20.0<2>:ub r30.0<2;1,0>:ub",
    "mov (2|M0) r20.0<1>:ub r30.0<0;1,0>:ub",
    "mov (32|M0) r20.0<1>:uw r30.0<1;1,0>:uw",
    "mov (8|M8) r20.0<4>:b r30.0<8;8,1>:d",
    "mov (8|M0) r20.1<2>:d r30.0<2;1,0>:d",
    "(f0.0) mov (16|M0) r20.0<2>:w r30.0<16;16,1>:d",
    "add (16|M0) r20.0<1>:w r30.0<16;16,1>:w r40.0<16;16,1>:w",
    "add (16|M0) r20.0<2>:b r30.0<2;1,0>:b r40.0<16;16,1>:w",
    "add (16|M0) r20.0<1>:uw -r30.0<16;16,1>:uw 0x7:uw",
    "mul (16|M0) r20.0<1>:w r30.0<16;16,1>:w r40.2<0;1,0>:b",
    "and (16|M0) r20.0<1>:w r30.0<16;16,1>:w ~r40.0<16;16,1>:w",
    "or (8|M0) r20.0<2>:ud r30.0<2;1,0>:ud r40.0<4;1,0>:uw",
    "xor (16|M0) r20.0<2>:b r30.0<16;16,1>:b r40.0<16;16,1>:w",
    "(~f0.0) not (16|M0) r20.0<1>:uw r30.0<16;16,1>:uw",
    "shl (16|M0) r20.0<1>:w r30.0<16;16,1>:w 3:w",
    "shr (16|M0) r20.0<1>:uw r30.0<16;16,1>:w r40.0<16;16,1>:uw",
    "asr (4|M0) r20.0<1>:w r30.0<4;4,1>:w r40.0<4;4,1>:d",
    "(W) add (1|M0) r20.3<1>:b r30.5<0;1,0>:b r40.2<0;1,0>:b",
    /* words */
    "mov (16|M0) r20.0<1>:d r30.0<16;16,1>:uw",
    "mov (16|M16) r20.0<1>:d r30.0<16;16,1>:w",
    "(W) mov (1|M0) r20.0<1>:d r30.3<0;1,0>:w",
    "add (16|M0) r20.0<1>:d r30.0<0;1,0>:d r32.0<16;16,1>:uw",
    "add (8|M0) r20.0<1>:d r30.0<8;8,1>:d -r32.0<8;8,1>:w",
    "add (4|M0) r20.0<1>:d r30.0<4;4,1>:d r32.0<4;4,1>:w",
    "mul (16|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<16;8,2>:uw",
    "mul (8|M0) r20.0<1>:d r30.0<8;8,1>:d r40.1<16;8,2>:w",
    "cmp (16|M0) (eq)f0.0 null<1>:w r30.0<16;16,1>:w 0:w",
    "cmp (8|M0) (lt)f0.0 null<1>:d r30.0<8;8,1>:d r32.0<8;8,1>:uw",
    "cmp (32|M0) (eq)f0.0 null<1>:uw r2.0<0;1,0>:uw r2.0<0;1,0>:uw",
    "cmp (32|M0) (gt)f1.0 null<1>:w r30.0<16;16,1>:w r34.0<16;16,1>:w",
    /* the accumulator */
    "mad (16|M0) acc0.0<1>:hf acc0.0<8;1>:hf r32.0<8;1>:hf r34.0<1>:hf",
    "mad (16|M0) r20.0<1>:hf acc0.0<8;1>:hf r32.0<8;1>:hf r34.0<1>:hf",
    "add (16|M0) acc0.0<1>:hf r30.0<16;16,1>:hf r40.0<16;16,1>:hf",
    "add (16|M0) acc0.0<1>:w r30.0<16;16,1>:w r40.0<16;16,1>:w",
    "xor (16|M0) r20.0<1>:w acc0.0<16;16,1>:w r40.0<16;16,1>:w",
    "mov (16|M0) r20.0<1>:hf 0x3c00:hf",
    "(f0.0) mov (8|M8) r20.0<1>:hf 0x8001:hf",
    "mul (8|M0) acc0.0<1>:d r30.0<8;8,1>:d r40.0<16;8,2>:uw",
    "(W) mul (1|M0) acc0.0<1>:d r30.0<0;1,0>:d r40.2<0;1,0>:uw",
    "(W) mul (16|M0) acc0.0<1>:ud r30.0<8;8,1>:ud r40.0<0;1,0>:uw",
    "mach (8|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "(W) mach (1|M0) r20.0<1>:d r30.0<0;1,0>:d r40.1<0;1,0>:d",
    "mach (16|M0) r20.0<1>:ud r30.0<8;8,1>:ud r40.0<0;1,0>:ud {AccWrEn}",
    "mach (8|M0) r20.0<1>:ud r30.0<8;8,1>:d r40.0<8;8,1>:ud {AccWrEn}",
    "mach (16|M0) r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "mach (8|M0) r20.0<1>:ud r30.0<8;8,1>:ud 1234567:ud",
    "addc (8|M0) r20.0<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:ud {AccWrEn}",
    "subb (8|M0) r20.0<1>:ud r30.0<8;8,1>:ud r40.0<0;1,0>:ud {AccWrEn}",
    "mov (8|M0) acc0.0<1>:ud r30.0<8;8,1>:ud",
    "mov (16|M0) acc0.0<1>:d r30.0<16;16,1>:w",
    "add (8|M0) acc0.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "add (16|M0) acc0.0<1>:ud r30.0<8;8,1>:ud -1:w",
    "(f0.0) or (8|M0) acc1.0<1>:d r30.0<8;8,1>:d r40.0<0;1,0>:d",
    "and (8|M8) acc0.0<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:d",
    "xor (16|M0) acc0.0<1>:ud r30.0<8;8,1>:d r40.0<8;8,1>:ud",
    "not (8|M0) acc0.0<1>:ud r30.0<8;8,1>:ud",
    "shl (8|M0) acc0.0<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:ud",
    "shr (16|M0) acc0.0<1>:d r30.0<8;8,1>:ud 25:w",
    "(W) asr (1|M0) acc0.0<1>:d r30.0<0;1,0>:d r40.0<0;1,0>:d",
    "rol (8|M0) r20.0<1>:ud r30.0<8;8,1>:ud 7:w",
    "ror (16|M0) r20.0<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:ud",
    "mul (16|M0) acc0.0<1>:f r30.0<8;8,1>:f r40.0<8;8,1>:f",
    "mad (8|M0) acc0.0<1>:f r30.0<8;1>:f r32.0<8;1>:f acc0.0<1>:f",
    /* other kinds of results */
    "math.inv (16|M0) r20.0<1>:f r30.0<8;8,1>:f",
    "math.sqt (8|M0) r20.0<1>:f -r30.0<8;8,1>:f",
    "math.rsqt (16|M0) r20.0<1>:f (abs)r30.0<8;8,1>:f",
    "(W) math.rsqt (1|M0) r20.0<1>:f r30.0<0;1,0>:f",
    "mov (16|M0) r20.0<1>:f r30.0<8;8,1>:d",
    "mov (16|M0) r20.0<1>:f r30.0<16;16,1>:w",
    "mov (16|M0) r20.0<1>:d r30.0<8;8,1>:f",
    "mov (8|M0) r20.0<1>:d -r30.0<8;8,1>:f",
    "sel (16|M0) (lt)f0.0 r20.0<1>:d r30.0<8;8,1>:d r40.0<8;8,1>:d",
    "sel (16|M0) (ge)f0.0 r20.0<1>:d r30.0<8;8,1>:d 5:w",
    "sel (16|M0) (lt)f0.0 r20.0<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:ud",
    "sel (8|M0) (ge)f0.0 r20.0<1>:ud r30.0<8;8,1>:ud r40.0<8;8,1>:ud",
    "sel (16|M0) (lt)f0.0 r20.0<1>:f r30.0<8;8,1>:f -r40.0<8;8,1>:f",
    "sel (16|M0) (ge)f0.0 r20.0<1>:f r30.0<8;8,1>:f r40.0<8;8,1>:f",
    "(f0.0) sel (16|M0) r20.0<1>:f r30.0<8;8,1>:f r40.0<8;8,1>:f",
};

static const char *const hpg_instructions[] = {
    "add3 (16|M0) r20.0<1>:d r30.0<1;0>:d r32.0<1;0>:d r34.0<0>:d",
    "bfn.0x96 (16|M0) r20.0<1>:ud r30.0<1;0>:ud r32.0<1;0>:ud r34.0<1>:ud",
    "bfn.0xD8 (8|M0) r20.0<1>:ud r30.0<1;0>:ud r32.0<0;0>:ud r34.0<1>:ud",
    "bfn.0x96 (8|M0) acc0.0<1>:ud r30.0<1;0>:ud r32.0<1;0>:ud r34.0<1>:ud",
    "bfn.0xFE (8|M0) acc0.0<1>:d r30.0<1;0>:d r32.0<1;0>:d r34.0<1>:d",
};

enum {
    COUNT = sizeof(instructions) / sizeof(instructions[0]),
    HPG_COUNT = sizeof(hpg_instructions) / sizeof(hpg_instructions[0])
};

unsigned plain_count(const struct vesim_device *device)
{
    return device->architecture == VESIM_GEN12LP ? COUNT : COUNT + HPG_COUNT;
}

const char *plain_text(const struct vesim_device *device, unsigned number)
{
    static char text[128];
    const char *keeps = " {AccWrEn}"; /* on Xe2 what carries always does, and so does mach */

    snprintf(text, sizeof(text), "%s",
             number < COUNT ? instructions[number] : hpg_instructions[number - COUNT]);
    char *end = strstr(text, keeps);
    if (end && device->architecture >= VESIM_XE2)
        *end = '\0';
    return text;
}

void plain_flip(uint8_t *code)
{
    uint32_t bytes = code[3] & 0x20 ? 8 : 16; /* bit 29: compacted */

    for (unsigned flips = 1 + machine_random() % 3; flips > 0; flips--) {
        uint32_t bit = machine_random() % (bytes * 8);

        code[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}
