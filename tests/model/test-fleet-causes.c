/* What slow GPUs have in common: planted causes are found and named, each drawn anew, and chance
 * shows none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "commands/fleet-monitor.h"

/* Nodes are named as HPE Cray EX names them: x cabinet c chassis s slot b board n node. */
enum { RACKS = 16, NODES = 12, SLOTS = 6, FIGURES = 6 };

struct planted {
    int rack, node, slot; /* -1: any; node counts within its rack */
    enum fleet_kind kind; /* whose figures are slower; FLEET_CLOCK: all, and the clock is lower */
    double change;
    double along_racks, along_nodes; /* from the first to the last */
};

/* About normal, of mean 0 and standard deviation 1. */
static double scatter(struct prng *prng)
{
    double sum = 0.0;

    for (int i = 0; i < 12; i++)
        sum += (double)(prng_next(prng) >> 11) / 9007199254740992.0;
    return sum - 6.0;
}

static double slowness(const struct planted *p, int rack, int node, int slot, enum fleet_kind kind)
{
    bool is_there = (p->rack < 0 || p->rack == rack) && (p->node < 0 || p->node == node) &&
                    (p->slot < 0 || p->slot == slot) && (p->kind == kind || p->kind == FLEET_CLOCK);

    return 1.0 + (is_there ? p->change : 0.0) + p->along_racks * rack / (RACKS - 1) +
           p->along_nodes * node / (NODES - 1);
}

static void add_gpu(struct fleet *fleet, struct prng *prng, const struct planted *p, int rack,
                    int node, int slot)
{
    char host[32], address[32];
    double own = 0.004 * scatter(prng);
    struct error error;

    snprintf(host, sizeof(host), "x%dc%ds%db0n0", 4095 + rack, node / 8, node % 8);
    snprintf(address, sizeof(address), "0000:%02x:00.0", 16 * slot + 8);
    for (unsigned figure = 0; figure < FIGURES; figure++) {
        enum fleet_kind kind = figure % 2 ? FLEET_MEMORY : FLEET_COMPUTE;
        double slow = slowness(p, rack, node, slot, kind), typical = 10.0 + figure;
        double mean = typical * (slow + own + 0.004 * scatter(prng));
        const struct record row = {
            .benchmark = "memory",
            .variant = "v",
            .parameters = "",
            .unit = "ns",
            .host = host,
            .device_name = "GPU",
            .device_uuid = address,
            .pci_address = address,
            .rank = NAN,
            .subgroup_size = 16,
            .workgroup_size = 64,
            .workgroup_count = figure + 1,
            .usable = true,
            .value = mean,
            .ns_mean = mean,
            .ci95_lo_ns = mean * 0.992,
            .ci95_hi_ns = mean * 1.008,
            .clock_mhz = 1600.0 / (p->kind == FLEET_CLOCK ? slow : 1.0),
            .work_bytes = kind == FLEET_MEMORY ? 64.0 : 0.0,
            .work_flops = kind == FLEET_COMPUTE ? 64.0 : 0.0,
        };

        assert_int_equal(fleet_add(fleet, &row, &error), STATUS_OK);
    }
}

/* Of the first racks only. */
static void explain(struct fleet *fleet, struct fleet_causes *causes, const struct planted *p,
                    int racks, uint64_t seed)
{
    struct prng prng;
    struct error error;
    regex_t rack;

    memset(fleet, 0, sizeof(*fleet));
    prng_seed(&prng, seed);
    for (int i = 0; i < racks * NODES * SLOTS; i++)
        add_gpu(fleet, &prng, p, i / (NODES * SLOTS), i / SLOTS % NODES, i % SLOTS);
    assert_int_equal(fleet_judge(fleet, 0.01, &error), STATUS_OK);
    assert_int_equal(regcomp(&rack, "^x([0-9]+)c", REG_EXTENDED), 0);
    assert_int_equal(fleet_explain(causes, fleet, &rack, 0.01, &error), STATUS_OK);
    regfree(&rack);
}

/* That this is found, and nothing else. */
static void assert_found(const struct planted *p, uint64_t seed, enum fleet_level level,
                         const char *name, size_t gpus, double change)
{
    struct fleet fleet;
    struct fleet_causes causes;
    bool is_clock = p->kind == FLEET_CLOCK;

    explain(&fleet, &causes, p, RACKS, seed);
    assert_int_equal(causes.count, is_clock ? 3 : 1);
    for (size_t i = 0; i < causes.count; i++) {
        const struct fleet_cause *cause = &causes.cause[i];

        assert_int_equal(cause->level, level);
        assert_string_equal(cause->name, name);
        assert_int_equal(cause->gpus, gpus);
        assert_true(fabs(cause->change - change) < 0.02);
    }
    assert_int_equal(causes.cause[causes.count - 1].kind, p->kind);
    fleet_causes_free(&causes);
    fleet_free(&fleet);
}

