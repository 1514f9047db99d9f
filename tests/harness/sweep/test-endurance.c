/* A sweep of very many configurations: neither it nor its workers have more descriptors or memory
 * at the end than after a tenth of it. On a GPU one worker measures them all; on an emulated device
 * each worker measures one. */
#include "test.h"

#include "fake-worker.h"
#include "family/axis-columns.h"
#include "family/common-axes.h"
#include "sweep/store.h"
#include "sweep/sweep.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { AXIS_VALUES = 100, LIST_BYTES = 600 };

/* What an allocator may keep in reserve. */
#define GROWTH_MAX_KB 1024

struct footprint {
    unsigned descriptors;
    unsigned long resident_kb;
};

/* Of one process: after a tenth of the configurations, and at the last. */
struct footprints {
    struct footprint early, late;
};

/* Shared with the workers. */
static struct {
    unsigned configurations; /* begun by workers */
    struct footprints worker;
} * seen;

static struct footprints parent;
static size_t configurations;

static unsigned count_descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;

    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static unsigned long resident_kb(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;

    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*u %lu", &pages), 1);
    fclose(file);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
}

static void look(struct footprints *footprints, size_t configuration)
{
    if (configuration != configurations / 10 && configuration != configurations)
        return;
    struct footprint now = {count_descriptors(), resident_kb()};
    *(configuration == configurations ? &footprints->late : &footprints->early) = now;
}

static ze_result_t look_at_worker(const char *call)
{
    if (!strcmp(call, "zeMemAllocDevice"))
        look(&seen->worker, __atomic_add_fetch(&seen->configurations, 1, __ATOMIC_RELAXED));
    return ZE_RESULT_SUCCESS;
}

static void look_at_parent(void *context, const struct family *family,
                           const struct configuration *configuration,
                           const struct measurement *measurements, size_t index)
{
    size_t *done = context;

    (void)family;
    (void)configuration;
    (void)measurements;
    (void)index;
    look(&parent, ++*done);
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("16", NULL, NULL),
    WORKGROUP_COUNT_AXIS("1", NULL, NULL),
    {.name = "number",
     .means = "of the configuration",
     .defaults = "1",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = AXIS_VALUES},
};

static const struct variant variants[] = {{FAKE_LOOP}};

static const struct family family = {
    FAKE_FAMILY,          .axes = axes,       .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants, .variant_count = 1,
};

static void list_numbers(char *text, const char *axis, size_t count)
{
    size_t used = (size_t)sprintf(text, "%s=", axis);

    for (unsigned i = 1; i <= count; i++)
        used += (size_t)sprintf(text + used, "%s%u", i > 1 ? "," : "", i);
}

static void run_sweep(void)
{
    char counts_text[LIST_BYTES], numbers_text[LIST_BYTES];
    struct sweep_request request = {
        .families = {&family},
        .family_count = 1,
        .axes = {"subgroup_size=16", counts_text, numbers_text},
        .axis_count = 3,
        .options = {.stop = {0.005, 2, 2}, .seed = 1},
        .jobs = 1,
        .connect = fake_worker_connect,
    };
    static const struct family *const only[] = {&family};
    static const struct family_list list = {only, 1};
    struct axis_columns columns;
    struct run_identity identity = {.run_id = "test", .axes = &columns};
    size_t done = 0;
    struct sweep_events events = {fake_ignore_start, look_at_parent, NULL, &done};
    struct sweep_counts counts;
    struct sweep *sweep;
    const struct store_request files = {
        .path = {"endurance.csv"}, .axes = &columns, .command = "a test", .replaces = true};
    struct store store;
    struct error error;

    list_numbers(counts_text, "workgroup_count", configurations / AXIS_VALUES);
    list_numbers(numbers_text, "number", AXIS_VALUES);
    assert_int_equal(axis_columns_fill(&columns, &list, &error), STATUS_OK);
    assert_int_equal(store_lock(&store, &files, &error), STATUS_OK);
    assert_int_equal(store_create(&store, &error), STATUS_OK);
    assert_int_equal(sweep_open(&sweep, &request, &error), STATUS_OK);
    assert_int_equal(sweep_run(sweep, &identity, &store, &events, &counts, &error), STATUS_OK);
    sweep_close(sweep);
    assert_int_equal(store_close(&store, &error), STATUS_OK);
    remove("endurance.csv");
    assert_int_equal(done, configurations);
    assert_int_equal(counts.ok, configurations);
}

static void assert_flat(const char *who, const struct footprints *footprints)
{
    const struct footprint *early = &footprints->early, *late = &footprints->late;

    print_message("%s: %u descriptors, %lu KiB; at the end %u, %lu KiB\n", who, early->descriptors,
                  early->resident_kb, late->descriptors, late->resident_kb);
    assert_true(early->descriptors > 0);
    assert_int_equal(early->descriptors, late->descriptors);
#ifndef SANITIZED /* which keeps freed memory for a while */
    assert_true(late->resident_kb <= early->resident_kb + GROWTH_MAX_KB);
#endif
}

static void endure(enum device_kind kind, size_t count)
{
    seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(seen != MAP_FAILED);
    fake.launch_ns = 3000.0;
    fake.spin_ns = 10.0;
    fake.spin_cycles = 24.0;
    fake.iteration_ns[0] = 100.0;
    fake.computes_nothing = true;
    fake.interfere = look_at_worker;
    configurations = count;
    fake_worker_kind = kind;
    run_sweep();
    assert_int_equal(seen->configurations, configurations);
    assert_flat("worker", &seen->worker);
    assert_flat("sweep", &parent);
    munmap(seen, sizeof(*seen));
}

static void test_on_a_gpu(void **state)
{
    (void)state;
    endure(DEVICE_HARDWARE, 10000);
}

static void test_on_a_model(void **state)
{
    (void)state;
    endure(DEVICE_EMULATED, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_on_a_gpu),
        cmocka_unit_test(test_on_a_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
