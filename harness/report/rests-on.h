/* What findings rest on: on a model, the assumed figures of the device; on a GPU, runs and days. */
#ifndef VEBENCH_RESTS_ON_H
#define VEBENCH_RESTS_ON_H

#include "report/findings.h"

struct family_figures_list;
struct family_list;
struct family_models;

/* Fills `rests_on` of each finding, and lists the weak ones last.
 *
 * On an emulated device both rows of a finding's claim are predicted again, from machine code, for
 * devices whose assumed figures have other values of their ranges: "Holds in 24 of 24 draws of the
 * assumed figures.", or the figure that it depends on. On a GPU: "Measured in 2 runs on 1 day."
 * What cannot be predicted says so. */
void rests_on_find(struct findings *findings, const struct records *records,
                   const struct family_models *models, const struct family_figures_list *figures,
                   const struct family_list *families);

#endif
