/* Shared by the parts of the memory families' page. */
#ifndef VEBENCH_MEMORY_PAGE_H
#define VEBENCH_MEMORY_PAGE_H

#include "report/findings.h"

void findings_memory(struct findings *findings, const struct records *records);

#endif
