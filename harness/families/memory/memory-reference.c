#include "families/memory/memory-reference.h"

#include <string.h>

#define LINE_BYTES          64u
#define MESSAGE_LANES       16u  /* of a message with an address per lane */
#define MESSAGE_LANE_BYTES  16u  /* and what it moves per lane */
#define MESSAGE_BLOCK_BYTES 128u /* of a message with a single address */

static bool is_block(enum memory_pattern pattern)
{
    return pattern >= MEMORY_BLOCK1 && pattern <= MEMORY_BLOCK8;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t memory_total(const struct memory_walk *walk)
{
    return walk->items * MEMORY_ITEMS * walk->stride;
}

/* Position of element k of a lane within the elements of its sub-group. */
static uint32_t place(const struct memory_walk *walk, uint32_t lane, uint32_t k)
{
    uint32_t n = memory_vector(walk->pattern);

    if (walk->pattern == MEMORY_ITEM)
        return lane * MEMORY_ITEMS + k;
    if (is_block(walk->pattern) || n == 1)
        return (k * walk->lanes + lane) * walk->stride;
    return (k / n * walk->lanes + lane) * n + k % n;
}

uint32_t memory_offset(const struct memory_walk *walk, uint32_t item, uint32_t k)
{
    uint32_t lane = item % walk->lanes;
    uint32_t first = (item - lane) * MEMORY_ITEMS;

    if (walk->pattern == MEMORY_GATHER)
        return walk->offsets[first + k * walk->lanes + lane];
    return first * walk->stride + place(walk, lane, k);
}

void memory_make_offsets(uint32_t *offsets, uint32_t count, uint32_t steps,
                         uint32_t (*random)(void *context, uint32_t limit), void *context)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = random(context, i + 1);

        if (j != i)
            offsets[i] = offsets[j];
        offsets[j] = i;
    }
    for (uint32_t i = 0; i < count; i++)
        offsets[i] += random(context, steps) * count;
}

static uint64_t element(const struct memory_walk *walk, const void *memory, uint32_t index)
{
    uint64_t value = 0;

    /* Little-endian, as the devices and their hosts are. */
    memcpy(&value, (const unsigned char *)memory + (size_t)index * walk->width, walk->width);
    return value;
}

/* The index of the element at an offset, `step` steps on. */
static uint32_t index_of(const struct memory_walk *walk, uint32_t offset, uint32_t step,
                         uint32_t steps)
{
    uint32_t limit = steps * memory_total(walk);
    uint32_t index = offset + step * memory_total(walk);

    return index < limit ? index : index - limit;
}

/* What a work-item adds up in one turn: the words of its vectors, in which small elements are
 * packed. */
static uint32_t turn_sum(const struct memory_walk *walk, const void *src, uint32_t item,
                         uint32_t step)
{
    uint32_t in_word = walk->width < 4 ? least(memory_vector(walk->pattern), 4 / walk->width) : 1;
    uint32_t sum = 0;

    for (uint32_t k = 0; k < MEMORY_ITEMS; k++) {
        uint32_t index = index_of(walk, memory_offset(walk, item, k), step, walk->steps);
        uint64_t value = element(walk, src, index);

        sum += ((uint32_t)value << k % in_word * 8 * walk->width) + (uint32_t)(value >> 32);
    }
    return sum;
}

uint32_t memory_sum(const struct memory_walk *walk, const void *src, uint32_t item, uint32_t turns)
{
    uint32_t passes = turns / walk->steps;
    uint32_t rest = turns % walk->steps;
    uint32_t pass_sum = 0;
    uint32_t rest_sum = 0;

    for (uint32_t step = 0; step < (passes ? walk->steps : rest); step++) {
        uint32_t sum = turn_sum(walk, src, item, step);

        pass_sum += sum;
        rest_sum += step < rest ? sum : 0;
    }
    return passes * pass_sum + rest_sum;
}

