/* Messages by the fast path against the general one: each message below is sent by both, in both
 * builds of the fast path, by threads with random addresses, data, flags and active lanes.
 * Registers, memory, faults and what the clock is told have to be equal. */
#include <stdlib.h>
#include <string.h>

#include "isa/compile/compile.h"
#include "isa/fast/fast-block.h"
#include "isa/fast/fast-message.h"
#include "isa/message/access.h"
#include "isa/message/send.h"
#include "isa/thread/thread.h"
#include "isa/thread/walker.h"
#include "layout/surface-state.h"
#include "machine.h"
#include "test.h"

enum { ROUNDS = 400, PAGE = 4096, SLM_BYTES = 1000 };

/* Two mappings that are adjacent for the GPU but not for the host; nothing is mapped after them. */
enum { DATA = 0x400000, BEHIND = DATA + PAGE, NOWHERE = BEHIND + PAGE };

/* Binding table entries. */
enum {
    SURFACE_PAGE,
    SURFACE_ODD,
    SURFACE_ACROSS,
    SURFACE_NULL,
    SURFACE_UNMAPPED,
    SURFACE_SCRATCH, /* `bytes` for each thread */
    SURFACES,
    SURFACE_NO_STATE = SURFACES
};

static const struct {
    uint32_t address, bytes;
} surfaces[SURFACES] = {
    [SURFACE_PAGE] = {DATA, PAGE},        [SURFACE_ODD] = {DATA + 60, 203},
    [SURFACE_ACROSS] = {DATA, 2 * PAGE},  [SURFACE_NULL] = {DATA, 0},
    [SURFACE_UNMAPPED] = {NOWHERE, PAGE}, [SURFACE_SCRATCH] = {DATA, 256},
};

/* Where messages take their operands from, and where they leave their result. */
enum {
    GRF_BYTES = 32,
    ADDRESSES = 12 * GRF_BYTES,
    PAYLOAD = 40 * GRF_BYTES,
    RESULT = 80 * GRF_BYTES
};

struct memory {
    uint8_t data[PAGE], apart[64], behind[PAGE], slm[SLM_BYTES];
};

/* One way of sending, with all state that it may change. */
struct side {
    struct thread thread;
    struct message_access access;
    struct memory memory;
    struct vesim_fault fault;
    int status;
    uint8_t *hosts[4096]; /* of each byte of the payload or the result; NULL: none */
};

static struct machine machine;
static const char *device = "a380";
static struct program *program;
static struct address_space space;
static struct memory memory; /* what the GPU sees; a side's is copied here while it runs */
static struct side general, fast;

/* Fields of an LSC descriptor. */
enum { LOAD = 0, LOAD_QUAD = 2, STORE = 4 };
enum { COUNT_UP = 8, SUM = 12, EXCHANGE_EQUAL = 18, FLOAT_SUM = 19 };
enum { A16 = 1, A32 = 2, A64 = 3 };
enum { D8, D16, D32, D64, D8U32, D16U32 };
enum { FLAT = 0, TABLE = 3 };

#define LSC(operation, address, data, vector, response, base)                                      \
    ((uint32_t)(operation) | (uint32_t)(address) << 7 | (uint32_t)(data) << 9 |                    \
     (uint32_t)(vector) << 12 | (uint32_t)(response) << 20 | (uint32_t)(base) << 29)
#define TRANSPOSED   (1u << 15)
#define ENTRY(index) ((uint32_t)(index) << 24)

/* Types of dataport messages; the surface is in the low byte, 254 local memory. */
#define DC1(type, lanes16, skipped, response, surface)                                             \
    ((uint32_t)(type) << 14 | ((lanes16) ? 1u : 2u) << 12 | (uint32_t)(skipped) << 8 |             \
     (uint32_t)(response) << 20 | (uint32_t)(surface))
enum { UNTYPED_READ = 1, UNTYPED_WRITE = 9 };

/* Blocks of owords, from a header. */
#define DC0(type, count, response, surface)                                                        \
    ((uint32_t)(type) << 14 | 1u << 19 | (uint32_t)(count) << 8 | (uint32_t)(response) << 20 |     \
     (uint32_t)(surface))
enum { OWORD_READ = 0, ALIGNED_READ = 1, OWORD_WRITE = 8 };

