/* What the parts of the memory families' model share. */
#ifndef VEBENCH_MEMORY_MODEL_H
#define VEBENCH_MEMORY_MODEL_H

#include "model/family-model.h"

/* Bytes that all resident work-items of a row ask for in a step (docs/model.md: q). */
double memory_bytes_in_flight(const struct record *record);

enum status advise_memory(struct advising *advising);

#endif
