#include "xe/memory-access.h"

#include "xe/surface.h"

/* Shared local memory does not decode the topmost bits of an address. The compiler relies on it: it
 * sets bit 28 so that no pointer to local memory is null. */
#define SLM_ADDRESS_MASK UINT32_C(0x0fffffff)

/* A memory message while it is carried out. */
struct transfer {
    struct thread *thread;
    const struct inst *inst;
    const struct message *message;
    uint64_t base;  /* added to each lane's address */
    uint64_t limit; /* lane addresses from here on are out of bounds: read 0, write nothing */
    const struct mapping *mapping;          /* the last one used: neighbours mostly share it */
    unsigned line_shift;                    /* lines are 2 to this many bytes */
    uint32_t source0, source1, destination; /* first bytes in the register file */
};

/* Registers are whole: a run of lanes takes full registers. */
static uint32_t round_to_register(uint32_t bytes)
{
    return (bytes + GRF_BYTES - 1) / GRF_BYTES * GRF_BYTES;
}

static inline void add_line(struct access *access, uint64_t line)
{
    for (uint32_t i = access->line_count; i-- > 0;)
        if (access->lines[i] == line)
            return;
    if (access->line_count < ACCESS_MAX_LINES)
        access->lines[access->line_count++] = line;
}

/* The host's bytes of [address, address + bytes) in global memory, noting the lines. */
static inline uint8_t *global_bytes(struct transfer *t, uint64_t address, unsigned bytes)
{
    address &= GPU_ADDRESS_MASK;
    const struct mapping *m = t->mapping;
    if (!m || address < m->address || address + bytes > m->address + m->size) {
        m = t->mapping = address_space_find(t->thread->space, address, bytes);
        if (!m) {
            thread_fault(t->thread, t->inst, "%s unmapped address 0x%llx",
                         t->message->kind == MESSAGE_LOAD ? "load from" : "store to",
                         (unsigned long long)address);
            return NULL;
        }
    }
    uint64_t physical = m->physical + (address - m->address);
    uint64_t first = physical >> t->line_shift, last = (physical + bytes - 1) >> t->line_shift;
    add_line(t->thread->access, first);
    if (last != first)
        add_line(t->thread->access, last);
    return m->host + (address - m->address);
}

/* Bank load of shared local memory: lanes that want the same dword share one read. */
struct bank_load {
    uint32_t count;
    uint32_t dwords[MAX_LANES * 64];
};

static void bank_add(struct bank_load *load, uint32_t dword)
{
    if (load->count < sizeof(load->dwords) / sizeof(load->dwords[0]))
        load->dwords[load->count++] = dword;
}

/* Whether all dwords lie within one row of banks, so that none has two to give: the most common
 * case by far. */
static bool is_one_row(const struct bank_load *load, uint32_t banks)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (uint32_t i = 0; i < load->count; i++) {
        low = load->dwords[i] < low ? load->dwords[i] : low;
        high = load->dwords[i] > high ? load->dwords[i] : high;
    }
    return load->count == 0 || high - low < banks;
}

/* Cycles for which the fullest bank is busy. Atomics on one dword queue up, each for itself. */
static uint32_t bank_cycles(const struct bank_load *load, uint32_t banks, bool share)
{
    if (share && is_one_row(load, banks))
        return 1;
    uint32_t busy[128] = {0}, most = 0;
    for (uint32_t i = 0; i < load->count; i++) {
        bool repeated = false;
        for (uint32_t j = 0; share && j < i && !repeated; j++)
            repeated = load->dwords[j] == load->dwords[i];
        if (repeated)
            continue;
        uint32_t cycles = ++busy[load->dwords[i] % banks];
        most = cycles > most ? cycles : most;
    }
    return most ? most : 1;
}

/* The bytes behind a lane's address; NULL when out of bounds (not a fault) or unmapped (one: see
 * `failed`). */
