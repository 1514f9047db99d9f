/* How long a whole launch takes. A short one is emulated whole. Of a long one so many work-groups
 * are that emulating all of them would take longer, from its begin, middle and end. */
#ifndef VEBENCH_SAMPLE_H
#define VEBENCH_SAMPLE_H

#include "predict/predict.h"

struct launch_sample {
    struct predictor *predictor; /* these three are borrowed */
    const struct predict_kernel *kernel;
    const struct predict_launch *launch;

    struct outcome outcome;    /* with the predictor's own figures; of the whole launch */
    double cold_cycles;        /* the same with empty caches; NaN: not known */
    double groups, groups_run; /* of the launch, and how many of them were emulated */
    double spread; /* half the difference of what the parts of it give, as a share of the time */
    size_t draws_most; /* times that sample_again() may be asked within the time of an emulation */

    struct predict_launch again; /* what sample_again() emulates */
    enum predict_caches again_caches;
    double again_cycles, again_launch; /* with the predictor's own figures: in all, and start and
                                          end of the launch alone */
};

/* STATUS_FAILED where the kernel faults, or does not end. */
enum status sample_launch(struct launch_sample *sample, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct error *error);

/* How long the whole launch takes with the figures that the predictor has at the moment, cycles. */
enum status sample_again(const struct launch_sample *sample, double *cycles, struct error *error);

#endif
