/* Maps values to positions along an axis. */
#ifndef VEBENCH_SCALE_H
#define VEBENCH_SCALE_H

#include <stdbool.h>
#include <stddef.h>

#define SCALE_TICKS_MAX  12
#define SCALE_TEXT_BYTES 32

struct scale {
    double low, high; /* values at the ends */
    double from, to;  /* their positions */
    bool is_log, is_bytes;
};

/* A scale that contains `low` to `high` and begins and ends at round values. A linear one contains
 * 0; a logarithmic one takes only values above 0. */
struct scale scale_over(double low, double high, bool is_log, bool is_bytes);

double scale_at(const struct scale *scale, double value);

/* Round values on the scale, ascending; returns their number. */
size_t scale_ticks(const struct scale *scale, double ticks[SCALE_TICKS_MAX]);

/* "250", "1.5", "64 KiB", "20k". */
void scale_text(const struct scale *scale, double value, char text[SCALE_TEXT_BYTES]);

#endif
