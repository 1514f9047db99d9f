/* How far off the rules of the emulator's clock are on a device, learnt from rows that determine
 * none of the figures: a prediction by machine code is compared with what was measured. */
#ifndef VEBENCH_MARGIN_H
#define VEBENCH_MARGIN_H

#include "predict/interval.h"
#include "rows/records.h"

/* At most so many rows of each held-out family (struct family) are predicted: a second or two. */
#define MARGIN_ROWS_OF_FAMILY 8

/* Fewer rows than this tell nothing. */
#define MARGIN_ROWS_LEAST 9

/* Fills the model's margins: of all those rows, and of those that one thing limits if there are
 * MARGIN_ROWS_LEAST of them. A margin is split-conformal (Vovk et al. 2005): of `rows` factors
 * between measured and predicted, the shortest interval around 1 that has ceil(0.9 (rows + 1)).
 * That of a mechanism is then drawn towards that of all, the more the fewer its rows are. Rules
 * that the emulator lacks make a device slower far more often than faster. Without enough rows
 * there are no margins. */
enum status margins_learn(struct model *model, struct predictor *predictor,
                          const struct records *records, struct error *error);

/* Widens an interval of a time by what the rules miss where `mechanism` limits it, with errors of
 * figures and of rules independent of each other. Returns the margin, or NULL where none is known
 * and nothing changes. */
const struct margin *margin_widen(const struct model *model, const char *mechanism,
                                  struct prediction_interval *interval);

#endif
