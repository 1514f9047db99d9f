/* A time that a user gives. */
#ifndef VESIM_SECONDS_H
#define VESIM_SECONDS_H

/* Reads a decimal number of seconds, 0 or more. Returns 0, or -1 if `text` is something else. */
int seconds_read(const char *text, double *seconds);

/* The same of a time for which to wait, above 0; the word "wait" is for ever, and reads as -1. */
int after_hang_read(const char *text, double *seconds);

#endif
