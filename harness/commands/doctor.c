#include "commands/doctor.h"

#include "base/processors.h"
#include "cli/style.h"
#include "run/bench-sweep.h"
#include "run/run-command.h"
#include "ze/emulator.h"
#include "ze/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Time limit for the driver to answer all queries. */
#define DRIVER_LIMIT_S 60u

/* Other processes that use more than this fraction of the processors disturb measurements. */
#define BUSY_PART 0.5

#define INDENT    "         "

void diagnose(struct doctor *doctor, enum diagnosis diagnosis, const char *about,
              const char *format, ...)
{
    static const char *const words[] = {"ok", "note", "wrong"};
    int gap = 7 - (int)strlen(words[diagnosis]);
    char text[1000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    if (diagnosis == DIAGNOSIS_WRONG)
        style_put(doctor->out, STYLE_BAD, words[diagnosis]);
    else
        fputs(words[diagnosis], doctor->out);
    fprintf(doctor->out, "%*s%s: %s\n", gap, "", about, text);
    if (doctor->report)
        fprintf(doctor->report, "%s%*s%s: %s\n", words[diagnosis], gap, "", about, text);
    if (diagnosis == DIAGNOSIS_WRONG && doctor->wrong++ == 0)
        snprintf(doctor->first_wrong, sizeof(doctor->first_wrong), "%.30s: %.120s", about, text);
}

void mend(struct doctor *doctor, const char *format, ...)
{
    char text[1000];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fprintf(doctor->out, INDENT "%s\n", text);
    if (doctor->report)
        fprintf(doctor->report, INDENT "%s\n", text);
}

static void judge_clock(struct doctor *doctor, const struct machine_gpu *gpu)
{
    bool xe = strstr(gpu->clock, "freq0") != NULL;

    if (!gpu->most_mhz)
        diagnose(doctor, DIAGNOSIS_NOTE, "clock", "%s does not report its limits", gpu->card);
    else if (gpu->least_mhz == gpu->most_mhz)
        diagnose(doctor, DIAGNOSIS_OK, "clock", "%s is held at %u MHz", gpu->card, gpu->most_mhz);
    else {
        diagnose(doctor, DIAGNOSIS_NOTE, "clock",
                 "%s varies between %u and %u MHz; vebench observes it, but a fixed clock is "
                 "better",
                 gpu->card, gpu->least_mhz, gpu->most_mhz);
        mend(doctor, "echo %u | sudo tee %s/%s", gpu->most_mhz, gpu->clock,
             xe ? "min_freq" : "gt_min_freq_mhz");
    }
}

static void judge_gpu(struct doctor *doctor, const struct machine_gpu *gpu)
{
    if (!gpu->driver[0]) {
        diagnose(doctor, DIAGNOSIS_WRONG, "kernel driver", "none is bound to %s, %s", gpu->card,
                 gpu->pci_address);
        mend(doctor, "sudo modprobe xe || sudo modprobe i915");
        return;
    }
    diagnose(doctor, DIAGNOSIS_OK, "kernel driver", "%s for %s, %s", gpu->driver, gpu->card,
             gpu->pci_address);
    if (!gpu->node[0]) {
        diagnose(doctor, DIAGNOSIS_WRONG, "node", "%s has no /dev/dri/renderD*", gpu->card);
        mend(doctor, "sudo udevadm trigger --subsystem-match=drm --action=add");
    } else if (!gpu->may_open) {
        diagnose(doctor, DIAGNOSIS_WRONG, "node",
                 "%s may only be opened by group %s, which you are not in (log in again after the "
                 "command)",
                 gpu->node, gpu->group);
        mend(doctor, "sudo usermod -a -G %s \"$USER\"", gpu->group);
    } else {
        diagnose(doctor, DIAGNOSIS_OK, "node", "%s may be opened", gpu->node);
    }
    judge_clock(doctor, gpu);
}

static void judge_load(struct doctor *doctor, const struct machine *machine, unsigned processors)
{
    if (machine->load > BUSY_PART * processors) {
        diagnose(doctor, DIAGNOSIS_WRONG, "load",
                 "%.1f processes compete for %u processors: host times and the workers of "
                 "an emulated device suffer",
                 machine->load, processors);
        mend(doctor, "top -o %%CPU");
    } else if (machine->load >= 0.0) {
        diagnose(doctor, DIAGNOSIS_OK, "load", "%.1f processes on %u processors", machine->load,
                 processors);
    }
    if (machine->openings && machine->gpu_count) {
        diagnose(doctor, DIAGNOSIS_NOTE, "load",
                 "other processes hold render nodes open (%u times) and may be using a "
                 "GPU",
                 machine->openings);
        mend(doctor, "sudo fuser -v /dev/dri/renderD*");
    }
}

void doctor_machine(struct doctor *doctor, const struct machine *machine, unsigned processors)
{
    for (size_t i = 0; i < machine->gpu_count; i++)
        judge_gpu(doctor, &machine->gpu[i]);
    doctor->no_gpu = machine->gpu_count == 0 && !machine->has_wsl;
    if (machine->gpu_count == 0 && machine->has_wsl) {
        diagnose(doctor, DIAGNOSIS_OK, "GPU", "that of Windows, /dev/dxg");
    } else if (machine->gpu_count == 0) {
        diagnose(doctor, DIAGNOSIS_WRONG, "GPU",
                 "the kernel shows no Intel GPU here; an emulated one can be measured");
        mend(doctor, "vebench bench --emulate a380");
    }
    judge_load(doctor, machine, processors);
}

void doctor_environment(struct doctor *doctor)
{
    static const struct {
        const char *name, *what;
        enum diagnosis diagnosis;
    } variables[] = {
        {"ZE_AFFINITY_MASK", "hides devices", DIAGNOSIS_NOTE},
        {"ZE_FLAT_DEVICE_HIERARCHY", "decides whether tiles are devices", DIAGNOSIS_NOTE},
        {"ZES_ENABLE_SYSMAN", "selects the older interface of system management", DIAGNOSIS_NOTE},
        {"ZE_ENABLE_NULL_DRIVER",
         "puts a driver that does nothing before the real "
         "one",
         DIAGNOSIS_WRONG},
        {"NEOReadDebugKeys", "makes the driver read its debug keys", DIAGNOSIS_WRONG},
        {"ZE_ENABLE_VALIDATION_LAYER", "has every call checked, which takes time", DIAGNOSIS_WRONG},
        {"ZE_ENABLE_TRACING_LAYER", "has every call traced, which takes time", DIAGNOSIS_WRONG},
    };
    unsigned set = 0;

    for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
        const char *value = getenv(variables[i].name);

        if (!value || (variables[i].diagnosis == DIAGNOSIS_WRONG && !strcmp(value, "0")))
            continue;
        set++;
        diagnose(doctor, variables[i].diagnosis, "environment", "%s=%s %s", variables[i].name,
                 value, variables[i].what);
        mend(doctor, "unset %s", variables[i].name);
    }
    if (set == 0)
        diagnose(doctor, DIAGNOSIS_OK, "environment", "no variable changes what the driver shows");
}

