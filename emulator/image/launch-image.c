#include "image/launch-image.h"

#include "image/image-error.h"
#include "layout/surface-state.h"
#include "memory/round-up.h"

#include <stdlib.h>
#include <string.h>

/* Where things lie, as GPU addresses. Indirect data and scratch are addressed with 32 bits. */
enum {
    CODE_ADDRESS = LAUNCH_ADDRESS_FIRST,
    INDIRECT_ADDRESS = 0x20000000,
    SURFACES_ADDRESS = 0x30000000,
    SCRATCH_ADDRESS = 0x40000000,
};
#define PRIVATE_ADDRESS UINT64_C(0x80000000)

enum {
    BINDING_TABLE = ZEBIN_SURFACES_MAX * SURFACE_STATE_BYTES, /* bytes into the surfaces */
    SCRATCH_STATE = BINDING_TABLE + 1024,
    BINDLESS_STATES = 4096, /* of arguments, by their indices */
    SURFACES_BYTES = BINDLESS_STATES + VESIM_ARGUMENTS_MAX * SURFACE_STATE_BYTES,
    GRF_BYTES = 32,
    ITEM_ID_BYTES = 2,
    IDS_BY_HARDWARE_MAX = 1024, /* work-items of a group */
    SCRATCH_LEAST = 1024,       /* bytes for a thread */
    SLM_LEAST = 1024,           /* bytes for a work-group */
    LOCAL_ALIGNMENT = 64,       /* of arguments in shared local memory */
};

#define SURFACE_BYTES_MAX (UINT64_C(1) << 32)

static uint32_t power_of_two(uint32_t least, uint32_t bytes)
{
    uint32_t power = least;

    while (power < bytes)
        power *= 2;
    return power;
}

/* Zeroed memory at a GPU address, freed with the image; NULL when out of memory. Physical addresses
 * are the virtual ones: caches are indexed by what a reader sees. */
static uint8_t *map_new(struct launch_image *image, uint64_t address, size_t bytes)
{
    uint8_t *memory = calloc(1, bytes);
    struct mapping mapping = {
        .address = address, .size = bytes, .host = memory, .physical = address, .local = true};

    if (!memory)
        return NULL;
    image->owned[image->owned_count++] = memory;
    return address_space_add(&image->space, &mapping) ? NULL : memory;
}

/* An argument's surface begins where the argument points, and ends with the mapping. Where nothing
 * is mapped it has the largest size, so that an access faults; a null pointer's has none. */
static void write_argument_surface(const struct launch_image *image, uint64_t address,
                                   uint8_t *state)
{
    const struct mapping *mapping = address_space_find(&image->space, address, 1);
    uint64_t bytes = mapping ? mapping->address + mapping->size - address : SURFACE_BYTES_MAX;

    if (address == 0)
        surface_state_write(state, SURFACE_TYPE_NULL, 0, 1, 1);
    else
        surface_state_write(state, SURFACE_TYPE_BUFFER, address,
                            bytes < SURFACE_BYTES_MAX ? bytes : SURFACE_BYTES_MAX, 1);
}

static void write_surfaces(const struct launch_image *image, const struct zebin_kernel *kernel,
                           const struct vesim_launch *launch, uint8_t *surfaces)
{
    for (size_t i = 0; i < kernel->surface_count; i++) {
        uint32_t index = kernel->surface[i].index, offset = index * SURFACE_STATE_BYTES;
        uint32_t argument = kernel->surface[i].argument;

        if (argument >= launch->argument_count)
            continue;
        write_argument_surface(image, launch->arguments[argument].value, surfaces + offset);
        memcpy(surfaces + BINDING_TABLE + index * sizeof(offset), &offset, sizeof(offset));
    }
    for (size_t i = 0; i < kernel->payload_count; i++) {
        const struct payload *payload = &kernel->payload[i];

        if (payload->kind == PAYLOAD_SURFACE && payload->argument < launch->argument_count)
            write_argument_surface(image, launch->arguments[payload->argument].value,
                                   surfaces + BINDLESS_STATES +
                                       payload->argument * SURFACE_STATE_BYTES);
    }
}

/* Offsets of arguments in shared local memory, behind the kernel's own; returns the total in bytes.
 * */
