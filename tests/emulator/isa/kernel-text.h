/* The text of a kernel that a test puts together line by line, for machine_assemble(). One at a
 * time. */
#ifndef TEST_KERNEL_TEXT_H
#define TEST_KERNEL_TEXT_H

/* Begins another. */
void emit_start(void);

/* Appends to it. The running test fails if it becomes too long. */
__attribute__((format(printf, 1, 2))) void emit(const char *format, ...);

/* Appends instructions that leave addresses in registers: r12 has those of 8 dwords that all
 * threads share, at 0; r14 those of 8 that are the thread's own, from `own` on; r8 the thread's
 * number in the walk, whose work-groups have so many threads. `last` is the distance that waits for
 * the integer before, "@1" or "I@1". */
void emit_addresses(const char *last, unsigned threads, unsigned own);

/* What has been emitted since the start. */
const char *emitted(void);

#endif
