/* A client of the emulator, and one that does everything wrong: test-vesim {DEVICE BINARY}...
 * Devices, each with the kernels compiled for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <vesim/code.h>
#include <vesim/vesim.h>

#define X UINT64_C(0x100000000)
#define Y UINT64_C(0x7fff00000000)

struct binary {
    uint8_t *bytes;
    size_t size;
};

enum { DEVICES_MAX = 16 };

static const char *devices[DEVICES_MAX];
static struct binary binaries[DEVICES_MAX];
static unsigned device_count;
static char error[1024];

static struct vesim_gpu *open_gpu(unsigned which, const struct vesim_settings *settings)
{
    struct vesim_device device;
    struct vesim_gpu *gpu = NULL;

    if (vesim_device_load(&device, devices[which], error, sizeof(error)) ||
        vesim_gpu_open(&gpu, &device, settings, error, sizeof(error)))
        fail_msg("%s", error);
    return gpu;
}

static struct vesim_kernel *load(unsigned which, const char *name)
{
    struct vesim_kernel *kernel = NULL;

    if (vesim_kernel_load(&kernel, binaries[which].bytes, binaries[which].size, name, error,
                          sizeof(error)))
        fail_msg("%s", error);
    return kernel;
}

static void *allocate(struct vesim_gpu *gpu, uint64_t address, size_t bytes)
{
    void *host = vesim_gpu_allocate(gpu, address, bytes, VESIM_MEMORY_DEVICE, error, sizeof(error));

    if (!host)
        fail_msg("%s", error);
    return host;
}

static struct vesim_result run(struct vesim_gpu *gpu, const struct vesim_kernel *kernel,
                               const struct vesim_launch *launch)
{
    struct vesim_result result;
    struct vesim_job *job;

    if (vesim_gpu_launch(gpu, kernel, launch, &job, error, sizeof(error)))
        fail_msg("%s", error);
    vesim_job_wait(job, &result);
    return result;
}

static uint64_t bits_of(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static const struct vesim_argument saxpy_arguments[] = {
    {.value = 0x40000000 /* 2.0f */}, {.value = X}, {.value = Y}};
static const struct vesim_launch saxpy = {
    .global = {256, 1, 1}, .local = {64, 1, 1}, .arguments = saxpy_arguments, .argument_count = 3};

static void launch_computes(void **state)
{
    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_settings settings = vesim_settings_default();
        struct vesim_kernel *kernel = load(which, "saxpy");
        const struct vesim_kernel_properties *properties = vesim_kernel_properties(kernel);
        float *x = aligned_alloc(64, 1024);

        settings.counters = true;
        struct vesim_gpu *gpu = open_gpu(which, &settings);
        assert_true(properties->sub_group_size >= 8);
        assert_int_equal(properties->argument_count, 3);
        assert_int_equal(properties->arguments[0].kind, VESIM_ARGUMENT_NUMBER);
        assert_int_equal(properties->arguments[0].bytes, 4);
        assert_int_equal(properties->arguments[1].kind, VESIM_ARGUMENT_POINTER);
        assert_int_equal(bits_of(2.0f), saxpy_arguments[0].value);
        assert_non_null(x);
        assert_int_equal(vesim_gpu_map(gpu, X, x, 1024, VESIM_MEMORY_HOST, error, sizeof(error)),
                         0);
        float *y = allocate(gpu, Y, 1024);
        for (unsigned i = 0; i < 256; i++)
            x[i] = (float)i;
        struct vesim_result first = run(gpu, kernel, &saxpy);
        struct vesim_result second = run(gpu, kernel, &saxpy);
        assert_int_equal(first.outcome, VESIM_DONE);
        for (unsigned i = 0; i < 256; i++)
            assert_true(y[i] == 4.0f * (float)i);
        assert_true(first.end > first.start && first.start == 0);
        assert_true(second.start >= first.end);
        assert_true(second.end - second.start < first.end - first.start); /* warm caches */
        assert_true(first.has_walk);
        assert_int_equal(first.walk.groups, 4);
        assert_int_equal(first.walk.threads, 256 / properties->sub_group_size);
        assert_string_equal(first.walk.device, devices[which]);
        assert_true(first.walk.counters[VESIM_COUNTER_load_messages] > 0);
        vesim_gpu_close(gpu);
        vesim_kernel_free(kernel);
        free(x);
    }
}

