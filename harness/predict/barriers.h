/* What barriers of many hardware threads take beyond what two figures say: a latency, and an
 * interval between arrivals. Where rows of barriers are off, each of their numbers of threads has a
 * latency of its own. */
#ifndef VEBENCH_BARRIERS_H
#define VEBENCH_BARRIERS_H

#include "predict/predict.h"
#include "rows/records.h"

/* Fills the model's barriers, from rows of the family that tells barrier_latency, and gives the
 * predictor what they say. None where all these rows are predicted within a twentieth. */
void barriers_learn(struct model *model, struct predictor *predictor,
                    const struct records *records);

/* Cycles to be added to barrier_latency for a work-group of so many hardware threads: a line
 * between two numbers that were measured, and beyond the last two; the first below it. */
double barriers_excess(const struct barrier_excess *barriers, size_t count, double threads);

#endif
