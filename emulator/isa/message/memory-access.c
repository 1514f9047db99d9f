#include "isa/message/memory-access.h"

#include "isa/message/access.h"
#include "isa/message/last-mapping.h"
#include "isa/message/surface.h"
#include "isa/message/words.h"
#include "layout/surface-state.h"

/* A message whose addresses are being computed. */
struct request {
    struct thread *thread;
    const struct inst *inst;
    const struct message *message;
    struct transfer *transfer;
    uint8_t **hosts;
    uint32_t channels; /* of the instruction, those that execute */
    uint64_t base;     /* added to each lane's offset */
    uint64_t limit;    /* offsets from here on are out of bounds: they read 0 and write nothing */
    uint64_t offsets[MAX_LANES];
    uint32_t dwords[MAX_LANES]; /* offsets of messages with 4-byte addresses: see widen() */
    bool narrow;                /* the offsets are still only in `dwords` */
};

/* The sixth dword of a header gives the start of the buffer, relative to the general state base. */
uint64_t memory_stateless_base(const struct thread *thread, const struct inst *inst,
                               const struct message *message)
{
    uint64_t base = thread->walker->general_state_base;

    if (message->has_header)
        base += thread_read32(thread, inst->source[0].offset + 20) & ~UINT32_C(1023);
    return base;
}

/* See R0_SCRATCH in gpu/payload.c for the header's sixth dword. */
int memory_scratch(struct thread *thread, const struct inst *inst, const struct message *message,
                   struct surface *surface)
{
    if (thread->program->device->architecture >= VESIM_XE_HPG) {
        uint32_t pointer = thread_read32(thread, inst->source[0].offset + 20);
        uint64_t state = thread->walker->surface_state_base + ((pointer & ~UINT32_C(1023)) >> 4);

        return surface_by_state(thread, inst, state, surface);
    }
    *surface = (struct surface){.address = memory_stateless_base(thread, inst, message),
                                .bytes = UINT64_MAX};
    return 0;
}

static int set_base(struct request *r, uint32_t extended_descriptor)
{
    const struct walker *walker = r->thread->walker;
    struct surface surface = {.bytes = UINT64_MAX};
    int status = 0;

    switch (r->message->base) {
    case BASE_STATELESS:
        surface.address = memory_stateless_base(r->thread, r->inst, r->message);
        break;
    case BASE_SURFACE:
        status = surface_by_index(r->thread, r->inst, r->message->surface, &surface);
        break;
    case BASE_BINDLESS:
        status = surface_by_state(r->thread, r->inst,
                                  walker->bindless_surface_base +
                                      surface_state_offset(r->inst, extended_descriptor),
                                  &surface);
        break;
    case BASE_STATE:
        status = surface_by_state(r->thread, r->inst,
                                  walker->surface_state_base +
                                      surface_state_offset(r->inst, extended_descriptor),
                                  &surface);
        break;
    case BASE_SCALAR_STATE:
        status = surface_by_state(r->thread, r->inst,
                                  memory_scalar(r->thread, r->message) +
                                      r->message->surface * (uint64_t)SURFACE_STATE_BYTES,
                                  &surface);
        break;
    case BASE_SLM:
        surface.bytes = r->thread->slm_bytes;
        break;
    case BASE_SCRATCH:
        status = memory_scratch(r->thread, r->inst, r->message, &surface);
        break;
    default:
        break;
    }
    r->base = surface.address;
    r->limit = surface.bytes;
    return status;
}

/* Addresses that are all 0: of sendg, whose base is elsewhere. */
static bool is_zero_payload(const struct inst *inst, const struct message *m)
{
    return inst->generalized && inst->source[0].is_null &&
           m->address_bytes_sent <= ARF_ADDRESS - ARF_NULL;
}

/* Whether all registers that the message reads and writes exist. */
static bool registers_exist(const struct inst *inst, const struct message *m)
{
    const uint32_t registers_end = GRF_COUNT * (uint32_t)m->grf_bytes;
    const uint32_t sent_end = access_sent_end(inst, m);

    return (is_zero_payload(inst, m) ||
            inst->source[0].offset + m->address_bytes_sent <= sent_end) &&
           (!m->shape.payload_bytes ||
            access_payload(inst, m) + m->shape.payload_bytes <= sent_end) &&
           (!m->bytes_received || inst->destination.offset + m->bytes_received <= registers_end);
}

