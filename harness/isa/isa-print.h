/* Surveys as text: for a reader, and for programs. */
#ifndef VEBENCH_ISA_PRINT_H
#define VEBENCH_ISA_PRINT_H

#include "base/table.h"
#include "isa/survey.h"

/* A row for each kernel. TABLE_PLAIN and TABLE_MARKDOWN have the columns that a reader compares by;
 * the other formats have all figures. */
enum status isa_print_survey(FILE *out, const struct isa_survey *survey, enum table_format format,
                             struct error *error);

/* The hot loops, instruction by instruction, of kernels that were audited. */
enum status isa_print_loops(FILE *out, const struct isa_survey *survey, enum table_format format,
                            struct error *error);

/* Every figure and mnemonic in which kernels differ that are alike but for `a` and `b`: names of
 * kernels, targets, or sub-group sizes. STATUS_USAGE where there is no such pair. */
enum status isa_print_difference(FILE *out, const struct isa_survey *survey, const char *a,
                                 const char *b, enum table_format format, struct error *error);

#endif
