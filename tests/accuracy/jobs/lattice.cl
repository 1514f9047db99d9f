/* One step of the lattice-Boltzmann method, D3Q19, in place, on a periodic box: 153 bytes of memory
 * a cell with populations of 32 bits, 77 with 16.
 *
 * Populations are kept as differences from their weights, as a structure of arrays: 19 slots a
 * cell, and flags, a byte a cell. Of each pair of opposite directions a cell finds one in a slot of
 * its own, one in a slot of its neighbour, and leaves them exchanged; the next step exchanges the
 * slots. So a cell alone touches its 19 places during a step ("esoteric pull": Lehmann, Computation
 * 2022, 10(6), 92).
 *
 * STORAGE: 0 floats; 1 halves of 32768 times the value; 2 words of a sign, 4 bits of exponent and
 * 11 of fraction, up to 2, converted by integer operations (Lehmann et al., Phys. Rev. E 106,
 * 015308).
 *
 * The host computes the same bits (host-lattice.c): sums and products stand in the same order. */
#pragma OPENCL FP_CONTRACT OFF

#define WIDTH  128
#define HEIGHT 128
#define CELLS  (WIDTH * HEIGHT * DEPTH)
#define OMEGA  1.25f /* the inverse of the relaxation time, in steps */
#define PAIRS  9

constant char directions[PAIRS][3] = {{1, 0, 0}, {0, 1, 0},  {0, 0, 1},  {1, 1, 0}, {1, 0, 1},
                                      {0, 1, 1}, {1, -1, 0}, {1, 0, -1}, {0, 1, -1}};

#if STORAGE == 0
typedef float population;

float read(global const population *slots, uint at)
{
    return slots[at];
}

void write(float value, global population *slots, uint at)
{
    slots[at] = value;
}
#elif STORAGE == 1
typedef half population;

float read(global const population *slots, uint at)
{
    return vload_half(at, slots) * 0x1p-15f;
}

void write(float value, global population *slots, uint at)
{
    vstore_half_rte(value * 0x1p15f, at, slots);
}
#else
typedef ushort population;

/* An exponent of 0 says that there is no implicit bit: the fraction counts 2^-25. */
float read(global const population *slots, uint at)
{
    uint bits = slots[at], exponent = bits >> 11 & 15, fraction = bits & 0x7ff;
    uint normal = (exponent + 112) << 23 | fraction << 12;
    uint leading = 31 - clz(fraction);
    uint subnormal = (leading + 102) << 23 | (fraction << (23 - leading) & 0x7fffff);
    uint magnitude = exponent ? normal : fraction ? subnormal : 0;

    return as_float((bits & 0x8000) << 16 | magnitude);
}

/* To the nearest, ties away from zero, up to the largest that there is. What rounding carries out
 * of the fraction raises the exponent, as does the leading bit of a normal number. */
void write(float value, global population *slots, uint at)
{
    uint bits = as_uint(value), exponent = bits >> 23 & 0xff,
         significand = (bits & 0x7fffff) | 0x800000;
    bool is_normal = exponent > 112;
    uint shift = is_normal ? 12 : min(125 - exponent, 31u);
    uint fraction = (significand + (1u << (shift - 1))) >> shift;
    uint magnitude = fraction + (is_normal ? (exponent - 113) << 11 : 0);

    slots[at] = (bits >> 16 & 0x8000) | min(magnitude, 0x7fffu);
}
#endif

uint wrapped(uint at, int by, uint size)
{
    return by > 0 ? (at + 1 == size ? 0 : at + 1) : by < 0 ? (at == 0 ? size - 1 : at - 1) : at;
}

uint neighbour(uint cell, constant const char *direction)
{
    uint x = cell % WIDTH, y = cell / WIDTH % HEIGHT, z = cell / (WIDTH * HEIGHT);

    return (wrapped(z, direction[2], DEPTH) * HEIGHT + wrapped(y, direction[1], HEIGHT)) * WIDTH +
           wrapped(x, direction[0], WIDTH);
}

float along(constant const char *direction, float x, float y, float z)
{
    return direction[0] * x + direction[1] * y + direction[2] * z;
}

kernel void lattice(global population *populations, global const uchar *flags, uint step)
{
    uint cell = get_global_id(0), exchanged = step & 1;
    uint near[PAIRS], far[PAIRS];
    float forward[PAIRS], back[PAIRS], rest, density, x = 0, y = 0, z = 0;

    if (flags[cell])
        return;
    rest = read(populations, cell);
    density = rest;
#pragma unroll
    for (uint i = 0; i < PAIRS; i++) {
        near[i] = (2 * i + 1 + exchanged) * CELLS + cell;
        far[i] = (2 * i + 2 - exchanged) * CELLS + neighbour(cell, directions[i]);
        forward[i] = read(populations, near[i]);
        back[i] = read(populations, far[i]);
        density += forward[i] + back[i];
        x += directions[i][0] * (forward[i] - back[i]);
        y += directions[i][1] * (forward[i] - back[i]);
        z += directions[i][2] * (forward[i] - back[i]);
    }
    float above = density, scale; /* above the density 1, of which the weights are */

    density += 1;
    scale = 3 / density;
    x *= scale;
    y *= scale;
    z *= scale;
    float still = fma(density * (-1.0f / 6), fma(x, x, fma(y, y, z * z)), above);

    write(fma(1 - OMEGA, rest, OMEGA / 3 * still), populations, cell);
#pragma unroll
    for (uint i = 0; i < PAIRS; i++) {
        float weight = OMEGA * (i < 3 ? 1.0f / 18 : 1.0f / 36);
        float speed = along(directions[i], x, y, z), half_square = 0.5f * speed * speed;
        float even = weight * fma(density, half_square, still), odd = weight * (density * speed);

        write(fma(1 - OMEGA, forward[i], even + odd), populations, far[i]);
        write(fma(1 - OMEGA, back[i], even - odd), populations, near[i]);
    }
}