static void launch_has_three_dimensions(void **state)
{
    static const struct vesim_argument arguments[] = {{.value = Y}};
    const struct vesim_launch launch = {
        .global = {6, 4, 10}, .local = {3, 2, 5}, .arguments = arguments, .argument_count = 1};

    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_gpu *gpu = open_gpu(which, NULL);
        struct vesim_kernel *kernel = load(which, "identity");
        uint32_t *out = allocate(gpu, Y, 6 * 4 * 10 * 16);

        assert_int_equal(run(gpu, kernel, &launch).outcome, VESIM_DONE);
        for (uint32_t i = 0; i < 240; i++) {
            uint32_t id[3] = {i % 6, i / 6 % 4, i / 24};

            assert_int_equal(out[4 * i], id[0] | id[1] << 8 | id[2] << 16);
            assert_int_equal(out[4 * i + 1], id[0] % 3 | id[1] % 2 << 8 | id[2] % 5 << 16);
            assert_int_equal(out[4 * i + 2], 6 | 4 << 8 | 10 << 16);
            assert_int_equal(out[4 * i + 3], id[0] / 3 | id[1] / 2 << 8 | id[2] / 5 << 16);
        }
        vesim_kernel_free(kernel);
        vesim_gpu_close(gpu);
    }
}

/* Ids that the hardware makes, and those that it does not: of sizes that are no powers of 2. */
static void launch_has_two_dimensions(void **state)
{
    static const struct vesim_argument arguments[] = {{.value = Y}};
    static const uint32_t sizes[][2] = {{16, 4}, {6, 10}, {24, 2}, {2, 32}, {1, 64}};

    (void)state;
    for (unsigned i = 0; i < device_count * 5; i++) {
        const uint32_t *size = sizes[i % 5];
        const struct vesim_launch launch = {.global = {2 * size[0], 3 * size[1], 1},
                                            .local = {size[0], size[1], 1},
                                            .arguments = arguments,
                                            .argument_count = 1};
        struct vesim_gpu *gpu = open_gpu(i / 5, NULL);
        struct vesim_kernel *kernel = load(i / 5, "plane");
        const uint32_t *out = allocate(gpu, Y, 4096);

        assert_int_equal(run(gpu, kernel, &launch).outcome, VESIM_DONE);
        for (uint32_t item = 0; item < 6 * size[0] * size[1]; item++) {
            uint32_t x = item % (2 * size[0]), y = item / (2 * size[0]);

            assert_int_equal(out[item], x % size[0] | y % size[1] << 8 | x / size[0] << 16 |
                                            y / size[1] << 24);
        }
        vesim_kernel_free(kernel);
        vesim_gpu_close(gpu);
    }
}

/* Some of the work-groups: these alone run, with the ids and sizes of the whole launch. */
static void launch_runs_some_groups(void **state)
{
    static const struct vesim_argument arguments[] = {{.value = Y}};
    struct vesim_launch launch = {.global = {6, 4, 10},
                                  .local = {3, 2, 5},
                                  .first_group = {1, 0, 1},
                                  .group_count = {0, 1, 1},
                                  .arguments = arguments,
                                  .argument_count = 1};

    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_gpu *gpu = open_gpu(which, NULL);
        struct vesim_kernel *kernel = load(which, "identity");
        uint32_t *out = allocate(gpu, Y, 6 * 4 * 10 * 16);

        assert_int_equal(run(gpu, kernel, &launch).outcome, VESIM_DONE);
        for (uint32_t i = 0; i < 240; i++) {
            uint32_t id[3] = {i % 6, i / 6 % 4, i / 24};
            bool runs = id[0] >= 3 && id[1] < 2 && id[2] >= 5;

            assert_int_equal(out[4 * i + 2], runs ? 6 | 4 << 8 | 10 << 16 : 0);
            assert_int_equal(out[4 * i + 3],
                             runs ? id[0] / 3 | id[1] / 2 << 8 | id[2] / 5 << 16 : 0);
        }
        vesim_kernel_free(kernel);
        vesim_gpu_close(gpu);
    }
}

