#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/embedded.h"
#include "vesim/vesim.h"

static char error[512];

static const char *built_in_text(const char *name)
{
    for (const struct embedded_text *text = embedded_texts; text->name; text++) {
        if (strcmp(text->name, name) == 0)
            return text->text;
    }
    fail();
    return NULL;
}

/* Parses the A380 with the line of `figure` replaced by `line` ("": taken out), and asserts that
 * this fails with all of the texts in the one line of error. */
static void expect_refusal(const char *figure, const char *line, const char *text1,
                           const char *text2)
{
    struct vesim_description *description = malloc(sizeof(*description));
    const char *text = built_in_text("a380");
    char *changed = malloc(strlen(text) + strlen(line) + 2), prefix[80];

    assert_non_null(description);
    assert_non_null(changed);
    snprintf(prefix, sizeof(prefix), "\n%s ", figure);
    const char *at = strstr(text, prefix);
    assert_non_null(at);
    at++;
    const char *end = strchr(at, '\n');
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, line, end);

    error[0] = '\0';
    assert_int_equal(
        vesim_description_parse(description, changed, "my.device", error, sizeof(error)), -1);
    assert_ptr_equal(strstr(error, "my.device:"), error);
    assert_null(strchr(error, '\n'));
    if (!strstr(error, text1) || !strstr(error, text2))
        fail_msg("'%s' lacks '%s' or '%s'", error, text1, text2);
    free(changed);
    free(description);
}

/* Whoever predicts with a figure that nobody has published has to know where it may lie. */
static void assumed_figures_have_ranges(void **state)
{
    struct vesim_description *description = malloc(sizeof(*description));

    (void)state;
    assert_non_null(description);
    for (const char *const *name = vesim_device_names(); *name; name++) {
        assert_int_equal(vesim_description_load(description, *name, error, sizeof(error)), 0);
        for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
            uint64_t value = *vesim_device_figure(&description->device, i);
            bool assumed = strncmp(description->sources[i], "assumed", 7) == 0;

            if (assumed && description->low[i] == description->high[i])
                fail_msg("%s: %s is assumed and has no range", *name, vesim_figures[i].name);
            assert_in_range(value, description->low[i], description->high[i]);
            if (!assumed)
                assert_int_equal(description->low[i], description->high[i]);
        }
    }
    free(description);
    expect_refusal("l1_mshrs", "l1_mshrs = 32 count | assumed 64 to 512: guess", "l1_mshrs",
                   "64 to 512");
}

static void built_in_devices_are_sound(void **state)
{
    struct vesim_device device;
    size_t count = 0;

    (void)state;
    for (const char *const *name = vesim_device_names(); *name; name++, count++) {
        if (vesim_device_load(&device, *name, error, sizeof(error)))
            fail_msg("%s", error);
        assert_string_equal(device.name, *name);
    }
    assert_int_equal(count, 16);
    assert_int_equal(vesim_device_load(&device, "a380", error, sizeof(error)), 0);
    assert_int_equal(device.pci_device, 0x56a5);
    assert_int_equal(device.architecture, VESIM_XE_HPG);
    assert_int_equal(device.kernel_driver, VESIM_I915);
    assert_int_equal(device.slices * device.xe_cores_per_slice * device.ves_per_xe_core, 128);
    assert_int_equal(vesim_device_load(&device, "panther-lake", error, sizeof(error)), 0);
    assert_int_equal(device.kernel_driver, VESIM_XE);
    assert_int_equal(vesim_device_load(&device, "a770", error, sizeof(error)), 0);
    assert_int_equal(device.pci_device, 0x56a0);
    assert_int_equal(device.slices * device.xe_cores_per_slice * device.ves_per_xe_core, 512);
    assert_int_equal(vesim_device_load(&device, "iris-xe", error, sizeof(error)), 0);
    assert_int_equal(device.architecture, VESIM_GEN12LP);
    assert_int_equal(device.slices * device.xe_cores_per_slice * device.ves_per_xe_core, 96);
    assert_int_equal(vesim_device_load(&device, "uhd770", error, sizeof(error)), 0);
    assert_int_equal(device.pci_device, 0x4680);
    assert_int_equal(device.architecture, VESIM_GEN12LP);
    assert_int_equal(device.slices * device.xe_cores_per_slice * device.ves_per_xe_core, 32);
}

static struct vesim_description *opened(const char *name)
{
    struct vesim_description *description = malloc(sizeof(*description));

    assert_non_null(description);
    if (vesim_description_load(description, name, error, sizeof(error)))
        fail_msg("%s", error);
    return description;
}

