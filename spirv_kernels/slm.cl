/*
 * slm: the cost of an access to shared local memory, by the distance between the lanes' words.
 *
 * Work-item l of a work-group starts at word
 *     (l * stride mod 2^log2_span) + (l * power / 2^log2_span)
 * where `power` is the largest power of two that divides the stride: words l * stride apart, which
 * wrap around and start again one word further, so that no two work-items share one. With a stride
 * of 0 all share the same word. An iteration makes ACCESSES accesses, PITCH words apart (a whole
 * row of 32 banks, so in the same bank), and the next iteration starts one word further, up to
 * `rotation`. The accesses of an iteration are independent of each other.
 *
 * In the padded kernels word w lies at w + w / 32, as in a tile with rows of 32 words and one word
 * of padding each. In those for 4 words an element is a uint4. The baselines compute the same
 * addresses, and use them as loads use what they load; stores and atomic additions use them, too.
 *
 *   out       out, what each work-item has gathered
 *   contents  out, local memory at the end, `words` for each work-group
 *   witness   out, the sub-group size each work-item was run with
 *   slots     local memory, `words` words
 */
#define ACCESSES 8

#define SLM_KERNEL(name, padding, access)                                                          \
    __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE)))                                     \
    kernel void slm_##name(global uint *out, global uint *contents, global uint *witness,          \
                           local uint *slots, uint iterations, uint rotation, uint stride,         \
                           uint power, uint log2_span, uint words, uint seed)                      \
    {                                                                                              \
        uint lid = get_local_id(0), group = get_group_id(0), size = get_local_size(0);             \
        uint span = 1u << log2_span;                                                               \
        uint word = ((lid * stride) & (span - 1)) + (lid * power >> log2_span);                    \
        uint4 gathered = (uint4)(0, 0, ~0u, 0);                                                    \
                                                                                                   \
        for (uint w = lid; w < words; w += size)                                                   \
            slots[w] = (w + 977u * group + seed) * 0x9e3779b1u;                                    \
        work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        __attribute__((opencl_unroll_hint(1))) for (uint i = 0; i < iterations; i++)               \
        {                                                                                          \
            uint first = word + (i & rotation);                                                    \
            first += padding ? first >> 5 : 0;                                                     \
            __attribute__((opencl_unroll_hint(ACCESSES))) for (uint a = 0; a < ACCESSES; a++)      \
            {                                                                                      \
                uint at = first + a * (padding ? 33 : 32);                                         \
                access;                                                                            \
            }                                                                                      \
        }                                                                                          \
        work_group_barrier(CLK_LOCAL_MEM_FENCE);                                                   \
        for (uint w = lid; w < words; w += size)                                                   \
            contents[group * words + w] = slots[w];                                                \
        out[group * size + lid] = gathered.x + 3 * gathered.y + 5 * gathered.z + 7 * gathered.w;   \
        witness[group * size + lid] = get_sub_group_size();                                        \
    }

/* Four different operations, so that they cannot be merged into one. */
#define TAKE_ADDRESS gathered.x ^= at
#define TAKE_ADDRESS_4                                                                             \
    gathered.x ^= at;                                                                              \
    gathered.y = max(gathered.y, at);                                                              \
    gathered.z = min(gathered.z, at);                                                              \
    gathered.w |= at

SLM_KERNEL(addresses, 0, TAKE_ADDRESS)
SLM_KERNEL(load, 0, gathered.x += slots[at])
SLM_KERNEL(store, 0, TAKE_ADDRESS; slots[at] = seed)
SLM_KERNEL(atomic_add, 0, TAKE_ADDRESS; atomic_add(slots + at, 2 * lid + 1))

SLM_KERNEL(addresses_padded, 1, TAKE_ADDRESS)
SLM_KERNEL(load_padded, 1, gathered.x += slots[at])
SLM_KERNEL(store_padded, 1, TAKE_ADDRESS; slots[at] = seed)

SLM_KERNEL(addresses_x4, 0, TAKE_ADDRESS_4)
SLM_KERNEL(load_x4, 0, gathered += ((local uint4 *)slots)[at])
