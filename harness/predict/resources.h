/* Determines what binds: how much of each resource a launch uses, and what its threads wait for. */
#ifndef VEBENCH_RESOURCES_H
#define VEBENCH_RESOURCES_H

#include "vesim/vesim.h"

#include "predict/predict.h"

/* Fills `outcome` with the difference between walks `more` and `fewer`, divided by `parts`. */
void resources_judge(struct outcome *outcome, const struct vesim_device *device,
                     const struct vesim_walk *fewer, const struct vesim_walk *more, double parts);

#endif
