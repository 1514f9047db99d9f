#include "noisy-device.h"

#include "test.h"

#include "fake-ze.h"
#include "measure/lead.h"

#include <string.h>

#define LOOP_NS 100.0
#define TURN    6.28318530717958647692

enum { LOOP, THING, VARIANTS };

static void arguments(const struct workspace *workspace, const struct launch *launch,
                      struct arguments *list)
{
    (void)workspace;
    for (unsigned i = 0; i < 3; i++)
        argument_uint(list, 0);
    argument_uint(list, launch->iterations);
}

static const struct variant variants[VARIANTS] = {
    [LOOP] = {.name = "loop"}, [THING] = {.name = "thing", .baseline = "loop"}};

static const struct family family = {
    .name = "noisy",
    .unit = "ns/thing",
    .baseline_unit = "ns/iteration",
    .variants = variants,
    .variant_count = VARIANTS,
    .arguments = arguments,
    .lists_buffers = true,
    .verify = fake_verify,
};

/* Of the current measurement. */
static struct {
    struct disturbance disturbance;
    double start_ns; /* when the lead was calibrated */
    double run_ns;   /* the whole run from there on, undisturbed */
    double now_ns;
    struct prng prng;
} now;

static double uniform(struct prng *prng)
{
    return ((double)(prng_next(prng) >> 11) + 0.5) / 9007199254740992.0;
}

double noisy_normal(struct prng *prng)
{
    double radius = sqrt(-2.0 * log(uniform(prng)));

    return radius * cos(TURN * uniform(prng));
}

/* The time of work of `work_ns` after the device has been busy for `busy_ns`: its clock is then 1 -
 * ramp exp(-t / ramp_ns). */
static double ramped(const struct disturbance *d, double busy_ns, double work_ns)
{
    double lacks = d->ramp * exp(-busy_ns / d->ramp_ns), takes = work_ns;

    for (unsigned step = 0; step < 30; step++) {
        double e = exp(-takes / d->ramp_ns);

        takes -= (takes - lacks * d->ramp_ns * (1.0 - e) - work_ns) / (1.0 - lacks * e);
    }
    return takes;
}

static double distort(double start_ns, double busy_ns, double duration_ns)
{
    const struct disturbance *d = &now.disturbance;
    double part = now.run_ns > 0.0 ? (start_ns - now.start_ns) / now.run_ns : 0.0, scale = 1.0;

    part = fmax(part, 0.0);
    scale *= 1.0 + d->noise * noisy_normal(&now.prng);
    scale *= 1.0 + d->drift * part;
    scale *= part < d->step_at ? 1.0 : 1.0 + d->step;
    if (busy_ns > 0.0 && duration_ns < 1e6)
        scale *= 1.0 + d->curvature * duration_ns / 1e5;
    if (d->two_clocks > 0.0)
        scale *= 1.0 + (double)prng_below(&now.prng, 2) * d->two_clocks;
    duration_ns *= scale;
    if (uniform(&now.prng) < d->outlier_rate)
        duration_ns += d->outlier_ns;
    if (d->ramp > 0.0)
        duration_ns = ramped(d, busy_ns, duration_ns);
    now.now_ns = start_ns + duration_ns;
    return duration_ns;
}

static void measure(double cost_ns, const struct stop_rule *stop, uint64_t seed,
                    struct measurement *measured)
{
    const struct configuration configuration = {16, 16, 1, {0}};
    const struct measure_options options = {*stop, seed};
    struct kernel kernels[FAKE_VARIANTS];
    struct session session;
    struct error error;

    fake_open(&session, kernels);
    session.kind = DEVICE_HARDWARE;
    session.is_deterministic = false;
    fake.computes_nothing = true;
    fake.distort = distort;
    fake.iteration_ns[LOOP] = LOOP_NS;
    fake.iteration_ns[THING] = LOOP_NS + cost_ns;
    prng_seed(&now.prng, seed);
    fake_lead(&session);
    memset(measured, 0, VARIANTS * sizeof(*measured));
    now.start_ns = HUGE_VAL;
    assert_int_equal(lead_calibrate(&session, &error), STATUS_OK);
    now.start_ns = now.now_ns;
    assert_int_equal(measure_configuration(&session, &family, &configuration, kernels, &options,
                                           NULL, NULL, measured, &error),
                     STATUS_OK);
    assert_int_equal(fake_close(), 0);
}

struct measurement noisy_measure(const struct disturbance *disturbance, double cost_ns,
                                 const struct stop_rule *stop, uint64_t seed)
{
    struct measurement measured[VARIANTS];

    /* How long the run takes, noise may have a say in. */
    now.disturbance = *disturbance;
    now.disturbance.drift = now.disturbance.step = 0.0;
    now.run_ns = 0.0;
    measure(cost_ns, stop, seed, measured);
    now.run_ns = now.now_ns - now.start_ns;
    now.disturbance = *disturbance;
    measure(cost_ns, stop, seed, measured);
    return measured[THING];
}
