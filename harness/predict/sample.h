/* How long a whole launch takes. A short one is emulated whole; of a long one, work-groups from its
 * begin, middle and end, for no more than emulating it once takes a host; what needs it is emulated
 * whole, for an eighth more. All that is asked of a short one takes less than a second; where no
 * part of it is like it, or the L3 may keep some of what the last launch touched, it takes up to
 * seven. Effort is that of struct outcome. */
#ifndef VEBENCH_SAMPLE_H
#define VEBENCH_SAMPLE_H

#include "predict/interval.h"
#include "predict/predict.h"

struct launch_sample {
    struct predictor *predictor; /* these three are borrowed */
    const struct predict_kernel *kernel;
    const struct predict_launch *launch;

    struct outcome outcome;    /* with the predictor's own figures; of the whole launch */
    double cold_cycles;        /* the same with empty caches; NaN: not known */
    double groups, groups_run; /* of the launch, and how many of them were emulated */
    double spread; /* half the difference of what the parts of it give, as a share of the time */
    enum predict_caches caches; /* that its work-groups find, some way into it */
    double effort;              /* of emulating the launch once */
    double spent;               /* effort, on all this */
    size_t again_most; /* times that sample_again() may be asked within the effort that is left */

    const struct vesim_figure *depends_on; /* that it is known to depend on most, or NULL */

    double around; /* cycles of start and end of the launch, with the predictor's own figures */
    bool uses_slm;

    bool groups_wait;   /* for each other: none ends without others */
    double times_cache; /* what it touches, as a multiple of what the L3 holds */

    struct predict_launch again;   /* what sample_again() emulates, */
    struct predict_once again_how; /* on how many of the Xe-cores, and up to which instruction */
    double again_effort;           /* each time */
    double again_cycles, again_around; /* of it, as above: in all, and start and end alone */
    double unlike; /* how far off the launch's time is, as a share, if it goes on as in `again` */
    struct {
        double again_cycles, unlike; /* as above, with empty caches; NaN: not emulated */
        double drawn[UNCERTAINTY_DRAWS], least, most; /* cycles of the first launch with other
                                                         figures: of draws; and of all */
        size_t count;                                 /* of all; draws come first */
    } fresh;
    struct predict_launch few; /* work-groups that tell whether something changes anything */
};

/* STATUS_FAILED where the kernel faults, or does not end. */
enum status sample_launch(struct launch_sample *sample, struct predictor *predictor,
                          const struct predict_kernel *kernel, const struct predict_launch *launch,
                          struct error *error);

/* How long the whole launch takes with the figures that the predictor has at the moment, cycles.
 * Adds to `fresh` where it emulates a first launch as well. */
enum status sample_again(struct launch_sample *sample, double *cycles, struct error *error);

/* The time of the first launch, with empty caches, in the unit of `repeated`, the interval of
 * another one for which sample_again() was asked; without margins. False where it is not known. */
bool sample_fresh(const struct launch_sample *sample, const struct prediction_interval *repeated,
                  struct prediction_interval *fresh);

/* Widens an interval of the launch's time, whatever its unit, by what is not known because it was
 * not emulated whole, or not with all figures. */
void sample_widen(const struct launch_sample *sample, struct prediction_interval *interval);

/* How many times as long the launch takes with what `other` has in its buffers. */
enum status sample_other_contents(const struct launch_sample *sample,
                                  const struct predict_launch *other, double *ratio,
                                  struct error *error);

#endif
