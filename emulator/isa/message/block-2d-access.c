/* The payload of a message for a 2-D block, and its layout in registers, after the description of
 * lsc_load_block2d in intel-graphics-compiler's documentation of its virtual instruction set. What
 * a surface and a block have to be, after cl_intel_subgroup_2d_block_io and the hardware
 * requirements in LLVM's XeGPU dialect. */
#include "isa/message/block-2d-access.h"

#include "isa/message/access.h"
#include "isa/message/block-2d.h"
#include "isa/message/last-mapping.h"
#include "memory/round-up.h"

enum {
    BASE_ALIGNMENT = 64,
    WIDTH_ALIGNMENT = 4, /* bytes; of a surface, of a block, and where a block begins */
    PITCH_ALIGNMENT = 16,
    ROW_MAX_BYTES = 64, /* of all blocks together */
    LOAD_MAX_ROWS = 32,
    STORE_MAX_ROWS = 8,
    TRANSPOSED_MAX_BYTES = 32,
};

/* A message whose rows are being looked for. */
struct block_request {
    struct thread *thread;
    const struct inst *inst;
    const struct message *message;
    /* From the payload: */
    uint64_t base;
    uint64_t width, height, pitch; /* of the surface, in bytes, rows, and bytes */
    int64_t x, y;                  /* of the first block, in elements */
    struct block_2d block;
};

static uint32_t round_to_power_of_2(uint32_t n)
{
    return n <= 1 ? 1 : UINT32_C(1) << (32 - __builtin_clz(n - 1));
}

static void read_payload(struct block_request *r)
{
    uint32_t d[8];

    memcpy(d, r->thread->registers + r->inst->source[0].offset, sizeof(d));
    r->base = (uint64_t)d[1] << 32 | d[0];
    r->width = (uint64_t)d[2] + 1;
    r->height = (uint64_t)d[3] + 1;
    r->pitch = (uint64_t)d[4] + 1;
    r->x = (int64_t)(int32_t)d[5] + r->message->block_2d.x;
    r->y = (int64_t)(int32_t)d[6] + r->message->block_2d.y;
    r->block.width = (uint8_t)((d[7] & 0xff) + 1); /* 256 becomes 0, which is none either */
    r->block.height = (uint8_t)((d[7] >> 8 & 0xff) + 1);
    r->block.blocks = (uint8_t)((d[7] >> 16 & 15) + 1);
}

static bool is_surface(const struct block_request *r)
{
    return r->base % BASE_ALIGNMENT == 0 && r->width % WIDTH_ALIGNMENT == 0 &&
           r->pitch % PITCH_ALIGNMENT == 0 && r->pitch >= r->width;
}

static bool is_block(const struct block_request *r)
{
    const struct block_2d *b = &r->block;
    bool load = r->message->kind == MESSAGE_LOAD;
    uint32_t bytes = (uint32_t)b->width * r->message->element_bytes;

    if (bytes == 0 || bytes % WIDTH_ALIGNMENT || bytes * b->blocks > ROW_MAX_BYTES ||
        b->height == 0 || b->height > (load ? LOAD_MAX_ROWS : STORE_MAX_ROWS))
        return false;
    if (!load || r->message->block_2d.transposes)
        return b->blocks == 1 && (load ? bytes <= TRANSPOSED_MAX_BYTES : true);
    return b->blocks <= BLOCK_2D_MAX_BLOCKS && b->blocks != 3;
}

static int check_payload(const struct block_request *r)
{
    if (!is_surface(r))
        return thread_fault(r->thread, r->inst,
                            "2-D block of a surface at 0x%llx, %llu bytes wide, pitch %llu: not a "
                            "multiple of %d, %d and %d, or wider than the pitch",
                            (unsigned long long)r->base, (unsigned long long)r->width,
                            (unsigned long long)r->pitch, BASE_ALIGNMENT, WIDTH_ALIGNMENT,
                            PITCH_ALIGNMENT);
    if (!is_block(r))
        return thread_fault(r->thread, r->inst,
                            "2-D block of a size that there is not: %u by %u elements of %u bytes, "
                            "%u side by side",
                            r->block.width, r->block.height, r->message->element_bytes,
                            r->block.blocks);
    if (r->x * r->message->element_bytes % WIDTH_ALIGNMENT)
        return thread_fault(r->thread, r->inst,
                            "2-D block that begins at element %lld of %u bytes: not a multiple of "
                            "%d bytes",
                            (long long)r->x, r->message->element_bytes, WIDTH_ALIGNMENT);
    return 0;
}