bool memory_registers_fit(const struct inst *inst)
{
    const struct message *m = &inst->message;
    const struct operand *to = &inst->destination;

    if (inst->gathers || !registers_exist(inst, m) || inst->source[0].kind != OPERAND_REGISTER ||
        (m->shape.payload_bytes && inst->source[1].kind != OPERAND_REGISTER))
        return false;
    return (!m->returns && !m->bytes_received) ||
           (to->kind == OPERAND_REGISTER && to->offset <= GRF_COUNT * (uint32_t)m->grf_bytes);
}

/* The offset in a header: bytes 0 to 7 or the third dword, as the descriptor says; 0 if neither. */
static uint64_t header_offset(const struct message *m, const uint8_t *header)
{
    uint64_t offset = 0;
    uint32_t dword;

    if (!m->header_offset)
        return 0;
    if (m->address_bytes == 8) {
        memcpy(&offset, header, sizeof(offset));
        return offset;
    }
    memcpy(&dword, header + 8, sizeof(dword));
    return (uint64_t)dword * m->header_scale;
}

static bool is_offset_in_header(const struct message *m)
{
    return m->header_offset || (m->base == BASE_SCRATCH && m->has_header);
}

static uint64_t address_mask(const struct message *m)
{
    if (m->base == BASE_SLM)
        return SLM_ADDRESS_MASK;
    return m->address_bytes == 8 || m->base == BASE_SCALAR ? UINT64_MAX : UINT32_MAX;
}

/* What of s0 is a part of each address: offsets may be negative. */
static uint64_t scalar_base(const struct thread *thread, const struct message *m)
{
    return m->base == BASE_SLM || m->base == BASE_SCALAR ? memory_scalar(thread, m) : 0;
}

uint64_t memory_block_offset(const struct thread *thread, const struct inst *inst,
                             const struct message *m)
{
    const uint8_t *from = thread->registers + inst->source[0].offset;
    uint64_t offset = is_offset_in_header(m)
                          ? header_offset(m, from)
                          : word_load(from + (m->has_header ? m->grf_bytes : 0), m->address_bytes);

    return (message_offset(m, offset) + scalar_base(thread, m)) & address_mask(m);
}

/* Lanes are processed in blocks that the compiler can vectorize, including a partial last one: data
 * read past the payload is ignored. */
enum { LANE_BLOCK = 8 };

/* Reads 4-byte addresses, which most messages have; sums wrap at 32 bits. */
static void read_dwords(struct request *r, const uint8_t *from, uint32_t mask)
{
    uint32_t added = (uint32_t)r->message->immediate_offset;

    for (unsigned lane = 0; lane < r->message->lanes; lane += LANE_BLOCK) {
        uint32_t block[LANE_BLOCK];

        memcpy(block, from + lane * sizeof(*block), sizeof(block));
        for (unsigned i = 0; i < LANE_BLOCK; i++)
            r->dwords[lane + i] = (block[i] + added) & mask;
    }
}

static void widen(struct request *r)
{
    for (unsigned lane = 0; r->narrow && lane < r->message->lanes; lane++)
        r->offsets[lane] = r->dwords[lane];
    r->narrow = false;
}

static void read_offsets(struct request *r)
{
    const struct message *m = r->message;
    const uint8_t *from = r->thread->registers + r->inst->source[0].offset +
                          (m->has_header ? (uint32_t)m->grf_bytes : 0);
    uint64_t mask = address_mask(m);

    r->narrow = false;
    if (m->block) {
        r->offsets[0] = memory_block_offset(r->thread, r->inst, m);
        return;
    }
    const bool plain = m->base != BASE_SCALAR && !m->scale_shift && !m->has_scalar;
    if (m->address_bytes == 4 && plain) {
        r->narrow = true;
        read_dwords(r, from, (uint32_t)mask);
        return;
    }
    const uint64_t base = scalar_base(r->thread, m);
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        uint64_t offset = word_load(from + lane * m->address_bytes, m->address_bytes);

        r->offsets[lane] = (message_offset(m, offset) + base) & mask;
    }
}

