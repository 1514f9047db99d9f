/* What the driver's system management reports about the emulated device: it finds the device by its
 * open descriptor, and the clock in sysfs. The argument is the clock in MHz. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <level_zero/ze_api.h>
#include <level_zero/zes_api.h>

#include <stdlib.h>

static double expected_mhz;

static void test_clock(void **state)
{
    zes_freq_state_t now = {.stype = ZES_STRUCTURE_TYPE_FREQ_STATE};
    zes_freq_properties_t domain = {.stype = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES};
    zes_freq_handle_t clock;
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    uint32_t count = 1;

    (void)state;
    assert_int_equal(zeInit(0), ZE_RESULT_SUCCESS);
    assert_int_equal(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
    assert_int_equal(zeDeviceGet(driver, &count, &device), ZE_RESULT_SUCCESS);
    assert_int_equal(zesDeviceEnumFrequencyDomains((zes_device_handle_t)device, &count, &clock),
                     ZE_RESULT_SUCCESS);
    assert_int_equal(count, 1);
    assert_int_equal(zesFrequencyGetProperties(clock, &domain), ZE_RESULT_SUCCESS);
    assert_int_equal(domain.type, ZES_FREQ_DOMAIN_GPU);
    assert_int_equal(zesFrequencyGetState(clock, &now), ZE_RESULT_SUCCESS);
    assert_true(now.actual == expected_mhz);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_clock)};

    expected_mhz = argc > 1 ? atof(argv[1]) : 0.0;
    setenv("ZES_ENABLE_SYSMAN", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