static void launch_has_local_memory(void **state)
{
    static const struct vesim_argument arguments[] = {{.value = Y}, {.local_bytes = 256}};
    const struct vesim_launch launch = {
        .global = {128, 1, 1}, .local = {64, 1, 1}, .arguments = arguments, .argument_count = 2};

    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_gpu *gpu = open_gpu(which, NULL);
        struct vesim_kernel *kernel = load(which, "reverse");
        uint32_t *data = allocate(gpu, Y, 512);

        assert_true(vesim_kernel_properties(kernel)->has_barrier);
        assert_int_equal(vesim_kernel_properties(kernel)->arguments[1].kind, VESIM_ARGUMENT_LOCAL);
        for (uint32_t i = 0; i < 128; i++)
            data[i] = i;
        assert_int_equal(run(gpu, kernel, &launch).outcome, VESIM_DONE);
        for (uint32_t i = 0; i < 128; i++)
            assert_int_equal(data[i], i / 64 * 64 + 63 - i % 64);
        vesim_kernel_free(kernel);
        vesim_gpu_close(gpu);
    }
}

struct weights {
    uint32_t of[6], rounds;
};

/* What kernel private_arrays computes. */
static uint32_t by_the_host(uint32_t i, const struct weights *weights)
{
    uint32_t sum = 0, own[16];

    for (uint32_t k = 0; k < 16; k++)
        own[k] = i * 16 + k;
    for (uint32_t k = 0; k < weights->rounds; k++) {
        sum = sum * weights->of[(k + i) % 6] + own[(k * 7 + i) % 16];
        own[(k + sum) % 16] ^= sum;
    }
    return sum;
}

static void launch_has_private_memory_and_structs(void **state)
{
    static const struct weights weights = {{3, 5, 7, 11, 13, 17}, 40};
    const struct vesim_argument arguments[] = {{.value = X},
                                               {.data = &weights, .data_bytes = sizeof(weights)}};
    const struct vesim_launch launch = {
        .global = {2048, 1, 1}, .local = {64, 1, 1}, .arguments = arguments, .argument_count = 2};

    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_kernel *kernel = load(which, "private_arrays");
        struct vesim_gpu *gpu = open_gpu(which, NULL);
        uint32_t *data = allocate(gpu, X, 2048 * sizeof(*data));

        assert_int_equal(vesim_kernel_properties(kernel)->arguments[1].bytes, sizeof(weights));
        assert_int_equal(run(gpu, kernel, &launch).outcome, VESIM_DONE);
        for (uint32_t i = 0; i < 2048; i++)
            assert_int_equal(data[i], by_the_host(i, &weights));
        vesim_gpu_close(gpu);
        vesim_kernel_free(kernel);
    }
}

/* Numbers 1, 2, 3, ... after a buffer, each weighed with its place. */
static void expect_weighed_sum(unsigned which, const char *name, uint32_t count)
{
    struct vesim_argument arguments[VESIM_ARGUMENTS_MAX] = {{.value = Y}};
    const struct vesim_launch launch = {
        .global = {96, 1, 1}, .local = {48, 1, 1}, .arguments = arguments, .argument_count = count};
    struct vesim_kernel *kernel = load(which, name);
    struct vesim_gpu *gpu = open_gpu(which, NULL);
    const uint32_t *data = allocate(gpu, Y, 512);
    uint32_t sum = 0;

    for (uint32_t i = 1; i < count; i++) {
        arguments[i].value = i;
        sum += i * i;
    }
    assert_int_equal(run(gpu, kernel, &launch).outcome, VESIM_DONE);
    for (uint32_t i = 0; i < 96; i++)
        assert_int_equal(data[i], sum + i % 48 * 1000);
    vesim_kernel_free(kernel);
    vesim_gpu_close(gpu);
}

static void launch_has_many_arguments(void **state)
{
    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        expect_weighed_sum(which, "ten_arguments", 10);
        expect_weighed_sum(which, "eighteen_arguments", 18);
    }
}