struct sent {
    const char *name;
    enum sfid function;
    uint32_t descriptor, extended;
    uint8_t lanes;
    bool is_fast;
};

static const struct sent block_messages[] = {
    {"block", SFID_UNTYPED, LSC(LOAD, A32, D32, 3, 1, TABLE) | TRANSPOSED, ENTRY(0), 1, true},
    {"block odd", SFID_UNTYPED, LSC(LOAD, A32, D32, 4, 1, TABLE) | TRANSPOSED, ENTRY(SURFACE_ODD),
     1, true},
    {"block across", SFID_UNTYPED, LSC(LOAD, A32, D32, 7, 8, TABLE) | TRANSPOSED,
     ENTRY(SURFACE_ACROSS), 1, true},
    {"block null", SFID_UNTYPED, LSC(LOAD, A32, D32, 3, 1, TABLE) | TRANSPOSED, ENTRY(SURFACE_NULL),
     1, true},
    {"block unmapped", SFID_UNTYPED, LSC(LOAD, A32, D32, 3, 1, TABLE) | TRANSPOSED,
     ENTRY(SURFACE_UNMAPPED), 1, true},
    {"block of qwords", SFID_UNTYPED, LSC(LOAD, A32, D64, 4, 2, TABLE) | TRANSPOSED, ENTRY(0), 1,
     true},
    {"block store", SFID_UNTYPED, LSC(STORE, A32, D32, 4, 0, TABLE) | TRANSPOSED, ENTRY(0), 1,
     true},
    {"block store odd", SFID_UNTYPED, LSC(STORE, A32, D32, 5, 0, TABLE) | TRANSPOSED,
     ENTRY(SURFACE_ODD), 1, true},
    {"block flat", SFID_UNTYPED, LSC(LOAD, A64, D32, 5, 2, FLAT) | TRANSPOSED, 0, 1, true},
    {"block store flat", SFID_UNTYPED, LSC(STORE, A64, D32, 5, 0, FLAT) | TRANSPOSED, 0, 1, true},
    {"block stateless", SFID_UNTYPED, LSC(LOAD, A32, D32, 5, 2, FLAT) | TRANSPOSED, 0, 1, true},
    {"block local", SFID_SLM, LSC(LOAD, A32, D32, 3, 1, FLAT) | TRANSPOSED, 0, 1, true},
    {"block local x64", SFID_SLM, LSC(LOAD, A32, D32, 7, 8, FLAT) | TRANSPOSED, 0, 1, true},
    {"block store local", SFID_SLM, LSC(STORE, A32, D32, 3, 0, FLAT) | TRANSPOSED, 0, 1, true},
    {"block by words", SFID_SLM, LSC(LOAD, A16, D32, 3, 1, FLAT) | TRANSPOSED, 0, 1, false},
    {"aligned read x1", SFID_DATA_CACHE_0, DC0(ALIGNED_READ, 0, 1, 0), 0, 4, true},
    {"aligned read x4", SFID_DATA_CACHE_0, DC0(ALIGNED_READ, 3, 2, 1), 0, 8, true},
    {"aligned read stateless", SFID_DATA_CACHE_0, DC0(ALIGNED_READ, 3, 2, 0xfd), 0, 8, true},
    {"scratch read", SFID_DATA_CACHE_0, 0x022C1000 | 3, 0, 16, true},
    {"scratch write", SFID_DATA_CACHE_0, 0x020F1000 | 1, 0, 16, true},
    {"oword read", SFID_DATA_CACHE_0, DC0(OWORD_READ, 2, 1, 0), 0, 8, true},
    {"oword write", SFID_DATA_CACHE_0, DC0(OWORD_WRITE, 2, 0, 0), 0, 8, true},
    {"oword write local", SFID_DATA_CACHE_0, DC0(OWORD_WRITE, 2, 0, 0xfe), 0, 8, true},
};

