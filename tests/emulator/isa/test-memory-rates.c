/* No mix of reads and writes moves more than the pins of the memory could: bytes by time, of all
 * patterns, on all devices, against the peak of the description alone. */
#include "stream-kernels.h"
#include "test.h"

/* Caches of this size at most, so that 8 times as much goes through memory in no time. */
enum { CACHE_BYTES = 2 << 20, BYTES = 8 * CACHE_BYTES };

static struct machine machine;

static void limit(uint64_t *bytes)
{
    *bytes = *bytes < CACHE_BYTES ? *bytes : CACHE_BYTES;
}

/* Those of all Xe-cores together may hold all that is streamed, as on the Max series: then reading
 * it again takes no memory. */
static void limit_first_level(struct vesim_device *device)
{
    uint64_t cores = device->slices * device->xe_cores_per_slice;

    if (device->l1_bytes * cores >= BYTES)
        device->l1_bytes = CACHE_BYTES / cores;
}

/* GB/s. */
static double rate_of(const char *device, enum stream_pattern pattern)
{
    machine_load(&machine, device);
    limit(&machine.device.l3_bytes);
    limit(&machine.device.llc_bytes);
    limit_first_level(&machine.device);
    machine_finish(&machine);
    double rate = stream_rate(&machine, pattern, BYTES) * (double)machine.device.core_clock / 1e6;
    machine_destroy(&machine);
    return rate;
}

static void rates_stay_below_the_pins(void **state)
{
    (void)state;
    for (const char *const *name = vesim_device_names(); *name; name++) {
        if (!machine_knows(*name))
            continue;
        for (int pattern = 0; pattern < STREAM_PATTERNS; pattern++) {
            double rate = rate_of(*name, (enum stream_pattern)pattern);
            double peak = (double)machine.device.memory_bandwidth / 1e3;

            print_message("%s, pattern %d: %.1f of %.1f GB/s\n", *name, pattern, rate, peak);
            assert_true(rate <= peak);
            /* or something else holds it up, as lines that leave the cache half written do */
            assert_true(pattern == STREAM_LINES || rate >= 0.3 * peak);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_stay_below_the_pins)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
