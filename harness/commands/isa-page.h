/* The audit of machine code as a page of a report. */
#ifndef VEBENCH_ISA_PAGE_H
#define VEBENCH_ISA_PAGE_H

#include "audit/survey.h"

/* Makes the folder if it is not there, with isa.html, which links to a report beside it, and
 * isa.csv, with every figure. */
enum status isa_page_write(const struct isa_survey *survey, const char *folder,
                           struct error *error);

#endif