static const struct sent messages[] = {
    {"load", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_PAGE), 16, true},
    {"load, 8 lanes", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 1, TABLE), ENTRY(0), 8, true},
    {"load, 32 lanes", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 4, TABLE), ENTRY(0), 32, true},
    {"load, 1 lane", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 1, TABLE), ENTRY(0), 1, true},
    {"load, 4 lanes", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 1, TABLE), ENTRY(0), 4, true},
    {"load, odd", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_ODD), 16, true},
    {"load across", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_ACROSS), 16,
     true},
    {"load null", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_NULL), 16, true},
    {"load unmapped", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_UNMAPPED), 16,
     true},
    {"load of scratch", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_SCRATCH), 16,
     true},
    {"load of no state", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE), ENTRY(SURFACE_NO_STATE),
     16, true},
    {"load x3", SFID_UNTYPED, LSC(LOAD, A32, D32, 2, 6, TABLE), ENTRY(SURFACE_PAGE), 16, true},
    {"load x4 odd", SFID_UNTYPED, LSC(LOAD, A32, D32, 3, 8, TABLE), ENTRY(SURFACE_ODD), 16, true},
    {"load x2 across", SFID_UNTYPED, LSC(LOAD, A32, D32, 1, 4, TABLE), ENTRY(SURFACE_ACROSS), 16,
     true},
    {"load quad xyz", SFID_UNTYPED, LSC(LOAD_QUAD, A32, D32, 7, 6, TABLE), ENTRY(0), 16, true},
    {"load quad yz", SFID_UNTYPED, LSC(LOAD_QUAD, A32, D32, 6, 4, TABLE), ENTRY(0), 16, false},
    {"load past the first level", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, TABLE) | 1 << 17,
     ENTRY(0), 16, true},
    {"store", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, TABLE), ENTRY(SURFACE_PAGE), 16, true},
    {"store, 32 lanes", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, TABLE), ENTRY(0), 32, true},
    {"store odd", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, TABLE), ENTRY(SURFACE_ODD), 16, true},
    {"store across", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, TABLE), ENTRY(SURFACE_ACROSS), 16,
     true},
    {"store null", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, TABLE), ENTRY(SURFACE_NULL), 16, true},
    {"store unmapped", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, TABLE), ENTRY(SURFACE_UNMAPPED), 16,
     true},
    {"store x4", SFID_UNTYPED, LSC(STORE, A32, D32, 3, 0, TABLE), ENTRY(SURFACE_PAGE), 16, true},
    {"store x3 odd", SFID_UNTYPED, LSC(STORE, A32, D32, 2, 0, TABLE), ENTRY(SURFACE_ODD), 8, true},
    {"load flat", SFID_UNTYPED, LSC(LOAD, A64, D32, 0, 2, FLAT), 0, 16, true},
    {"load flat, 32 lanes", SFID_UNTYPED, LSC(LOAD, A64, D32, 0, 4, FLAT), 0, 32, true},
    {"load flat, 4 lanes", SFID_UNTYPED, LSC(LOAD, A64, D32, 0, 1, FLAT), 0, 4, true},
    {"load flat x4", SFID_UNTYPED, LSC(LOAD, A64, D32, 3, 8, FLAT), 0, 16, true},
    {"store flat", SFID_UNTYPED, LSC(STORE, A64, D32, 0, 0, FLAT), 0, 16, true},
    {"store flat x2", SFID_UNTYPED, LSC(STORE, A64, D32, 1, 0, FLAT), 0, 32, true},
    {"load local", SFID_SLM, LSC(LOAD, A32, D32, 0, 2, FLAT), 0, 16, true},
    {"load local, 32 lanes", SFID_SLM, LSC(LOAD, A32, D32, 0, 4, FLAT), 0, 32, true},
    {"load local x4", SFID_SLM, LSC(LOAD, A32, D32, 3, 8, FLAT), 0, 16, true},
    {"store local", SFID_SLM, LSC(STORE, A32, D32, 0, 0, FLAT), 0, 16, true},
    {"store local x2", SFID_SLM, LSC(STORE, A32, D32, 1, 0, FLAT), 0, 16, true},
    {"dataport read x", SFID_DATA_CACHE_1, DC1(UNTYPED_READ, true, 14, 2, 0), 0, 16, true},
    {"dataport read xyzw", SFID_DATA_CACHE_1, DC1(UNTYPED_READ, false, 0, 4, 1), 0, 8, true},
    {"dataport read yw", SFID_DATA_CACHE_1, DC1(UNTYPED_READ, false, 5, 2, 1), 0, 8, false},
    {"dataport read local", SFID_DATA_CACHE_1, DC1(UNTYPED_READ, true, 14, 2, 254), 0, 16, true},
    {"dataport write x", SFID_DATA_CACHE_1, DC1(UNTYPED_WRITE, true, 14, 0, 0), 0, 16, true},
    {"dataport write local", SFID_DATA_CACHE_1, DC1(UNTYPED_WRITE, true, 14, 0, 254), 0, 16, true},
    {"load bytes", SFID_UNTYPED, LSC(LOAD, A32, D8U32, 0, 2, TABLE), ENTRY(0), 16, true},
    {"load bytes odd", SFID_UNTYPED, LSC(LOAD, A32, D8U32, 0, 4, TABLE), ENTRY(1), 32, true},
    {"load words", SFID_UNTYPED, LSC(LOAD, A32, D16U32, 0, 2, TABLE), ENTRY(1), 16, true},
    {"load words flat", SFID_UNTYPED, LSC(LOAD, A64, D16U32, 0, 2, FLAT), 0, 16, true},
    {"load qwords", SFID_UNTYPED, LSC(LOAD, A32, D64, 0, 4, TABLE), ENTRY(1), 16, true},
    {"load qwords x2", SFID_UNTYPED, LSC(LOAD, A32, D64, 1, 8, TABLE), ENTRY(2), 16, true},
    {"load qwords flat", SFID_UNTYPED, LSC(LOAD, A64, D64, 0, 4, FLAT), 0, 16, true},
    {"load narrow bytes", SFID_UNTYPED, LSC(LOAD, A32, D8, 0, 1, TABLE), ENTRY(0), 16, false},
    {"load stateless", SFID_UNTYPED, LSC(LOAD, A32, D32, 0, 2, FLAT), 0, 16, true},
    {"store stateless", SFID_UNTYPED, LSC(STORE, A32, D32, 0, 0, FLAT), 0, 16, true},
    {"store bytes", SFID_UNTYPED, LSC(STORE, A32, D8U32, 0, 0, TABLE), ENTRY(0), 16, true},
    {"store words", SFID_UNTYPED, LSC(STORE, A32, D16U32, 0, 0, TABLE), ENTRY(1), 32, true},
    {"store qwords", SFID_UNTYPED, LSC(STORE, A32, D64, 0, 0, TABLE), ENTRY(1), 16, true},
    {"store qwords x2", SFID_UNTYPED, LSC(STORE, A64, D64, 1, 0, FLAT), 0, 8, true},
    {"store qwords local", SFID_SLM, LSC(STORE, A32, D64, 0, 0, FLAT), 0, 16, true},
    {"load bytes local", SFID_SLM, LSC(LOAD, A32, D8U32, 0, 2, FLAT), 0, 16, true},
    {"load qwords local", SFID_SLM, LSC(LOAD, A32, D64, 1, 8, FLAT), 0, 16, true},
    {"store words local", SFID_SLM, LSC(STORE, A32, D16U32, 0, 0, FLAT), 0, 16, true},
    {"dataport read stateless", SFID_DATA_CACHE_1, DC1(UNTYPED_READ, true, 0, 8, 0xff), 0, 16,
     true},
    {"dataport byte gather", SFID_DATA_CACHE_0, 4u << 14 | 1u << 8 | 2u << 20, 0, 16, true},
    {"dataport byte scatter local", SFID_DATA_CACHE_0, 12u << 14 | 1u << 8 | 0xfe, 0, 16, true},
    {"dataport qword gather", SFID_DATA_CACHE_1, 0x088416FF, 0, 16, true},
    {"atomic increment", SFID_UNTYPED, LSC(COUNT_UP, A32, D32, 0, 2, TABLE), ENTRY(0), 16, true},
    {"atomic sum", SFID_UNTYPED, LSC(SUM, A32, D32, 0, 2, TABLE), ENTRY(1), 16, true},
    {"atomic sum, no result", SFID_UNTYPED, LSC(SUM, A32, D32, 0, 0, TABLE), ENTRY(2), 32, true},
    {"atomic float sum", SFID_UNTYPED, LSC(FLOAT_SUM, A64, D32, 0, 2, FLAT), 0, 16, true},
    {"atomic exchange", SFID_UNTYPED, LSC(EXCHANGE_EQUAL, A64, D32, 0, 1, FLAT), 0, 8, true},
    {"atomic sum local", SFID_SLM, LSC(SUM, A32, D32, 0, 2, FLAT), 0, 16, true},
    {"atomic exchange local", SFID_SLM, LSC(EXCHANGE_EQUAL, A32, D32, 0, 2, FLAT), 0, 16, true},
    {"atomic sum of qwords", SFID_UNTYPED, LSC(SUM, A64, D64, 0, 4, FLAT), 0, 16, false},
    {"load local by words", SFID_SLM, LSC(LOAD, A16, D32, 0, 2, FLAT), 0, 16, false},
};

