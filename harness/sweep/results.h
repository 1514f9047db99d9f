/* The CSV files a run writes; docs/csv.md defines every column. */
#ifndef VEBENCH_RESULTS_H
#define VEBENCH_RESULTS_H

#include "base/csv.h"
#include "family/axis-columns.h"
#include "measure/measure.h"
#include "ze/target.h"

#define RUN_ID_BYTES         40
#define HOST_BYTES           80
#define TIME_BYTES           24
#define PARAMETERS_BYTES     240
#define RESULTS_LAUNCH_BYTES 1024

/* What all rows of a run have in common. */
struct run_identity {
    char run_id[RUN_ID_BYTES];       /* UTC start time and random digits: unique across machines */
    const char *notes;               /* from the user, "KEY=VALUE; KEY=VALUE"; NULL: none */
    const struct axis_columns *axes; /* columns of every row; borrowed */
};

void run_identity_fill(struct run_identity *identity);

/* The name of this machine. */
void host_name(char host[HOST_BYTES]);

/* The current time as "2026-01-31T12:00:00Z". */
void utc_text(char text[TIME_BYTES]);

/* The current time as "20260131T120000Z", for file names. */
void utc_compact_text(char text[TIME_BYTES]);

/* Everything a row is made from; all pointers are borrowed. */
struct row {
    const struct run_identity *identity;
    const struct target *target;
    const char *host; /* the machine that has the target */
    int rank;         /* of the process that measured; -1: there was one only */
    const struct family *family;
    const struct configuration *configuration;
    size_t variant;              /* index in the family's variants */
    const struct kernel *kernel; /* handle NULL if there is none */
    const struct measurement *measurement;
    const struct measurement *reference; /* of the variant it is compared with; NULL: none */
    const char *kernel_sha256;
    size_t sequence; /* of the configuration in the run, from 0 */
    uint64_t seed;
};

enum status results_write_header(struct csv *csv, const struct axis_columns *axes,
                                 struct error *error);
enum status results_write_row(struct csv *csv, const struct row *row, struct error *error);

enum status samples_write_header(struct csv *csv, const struct axis_columns *axes,
                                 struct error *error);
enum status counters_write_header(struct csv *csv, const struct axis_columns *axes,
                                  struct error *error);
enum status counters_write_row(struct csv *csv, const struct run_identity *identity,
                               const struct family *family,
                               const struct configuration *configuration, const char *group,
                               const struct count *count, int rank, struct error *error);

enum status samples_write_row(struct csv *csv, const struct run_identity *identity,
                              const struct family *family,
                              const struct configuration *configuration,
                              const struct sample *sample, int rank, struct error *error);

#endif
