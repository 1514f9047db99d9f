/* include/vebench/measure.h on the simulated GPU, whose kernels take planted times: a launch of a
 * barrier kernel of the caller's is timed as planted, a wrong result and a lost device are refused
 * with a reason, and nothing is left behind. The simulated
 * GPU is preloaded, and found as libze_loader.so.1. */
#include "planted.h"

#include <vebench/measure.h>

#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS         64u
#define GROUPS        2u
#define ITERATIONS    2000u
#define LAUNCH_CYCLES 4800.0 /* settings.h */
#define MHZ           2400.0
#define KERNEL        "barrier_work_group_both"

static unsigned failures;

static void expect(bool so, const char *what)
{
    if (so)
        return;
    failures++;
    printf("NOT SO: %s\n", what);
}

/* A function of the preloaded library, by the type that the headers declare for its name. */
#define ZE(name) (**(__typeof__(&name) *)find(#name))

static void *find(const char *name)
{
    static void *symbol;

    symbol = dlsym(RTLD_DEFAULT, name);
    if (!symbol) {
        printf("%s is not preloaded\n", name);
        exit(EXIT_FAILURE);
    }
    return &symbol;
}

struct program {
    ze_context_handle_t context;
    ze_device_handle_t device;
    ze_command_queue_handle_t queue;
    ze_module_handle_t module;
    ze_kernel_handle_t kernel;
    uint32_t *data, *witness;
    unsigned launches; /* that after() was told of */
    bool is_wrong;
};

static void open_device(struct program *p)
{
    const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_driver_handle_t driver;
    uint32_t one = 1;

    ZE(zeInit)(0);
    ZE(zeDriverGet)(&one, &driver);
    one = 1;
    ZE(zeDeviceGet)(driver, &one, &p->device);
    ZE(zeContextCreate)(driver, &context, &p->context);
    ZE(zeCommandQueueCreate)(p->context, p->device, &queue, &p->queue);
}

/* With two buffers as its first arguments, and `count` numbers behind them. */
static void load_kernel(struct program *p, const char *name, const uint32_t *numbers,
                        uint32_t count)
{
    /* All that the simulated driver reads of SPIR-V: its magic number, and the name. */
    struct {
        uint32_t magic;
        char name[60];
    } module_text = {.magic = 0x07230203};
    const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                          .inputSize = sizeof(module_text),
                                          .pInputModule = (const uint8_t *)&module_text};
    const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};

    snprintf(module_text.name, sizeof(module_text.name), "%s", name);
    expect(!ZE(zeModuleCreate)(p->context, p->device, &module_desc, &p->module, NULL) &&
               !ZE(zeKernelCreate)(p->module, &desc, &p->kernel),
           "there is a kernel");
    p->data = calloc(ITEMS * GROUPS, sizeof(*p->data));
    p->witness = calloc(ITEMS * GROUPS, sizeof(*p->witness));
    ZE(zeKernelSetArgumentValue)(p->kernel, 0, sizeof(p->data), &p->data);
    ZE(zeKernelSetArgumentValue)(p->kernel, 1, sizeof(p->witness), &p->witness);
    for (uint32_t i = 0; i < count; i++)
        ZE(zeKernelSetArgumentValue)(p->kernel, 2 + i, sizeof(numbers[i]), &numbers[i]);
}