void memory_write(const struct memory_walk *walk, const void *src, void *dst, uint32_t turns)
{
    for (uint32_t step = 0; step < least(walk->dst_steps, turns); step++) {
        uint32_t last = turns - 1 - (turns - 1 - step) % walk->dst_steps; /* last turn here */

        for (uint32_t i = 0; i < walk->items * MEMORY_ITEMS; i++) {
            uint32_t item = i / MEMORY_ITEMS;
            uint32_t offset = memory_offset(walk, item, i % MEMORY_ITEMS);
            uint32_t to = index_of(walk, offset, step, walk->dst_steps);
            uint64_t value = (uint64_t)item + last;

            if (walk->operation == MEMORY_COPY)
                value = element(walk, src, index_of(walk, offset, last % walk->steps, walk->steps));
            memcpy((unsigned char *)dst + (size_t)to * walk->width, &value, walk->width);
        }
    }
}

/* Elements that one message moves per lane. The compiler combines adjacent elements of a work-item:
 * into words if they are smaller than these, else into vectors. */
static uint32_t lane_elements(const struct memory_walk *walk)
{
    if (walk->pattern == MEMORY_ITEM)
        return walk->width < 4 ? 4 / walk->width : MESSAGE_LANE_BYTES / walk->width;
    return least(memory_vector(walk->pattern), MESSAGE_LANE_BYTES / walk->width);
}

/* Lines touched by one message; `k` is its first element in each lane. */
static uint32_t message_lines(const struct memory_walk *walk, uint32_t first_lane, uint32_t lanes,
                              uint32_t k, uint32_t elements)
{
    uint32_t seen[MESSAGE_LANES * MEMORY_ITEMS];
    uint32_t count = 0;

    for (uint32_t i = 0; i < lanes * elements; i++) {
        uint32_t at = place(walk, first_lane + i / elements, k + i % elements);
        uint32_t line = at * walk->width / LINE_BYTES;
        uint32_t known = 0;

        while (known < count && seen[known] != line)
            known++;
        seen[known] = line;
        count += known == count;
    }
    return count;
}

static struct memory_messages plain_messages(const struct memory_walk *walk)
{
    uint32_t elements = lane_elements(walk);
    uint32_t lanes = least(walk->lanes, MESSAGE_LANES);
    struct memory_messages result = {0, 0};

    for (uint32_t lane = 0; lane < walk->lanes; lane += lanes) {
        for (uint32_t k = 0; k < MEMORY_ITEMS; k += elements) {
            result.messages++;
            if (walk->pattern != MEMORY_GATHER)
                result.lines += message_lines(walk, lane, lanes, k, elements);
        }
    }
    return result;
}

static struct memory_messages block_messages(const struct memory_walk *walk)
{
    uint32_t bytes = memory_vector(walk->pattern) * walk->width * walk->lanes;
    uint32_t message_bytes = least(bytes, MESSAGE_BLOCK_BYTES);
    uint32_t messages = MEMORY_ITEMS * walk->width * walk->lanes / message_bytes;

    return (struct memory_messages){messages,
                                    messages * ((message_bytes + LINE_BYTES - 1) / LINE_BYTES)};
}

/* Do the compilers for Xe-HPG and Gen12LP differ here? */
static bool is_ambiguous(const struct memory_walk *walk)
{
    uint32_t lane_bytes = memory_vector(walk->pattern) * walk->width;

    if (is_block(walk->pattern))
        return walk->operation != MEMORY_LOAD && lane_bytes * walk->lanes > MESSAGE_BLOCK_BYTES;
    return walk->lanes <= 8 && lane_bytes > MESSAGE_LANE_BYTES;
}

struct memory_messages memory_messages(const struct memory_walk *walk)
{
    uint32_t factor = walk->items / walk->lanes * (walk->operation == MEMORY_COPY ? 2 : 1);
    struct memory_messages result = {0, 0};

    if (is_ambiguous(walk))
        return result;
    result = is_block(walk->pattern) ? block_messages(walk) : plain_messages(walk);
    result.messages *= factor;
    result.lines *= factor;
    return result;
}
