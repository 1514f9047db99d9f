/* What can be found out about a device in a minute that decides whether it can be measured. Figures
 * only: what to think of them is the command's affair. */
#ifndef VEBENCH_SELFTEST_H
#define VEBENCH_SELFTEST_H

#include "ze/session.h"

enum selftest_extent {
    SELFTEST_SHORT, /* a few seconds, without the load */
    SELFTEST_WHOLE,
};

struct selftest {
    bool is_emulated; /* only `launches`, `scatter` and `no_lead` apply */

    /* How much faster the device's timer goes than it says, by the host's clock; NaN if the driver
     * does not give the device's time. */
    double timer_error;

    /* The governor. Rates are those of a spin of one thread. */
    char no_lead[ERROR_TEXT_BYTES]; /* why nothing can spin; empty if it can, and what follows
                                       applies */
    bool settles;                   /* the clock stops rising */
    double floor;                   /* rate right after a rest, by the settled one */
    double ramp_ms;                 /* until the rate is the settled one for good; 0: at once */
    double lead_ms;                 /* of the spin before each launch */

    /* The settled clock, of one thread: 0 if not known. */
    double counted_mhz, asked_mhz; /* by counting cycles; by system management */

    /* Launches of one length behind a spin. */
    unsigned launches;
    double scatter; /* standard deviation, without outliers, relative */
    double late;    /* part of them that took over 5 % more than the median */
    double shared;  /* part during which another client had the engine for over 1 % of the time */
    double drift;   /* of the last quarter from the first, relative */

    /* Every hardware thread busy. */
    double load_s;             /* for so long; 0: not tried */
    double wide_mhz;           /* the clock at first, 0 if not known */
    double lost;               /* part of the clock that is lost from the start to the end */
    uint32_t throttle_reasons; /* as system management said: zes_freq_throttle_reason_flags_t */
};

/* Runs on an open session without a lead; the lead is closed again. Errors are those of the driver;
 * a spin that does not build is a finding. */
enum status selftest_run(struct session *session, enum selftest_extent extent,
                         struct selftest *result, struct error *error);

#endif
