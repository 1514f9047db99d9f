/* What the models of families `exchange` and `collective` share. */
#ifndef VEBENCH_CHAIN_MODEL_H
#define VEBENCH_CHAIN_MODEL_H

#include "model/family-model.h"

/* The best way of each task, and where a way through shared local memory overtakes registers. */
enum status advise_chain(struct advising *advising);

#endif
