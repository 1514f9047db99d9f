/* A worker's session on the fake device, for whole sweeps: it takes the place of a driver that
 * opens, and of its compiler, which makes the kernels of family `barrier` and the lead. */
#ifndef TESTS_HARNESS_FAKE_WORKER_H
#define TESTS_HARNESS_FAKE_WORKER_H

#include "fake-ze.h"

/* As `connect` of a struct sweep_request. */
enum status fake_worker_connect(struct session *session, struct watch *watch, struct error *error);

/* What the device counts as; hardware by default. */
extern enum device_kind fake_worker_kind;

/* Of the worker that this process is; NULL: it is none. */
extern const struct session *fake_worker_session;

/* For sub-groups of what size the compiler makes kernels that ask for 16. */
extern unsigned fake_worker_compiled_size;

/* Events of a sweep that a test does not look at. */
void fake_ignore_start(void *context, const struct family *family,
                       const struct configuration *configuration, size_t index, size_t total);
void fake_ignore_end(void *context, const struct family *family,
                     const struct configuration *configuration,
                     const struct measurement *measurements, size_t index);

#endif