/* Each id once, with its GPU's name and within the range of what is assumed. */
static void every_id_opens_its_gpu(void **state)
{
    size_t count = vesim_device_ids(NULL, 0);
    struct vesim_id *ids = calloc(count, sizeof(*ids));

    (void)state;
    assert_non_null(ids);
    assert_int_equal(vesim_device_ids(ids, count), count);
    for (size_t i = 0; i < count; i++) {
        char name[16];

        snprintf(name, sizeof(name), "0x%x", ids[i].id);
        struct vesim_description *description = opened(name);
        assert_int_equal(description->device.pci_device, ids[i].id);
        assert_string_equal(description->device.title, ids[i].title);
        assert_false(description->is_stand_in);
        for (size_t f = 0; f < VESIM_FIGURE_COUNT; f++) {
            uint64_t value = *vesim_device_figure(&description->device, f);

            if (strncmp(description->sources[f], "assumed", 7) == 0)
                assert_true(description->low[f] < description->high[f]);
            assert_in_range(value, description->low[f], description->high[f]);
        }
        for (size_t other = 0; other < i; other++)
            assert_int_not_equal(ids[other].id, ids[i].id);
        free(description);
    }
    free(ids);
}

/* From Intel's pages of the products: Xe-cores (Xe-LP: vector engines), MHz, MiB, GB/s. */
static void ids_have_what_differs(void **state)
{
    static const struct {
        const char *name;
        unsigned xe_cores, ves, mhz, mib, gb_s;
    } gpus[] = {
        {"0x56a6", 6, 96, 2000, 4096, 124},     {"0x5691", 24, 384, 2050, 12288, 336},
        {"0x56b3", 16, 256, 2450, 12288, 384},  {"0xe20c", 18, 144, 2750, 10240, 380},
        {"0xe212", 16, 128, 2600, 16384, 224},  {"0xe223", 32, 256, 2800, 32768, 608},
        {"0x4c8b", 2, 24, 1300, 0, 51},         {"0x46d1", 2, 24, 750, 0, 38},
        {"0x7d67", 4, 64, 2000, 0, 102},        {"0xb081", 10, 80, 2400, 0, 153},
        {"0x0bdb", 56, 448, 1550, 49152, 1228}, {"0x0bd6", 64, 512, 1600, 65536, 1638},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(gpus) / sizeof(gpus[0]); i++) {
        struct vesim_description *description = opened(gpus[i].name);
        const struct vesim_device *device = &description->device;
        uint64_t xe_cores = device->slices * device->xe_cores_per_slice;

        assert_string_equal(device->name, gpus[i].name);
        assert_int_equal(xe_cores, gpus[i].xe_cores);
        assert_int_equal(xe_cores * device->ves_per_xe_core, gpus[i].ves);
        assert_int_equal(device->core_clock, gpus[i].mhz * 1000);
        assert_int_equal(device->local_memory, gpus[i].mib);
        assert_int_equal(device->memory_bandwidth / 1000, gpus[i].gb_s);
        free(description);
    }
}

static void an_id_of_its_own_has_the_name_of_the_description(void **state)
{
    struct vesim_description *description = opened("0xE20B");

    (void)state;
    assert_string_equal(description->device.name, "b580");
    free(description);
}

static void an_unknown_id_is_the_nearest_known_one(void **state)
{
    struct vesim_description *near = opened("0xe223"), *far = opened("0xe224");

    (void)state;
    assert_true(far->is_stand_in);
    assert_int_equal(far->device.pci_device, 0xe224);
    assert_string_equal(far->device.title, "Intel GPU 0xe224, as Intel Arc Pro B70");
    assert_non_null(strstr(far->sources[VESIM_FIGURE_pci_device], "0xe223 (Intel Arc Pro B70)"));
    for (size_t i = 0; i < VESIM_FIGURE_COUNT; i++) {
        if (i != VESIM_FIGURE_pci_device)
            assert_int_equal(*vesim_device_figure(&far->device, i),
                             *vesim_device_figure(&near->device, i));
    }
    free(near);
    free(far);
}

/* Lines of ids and what stands below them, behind the last figure. */
static void expect_refusal_of_ids(const char *lines, const char *text1, const char *text2)
{
    char changed[512];

    snprintf(changed, sizeof(changed), "cache_flush_latency = 500 cycles | x\n%s", lines);
    expect_refusal("cache_flush_latency", changed, text1, text2);
}

