#include "fake-ze.h"

#include "barrier-simulation.h"
#include "base/prng.h"
#include "measure/lead.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HZ              19200000u
#define COPIES_MAX      8
#define ARGUMENTS       7
#define ALLOCATIONS_MAX 64
#define KERNELS_MAX     2
#define LEAD            99u /* variant of the lead's kernel */
#define PAGE_BYTES      4096u

struct fake_device fake;

struct copy {
    void *to;
    const void *from;
    size_t bytes;
    bool after_kernel;
};

/* The one list, the one kernel in it, and the arguments as set last. */
static struct {
    struct copy copies[COPIES_MAX];
    size_t copy_count;
    size_t kernels[KERNELS_MAX];        /* of the list: variants */
    uint32_t kernel_spins[KERNELS_MAX]; /* iterations of a lead */
    size_t kernel_count;
    size_t variant; /* of the last */
    uint32_t group_size, group_count, spins;
    uint64_t arguments[ARGUMENTS];
    size_t argument_bytes[ARGUMENTS];
    struct device device;
    unsigned handles[FAKE_VARIANTS + 1]; /* their addresses serve as kernel handles */
    unsigned events[KERNELS_MAX];
    struct lead lead;
    uint64_t cycles;
    uint64_t *cycles_at; /* where the lead's kernel writes them */
    double now_ns;
    struct prng noise;
    ze_kernel_timestamp_result_t stamps[KERNELS_MAX];
    void *allocations[ALLOCATIONS_MAX];
} machine;

