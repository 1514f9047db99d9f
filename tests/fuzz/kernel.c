/* Hostile machine code: the first byte selects device, lanes and threads, the second what the
 * walker passes on, the rest is the kernel. It runs on a small GPU whose memory is the code itself,
 * surface states and data, each exactly as large as declared. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gpu/gpu.h"
#include "layout/surface-state.h"
#include "vesim/vesim.h"

enum {
    CODE = 0x100000,
    SURFACES = 0x200000,
    SURFACE_BYTES = 0x440,
    BINDING_TABLE = 0x400, /* behind the states */
    DATA = 0x400000,
    DATA_BYTES = 4096,
    DEVICES = 4,
    FIRST_XE2 = 2,
    RGBA8_UINT = 0xcb, /* surface format */
};

/* Which device: bit 0, and bit 7 for those that an older assembler library does not know. */
static unsigned device_of(uint8_t shape)
{
    return (shape & 0x80 ? FIRST_XE2 : 0) + (shape & 1);
}

/* Few Xe-cores and a small cache: most time goes into creating the GPU for each input. */
static void load_devices(struct vesim_device devices[DEVICES])
{
    static const char *const names[DEVICES] = {"a380", "iris-xe", "b580", "panther-lake"};
    char error[256];

    for (int i = 0; i < DEVICES; i++) {
        if (vesim_device_load(&devices[i], names[i], error, sizeof(error)))
            abort();
        devices[i].slices = devices[i].xe_cores_per_slice = 1;
        devices[i].ves_per_xe_core = devices[i].threads_per_ve = 2;
        devices[i].l3_bytes = 65536;
        if (devices[i].l1_bytes)
            devices[i].l1_bytes = 8192;
    }
}

static uint8_t *map(struct address_space *space, uint64_t address, size_t size)
{
    uint8_t *host = calloc(1, size);
    const struct mapping mapping = {
        .address = address, .size = size, .host = host, .physical = address, .local = true};

    if (!host || address_space_add(space, &mapping))
        abort();
    return host;
}

/* Surface 0 is the data, 1 an image of it; every other entry of the table names the states' zeros.
 */
static void make_surfaces(uint8_t *surfaces)
{
    const uint32_t table[3] = {0, SURFACE_STATE_BYTES, 0xfffff000};
    const struct render_surface_state image = {.type = SURFACE_TYPE_2D,
                                               .format = RGBA8_UINT,
                                               .width = 15,
                                               .height = 15,
                                               .pitch = 127,
                                               .address = DATA};
    uint32_t state[render_surface_state_dwords] = {0};

    surface_state_write(surfaces, SURFACE_TYPE_BUFFER, DATA, DATA_BYTES, 1);
    render_surface_state_pack(state, &image);
    memcpy(surfaces + SURFACE_STATE_BYTES, state, sizeof(state));
    memcpy(surfaces + BINDING_TABLE, table, sizeof(table));
}

static struct walker make_walker(uint8_t shape, uint8_t extras)
{
    static const uint32_t widths[4] = {8, 16, 32, 8};
    const bool memory = extras & 8;

    return (struct walker){
        .kernel_address = CODE,
        .simd_width = widths[shape >> 1 & 3],
        .group_end = {1 + (shape >> 5 & 1), 1, 1},
        .threads_per_group = 1 + (shape >> 3 & 3),
        .execution_mask = shape & 0x40 ? 0x55 : 0,
        .local_size = {8, 2, 1},
        .local_id_source = memory ? LOCAL_ID_FROM_MEMORY : LOCAL_ID_FROM_HARDWARE,
        .local_id_dimensions = extras & 3,
        .inline_bytes = extras & 4 ? 32 : 0,
        .indirect_address = memory ? DATA : 0,
        .cross_thread_bytes = memory ? 64 : 0,
        .per_thread_bytes = memory ? 96 : 0,
        .inline_data = {DATA, 0, DATA + 64, 0, 1, 2, 3, 4},
        .slm_bytes = extras & 16 ? 1024 : 0,
        .barriers = !(extras & 32)                  ? 0
                    : device_of(shape) >= FIRST_XE2 ? WALKER_BARRIERS
                                                    : 1,
        .grf_registers = 128,
        .surface_state_base = SURFACES,
        .bindless_surface_base = SURFACES,
        .general_state_base = extras & 64 ? DATA : 0,
        .binding_table_offset = BINDING_TABLE,
        .scratch_address = extras & 128 ? DATA : 0,
        .scratch_bytes_per_thread = extras & 128 ? 1024 : 0,
        .denorm_retain = true,
    };
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct vesim_device devices[DEVICES];
    struct address_space space = {0};
    struct vesim_fault fault;
    struct vesim_settings settings = vesim_settings_default();
    uint64_t end;

    if (size < 3)
        return 0;
    if (!devices[0].core_clock)
        load_devices(devices);
    settings.instruction_limit = 2000;
    struct gpu *gpu = gpu_create(&devices[device_of(data[0])], &settings);
    if (!gpu)
        abort();
    memcpy(map(&space, CODE, size - 2), data + 2, size - 2);
    make_surfaces(map(&space, SURFACES, SURFACE_BYTES));
    map(&space, DATA, DATA_BYTES);
    struct walker walker = make_walker(data[0], data[1]);
    if (gpu_walk(gpu, &space, &walker, 1000, &end, &fault) && !fault.message[0])
        abort();
    gpu_destroy(gpu);
    for (size_t i = 0; i < space.count; i++)
        free(space.mappings[i].host);
    address_space_release(&space);
    return 0;
}