static void unmapped_argument_faults(void **state)
{
    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_gpu *gpu = open_gpu(which, NULL);
        struct vesim_kernel *kernel = load(which, "saxpy");
        float *y = allocate(gpu, Y, 1024);

        struct vesim_result result = run(gpu, kernel, &saxpy);
        assert_int_equal(result.outcome, VESIM_FAULTED);
        assert_int_equal(result.fault.kind, VESIM_FAULT_PAGE);
        assert_true(result.fault.address >= X && result.fault.address < X + 1024);
        assert_non_null(strstr(result.fault.instruction, "send"));
        assert_non_null(strstr(result.fault.message, "unmapped address 0x1000000"));
        assert_true(result.fault.kernel != 0 && result.fault.offset > 0);
        assert_int_equal(result.fault.command, 0);
        /* the GPU goes on */
        allocate(gpu, X, 1024);
        y[5] = 3.0f;
        assert_int_equal(run(gpu, kernel, &saxpy).outcome, VESIM_DONE);
        assert_true(y[5] == 3.0f);
        vesim_kernel_free(kernel);
        vesim_gpu_close(gpu);
    }
}

static void instruction_limit_faults(void **state)
{
    static const struct vesim_argument arguments[] = {{.value = Y}};
    const struct vesim_launch launch = {
        .global = {16, 1, 1}, .local = {16, 1, 1}, .arguments = arguments, .argument_count = 1};
    struct vesim_settings settings = vesim_settings_default();

    (void)state;
    settings.instruction_limit = 5000;
    for (unsigned which = 0; which < 2 * device_count; which++) {
        struct vesim_kernel *kernel = load(which / 2, "endless");

        settings.functional = which % 2;
        struct vesim_gpu *gpu = open_gpu(which / 2, &settings);
        allocate(gpu, Y, 64);
        struct vesim_result result = run(gpu, kernel, &launch);
        assert_int_equal(result.outcome, VESIM_FAULTED);
        if (result.fault.kind != VESIM_FAULT_LIMIT)
            fail_msg("%s", result.fault.message);
        assert_true(result.fault.instruction[0]);
        vesim_kernel_free(kernel);
        vesim_gpu_close(gpu);
    }
}

/* The same addresses, other bytes, other clocks; each at its own pace. */
static void two_gpus_share_nothing(void **state)
{
    struct vesim_gpu *gpus[2] = {open_gpu(0, NULL), open_gpu(1, NULL)};
    struct vesim_kernel *kernels[2] = {load(0, "saxpy"), load(1, "saxpy")};
    struct vesim_job *jobs[8];
    float *y[2];

    (void)state;
    for (unsigned g = 0; g < 2; g++) {
        float *x = allocate(gpus[g], X, 1024);

        y[g] = allocate(gpus[g], Y, 1024);
        for (unsigned i = 0; i < 256; i++)
            x[i] = (float)(g + 1);
    }
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(
            vesim_gpu_launch(gpus[i % 2], kernels[i % 2], &saxpy, &jobs[i], error, sizeof(error)),
            0);
    for (unsigned i = 0; i < 8; i++) {
        struct vesim_result result;

        vesim_job_wait(jobs[i], &result);
        assert_int_equal(result.outcome, VESIM_DONE);
        assert_false(result.has_walk);
    }
    assert_true(y[0][7] == 8.0f);
    assert_true(y[1][7] == 16.0f);
    for (unsigned g = 0; g < 2; g++) {
        vesim_kernel_free(kernels[g]);
        vesim_gpu_close(gpus[g]);
    }
}

static void expect_refused(int status, const char *message)
{
    assert_int_equal(status, -1);
    if (!strstr(error, message))
        fail_msg("\"%s\" lacks \"%s\"", error, message);
}