/* Whether each lane's offset is `step` above the previous lane's. */
static bool dwords_follow(const struct request *r, uint32_t step)
{
    unsigned lanes = r->message->shape.lanes, lane = 0;
    uint32_t first = r->dwords[0], gaps = 0;

    if (r->dwords[lanes - 1] < first || r->dwords[lanes - 1] - first != (lanes - 1) * step)
        return false;
    for (; lane + LANE_BLOCK <= lanes; lane += LANE_BLOCK)
        for (uint32_t i = 0; i < LANE_BLOCK; i++)
            gaps |= r->dwords[lane + i] - (first + (lane + i) * step);
    for (; lane < lanes; lane++)
        gaps |= r->dwords[lane] - (first + lane * step);
    return gaps == 0;
}

static bool offsets_follow(const struct request *r, uint32_t step)
{
    uint64_t gaps = 0, expected = r->offsets[0];

    for (unsigned lane = 0; lane < r->message->shape.lanes; lane++, expected += step)
        gaps |= r->offsets[lane] - expected;
    return gaps == 0;
}

/* Whether the elements of all lanes are contiguous. */
static bool is_run(const struct request *r)
{
    const struct transfer_shape *shape = &r->message->shape;

    if (!r->message->may_run || r->transfer->mask != access_all_lanes(shape->lanes))
        return false;
    return r->narrow ? dwords_follow(r, shape->element_bytes)
                     : offsets_follow(r, shape->element_bytes);
}

/* The lowest and highest offsets of the lanes; at least one lane must be active. */
static void find_extent(const struct request *r, uint64_t *low, uint64_t *high)
{
    *low = UINT64_MAX;
    *high = 0;
    for (unsigned lane = 0; lane < r->transfer->shape.lanes; lane++) {
        if (!(r->transfer->mask >> lane & 1))
            continue;
        *low = r->offsets[lane] < *low ? r->offsets[lane] : *low;
        *high = r->offsets[lane] > *high ? r->offsets[lane] : *high;
    }
}

/* Atomics are served one lane after another. */
static void count_pass(const struct request *r, uint32_t line)
{
    if (r->message->kind == MESSAGE_ATOMIC)
        r->thread->access->passes[line]++;
}

/* Maps all lanes to one piece of memory, where offset `low` is at `bytes` for the host and at
 * `physical` for the caches. */
static void map_together(struct request *r, uint8_t *bytes, uint64_t physical, uint64_t low,
                         bool run)
{
    struct transfer *t = r->transfer;
    bool has_lines = r->message->base != BASE_SLM && !r->thread->access->timeless;

    if (run) {
        t->form = TRANSFER_RUN;
        t->run_bytes =
            r->message->block ? r->message->end : (uint32_t)t->shape.lanes * t->shape.element_bytes;
        t->host_count = 1;
        r->hosts[0] = bytes;
        if (has_lines)
            lines_add_bytes(r->thread, physical, t->run_bytes);
        return;
    }
    t->form = TRANSFER_LANES;
    t->host_count = t->shape.lanes;
    for (unsigned lane = 0; lane < t->shape.lanes; lane++)
        r->hosts[lane] = t->mask >> lane & 1 ? bytes + (r->offsets[lane] - low) : NULL;
    for (unsigned lane = 0; has_lines && lane < t->shape.lanes; lane++)
        if (t->mask >> lane & 1)
            count_pass(r, lines_add_bytes(r->thread,
                                          physical + (r->offsets[lane] - low) + r->message->first,
                                          r->message->end - r->message->first));
}

/* The common case: every element is in bounds and in the same mapping. Returns false otherwise. */
static bool locate_together(struct request *r)
{
    bool run = is_run(r);
    unsigned last = r->transfer->shape.lanes - 1u;
    uint64_t low = r->narrow ? r->dwords[0] : r->offsets[0],
             high = r->narrow ? r->dwords[last] : r->offsets[last];

    if (r->message->block && !run)
        return false;
    if (!run) {
        widen(r);
        find_extent(r, &low, &high);
    }
    uint64_t bytes = high - low + r->message->end;
    if (high + r->message->end < high || high + r->message->end > r->limit)
        return false;
    if (r->message->base == BASE_SLM) {
        map_together(r, r->thread->slm + low, 0, low, run);
        return true;
    }
    uint64_t address = address_cut(r->thread->space, r->base + low);
    const struct mapping *mapping = find_mapping(r->thread, r->inst, address, bytes);
    if (!mapping)
        return false;
    uint64_t within = address - mapping->address;
    map_together(r, mapping->host + within, mapping->physical + within, low, run);
    return true;
}

