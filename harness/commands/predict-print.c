#include "commands/predict-print.h"

#include "base/unit.h"
#include "rows/records.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* Parts of the time below this share are not printed. */
#define PART_LEAST 0.01

void predict_print_head(FILE *out, const struct model *model, const struct predictor *predictor)
{
    const struct uncertainty *uncertainty = predictor_uncertainty(predictor);
    size_t assumed = 0;

    for (size_t i = 0; i < uncertainty->count; i++)
        assumed += uncertainty->figure[i].assumed;
    fprintf(out, "%s%s, %.0f MHz; of its figures %zu are assumed, %zu measured with an interval\n",
            model->device_name, device_kind_is_emulated(model->device_kind) ? " (emulated)" : "",
            predictor_clock_mhz(predictor), assumed,
            uncertainty->count - assumed + uncertainty->fine_count);
}

/* What times like this one are shown in: other units stay. */
static double shown_per(double value, const char *unit, char shown[UNIT_BYTES])
{
    enum time_unit as = fabs(value) < 1e3 ? TIME_NS : fabs(value) < 1e6 ? TIME_US : TIME_MS;

    unit_shown(unit, as, shown);
    return unit_is_time(unit) ? time_unit_per_ns(as, NAN) : 1.0;
}

void predict_print_interval(FILE *out, const struct prediction_interval *interval, const char *unit)
{
    char shown[UNIT_BYTES];
    double per = shown_per(interval->value, unit, shown);

    fprintf(out, "%10.4g %s ", per * interval->value, shown);
    if (interval->draws == 0)
        fputs("(no interval: too much to emulate it again)", out);
    else
        fprintf(out, "(%.4g to %.4g)", per * interval->low, per * interval->high);
}

static void print_resource(FILE *out, const struct resource *resource)
{
    fprintf(out, "%s %.0f %%", resource->name, 100.0 * resource->share);
}

void predict_print_bound(FILE *out, const struct outcome *outcome)
{
    const struct resource *first = &outcome->resource[0];

    if (outcome->resource_count == 0)
        return;
    if (first->is_bound)
        fprintf(out, "bound by %s, %.0f %% from its bound", first->name,
                100.0 * (1.0 / first->share - 1.0));
    else
        fprintf(out, "%s takes %.0f %%", first->name, 100.0 * first->share);
    if (outcome->resource_count > 1) {
        fputs("; then ", out);
        print_resource(out, &outcome->resource[1]);
    }
}

void predict_print_cause(FILE *out, const struct cause *cause, const char *unit)
{
    char shown[UNIT_BYTES];
    double per = shown_per(fmax(cause->at_low, cause->at_high), unit, shown);

    fprintf(out, "%s, %s %.5g to %.5g %s, makes it %.4g to %.4g %s", cause->figure,
            cause->assumed ? "assumed" : "measured", cause->low, cause->high, cause->unit,
            per * cause->at_low, per * cause->at_high, shown);
    if (cause->assumed && !cause->sweep)
        fputs("; no sweep measures it", out);
}

/* What is printed as 0: the rest is rounding. */
static double percent(double share)
{
    return share < 1e-6 ? 0.0 : 100.0 * share;
}

static double percent_below(const struct prediction_interval *interval)
{
    return percent(1.0 - interval->low / interval->value);
}

static double percent_above(const struct prediction_interval *interval)
{
    return percent(interval->high / interval->value - 1.0);
}

static void print_unused(FILE *out, size_t count, const char *why)
{
    if (count)
        fprintf(out, "  %zu row%s of a kernel of this name not used: %s\n", count,
                count == 1 ? "" : "s", why);
}

/* What the kernel's own rows say, and why others say nothing. */
static void print_rows(FILE *out, const struct own_rows *rows)
{
    const struct neighbours *measured = &rows->neighbours;
    double least = INFINITY, most = 0.0;

    for (size_t i = 0; i < measured->count; i++) {
        least = fmin(least, neighbour_ratio(&measured->at[i]));
        most = fmax(most, neighbour_ratio(&measured->at[i]));
    }
    if (measured->count == 0)
        fputs("  from no measured launch of this kernel\n", out);
    else if (measured->count == 1)
        fprintf(out,
                "  from a measured launch of this kernel, which took %.3g times what was "
                "predicted\n",
                most);
    else
        fprintf(out,
                "  from %zu measured launches of this kernel, which took %.3g to %.3g times what "
                "was predicted, the nearest %.3g\n",
                measured->count, least, most, neighbour_ratio(&measured->at[0]));
    if (measured->count >= NEIGHBOURS_ENOUGH && !neighbours_tell(measured))
        fputs("  something else limits the nearest than this launch, which so may differ\n", out);
    print_unused(out, rows->other_digest, "it had another source (column kernel_sha256)");
    print_unused(out, rows->other_options, "it was compiled with other --options");
    print_unused(out, rows->unmeasured, "they are not ok, or have no interval");
    print_unused(out, rows->unsaid,
                 rows->why.text[0] ? rows->why.text
                                   : "they do not say what the launch was (column launch)");
}

