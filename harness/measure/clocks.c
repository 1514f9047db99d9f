#include "measure/clocks.h"

#include "measure/lead.h"

#include <math.h>

/* From the 5 % to the 95 % quantile of the observed clock, relative. */
#define WIDEST_CLOCK 0.05
/* The same, from the lead's edge before a kernel to that after it, in the median. */
#define LARGEST_CHANGE 0.03
/* A loss of clock under load that the row mentions. */
#define LOSS_WORTH_SAYING 0.02
/* Clocks that differ by more are two clocks. System management's are multiples of up to 50 MHz. */
#define CLOCKS_AGREE 0.03
#define ASKED_LEAST  3u

static double spread_of(const struct distribution *d)
{
    return d->count && d->p05 > 0.0 ? d->p95 / d->p05 - 1.0 : 0.0;
}

/* The clocks of a variant's launches, in MHz; 0: not known. */
struct clocks {
    struct distribution beside; /* of the spins next to them, or asked of system management */
    struct distribution change; /* relative, from one of these spins to the other */
    double asked;               /* of system management while the kernels ran, if often enough */
    double own;                 /* by the kernel's own cycles */
    double baseline;            /* the same of its baseline */
};

/* By counting cycles, in the kernel if it does. */
static double counted_mhz(const struct clocks *clocks)
{
    return clocks->own > 0.0 ? clocks->own : clocks->beside.count ? clocks->beside.median : 0.0;
}

static bool differ(double mhz, double other_mhz)
{
    return mhz > 0.0 && other_mhz > 0.0 && fabs(mhz / other_mhz - 1.0) > CLOCKS_AGREE;
}

/* What of the clock makes the row unreliable; false if nothing does. */
static bool doubt_clock(const struct run *run, const struct clocks *clocks, struct measurement *m)
{
    const struct distribution *clock = &clocks->beside;
    const struct session *session = run->session;
    const struct lead *lead = session->lead;

    if (!lead && !session->is_deterministic)
        snprintf(m->reason, sizeof(m->reason), "no warm-up: %.900s",
                 session->lead_failure[0] ? session->lead_failure : "there is no lead");
    else if (m->clock_spread > WIDEST_CLOCK && clock->count)
        snprintf(m->reason, sizeof(m->reason), "the clock moved between %.0f and %.0f MHz",
                 clock->p05, clock->p95);
    else if (clocks->change.count && fabs(clocks->change.median) > LARGEST_CHANGE)
        snprintf(m->reason, sizeof(m->reason), "the clock changes by %.2g %% while the kernel runs",
                 100.0 * clocks->change.median);
    else if (differ(clocks->own, clocks->baseline))
        snprintf(m->reason, sizeof(m->reason),
                 "the clock is %.0f MHz in this kernel and %.0f MHz in its baseline", clocks->own,
                 clocks->baseline);
    else if (lead && !lead->settles)
        snprintf(m->reason, sizeof(m->reason), "the clock still rises after %.0f ms of work",
                 lead->spin_ns / 1e6);
    else
        return false;
    return true;
}

/* Does system management contradict the clock that was counted? Then it is not known. */
static bool is_contradicted(const struct run *run, const struct clocks *clocks)
{
    return (run->clock_counted || clocks->own > 0.0) && differ(clocks->asked, counted_mhz(clocks));
}

/* What a reader of a good row should know of its clock. */
static void remark_clock(const struct run *run, const struct clocks *clocks, struct measurement *m)
{
    const struct lead *lead = run->session->lead;

    if (run->session->is_deterministic || m->reason[0])
        return;
    if (is_contradicted(run, clocks))
        snprintf(m->reason, sizeof(m->reason),
                 "the clock is not known: %.0f MHz by counting cycles %s the kernel, %.0f MHz by "
                 "system management while it ran",
                 counted_mhz(clocks), clocks->own > 0.0 ? "in" : "beside", clocks->asked);
    else if (!(m->clock_mhz > 0.0))
        snprintf(m->reason, sizeof(m->reason), "the clock is not known: no cycles");
    else if (clocks->beside.count && differ(clocks->own, clocks->beside.median))
        snprintf(m->reason, sizeof(m->reason),
                 "the clock is %.0f MHz in the kernel and %.0f MHz in the spins beside it",
                 clocks->own, clocks->beside.median);
    else if (lead->mhz < (1.0 - LOSS_WORTH_SAYING) * lead->alone_mhz)
        snprintf(m->reason, sizeof(m->reason),
                 "under this load the clock is %.0f MHz; with one thread %.0f MHz", m->clock_mhz,
                 lead->alone_mhz);
}

/* The clock that the variant's launches ran at, and whether it was constant. */
static void judge_clock(const struct run *run, const struct clocks *clocks, struct measurement *m)
{
    const struct lead *lead = run->session->lead;

    m->clock_counted = run->clock_counted || clocks->own > 0.0;
    m->lead_ms = lead ? lead->spin_ns / 1e6 : NAN;
    m->clock_mhz = is_contradicted(run, clocks) ? 0.0 : counted_mhz(clocks);
    m->clock_spread = spread_of(&clocks->beside);
    bool is_cold = !lead && !run->session->is_deterministic;
    if (!m->is_time || (m->outcome != OUTCOME_OK && !(is_cold && m->outcome == OUTCOME_UNRELIABLE)))
        return;
    if (doubt_clock(run, clocks, m))
        m->outcome = OUTCOME_UNRELIABLE;
    else
        remark_clock(run, clocks, m);
}

/* By the kernel's own count, in the rounds of the batch in which it counted. */
static double own_mhz(const struct run *run, size_t variant, double *room)
{
    size_t count = 0;

    for (unsigned round = run->batch_start; round < run->rounds; round++) {
        double mhz = *run_own_clock(run, round, variant);

        if (mhz > 0.0)
            room[count++] = mhz;
    }
    return count ? stats_describe(room, count).median : 0.0;
}

void clocks_judge(struct run *run, const bool evaluated[VARIANTS_MAX], double *room)
{
    const struct family *family = run->family;
    struct clocks clocks = {
        .beside = stats_describe(run->clocks, run->clock_count),
        .change = stats_describe(run->changes, run->change_count),
        .asked = run->asked_count >= ASKED_LEAST
                     ? stats_describe(run->asked, run->asked_count).median
                     : 0.0,
    };
    double own[VARIANTS_MAX];

    for (size_t v = 0; v < family->variant_count; v++)
        own[v] = evaluated[v] ? own_mhz(run, v, room) : 0.0;
    for (size_t v = 0; v < family->variant_count; v++) {
        size_t baseline = family_baseline(family, v);

        clocks.own = own[v];
        clocks.baseline = baseline != VARIANTS_MAX ? own[baseline] : 0.0;
        if (evaluated[v])
            judge_clock(run, &clocks, &run->measurements[v]);
    }
}