/* Finds the host address of one element (NULL if out of bounds) and the index of its line. Returns
 * 0, or -1 with the thread's fault set. */
static int locate(struct request *r, uint64_t offset, uint8_t **host, uint32_t *line)
{
    uint32_t bytes = r->transfer->shape.element_bytes;

    *host = NULL;
    if (offset + bytes > r->limit || offset + bytes < offset)
        return 0;
    if (r->message->base == BASE_SLM) {
        *host = r->thread->slm + offset;
        return 0;
    }
    uint64_t address = address_cut(r->thread->space, r->base + offset);
    const struct mapping *m = find_mapping(r->thread, r->inst, address, bytes);
    if (!m)
        return thread_page_fault(r->thread, r->inst, address,
                                 r->message->kind == MESSAGE_LOAD ? "load from" : "store to");
    *host = m->host + (address - m->address);
    if (!r->thread->access->timeless)
        *line = lines_add_bytes(r->thread, m->physical + (address - m->address), bytes);
    return 0;
}

/* Whether the request has this component of an active lane: those of a block are dwords of its
 * channels in turn, if each keeps its own. */
static bool is_wanted(const struct request *r, unsigned component)
{
    return !r->message->by_dword || r->channels >> component % r->inst->lanes & 1;
}

static int locate_each(struct request *r)
{
    struct transfer *t = r->transfer;
    bool has_lines = r->message->base != BASE_SLM && !r->thread->access->timeless;

    widen(r);
    t->form = TRANSFER_ELEMENTS;
    t->host_count = (uint16_t)(t->shape.lanes * t->shape.components);
    for (unsigned lane = 0; lane < t->shape.lanes; lane++) {
        uint32_t left = r->message->block ? UINT32_MAX : t->shape.component_mask;

        for (unsigned i = 0; i < t->shape.components; i++, left &= left - 1) {
            unsigned element = r->message->block ? i : (unsigned)__builtin_ctz(left);
            uint8_t **host = &r->hosts[i * t->shape.lanes + lane];
            uint32_t line = 0;

            *host = NULL;
            if (!(t->mask >> lane & 1) || !is_wanted(r, i))
                continue;
            if (locate(r, r->offsets[lane] + (uint64_t)element * t->shape.element_bytes, host,
                       &line))
                return -1;
            if (*host && has_lines)
                count_pass(r, line);
        }
    }
    return 0;
}

int memory_access(struct thread *thread, const struct inst *inst, const struct message *message,
                  uint32_t extended_descriptor, uint32_t mask)
{
    struct message_access *access = thread->access;
    struct transfer *t = &access->transfer;
    struct request r; /* uninitialized: offsets are written before they are used */

    r.thread = thread;
    r.inst = inst;
    r.message = message;
    r.transfer = t;
    r.hosts = access->hosts;
    r.channels = mask;
    bool local = message->base == BASE_SLM;
    /* a block message has no lanes of its own: any active lane sends it */
    access_begin(access, inst, message,
                 message->block ? mask != 0 : mask & access_all_lanes(message->lanes));
    if (message->kind == MESSAGE_ATOMIC &&
        !access->timeless) /* few lines: an atomic has one element per lane */
        memset(access->passes, 0, 2u * t->shape.lanes);
    if (!registers_exist(inst, message))
        return thread_fault(thread, inst, "message with registers beyond the last");
    if (set_base(&r, extended_descriptor))
        return -1;
    read_offsets(&r);
    if ((t->mask == 0 || memory_is_partial(inst, message, mask) || !locate_together(&r)) &&
        locate_each(&r))
        return -1;
    if (local && !access->timeless)
        access_add_banks(thread);
    if (local || !access->later)
        transfer_move(t, access->hosts, thread->registers + t->source, thread->registers, !local);
    return 0;
}