static void maps_do_not_overlap(void **state)
{
    struct vesim_gpu *gpu = open_gpu(0, NULL);
    uint8_t *host = aligned_alloc(4096, 8192);

    (void)state;
    assert_non_null(host);
    allocate(gpu, X, 4096);
    expect_refused(
        vesim_gpu_map(gpu, X + 4080, host, 4096, VESIM_MEMORY_DEVICE, error, sizeof(error)),
        "4096 bytes at 0x100000ff0 overlap");
    assert_null(vesim_gpu_allocate(gpu, X, 16, VESIM_MEMORY_HOST, error, sizeof(error)));
    assert_non_null(strstr(error, "overlap"));
    expect_refused(
        vesim_gpu_map(gpu, X + 4096, host + 8, 64, VESIM_MEMORY_DEVICE, error, sizeof(error)),
        "multiples of 16");
    expect_refused(
        vesim_gpu_map(gpu, X + 4096, NULL, 64, VESIM_MEMORY_DEVICE, error, sizeof(error)), "NULL");
    expect_refused(vesim_gpu_map(gpu, X + 4096, host, 0, VESIM_MEMORY_DEVICE, error, sizeof(error)),
                   "the size not 0");
    expect_refused(vesim_gpu_map(gpu, UINT64_C(0xfffffffff000), host, 8192, VESIM_MEMORY_DEVICE,
                                 error, sizeof(error)),
                   "48 bits");
    assert_null(
        vesim_gpu_allocate(gpu, Y, SIZE_MAX / 2, VESIM_MEMORY_DEVICE, error, sizeof(error)));
    assert_non_null(strstr(error, "48 bits"));
    expect_refused(vesim_gpu_unmap(gpu, X + 16, error, sizeof(error)), "no mapping begins");
    assert_int_equal(vesim_gpu_unmap(gpu, X, error, sizeof(error)), 0);
    assert_int_equal(
        vesim_gpu_map(gpu, X + 4080, host, 4096, VESIM_MEMORY_DEVICE, error, sizeof(error)), 0);
    vesim_gpu_close(gpu);
    vesim_gpu_close(NULL);
    free(host);
}

static void expect_no_launch(struct vesim_gpu *gpu, const struct vesim_kernel *kernel,
                             struct vesim_launch launch, const char *message)
{
    struct vesim_job *job;

    expect_refused(vesim_gpu_launch(gpu, kernel, &launch, &job, error, sizeof(error)), message);
}

static void bad_launches_are_refused(void **state)
{
    struct vesim_gpu *gpu = open_gpu(0, NULL);
    struct vesim_kernel *kernel = load(0, "saxpy");
    struct vesim_argument arguments[VESIM_ARGUMENTS_MAX + 1] = {{0}};
    struct vesim_launch launch = saxpy;

    (void)state;
    launch.local[0] = 100;
    expect_no_launch(gpu, kernel, launch, "256 work-items in work-groups of 100, in dimension 0");
    launch.local[0] = 0;
    expect_no_launch(gpu, kernel, launch, "neither may be 0");
    launch = saxpy;
    launch.first_group[0] = 4;
    expect_no_launch(gpu, kernel, launch,
                     "from the one with id 4, in dimension 0: the launch has 4");
    launch.first_group[0] = 2;
    launch.group_count[0] = UINT32_MAX;
    expect_no_launch(gpu, kernel, launch, "4294967295 work-groups from the one with id 2");
    launch = saxpy;
    launch.global[2] = 0;
    expect_no_launch(gpu, kernel, launch, "dimension 2");
    for (unsigned i = 0; i < 3; i++)
        launch.global[i] = launch.local[i] = UINT32_MAX;
    expect_no_launch(gpu, kernel, launch, "a work-group of");
    launch = saxpy;
    launch.argument_count = 2;
    expect_no_launch(gpu, kernel, launch, "has 3 arguments, but 2 are given");
    launch.arguments = arguments;
    launch.argument_count = VESIM_ARGUMENTS_MAX + 1;
    expect_no_launch(gpu, kernel, launch, "129 are given");
    launch.argument_count = 5;
    arguments[4].local_bytes = SIZE_MAX;
    expect_no_launch(gpu, kernel, launch, "shared local memory");
    arguments[4].local_bytes = 40000;
    arguments[3].local_bytes = 100000;
    expect_no_launch(gpu, kernel, launch, "bytes of shared local memory");
    allocate(gpu, 0x20000000, 64);
    expect_no_launch(gpu, kernel, saxpy, "memory is mapped at 0x20000000");
    vesim_kernel_free(kernel);
    vesim_gpu_close(gpu);
}

