/* Kernels that are no benchmark, predicted, and held against the time that the emulator gives. */
#ifndef TESTS_PREDICT_FOREIGN_H
#define TESTS_PREDICT_FOREIGN_H

#include "commands/predict-kernel.h"
#include "planted.h"
#include "predict/interval.h"
#include "predict/sample.h"

/* Launches of them. The first FOREIGN_UNSEEN are of kernels.cl, those up to FOREIGN_KNOWN of
 * textbook.cl, and those behind them, which no prediction was mended for, of newcomers.cl. */
enum { FOREIGN_COUNT = 34, FOREIGN_KNOWN = 24, FOREIGN_UNSEEN = 10 };
extern const struct predict_request foreign_requests[FOREIGN_COUNT];
const struct predict_request *foreign_request(const char *kernel);

/* What is measured of a device. */
enum { FOREIGN_SWEEPS = 26 };
extern const char *const foreign_sweeps[FOREIGN_SWEEPS][PLANTED_SWEEP_WORDS];

/* Draws each figure that the description `base` assumes from its range, into figures[
 * VESIM_FIGURE_COUNT]; returns how many. */
size_t foreign_draw(struct planted_figure *figures, const char *base, uint64_t seed);

/* Opens a predictor of what a model and a description say. The caller closes it. */
struct predictor *foreign_predictor(const struct model *model, const char *base);

/* Reads a module. The caller frees its `spirv`. */
struct kernel_module foreign_module(const char *path);

/* Makes the launch of a request, with other work-items unless `global` is NULL. The module has to
 * stay. The caller frees it: kernel_launch_free(). */
void foreign_make(struct kernel_launch *made, const struct kernel_module *module,
                  struct predictor *predictor, const struct predict_request *asked,
                  const char *global);

/* Predicts a launch, in cycles: `interval` is of one with warm caches, without a margin. */
void foreign_predict(struct predictor *predictor, const struct kernel_launch *made,
                     struct launch_sample *sample, struct prediction_interval *interval);

/* What the emulator gives for the launch on the predictor's device: `cycles` with warm caches,
 * `cold_cycles` with empty ones. */
struct outcome foreign_time(struct predictor *predictor, const struct kernel_launch *made);

/* Puts what `put` writes in the place of the document's table that begins with `header`. */
void foreign_replace_table(const char *document, const char *header, void (*put)(FILE *out));

#endif
