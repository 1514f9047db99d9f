/* The text of a kernel that a test puts together line by line, for machine_assemble(). One at a
 * time. */
#ifndef TEST_KERNEL_TEXT_H
#define TEST_KERNEL_TEXT_H

/* Begins another. */
void emit_start(void);

/* Appends to it. The running test fails if it becomes too long. */
__attribute__((format(printf, 1, 2))) void emit(const char *format, ...);

/* What has been emitted since the start. */
const char *emitted(void);

#endif
