#include "machine.h"

#include "test.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/decode/iga.h"
#include "isa/decode/program.h"
#include "isa/select/select.h"
#include "layout/surface-state.h"

enum { CODE_BYTES = 0x10000 }; /* room for a kernel */

/* The assembling half of the library's interface; see emulator/isa/decode/iga.h for the decoding
 * half. */
struct context_options {
    size_t size;
    int32_t platform;
};
struct assemble_options {
    uint32_t size, warnings, encoder, syntax, reserved[2], sbid_count, swsb_mode;
};
struct diagnostic {
    uint32_t line, column, offset, extent;
    const char *message;
};

struct assembler {
    int32_t (*create)(const struct context_options *, void **);
    int32_t (*encode)(void *, const struct assemble_options *, const char *, void **, uint32_t *);
    int32_t (*errors)(void *, const struct diagnostic **, uint32_t *);
    int32_t (*release)(void *);
};

static struct assembler open_assembler(void)
{
    void *library = dlopen("libiga64.so.2", RTLD_NOW | RTLD_LOCAL);
    struct assembler a;

    if (!library)
        library = dlopen("libiga64.so.1", RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    *(void **)&a.create = dlsym(library, "iga_context_create");
    *(void **)&a.encode = dlsym(library, "iga_context_assemble");
    *(void **)&a.errors = dlsym(library, "iga_context_get_errors");
    *(void **)&a.release = dlsym(library, "iga_context_release");
    assert_true(a.create && a.encode && a.errors && a.release);
    return a;
}

/* NULL where the library does not know the architecture. */
static void *create_context(const struct assembler *a, enum vesim_architecture architecture)
{
    static const int32_t platforms[] = {
        [VESIM_GEN12LP] = IGA_XE,   [VESIM_XE_HPG] = IGA_XE_HPG, [VESIM_XE_HPC] = IGA_XE_HPC,
        [VESIM_XE2] = IGA_XE2,      [VESIM_XE3] = IGA_XE3,       [VESIM_XE3P] = IGA_XE3P,
        [VESIM_XE3P_XPC] = IGA_XE3P};
    struct context_options options = {sizeof(options), platforms[architecture]};
    void *context = NULL;

    return a->create(&options, &context) == 0 ? context : NULL;
}

static uint32_t assemble(const struct vesim_device *device, const char *text, uint8_t *code,
                         uint32_t limit)
{
    struct assembler assembler = open_assembler();
    struct assemble_options options = {.size = sizeof(options)};
    void *context = create_context(&assembler, device->architecture), *bits = NULL;
    const struct diagnostic *errors = NULL;
    uint32_t bytes = 0, count = 0;

    assert_non_null(context);
    if (assembler.encode(context, &options, text, &bits, &bytes)) {
        assembler.errors(context, &errors, &count);
        fail_msg("line %u: %s, in:\n%s", count ? errors->line : 0,
                 count ? errors->message : "cannot be assembled", text);
    }
    assert_true(bytes <= limit);
    memcpy(code, bits, bytes);
    assembler.release(context);
    return bytes;
}

bool machine_knows(const char *name)
{
    struct assembler assembler = open_assembler();
    struct vesim_device device;
    char error[256];

    if (vesim_device_load(&device, name, error, sizeof(error)))
        return false;
    void *context = create_context(&assembler, device.architecture);
    if (context)
        assembler.release(context);
    return context;
}

static uint8_t *map(struct machine *machine, uint64_t address, uint64_t bytes)
{
    uint8_t *host = calloc(1, bytes);

    assert_non_null(host);
    struct mapping mapping = {
        .address = address, .size = bytes, .host = host, .physical = address, .local = true};
    assert_int_equal(address_space_add(&machine->space, &mapping), 0);
    return host;
}

bool test_wants(const char *way)
{
    const char *wanted = getenv("TEST_XE");

    return wanted && strcmp(wanted, way) == 0;
}

void machine_load(struct machine *machine, const char *device)
{
    char error[256];

    memset(machine, 0, sizeof(*machine));
    machine->settings = vesim_settings_default();
    machine->settings.functional =
        test_wants("functional") || test_wants("compiled") || test_wants("checked");
    machine->settings.cache = getenv("TEST_CACHE"); /* NULL: none */
    if (test_wants("compiled"))
        machine->settings.compile = VESIM_COMPILE_ALWAYS;
    if (test_wants("checked") || test_wants("ahead"))
        machine->settings.compile = VESIM_COMPILE_CHECK;
    if (test_wants("general"))
        machine->settings.lanes = VESIM_LANES_GENERAL;
    if (vesim_device_load(&machine->device, device, error, sizeof(error)))
        fail_msg("%s", error);
}

void machine_finish(struct machine *machine)
{
    machine->gpu = gpu_create(&machine->device, &machine->settings);
    machine->space.wide = address_wide(vesim_address_bits(&machine->device));
    assert_non_null(machine->gpu);
    machine->code = map(machine, MACHINE_CODE, CODE_BYTES);
    machine->surfaces = map(machine, MACHINE_SURFACES, 0x2000);
    machine->data = (uint32_t *)(void *)map(machine, MACHINE_DATA, MACHINE_DATA_BYTES);
    /* entry 0 of the table is at offset 0 */
    surface_state_write(machine->surfaces, SURFACE_TYPE_BUFFER, MACHINE_DATA, MACHINE_DATA_BYTES,
                        1);
    machine->walker = (struct walker){
        .kernel_address = MACHINE_CODE,
        .simd_width = 8,
        .group_end = {1, 1, 1},
        .threads_per_group = 1,
        .execution_mask = 0xff,
        .local_size = {8, 1, 1},
        .local_id_source = LOCAL_ID_FROM_HARDWARE,
        .local_id_dimensions = 1,
        .surface_state_base = MACHINE_SURFACES,
        .binding_table_offset = 0x1000,
        .denorm_retain = true,
    };
}

void machine_create(struct machine *machine, const char *device)
{
    machine_load(machine, device);
    machine->device.tlb_entries = 0; /* else the first access to each page would be in all times */
    machine_finish(machine);
}

void machine_destroy(struct machine *machine)
{
    gpu_destroy(machine->gpu);
    for (size_t i = 0; i < machine->space.count; i++)
        free(machine->space.mappings[i].host);
    address_space_release(&machine->space);
}

void machine_assemble(struct machine *machine, const char *text)
{
    static char whole[140000];
    static const char *const ends[] = {
        [VESIM_GEN12LP] = "(W) send.ts (8|M0) null r127 null 0x0 0x02000010 {EOT,@1}\n",
        [VESIM_XE_HPG] = "(W) send.gtwy (8|M0) null r127 null:0 0x0 0x02000010 {EOT,A@1}\n",
        [VESIM_XE_HPC] = "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT,F@1,$14}\n",
        [VESIM_XE2] = "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT,F@1,$14}\n",
        [VESIM_XE3] = "(W) send.gtwy (1|M0) null r127 null:0 0x0 0x02000010 {EOT,F@1,$14}\n",
        [VESIM_XE3P] = "(W) sendg.gtwy (1|M0) null r127:1 null:0 0x0 {EOT,F@1,$14}\n",
        [VESIM_XE3P_XPC] = "(W) sendg.gtwy (1|M0) null r127:1 null:0 0x0 {EOT,F@1,$14}\n",
    };
    const char *end = ends[machine->device.architecture];
    int length = snprintf(whole, sizeof(whole), "%s\n(W) mov (8|M0) r127.0<1>:f r0.0<1;1,0>:f\n%s",
                          text, end);

    assert_true(length > 0 && (size_t)length < sizeof(whole));
    memset(machine->code, 0, CODE_BYTES);
    assemble(&machine->device, whole, machine->code, CODE_BYTES);
}

static void select_inst(void *context, struct inst *inst)
{
    inst_select(inst, *(const enum vesim_lanes *)context);
}

struct program *machine_decode(const struct machine *machine, enum vesim_lanes lanes)
{
    const struct inst_binder binder = {select_inst, &lanes};
    char error[256];
    uint32_t bytes = program_length(machine->code, CODE_BYTES);