/* Checks that need the device to be open. */
static void ask_device(struct doctor *doctor, size_t index)
{
    struct session session;
    struct error error;
    char selector[24];

    snprintf(selector, sizeof(selector), "%zu", index);
    if (session_connect(&session, run_loader(), &error) != STATUS_OK)
        return;
    if (session_open(&session, selector, 0, &error) != STATUS_OK) {
        diagnose(doctor, DIAGNOSIS_WRONG, "device", "number %zu cannot be opened: %s", index,
                 error.text);
        mend(doctor, "sudo dmesg | grep -E 'i915|xe|GPU HANG'");
        session_close(&session);
        return;
    }
    diagnose(doctor, DIAGNOSIS_OK, "device", "%s, %u Xe-cores%s", session.device->name,
             device_xe_cores(session.device), session.kind == DEVICE_EMULATED ? ", EMULATED" : "");
    if (session.kind == DEVICE_HARDWARE && !(session.peak_bandwidth > 0.0))
        diagnose(doctor, DIAGNOSIS_NOTE, "system management",
                 "does not report the memory bandwidth; clocks are counted by a kernel instead");
    else if (session.kind == DEVICE_HARDWARE)
        diagnose(doctor, DIAGNOSIS_OK, "system management", "answers");
    session_close(&session);
}