static void map(uint64_t address, uint8_t *host, uint64_t bytes)
{
    struct mapping mapping = {
        .address = address, .size = bytes, .host = host, .physical = address, .local = true};

    assert_int_equal(address_space_add(&space, &mapping), 0);
}

static void write_surfaces(void)
{
    for (uint32_t i = 0; i < SURFACES; i++) {
        uint32_t bytes = surfaces[i].bytes, offset = SURFACE_STATE_BYTES * i;
        bool scratch = i == SURFACE_SCRATCH;
        enum surface_type type = scratch ? SURFACE_TYPE_SCRATCH
                                 : bytes ? SURFACE_TYPE_BUFFER
                                         : SURFACE_TYPE_NULL;

        surface_state_write(machine.surfaces + offset, type, surfaces[i].address,
                            scratch ? 1 : bytes, scratch ? bytes : 1);
        memcpy(machine.surfaces + 0x1000 + 4 * i, &offset, sizeof(offset));
    }
    memset(machine.surfaces + 0x1000 + 4 * SURFACE_NO_STATE, 0xff, 4); /* its state is nowhere */
}

static void create(void)
{
    char error[256];

    machine_create(&machine, device);
    machine_assemble(&machine, "(W) mov (8|M0) r20.0<1>:d 1:w\n");
    program = program_decode(&machine.device, NULL, machine.code,
                             program_length(machine.code, 4096), error, sizeof(error));
    assert_non_null(program);
    map(MACHINE_SURFACES, machine.surfaces, 0x2000);
    map(DATA, memory.data, PAGE);
    map(BEHIND, memory.behind, PAGE);
    write_surfaces();
    machine.walker.general_state_base = DATA;
}