/* What the interval is made of. */
static void print_errors(FILE *out, const struct predicted_kernel *predicted)
{
    const struct margin *margin = predicted->margin;

    if (predicted->figures->draws)
        fprintf(out, "  figures that are not known exactly: -%.3g to +%.3g %%\n",
                percent_below(predicted->figures), percent_above(predicted->figures));
    if (predicted->rows)
        print_rows(out, predicted->rows);
    if (predicted->rows && neighbours_tell(&predicted->rows->neighbours))
        return;
    if (!margin)
        fputs("  errors of the emulator's rules: not known, and not in the interval; rows of "
              "transpose, matmul or device_bandwidth in the fit tell\n",
              out);
    else
        fprintf(out,
                "  errors of the emulator's rules: -%.3g to +%.3g %%, by %zu measured rows%s%s\n",
                100.0 * (1.0 - 1.0 / margin->shorter), 100.0 * (margin->longer - 1.0), margin->rows,
                margin->mechanism[0] ? ", mostly in " : "", margin->mechanism);
}

/* One command for the figure that matters most of those that a sweep measures. */
static void print_hint(FILE *out, const struct prediction_interval *interval, bool is_emulated)
{
    for (size_t i = 0; i < interval->cause_count; i++) {
        const struct cause *cause = &interval->cause[i];

        if (!cause->assumed || !cause->sweep)
            continue;
        fprintf(out,
                "  to narrow it: %s%s -o more.csv, then fit more.csv together with the results "
                "that the model is from\n",
                cause->sweep, is_emulated ? " --emulate DEVICE" : "");
        return;
    }
}

/* A row for each part, and last what is less. */
static void print_parts(FILE *out, const struct outcome *outcome, double ns)
{
    char shown[UNIT_BYTES];
    double rest = 0.0, per = shown_per(ns, "ns", shown);

    for (size_t i = 0; i < outcome->part_count; i++) {
        const struct part *part = &outcome->part[i];

        if (part->share >= PART_LEAST)
            fprintf(out, "  %5.1f %%  %10.4g %s  %s\n", 100.0 * part->share, per * part->share * ns,
                    shown, part->name);
        else
            rest += part->share;
    }
    if (rest > 0.0)
        fprintf(out, "  %5.1f %%  %10.4g %s  all else\n", 100.0 * rest, per * rest * ns, shown);
}

static void print_sample(FILE *out, const struct launch_sample *sample,
                         const struct prediction_interval *fresh)
{
    if (sample->groups_run < sample->groups)
        fprintf(out,
                "emulated %.0f of %.0f work-groups, at the begin, in the middle and at the end: "
                "these differ by %.1f %%, which is in the interval\n",
                sample->groups_run, sample->groups, 200.0 * sample->spread);
    if (!fresh)
        return;
    fputs("the first launch, with empty caches: ", out);
    predict_print_interval(out, fresh, "ns");
    fputc('\n', out);
}

void predict_print_kernel(FILE *out, const struct predicted_kernel *predicted)
{
    const struct outcome *outcome = &predicted->sample->outcome;
    const struct prediction_interval *interval = predicted->interval;

    fprintf(out, "%s: ", predicted->name);
    predict_print_interval(out, interval, "ns");
    fprintf(out, ", %.0f instructions of %u lanes", outcome->instructions,
            predicted->signature->simd_width);
    if (predicted->signature->spill_bytes)
        fprintf(out, ", spills %u bytes a thread", predicted->signature->spill_bytes);
    fputs(": ", out);
    predict_print_bound(out, outcome);
    fputc('\n', out);
    print_parts(out, outcome, interval->value);
    print_errors(out, predicted);
    for (size_t i = 0; i < interval->cause_count; i++) {
        fputs("  ", out);
        predict_print_cause(out, &interval->cause[i], "ns");
        fputc('\n', out);
    }
    print_hint(out, interval, predicted->is_emulated);
    print_sample(out, predicted->sample, predicted->fresh);
}

void evaluation_progress_init(struct evaluation_progress *progress)
{
    *progress = (struct evaluation_progress){.is_terminal = isatty(STDERR_FILENO)};
}

void evaluation_progress_show(struct evaluation_progress *progress, size_t done, size_t of)
{
    if (!progress->is_terminal)
        return;
    fputc('\r', stderr);
    int width = progress->lines
                    ? fprintf(stderr, "configuration %zu of %zu, ", progress->line, progress->lines)
                    : 0;
    width += fprintf(stderr, "other figures: %zu of at most %zu", done, of);
    progress->width = width > 0 ? (size_t)width : 0;
}

void evaluation_progress_clear(struct evaluation_progress *progress)
{
    if (progress->width)
        fprintf(stderr, "\r%*s\r", (int)progress->width, "");
    progress->width = 0;
}
