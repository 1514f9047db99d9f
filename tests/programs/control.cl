/* Divergent lanes: nested branches, loops, switches, returns, calls, private arrays. */
#include "sub-group.h"

KERNEL void nested(global const int *in, global int *out)
{
    int x = in[get_global_id(0)], r = 0;
    if (x & 1) {
        if (x & 2) {
            r = x & 4 ? x * 3 : x * 5;
            if (x % 3 == 0)
                r += 1000;
        } else {
            r = -x;
        }
    } else if (x & 8) {
        r = x & 16 ? x << 3 : x >> 1;
    } else {
        r = 7;
    }
    out[get_global_id(0)] = r;
}

KERNEL void loops(global const int *in, global int *out)
{
    int x = in[get_global_id(0)], r = 0;
    for (int i = 0; i < x; i++) {
        if (i % 3 == 1)
            continue;
        for (int j = i; j < 20; j++) {
            if ((i + j) % 7 == 6)
                break;
            if (j == x)
                continue;
            r += j * (i + 1);
        }
        if (r > 5000)
            break;
    }
    do {
        r -= 3;
    } while (r > 100 && r % 17);
    out[get_global_id(0)] = r;
}

KERNEL void choose(global const int *in, global int *out)
{
    int x = in[get_global_id(0)], r = 1;
    switch (x % 11) {
    case 0:
        r = 10;
        break;
    case 1:
        r = 20; /* falls through */
    case 2:
        r += 30;
        break;
    case 3:
    case 4:
        for (int i = 0; i < x % 5; i++)
            r *= 3;
        break;
    case 7:
        out[get_global_id(0)] = -1;
        return;
    case 9:
        r = x;
        break;
    default:
        r = x / 2;
    }
    out[get_global_id(0)] = r;
}

KERNEL void early_return(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    if (x < 0)
        return;
    int steps = 0;
    while (x > 1) { /* Collatz */
        x = x & 1 ? 3 * x + 1 : x / 2;
        if (++steps > 100)
            return;
    }
    out[get_global_id(0)] = steps;
}

/* Sub-groups that have lost some lanes still reach barriers. */
KERNEL void barriers_in_loop(global int *out, local int *shared, int rounds)
{
    int id = get_local_id(0), n = get_local_size(0);
    shared[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < rounds; i++) {
        int next = shared[(id + 1) % n];
        if (id % 5 == i % 5)
            next += 100;
        barrier(CLK_LOCAL_MEM_FENCE);
        shared[id] = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = shared[id];
}

__attribute__((noinline)) int twice_and(int x, int y)
{
    if (x > 10)
        return y * 2;
    return x * y + 1;
}

__attribute__((noinline)) float mixed(float a, int b, long c)
{
    float sum = a;
    for (int i = 0; i < b; i++)
        sum += (float)twice_and(i, b) * 0.5f;
    return sum + (float)(c >> 3);
}

__attribute__((noinline)) void by_pointer(int *values, int count)
{
    for (int i = 1; i < count; i++)
        values[i] += values[i - 1];
}

KERNEL void calls(global const int *in, global int *out)
{
    int x = in[get_global_id(0)] & 15, r = 0;
    if (x & 1)
        r = twice_and(x, 5);
    else
        r = (int)mixed((float)x, x, (long)x << 20);
    int values[6];
    for (int i = 0; i < 6; i++)
        values[i] = x + i;
    by_pointer(values, x % 6 + 1);
    for (int i = 0; i < 6; i++)
        r += values[i] << i;
    out[get_global_id(0)] = r;
}

/* Small: indirect registers. */
KERNEL void private_small(global const uchar *in, global int *out)
{
    int table[8];
    for (int i = 0; i < 8; i++)
        table[i] = in[(get_global_id(0) + i) & 63] * (i + 1);
    int at = in[get_global_id(0) & 63] & 7, r = 0;
    for (int i = 0; i < 12; i++) {
        at = table[at] & 7;
        table[(at + i) & 7] += at;
        r = r * 3 + table[at];
    }
    out[get_global_id(0)] = r;
}

KERNEL void private_bytes(global const uchar *in, global uchar *out)
{
    uchar a[16];
    ushort b[12];
    for (int i = 0; i < 16; i++)
        a[i] = in[(get_global_id(0) * 3 + i) & 63];
    for (int i = 0; i < 12; i++)
        b[i] = a[a[i] & 15] * 257;
    uint r = 0;
    for (int i = 0; i < 12; i++)
        r = r * 5 + b[a[i] % 12] + (a[b[i] & 15] ^ i);
    out[get_global_id(0)] = r >> 3;
}

/* Large: in memory. Insertion sort of 100 numbers. */
KERNEL void private_large(global const uint *in, global uint *out)
{
    uint data[100], base = get_global_id(0) * 100;
    for (int i = 0; i < 100; i++) {
        uint value = in[base + i];
        int j = i;
        for (; j > 0 && data[j - 1] > value; j--)
            data[j] = data[j - 1];
        data[j] = value;
    }
    for (int i = 0; i < 100; i++)
        out[base + i] = data[i];
}

__attribute__((noinline)) int step_down(int x)
{
    return x > 0 ? x - 1 : 0;
}

__attribute__((noinline)) int step(int operation, int x, int y)
{
    if (operation & 1)
        return step_down(x) + y;
    for (int i = 0; i < (operation & 3); i++)
        x = step_down(x) * 2 + i;
    return x ^ y;
}

/* Each work-item runs its own program: loops in loops, a switch, calls that call, and ways out. */
KERNEL void interpreter(global const int *in, global int *out)
{
    int id = get_global_id(0), a = in[id] & 31, b = 1, rounds = 0;
    for (int start = 0; start < 3; start++) {
        int at = (in[id] >> start * 3) & 7;
        while (at < 12) {
            if (++rounds > 40) {
                out[id] = -a;
                return;
            }
            switch ((at * 5 + a) % 7) {
            case 0:
                a = step(at, a, b) & 1023;
                break;
            case 1:
                do {
                    b = b * 3 & 255;
                    if (b == (in[id] & 255))
                        break;
                } while (b & 8);
                break;
            case 2:
                at += 2;
                continue;
            case 3:
                a += b; /* falls through */
            case 4:
                b = step(a & 7, b, a) & 511;
                break;
            case 5:
                if (a & 1) {
                    at = at > 6 ? 1 : at + 3;
                    a >>= 1;
                    continue;
                }
                break;
            default:
                a = a + 1 & 1023;
            }
            if (a == b)
                goto next;
            at++;
        }
    next:
        a ^= start;
    }
    out[id] = a + (b << 16) + rounds;
}

KERNEL void queens(global int *out)
{
    /* solutions of the 6-queens problem by first column; an explicit stack */
    int first = get_global_id(0) % 6, rows[6], depth = 1, solutions = 0;
    rows[0] = first;
    rows[1] = -1;
    while (depth > 0) {
        if (++rows[depth] == 6) {
            depth--;
            continue;
        }
        bool free = true;
        for (int i = 0; i < depth && free; i++)
            free = rows[i] != rows[depth] && (int)abs(rows[i] - rows[depth]) != depth - i;
        if (!free)
            continue;
        if (depth == 5)
            solutions++;
        else
            rows[++depth] = -1;
    }
    out[get_global_id(0)] = solutions;
}