static struct inst describe(const struct sent *sent)
{
    struct inst inst = {
        .opcode = OP_send,
        .lanes = sent->lanes,
        .general = execute_send,
        .function_id = (uint8_t)sent->function,
        .descriptor = sent->descriptor,
        .extended_descriptor = sent->extended,
        .descriptor_register = -1,
        .extended_descriptor_register = -1,
        .has_message = true,
        .flag = 2,
        .source_count = 2,
        .destination = {.kind = OPERAND_REGISTER, .offset = RESULT},
        .source = {{.kind = OPERAND_REGISTER, .offset = ADDRESSES},
                   {.kind = OPERAND_REGISTER, .offset = PAYLOAD}},
    };
    const struct send_descriptors send =
        send_of(&machine.device, &inst, sent->descriptor, sent->extended);

    if (message_decode(&inst.message, &send))
        fail_msg("%s: not decoded", sent->name);
    return inst;
}

/* A lane's offset, for addresses of one pattern: side by side, the same, at a stride, anywhere near
 * `from`; anywhere at all. */
static uint32_t offset_of(unsigned pattern, unsigned lane, uint32_t from, uint32_t stride)
{
    switch (pattern) {
    case 0:
    case 1:
        return from + 4 * lane;
    case 2:
        return from;
    case 3:
        return from + stride * lane;
    case 4:
        return from + machine_random() % 64;
    default:
        return machine_random();
    }
}

static uint32_t first_offset(void)
{
    static const uint32_t edges[] = {
        0,          4,          100,        140,       SLM_BYTES - 64, SLM_BYTES - 60,
        PAGE,       PAGE - 4,   PAGE - 64,  PAGE - 60, 2 * PAGE - 64,  2 * PAGE - 8,
        0xffffffc0, 0xffffffe0, 0x10000000, 61};

    return machine_random() % 2 ? machine_random() % 1024 & ~3u
                                : edges[machine_random() % (sizeof(edges) / sizeof(*edges))];
}

