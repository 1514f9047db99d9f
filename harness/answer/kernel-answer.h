/* What vebench kernel says of the rows that it has measured: which launch is best, and why. */
#ifndef VEBENCH_KERNEL_ANSWER_H
#define VEBENCH_KERNEL_ANSWER_H

#include "audit/survey.h"
#include "base/unit.h"
#include "job/job.h"
#include "model/verdict.h"
#include "predict/predict.h"

#include <stdio.h>

/* The two best kernels and the worst are explained. */
#define EXPLAINED_BEST 2
#define EXPLAINED_MAX  (EXPLAINED_BEST + 1)

/* One of them, with the launch in which it was fastest. */
struct explained {
    const struct verdict_candidate *candidate;
    const struct isa_entry *code;
    bool is_predicted;          /* otherwise: */
    char why[ERROR_TEXT_BYTES]; /* not */
    struct outcome outcome;
    double predicted_ns;
};

/* Launches that are held against each other: all that find the same in the caches. */
struct answer_part {
    const char *operation; /* of their rows */
    struct verdict verdict;
    struct explained explained[EXPLAINED_MAX];
    size_t explained_count;
};

struct kernel_answer {
    const struct job *job;
    const char *target; /* whose machine code it is */
    enum time_unit unit;
    struct records records;
    struct isa_survey survey;
    struct answer_part *part; /* owned */
    size_t part_count;
};

struct answer_settings {
    const char *target; /* a name that isa_target_open() takes */
    const char *base;   /* the device that predictions are of, as for predictor_settings; NULL: that
                           of the rows */
    const struct family_figures_list *figures; /* for the predictor */
    enum time_unit unit;
};

/* Reads the job's rows. Kernels that cannot be predicted say why; whatever else fails is an error.
 * Free the answer whatever the status. */
enum status kernel_answer_make(struct kernel_answer *answer, const char *path,
                               const struct job *job, const struct answer_settings *settings,
                               struct error *error);
void kernel_answer_free(struct kernel_answer *answer);

/* As text: the verdict, the launches from the best to the worst, what failed and why, and of those
 * that are explained the machine code and where the time goes. */
enum status kernel_answer_print(FILE *out, const struct kernel_answer *answer, struct error *error);

/* The same as a page, one file in HTML. */
enum status kernel_answer_page(const char *path, const struct kernel_answer *answer,
                               struct error *error);

/* The variant's name; "" if the job has only one. */
const char *answer_variant(const struct kernel_answer *answer, const char *variant);

/* For both forms: "16 lanes, work-groups of 256, TILE=8"; what the verdict says of the best, in one
 * or two sentences; a time in the answer's unit; the unit's name; "warm", or what the launches find
 * in the caches. */
#define ANSWER_TEXT_BYTES 512
const char *answer_choice(const struct kernel_answer *answer, const struct verdict_candidate *c,
                          char text[ANSWER_TEXT_BYTES]);
const char *answer_gain(const struct kernel_answer *answer, const struct verdict *verdict,
                        char text[ANSWER_TEXT_BYTES]);
double answer_shown(const struct kernel_answer *answer, const struct record *row, double ns);
const char *answer_unit(const struct kernel_answer *answer);

/* The machine code of one of the job's launches as it runs with an explained one; NULL if there is
 * none. */
const struct isa_entry *answer_code(const struct kernel_answer *answer,
                                    const struct explained *explained, size_t launch);

/* Whose code it is: the choice, with the kernel if there are several launches. */
const char *answer_kernel(const struct kernel_answer *answer, const struct explained *explained,
                          size_t launch, char text[ANSWER_TEXT_BYTES]);

/* "bound by memory, 12 % from its bound; then float 40 %" */
const char *answer_limit(const struct outcome *outcome, char text[ANSWER_TEXT_BYTES]);

/* Parts of the time below this share are not shown. */
#define ANSWER_PART_LEAST 0.01

#endif
