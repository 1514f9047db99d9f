/* Figures that no equation determines, from rows of the families that are made to tell them: with
 * which value are these rows predicted as they were measured? */
#ifndef VEBENCH_CALIBRATE_H
#define VEBENCH_CALIBRATE_H

#include "predict/predict.h"
#include "rows/records.h"

/* Fills the model's calibrations, and gives the predictor what they say. Tried is each figure whose
 * range is wider than a quarter of its value, in the order in which rules determine figures, with
 * rows of the family that its rule needs. Of these count the ones that the figure moves by a tenth;
 * without two of them, or where no value brings them near what was measured, nothing is known. The
 * value has the least median error of these rows or, where the rule's variant is made for the
 * figure, the least mean error; the interval has those of about the same error: what the rules miss
 * widens it. Tried as well is each measured figure that rows refute: they are far from their
 * prediction, and another value of what the base assumes brings them near. */
void figures_calibrate(struct model *model, struct predictor *predictor,
                       const struct records *records);

#endif