static void write_addresses(struct thread *thread, const struct message *message)
{
    unsigned pattern = machine_random() % 16 ? machine_random() % 5 : 5;
    uint32_t from = first_offset(), stride = machine_random() % 5 * 4 + (machine_random() % 8 == 0);
    bool near = machine_random() % 4;

    for (unsigned lane = 0; lane < MAX_LANES; lane++) {
        uint64_t offset = offset_of(pattern, lane, from, stride), address = DATA + offset;

        if (!near && machine_random() % 8 == 0) /* one address that differs from the others */
            address = offset = machine_random();
        if (machine_random() % 64 == 0) /* canonical, or in another place with the same low bits */
            address |= machine_random() % 2 ? UINT64_C(0xffff) << 48 : UINT64_C(7) << 32;
        if (message->address_bytes == 8)
            memcpy(thread->registers + ADDRESSES + lane * 8, &address, 8);
        else if (message->address_bytes == 4)
            memcpy(thread->registers + ADDRESSES + lane * 4, &offset, 4);
        else
            memcpy(thread->registers + ADDRESSES + lane * 2, &offset, 2);
    }
}

/* The address is the third dword, and the sixth points to a buffer, or says which surface state. */
static void write_header(struct thread *thread, const struct message *message)
{
    thread_write32(thread, ADDRESSES + 8,
                   first_offset() / (message->header_scale ? message->header_scale : 1));
    thread_write32(thread, ADDRESSES + 20, machine_random() % 8 << 10 | (machine_random() & 1023));
}

static void randomise(struct side *side, struct inst *inst)
{
    struct thread *thread = &side->thread;

    machine_random_fill(thread->registers, ARF_NULL);
    machine_random_fill(thread->registers + ARF_FLAG, ARF_CE - ARF_FLAG);
    machine_random_fill(&side->memory, sizeof(side->memory));
    if (inst->message.has_header)
        write_header(thread, &inst->message);
    else
        write_addresses(thread, &inst->message);
    thread->message = NULL;
    thread->hardware_id = machine_random() % 40;
    thread->active = machine_random() % 3   ? UINT32_MAX
                     : machine_random() % 4 ? machine_random() & machine_random()
                                            : 0;
    inst->no_mask = machine_random() % 4 == 0;
    inst->predicate = machine_random() % 4 ? PREDICATE_NONE : PREDICATE_LANE;
    inst->first_lane = inst->lanes <= 16 && machine_random() % 8 == 0 ? 16 : 0;
}

static void note_host(void *context, uint8_t *host, uint32_t offset, uint32_t bytes)
{
    struct side *side = context;

    for (uint32_t i = 0; i < bytes; i++)
        side->hosts[offset + i] = host + i;
}

/* Sends it, and performs the deferred moves. */
static void send(struct side *side, const struct inst *inst, execute_function execute)
{
    struct thread *thread = &side->thread;
    const struct transfer *t = &side->access.transfer;

    thread->program = program;
    thread->slm = memory.slm;
    thread->slm_bytes = SLM_BYTES;
    thread->walker = &machine.walker;
    thread->space = &space;
    thread->access = &side->access;
    thread->fault = &side->fault;
    side->fault.message[0] = '\0';
    memcpy(&memory, &side->memory, sizeof(memory));
    side->status = execute(thread, inst);
    memset(side->hosts, 0, sizeof(side->hosts));
    bool is_local = inst->message.base == BASE_SLM; /* done at once: described for nobody */
    if (!side->status && !side->access.timeless && !is_local)
        transfer_visit(t, side->access.hosts, note_host, side);
    if (!side->status && side->access.later && !is_local)
        transfer_move(t, side->access.hosts, thread->registers + t->source, thread->registers,
                      false);
    memcpy(&side->memory, &memory, sizeof(memory));
}

