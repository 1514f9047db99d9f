/* The plan of faults: its text, its counting, its clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "faults/faults.h"

static struct faults parse(const char *text)
{
    struct faults faults;
    char error[512];

    if (faults_parse(&faults, text, error, sizeof(error)))
        fail_msg("%s: %s", text, error);
    return faults;
}

static void assert_refused(const char *text, const char *words)
{
    struct faults faults;
    char error[512];

    assert_int_equal(faults_parse(&faults, text, error, sizeof(error)), -1);
    if (!strstr(error, words))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, error, words);
}

static void test_text(void **state)
{
    struct faults faults = parse("hang:3-5,clock-step:2ms,page-fault,device-lost:7+,wrong-lane:2");

    (void)state;
    assert_true(faults.when[FAULT_HANG].planned);
    assert_int_equal(faults.when[FAULT_HANG].first, 3);
    assert_int_equal(faults.when[FAULT_HANG].last, 5);
    assert_int_equal(faults.when[FAULT_CLOCK_STEP].from_ns, 2000000);
    assert_int_equal(faults.when[FAULT_PAGE_FAULT].first, 1);
    assert_int_equal(faults.when[FAULT_PAGE_FAULT].last, 1);
    assert_true(faults.when[FAULT_DEVICE_LOST].last == UINT64_MAX);
    assert_int_equal(faults.when[FAULT_WRONG_LANE].last, 2);
    assert_false(faults.when[FAULT_NOISE].planned);
    assert_refused("fire", "there is no fault fire; there are device-lost, hang,");
    assert_refused("hang:0", "hang:N, N-M or N+");
    assert_refused("hang:5-3", "hang:N");
    assert_refused("hang:2ms", "hang:N");
    assert_refused("hang:", "hang:N");
    assert_refused("hang,drift:3", "drift:TIME");
    assert_refused("drift:-1ms", "drift:TIME");
    assert_refused("hangs", "there is no fault hangs");
}

/* A fault that a child has met does not strike its parent again. */
static void test_counts_hold_over_processes(void **state)
{
    struct faults faults = parse("hang:2");
    int status = 0;

    (void)state;
    assert_false(faults_strike(NULL, FAULT_HANG));
    assert_false(faults_strike(&faults, FAULT_PAGE_FAULT));
    assert_false(faults_strike(&faults, FAULT_HANG));
    pid_t child = fork();
    if (child == 0)
        _exit(faults_strike(&faults, FAULT_HANG) ? 0 : 1);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_false(faults_strike(&faults, FAULT_HANG));
}

/* Time never runs back, whatever the clock does, and is untouched before the fault. */
static void test_time(void **state)
{
    static const struct {
        const char *text;
        double at_ms, shows_ms, within_ms;
    } cases[] = {
        {"slow-device", 3.0, 60.0, 1e-9},   {"clock-step:2ms", 1.0, 1.0, 0.0},
        {"clock-step:2ms", 3.0, 4.0, 1e-9}, {"throttling", 5.0, 10.0, 1e-9},
        {"throttling", 45.0, 50.0, 1e-9},   {"throttling", 40.0, 45.0, 1e-9},
        {"drift", 1000.0, 1050.0, 1e-6},    {"clock-ramp", 100.0, 102.5, 1e-6},
        {"clock-ramp", 0.001, 0.002, 1e-6}, {"noise", 10.0, 10.0005, 0.0005},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct faults faults = parse(cases[i].text);
        double before = -1.0, shown = faults_time(&faults, cases[i].at_ms * 1e6) / 1e6;

        if (!(shown >= cases[i].shows_ms - cases[i].within_ms &&
              shown <= cases[i].shows_ms + cases[i].within_ms))
            fail_msg("%s at %g ms shows %g ms, not %g ms", cases[i].text, cases[i].at_ms, shown,
                     cases[i].shows_ms);
        for (double ns = 0.0; ns < 1e8; ns += 997.0) {
            double now = faults_time(&faults, ns);

            assert_true(now >= before);
            before = now;
        }
    }
}

/* Both counters wrap at the planned time, and not before. */
static void test_wrap(void **state)
{
    struct faults faults = parse("timestamp-wrap:2ms");
    uint64_t ticks = faults_ticks(&faults, 19200000);

    (void)state;
    assert_true(ticks < UINT64_C(1) << 36);
    assert_int_equal((ticks + 38400) & UINT32_MAX, 0);
    assert_int_equal(ticks + 38400, UINT64_C(1) << 36);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_counts_hold_over_processes),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_wrap),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
