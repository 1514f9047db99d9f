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
#define KERNELS_MAX     4
#define LEAD            99u /* variant of the lead's kernel */
#define PAGE_BYTES      4096u

struct fake_device fake;

struct copy {
    void *to;
    const void *from;
    size_t bytes, rows, pitch; /* bytes of a row */
    bool after_kernel;
};

/* The one list, the one kernel in it, and the arguments as set last. */
static struct {
    struct copy copies[COPIES_MAX];
    size_t copy_count;
    size_t kernels[KERNELS_MAX];        /* of the list: variants */
    uint32_t kernel_spins[KERNELS_MAX]; /* iterations of a lead */
    size_t kernel_count;
    uint64_t *kernel_cycles[KERNELS_MAX]; /* where each of the leads writes what it counts */
    bool bridges, awake;   /* a bridge follows the list, or was behind the last one */
    double awake_since_ns; /* then */
    size_t variant;        /* of the last that is not a lead, or LEAD */
    uint32_t group_size, group_count, spins;
    uint64_t arguments[ARGUMENTS];
    size_t argument_bytes[ARGUMENTS];
    struct device device;
    unsigned handles[FAKE_VARIANTS + 1]; /* their addresses serve as kernel handles */
    unsigned events[KERNELS_MAX];
    struct lead lead;
    uint64_t cycles[LEAD_PARTS];
    uint64_t *cycles_at; /* where the lead's kernel writes them */
    double now_ns;
    struct prng noise;
    ze_kernel_timestamp_result_t stamps[KERNELS_MAX];
    void *allocations[ALLOCATIONS_MAX];
    bool is_active;              /* the group of counters */
    size_t query_from, query_to; /* kernels of the list before its ends; equal: there is none */
    double query_ns;
    uint64_t query_iterations;
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

/* Bridges are lists of their own: the one list of the measurements has no handle. */
static ze_result_t ZE_APICALL list_create(ze_context_handle_t context, ze_device_handle_t device,
                                          const ze_command_list_desc_t *desc,
                                          ze_command_list_handle_t *list)
{
    static unsigned bridges;

    (void)context;
    (void)device;
    (void)desc;
    *list = (ze_command_list_handle_t)(void *)&bridges;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL list_destroy(ze_command_list_handle_t list)
{
    (void)list;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL queue_groups(ze_device_handle_t device, uint32_t *count,
                                           ze_command_queue_group_properties_t *groups)
{
    (void)device;
    if (groups && *count > 0)
        groups->flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
    *count = 1;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL list_reset(ze_command_list_handle_t list)
{
    if (list)
        return ZE_RESULT_SUCCESS;
    machine.copy_count = 0;
    machine.kernel_count = 0;
    machine.query_from = machine.query_to = 0;
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
    struct copy copy = {to, from, bytes, 1, 0, machine.kernel_count > 0};

    (void)list;
    (void)signal;
    (void)count;
    (void)events;
    if (machine.copy_count == COPIES_MAX)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    machine.copies[machine.copy_count++] = copy;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL append_copy_rows(
    ze_command_list_handle_t list, void *to, const ze_copy_region_t *to_region, uint32_t to_pitch,
    uint32_t to_slice, const void *from, const ze_copy_region_t *from_region, uint32_t from_pitch,
    uint32_t from_slice, ze_event_handle_t signal, uint32_t count, ze_event_handle_t *events)
{
    size_t last = machine.copy_count;

    if (memcmp(to_region, from_region, sizeof(*to_region)) || to_pitch != from_pitch)
        return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    ze_result_t result = append_copy(list, to, from, to_region->width, signal, count, events);

    (void)to_slice;
    (void)from_slice;
    if (result == ZE_RESULT_SUCCESS) {
        machine.copies[last].rows = to_region->height;
        machine.copies[last].pitch = to_pitch;
    }
    return result;
}

static ze_result_t ZE_APICALL append_kernel(ze_command_list_handle_t list,
                                            ze_kernel_handle_t kernel,
                                            const ze_group_count_t *groups,
                                            ze_event_handle_t signal, uint32_t count,
                                            ze_event_handle_t *events)
{
    size_t variant = (size_t)((unsigned *)(void *)kernel - machine.handles);

    (void)signal;
    (void)count;
    (void)events;
    if (list) {
        machine.bridges = true;
        return ZE_RESULT_SUCCESS;
    }
    if (machine.kernel_count == KERNELS_MAX)
        return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    if (variant != FAKE_VARIANTS) {
        machine.variant = variant;
        machine.group_count = groups->groupCountX;
    } else if (machine.kernel_count == 0) {
        machine.variant = LEAD;
    }
    machine.kernels[machine.kernel_count] = variant == FAKE_VARIANTS ? LEAD : variant;
    machine.kernel_cycles[machine.kernel_count] = machine.cycles_at;
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
        const struct copy *copy = &machine.copies[i];

        for (size_t row = 0; copy->after_kernel == after_kernel && row < copy->rows; row++)
            memcpy((unsigned char *)copy->to + row * copy->pitch,
                   (const unsigned char *)copy->from + row * copy->pitch, copy->bytes);
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

/* What the query of the list sees of a kernel. */
static void count(size_t kernel, double ns, uint32_t iterations)
{
    if (kernel < machine.query_from || kernel >= machine.query_to)
        return;
    machine.query_ns += ns;
    machine.query_iterations += machine.kernels[kernel] == LEAD ? 1000000 : iterations;
}

/* One kernel after the other; the device has been idle before. */
static void keep_time(uint32_t iterations)
{
    double began = machine.awake ? machine.awake_since_ns : machine.now_ns;
    bool is_counted = machine.query_to > machine.query_from;

    machine.query_ns = 0.0;
    machine.query_iterations = 0;
    fake.counted += is_counted;
    fake.disturbed += machine.is_active && !is_counted;
    for (size_t k = 0; k < machine.kernel_count; k++) {
        double start = machine.now_ns;
        double ns = takes(machine.kernels[k], machine.kernel_spins[k], iterations);
        double end = start + (fake.distort ? fake.distort(start, start - began, ns) : ns);

        stamp(k, start, end);
        count(k, end - start, iterations);
        machine.now_ns = end;
        if (end - start > fake.longest_ns)
            fake.longest_ns = end - start;
        if (machine.kernels[k] == LEAD)
            *machine.kernel_cycles[k] = (uint64_t)(machine.kernel_spins[k] * fake.spin_cycles);
    }
    machine.awake = machine.bridges;
    machine.awake_since_ns = began;
    machine.bridges = false;
    /* An odd gap, so that launches start at every phase of the tick. */
    machine.now_ns += 1237.7;
    fake.launches++;
    fake.spins += machine.variant == LEAD;
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

enum { TIMED_GROUP, COUNTING_GROUP, GROUPS };
enum { DURATION, ITERATIONS, RATE, SHARE, IS_BUSY, IS_IDLE, COUNTERS = FAKE_COUNTER_COUNT };

static unsigned groups[GROUPS], counters[COUNTERS]; /* their addresses serve as handles */

static ze_result_t ZE_APICALL get_groups(zet_device_handle_t device, uint32_t *count,
                                         zet_metric_group_handle_t *handles)
{
    (void)device;
    for (uint32_t i = 0; handles && i < *count && i < GROUPS; i++)
        handles[i] = (zet_metric_group_handle_t)(void *)&groups[i];
    *count = fake.has_no_counters ? 0 : GROUPS;
    return interfere("zetMetricGroupGet");
}

static ze_result_t ZE_APICALL group_properties(zet_metric_group_handle_t group,
                                               zet_metric_group_properties_t *properties)
{
    bool counts = (void *)group == &groups[COUNTING_GROUP];

    strcpy(properties->name, FAKE_COUNTERS);
    strcpy(properties->description, "the fake device's");
    properties->samplingType = counts ? ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED
                                      : ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED;
    properties->metricCount = COUNTERS;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL get_counters(zet_metric_group_handle_t group, uint32_t *count,
                                           zet_metric_handle_t *handles)
{
    (void)group;
    for (uint32_t i = 0; handles && i < *count && i < COUNTERS; i++)
        handles[i] = (zet_metric_handle_t)(void *)&counters[i];
    *count = COUNTERS;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL counter_properties(zet_metric_handle_t counter,
                                                 zet_metric_properties_t *properties)
{
    static const struct {
        const char *name, *unit;
        zet_metric_type_t type;
    } known[COUNTERS] = {
        [DURATION] = {"GpuTime", "ns", ZET_METRIC_TYPE_DURATION},
        [ITERATIONS] = {"Iterations", "events", ZET_METRIC_TYPE_EVENT},
        [RATE] = {"Rate", "kHz", ZET_METRIC_TYPE_RATIO},
        [SHARE] = {"Share", "percent", ZET_METRIC_TYPE_RATIO},
        [IS_BUSY] = {"IsBusy", "", ZET_METRIC_TYPE_FLAG},
        [IS_IDLE] = {"IsIdle", "", ZET_METRIC_TYPE_FLAG},
    };
    size_t i = (size_t)((unsigned *)(void *)counter - counters);

    strcpy(properties->name, known[i].name);
    strcpy(properties->resultUnits, known[i].unit);
    properties->metricType = known[i].type;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL activate_groups(zet_context_handle_t context,
                                              zet_device_handle_t device, uint32_t count,
                                              zet_metric_group_handle_t *handles)
{
    (void)context;
    (void)device;
    (void)handles;
    machine.is_active = count > 0;
    return interfere("zetContextActivateMetricGroups");
}

static ze_result_t ZE_APICALL create_pool(zet_context_handle_t context, zet_device_handle_t device,
                                          zet_metric_group_handle_t group,
                                          const zet_metric_query_pool_desc_t *desc,
                                          zet_metric_query_pool_handle_t *pool)
{
    (void)context;
    (void)device;
    (void)desc;
    *pool = (zet_metric_query_pool_handle_t)(void *)group;
    return machine.is_active ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_NOT_AVAILABLE;
}

static ze_result_t ZE_APICALL destroy_pool(zet_metric_query_pool_handle_t pool)
{
    (void)pool;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL create_query(zet_metric_query_pool_handle_t pool, uint32_t index,
                                           zet_metric_query_handle_t *query)
{
    (void)index;
    *query = (zet_metric_query_handle_t)(void *)pool;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL use_query(zet_metric_query_handle_t query)
{
    (void)query;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL query_begins(zet_command_list_handle_t list,
                                           zet_metric_query_handle_t query)
{
    (void)list;
    (void)query;
    machine.query_from = machine.kernel_count;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL query_ends(zet_command_list_handle_t list,
                                         zet_metric_query_handle_t query, ze_event_handle_t signal,
                                         uint32_t count_of_events, ze_event_handle_t *events)
{
    (void)list;
    (void)query;
    (void)signal;
    machine.query_to = machine.kernel_count;
    return count_of_events || events ? ZE_RESULT_ERROR_INVALID_SIZE : ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL query_data(zet_metric_query_handle_t query, size_t *bytes,
                                         uint8_t *data)
{
    uint64_t raw[] = {(uint64_t)machine.query_ns, machine.query_iterations};

    (void)query;
    if (data)
        memcpy(data, raw, *bytes < sizeof(raw) ? *bytes : sizeof(raw));
    *bytes = fake.has_no_counts ? 0 : sizeof(raw);
    return interfere("zetMetricQueryGetData");
}

static ze_result_t ZE_APICALL calculate(zet_metric_group_handle_t group,
                                        zet_metric_group_calculation_type_t type, size_t bytes,
                                        const uint8_t *data, uint32_t *count_of_values,
                                        zet_typed_value_t *values)
{
    uint64_t raw[2];

    (void)group;
    (void)type;
    if (bytes != sizeof(raw) || *count_of_values < COUNTERS)
        return ZE_RESULT_ERROR_INVALID_SIZE;
    memcpy(raw, data, sizeof(raw));
    *count_of_values = COUNTERS;
    values[DURATION].type = ZET_VALUE_TYPE_UINT64;
    values[DURATION].value.ui64 = raw[0];
    values[ITERATIONS].type = ZET_VALUE_TYPE_UINT32;
    values[ITERATIONS].value.ui32 = (uint32_t)raw[1];
    values[RATE].type = ZET_VALUE_TYPE_FLOAT32;
    values[RATE].value.fp32 = 1e6f * (float)raw[1] / (float)raw[0];
    values[SHARE].type = ZET_VALUE_TYPE_FLOAT64;
    values[SHARE].value.fp64 = 12.5;
    values[IS_BUSY].type = values[IS_IDLE].type = ZET_VALUE_TYPE_BOOL8;
    values[IS_BUSY].value.b8 = 1;
    values[IS_IDLE].value.b8 = 0;
    return ZE_RESULT_SUCCESS;
}

/* Rounded up to whole pages, and to one at least. */
static size_t pages(size_t bytes)
{
    return (bytes / PAGE_BYTES + 1) * PAGE_BYTES;
}

bool fake_unmap_results(void)
{
    bool any = false;

    for (size_t i = 0; i < machine.copy_count; i++) {
        if (!machine.copies[i].after_kernel)
            continue;
        mprotect(machine.copies[i].to, pages(machine.copies[i].bytes), PROT_NONE);
        any = true;
    }
    return any;
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
    machine.lead.cycles = machine.cycles;
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
    session->is_deterministic = true;
    session->timer.hz = HZ;
    session->timer.valid_bits = 32;
    session->timeout_ns = 1000000000u;
    for (size_t i = 0; i < KERNELS_MAX; i++)
        session->events[0].timed[i] = (ze_event_handle_t)(void *)&machine.events[i];
    session->ze.zeEventHostReset = event_host_reset;
    session->ze.zeCommandListCreate = list_create;
    session->ze.zeCommandListDestroy = list_destroy;
    session->ze.zeDeviceGetCommandQueueGroupProperties = queue_groups;
    session->ze.zeCommandListReset = list_reset;
    session->ze.zeCommandListClose = list_close;
    session->ze.zeCommandListAppendBarrier = append_barrier;
    session->ze.zeCommandListAppendMemoryCopy = append_copy;
    session->ze.zeCommandListAppendMemoryCopyRegion = append_copy_rows;
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

    session->ze.zetMetricGroupGet = get_groups;
    session->ze.zetMetricGroupGetProperties = group_properties;
    session->ze.zetMetricGroupCalculateMetricValues = calculate;
    session->ze.zetMetricGet = get_counters;
    session->ze.zetMetricGetProperties = counter_properties;
    session->ze.zetContextActivateMetricGroups = activate_groups;
    session->ze.zetMetricQueryPoolCreate = create_pool;
    session->ze.zetMetricQueryPoolDestroy = destroy_pool;
    session->ze.zetMetricQueryCreate = create_query;
    session->ze.zetMetricQueryDestroy = use_query;
    session->ze.zetMetricQueryReset = use_query;
    session->ze.zetMetricQueryGetData = query_data;
    session->ze.zetCommandListAppendMetricQueryBegin = query_begins;
    session->ze.zetCommandListAppendMetricQueryEnd = query_ends;

    memset(kernels, 0, FAKE_VARIANTS * sizeof(*kernels));
    for (size_t v = 0; v < FAKE_VARIANTS; v++) {
        kernels[v].handle = fake_kernel(v);
        kernels[v].compiled_subgroup_size = 16;
        kernels[v].max_group_size = 512;
    }
}

static size_t buffer_bytes(const struct configuration *configuration)
{
    (void)configuration;
    return 64;
}

const struct buffer_plan fake_buffers[1] = {{"out", BUFFER_OUTPUT, buffer_bytes}};

void fake_arguments(const struct workspace *workspace, const struct launch *launch,
                    struct arguments *list)
{
    argument_buffer(list, workspace, 0);
    argument_uint(list, 0);
    argument_uint(list, 0);
    argument_uint(list, launch->iterations);
}

enum status fake_verify(struct workspace *workspace, const struct launch *launch,
                        struct error *error)
{
    (void)workspace;
    (void)launch;
    (void)error;
    return STATUS_OK;
}