static uint64_t allocate_locals(const struct zebin_kernel *kernel,
                                const struct vesim_launch *launch, uint32_t *offsets)
{
    uint64_t end = kernel->slm_bytes;

    for (size_t i = 0; i < launch->argument_count; i++) {
        if (!launch->arguments[i].local_bytes)
            continue;
        offsets[i] = (uint32_t)round_up(end, LOCAL_ALIGNMENT);
        end = (uint64_t)offsets[i] + launch->arguments[i].local_bytes;
    }
    return end;
}

/* What a message's extended descriptor takes for a bindless surface: the bytes to its state in bits
 * 31:6, before Xe-HPG bits 25:6 of them in bits 31:12. */
static uint32_t bindless_offset(const struct vesim_device *device, uint32_t argument)
{
    uint32_t offset = BINDLESS_STATES + argument * SURFACE_STATE_BYTES;

    return device->architecture == VESIM_GEN12LP ? offset << 6 : offset;
}

/* A piece of an argument that is a struct; false if the argument is none. */
static bool write_struct(const struct payload *payload, const struct vesim_launch *launch,
                         uint8_t *data)
{
    const struct vesim_argument *argument =
        payload->argument < launch->argument_count ? &launch->arguments[payload->argument] : NULL;

    if (!argument || !argument->data)
        return false;
    if (payload->source < argument->data_bytes) {
        size_t left = argument->data_bytes - payload->source;

        memcpy(data + payload->offset, (const uint8_t *)argument->data + payload->source,
               payload->size < left ? payload->size : left);
    }
    return true;
}

/* An address that the launch itself has chosen, or 0. */
static uint64_t own_address(const struct zebin_kernel *kernel, enum payload_kind kind)
{
    switch (kind) {
    case PAYLOAD_PRIVATE_BASE:
        return PRIVATE_ADDRESS;
    case PAYLOAD_INDIRECT:
        return INDIRECT_ADDRESS;
    case PAYLOAD_SCRATCH:
        return kernel->scratch_bytes ? SURFACES_ADDRESS + SCRATCH_STATE : 0;
    default:
        return 0;
    }
}

static void write_payload(const struct payload *payload, const struct vesim_device *device,
                          const struct zebin_kernel *kernel, const struct vesim_launch *launch,
                          const uint32_t *offsets, uint8_t *data)
{
    uint32_t words[3] = {0};
    uint64_t value = 0;
    const void *from = words;
    size_t bytes = sizeof(words);

    switch (payload->kind) {
    case PAYLOAD_LOCAL_SIZE:
    case PAYLOAD_ENQUEUED_LOCAL_SIZE:
        memcpy(words, launch->local, sizeof(words));
        break;
    case PAYLOAD_GROUP_COUNT:
        for (unsigned i = 0; i < 3; i++)
            words[i] = launch->global[i] / launch->local[i];
        break;
    case PAYLOAD_GLOBAL_SIZE:
        for (unsigned i = 0; i < 3; i++)
            words[i] = launch->global[i];
        break;
    case PAYLOAD_SURFACE:
        words[0] = bindless_offset(device, payload->argument);
        break;
    case PAYLOAD_WORK_DIMENSIONS:
        words[0] = 3;
        break;
    case PAYLOAD_PRIVATE_BASE:
    case PAYLOAD_INDIRECT:
    case PAYLOAD_SCRATCH:
        value = own_address(kernel, payload->kind);
        from = &value;
        bytes = sizeof(value);
        break;
    case PAYLOAD_VALUE:
        if (write_struct(payload, launch, data))
            return;
        /* fall through */
    case PAYLOAD_POINTER:
    case PAYLOAD_LOCAL:
        if (payload->argument >= launch->argument_count || payload->source >= sizeof(value))
            return;
        value = payload->kind == PAYLOAD_LOCAL ? offsets[payload->argument]
                                               : launch->arguments[payload->argument].value;
        value >>= 8 * payload->source;
        from = &value;
        bytes = sizeof(value);
        break;
    default:
        return;
    }
    memcpy(data + payload->offset, from, payload->size < bytes ? payload->size : bytes);
}

/* What the ids of one dimension take, in whole registers. */
static uint32_t id_run_bytes(const struct vesim_device *device, const struct zebin_kernel *kernel)
{
    return (uint32_t)round_up(kernel->simd_width * ITEM_ID_BYTES, (size_t)device->grf_bytes);
}

