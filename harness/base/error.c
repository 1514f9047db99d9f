#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;

    error->status = status;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return status;
}

void error_append(struct error *error, const char *format, ...)
{
    size_t used = strlen(error->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error->text + used, sizeof error->text - used, format, arguments);
    va_end(arguments);
}
