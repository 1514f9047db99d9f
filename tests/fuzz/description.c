/* Hostile device descriptions: the reader accepts or refuses them. An accepted one names the device
 * and gives every figure within its range, and the device works. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "gpu/gpu.h"
#include "vesim/vesim.h"

#define KERNEL_ADDRESS UINT64_C(0x100000)
#define L3_BYTES_MAX   UINT64_C(33554432) /* larger ones cost more time than they are worth */

static void require(bool condition)
{
    if (!condition)
        abort();
}

static bool lies_between(uint64_t value, uint64_t minimum, uint64_t maximum)
{
    return value >= minimum && value <= maximum;
}

/* What an accepted description promises. */
static void check(const struct vesim_description *description)
{
    const struct vesim_device *device = &description->device;

    require(device->name[0] && memchr(device->name, '\0', sizeof(device->name)));
    require(device->title[0] && memchr(device->title, '\0', sizeof(device->title)));
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what)                                                 \
    require(lies_between(device->name, minimum, maximum));                                         \
    require(description->sources[VESIM_FIGURE_##name][0]);
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
}

static void map(struct address_space *space, uint64_t address, uint64_t size, void *host)
{
    const struct mapping mapping = {
        .address = address, .size = size, .host = host, .physical = 65536, .local = true};

    require(address_space_add(space, &mapping) == 0);
}

/* Runs a store, a load of the same, an addition, and the end, all at address 0. One Xe-core stands
 * for all. */
static void run_kernel(struct vesim_device *device)
{
    static uint32_t kernels[2][16] = {
        [VESIM_GEN12LP] = {0x00034031, 0x00000000, 0xc3fe0a14, 0x01a00c0c, 0x00034131, 0x0e0c0000,
                           0xc3fe0a14, 0x01000000, 0x00032140, 0x0f050660, 0x06100e04, 0x00100e04,
                           0x80030131, 0x00000004, 0x70207f0c, 0},
        [VESIM_XE_HPG] = {0x00034031, 0x00000000, 0xfb080a14, 0x03800c0c, 0x00034131, 0x0e0c0000,
                          0xfb000a14, 0x00000000, 0x00032140, 0x0f050660, 0x06100e04, 0x00100e04,
                          0x80030931, 0x00000004, 0x30207f0c, 0},
    };
    static uint8_t data[64];
    const struct walker walker = {.kernel_address = KERNEL_ADDRESS,
                                  .simd_width = 8,
                                  .group_end = {3, 1, 1},
                                  .threads_per_group = 1,
                                  .local_size = {8, 1, 1},
                                  .local_id_source = LOCAL_ID_FROM_HARDWARE,
                                  .local_id_dimensions = 1};
    const struct vesim_settings settings = vesim_settings_default();
    struct address_space space = {0};
    struct vesim_fault fault;
    uint64_t end;

    if (device->architecture > VESIM_XE_HPG)
        return; /* its machine code needs a decoder that not every system has */
    device->slices = device->xe_cores_per_slice = 1;
    struct gpu *gpu = gpu_create(device, &settings);
    require(gpu != NULL);
    map(&space, KERNEL_ADDRESS, sizeof(kernels[0]), kernels[device->architecture]);
    map(&space, 0, sizeof(data), data);
    require(gpu_walk(gpu, &space, &walker, 1000, &end, &fault) == 0 && end >= 1000);
    gpu_destroy(gpu);
    address_space_release(&space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct vesim_description *description = malloc(sizeof(*description));
    char *text = malloc(size + 1), error[80]; /* less than some messages take */

    if (!description || !text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    memset(error, 'x', sizeof(error));
    if (vesim_description_parse(description, text, "hostile.device", error, sizeof(error)) == 0) {
        check(description);
        if (description->device.l3_bytes <= L3_BYTES_MAX)
            run_kernel(&description->device);
    } else {
        require(memchr(error, '\0', sizeof(error)) && !strchr(error, '\n'));
    }
    free(text);
    free(description);
    return 0;
}