static inline uint8_t *locate(struct transfer *t, uint64_t offset, unsigned bytes,
                              struct bank_load *banks, bool *failed)
{
    if (offset + bytes > t->limit || offset + bytes < offset)
        return NULL;
    if (t->message->base == BASE_SLM) {
        bank_add(banks, (uint32_t)(offset / 4));
        if (bytes == 8)
            bank_add(banks, (uint32_t)(offset / 4 + 1));
        return t->thread->group->slm + offset;
    }
    uint8_t *at = global_bytes(t, t->base + offset, bytes);
    *failed = !at;
    return at;
}

/* One element between memory and a register that holds at least as much, which is cleared first. */
static inline void load_element(uint8_t *registers, const uint8_t *at, const struct message *m)
{
    uint64_t value = 0;
    if (m->element_bytes == 4) {
        uint32_t dword = 0;
        if (at)
            memcpy(&dword, at, sizeof(dword));
        memcpy(registers, &dword, sizeof(dword));
        return;
    }
    if (at)
        memcpy(&value, at, m->element_bytes);
    memcpy(registers, &value, m->register_bytes);
}

static inline void store_element(uint8_t *at, const uint8_t *registers, const struct message *m)
{
    if (!at)
        return;
    if (m->element_bytes == 4)
        memcpy(at, registers, 4);
    else
        memcpy(at, registers, m->element_bytes);
}

static uint64_t lane_address(const struct transfer *t, unsigned lane)
{
    const struct message *m = t->message;
    const uint8_t *registers = t->thread->registers;
    uint64_t address = 0;
    if (m->header_offset) { /* in the header: bytes 0 to 7, or the third dword */
        if (m->address_bytes == 8) {
            memcpy(&address, registers + t->source0, 8);
        } else {
            uint32_t offset;
            memcpy(&offset, registers + t->source0 + 8, 4);
            address = (uint64_t)offset * m->header_scale;
        }
    } else if (m->base != BASE_SCRATCH || !m->has_header) {
        uint32_t first = t->source0 + (m->has_header ? GRF_BYTES : 0);
        if (m->address_bytes == 4) {
            uint32_t dword;
            memcpy(&dword, registers + first + lane * 4, sizeof(dword));
            address = dword;
        } else {
            memcpy(&address, registers + first + lane * m->address_bytes, m->address_bytes);
        }
    }
    address += (uint64_t)(int64_t)m->immediate_offset;
    if (m->base == BASE_SLM)
        return address & SLM_ADDRESS_MASK;
    return m->address_bytes == 8 ? address : address & UINT32_MAX;
}

static int set_base(struct transfer *t, uint32_t extended_descriptor)
{
    const struct walker *walker = t->thread->walker;
    struct surface surface = {.bytes = UINT64_MAX};
    int status = 0;
    switch (t->message->base) {
    case BASE_STATELESS:
        surface.address = walker->general_state_base;
        if (t->message->has_header) { /* its sixth dword: where the buffer begins, from there */
            uint32_t pointer;
            memcpy(&pointer, t->thread->registers + t->source0 + 20, sizeof(pointer));
            surface.address += pointer & ~UINT32_C(1023);
        }
        break;
    case BASE_SURFACE:
        status = surface_by_index(t->thread, t->inst, t->message->surface, &surface);
        break;
    case BASE_BINDLESS: /* bits 31:6 of the descriptor: the surface state's offset */
        status = surface_by_state(
            t->thread, t->inst, walker->surface_state_base + (extended_descriptor & ~UINT32_C(63)),
            &surface);
        break;
    case BASE_SLM:
        surface.bytes = t->thread->group->slm_bytes;
        break;
    case BASE_SCRATCH: { /* the header's sixth dword: see R0_SCRATCH of the payload */
        uint32_t pointer;
        memcpy(&pointer, t->thread->registers + t->source0 + 20, sizeof(pointer));
        if (t->thread->program->device->architecture == ARCHITECTURE_XE_HPG) {
            uint64_t state = walker->surface_state_base + ((pointer & ~UINT32_C(1023)) >> 4);
            status = surface_by_state(t->thread, t->inst, state, &surface);
            break;
        }
        surface.address = walker->general_state_base + (pointer & ~UINT32_C(1023));
        break;
    }
    default:
        break;
    }
    t->base = surface.address;
    t->limit = surface.bytes;
    return status;
}