static void test_groups(void **state)
{
    static const enum fleet_kind kinds[] = {FLEET_COMPUTE, FLEET_MEMORY, FLEET_CLOCK};
    struct prng prng;

    (void)state;
    prng_seed(&prng, 7);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        int rack = (int)prng_below(&prng, RACKS), node = (int)prng_below(&prng, NODES);
        int slot = (int)prng_below(&prng, SLOTS);
        enum fleet_kind kind = kinds[seed % 3];
        char name[32];

        assert_found(
            &(struct planted){rack, node, slot, kind, 0.08, 0, 0}, seed, FLEET_GPU,
            (snprintf(name, sizeof(name), "x%dc%ds%db0n0", 4095 + rack, node / 8, node % 8), name),
            1, 0.08);
        assert_found(&(struct planted){rack, node, -1, kind, 0.05, 0, 0}, seed, FLEET_NODE, name,
                     SLOTS, 0.05);
        snprintf(name, sizeof(name), "%d", 4095 + rack);
        assert_found(&(struct planted){rack, -1, -1, kind, 0.04, 0, 0}, seed, FLEET_RACK, name,
                     NODES * SLOTS, 0.04);
        snprintf(name, sizeof(name), "0000:%02x:00.0", 16 * slot + 8);
        assert_found(&(struct planted){-1, -1, slot, kind, 0.04, 0, 0}, seed, FLEET_SLOT, name,
                     RACKS * NODES, 0.04);
    }
}

/* Along racks whose names sort as numbers, not as text: 9999 comes before 10000. */
static void test_gradients(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct planted planted = {-1, -1, -1, FLEET_OTHER, 0.0, 0.05, 0.0};
        struct fleet fleet;
        struct fleet_causes causes;

        for (int along = 0; along < 2; along++) {
            planted.along_racks = along ? 0.0 : 0.05;
            planted.along_nodes = along ? 0.05 : 0.0;
            explain(&fleet, &causes, &planted, RACKS, seed);
            assert_int_equal(causes.count, 2); /* compute and memory */
            for (size_t i = 0; i < causes.count; i++) {
                assert_int_equal(causes.cause[i].level,
                                 along ? FLEET_ALONG_NODES : FLEET_ALONG_RACKS);
                assert_true(fabs(causes.cause[i].change - 0.05) < 0.01);
            }
            fleet_causes_free(&causes);
            fleet_free(&fleet);
        }
    }
}

static void test_chance_shows_none(void **state)
{
    const struct planted none = {-1, -1, -1, FLEET_OTHER, 0.0, 0.0, 0.0};

    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct fleet fleet;
        struct fleet_causes causes;

        explain(&fleet, &causes, &none, seed % 2 ? RACKS : 1, seed);
        assert_int_equal(causes.count, 0);
        fleet_causes_free(&causes);
        fleet_free(&fleet);
    }
}

/* What a printer writes; to be freed. */
static char *printed(void (*print)(FILE *out, const struct fleet *fleet,
                                   const struct fleet_causes *causes),
                     const struct fleet *fleet, const struct fleet_causes *causes)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    assert_non_null(out);
    print(out, fleet, causes);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void test_monitoring(void **state)
{
    const struct planted planted = {1, -1, -1, FLEET_MEMORY, 0.3, 0.0, 0.0};
    struct fleet fleet;
    struct fleet_causes causes;

    (void)state;
    explain(&fleet, &causes, &planted, 4, 1);
    fleet.gpus[0].host = "a\"b\\<c";
    char *metrics = printed(fleet_put_openmetrics, &fleet, &causes);
    assert_non_null(strstr(metrics,
                           "vebench_gpu_figures{host=\"a\\\"b\\\\<c\",gpu=\"0000:08:00.0\","
                           "pci_address=\"0000:08:00.0\",device=\"GPU\"} 6\n"));
    assert_non_null(strstr(metrics, "vebench_gpu_clock_hertz{"));
    assert_non_null(strstr(
        metrics, "vebench_fleet_slower_ratio{level=\"rack\",name=\"4096\",kind=\"memory\"}"));
    assert_string_equal(metrics + strlen(metrics) - 6, "# EOF\n");
    free(metrics);
    char *junit = printed(fleet_put_junit, &fleet, &causes);
    assert_non_null(strstr(junit, " tests=\"289\" failures=\"73\" errors=\"0\" skipped=\"0\">"));
    assert_non_null(
        strstr(junit, "<testcase classname=\"a&#34;b\\&#60;c\" name=\"0000:08:00.0\"/>"));
    assert_non_null(strstr(junit, "slower than its peers in 3 of 6 figures"));
    free(junit);
    fleet_causes_free(&causes);
    fleet_free(&fleet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_gradients),
        cmocka_unit_test(test_chance_shows_none),
        cmocka_unit_test(test_monitoring),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
