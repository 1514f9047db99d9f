/* Surveys as text, for people and for programs. */
#ifndef VEBENCH_ISA_PRINT_H
#define VEBENCH_ISA_PRINT_H

#include "audit/survey.h"
#include "base/table.h"

/* Prints a row per kernel. TABLE_PLAIN and TABLE_MARKDOWN have the columns worth comparing; the
 * other formats have all figures. */
enum status isa_print_survey(FILE *out, const struct isa_survey *survey, enum table_format format,
                             struct error *error);

/* Prints the hot loops of audited kernels, instruction by instruction. */
enum status isa_print_loops(FILE *out, const struct isa_survey *survey, enum table_format format,
                            struct error *error);

/* Prints every figure and mnemonic count that differs between kernels alike but for `a` and `b`:
 * names of kernels, targets or sub-group sizes. STATUS_USAGE if there is no such pair. */
enum status isa_print_difference(FILE *out, const struct isa_survey *survey, const char *a,
                                 const char *b, enum table_format format, struct error *error);

#endif
