/* Devices whose figures only the test knows: swept by vebench under vesim, then fitted. */
#ifndef TESTS_MODEL_PLANTED_H
#define TESTS_MODEL_PLANTED_H

#include "model/fit.h"

struct planted_figure {
    const char *name; /* of a line of the description */
    unsigned least, most;
    unsigned value; /* drawn by planted_draw() */
};

/* Draws values between least and most, by the seed. */
void planted_draw(struct planted_figure *figures, size_t count, uint64_t seed);

/* The value that was drawn for a figure. */
double planted_value(const struct planted_figure *figures, size_t count, const char *name);

/* Describes a device in NAME.device: that of the file `base` with the figures changed. The running
 * test fails where a figure is not in it. */
void planted_describe(const char *name, const char *base, const struct planted_figure *figures,
                      size_t count);

/* The same, with rules of the clock altered as `rules` says ("bank_queue 3, line_jitter 40"). */
void planted_describe_rules(const char *name, const char *base,
                            const struct planted_figure *figures, size_t count, const char *rules);

/* Runs VEBENCH run with the arguments (NULL-terminated) under VESIM on NAME.device, into the file
 * `output`. The running test fails, with what the programs said, where anything does. */
void planted_sweep(const char *name, char *output, const char *const *arguments);

/* The same into NAME.csv, and fits it. */
void planted_fit(struct model *model, const char *name, const char *const *arguments);

/* The same with several sweeps, NAME-0.csv and so on, fitted together. */
#define PLANTED_SWEEP_WORDS 16
void planted_fit_sweeps(struct model *model, const char *name,
                        const char *const (*sweeps)[PLANTED_SWEEP_WORDS], size_t count);

/* Fails the running test unless the truth lies in the parameter's interval, or within 2 % of its
 * value; prints the comparison. */
void planted_assert(const struct model *model, const char *name, double truth);

/* The parameter's value. The running test fails if it is absent. */
double planted_fitted(const struct model *model, const char *name);

/* Fails the running test unless a parameter of models[1] is that much more than in models[0],
 * within 2 %; prints the comparison. */
void planted_assert_difference(const struct model *models, const char *name, double truth);

#endif