static void load_barrier(struct program *p)
{
    static const uint32_t numbers[] = {0, ITERATIONS, 1, ITEMS - 1, ITEMS - 1};

    load_kernel(p, KERNEL, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

/* The kernel has run at this size of work-groups, and its work-items say so. */
static int after(void *context)
{
    struct program *p = context;
    bool ran = p->witness[0] > 0 && p->witness[ITEMS * GROUPS - 1] > 0;

    p->launches++;
    memset(p->witness, 0, ITEMS * GROUPS * sizeof(*p->witness));
    return p->is_wrong || !ran ? -1 : 0;
}

static struct vebench_launch launch_of(struct program *p)
{
    return (struct vebench_launch){
        .kernel = p->kernel, .local = {ITEMS}, .groups = {1, GROUPS}, .after = after, .context = p};
}

static bool is_near(double value, double wanted, double relative)
{
    return fabs(value / wanted - 1.0) <= relative;
}

static void look_at(const struct vebench_measured *m, bool is_quiet)
{
    double cycles = LAUNCH_CYCLES + ITERATIONS * planted_barrier_cycles(KERNEL, ITEMS / 16);
    double ns = cycles * 1e3 / MHZ;

    expect(m->is_reliable && !m->reason[0], m->reason[0] ? m->reason : "it is reliable");
    expect(is_near(m->ns, ns, is_quiet ? 2e-4 : 0.005), "the time is the planted one");
    expect(m->ci95_low_ns < m->ns && m->ns < m->ci95_high_ns, "it is in its interval");
    expect(is_near(m->ci95_low_ns, ns, 0.01) && is_near(m->ci95_high_ns, ns, 0.01),
           "which is narrow");
    expect(m->min_ns <= m->median_ns && m->median_ns <= m->max_ns, "quantiles are in order");
    expect(is_near(m->min_ns, ns, is_quiet ? 2e-4 : 0.05) && is_near(m->max_ns, ns, 0.05),
           "and near it");
    expect(is_near(m->clock_mhz, MHZ, 0.005) && m->clock_counted && m->clock_spread < 0.02,
           "the clock is counted");
    expect(is_near(m->cycles, m->ns * m->clock_mhz / 1e3, 1e-9), "cycles are those of that clock");
    expect(!m->is_emulated, "it is a GPU");
    expect(m->lanes == 16 && m->spill_bytes == 0, "of the kernel");
    /* 17 us on the way there and back, and calls; nothing holds the clock above that at idle. */
    expect(m->host_ns > ns + 17e3 && m->host_ns < ns * (is_quiet ? 1.0 : 4.1) + 40e3,
           "the host waits longer");
}

static void measure(struct vebench_meter *meter, struct program *p, bool is_quiet)
{
    const struct vebench_launch launch = launch_of(p);
    struct vebench_rounds rounds = {.least = 12, .most = 12};
    struct vebench_measured first, m;
    char error[200] = "";

    expect(!vebench_meter_measure(meter, &launch, NULL, &first, error, sizeof(error)), error);
    look_at(&first, is_quiet);
    expect(first.launches >= 10, "ten launches at least");
    p->launches = 0;
    expect(!vebench_meter_measure(meter, &launch, &rounds, &m, error, sizeof(error)), error);
    look_at(&m, is_quiet);
    expect(m.launches == 12, "as many launches as asked for");
    unsigned with_ten = p->launches;
    rounds.host_launches = 3;
    p->launches = 0;
    expect(!vebench_meter_measure(meter, &launch, &rounds, &m, error, sizeof(error)), error);
    expect(p->launches == with_ten - 7, "three host launches instead of ten");
}

/* However often it measures, it keeps no memory. A few times pass until the C library has what it
 * keeps for itself. */
static void measure_again(struct vebench_meter *meter, struct program *p)
{
    const struct vebench_launch launch = launch_of(p);
    struct vebench_measured m;
    char error[200] = "";
    size_t used = 0;

    for (unsigned i = 0; i < 20; i++) {
        if (i == 10)
            used = mallinfo2().uordblks;
        expect(!vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error)), error);
    }
    expect(mallinfo2().uordblks <= used, "no memory is kept");
}

/* The kernel has run once since it was asked last: each work-group has counted itself. */
static int after_counted(void *context)
{
    struct program *p = context;
    bool once = p->data[0] == GROUPS;

    memset(p->data, 0, ITEMS * GROUPS * sizeof(*p->data));
    return once ? 0 : -1;
}

/* No launch goes unseen: the program puts back what each of them changes. */
static void measure_counted(struct vebench_meter *meter, const struct program *with)
{
    static const uint32_t first = 0;
    struct program p = *with;
    struct vebench_launch launch = launch_of(&p);
    struct vebench_measured m;
    char error[200] = "";

    load_kernel(&p, "launch_counted", &first, 1);
    launch.kernel = p.kernel;
    launch.after = after_counted;
    expect(!vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error)), error);
    ZE(zeKernelDestroy)(p.kernel);
    ZE(zeModuleDestroy)(p.module);
    free(p.data);
    free(p.witness);
}

