#include "commands/measurable.h"

#include "compare/plausible.h"
#include "ze/conditions.h"

#include <math.h>
#include <string.h>

/* Clocks of host and device drift by some 1e-5, NTP moves the host's by up to 5e-4. */
#define TIMER_OFF          0.002

#define FLOOR_WORTH_SAYING 0.95
#define LONG_RAMP_MS       1000.0

/* Rows bear 1 % (docs/reliability.md); at 3 %, as many rounds as there are leave a wide interval.
 */
#define SCATTER_NOTED 0.005
#define SCATTER_MOST  0.03
#define LATE_MOST     0.05
#define SHARED_MOST   0.01
#define DRIFT_MOST    0.02

#define LOST_NOTED    0.02 /* of the clock: rows say it from there on */
#define LOST_MOST     0.05 /* rows are unreliable from there on */

#define CLOCKS_AGREE  0.02
#define ABOVE_LIMIT   1.02
#define CHAIN_LEAST   7.0  /* cycles of a dependent instruction: 10 of latency */
#define CHAIN_MOST    18.0 /* (intel-graphics-compiler, LatencyTable.h), and issue of 16 lanes */

#define DEFAULT_LANES 8.0
#define PEAK_MOST     1.05
#define PEAK_LEAST    0.4
#define MEMORY_LEAST  0.3

#define BUSY_MOST     0.02

static void judge_timer(struct doctor *doctor, const struct selftest *t)
{
    if (t->is_emulated)
        diagnose(doctor, DIAGNOSIS_OK, "timer", "emulated time is not the host's");
    else if (isnan(t->timer_error))
        diagnose(doctor, DIAGNOSIS_NOTE, "timer",
                 "the driver does not give the device's time, so nothing confirms its timer");
    else if (fabs(t->timer_error) > TIMER_OFF) {
        diagnose(doctor, DIAGNOSIS_WRONG, "timer",
                 "it goes %+.2g %% against the host's clock, and so would every time: driver and "
                 "kernel disagree about its frequency",
                 100.0 * t->timer_error);
        mend(doctor, "sudo apt full-upgrade && sudo reboot");
    } else {
        diagnose(doctor, DIAGNOSIS_OK, "timer", "within %.0e of the host's clock",
                 fmax(fabs(t->timer_error), 1e-6));
    }
}

/* The command that holds the clock at or below so many MHz. */
static void mend_clock(struct doctor *doctor, const struct measurable *m, bool at_most, double mhz)
{
    bool xe = m->gpu && strstr(m->gpu->clock, "freq0");

    if (m->gpu && m->gpu->clock[0] && mhz > 0.0)
        mend(doctor, "echo %.0f | sudo tee %s/%s", floor(mhz / 50.0) * 50.0, m->gpu->clock,
             at_most ? (xe ? "max_freq" : "gt_max_freq_mhz")
             : xe    ? "min_freq"
                     : "gt_min_freq_mhz");
    else {
        char limit[40];

        snprintf(limit, sizeof(limit), "--custom max=%.0f", floor(mhz / 50.0) * 50.0);
        mend(doctor, "sudo intel_gpu_frequency %s", at_most && mhz > 0.0 ? limit : "--max");
    }
}

static double clock_of(const struct selftest *t)
{
    return t->counted_mhz > 0.0 ? t->counted_mhz : t->asked_mhz;
}

static void judge_governor(struct doctor *doctor, const struct measurable *m)
{
    const struct selftest *t = &m->test;

    if (t->is_emulated)
        diagnose(doctor, DIAGNOSIS_OK, "governor", "an emulated device's clock is constant");
    else if (!t->settles || t->ramp_ms > LONG_RAMP_MS * 9.0) {
        diagnose(doctor, DIAGNOSIS_WRONG, "governor",
                 "the clock is not steady after 10 s of work; all rows would be unreliable");
        mend_clock(doctor, m, false, clock_of(t));
    } else if (t->ramp_ms > LONG_RAMP_MS) {
        diagnose(doctor, DIAGNOSIS_NOTE, "governor",
                 "after a rest the clock is at %.0f %%, and needs %.1f s to rise; a fixed clock "
                 "saves that time",
                 100.0 * t->floor, t->ramp_ms / 1e3);
        mend_clock(doctor, m, false, clock_of(t));
    } else if (t->floor < FLOOR_WORTH_SAYING) {
        diagnose(
            doctor, DIAGNOSIS_OK, "governor",
            "after a rest the clock is at %.0f %%, and needs %.0f ms to rise; a spin of %.0f ms "
            "brings it up before each launch",
            100.0 * t->floor, t->ramp_ms, t->lead_ms);
    } else {
        diagnose(doctor, DIAGNOSIS_OK, "governor", "the clock is the same after a rest");
    }
}

