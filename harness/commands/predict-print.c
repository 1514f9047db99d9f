#include "commands/predict-print.h"

#include "rows/records.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* An interval whose ends are further apart than this factor determines nothing. */
#define DETERMINED 2.0

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

void predict_print_interval(FILE *out, const struct prediction_interval *interval, const char *unit)
{
    bool determined = interval->low > 0.0 ? interval->high <= DETERMINED * interval->low
                                          : interval->high - interval->low <= fabs(interval->value);

    if (interval->draws == 0)
        fprintf(out, "%10.5g %s (no interval: too much to emulate it again)", interval->value,
                unit);
    else if (determined || interval->high == interval->low)
        fprintf(out, "%10.5g %s (%.5g to %.5g)", interval->value, unit, interval->low,
                interval->high);
    else
        fprintf(out, "not determined: %.5g to %.5g %s", interval->low, interval->high, unit);
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
    fprintf(out, "%s, %s %.5g to %.5g %s, makes it %.5g to %.5g %s", cause->figure,
            cause->assumed ? "assumed" : "measured", cause->low, cause->high, cause->unit,
            cause->at_low, cause->at_high, unit);
    if (cause->assumed)
        fprintf(out, "; %s%s", cause->sweep ? "to measure it: " : "no sweep measures it",
                cause->sweep ? cause->sweep : "");
}

/* A row for each part, and last what is less. */
static void print_parts(FILE *out, const struct outcome *outcome, double ns)
{
    double rest = 0.0;

    for (size_t i = 0; i < outcome->part_count; i++) {
        const struct part *part = &outcome->part[i];

        if (part->share >= PART_LEAST)
            fprintf(out, "  %5.1f %%  %10.5g ns  %s\n", 100.0 * part->share, part->share * ns,
                    part->name);
        else
            rest += part->share;
    }
    if (rest > 0.0)
        fprintf(out, "  %5.1f %%  %10.5g ns  all else\n", 100.0 * rest, rest * ns);
}

static void print_sample(FILE *out, const struct predictor *predictor,
                         const struct launch_sample *sample)
{
    if (sample->groups_run < sample->groups)
        fprintf(out,
                "emulated %.0f of %.0f work-groups, at the begin, in the middle and at the end: "
                "these differ by %.1f %%, which is in the interval\n",
                sample->groups_run, sample->groups, 200.0 * sample->spread);
    else if (sample->cold_cycles != sample->outcome.cycles)
        fprintf(out, "the first launch, with empty caches: %.5g ns\n",
                sample->cold_cycles * 1000.0 / predictor_clock_mhz(predictor));
}

void predict_print_kernel(FILE *out, const struct predictor *predictor,
                          const struct predicted_kernel *predicted)
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
    for (size_t i = 0; i < interval->cause_count; i++) {
        predict_print_cause(out, &interval->cause[i], "ns");
        fputc('\n', out);
    }
    print_sample(out, predictor, predicted->sample);
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