static void ask_driver(struct doctor *doctor)
{
    struct session session;
    struct ze_api api;
    struct error error;

    if (ze_api_open(&api, run_loader(), &error) != STATUS_OK) {
        diagnose(doctor, DIAGNOSIS_WRONG, "loader", "%s", error.text);
        mend(doctor, "sudo apt install libze1 intel-opencl-icd");
        return;
    }
    ze_api_close(&api);
    if (session_connect(&session, run_loader(), &error) != STATUS_OK) {
        diagnose(doctor, doctor->no_gpu ? DIAGNOSIS_NOTE : DIAGNOSIS_WRONG, "driver", "%s",
                 error.text);
        if (doctor->no_gpu)
            return;
        mend(doctor, "sudo apt install intel-opencl-icd");
        return;
    }
    size_t count = session.devices.count;
    diagnose(doctor, DIAGNOSIS_OK, "loader", "Level Zero %s", session.loader_version);
    diagnose(doctor, DIAGNOSIS_OK, "driver", "Intel's, version %s",
             session.devices.device[0].driver_version);
    ze_api_close(&session.ze);
    for (size_t i = 0; i < count; i++)
        ask_device(doctor, i);
}

/* Runs in a child process, so that a driver that crashes, exits or hangs is just a finding. */
static void ask_driver_apart(struct doctor *doctor)
{
    int state = 0;

    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        unsigned before = doctor->wrong;

        alarm(DRIVER_LIMIT_S);
        ask_driver(doctor);
        fflush(doctor->out);
        _exit((int)(doctor->wrong - before));
    }
    if (child < 0) {
        diagnose(doctor, DIAGNOSIS_WRONG, "driver",
                 "cannot start a process to ask it: "
                 "%s",
                 strerror(errno));
        return;
    }
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(state)) {
        doctor->wrong += (unsigned)WEXITSTATUS(state);
        return;
    }
    diagnose(doctor, DIAGNOSIS_WRONG, "driver",
             WTERMSIG(state) == SIGALRM ? "does not answer (signal %d)" : "crashes (signal %d)",
             WTERMSIG(state));
    mend(doctor, "sudo apt install --reinstall libze1 intel-opencl-icd");
}

static void find_vesim(struct doctor *doctor)
{
    struct bench_device programs;
    struct error error;

    if (bench_find_programs(&programs, &error) == STATUS_OK && bench_has_vesim(&programs)) {
        diagnose(doctor, DIAGNOSIS_OK, "vesim", "%s", programs.vesim);
        return;
    }
    diagnose(doctor, DIAGNOSIS_WRONG, "vesim", "is neither beside vebench nor in PATH");
    mend(doctor, "ninja -C build install");
}

unsigned command_doctor(FILE *out)
{
    struct doctor doctor = {.out = out, .wrong = 0};
    struct machine machine;

    if (emulator_device_name()) {
        diagnose(&doctor, DIAGNOSIS_NOTE, "GPU", "this is vesim as %s: a model, not a GPU",
                 emulator_device_name());
    } else {
        machine_look(&machine, "");
        doctor_machine(&doctor, &machine, processors_available());
    }
    doctor_environment(&doctor);
    ask_driver_apart(&doctor);
    find_vesim(&doctor);
    return doctor.wrong;
}
