#include "kernel-text.h"

#include <stdio.h>

#include "test.h"

static char text[131072];
static size_t length;

void emit_start(void)
{
    length = 0;
    text[0] = '\0';
}

void emit(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    length += (size_t)vsnprintf(text + length, sizeof(text) - length, format, arguments);
    va_end(arguments);
    assert_true(length < sizeof(text));
}

const char *emitted(void)
{
    return text;
}