static void judge_launches(struct doctor *doctor, const struct selftest *t)
{
    if (t->is_emulated && t->scatter > 0.0) {
        diagnose(doctor, DIAGNOSIS_WRONG, "launches",
                 "of an emulated device, they differ by %.2g %%", 100.0 * t->scatter);
        return;
    }
    if (t->shared > SHARED_MOST) {
        diagnose(doctor, DIAGNOSIS_WRONG, "launches",
                 "during %.0f %% of them another client had the engine", 100.0 * t->shared);
        mend(doctor, "sudo fuser -v /dev/dri/renderD*");
    }
    if (t->late > LATE_MOST) {
        diagnose(doctor, DIAGNOSIS_WRONG, "launches", "%.0f %% of them take over 5 %% longer",
                 100.0 * t->late);
        mend(doctor, "sudo fuser -v /dev/dri/renderD*; top -o %%CPU");
    }
    if (t->scatter > SCATTER_MOST) {
        diagnose(doctor, DIAGNOSIS_WRONG, "launches", "they differ by %.2g %%: rows would be wide",
                 100.0 * t->scatter);
        mend(doctor, "sudo fuser -v /dev/dri/renderD*");
    }
    if (fabs(t->drift) > DRIFT_MOST) {
        diagnose(doctor, DIAGNOSIS_WRONG, "launches", "they change by %+.2g %% meanwhile",
                 100.0 * t->drift);
        mend(doctor, "sensors; sudo dmesg | grep -iE 'thermal|throttl'");
    }
    if (t->shared > SHARED_MOST || t->late > LATE_MOST || t->scatter > SCATTER_MOST ||
        fabs(t->drift) > DRIFT_MOST)
        return;
    diagnose(doctor, t->scatter > SCATTER_NOTED ? DIAGNOSIS_NOTE : DIAGNOSIS_OK, "launches",
             "%u of the same kernel differ by %.2g %%%s", t->launches, 100.0 * t->scatter,
             t->scatter > SCATTER_NOTED ? ": rows take many rounds" : "");
}

static void judge_throttling(struct doctor *doctor, const struct measurable *m)
{
    const struct selftest *t = &m->test;
    double alone = t->counted_mhz > 0.0 ? t->counted_mhz : t->asked_mhz;
    char reasons[160];

    if (!(t->load_s > 0.0))
        return;
    conditions_throttle_text(t->throttle_reasons, ", ", reasons, sizeof(reasons));
    if (t->lost > LOST_MOST) {
        diagnose(doctor, DIAGNOSIS_WRONG, "load",
                 "%.0f s of it cost %.0f %% of the speed%s%s: long runs would be unreliable",
                 t->load_s, 100.0 * t->lost, reasons[0] ? ", limited by " : "", reasons);
        mend_clock(doctor, m, true, (1.0 - t->lost) * (t->wide_mhz > 0.0 ? t->wide_mhz : alone));
    } else if (t->lost > LOST_NOTED) {
        diagnose(doctor, DIAGNOSIS_NOTE, "load", "%.0f s of it cost %.1f %% of the speed%s%s",
                 t->load_s, 100.0 * t->lost, reasons[0] ? ", limited by " : "", reasons);
    } else if (t->wide_mhz > 0.0 && t->wide_mhz < (1.0 - LOST_NOTED) * alone) {
        diagnose(doctor, DIAGNOSIS_NOTE, "load",
                 "with every thread busy the clock is %.0f MHz, with one %.0f%s%s; rows have their "
                 "own",
                 t->wide_mhz, alone, reasons[0] ? ", limited by " : "", reasons);
    } else {
        diagnose(doctor, DIAGNOSIS_OK, "load", "%.0f s of it leave the speed as it is%s%s",
                 t->load_s, reasons[0] ? "; at times limited by " : "", reasons);
    }
}

static const struct record *find(const struct records *records, const char *benchmark,
                                 const char *variant)
{
    for (size_t i = 0; records && i < records->count; i++) {
        if (!strcmp(records->record[i].benchmark, benchmark) &&
            !strcmp(records->record[i].variant, variant))
            return &records->record[i];
    }
    return NULL;
}

