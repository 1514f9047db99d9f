#include "measure/contents.h"

#include "base/digest.h"
#include "base/robust.h"
#include "base/stats.h"

#include <math.h>

/* So many standard deviations of rounding: less than once in a hundred by chance. */
#define BEYOND_ROUNDING 2.5

/* By how many ticks rounding alone may set launches apart. */
#define TICKS_APART 2.0

/* Ticks by which a line of three times bends, (t1 - 2 t2 + t3) / 2, if each is a tick off. */
#define MOST_BEND_OF_ROUNDING 2.0

/* The range of CONTENTS_TRIED values from a normal distribution is expected to be so many of its
 * standard deviations (Tippett 1925). */
#define RANGE_OF_TRIED 2.326

/* So few threads with so few messages in an iteration: three contents may be unlike any others. */
#define FEW_THREADS  8.0
#define FEW_MESSAGES 64.0

_Static_assert(CONTENTS_TRIED == 5, "RANGE_OF_TRIED is that of five");

/* Launches of n, 2n and 3n iterations with times an iteration that vary by a standard deviation
 * have a curvature, (t1 - 2 t2 + t3) / 2, of so many of n: half the root of 1 + 16 + 9. */
#define BEND_OF_CONTENTS 2.55

_Static_assert(EVALUATION_POINTS_MODEL == 3, "BEND_OF_CONTENTS is that of three");

uint64_t contents_seed(const struct run *run, unsigned number)
{
    return digest_bytes(DIGEST_BEGIN ^ run->options->seed, run->configuration,
                        sizeof(*run->configuration)) +
           number;
}

static bool are_drawn_anew(const struct run *run)
{
    return run->session->is_deterministic && !run->family->warming;
}

static bool is_slope(const struct run *run, size_t variant)
{
    return run->family->variants[variant].estimator == ESTIMATOR_SLOPE;
}

unsigned contents_of(const struct run *run, size_t variant, size_t point)
{
    bool own = are_drawn_anew(run) && !run->contents_matter[variant];

    return run->rounds * run->points + (own ? (unsigned)point : 0);
}

unsigned contents_of_try(const struct run *run, unsigned i)
{
    return i * run->points;
}

bool contents_are_few(double threads, const struct work *work)
{
    return threads <= FEW_THREADS && work->messages <= FEW_MESSAGES;
}

bool contents_come_first(const struct run *run, size_t variant)
{
    const struct configuration *c = run->configuration;
    const struct work work = family_work(run->family, c, variant);
    double threads = device_busy_threads(run->session->device, c->subgroup_size, c->workgroup_size,
                                         c->workgroup_count);

    return are_drawn_anew(run) && is_slope(run, variant) && contents_are_few(threads, &work);
}

enum status contents_draw(struct run *run, unsigned number, struct error *error)
{
    if (run->drawn == number || run->family->warming)
        return STATUS_OK;
    run->drawn = number;
    return family_redraw(run->family, &run->workspace, run->configuration,
                         contents_seed(run, number), error);
}

static const double *newest_values(const struct run *run, size_t variant)
{
    return run_values(run, run->batch_start + run_own_rounds(run, variant) - 1, variant);
}

/* How far the variant's times in its newest round are off a straight line, in ns. `factor` times
 * their standard deviation is that of the result. */
static double off_line(const struct run *run, size_t variant, double *factor)
{
    return fabs(robust_curvature(newest_values(run, variant), run->points, factor));
}

/* Is that no more than their rounding? */
static bool is_straight(const struct run *run, size_t variant)
{
    double factor, bend = off_line(run, variant, &factor);

    return bend <= BEYOND_ROUNDING * stats_quantisation_sd(run_tick_ns(run)) * factor;
}

bool contents_seem_to_matter(const struct run *run, size_t variant)
{
    return are_drawn_anew(run) && is_slope(run, variant) && !run->contents_matter[variant] &&
           !run->bends_alone[variant] &&
           (!is_straight(run, variant) || contents_scatter(run, variant) > 0.0);
}

double contents_bend(const struct run *run, size_t variant)
{
    return is_straight(run, variant)
               ? 0.0
               : off_line(run, variant, NULL) / BEND_OF_CONTENTS / run->base[variant];
}

bool contents_bend_is_rounding(const struct run *run, size_t variant)
{
    return run->bends_alone[variant] && !is_straight(run, variant) &&
           off_line(run, variant, NULL) <= MOST_BEND_OF_ROUNDING * run_tick_ns(run);
}

bool contents_differ(const struct run *run, double ns)
{
    return fabs(ns) > TICKS_APART * run_tick_ns(run);
}

void contents_begin(struct run *run, size_t variant)
{
    run->tried[variant] = run->base[variant];
    run->least_ticks[variant] = HUGE_VAL;
    run->most_ticks[variant] = 0.0;
    if (run_own_rounds(run, variant) > 0)
        contents_note(run, variant, newest_values(run, variant)[0] / run_tick_ns(run));
}

void contents_note(struct run *run, size_t variant, double ticks)
{
    if (run->tried[variant] != run->base[variant])
        return;
    run->least_ticks[variant] = fmin(run->least_ticks[variant], ticks);
    run->most_ticks[variant] = fmax(run->most_ticks[variant], ticks);
}

static double scatter_of_tried(const struct run *run, size_t variant)
{
    double range = run->most_ticks[variant] - run->least_ticks[variant];

    return range > TICKS_APART
               ? ticks_to_ns(range / RANGE_OF_TRIED, run->session->timer.hz) / run->tried[variant]
               : 0.0;
}

double contents_scatter(const struct run *run, size_t variant)
{
    double tried = scatter_of_tried(run, variant);
    bool has_bent = run->contents_matter[variant] && is_straight(run, variant);

    return has_bent ? fmax(tried, run->bend_scatter[variant]) : tried;
}

void contents_forget_bend(struct run *run, size_t variant)
{
    if (!is_straight(run, variant))
        run->bend_scatter[variant] = 0.0;
}

static bool is_known(const struct run *run, size_t variant)
{
    return is_slope(run, variant) && (are_drawn_anew(run) || is_straight(run, variant));
}

bool contents_are_known(const struct run *run, size_t variant)
{
    size_t baseline = family_baseline(run->family, variant);

    return run->session->is_deterministic && is_known(run, variant) &&
           (baseline == VARIANTS_MAX || is_known(run, baseline));
}
