/* What the parts of the memory families' model share. */
#ifndef VEBENCH_MEMORY_MODEL_H
#define VEBENCH_MEMORY_MODEL_H

#include "model/family-model.h"

enum status advise_memory(struct advising *advising);

#endif