/* Wherever a binary ends or whichever byte is another: an error, a fault, or a kernel that runs. */
static void hostile_images(void **state)
{
    struct vesim_settings settings = vesim_settings_default();
    struct binary whole = binaries[0];
    unsigned launched = 0;
    struct vesim_kernel *kernel = NULL;
    struct vesim_gpu *gpu = NULL;

    (void)state;
    settings.instruction_limit = 5000;
    settings.functional = true;
    gpu = open_gpu(0, &settings);
    allocate(gpu, X, 1024);
    allocate(gpu, Y, 1024);
    for (size_t cut = 0; cut < 64; cut++) {
        size_t bytes = whole.size * cut / 64;
        uint8_t *part = malloc(bytes + 1);

        assert_non_null(part);
        memcpy(part, whole.bytes, bytes);
        assert_int_equal(vesim_kernel_load(&kernel, part, bytes, "saxpy", error, sizeof(error)),
                         -1);
        assert_null(vesim_kernel_name(part, bytes, 0));
        free(part);
    }
    for (size_t i = 0; i < 600; i++) {
        size_t at = whole.size * i / 600;
        struct vesim_result result;
        struct vesim_job *job;

        whole.bytes[at] ^= (uint8_t)(1u << i % 8);
        if (!vesim_kernel_load(&kernel, whole.bytes, whole.size, "saxpy", error, sizeof(error))) {
            if (!vesim_gpu_launch(gpu, kernel, &saxpy, &job, error, sizeof(error))) {
                vesim_job_wait(job, &result);
                assert_true((result.outcome == VESIM_FAULTED) ==
                            (result.fault.kind != VESIM_FAULT_NONE));
                launched++;
            }
            vesim_kernel_free(kernel);
        }
        whole.bytes[at] ^= (uint8_t)(1u << i % 8);
    }
    assert_true(launched > 0);
    vesim_gpu_close(gpu);
}

static void names_of_kernels(void **state)
{
    struct vesim_kernel *kernel = NULL;
    const char *name = "";
    unsigned count = 0;

    (void)state;
    for (; name; count++)
        name = vesim_kernel_name(binaries[0].bytes, binaries[0].size, count);
    assert_int_equal(count - 1, 8);
    expect_refused(vesim_kernel_load(&kernel, binaries[0].bytes, binaries[0].size, "nobody", error,
                                     sizeof(error)),
                   "no kernel nobody; there are");
    assert_non_null(strstr(error, "saxpy"));
    expect_refused(vesim_kernel_load(&kernel, "no ELF", 6, "k", error, sizeof(error)),
                   "not a device binary");
}

/* MI_STORE_DATA_IMM of a dword, and MI_BATCH_BUFFER_END. */
static void write_store(uint32_t *batch, uint64_t address, uint32_t value)
{
    const uint32_t commands[] = {0x10000002, (uint32_t)address, (uint32_t)(address >> 32), value,
                                 0x05000000};

    memcpy(batch, commands, sizeof(commands));
}

static void batches_run_and_fault(void **state)
{
    struct vesim_gpu *gpu = open_gpu(0, NULL);
    uint32_t *batch = allocate(gpu, X, 4096), *data = allocate(gpu, Y, 64);
    struct vesim_result result;
    struct vesim_job *job, *behind;

    (void)state;
    for (int engine = VESIM_ENGINE_RENDER; engine <= VESIM_ENGINE_COMPUTE; engine++) {
        write_store(batch, Y + 4, 17 + (uint32_t)engine);
        assert_int_equal(
            vesim_gpu_submit(gpu, (enum vesim_engine)engine, X, &job, error, sizeof(error)), 0);
        vesim_job_wait(job, &result);
        assert_int_equal(result.outcome, VESIM_DONE);
        assert_false(result.has_walk);
        assert_int_equal(data[1], 17 + engine);
    }
    write_store(batch, UINT64_C(0x5000), 1);
    write_store(batch + 512, Y, 99);
    assert_int_equal(vesim_gpu_submit(gpu, VESIM_ENGINE_RENDER, X, &job, error, sizeof(error)), 0);
    vesim_job_wait(job, &result);
    assert_int_equal(result.outcome, VESIM_FAULTED);
    assert_int_equal(result.fault.kind, VESIM_FAULT_PAGE);
    assert_int_equal(result.fault.address, 0x5000);
    assert_int_equal(result.fault.command, X);
    assert_int_equal(result.fault.kernel, 0);
    /* the engine begins anew; what nobody asks for runs, too */
    assert_int_equal(
        vesim_gpu_submit(gpu, VESIM_ENGINE_RENDER, X + 2048, NULL, error, sizeof(error)), 0);
    vesim_gpu_wait(gpu);
    assert_int_equal(data[0], 99);
    /* nothing is mapped where the batch should be; one behind it is dropped, or begins anew */
    assert_int_equal(vesim_gpu_submit(gpu, VESIM_ENGINE_COPY, 0x1000, &job, error, sizeof(error)),
                     0);
    assert_int_equal(
        vesim_gpu_submit(gpu, VESIM_ENGINE_COPY, X + 2048, &behind, error, sizeof(error)), 0);
    vesim_job_wait(job, &result);
    assert_int_equal(result.fault.kind, VESIM_FAULT_PAGE);
    vesim_job_wait(behind, &result);
    assert_int_not_equal(result.outcome, VESIM_FAULTED);
    expect_refused(vesim_gpu_submit(gpu, (enum vesim_engine)3, X, &job, error, sizeof(error)),
                   "no engine 3");
    vesim_gpu_close(gpu);
}