/* So many dimensions the kernel takes ids of: newer compilers leave out those that it does not
 * read. */
static unsigned id_dimensions(const struct vesim_device *device, const struct zebin_kernel *kernel)
{
    uint32_t count = kernel->per_thread_bytes / id_run_bytes(device, kernel);

    return !kernel->has_local_ids ? 0 : count < 3 ? count : 3;
}

/* A thread's work-item ids, for kernels that do not get them from the hardware: all x, then y, then
 * z, each in whole registers. */
static void write_local_ids(const struct vesim_device *device, const struct zebin_kernel *kernel,
                            const struct vesim_launch *launch, uint32_t thread, uint8_t *data)
{
    const uint32_t run = id_run_bytes(device, kernel);
    const unsigned dimensions = id_dimensions(device, kernel);

    for (uint32_t lane = 0; lane < kernel->simd_width; lane++) {
        uint32_t index = thread * kernel->simd_width + lane;

        for (unsigned i = 0; i < dimensions; i++) {
            uint16_t id = (uint16_t)(index % launch->local[i]);

            index /= launch->local[i];
            memcpy(data + i * run + lane * ITEM_ID_BYTES, &id, sizeof(id));
        }
    }
}

static bool is_power_of_two(uint32_t value)
{
    return (value & (value - 1)) == 0;
}

/* From Xe-HPG on hardware generates ids itself where the sizes allow, and the driver lets it
 * (compute-runtime, isRuntimeLocalIdsGenerationRequired()). */
static bool hardware_makes_ids(const struct vesim_device *device, const struct zebin_kernel *kernel,
                               const struct vesim_launch *launch)
{
    const uint64_t items = (uint64_t)launch->local[0] * launch->local[1] * launch->local[2];
    const unsigned dimensions = id_dimensions(device, kernel);

    for (unsigned i = dimensions; dimensions && i < 3; i++)
        if (launch->local[i] > 1)
            return false;
    return device->architecture >= VESIM_XE_HPG && items <= IDS_BY_HARDWARE_MAX &&
           is_power_of_two(launch->local[0]) && is_power_of_two(launch->local[1]);
}

/* What each thread gets beside the cross-thread data: its ids, if it wants any. Hardware without
 * inline data has a register between r0 and the cross-thread data in any case. */
static uint32_t per_thread_bytes(const struct zebin_kernel *kernel)
{
    if (kernel->has_local_ids)
        return kernel->per_thread_bytes;
    return kernel->inline_bytes ? 0 : GRF_BYTES;
}

/* Cross-thread data, of which the first may come in a register, and the ids behind it. */
static bool write_indirect(struct launch_image *image, const struct vesim_device *device,
                           const struct zebin_kernel *kernel, const struct vesim_launch *launch,
                           const uint32_t *offsets)
{
    struct walker *walker = &image->walker;
    uint32_t in_register = kernel->inline_bytes < kernel->cross_thread_bytes
                               ? kernel->inline_bytes
                               : kernel->cross_thread_bytes;
    uint32_t cross = kernel->cross_thread_bytes - in_register;
    uint8_t *all = calloc(1, kernel->cross_thread_bytes + sizeof(walker->inline_data));
    uint8_t *data = map_new(image, INDIRECT_ADDRESS,
                            cross + walker->threads_per_group * per_thread_bytes(kernel) + 4096);

    if (all && data) {
        for (size_t i = 0; i < kernel->payload_count; i++)
            write_payload(&kernel->payload[i], device, kernel, launch, offsets, all);
        memcpy(walker->inline_data, all, sizeof(walker->inline_data));
        memcpy(data, all + in_register, cross);
        for (uint32_t t = 0; kernel->has_local_ids && t < walker->threads_per_group; t++)
            write_local_ids(device, kernel, launch, t, data + cross + t * kernel->per_thread_bytes);
    }
    free(all);
    walker->inline_bytes = kernel->inline_bytes < sizeof(walker->inline_data)
                               ? kernel->inline_bytes
                               : sizeof(walker->inline_data);
    walker->indirect_address = INDIRECT_ADDRESS;
    walker->cross_thread_bytes = cross;
    walker->per_thread_bytes = per_thread_bytes(kernel);
    return all && data;
}

static uint64_t threads_of(const struct vesim_device *device)
{
    return device->slices * device->xe_cores_per_slice * device->ves_per_xe_core *
           device->threads_per_ve;
}

