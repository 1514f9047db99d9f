/* Which figures of a device follow from a model's parameters, and how. */
#ifndef VEBENCH_FIGURES_MEASURED_H
#define VEBENCH_FIGURES_MEASURED_H

#include "predict/figures-estimate.h"

struct figure_rule {
    enum figure_index figure;

    /* False where the model does not determine it. */
    bool (*measure)(const struct figure_input *input, struct figure_estimate *estimate);
};

/* Rules in a file of their own, figures-memory.c. */
bool measure_slm_latency(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_memory_latency(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_l3_latency(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_l1_latency(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_l3_bytes(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_l1_bytes(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_l1_line_interval(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_memory_bandwidth(const struct figure_input *input, struct figure_estimate *estimate);
bool measure_l3_banks(const struct figure_input *input, struct figure_estimate *estimate);

/* In an order in which each finds the figures measured that it needs. */
extern const struct figure_rule figure_rules[];
extern const size_t figure_rule_count;

#endif
