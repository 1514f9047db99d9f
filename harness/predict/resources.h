/* What binds: how much of each resource a launch uses, and what its threads wait for. */
#ifndef VEBENCH_RESOURCES_H
#define VEBENCH_RESOURCES_H

#include "device/device.h"
#include "timing/counters.h"

#include "predict/predict.h"

/* Fills `outcome` with what walk `more` has beyond walk `fewer`, divided by `parts`. */
void resources_judge(struct outcome *outcome, const struct device *device,
                     const struct walk_record *fewer, const struct walk_record *more, double parts);

#endif
