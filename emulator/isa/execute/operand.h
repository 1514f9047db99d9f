/* Moves sources from the register file into arrays of lanes, and results back. An instruction works
 * on one of four lane types; operands are converted on the way. */
#ifndef VESIM_OPERAND_H
#define VESIM_OPERAND_H

#include <string.h>

#include "isa/thread/thread.h"

/* The NaN that single-precision arithmetic gives: quiet, positive, no payload. */
#define FLOAT_NAN UINT32_C(0x7fc00000)

/* Each fetches all lanes of the instruction (also those that will not write) of source `index`,
 * with its modifiers applied. 0, or -1 with a fault: an indirect access outside the registers. */
int fetch_u32(struct thread *thread, const struct inst *inst, unsigned index, uint32_t *lanes);
int fetch_i64(struct thread *thread, const struct inst *inst, unsigned index, int64_t *lanes);
int fetch_f32(struct thread *thread, const struct inst *inst, unsigned index, float *lanes);
int fetch_f64(struct thread *thread, const struct inst *inst, unsigned index, double *lanes);

/* The source's bits as they lie, modifiers ignored: for moves that do not convert. */
int fetch_raw(struct thread *thread, const struct inst *inst, unsigned index, uint64_t *lanes);

/* As fetch_u32 and fetch_i64, but with a logic instruction's meaning of negation: complement. */
int fetch_logic_u32(struct thread *thread, const struct inst *inst, unsigned index,
                    uint32_t *lanes);
int fetch_logic_i64(struct thread *thread, const struct inst *inst, unsigned index, int64_t *lanes);

/* The value that the instruction's destination holds of a result. Integers are truncated or, if the
 * instruction saturates, clamped, and then have the type's sign; those of unsigned quadwords remain
 * bits. Floats are rounded as the host does at the time, and clamped to [0, 1] if it saturates. */
int64_t destination_i64(const struct inst *inst, int64_t result);
double destination_f64(const struct inst *inst, double result);

/* Each stores the lanes in `mask` to the destination, as above; store_u32 and store_raw never
 * clamp.
 */
int store_u32(struct thread *thread, const struct inst *inst, const uint32_t *lanes, uint32_t mask);
int store_i64(struct thread *thread, const struct inst *inst, const int64_t *lanes, uint32_t mask);
int store_f32(struct thread *thread, const struct inst *inst, const float *lanes, uint32_t mask);
int store_f64(struct thread *thread, const struct inst *inst, const double *lanes, uint32_t mask);
int store_raw(struct thread *thread, const struct inst *inst, const uint64_t *lanes, uint32_t mask);

/* IEEE half, by bits. Without a branch: many are converted side by side. */
static inline float half_to_float(uint16_t half)
{
    uint32_t magnitude = half & 0x7fff, fraction = half & 0x3ff, is_denormal = magnitude < 0x400,
             is_beyond = magnitude >= 0x7c00; /* infinite, or NaN */
    float small = (float)(int32_t)fraction * 0x1p-24f, value;
    uint32_t bits, small_bits, normal_bits = (magnitude << 13) + ((112 + 112 * is_beyond) << 23);

    memcpy(&small_bits, &small, sizeof(small_bits));
    bits = is_denormal ? small_bits : normal_bits;
    bits |= (uint32_t)(half & 0x8000) << 16;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Round as the host does at the time. */
uint16_t float_to_half(float value);
uint16_t double_to_half(double value);

/* bfloat16, by bits; always to nearest even. */
static inline float bfloat_to_float(uint16_t bfloat)
{
    uint32_t bits = (uint32_t)bfloat << 16;
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

uint16_t float_to_bfloat(float value);

/* The restricted 8-bit floats of a VF immediate: sign, 3 bits exponent (bias 3), 4 fraction. */
float vf_to_float(uint8_t bits);

/* Flushes denormals of the type to zeros of their sign, where the thread's mode says so. */
void flush_f32(const struct thread *thread, enum type type, float *value, unsigned lanes);
void flush_f64(const struct thread *thread, enum type type, double *value, unsigned lanes);

/* Sets the host to the thread's rounding mode; returns the mode to restore, -1 if unchanged. */
int enter_rounding(const struct thread *thread);
void leave_rounding(int before);

#endif