/* MI_SEMAPHORE_WAIT for a dword that is not 0, as the host may write at any time. */
static uint32_t *write_wait(uint32_t *batch, uint64_t address)
{
    const uint32_t wait[] = {0x0e000002 | 1 << 15 | 5 << 12, 0, (uint32_t)address,
                             (uint32_t)(address >> 32)};

    memcpy(batch, wait, sizeof(wait));
    return batch + 4;
}

static void count_hang(void *context, const char *line)
{
    unsigned *count = context;

    *count += strstr(line, "GPU hang") != NULL;
}

/* Behind a batch that waits stand one that faults and one that must not begin; other engines go on.
 */
static void work_behind_a_fault_is_dropped(void **state)
{
    struct vesim_settings settings = vesim_settings_default();
    const uint64_t batches[] = {X, X + 1024, X + 2048};
    struct vesim_result results[3];
    struct vesim_job *jobs[3];
    unsigned hangs = 0;

    (void)state;
    settings.log = count_hang;
    settings.context = &hangs;
    struct vesim_gpu *gpu = open_gpu(0, &settings);
    uint32_t *batch = allocate(gpu, X, 4096);
    uint32_t *data = allocate(gpu, Y, 64);
    write_store(write_wait(batch, Y), Y + 8, 1);
    write_store(batch + 256, UINT64_C(0x6000), 1);
    write_store(batch + 512, Y + 4, 99);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(
            vesim_gpu_submit(gpu, VESIM_ENGINE_RENDER, batches[i], &jobs[i], error, sizeof(error)),
            0);
    assert_int_equal(
        vesim_gpu_submit(gpu, VESIM_ENGINE_COMPUTE, X + 2048, NULL, error, sizeof(error)), 0);
    __atomic_store_n(data, 1, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < 3; i++)
        vesim_job_wait(jobs[i], &results[i]);
    vesim_gpu_wait(gpu);
    assert_int_equal(results[0].outcome, VESIM_DONE);
    assert_int_equal(results[1].outcome, VESIM_FAULTED);
    assert_int_equal(results[1].fault.address, 0x6000);
    assert_int_equal(results[2].outcome, VESIM_DROPPED);
    assert_int_equal(results[2].fault.kind, VESIM_FAULT_NONE);
    assert_int_equal(data[1], 99); /* of the other engine */
    assert_int_equal(hangs, 1);
    vesim_gpu_close(gpu);
}

static void batch_waits_for_the_host(void **state)
{
    struct vesim_gpu *gpu = open_gpu(0, NULL);
    uint32_t *batch = allocate(gpu, X, 4096), *flag = allocate(gpu, Y, 64);
    struct vesim_result result;
    struct vesim_job *job;

    (void)state;
    write_store(write_wait(batch, Y), Y + 4, 5);
    assert_int_equal(vesim_gpu_submit(gpu, VESIM_ENGINE_COMPUTE, X, &job, error, sizeof(error)), 0);
    assert_int_equal(flag[1], 0);
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
    vesim_job_wait(job, &result);
    assert_int_equal(result.outcome, VESIM_DONE);
    assert_int_equal(flag[1], 5);
    /* one that waits for ever does not keep the GPU open */
    flag[0] = 0;
    assert_int_equal(vesim_gpu_submit(gpu, VESIM_ENGINE_COMPUTE, X, &job, error, sizeof(error)), 0);
    vesim_gpu_close(gpu);
}

