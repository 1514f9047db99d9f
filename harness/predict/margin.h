/* How far off the rules of the emulator's clock are on a device, learnt from rows of held-out
 * families (struct family), of sets that the last-level cache holds or that are no sets: a
 * prediction by machine code is compared with what was measured. */
#ifndef VEBENCH_MARGIN_H
#define VEBENCH_MARGIN_H

#include "predict/interval.h"
#include "rows/records.h"

/* At most so many rows of each held-out family (struct family) are predicted, half of them of
 * several work-groups where there are as many: some seconds of processor time, most of it for other
 * devices that are possible. */
#define MARGIN_ROWS_OF_FAMILY 16

/* Fewer rows than this tell nothing. */
#define MARGIN_ROWS_LEAST 9

/* Fills the model's margins: of all those rows, and of each kind of time: barriers, memory, engines
 * without threads, instructions, start and end of a launch. Of a row's error, the natural logarithm
 * of measured over predicted, what its figures explain is taken off first, as squares: other
 * devices that are possible show it, and it is in every interval already. The margin of all is
 * split-conformal (Vovk et al. 2005; of intervals, Romano et al. 2019): the shortest interval
 * around 0 that holds nine of ten errors, with no end less than a third of the other. How far off a
 * kind of time is, is a regression of what rows are off by on their shares; such an interval of
 * rows divided by theirs, times that of a kind, is its margin (locally weighted split-conformal,
 * Lei et al. 2018). None is less than 2 %. Without enough rows there are no margins. */
enum status margins_learn(struct model *model, struct predictor *predictor,
                          const struct records *records, struct error *error);

/* Widens an interval of a time by what the rules miss of its parts, with errors of figures and of
 * rules independent of each other. A kind of time that the model does not know has the margin of
 * all rows. False where no margin is known and nothing changes; otherwise `widened`, unless NULL,
 * has the factors, and the kind of time that most of them is of. */
bool margin_widen(const struct model *model, const struct part *parts, size_t part_count,
                  struct prediction_interval *interval, struct margin *widened);

#endif
