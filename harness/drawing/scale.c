#include "drawing/scale.h"

#include <math.h>
#include <stdio.h>

/* Minimum number of parts of a linear axis. */
#define PARTS 4.0

/* A logarithmic axis with more labels than this leaves some out. */
#define LOG_LABELS 6

/* The round step (1, 2 or 5 times a power of ten) that divides the span into about PARTS. */
static double round_step(double span)
{
    double raw = span / PARTS, power = pow(10.0, floor(log10(raw))), part = raw / power;

    return power * (part >= 5.0 ? 5.0 : part >= 2.0 ? 2.0 : 1.0);
}

static double base_of(const struct scale *scale)
{
    return scale->is_bytes || scale->high / scale->low < 300.0 ? 2.0 : 10.0;
}

struct scale scale_over(double low, double high, bool is_log, bool is_bytes)
{
    struct scale scale = {
        .low = low, .high = high, .to = 1.0, .is_log = is_log && low > 0.0, .is_bytes = is_bytes};

    if (scale.is_log) {
        double base = base_of(&scale), slack = 1e-9;

        scale.low = pow(base, floor(log(low) / log(base) + slack));
        scale.high = pow(base, ceil(log(high) / log(base) - slack));
        if (scale.high <= scale.low)
            scale.high = scale.low * base;
        return scale;
    }
    scale.low = fmin(low, 0.0);
    scale.high = fmax(high, 0.0);
    if (!(scale.high > scale.low))
        scale.high = scale.low + 1.0;
    double step = round_step(scale.high - scale.low);

    scale.low = floor(scale.low / step) * step;
    scale.high = ceil(scale.high / step) * step;
    return scale;
}

double scale_at(const struct scale *scale, double value)
{
    double part = scale->is_log ? log(value / scale->low) / log(scale->high / scale->low)
                                : (value - scale->low) / (scale->high - scale->low);

    return scale->from + part * (scale->to - scale->from);
}

size_t scale_ticks(const struct scale *scale, double ticks[SCALE_TICKS_MAX])
{
    size_t count = 0;

    if (scale->is_log) {
        double base = base_of(scale);
        unsigned powers = (unsigned)lround(log(scale->high / scale->low) / log(base)) + 1;
        unsigned every = (powers + LOG_LABELS - 1) / LOG_LABELS;

        for (unsigned i = 0; i < powers && count < SCALE_TICKS_MAX; i += every)
            ticks[count++] = scale->low * pow(base, i);
        return count;
    }
    double step = round_step(scale->high - scale->low);
    for (double at = scale->low; at < scale->high + step / 2.0 && count < SCALE_TICKS_MAX;
         at += step)
        ticks[count++] = fabs(at) < step / 1e6 ? 0.0 : at;
    return count;
}

void scale_text(const struct scale *scale, double value, char text[SCALE_TEXT_BYTES])
{
    static const char *const binary[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    size_t unit = 0;

    if (!scale->is_bytes) {
        bool thousands = fabs(value) >= 10000.0;

        snprintf(text, SCALE_TEXT_BYTES, "%.4g%s", thousands ? value / 1000.0 : value,
                 thousands ? "k" : "");
        return;
    }
    for (; value >= 1024.0 && unit + 1 < sizeof(binary) / sizeof(binary[0]); unit++)
        value /= 1024.0;
    snprintf(text, SCALE_TEXT_BYTES, "%.4g %s", value, binary[unit]);
}