static void code_is_read(void **state)
{
    (void)state;
    for (unsigned which = 0; which < device_count; which++) {
        struct vesim_kernel *kernel = load(which, "endless");
        const struct vesim_kernel_properties *properties = vesim_kernel_properties(kernel);
        struct vesim_wait waits[64];
        struct vesim_device device;
        struct vesim_code *code;
        unsigned loops = 0, loads = 0, conflicts[64];
        uint64_t cycles = 0;
        char text[128];

        assert_int_equal(vesim_device_load(&device, devices[which], error, sizeof(error)), 0);
        assert_int_equal(vesim_code_read(&code, &device, properties->code, properties->code_bytes,
                                         error, sizeof(error)),
                         0);
        assert_true(vesim_code_count(code) >= 5 && vesim_code_count(code) <= 64);
        for (size_t i = 0; i < vesim_code_count(code); i++) {
            const struct vesim_instruction *inst = vesim_code_instruction(code, i);

            loads += inst->pipe == VESIM_PIPE_SEND && inst->message == VESIM_MESSAGE_LOAD;
            if (inst->loop_first < 0)
                continue;
            loops++;
            assert_int_equal(
                vesim_code_thread_time(code, (size_t)inst->loop_first, i, waits, &cycles), 0);
            vesim_code_operand_conflicts(code, (size_t)inst->loop_first, i, conflicts);
        }
        assert_true(loads >= 1);
        assert_true(loops == 1 && cycles > 1);
        assert_true(vesim_code_registers_used(code) > 2);
        vesim_code_text(code, vesim_code_count(code) - 1, text, sizeof(text));
        assert_non_null(strstr(text, "EOT"));
        vesim_code_free(code);
        for (size_t bytes = 0; bytes < properties->code_bytes; bytes += 8) {
            uint8_t *part = malloc(bytes + 1);

            assert_non_null(part);
            memcpy(part, properties->code, bytes);
            if (vesim_code_read(&code, &device, part, bytes, error, sizeof(error)) == 0)
                vesim_code_free(code); /* what follows the end of the thread is padding */
            free(part);
        }
        expect_refused(vesim_code_read(&code, &device, properties->code, 16, error, sizeof(error)),
                       "never ends its thread");
        vesim_kernel_free(kernel);
    }
}

static void read_binary(struct binary *binary, const char *path)
{
    FILE *file = fopen(path, "rb");

    if (!file) {
        perror(path);
        exit(1);
    }
    binary->bytes = malloc(1 << 20);
    binary->size = binary->bytes ? fread(binary->bytes, 1, 1 << 20, file) : 0;
    fclose(file);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launch_computes),
        cmocka_unit_test(launch_has_three_dimensions),
        cmocka_unit_test(launch_has_two_dimensions),
        cmocka_unit_test(launch_runs_some_groups),
        cmocka_unit_test(launch_has_local_memory),
        cmocka_unit_test(launch_has_private_memory_and_structs),
        cmocka_unit_test(launch_has_many_arguments),
        cmocka_unit_test(unmapped_argument_faults),
        cmocka_unit_test(instruction_limit_faults),
        cmocka_unit_test(two_gpus_share_nothing),
        cmocka_unit_test(maps_do_not_overlap),
        cmocka_unit_test(bad_launches_are_refused),
        cmocka_unit_test(hostile_images),
        cmocka_unit_test(names_of_kernels),
        cmocka_unit_test(batches_run_and_fault),
        cmocka_unit_test(batch_waits_for_the_host),
        cmocka_unit_test(work_behind_a_fault_is_dropped),
        cmocka_unit_test(code_is_read),
    };

    if (argc < 3 || argc % 2 == 0 || argc / 2 > DEVICES_MAX)
        return 1;
    for (device_count = 0; device_count < (unsigned)argc / 2; device_count++) {
        devices[device_count] = argv[2 * device_count + 1];
        read_binary(&binaries[device_count], argv[2 * device_count + 2]);
    }
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (unsigned i = 0; i < device_count; i++)
        free(binaries[i].bytes);
    return failed;
}