static void compare_accounts(const char *name)
{
    const struct message_access *a = &general.access, *b = &fast.access;

    if (a->line_count != b->line_count ||
        memcmp(a->lines, b->lines, a->line_count * sizeof(*a->lines)))
        fail_msg("%s: other lines", name);
    if (general.thread.message->kind == MESSAGE_ATOMIC &&
        memcmp(a->passes, b->passes, a->line_count))
        fail_msg("%s: other passes", name);
    if (a->bytes != b->bytes || a->slm.cycles != b->slm.cycles)
        fail_msg("%s: %u bytes, banks busy for %u the general way; %u, %u fast", name, a->bytes,
                 a->slm.cycles, b->bytes, b->slm.cycles);
    if (a->slm.cycles == 1 && a->slm.banks != b->slm.banks)
        fail_msg("%s: %u banks the general way, %u fast", name, a->slm.banks, b->slm.banks);
    if (general.thread.message->base != BASE_SLM &&
        (a->transfer.mask != b->transfer.mask ||
         memcmp(general.hosts, fast.hosts, sizeof(fast.hosts))))
        fail_msg("%s: other addresses", name);
}

static void compare(const char *name)
{
    if (general.status != fast.status || strcmp(general.fault.message, fast.fault.message) != 0)
        fail_msg("%s: '%s' the general way, '%s' fast", name, general.fault.message,
                 fast.fault.message);
    for (uint32_t at = 0; at < REGISTER_FILE_BYTES; at += 4)
        if (thread_read32(&general.thread, at) != thread_read32(&fast.thread, at))
            fail_msg("%s, byte %u of the registers: 0x%08x the general way, 0x%08x fast", name, at,
                     thread_read32(&general.thread, at), thread_read32(&fast.thread, at));
    if (memcmp(&general.memory, &fast.memory, sizeof(memory)))
        fail_msg("%s: other memory", name);
    if (general.thread.message != fast.thread.message)
        fail_msg("%s: another message", name);
    if (!general.status && !general.access.timeless)
        compare_accounts(name);
}

/* The modes are without the clock, with it, and with it while other Xe-cores are active. */
static void check_function(const struct sent *sent, struct inst *inst, execute_function function)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned mode = round % 3;

        randomise(&general, inst);
        fast.thread = general.thread;
        fast.memory = general.memory;
        general.access.timeless = fast.access.timeless = mode == 0;
        general.access.later = fast.access.later = mode == 2;
        send(&general, inst, execute_send);
        send(&fast, inst, function);
        compare(sent->name);
    }
}

static void check(const struct sent *sent, execute_function (*select)(const struct inst *))
{
    struct inst inst = describe(sent);
    execute_function function = select(&inst);

    if (sent->is_fast != (function != NULL))
        fail_msg("%s: %s", sent->name, function ? "goes the fast way" : "does not go the fast way");
    memset(fast.access.surfaces, 0, sizeof(fast.access.surfaces));
    if (function)
        check_function(sent, &inst, function);
}

static void test_blocks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(block_messages) / sizeof(block_messages[0]); i++)
        check(&block_messages[i], fast_block_select);
}

static const struct sent *block_message(const char *name)
{
    const struct sent *sent = block_messages;

    while (strcmp(sent->name, name) != 0)
        sent++;
    return sent;
}

/* Registers are spilled where lanes are inactive, too: those keep their dwords of scratch memory.
 */
static void check_spill(execute_function execute, struct inst *inst, bool later)
{
    static struct side all;

    do {
        randomise(&general, inst);
        inst->no_mask = false;
        inst->predicate = PREDICATE_NONE;
        inst->first_lane = 0;
        general.access.timeless = false;
        general.access.later = later;
        general.thread.active = UINT32_MAX;
        all = general;
        send(&all, inst, execute);
    } while (all.status);
    general.thread.active = machine_random();
    struct memory before = general.memory;
    send(&general, inst, execute);
    assert_int_equal(general.status, 0);
    for (size_t at = 0, lane = 0; at < PAGE; at += 4) {
        bool written = memcmp(all.memory.data + at, before.data + at, 4) != 0;
        bool active = written && general.thread.active >> lane++ & 1;

        assert_memory_equal(general.memory.data + at, (active ? all.memory : before).data + at, 4);
    }
}

static void test_spills(void **state)
{
    struct inst inst = describe(block_message("scratch write"));
    execute_function fast_block = fast_block_select(&inst);

    (void)state;
    for (unsigned round = 0; round < ROUNDS; round++) {
        check_spill(execute_send, &inst, round % 2);
        check_spill(fast_block, &inst, round % 2);
    }
}

