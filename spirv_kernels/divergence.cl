/*
 * divergence: the cost of work-items of a sub-group taking different paths.
 *
 * A path is six integer operations on a value that the work-item carries along; there are 32 paths,
 * no two alike. In each step a work-item takes one path, and in the next step the next one. Two
 * shapes:
 *  - flat: 32 conditions, one after another, each with one path behind it;
 *  - nested: a binary tree of conditions, five deep, with the paths at its leaves.
 * The number of paths that a sub-group takes in one step is decided by the arguments, not by the
 * code:
 *
 *   values   in and out, one element per work-item of the whole launch
 *   witness  out, the sub-group size each work-item was run with
 *   spread   0: all work-items take the same path (step modulo paths);
 *            ~0: work-item l takes path (l + step) modulo paths
 *   mask     paths - 1; paths is a power of two, at most 32
 *
 * So converged and divergent runs execute the same machine code, and their difference is the
 * hardware's. The _uniform kernels omit `spread`: the compiler sees that all work-items agree, and
 * jumps where the others have to mask. divergence_straight has one path and no condition.
 */

/* A path must not begin or end with the same operation as its neighbours, or the compiler hoists it
 * out of the branches. So even and odd paths are different sequences; in both each operation
 * depends on the one before, so they take the same time, and neither can be written in fewer
 * operations. */
#define PATH_CONSTANT(path, step) (0x9e3779b9u * (2u * (path) + (step) + 1u))

static uint even_step(uint v, uint shift, uint addend)
{
    return (v ^ (v >> shift)) + addend;
}

static uint odd_step(uint v, uint shift, uint addend)
{
    v += addend;
    return v ^ (v << shift);
}

static uint even_path(uint v, uint path)
{
    v = even_step(v, 7, PATH_CONSTANT(path, 0));
    return even_step(v, 11, PATH_CONSTANT(path, 1));
}

static uint odd_path(uint v, uint path)
{
    v = odd_step(v, 7, PATH_CONSTANT(path, 0));
    return odd_step(v, 11, PATH_CONSTANT(path, 1));
}

#define FLAT_2(p)                                                                                  \
    if (taken & (1u << (p)))                                                                       \
        v = even_path(v, p);                                                                       \
    if (taken & (1u << ((p) + 1)))                                                                 \
        v = odd_path(v, (p) + 1);
#define FLAT_4(p)  FLAT_2(p) FLAT_2((p) + 2)
#define FLAT_8(p)  FLAT_4(p) FLAT_4((p) + 4)
#define FLAT_16(p) FLAT_8(p) FLAT_8((p) + 8)
#define FLAT_32    FLAT_16(0) FLAT_16(16)

#define NESTED_2(p)                                                                                \
    if (path & 1)                                                                                  \
        v = odd_path(v, (p) + 1);                                                                  \
    else                                                                                           \
        v = even_path(v, p);
#define NESTED(bit, if_set, if_clear)                                                              \
    if (path & (bit)) {                                                                            \
        if_set                                                                                     \
    } else {                                                                                       \
        if_clear                                                                                   \
    }
#define NESTED_4(p)  NESTED(2, NESTED_2((p) + 2), NESTED_2(p))
#define NESTED_8(p)  NESTED(4, NESTED_4((p) + 4), NESTED_4(p))
#define NESTED_16(p) NESTED(8, NESTED_8((p) + 8), NESTED_8(p))
#define NESTED_32    NESTED(16, NESTED_16(16), NESTED_16(0))

#define DIVERGENCE_KERNEL(name, first_path, paths_in_turn)                                         \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void name(                   \
        global uint *values, global uint *witness, uint steps, uint spread, uint mask)             \
    {                                                                                              \
        uint lid = get_local_id(0);                                                                \
        uint gid = get_group_id(0) * get_local_size(0) + lid;                                      \
        uint v = values[gid];                                                                      \
        uint first = (first_path);                                                                 \
                                                                                                   \
        paths_in_turn values[gid] = v;                                                             \
        witness[gid] = get_sub_group_size();                                                       \
    }

#define STRAIGHT_LOOP                                                                              \
    for (uint i = first; i < steps; i++)                                                           \
        v = even_path(v, 0);

/* Bit `path` of `taken` is set. The bit wraps around within `mask`. The compiler must not know that
 * it is a single bit, and so that the conditions exclude each other. */
#define FLAT_LOOP                                                                                  \
    uint taken = 1u << first;                                                                      \
    for (uint i = 0; i < steps; i++) {                                                             \
        FLAT_32                                                                                    \
        taken = ((taken << 1) | (taken >> mask)) & (~0u >> (31 - mask));                           \
    }

#define NESTED_LOOP                                                                                \
    for (uint i = 0; i < steps; i++) {                                                             \
        uint path = (first + i) & mask;                                                            \
        NESTED_32                                                                                  \
    }

DIVERGENCE_KERNEL(divergence_straight, spread &mask, STRAIGHT_LOOP)
DIVERGENCE_KERNEL(divergence_flat, lid &spread &mask, FLAT_LOOP)
DIVERGENCE_KERNEL(divergence_flat_uniform, spread &mask, FLAT_LOOP)
DIVERGENCE_KERNEL(divergence_nested, lid &spread &mask, NESTED_LOOP)
DIVERGENCE_KERNEL(divergence_nested_uniform, spread &mask, NESTED_LOOP)