static bool add_private(struct launch_image *image, const struct vesim_device *device,
                        const struct zebin_kernel *kernel)
{
    return !kernel->private_bytes ||
           map_new(image, PRIVATE_ADDRESS, threads_of(device) * kernel->private_bytes) != NULL;
}

static bool add_scratch(struct launch_image *image, const struct vesim_device *device,
                        const struct zebin_kernel *kernel, uint8_t *surfaces)
{
    struct walker *walker = &image->walker;
    uint64_t threads = threads_of(device);

    if (!kernel->scratch_bytes)
        return true;
    walker->scratch_bytes_per_thread = power_of_two(SCRATCH_LEAST, kernel->scratch_bytes);
    walker->scratch_address = SCRATCH_ADDRESS;
    walker->scratch_surface_offset = SCRATCH_STATE;
    surface_state_write(surfaces + SCRATCH_STATE, SURFACE_TYPE_SCRATCH, SCRATCH_ADDRESS, threads,
                        walker->scratch_bytes_per_thread);
    return map_new(image, SCRATCH_ADDRESS, threads * walker->scratch_bytes_per_thread) != NULL;
}

/* As many as the hardware gives out for so many. */
static uint32_t barriers_for(unsigned wanted)
{
    uint32_t field = 0;

    while (walker_barriers(field) < wanted && walker_barriers(field) < WALKER_BARRIERS)
        field++;
    return walker_barriers(field);
}

static void fill_walker(struct walker *walker, const struct vesim_device *device,
                        const struct zebin_kernel *kernel, const struct vesim_launch *launch)
{
    uint32_t items = launch->local[0] * launch->local[1] * launch->local[2];
    uint32_t rest = items % kernel->simd_width;
    bool by_hardware = hardware_makes_ids(device, kernel, launch);

    walker->kernel_address = CODE_ADDRESS + (by_hardware ? kernel->skip_bytes : 0);
    walker->instruction_base = CODE_ADDRESS;
    walker->simd_width = kernel->simd_width;
    walker->threads_per_group = (items + kernel->simd_width - 1) / kernel->simd_width;
    walker->execution_mask = rest ? (UINT32_C(1) << rest) - 1 : UINT32_MAX;
    for (unsigned i = 0; i < 3; i++) {
        walker->group_start[i] = launch->first_group[i];
        walker->group_end[i] = launch->group_count[i]
                                   ? launch->first_group[i] + launch->group_count[i]
                                   : launch->global[i] / launch->local[i];
    }
    memcpy(walker->local_size, launch->local, sizeof(walker->local_size));
    walker->local_id_source = by_hardware ? LOCAL_ID_FROM_HARDWARE : LOCAL_ID_FROM_MEMORY;
    walker->local_id_dimensions = by_hardware ? id_dimensions(device, kernel) : 0;
    walker->barriers = barriers_for(kernel->barriers);
    walker->grf_registers = kernel->grf_count;
    walker->surface_state_base = walker->bindless_surface_base = SURFACES_ADDRESS;
    walker->binding_table_offset = BINDING_TABLE;
    walker->denorm_retain = true;
}

static int check_sizes(const struct vesim_device *device, const struct zebin_kernel *kernel,
                       const struct vesim_launch *launch, char *error, size_t error_size)
{
    uint64_t threads = device->ves_per_xe_core * vesim_threads_per_ve(device, kernel->grf_count);
    uint64_t items = 1;

    for (unsigned i = 0; i < 3; i++) {
        if (!launch->local[i] || !launch->global[i] || launch->global[i] % launch->local[i])
            return image_error(error, error_size,
                               "%u work-items in work-groups of %u, in dimension %u: neither may "
                               "be 0, and the first is a multiple of the second",
                               launch->global[i], launch->local[i], i);
        items = items > UINT32_MAX ? items : items * launch->local[i];
    }
    if ((items + kernel->simd_width - 1) / kernel->simd_width > threads)
        return image_error(error, error_size,
                           "a work-group of %llu work-items; an Xe-core holds %llu threads of %u",
                           (unsigned long long)items, (unsigned long long)threads,
                           kernel->simd_width);
    return 0;
}