/* Reports a row that is missing or not usable; true if it is. */
static bool lacks(struct doctor *doctor, const char *about, const struct record *record)
{
    if (record && record->usable)
        return false;
    diagnose(doctor, DIAGNOSIS_WRONG, about, "%s: %.300s", record ? record->status : "no row",
             record ? record->reason : "the sweep has ended before");
    mend(doctor, "vebench doctor --measure # again, once what is wrong above is mended");
    return true;
}

static void judge_chain(struct doctor *doctor, const struct measurable *m)
{
    const struct record *chain = find(m->records, "pipeline", "register");

    if (!m->records || lacks(doctor, "instructions", chain))
        return;
    double cycles = chain->value * chain->clock_mhz / 1e3;
    if (isnan(cycles))
        diagnose(doctor, DIAGNOSIS_NOTE, "instructions", "one of a chain takes %.3g ns",
                 chain->value);
    else if (cycles < CHAIN_LEAST || cycles > CHAIN_MOST) {
        diagnose(doctor, DIAGNOSIS_WRONG, "instructions",
                 "one of a chain takes %.3g cycles of that clock, where Intel's GPUs take %.0f to "
                 "%.0f: the clock is not the one it runs at",
                 cycles, CHAIN_LEAST, CHAIN_MOST);
        mend(doctor, "vebench run pipeline --variant register --axis subgroup_size=16");
    } else {
        diagnose(doctor, DIAGNOSIS_OK, "instructions", "one of a chain takes %.3g cycles", cycles);
    }
}

static void judge_measured_clock(struct doctor *doctor, const struct measurable *m)
{
    const struct selftest *t = &m->test;
    double limit = m->target.device.max_clock_mhz, clock = clock_of(t);
    bool both = t->counted_mhz > 0.0 && t->asked_mhz > 0.0;

    if (t->is_emulated)
        diagnose(doctor, DIAGNOSIS_OK, "clock", "%.0f MHz, the emulated device's", limit);
    else if (!(clock > 0.0)) {
        diagnose(doctor, DIAGNOSIS_NOTE, "clock",
                 "not known: the compiler has no counter, and system management does not answer "
                 "during a kernel. Rows have times, but no cycles");
        mend(doctor, "sudo apt install --only-upgrade intel-opencl-icd libze1");
    } else if (both && fabs(t->counted_mhz / t->asked_mhz - 1.0) > CLOCKS_AGREE) {
        diagnose(doctor, DIAGNOSIS_WRONG, "clock",
                 "%.0f MHz by counting cycles, %.0f MHz by system management: one is wrong",
                 t->counted_mhz, t->asked_mhz);
        mend(doctor, "vebench doctor --measure --output again.txt");
    } else if (limit > 0.0 && clock > ABOVE_LIMIT * limit) {
        diagnose(doctor, DIAGNOSIS_WRONG, "clock", "%.0f MHz, above the device's limit of %.0f",
                 clock, limit);
        mend(doctor, "vebench devices");
    } else {
        diagnose(doctor, DIAGNOSIS_OK, "clock", "%.0f MHz, by %s", clock,
                 both                   ? "counting cycles and by system management"
                 : t->counted_mhz > 0.0 ? "counting cycles"
                                        : "system management");
    }
}

static void judge_rate(struct doctor *doctor, const char *about, const char *unit, double rate,
                       double least, double peak)
{
    const char *const words = "%.0f %s, %.0f %% of the peak of %.0f";

    if (!(peak > 0.0))
        diagnose(doctor, DIAGNOSIS_NOTE, about, "%.0f %s; the peak is not known", rate, unit);
    else if (rate < least * peak || rate > PEAK_MOST * peak) {
        char text[120];

        snprintf(text, sizeof(text), words, rate, unit, 100.0 * rate / peak, peak);
        diagnose(doctor, DIAGNOSIS_WRONG, about, "%s: expected are %.0f to 100 %%", text,
                 100.0 * least);
        mend(doctor, "vebench doctor; vebench devices");
    } else {
        diagnose(doctor, DIAGNOSIS_OK, about, "%.0f %s, %.0f %% of the peak of %.0f", rate, unit,
                 100.0 * rate / peak, peak);
    }
}

static void judge_published(struct doctor *doctor, const struct records *records)
{
    struct plausibilities all;
    struct error ignored;

    if (plausible_check(&all, records, &ignored) != STATUS_OK || all.measured == 0) {
        diagnose(doctor, DIAGNOSIS_NOTE, "published", "no figure of this GPU to hold it against");
        return;
    }
    for (size_t i = 0; i < all.count; i++) {
        const struct plausibility *p = &all.of[i];

        if (!p->record)
            continue;
        diagnose(doctor, p->out_of_line ? DIAGNOSIS_WRONG : DIAGNOSIS_OK, "published",
                 "%s: %.0f %s, %+.0f %% from the %.0f of %s", p->published->what, p->measured,
                 p->published->unit, 100.0 * p->deviation, p->published->value,
                 p->published->source);
        if (p->out_of_line)
            mend(doctor, "vebench run %s --variant %s", p->published->benchmark,
                 p->published->variant);
    }
}