/* The columns of each block that are in bounds. */
static void clip_columns(struct block_request *r)
{
    int64_t columns = (int64_t)(r->width / r->message->element_bytes);

    for (unsigned i = 0; i < r->block.blocks; i++) {
        int64_t x = r->x + (int64_t)i * r->block.width, first = 0, end = r->block.width;

        if (x < 0)
            first = -x < end ? -x : end;
        if (x + end > columns)
            end = x + first < columns ? columns - x : first;
        r->block.first[i] = (uint8_t)first;
        r->block.end[i] = (uint8_t)end;
    }
}

/* Rows, or columns, take a power of two in registers; blocks take whole registers. */
static void lay_out(struct block_request *r)
{
    struct block_2d *b = &r->block;
    const struct message *m = r->message;

    b->transposed = m->block_2d.transposes;
    b->packed = (uint8_t)(m->block_2d.transforms ? 4 / m->element_bytes : 1);
    b->pitch = (uint8_t)round_to_power_of_2(b->transposed ? b->height : b->width);
    uint32_t lines = b->transposed ? b->width : (uint32_t)round_up(b->height, b->packed);
    b->block_bytes = (uint16_t)round_up(lines * b->pitch * m->element_bytes, m->grf_bytes);
    clip_columns(r);
}

static bool has_registers(const struct block_request *r)
{
    const struct inst *inst = r->inst;
    uint32_t bytes = block_2d_bytes(&r->block), end = access_sent_end(inst, r->message);

    if (r->message->kind == MESSAGE_STORE)
        return access_payload(inst, r->message) + bytes <= end;
    return !r->message->returns || inst->destination.offset + bytes <= thread_grf_end(r->thread);
}

/* A row that is in bounds, which lies in one mapping. */
static int locate_row(const struct block_request *r, unsigned block, int64_t y, uint8_t **host)
{
    uint32_t first = r->block.first[block], bytes = r->message->element_bytes;
    uint32_t length = (r->block.end[block] - first) * bytes;
    int64_t column = r->x + (int64_t)block * r->block.width + first;
    uint64_t address =
        address_cut(r->thread->space, r->base + (uint64_t)y * r->pitch + (uint64_t)column * bytes);
    const struct mapping *mapping = find_mapping(r->thread, r->inst, address, length);

    if (!mapping)
        return thread_page_fault(r->thread, r->inst, address,
                                 r->message->kind == MESSAGE_LOAD ? "load from" : "store to");
    *host = mapping->host + (address - mapping->address);
    if (!r->thread->access->timeless)
        lines_add_bytes(r->thread, mapping->physical + (address - mapping->address), length);
    return 0;
}

static int locate_rows(const struct block_request *r)
{
    uint8_t **hosts = r->thread->access->hosts;

    for (unsigned block = 0; block < r->block.blocks; block++) {
        bool has_columns = r->block.first[block] < r->block.end[block];

        for (unsigned row = 0; row < r->block.height; row++) {
            uint8_t **host = &hosts[block * r->block.height + row];
            int64_t y = r->y + row;

            *host = NULL;
            if (has_columns && y >= 0 && (uint64_t)y < r->height && locate_row(r, block, y, host))
                return -1;
        }
    }
    return 0;
}

/* Without a response, the lines are all there is to it: a prefetch. */
static void describe_rows(const struct block_request *r)
{
    struct message_access *access = r->thread->access;
    struct transfer *t = &access->transfer;

    if (r->message->kind == MESSAGE_LOAD && !r->message->returns)
        return;
    t->block_2d = r->block;
    t->host_count = (uint16_t)(r->block.blocks * r->block.height);
    access->bytes = (uint32_t)t->host_count * r->block.width * r->message->element_bytes;
    if (r->message->kind == MESSAGE_STORE)
        t->shape.payload_bytes = (uint16_t)block_2d_bytes(&r->block);
}

int block_2d_access(struct thread *thread, const struct inst *inst, const struct message *message,
                    uint32_t mask)
{
    struct block_request r = {.thread = thread, .inst = inst, .message = message};
    struct message_access *access = thread->access;
    struct transfer *t = &access->transfer;

    access_begin(access, inst, message, mask != 0);
    t->form = TRANSFER_ROWS;
    t->host_count = 0;
    t->block_2d = (struct block_2d){0};
    if (!mask)
        return 0;
    if (inst->source[0].offset + message->grf_bytes > access_sent_end(inst, message))
        return thread_fault(thread, inst, "message with registers beyond the last");
    read_payload(&r);
    if (check_payload(&r))
        return -1;
    lay_out(&r);
    if (!has_registers(&r))
        return thread_fault(thread, inst, "message with registers beyond the last");
    if (locate_rows(&r))
        return -1;
    describe_rows(&r);
    if (!access->later)
        transfer_move(t, access->hosts, thread->registers + t->source, thread->registers, true);
    return 0;
}
