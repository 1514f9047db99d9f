/* What the preloaded library reads from the environment: the resulting settings, and the messages
 * about bad values. */
#include "isa/test.h"

#include <stdlib.h>
#include <string.h>

#include "preload/environment.h"

static const char *const variables[] = {
    "VESIM_DEVICE",     "VESIM_THREADS",           "VESIM_LANES",
    "VESIM_COMPILE",    "VESIM_INSTRUCTION_LIMIT", "VESIM_TIME_LIMIT",
    "VESIM_POLL_LIMIT", "VESIM_COUNTERS",          "VESIM_FUNCTIONAL",
    "VESIM_LOG",        "VESIM_KERNEL_DRIVER",     "VESIM_AFTER_HANG",
    "VESIM_GDB"};

static struct vesim_device device;
static struct vesim_settings settings;
static char error[512];

static int clear(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
        unsetenv(variables[i]);
    return 0;
}

static int read_with(const char *name, const char *value)
{
    clear(NULL);
    setenv(name, value, 1);
    return environment_read(&device, &settings, error, sizeof(error));
}

static void test_nothing_is_the_default(void **state)
{
    const struct vesim_settings expected = vesim_settings_default();

    (void)state;
    assert_int_equal(environment_read(&device, &settings, error, sizeof(error)), 0);
    assert_string_equal(device.name, "a380");
    assert_int_equal(settings.instruction_limit, expected.instruction_limit);
    assert_true(settings.time_limit_s == 3600 && settings.poll_limit_s == 30);
    assert_int_equal(settings.host_threads, 0);
    assert_false(settings.functional || settings.counters || settings.log_commands);
    assert_null(settings.walk_done);
    assert_int_equal(read_with("VESIM_THREADS", ""), 0);
}

static void test_after_hang(void **state)
{
    double seconds = 30;

    clear(state);
    assert_int_equal(environment_after_hang(&seconds, error, sizeof(error)), 0);
    assert_true(seconds == 30);
    setenv("VESIM_AFTER_HANG", "2.5", 1);
    assert_int_equal(environment_after_hang(&seconds, error, sizeof(error)), 0);
    assert_true(seconds == 2.5);
    setenv("VESIM_AFTER_HANG", "wait", 1);
    assert_int_equal(environment_after_hang(&seconds, error, sizeof(error)), 0);
    assert_true(seconds < 0);
    setenv("VESIM_AFTER_HANG", "0", 1);
    assert_int_equal(environment_after_hang(&seconds, error, sizeof(error)), -1);
    assert_non_null(strstr(error, "VESIM_AFTER_HANG is '0'"));
    assert_false(environment_prints_stacks());
    setenv("VESIM_GDB", "1", 1);
    assert_true(environment_prints_stacks());
    clear(state);
}

static void test_each_variable(void **state)
{
    (void)state;
    assert_int_equal(read_with("VESIM_DEVICE", "iris-xe"), 0);
    assert_string_equal(device.name, "iris-xe");
    assert_int_equal(device.kernel_driver, VESIM_I915);
    assert_int_equal(read_with("VESIM_KERNEL_DRIVER", "xe"), 0);
    assert_int_equal(device.kernel_driver, VESIM_XE);
    assert_int_equal(read_with("VESIM_THREADS", "3"), 0);
    assert_int_equal(settings.host_threads, 3);
    assert_int_equal(read_with("VESIM_INSTRUCTION_LIMIT", "0x100"), 0);
    assert_int_equal(settings.instruction_limit, 256);
    assert_int_equal(read_with("VESIM_TIME_LIMIT", "7200"), 0);
    assert_true(settings.time_limit_s == 7200);
    assert_int_equal(read_with("VESIM_TIME_LIMIT", "0"), 0);
    assert_true(settings.time_limit_s == 0);
    assert_int_equal(read_with("VESIM_POLL_LIMIT", "2.25"), 0);
    assert_true(settings.poll_limit_s > 2.24 && settings.poll_limit_s < 2.26);
    assert_int_equal(read_with("VESIM_LANES", "general"), 0);
    assert_int_equal(settings.lanes, VESIM_LANES_GENERAL);
    assert_int_equal(read_with("VESIM_COMPILE", "check"), 0);
    assert_int_equal(settings.compile, VESIM_COMPILE_CHECK);
    assert_int_equal(read_with("VESIM_FUNCTIONAL", "1"), 0);
    assert_true(settings.functional && environment_is_functional());
    assert_int_equal(read_with("VESIM_FUNCTIONAL", "0"), 0);
    assert_false(settings.functional || environment_is_functional());
    assert_int_equal(read_with("VESIM_LOG", "1"), 0);
    assert_true(settings.log_commands);
    assert_int_equal(read_with("VESIM_COUNTERS", "/nowhere/counters.csv"), 0);
    assert_true(settings.counters && settings.walk_done);
}

static void expect_refusal(const char *name, const char *value, const char *allowed)
{
    assert_int_equal(read_with(name, value), -1);
    if (!strstr(error, name) || !strstr(error, value) || !strstr(error, allowed))
        fail_msg("\"%s\" does not name %s, '%s' and %s", error, name, value, allowed);
}

static void test_values_that_make_no_sense(void **state)
{
    (void)state;
    expect_refusal("VESIM_THREADS", "many", "from 1 to 1024");
    expect_refusal("VESIM_THREADS", "0", "from 1 to 1024");
    expect_refusal("VESIM_THREADS", "-1", "from 1 to 1024");
    expect_refusal("VESIM_THREADS", "4 or 5", "from 1 to 1024");
    expect_refusal("VESIM_THREADS", "5000", "from 1 to 1024");
    expect_refusal("VESIM_INSTRUCTION_LIMIT", "99999999999999999999", "from 1 to");
    expect_refusal("VESIM_TIME_LIMIT", "never", "a number of seconds");
    expect_refusal("VESIM_TIME_LIMIT", "-1", "a number of seconds");
    expect_refusal("VESIM_TIME_LIMIT", "1.2.3", "a number of seconds");
    expect_refusal("VESIM_TIME_LIMIT", ".", "a number of seconds");
    expect_refusal("VESIM_POLL_LIMIT", "99999999999", "a number of seconds");
    expect_refusal("VESIM_LANES", "avx", "best plain general");
    expect_refusal("VESIM_COMPILE", "yes", "off on always check");
    expect_refusal("VESIM_FUNCTIONAL", "yes", "0 1");
    expect_refusal("VESIM_LOG", "2", "0 1");
    expect_refusal("VESIM_KERNEL_DRIVER", "nouveau", "i915 xe");
    assert_int_equal(read_with("VESIM_DEVICE", "voodoo2"), -1);
    assert_non_null(strstr(error, "a380"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_nothing_is_the_default, clear),
        cmocka_unit_test_setup(test_after_hang, clear),
        cmocka_unit_test_setup(test_each_variable, clear),
        cmocka_unit_test_setup(test_values_that_make_no_sense, clear),
    };

    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