static void judge_rates(struct doctor *doctor, const struct measurable *m)
{
    const struct record *fp32 = find(m->records, "device_arithmetic", "fp32");
    const struct record *reads = find(m->records, "device_bandwidth", "read");
    const struct device *d = &m->target.device;
    double lanes = d->eu_lanes ? d->eu_lanes : DEFAULT_LANES;

    if (!m->records)
        return;
    if (!lacks(doctor, "arithmetic", fp32)) {
        double mhz = fp32->clock_mhz > 0.0 ? fp32->clock_mhz : d->max_clock_mhz;
        double eus = (double)device_xe_cores(d) * d->eus_per_subslice;

        judge_rate(doctor, "arithmetic", "GFLOP/s", fp32->work_flops / fp32->loop_ns, PEAK_LEAST,
                   eus * lanes * 2.0 * mhz / 1e3);
    }
    if (m->test.is_emulated)
        diagnose(doctor, DIAGNOSIS_NOTE, "memory",
                 "an emulated device's takes hours and is left out");
    else if (!lacks(doctor, "memory", reads))
        judge_rate(doctor, "memory", "GB/s", reads->work_bytes / reads->loop_ns, MEMORY_LEAST,
                   m->target.peak_bandwidth / 1e9);
    if (!m->test.is_emulated)
        judge_published(doctor, m->records);
}

static void judge_clients(struct doctor *doctor, const struct measurable *m)
{
    const struct client *busiest = clients_busiest(m->clients);

    if (m->test.is_emulated)
        return;
    if (!busiest || busiest->busy < BUSY_MOST) {
        diagnose(doctor, DIAGNOSIS_OK, "clients",
                 "%zu other programs have the GPU open, and none uses it", m->clients->count);
        return;
    }
    diagnose(doctor, DIAGNOSIS_WRONG, "clients", "another program uses %.0f %% of engine %s",
             100.0 * busiest->busy, busiest->busy_engine);
    /* What others run is nobody's affair who reads the report. */
    fprintf(doctor->out, "         it is %s, process %lu:\n", busiest->program, busiest->process);
    mend(doctor, "sudo fuser -v /dev/dri/renderD*");
}

/* Level Zero's numbers of the drivers that the tests of vebench run with: 22.43 and 26.27. */
static bool is_known_driver(const char *version)
{
    static const char *const builds[] = {".24595", ".39122"};
    const char *build = strrchr(version, '.');

    for (size_t i = 0; build && i < sizeof(builds) / sizeof(builds[0]); i++) {
        if (!strcmp(build, builds[i]))
            return true;
    }
    return false;
}

static void judge_driver(struct doctor *doctor, const struct measurable *m)
{
    const char *driver = m->gpu ? m->gpu->driver : "";
    bool known_kernel = m->test.is_emulated || !strcmp(driver, "i915") || !strcmp(driver, "xe");
    bool known = is_known_driver(m->target.device.driver_version);

    diagnose(doctor, known && known_kernel ? DIAGNOSIS_OK : DIAGNOSIS_NOTE, "driver",
             "Level Zero %s%s; kernel %s%s%s%s", m->target.device.driver_version,
             known ? "" : ", which vebench has not been tried with", m->kernel,
             driver[0] ? " with " : "", driver,
             known_kernel ? "" : ", whose driver for this GPU is not known");
}

void measurable_judge(struct doctor *doctor, const struct measurable *m)
{
    const struct selftest *t = &m->test;

    judge_driver(doctor, m);
    judge_clients(doctor, m);
    judge_timer(doctor, t);
    if (t->no_lead[0]) {
        diagnose(doctor, DIAGNOSIS_WRONG, "warm-up",
                 "nothing can spin before a launch, so all rows would be unreliable: %.400s",
                 t->no_lead);
        mend(doctor, "sudo apt install --reinstall intel-opencl-icd libigc1");
    } else {
        judge_governor(doctor, m);
        judge_measured_clock(doctor, m);
        judge_launches(doctor, t);
        judge_throttling(doctor, m);
    }
    judge_chain(doctor, m);
    judge_rates(doctor, m);
}
