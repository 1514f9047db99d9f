/* What vebench doctor reads from a machine's files, here a tree made by the test, and what it says
 * about each problem. */
#include "test.h"

#include "commands/doctor.h"
#include "commands/measurable.h"

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
    strcpy(root, "doctor-XXXXXX");
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

/* Of i915, which counts ns, and of xe, which counts cycles; of another card; of this process. */
static void make_clients(void)
{
    char self[60];

    folder("/proc/1/fdinfo");
    folder("/proc/2");
    folder("/proc/2/fdinfo");
    snprintf(self, sizeof(self), "/proc/%ld", (long)getpid());
    folder(self);
    strcat(self, "/fdinfo");
    folder(self);
}

static void write_clients(unsigned long ns, unsigned long cycles, unsigned long total)
{
    char text[300], self[60];

    snprintf(text, sizeof(text),
             "pos:\t0\ndrm-driver:\ti915\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t7\n"
             "drm-engine-render:\t%lu ns\ndrm-engine-capacity-video:\t2\n",
             ns);
    file("/proc/1/fdinfo/5", text);
    file("/proc/1/fdinfo/6", text); /* a duplicate of the same file */
    file("/proc/1/fdinfo/7", "pos:\t0\nflags:\t02\n");
    file("/proc/1/comm", "compositor\n");
    snprintf(text, sizeof(text),
             "drm-pdev:\t0000:03:00.0\ndrm-client-id:\t8\ndrm-cycles-ccs:\t%lu\n"
             "drm-total-cycles-ccs:\t%lu\n",
             cycles, total);
    file("/proc/2/fdinfo/3", text);
    file("/proc/2/comm", "other\n");
    file("/proc/2/fdinfo/4", "drm-pdev:\t0000:04:00.0\ndrm-client-id:\t7\n");
    snprintf(self, sizeof(self), "/proc/%ld/fdinfo/3", (long)getpid());
    file(self, text);
}

static void test_clients_are_read(void **state)
{
    static struct clients before, now;

    (void)state;
    make_clients();
    write_clients(1000000, 500, 1000);
    clients_read(&before, root, "0000:03:00.0");
    assert_int_equal(before.count, 2);
    write_clients(1000000 + 30000000, 500 + 600, 2000);
    clients_read(&now, root, "0000:03:00.0");
    now.read_ns = before.read_ns + 100000000;
    clients_use(&now, &before);
    const struct client *busiest = clients_busiest(&now);
    assert_string_equal(busiest->program, "other");
    assert_string_equal(busiest->busy_engine, "ccs");
    assert_near(busiest->busy, 0.6, 1e-9);
    assert_near(now.client[now.client[0].id == 7 ? 0 : 1].busy, 0.3, 1e-9);
    clients_use(&now, &now);
    clients_read(&now, root, "0000:04:00.0");
    assert_int_equal(now.count, 1);
    assert_null(clients_busiest(&now));
}

/* The other workers of a run are not other clients; a program of another name beside them is. */
static void test_siblings_are_no_clients(void **state)
{
    static struct client_watch watch;
    char own[CLIENT_NAME_MAX] = "", text[60];
    uint32_t count = 9;
    double busy = 9.0;

    (void)state;
    make_clients();
    write_clients(1000000, 500, 1000);
    FILE *comm = fopen("/proc/self/comm", "r");
    assert_non_null(comm);
    assert_non_null(fgets(own, sizeof(own), comm));
    fclose(comm);
    snprintf(text, sizeof(text), "Name:\tx\nPPid:\t%ld\n", (long)getppid());
    file("/proc/1/status", text);
    file("/proc/2/status", text);
    file("/proc/2/comm", own);
    client_watch_look(&watch, root, "0000:03:00.0", &count, &busy);
    assert_int_equal(count, 1);
    assert_true(busy == 0.0);
    file("/proc/1/comm", own);
    client_watch_look(&watch, root, "0000:03:00.0", &count, &busy);
    assert_int_equal(count, 1); /* once a second is enough */
    watch.seen[watch.newest].read_ns -= 2000000000u;
    client_watch_look(&watch, root, "0000:03:00.0", &count, &busy);
    assert_int_equal(count, 0);
    file("/proc/1/comm", "compositor\n");
    watch.seen[watch.newest].read_ns -= 2000000000u;
    client_watch_look(&watch, root, "0000:03:00.0", &count, &busy);
    watch.seen[watch.newest].read_ns -= 2000000000u;
    write_clients(1000000 + 500000000, 500, 1000);
    file("/proc/2/comm", own);
    client_watch_look(&watch, root, "0000:03:00.0", &count, &busy);
    assert_int_equal(count, 1);
    assert_true(busy > 0.0 && busy <= 0.25); /* half a second in the last two or more */
}

