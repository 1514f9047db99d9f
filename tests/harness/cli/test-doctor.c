/* What vebench doctor reads from a machine's files, here a tree made by the test, and what it says
 * about each problem. */
#include "test.h"

#include "commands/doctor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "doctor-XXXXXX";

static void folder(const char *path)
{
    char whole[300];

    snprintf(whole, sizeof(whole), "%s%s", root, path);
    assert_int_equal(mkdir(whole, 0777), 0);
}

static void file(const char *path, const char *text)
{
    char whole[300];

    snprintf(whole, sizeof(whole), "%s%s", root, path);
    FILE *out = fopen(whole, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static void link_to(const char *path, const char *target)
{
    char whole[300];

    snprintf(whole, sizeof(whole), "%s%s", root, path);
    assert_int_equal(symlink(target, whole), 0);
}

/* An Intel card under xe, a card of another vendor, and a process that has its node open. */
static int make_tree(void **state)
{
    static const char *const folders[] = {"/sys",
                                          "/sys/class",
                                          "/sys/class/drm",
                                          "/sys/class/drm/card0",
                                          "/sys/class/drm/card1",
                                          "/sys/class/drm/card0-DP-1",
                                          "/sys/0000:03:00.0",
                                          "/sys/0000:03:00.0/drm",
                                          "/sys/0000:03:00.0/drm/renderD128",
                                          "/sys/0000:03:00.0/tile0",
                                          "/sys/0000:03:00.0/tile0/gt0",
                                          "/sys/0000:03:00.0/tile0/gt0/freq0",
                                          "/sys/other",
                                          "/dev",
                                          "/dev/dri",
                                          "/proc",
                                          "/proc/1",
                                          "/proc/1/fd"};

    (void)state;
    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
        folder(folders[i]);
    link_to("/sys/class/drm/card0/device", "../../../0000:03:00.0");
    link_to("/sys/class/drm/card1/device", "../../../other");
    file("/sys/0000:03:00.0/vendor", "0x8086\n");
    file("/sys/other/vendor", "0x1002\n");
    link_to("/sys/0000:03:00.0/driver", "../bus/pci/drivers/xe");
    file("/sys/0000:03:00.0/tile0/gt0/freq0/min_freq", "300\n");
    file("/sys/0000:03:00.0/tile0/gt0/freq0/max_freq", "2450\n");
    file("/dev/dri/renderD128", "");
    file("/proc/loadavg", "1.50 0.90 0.80 2/300 4711\n");
    link_to("/proc/1/fd/5", "/dev/dri/renderD128");
    link_to("/proc/1/fd/6", "/dev/null");
    return 0;
}

static int remove_tree(void **state)
{
    char command[80];

    (void)state;
    snprintf(command, sizeof(command), "rm -r %s", root);
    return system(command);
}

static void test_a_tree_is_read(void **state)
{
    struct machine machine;

    (void)state;
    machine_look(&machine, root);
    assert_int_equal(machine.gpu_count, 1);
    assert_string_equal(machine.gpu[0].card, "card0");
    assert_string_equal(machine.gpu[0].pci_address, "0000:03:00.0");
    assert_string_equal(machine.gpu[0].driver, "xe");
    assert_string_equal(machine.gpu[0].node, "/dev/dri/renderD128");
    assert_true(machine.gpu[0].may_open);
    assert_int_equal(machine.gpu[0].least_mhz, 300);
    assert_int_equal(machine.gpu[0].most_mhz, 2450);
    assert_near(machine.load, 1.5, 1e-9);
    assert_int_equal(machine.openings, 1);
}

static void test_an_empty_tree_is_read(void **state)
{
    struct machine machine;

    (void)state;
    machine_look(&machine, "/nonexistent");
    assert_int_equal(machine.gpu_count, 0);
    assert_true(machine.load < 0.0);
    assert_false(machine.has_wsl);
}

/* The output; to be freed. */
static char *said(const struct machine *machine, unsigned *wrong)
{
    struct doctor doctor = {.wrong = 0};
    size_t bytes;
    char *text;

    doctor.out = open_memstream(&text, &bytes);
    assert_non_null(doctor.out);
    doctor_machine(&doctor, machine, 4);
    fclose(doctor.out);
    *wrong = doctor.wrong;
    return text;
}

static void assert_said(const struct machine *machine, unsigned wrong, const char *what)
{
    unsigned found;
    char *text = said(machine, &found);

    if (found != wrong || !strstr(text, what))
        fail_msg("%u are wrong, not %u, or \"%s\" is not in: %s", found, wrong, what, text);
    free(text);
}

static void test_each_fault_has_its_command(void **state)
{
    const struct machine well = {.gpu = {{"card0", "0000:03:00.0", "xe", "/dev/dri/renderD128",
                                          true, "render", "/sys/class/drm/card0", 2000, 2000}},
                                 .gpu_count = 1,
                                 .load = 0.1};
    struct machine machine = well;

    (void)state;
    assert_said(&machine, 0, "held at 2000 MHz");
    machine.gpu[0].least_mhz = 300;
    assert_said(&machine, 0, "echo 2000 | sudo tee /sys/class/drm/card0/gt_min_freq_mhz");
    machine.gpu[0].may_open = false;
    assert_said(&machine, 1, "sudo usermod -a -G render");
    machine.gpu[0].node[0] = '\0';
    assert_said(&machine, 1, "sudo udevadm trigger");
    machine.gpu[0].driver[0] = '\0';
    assert_said(&machine, 1, "sudo modprobe");
    machine = well;
    machine.load = 3.0;
    assert_said(&machine, 1, "top");
    machine.load = -1.0;
    machine.openings = 2;
    assert_said(&machine, 0, "sudo fuser");
    machine.gpu_count = 0;
    assert_said(&machine, 1, "vebench bench --emulate a380");
    machine.has_wsl = true;
    assert_said(&machine, 0, "/dev/dxg");
}

static void test_variables(void **state)
{
    struct doctor doctor = {.wrong = 0};
    size_t bytes;
    char *text;

    (void)state;
    unsetenv("NEOReadDebugKeys");
    setenv("ZE_AFFINITY_MASK", "0.1", 1);
    setenv("ZE_ENABLE_VALIDATION_LAYER", "1", 1);
    setenv("ZE_ENABLE_NULL_DRIVER", "0", 1);
    doctor.out = open_memstream(&text, &bytes);
    assert_non_null(doctor.out);
    doctor_environment(&doctor);
    fclose(doctor.out);
    assert_int_equal(doctor.wrong, 1);
    assert_non_null(strstr(text, "unset ZE_AFFINITY_MASK"));
    assert_non_null(strstr(text, "unset ZE_ENABLE_VALIDATION_LAYER"));
    assert_null(strstr(text, "NULL_DRIVER"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_tree_is_read, make_tree, remove_tree),
        cmocka_unit_test(test_an_empty_tree_is_read),
        cmocka_unit_test(test_each_fault_has_its_command),
        cmocka_unit_test(test_variables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
