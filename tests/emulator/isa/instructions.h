/* Shared by tests of single instructions: one machine, and programs that leave eight dwords. */
#ifndef TEST_INSTRUCTIONS_H
#define TEST_INSTRUCTIONS_H

#include "machine.h"
#include "test.h"

extern struct machine machine;

/* The device of the machine: the first argument, else a380. Ends with 77 if the assembler of this
 * system does not know it. */
void instructions_choose(int argc, char **argv);

/* Set-up and tear-down of the group of tests. */
int instructions_create(void **state);
int instructions_destroy(void **state);

bool is_hpg(void);

/* Whether the device is of that generation or a later one. */
bool is_from(enum vesim_architecture first);

/* Runs the program. It begins with r10 = 0..7 (dwords) and r12 = 4 * r10; the eight dwords that it
 * leaves in r20 are the first of machine.data. */
void run(const char *text);

/* The same with machine code behind the kernel's, of FUNCTION_BYTES, in the same memory. */
enum { FUNCTION_OFFSET = 0x8000, FUNCTION_BYTES = 0x400 };
void run_beside(const char *text, const uint8_t *function);

/* The same for text with a format. */
void run_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fail at the first lane of the last program that differs. */
void expect(const uint32_t expected[8]);
void expect_floats(const float expected[8]);

/* The program stops with a fault that says `what`. */
void expect_fault(const char *text, const char *what);

#endif