static void refuses_wrong_ids(void **state)
{
    (void)state;
    expect_refusal_of_ids("[56a6] x", "is not '[0x", "title");
    expect_refusal_of_ids("[] x", "is not '[0x", "title");
    expect_refusal_of_ids("[0x56a6", "is not '[0x", "title");
    expect_refusal_of_ids("[0x56a6 0x156a6] x", "is not '[0x", "title");
    expect_refusal_of_ids("[0x56a6]", "is not '[0x", "title");
    expect_refusal_of_ids("[0x56a6] x\nname = y", "'name' stands once", "remove");
    expect_refusal_of_ids("[0x56a6] x\npci_device = 1 id | x", "given in line", "remove");
    expect_refusal_of_ids("[0x56a6] x\nslices = 2 count | x\nslices = 3 count | x", "given in line",
                          "remove");
    expect_refusal_of_ids("[0x56a6] x\nslices = 2 count | assumed 3 to 4: y", "outside", "3 to 4");
    expect_refusal("cache_flush_latency", "[0x56a6] x\ncache_flush_latency = 500 cycles | x",
                   "'cache_flush_latency' is missing", "add a line");
}

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    expect_refusal("fpu_latency", "", "'fpu_latency' is missing", "add a line");
    expect_refusal("architecture", "", "'architecture' is missing", "add a line");
    expect_refusal("fpu_latency", "fpu_latency = 10 cycles", "no source", "assumed");
    expect_refusal("fpu_latency", "fpu_latency = 10 cycles |  ", "source", "assumed");
    expect_refusal("fpu_latency", "fpu_latency = 10 ns | x", "unit 'ns'", "in cycles");
    expect_refusal("fpu_latency", "fpu_latency = 10 | x", "unit ''", "in cycles");
    expect_refusal("fpu_latency", "fpu_latency = 0 cycles | x", "is 0 cycles", "between 1 and 100");
    expect_refusal("fpu_latency", "fpu_latency = 101 cycles | x", "'fpu_latency'", "between");
    expect_refusal("fpu_latency", "fpu_latency = -1 cycles | x", "'-1 cycles'", "unsigned");
    expect_refusal("fpu_latency", "fpu_latency = 1.5 cycles | x", "not a value", "unsigned");
    expect_refusal("fpu_latency", "fpu_latency = 99999999999999999999 cycles | x", "not a value",
                   "");
    expect_refusal("fpu_latency", "fpu_latency = fast | x", "'fast'", "'fpu_latency'");
    expect_refusal("fpu_latency", "fpu_latency 10 cycles | x", "not 'name = value'", "#");
    expect_refusal("fpu_latency", "fpu_latencies = 10 cycles | x", "no figure 'fpu_latencies'",
                   "--describe");
    expect_refusal("fpu_latency", "fpu_latency = 10 cycles | x\nfpu_latency = 10 cycles | x",
                   "given in line", "remove one");
    expect_refusal("architecture", "architecture = xe9", "'xe9'",
                   "gen12lp, xe-hpg, xe-hpc, xe2 or xe3");
    expect_refusal("architecture", "architecture = xe2\nkernel_driver = nouveau", "'nouveau'",
                   "i915 or xe");
    expect_refusal("title", "title =", "'title' is empty", "");
    expect_refusal("l1_ways", "l1_ways = 0 count | x", "'l1_ways' is 0 but 'l1_bytes' is not", "");
    expect_refusal("llc_bytes", "llc_bytes = 8 bytes | x", "'llc_ways' is 0", "");
    expect_refusal("host_link_latency", "host_link_latency = 0 cycles | x",
                   "'host_link_latency' is 0", "");
    expect_refusal("stack_link_bandwidth", "stack_link_bandwidth = 1 MB/s | x",
                   "'stack_link_latency' is 0", "");
}

/* No built-in device has other rules than the usual; one that does is not to be mistaken for its
 * namesake. */
static void altered_rules_are_said(void **state)
{
    const char *const line = "rules = bank_queue 8, line_jitter 40\n", *name = "\nname = ";
    struct vesim_description *description = opened("a380");
    const char *text = built_in_text("a380"), *at = strstr(text, name) + 1;
    char *changed = malloc(strlen(text) + strlen(line) + 1);

    (void)state;
    assert_non_null(changed);
    assert_memory_equal(&description->device.rules, &(struct vesim_rules){0},
                        sizeof(description->device.rules));
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, line, at);
    assert_int_equal(
        vesim_description_parse(description, changed, "my.device", error, sizeof(error)), 0);
    assert_int_equal(description->device.rules.bank_queue, 8);
    assert_int_equal(description->device.rules.line_jitter, 40);
    assert_int_equal(description->device.rules.barrier_square, 0);
    assert_string_equal(description->device.name, "a380, altered rules");
    assert_string_equal(description->device.title, "Intel Arc A380, altered rules");
    free(changed);
    free(description);
    expect_refusal("title", "title = x\nrules = line_jitter", "'line_jitter' is not", "correct it");
    expect_refusal("title", "title = x\nrules = line_jitter 40 7", "is not", "correct it");
    expect_refusal("title", "title = x\nrules = magic 1", "no rule 'magic'", "rules.def");
    expect_refusal("title", "title = x\nrules = bank_queue 1025", "is 1025",
                   "must not exceed 1024");
}

