#include "governor.h"

#include <math.h>

#define KEPT 8192u

/* From `start` on the clock is target + (begins - target) exp(-t / tau). */
struct segment {
    double start, begins, target, tau; /* ns, MHz, MHz, ns */
    bool is_idle;
};

static struct {
    const struct settings *s;
    struct segment kept[KEPT]; /* ring */
    unsigned long count;
    double now, mhz, busy, lowered;
} g;

static double clock_in(const struct segment *segment, double ns)
{
    double left = segment->tau > 0.0 ? exp(-(ns - segment->start) / segment->tau) : 0.0;

    return segment->target + (segment->begins - segment->target) * left;
}

void governor_begin(const struct settings *settings)
{
    g.s = settings;
    g.count = 0;
    g.now = g.busy = g.lowered = 0.0;
    g.mhz = settings->idle_mhz;
}

void governor_lower(double part)
{
    if (part == g.lowered)
        return;
    g.mhz *= (1.0 - part) / (1.0 - g.lowered);
    g.lowered = part;
}

/* How fast a limit of power or heat moves the clock; 0: at once. */
static double limit_ms(enum load load)
{
    const struct settings *s = g.s;

    if (s->heavy_loss > 0.0)
        return s->heavy_ms;
    return load == LOAD_WIDE || s->hot_tau_ms <= 0.0 ? s->wide_ms : s->hot_tau_ms;
}

static struct segment segment_of(enum load load)
{
    const struct settings *s = g.s;
    struct segment segment = {.start = g.now, .begins = g.mhz, .is_idle = load == LOAD_IDLE};
    double loss = fmax(fmax(s->wide_loss, s->hot_loss), s->heavy_loss);
    double high = s->max_mhz * (1.0 - g.lowered), low = s->idle_mhz;

    if (s->hot_ms > 0.0 && g.busy > s->hot_ms * 1e6)
        high *= 1.0 - s->hot_loss;
    if (load == LOAD_IDLE) {
        segment.target = low;
        segment.tau = s->decay_ms * 1e6;
        return segment;
    }
    if (load == LOAD_WIDE)
        high *= 1.0 - s->wide_loss;
    segment.target = high;
    segment.tau = s->ramp_ms * 1e6;
    if (load == LOAD_HEAVY) {
        high *= 1.0 - s->heavy_loss;
        segment.target = high;
    }
    /* Near the top, what moves the clock is not the ramp but a limit of power or heat. */
    if (loss > 0.0 && g.mhz >= s->max_mhz * (1.0 - g.lowered) * (1.0 - loss) * 0.999)
        segment.tau = limit_ms(load) * 1e6;
    return segment;
}

static void keep(const struct segment *segment)
{
    g.kept[g.count++ % KEPT] = *segment;
}

static void go_on(const struct segment *segment, double ns)
{
    keep(segment);
    g.mhz = ns > 0.0 ? clock_in(segment, segment->start + ns) : g.mhz;
    g.now += ns;
    if (!segment->is_idle)
        g.busy += ns;
}

void governor_idle_until(double ns)
{
    struct segment segment = segment_of(LOAD_IDLE);

    if (ns > g.now)
        go_on(&segment, ns - g.now);
}

/* Cycles in the first `ns` of a segment. */
static double cycles_in(const struct segment *segment, double ns)
{
    double tail = segment->tau > 0.0 ? segment->tau * -expm1(-ns / segment->tau) *
                                           (segment->begins - segment->target)
                                     : 0.0;

    return (segment->target * ns + tail) / 1e3;
}

double governor_work(enum load load, double cycles)
{
    struct segment segment = segment_of(load);
    double least = 0.0, most = cycles * 1e3 / fmin(segment.target, segment.begins) + 1.0;

    if (!(cycles > 0.0))
        return 0.0;
    for (unsigned i = 0; i < 80; i++) {
        double middle = (least + most) / 2.0;

        if (cycles_in(&segment, middle) < cycles)
            least = middle;
        else
            most = middle;
    }
    go_on(&segment, most);
    return most;
}

double governor_wait(enum load load, double ns)
{
    struct segment segment = segment_of(load);
    double cycles = cycles_in(&segment, ns);

    if (ns > 0.0)
        go_on(&segment, ns);
    return ns > 0.0 ? cycles : 0.0;
}

double governor_now(void)
{
    return g.now;
}

static double reading(const struct segment *segment, double ns)
{
    if (segment->is_idle && g.s->rc6_ms > 0.0 && ns - segment->start > g.s->rc6_ms * 1e6)
        return 0.0;
    return clock_in(segment, ns);
}

double governor_mhz(double ns)
{
    struct segment idle = segment_of(LOAD_IDLE);

    if (ns >= g.now)
        return reading(&idle, ns);
    for (unsigned long i = g.count; i > 0 && i + KEPT > g.count; i--) {
        const struct segment *segment = &g.kept[(i - 1) % KEPT];

        if (segment->start <= ns)
            return reading(segment, ns);
    }
    return g.s->idle_mhz;
}