/* Checks that all registers that the message reads and writes exist. */
static int check_registers(const struct transfer *t)
{
    const struct message *m = t->message;
    const uint32_t end = GRF_COUNT * GRF_BYTES;
    uint32_t run =
        round_to_register((uint32_t)(m->block ? m->vector : m->lanes) * m->register_bytes);
    uint32_t components = m->block ? 1 : (uint32_t)__builtin_popcount(m->component_mask);
    uint32_t sent = components * run,
             addresses = round_to_register((uint32_t)m->lanes * m->address_bytes);
    if (m->kind == MESSAGE_LOAD)
        sent = 0;
    else if (m->kind == MESSAGE_ATOMIC)
        sent = atomic_operands((enum atomic_operation)m->atomic) * run;
    uint32_t received = m->kind == MESSAGE_LOAD                   ? components * run
                        : m->kind == MESSAGE_ATOMIC && m->returns ? run
                                                                  : 0;
    if (t->source0 + (m->has_header ? GRF_BYTES : 0) + addresses > end ||
        (sent && t->source1 + sent > end) || (received && t->destination + received > end))
        return thread_fault(t->thread, t->inst, "message with registers past the last");
    return 0;
}

/* One address, a run of elements to consecutive bytes of registers. */
static int transfer_block(struct transfer *t, uint32_t mask, struct bank_load *banks)
{
    const struct message *m = t->message;
    bool load = m->kind == MESSAGE_LOAD, failed = false;
    uint64_t address = lane_address(t, 0);
    if (mask == 0) /* a block has no lanes of its own: any active lane sends it */
        return 0;
    for (unsigned i = 0; i < m->vector; i++) {
        uint8_t *at =
            locate(t, address + (uint64_t)i * m->element_bytes, m->element_bytes, banks, &failed);
        uint8_t *registers =
            t->thread->registers + (load ? t->destination : t->source1) + i * m->register_bytes;
        if (failed)
            return -1;
        if (load)
            load_element(registers, at, m);
        else
            store_element(at, registers, m);
    }
    t->thread->access->bytes += (uint32_t)m->vector * m->element_bytes;
    return 0;
}

/* An address for each lane, one or more components behind each. */
static int transfer_lanes(struct transfer *t, uint32_t mask, struct bank_load *banks)
{
    const struct message *m = t->message;
    bool load = m->kind == MESSAGE_LOAD, failed = false;
    uint32_t run = round_to_register((uint32_t)m->lanes * m->register_bytes);
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint64_t address = lane_address(t, lane);
        uint32_t slot = 0; /* components that are skipped take no register */
        for (unsigned i = 0; i < m->vector; i++) {
            if (!(m->component_mask >> i & 1))
                continue;
            uint8_t *at = locate(t, address + (uint64_t)i * m->element_bytes, m->element_bytes,
                                 banks, &failed);
            uint8_t *registers = t->thread->registers + (load ? t->destination : t->source1) +
                                 slot++ * run + lane * m->register_bytes;
            if (failed)
                return -1;
            if (load)
                load_element(registers, at, m);
            else
                store_element(at, registers, m);
            t->thread->access->bytes += m->element_bytes;
        }
    }
    return 0;
}

/* Whether the message moves one dword for each lane: what transfer_dwords() does. */
static bool moves_dwords(const struct message *m)
{
    return (m->component_mask == 1 || m->vector == 1) && m->element_bytes == 4 &&
           m->register_bytes == 4 && m->address_bytes >= 4 && m->base != BASE_SCRATCH;
}