/* What is said and what is reported of a quiet GPU, but for what the caller sets. */
static void assert_judged(const struct measurable *m, unsigned wrong, const char *what,
                          const char *unreported)
{
    struct doctor doctor = {.wrong = 0};
    char *said_text, *report_text;
    size_t bytes[2];

    doctor.out = open_memstream(&said_text, &bytes[0]);
    doctor.report = open_memstream(&report_text, &bytes[1]);
    measurable_judge(&doctor, m);
    fclose(doctor.out);
    fclose(doctor.report);
    if (doctor.wrong != wrong || !strstr(said_text, what) ||
        (unreported && (!strstr(said_text, unreported) || strstr(report_text, unreported))))
        fail_msg("%u are wrong, not %u, or \"%s\" is not in: %s\nor \"%s\" is in: %s", doctor.wrong,
                 wrong, what, said_text, unreported ? unreported : "", report_text);
    free(said_text);
    free(report_text);
}

static void test_others_and_versions_are_judged(void **state)
{
    const struct machine_gpu gpu = {.driver = "xe", .clock = "/sys/gt0/freq0"};
    static struct clients clients = {
        .client = {{.program = "browser", .process = 4711, .engine = {{.name = "rcs"}}}},
        .count = 1};
    struct measurable m = {.target = {.device = {.driver_version = "1.14.39122"}},
                           .test = {.settles = true, .floor = 1.0, .counted_mhz = 2000.0},
                           .gpu = &gpu,
                           .clients = &clients,
                           .kernel = "6.12.0"};

    (void)state;
    assert_judged(&m, 0, "ok     driver: Level Zero 1.14.39122; kernel 6.12.0 with xe", NULL);
    assert_judged(&m, 0, "ok     clients: 1 other programs have the GPU open", NULL);
    clients.client[0].busy = 0.25;
    clients.client[0].busy_engine = clients.client[0].engine[0].name;
    assert_judged(&m, 1, "wrong  clients: another program uses 25 % of engine rcs", "browser");
    clients.client[0].busy = 0.0;
    strcpy(m.target.device.driver_version, "1.9.1");
    assert_judged(&m, 0, "note   driver: Level Zero 1.9.1, which vebench has not been tried", NULL);
    m.test.load_s = 10.0;
    m.test.lost = 0.2;
    m.test.wide_mhz = 2000.0;
    assert_judged(&m, 1, "echo 1600 | sudo tee /sys/gt0/freq0/max_freq", NULL);
    m.test.lost = 0.0;
    m.test.settles = false;
    assert_judged(&m, 1, "echo 2000 | sudo tee /sys/gt0/freq0/min_freq", NULL);
    m.gpu = NULL;
    m.test.settles = true;
    assert_judged(&m, 0, "whose driver for this GPU is not known", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_tree_is_read, make_tree, remove_tree),
        cmocka_unit_test_setup_teardown(test_clients_are_read, make_tree, remove_tree),
        cmocka_unit_test_setup_teardown(test_siblings_are_no_clients, make_tree, remove_tree),
        cmocka_unit_test(test_others_and_versions_are_judged),
        cmocka_unit_test(test_an_empty_tree_is_read),
        cmocka_unit_test(test_each_fault_has_its_command),
        cmocka_unit_test(test_variables),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