static ze_result_t interfere(const char *call)
{
    return fake.interfere ? fake.interfere(call) : ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL event_host_reset(ze_event_handle_t event)
{
    (void)event;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL list_reset(ze_command_list_handle_t list)
{
    (void)list;
    machine.copy_count = 0;
    machine.kernel_count = 0;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL list_close(ze_command_list_handle_t list)
{
    (void)list;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL append_barrier(ze_command_list_handle_t list,
                                             ze_event_handle_t signal, uint32_t count,
                                             ze_event_handle_t *events)
{
    (void)list;
    (void)signal;
    (void)count;
    (void)events;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL append_copy(ze_command_list_handle_t list, void *to, const void *from,
                                          size_t bytes, ze_event_handle_t signal, uint32_t count,
                                          ze_event_handle_t *events)
{
    struct copy copy = {to, from, bytes, machine.kernel_count > 0};

    (void)list;
    (void)signal;
    (void)count;
    (void)events;
    if (machine.copy_count == COPIES_MAX)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    machine.copies[machine.copy_count++] = copy;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL append_kernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            const ze_group_count_t *groups,
                                            ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t *events)
{
    size_t variant = (size_t)((unsigned *)(void *)kernel - machine.handles);

    (void)list;
    (void)signal;
    (void)count;
    (void)events;
    if (machine.kernel_count == KERNELS_MAX)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    machine.variant = variant == FAKE_VARIANTS ? LEAD : variant;
    if (machine.variant != LEAD)
        machine.group_count = groups->groupCountX;
    machine.kernels[machine.kernel_count] = machine.variant;
    machine.kernel_spins[machine.kernel_count++] = machine.spins;
    return ZE_RESULT_SUCCESS;
}

static bool is_lead(ze_kernel_handle_t kernel)
{
    return (void *)kernel == &machine.handles[FAKE_VARIANTS];
}

static ze_result_t ZE_APICALL set_group_size(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
                                             uint32_t z)
{
    (void)y;
    (void)z;
    if (!is_lead(kernel))
        machine.group_size = x;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL set_argument(ze_kernel_handle_t kernel, uint32_t index, size_t bytes,
                                           const void *value)
{
    if (is_lead(kernel)) {
        if (index == 0)
            memcpy(&machine.cycles_at, value, sizeof(machine.cycles_at));
        else if (index == 1)
            memcpy(&machine.spins, value, sizeof(machine.spins));
        return ZE_RESULT_SUCCESS;
    }
    if (index >= ARGUMENTS || (value && bytes > sizeof(machine.arguments[0])))
        return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX;
    machine.argument_bytes[index] = bytes;
    machine.arguments[index] = 0;
    if (value)
        memcpy(&machine.arguments[index], value, bytes);
    return ZE_RESULT_SUCCESS;
}

static void run_copies(bool after_kernel)
{
    for (size_t i = 0; i < machine.copy_count; i++) {
        if (machine.copies[i].after_kernel == after_kernel)
            memcpy(machine.copies[i].to, machine.copies[i].from, machine.copies[i].bytes);
    }
}

static uint32_t argument(size_t index)
{
    return (uint32_t)machine.arguments[index];
}

static void run_kernel(void)
{
    struct barrier_arguments a = {machine.group_size, machine.group_count, argument(3),
                                  argument(4),        argument(5),         argument(6)};
    unsigned subgroup_size = machine.device.subgroup_sizes[0];
    bool proof = a.local_mask >= subgroup_size || a.global_mask >= subgroup_size;
    uint32_t *data;
    uint32_t *witness;

    memcpy(&data, &machine.arguments[0], sizeof(data));
    memcpy(&witness, &machine.arguments[1], sizeof(witness));
    barrier_simulate(&a, data);
    for (size_t i = 0; i < (size_t)a.workgroup_size * a.workgroup_count; i++)
        witness[i] = fake.witness ? fake.witness : subgroup_size;
    if (machine.variant == fake.wrong_data_variant || fake.wrong_data_variant == FAKE_ANY_VARIANT ||
        (proof && machine.variant == fake.wrong_proof_variant))
        data[a.workgroup_size / 2] ^= 1;
}

static uint64_t ticks_at(double ns)
{
    return (uint64_t)(ns * HZ / 1e9) & 0xffffffffu;
}

static double takes(size_t variant, uint32_t spins, uint32_t iterations)
{
    double noise = fake.noise_ns * (double)prng_below(&machine.noise, 1000000) / 1e6;

    if (variant == LEAD)
        return fake.launch_ns + spins * fake.spin_ns;
    return fake.launch_ns + iterations * fake.iteration_ns[variant] + noise;
}

static void stamp(size_t kernel, double start, double end)
{
    double shift = fake.separate_domains ? 1e6 : 0.0;
    ze_kernel_timestamp_result_t *stamps = &machine.stamps[kernel];

    if (fake.repeats_timestamps && fake.launches > 0)
        return;
    stamps->context.kernelStart = ticks_at(start);
    stamps->context.kernelEnd = ticks_at(end);
    stamps->global.kernelStart = ticks_at(start + shift);
    stamps->global.kernelEnd = ticks_at(end + shift);
}

/* One kernel after the other; the device has been idle before. */
static void keep_time(uint32_t iterations)
{
    double began = machine.now_ns;

    for (size_t k = 0; k < machine.kernel_count; k++) {
        double start = machine.now_ns;
        double ns = takes(machine.kernels[k], machine.kernel_spins[k], iterations);
        double end = start + (fake.distort ? fake.distort(start, start - began, ns) : ns);

        stamp(k, start, end);
        machine.now_ns = end;
        if (end - start > fake.longest_ns)
            fake.longest_ns = end - start;
        if (machine.kernels[k] == LEAD)
            *machine.cycles_at = (uint64_t)(machine.kernel_spins[k] * fake.spin_cycles);
    }
    /* An odd gap, so that launches start at every phase of the tick. */
    machine.now_ns += 1237.7;
    fake.launches++;
    fake.leads += machine.kernels[0] == LEAD && machine.variant != LEAD;
}

static ze_result_t ZE_APICALL execute(ze_command_queue_handle_t queue, uint32_t count,
                                      ze_command_list_handle_t *lists, ze_fence_handle_t fence)
{
    ze_result_t result = interfere("zeCommandQueueExecuteCommandLists");

    (void)queue;
    (void)count;
    (void)lists;
    (void)fence;
    if (result != ZE_RESULT_SUCCESS)
        return result;
    run_copies(false);
    if (!fake.computes_nothing && machine.variant != LEAD)
        run_kernel();
    run_copies(true);
    keep_time(argument(3));
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL event_wait(ze_event_handle_t event, uint64_t timeout)
{
    (void)event;
    if (!fake.first_wait_ns)
        fake.first_wait_ns = timeout;
    fake.last_wait_ns = timeout;
    if (fake.hangs || (fake.hangs_after && fake.launches >= fake.hangs_after))
        return ZE_RESULT_NOT_READY;
    return interfere("zeEventHostSynchronize");
}

static ze_result_t ZE_APICALL queue_wait(ze_command_queue_handle_t queue, uint64_t timeout)
{
    (void)queue;
    (void)timeout;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL query_timestamp(ze_event_handle_t event,
                                              ze_kernel_timestamp_result_t *result)
{
    ze_result_t interfered = interfere("zeEventQueryKernelTimestamp");

    *result = machine.stamps[(unsigned *)(void *)event - machine.events];
    return interfered;
}

/* Rounded up to whole pages, and to one at least. */
static size_t pages(size_t bytes)
{
    return (bytes / PAGE_BYTES + 1) * PAGE_BYTES;
}

void fake_unmap_results(void)
{
    for (size_t i = 0; i < machine.copy_count; i++) {
        if (machine.copies[i].after_kernel)
            mprotect(machine.copies[i].to, pages(machine.copies[i].bytes), PROT_NONE);
    }
}

static ze_result_t allocate(size_t bytes, void **memory)
{
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        if (!machine.allocations[i]) {
            *memory = machine.allocations[i] = aligned_alloc(PAGE_BYTES, pages(bytes));
            return *memory ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
        }
    }
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

static ze_result_t ZE_APICALL alloc_host(ze_context_handle_t context,
                                         const ze_host_mem_alloc_desc_t *desc, size_t bytes,
                                         size_t alignment, void **memory)
{
    (void)context;
    (void)desc;
    (void)alignment;
    return allocate(bytes, memory);
}

static ze_result_t ZE_APICALL alloc_device(ze_context_handle_t context,
                                           const ze_device_mem_alloc_desc_t *desc, size_t bytes,
                                           size_t alignment, ze_device_handle_t device,
                                           void **memory)
{
    ze_result_t result = interfere("zeMemAllocDevice");

    (void)context;
    (void)desc;
    (void)alignment;
    (void)device;
    return result == ZE_RESULT_SUCCESS ? allocate(bytes, memory) : result;
}

static ze_result_t ZE_APICALL mem_free(ze_context_handle_t context, void *memory)
{
    (void)context;
    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        if (machine.allocations[i] == memory) {
            machine.allocations[i] = NULL;
            free(memory);
            return ZE_RESULT_SUCCESS;
        }
    }
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

size_t fake_close(void)
{
    size_t live = 0;

    for (size_t i = 0; i < ALLOCATIONS_MAX; i++) {
        live += machine.allocations[i] != NULL;
        free(machine.allocations[i]);
        machine.allocations[i] = NULL;
    }
    return live;
}

ze_kernel_handle_t fake_kernel(size_t variant)
{
    return (ze_kernel_handle_t)(void *)&machine.handles[variant];
}

void fake_restart(void)
{
    machine.now_ns = 0.0;
    prng_seed(&machine.noise, 1);
}

void fake_lead(struct session *session)
{
    machine.lead.kernel.handle = fake_kernel(FAKE_VARIANTS);
    machine.lead.kernel.max_group_size = 512;
    machine.lead.iterations = 1;
    machine.lead.settles = true;
    machine.lead.cycles = &machine.cycles;
    machine.lead.counts = fake.spin_cycles > 0.0;
    session->lead = &machine.lead;
}

void fake_open(struct session *session, struct kernel *kernels)
{
    memset(&machine, 0, sizeof(machine));
    memset(&fake, 0, sizeof(fake));
    fake_restart();
    fake.launch_ns = 3000.0;
    fake.spin_ns = 10.0;
    for (size_t v = 0; v < FAKE_VARIANTS; v++)
        fake.iteration_ns[v] = 100.0;
    fake.wrong_data_variant = FAKE_NO_VARIANT;
    fake.wrong_proof_variant = FAKE_NO_VARIANT;

    machine.device.max_group_size = 512;
    machine.device.subgroup_sizes[0] = 16;
    machine.device.subgroup_size_count = 1;
    memset(session, 0, sizeof(*session));
    session->device = &machine.device;
    session->kind = DEVICE_EMULATED;
    session->timer.hz = HZ;
    session->timer.valid_bits = 32;
    session->timeout_ns = 1000000000u;
    for (size_t i = 0; i < KERNELS_MAX; i++)
        session->events[i] = (ze_event_handle_t)(void *)&machine.events[i];
    session->ze.zeEventHostReset = event_host_reset;
    session->ze.zeCommandListReset = list_reset;
    session->ze.zeCommandListClose = list_close;
    session->ze.zeCommandListAppendBarrier = append_barrier;
    session->ze.zeCommandListAppendMemoryCopy = append_copy;
    session->ze.zeCommandListAppendLaunchKernel = append_kernel;
    session->ze.zeKernelSetGroupSize = set_group_size;
    session->ze.zeKernelSetArgumentValue = set_argument;
    session->ze.zeCommandQueueExecuteCommandLists = execute;
    session->ze.zeEventHostSynchronize = event_wait;
    session->ze.zeCommandQueueSynchronize = queue_wait;
    session->ze.zeEventQueryKernelTimestamp = query_timestamp;
    session->ze.zeMemAllocHost = alloc_host;
    session->ze.zeMemAllocDevice = alloc_device;
    session->ze.zeMemFree = mem_free;

    memset(kernels, 0, FAKE_VARIANTS * sizeof(*kernels));
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        kernels[v].handle = fake_kernel(v);
        kernels[v].compiled_subgroup_size = 16;
        kernels[v].max_group_size = 512;
    }
}