static int check_groups(const struct vesim_launch *launch, char *error, size_t error_size)
{
    for (unsigned i = 0; i < 3; i++) {
        uint32_t groups = launch->global[i] / launch->local[i];

        if (launch->first_group[i] >= groups ||
            launch->group_count[i] > groups - launch->first_group[i])
            return image_error(error, error_size,
                               "%u work-groups from the one with id %u, in dimension %u: the "
                               "launch has %u",
                               launch->group_count[i], launch->first_group[i], i, groups);
    }
    return 0;
}

static int check_slm(const struct vesim_device *device, uint64_t bytes, char *error,
                     size_t error_size)
{
    if (bytes <= device->slm_bytes_per_xe_core)
        return 0;
    return image_error(error, error_size,
                       "a work-group needs %llu bytes of shared local memory, an Xe-core has %llu",
                       (unsigned long long)bytes,
                       (unsigned long long)device->slm_bytes_per_xe_core);
}

static int check_arguments(const struct vesim_device *device, const struct zebin_kernel *kernel,
                           const struct vesim_launch *launch, char *error, size_t error_size)
{
    if (launch->argument_count < kernel->argument_count ||
        launch->argument_count > VESIM_ARGUMENTS_MAX)
        return image_error(error, error_size, "the kernel has %u arguments, but %zu are given",
                           kernel->argument_count, launch->argument_count);
    for (size_t i = 0; i < launch->argument_count; i++) {
        if (check_slm(device, launch->arguments[i].local_bytes, error, error_size))
            return -1;
    }
    return 0;
}

static int add_memory(struct launch_image *image, const struct address_space *memory, char *error,
                      size_t error_size)
{
    for (size_t i = 0; i < memory->count; i++) {
        const struct mapping *mapping = &memory->mappings[i];

        if (mapping->address < LAUNCH_ADDRESS_END &&
            mapping->address + mapping->size > LAUNCH_ADDRESS_FIRST)
            return image_error(error, error_size,
                               "memory is mapped at 0x%llx; a launch needs 0x%llx to 0x%llx for "
                               "itself",
                               (unsigned long long)mapping->address,
                               (unsigned long long)LAUNCH_ADDRESS_FIRST,
                               (unsigned long long)LAUNCH_ADDRESS_END - 1);
    }
    if (address_space_copy(&image->space, memory))
        return image_error(error, error_size, "out of memory");
    return 0;
}

static int fill(struct launch_image *image, const struct vesim_device *device,
                const struct zebin_kernel *kernel, const struct vesim_launch *launch,
                const uint32_t *offsets, char *error, size_t error_size)
{
    uint8_t *code = map_new(image, CODE_ADDRESS, kernel->code_bytes + 4096);
    uint8_t *surfaces = map_new(image, SURFACES_ADDRESS, SURFACES_BYTES);
    bool mapped = code && surfaces && add_scratch(image, device, kernel, surfaces) &&
                  add_private(image, device, kernel) &&
                  write_indirect(image, device, kernel, launch, offsets);

    if (!mapped)
        return image_error(error, error_size, "out of memory for a launch");
    memcpy(code, kernel->code, kernel->code_bytes);
    write_surfaces(image, kernel, launch, surfaces);
    return 0;
}

int launch_image_make(struct launch_image *image, const struct vesim_device *device,
                      const struct zebin_kernel *kernel, const struct vesim_launch *launch,
                      const struct address_space *memory, char *error, size_t error_size)
{
    uint32_t offsets[VESIM_ARGUMENTS_MAX] = {0};

    memset(image, 0, sizeof(*image));
    if (check_sizes(device, kernel, launch, error, error_size) ||
        check_groups(launch, error, error_size) ||
        check_arguments(device, kernel, launch, error, error_size))
        return -1;
    uint64_t slm_bytes = allocate_locals(kernel, launch, offsets);
    if (check_slm(device, slm_bytes, error, error_size))
        return -1;
    fill_walker(&image->walker, device, kernel, launch);
    image->walker.slm_bytes = slm_bytes ? power_of_two(SLM_LEAST, (uint32_t)slm_bytes) : 0;
    if (add_memory(image, memory, error, error_size) == 0 &&
        fill(image, device, kernel, launch, offsets, error, error_size) == 0)
        return 0;
    launch_image_free(image);
    return -1;
}

void launch_image_free(struct launch_image *image)
{
    address_space_release(&image->space);
    while (image->owned_count > 0)
        free(image->owned[--image->owned_count]);
}
