/* How vebench's library code reports errors: a status to branch on and a text for people. Nothing
 * in the library prints or exits; main.c does both. */
#ifndef VEBENCH_ERROR_H
#define VEBENCH_ERROR_H

#include <stdbool.h>

enum status {
    STATUS_OK = 0,
    STATUS_FAILED,      /* the request could not be carried out */
    STATUS_NO_MEMORY,   /* nor was it tried: what may fail for good reasons has not failed */
    STATUS_USAGE,       /* the command line asked for something that does not exist */
    STATUS_UNSUPPORTED, /* this device cannot do it: a reason to skip, not a failure */
    STATUS_EXCLUDED,    /* meaningless, or a repeat of another: not part of what is measured */
    STATUS_LOST,        /* the device no longer answers: nothing more can run on it */
    STATUS_INTERRUPTED, /* the user asked to stop */
};

/* The request was not carried out, for a reason of its own or for want of memory. */
static inline bool status_is_failure(enum status status)
{
    return status == STATUS_FAILED || status == STATUS_NO_MEMORY;
}

#define ERROR_TEXT_BYTES 1024

/* Owned by the caller, filled by the function that fails. One line, without the final newline;
 * a list of choices may follow on further lines. */
struct error {
    enum status status;
    char text[ERROR_TEXT_BYTES];
};

#if defined(__GNUC__)
#define VEBENCH_PRINTF(format_index, first_index)                                                  \
    __attribute__((format(printf, format_index, first_index)))
#else
#define VEBENCH_PRINTF(format_index, first_index)
#endif

/* Sets the text (truncated to the buffer) and returns `status`, so that a function can say `return
 * error_set(error, STATUS_FAILED, ...)`. Control characters are written as \xNN. */
enum status error_set(struct error *error, enum status status, const char *format, ...)
    VEBENCH_PRINTF(3, 4);

/* STATUS_NO_MEMORY, "out of memory". */
enum status error_out_of_memory(struct error *error);

/* Appends to the text. Line feeds stay: a list may follow the message. */
void error_append(struct error *error, const char *format, ...) VEBENCH_PRINTF(2, 3);

#endif