/* The lanes' addresses, as lane_address() gives them one by one. */
static void read_addresses(const struct transfer *t, uint64_t *addresses)
{
    const struct message *m = t->message;
    const uint8_t *from = t->thread->registers + t->source0 + (m->has_header ? GRF_BYTES : 0);
    uint64_t mask = m->base == BASE_SLM     ? SLM_ADDRESS_MASK
                    : m->address_bytes == 8 ? UINT64_MAX
                                            : UINT32_MAX;
    uint32_t narrow[MAX_LANES];
    if (m->address_bytes == 8) {
        memcpy(addresses, from, m->lanes * sizeof(*addresses));
    } else {
        memcpy(narrow, from, m->lanes * sizeof(*narrow));
        for (unsigned lane = 0; lane < m->lanes; lane++)
            addresses[lane] = narrow[lane];
    }
    for (unsigned lane = 0; lane < m->lanes; lane++)
        addresses[lane] = (addresses[lane] + (uint64_t)(int64_t)m->immediate_offset) & mask;
}

/* transfer_lanes() for the messages that programs send most. */
static int transfer_dwords(struct transfer *t, uint32_t mask, struct bank_load *banks)
{
    const struct message *m = t->message;
    bool load = m->kind == MESSAGE_LOAD, failed = false;
    uint8_t *registers = t->thread->registers + (load ? t->destination : t->source1);
    uint64_t addresses[MAX_LANES];
    read_addresses(t, addresses);
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint32_t value = 0;
        uint8_t *at = locate(t, addresses[lane], 4, banks, &failed);
        if (failed)
            return -1;
        if (!load && at) {
            memcpy(at, registers + lane * 4, sizeof(value));
        } else if (load) {
            if (at)
                memcpy(&value, at, sizeof(value));
            memcpy(registers + lane * 4, &value, sizeof(value));
        }
        t->thread->access->bytes += 4;
    }
    return 0;
}

static int transfer_atomic(struct transfer *t, uint32_t mask, struct bank_load *banks)
{
    const struct message *m = t->message;
    bool failed = false;
    uint32_t run = round_to_register((uint32_t)m->lanes * m->register_bytes);
    unsigned operands = atomic_operands((enum atomic_operation)m->atomic);
    for (unsigned lane = 0; lane < m->lanes; lane++) {
        if (!(mask >> lane & 1))
            continue;
        uint64_t operand[2] = {0, 0}, old = 0;
        for (unsigned i = 0; i < operands; i++)
            memcpy(&operand[i],
                   t->thread->registers + t->source1 + i * run + lane * m->register_bytes,
                   m->element_bytes);
        uint8_t *at = locate(t, lane_address(t, lane), m->element_bytes, banks, &failed);
        if (failed)
            return -1;
        if (at)
            old = atomic_apply((enum atomic_operation)m->atomic, at, m->element_bytes, operand[0],
                               operand[1]);
        if (m->returns) {
            uint8_t *registers = t->thread->registers + t->destination + lane * m->register_bytes;
            memset(registers, 0, m->register_bytes);
            memcpy(registers, &old, m->element_bytes);
        }
        t->thread->access->bytes += m->element_bytes;
    }
    return 0;
}

int memory_access(struct thread *thread, const struct inst *inst, const struct message *message,
                  uint32_t extended_descriptor, uint32_t mask)
{
    struct transfer t = {
        .thread = thread,
        .inst = inst,
        .message = message,
        .source0 = inst->source[0].offset,
        .source1 = inst->source_count > 1 ? inst->source[1].offset : ARF_NULL,
        .destination = inst->destination.offset,
        .line_shift = (unsigned)__builtin_ctzll(thread->program->device->line_bytes),
    };
    struct bank_load banks;
    banks.count = 0;
    struct access *access = thread->access;
    access->line_count = access->bytes = access->slm_cycles = 0;
    if (check_registers(&t) || set_base(&t, extended_descriptor))
        return -1;
    int status = message->block                    ? transfer_block(&t, mask, &banks)
                 : message->kind == MESSAGE_ATOMIC ? transfer_atomic(&t, mask, &banks)
                 : moves_dwords(message)           ? transfer_dwords(&t, mask, &banks)
                                                   : transfer_lanes(&t, mask, &banks);
    if (message->base == BASE_SLM)
        access->slm_cycles = bank_cycles(&banks, (uint32_t)thread->program->device->slm_banks,
                                         message->kind != MESSAGE_ATOMIC);
    return status;
}
