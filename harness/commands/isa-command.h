/* vebench isa: judges machine code without running it. */
#ifndef VEBENCH_ISA_COMMAND_H
#define VEBENCH_ISA_COMMAND_H

#include "audit/survey.h"
#include "base/table.h"

struct isa_command {
    struct isa_request request;
    enum table_format format;
    bool listing;        /* the hot loops, instruction by instruction */
    const char *folder;  /* the audit as a page; NULL: as text */
    const char *diff[2]; /* two kernels, targets or sub-group sizes; NULL: no difference */
};

/* Prints the survey, listing or difference. Same errors as isa_survey_make(). */
enum status command_isa(const struct isa_command *command, FILE *out, struct error *error);

#endif