static void names_the_line(void **state)
{
    struct vesim_description *description = malloc(sizeof(*description));

    (void)state;
    assert_int_equal(vesim_description_parse(description, "# comment\n\nname = x\nnonsense\n", "f",
                                             error, sizeof(error)),
                     -1);
    assert_ptr_equal(strstr(error, "f:4: "), error);
    free(description);
}

static void says_what_to_do_about_files(void **state)
{
    struct vesim_device device;

    (void)state;
    assert_int_equal(vesim_device_load(&device, "a999", error, sizeof(error)), -1);
    assert_non_null(strstr(error, "no device 'a999'"));
    assert_non_null(strstr(error, "a380 a750 a770 b580 iris-xe uhd770 alder-lake raptor-lake"));
    assert_int_equal(vesim_device_load(&device, "./not/there", error, sizeof(error)), -1);
    assert_non_null(strstr(error, "./not/there: No such file"));
    assert_int_equal(vesim_device_load(&device, "/", error, sizeof(error)), -1);
    assert_int_equal(vesim_device_load(&device, "/dev/zero", error, sizeof(error)), -1);
}

static void reads_a_users_file(void **state)
{
    char path[] = "/tmp/vesim-test-XXXXXX";
    int fd = mkstemp(path);
    const char *text = built_in_text("iris-xe");
    struct vesim_device device;

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    assert_int_equal(vesim_device_load(&device, path, error, sizeof(error)), 0);
    assert_string_equal(device.name, "iris-xe");
    unlink(path);
}

static void describes_every_figure(void **state)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(vesim_device_describe(out, "a380", error, sizeof(error)), 0);
    fclose(out);
#define SECTION(title)
#define FIGURE(name, unit, minimum, maximum, what)                                                 \
    assert_non_null(strstr(text, #name));                                                          \
    assert_non_null(strstr(text, what));
#include "vesim/figures.def"
#undef FIGURE
#undef SECTION
    assert_non_null(strstr(text, "2450000 kHz"));
    assert_non_null(strstr(text, "source: assumed"));
    free(text);
}

enum scope { ANY, CARD, INTEGRATED };
enum unit { OWN, NS };

/* What was measured on other hardware of figures that descriptions assume. */
static const struct {
    size_t figure;
    enum scope scope;
    uint64_t least, most;
    enum unit unit;
    const char *source;
} measured[] = {
#define MEASURED(figure, scope, least, most, unit, source)                                         \
    {VESIM_FIGURE_##figure, scope, least, most, unit, source},
#include "device/measured-ranges.def"
#undef MEASURED
};

static bool is_assumed(const struct vesim_description *description, size_t figure)
{
    return strncmp(description->sources[figure], "assumed", strlen("assumed")) == 0;
}

static void ranges_contain(const struct vesim_description *description)
{
    const enum scope scope = description->device.local_memory ? CARD : INTEGRATED;

    for (size_t i = 0; i < sizeof(measured) / sizeof(*measured); i++) {
        size_t figure = measured[i].figure;
        double per = measured[i].unit == NS ? (double)description->device.core_clock / 1e6 : 1;

        if (!is_assumed(description, figure) ||
            (measured[i].scope != ANY && measured[i].scope != scope))
            continue;
        if ((double)description->low[figure] > (double)measured[i].least * per ||
            (double)description->high[figure] < (double)measured[i].most * per)
            fail_msg("%s: %s, %" PRIu64 " to %" PRIu64 ", leaves out %g to %g (%s)",
                     description->device.name, vesim_figures[figure].name, description->low[figure],
                     description->high[figure], (double)measured[i].least * per,
                     (double)measured[i].most * per, measured[i].source);
    }
}

static void ranges_contain_what_siblings_have(void **state)
{
    (void)state;
    for (const char *const *name = vesim_device_names(); *name; name++) {
        struct vesim_description description;

        assert_int_equal(vesim_description_load(&description, *name, error, sizeof(error)), 0);
        ranges_contain(&description);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_devices_are_sound),
        cmocka_unit_test(assumed_figures_have_ranges),
        cmocka_unit_test(every_id_opens_its_gpu),
        cmocka_unit_test(ids_have_what_differs),
        cmocka_unit_test(an_id_of_its_own_has_the_name_of_the_description),
        cmocka_unit_test(an_unknown_id_is_the_nearest_known_one),
        cmocka_unit_test(refuses_wrong_ids),
        cmocka_unit_test(ranges_contain_what_siblings_have),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(altered_rules_are_said),
        cmocka_unit_test(names_the_line),
        cmocka_unit_test(says_what_to_do_about_files),
        cmocka_unit_test(reads_a_users_file),
        cmocka_unit_test(describes_every_figure),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