    return bytes ? program_decode(&machine->device, &binder, machine->code, bytes, error,
                                  sizeof(error))
                 : NULL;
}

void machine_use_lanes(struct machine *machine, unsigned lanes)
{
    machine->walker.simd_width = lanes;
    machine->walker.execution_mask = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
    machine->walker.local_size[0] = lanes;
}

/* Of the group that runs. */
static struct machine *group_machine;
static const char *group_device;

static int create_group(void **state)
{
    (void)state;
    machine_load(group_machine, group_device);
    group_machine->device.tlb_entries = 0; /* as machine_create() */
    group_machine->settings.instruction_limit = 100000;
    machine_finish(group_machine);
    machine_use_lanes(group_machine, 16);
    return 0;
}

static int destroy_group(void **state)
{
    (void)state;
    machine_destroy(group_machine);
    return 0;
}

int machine_run_tests(struct machine *machine, const char *device, const char *generation,
                      const struct CMUnitTest *tests, size_t count)
{
    if (!machine_knows(device)) {
        printf("the assembler library here does not know %s\n", generation);
        return 77;
    }
    group_machine = machine;
    group_device = device;
    return _cmocka_run_group_tests(generation, tests, count, create_group, destroy_group);
}

int machine_run(struct machine *machine)
{
    uint64_t start = machine->clock, end = start;
    int status =
        gpu_walk(machine->gpu, &machine->space, &machine->walker, start, &end, &machine->fault);

    machine->cycles = end - start;
    machine->clock = end;
    return status;
}

struct counters machine_counters(const struct machine *machine)
{
    struct counters counters;

    memcpy(counters.value, gpu_last_walk(machine->gpu)->counters, sizeof(counters.value));
    return counters;
}

void machine_run_ok(struct machine *machine, const char *text)
{
    machine_assemble(machine, text);
    if (machine_run(machine))
        fail_msg("%s", machine->fault.message);
}

/* xorshift64 (Marsaglia 2003) */
static inline uint64_t next_random(void)
{
    static uint64_t state = 0x9e3779b97f4a7c15;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

uint32_t machine_random(void)
{
    return (uint32_t)(next_random() >> 16);
}

void machine_random_fill(void *to, size_t bytes)
{
    uint8_t *at = to;

    for (; bytes >= sizeof(uint64_t); bytes -= sizeof(uint64_t), at += sizeof(uint64_t))
        memcpy(at, &(uint64_t){next_random()}, sizeof(uint64_t));
    memcpy(at, &(uint64_t){next_random()}, bytes);
}