/* Of a device that Level Zero does not list. */
static void refuse_device(const struct program *p)
{
    const struct vebench_meter_of of = {
        .context = p->context, .device = (ze_device_handle_t)(void *)&failures, .queue = p->queue};
    struct vebench_meter *meter = NULL;
    char error[200] = "";

    expect(vebench_meter_open(&meter, &of, error, sizeof(error)) == -1 && !meter &&
               strstr(error, "none of the Intel GPUs that Level Zero lists"),
           error);
    vebench_meter_close(meter);
}

static void refuse(struct vebench_meter *meter, struct program *p)
{
    const struct vebench_launch launch = launch_of(p);
    struct vebench_measured m;
    char error[200] = "", tiny[8];

    p->is_wrong = true;
    expect(vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error)) == -1 &&
               strstr(error, "the program says that the result is wrong"),
           "a wrong result is an error");
    expect(vebench_meter_measure(meter, &launch, NULL, &m, tiny, sizeof(tiny)) == -1 &&
               strlen(tiny) == sizeof(tiny) - 1,
           "its text ends where the caller's memory does");
    expect(m.ns == 0.0 && m.launches == 0, "and there are no figures");
    p->is_wrong = false;
    expect(!vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error)),
           "the meter is still of use");
}

/* Without a warm-up there are times all the same, which are not called reliable, with the reason.
 */
static void measure_cold(struct vebench_meter *meter, struct program *p)
{
    const struct vebench_launch launch = launch_of(p);
    double ns =
        (LAUNCH_CYCLES + ITERATIONS * planted_barrier_cycles(KERNEL, ITEMS / 16)) * 1e3 / MHZ;
    struct vebench_measured m;
    char error[200] = "";

    expect(!vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error)), error);
    expect(!m.is_reliable && strstr(m.reason, "warm"), m.reason);
    expect(m.launches >= 10 && is_near(m.ns, ns, 2e-4), "the times are there");
}

/* A call of the driver fails in one of the measurements: an error with the call's name, no figures,
 * and a meter that is of use as before. */
static void measure_failing(struct vebench_meter *meter, struct program *p)
{
    const struct vebench_launch launch = launch_of(p);
    unsigned failed = 0;

    for (unsigned i = 0; i < 4; i++) {
        struct vebench_measured m;
        char error[200] = "";

        if (!vebench_meter_measure(meter, &launch, NULL, &m, error, sizeof(error))) {
            look_at(&m, true);
            continue;
        }
        failed++;
        expect(strstr(error, "zeKernelSetGroupSize"), error);
        expect(m.ns == 0.0 && m.launches == 0 && m.host_ns == 0.0, "there are no figures");
    }
    expect(failed == 1, "one fails");
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "quiet";
    bool is_quiet = strcmp(mode, "noisy") != 0;
    struct program p = {0};
    struct vebench_meter *meter = NULL;
    char error[200] = "";

    open_device(&p);
    load_barrier(&p);
    const unsigned *objects = dlsym(RTLD_DEFAULT, "simulated_objects"), before = *objects;
    const struct vebench_meter_of of = {.context = p.context, .device = p.device, .queue = p.queue};
    if (!strcmp(mode, "refused")) {
        expect(vebench_meter_open(&meter, &of, error, sizeof(error)) == -1 && !meter &&
                   strstr(error, "zeEventPoolCreate"),
               "what cannot be opened is refused, with the call");
        expect(*objects == before, "and nothing is left");
        vebench_meter_close(meter);
        return failures ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    expect(!vebench_meter_open(&meter, &of, error, sizeof(error)) && meter, error);
    if (meter && !strcmp(mode, "cold")) {
        measure_cold(meter, &p);
    } else if (meter && !strcmp(mode, "failing")) {
        measure_failing(meter, &p);
    } else if (meter) {
        measure(meter, &p, is_quiet);
        refuse(meter, &p);
        measure_again(meter, &p);
        measure_counted(meter, &p);
        refuse_device(&p);
    }
    vebench_meter_close(meter);
    expect(*objects == before, "nothing of the meter is left");
    expect(strstr(vebench_measure_version(), "."), "there is a version");
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
