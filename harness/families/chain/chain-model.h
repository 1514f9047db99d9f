/* Shared by the models of families `exchange` and `collective`. */
#ifndef VEBENCH_CHAIN_MODEL_H
#define VEBENCH_CHAIN_MODEL_H

#include "model/family-model.h"

/* Advises the best way for each task, and where a way through shared local memory overtakes
 * registers. */
enum status advise_chain(struct advising *advising);

#endif