static void check_all(execute_function (*select)(const struct inst *))
{
    for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
        check(&messages[i], select);
}

static void test_plain(void **state)
{
    (void)state;
    check_all(fast_message_select_plain);
}

static void test_avx2(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        skip();
    check_all(fast_message_select_avx2);
}

/* A program of the one message, compiled. */
static struct compiled *compiled;

static int run_compiled(struct thread *thread, const struct inst *inst)
{
    const struct block *block = compiled_find(compiled, thread, 0, 0, 1000);
    uint64_t executed = 0;

    (void)inst;
    assert_non_null(block);
    int32_t at = block->run(thread, &executed, 1000);
    if (at < 0)
        return -1;
    assert_int_equal(at, 1 * 2 + 1);
    assert_int_equal(executed, 1);
    return 0;
}

static void check_compiled(const struct sent *sent, execute_function (*select)(const struct inst *),
                           unsigned variant)
{
    struct inst insts[2] = {describe(sent)}, changed = insts[0];
    execute_function fast_function = select(&insts[0]);
    struct program alone = *program;

    alone.insts = insts;
    alone.count = 2;
    insts[0].execute = fast_function ? fast_function : execute_send;
    insts[0].is_shared = true;
    insts[0].next = 1;
    insts[0].no_mask = variant & 1;
    insts[0].predicate = variant & 2 ? PREDICATE_LANE : PREDICATE_NONE;
    insts[0].first_lane = variant & 4 && sent->lanes <= 16 ? 16 : 0;
    compiled = compiled_create(&alone, COMPILE_ALL, COMPILE_AT_ONCE, NULL);
    assert_non_null(compiled);
    memset(fast.access.surfaces, 0, sizeof(fast.access.surfaces));
    for (unsigned round = 0; round < 50; round++) {
        randomise(&general, &changed);
        fast.thread = general.thread;
        fast.memory = general.memory;
        general.access.timeless = fast.access.timeless = true;
        general.access.later = fast.access.later = false;
        send(&general, &insts[0], execute_send);
        send(&fast, &insts[0], run_compiled);
        fast.thread.message = general.thread.message; /* nobody asks */
        fast.thread.index = general.thread.index;
        compare(sent->name);
    }
    compiled_destroy(compiled);
}

/* Compiled code falls back on the same function that the interpreter calls. */
static void test_compiled(void **state)
{
    const struct inst load = describe(&messages[0]);
    const struct program nothing = {.insts = (struct inst[]){load}, .count = 1};
    struct compiled *try = compiled_create(&nothing, COMPILE_ALL, COMPILE_AT_ONCE, NULL);

    (void)state;
    if (!try)
        skip(); /* built without */
    compiled_destroy(try);
    for (unsigned variant = 0; variant < 8; variant++) {
        for (size_t i = 0; i < sizeof(messages) / sizeof(messages[0]); i++)
            check_compiled(&messages[i], fast_message_select_plain, variant);
        for (size_t i = 0; i < sizeof(block_messages) / sizeof(block_messages[0]); i++)
            check_compiled(&block_messages[i], fast_block_select, variant);
    }
}

/* Registers out of range fault in the general path, and so do results that have nowhere to go. */
static void test_registers(void **state)
{
    (void)state;
    struct inst load = describe(&messages[0]), bad = load;
    bad.destination.offset = ARF_NULL;
    assert_null(fast_message_select_plain(&bad));
    bad = load;
    bad.destination.kind = OPERAND_NONE;
    assert_null(fast_message_select_plain(&bad));
    bad = load;
    /* Half of the 64 bytes of addresses, whatever the size of a register. */
    bad.source[0].offset = GRF_COUNT * (uint32_t)machine.device.grf_bytes - 32;
    assert_null(fast_message_select_plain(&bad));
    bad = load;
    bad.has_message = false;
    assert_null(fast_message_select_plain(&bad));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        device = argv[1];
    create();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),   cmocka_unit_test(test_spills),
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_avx2),
        cmocka_unit_test(test_compiled), cmocka_unit_test(test_registers)};
    int status = cmocka_run_group_tests_name("messages", tests, NULL, NULL);
    program_free(program);
    address_space_release(&space);
    machine_destroy(&machine);
    return status;
}
