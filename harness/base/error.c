#include "base/error.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Replaces the bytes of each control character from `at` on with \xNN: messages quote command lines
 * and files. */
static void escape(struct error *error, size_t at, bool lines)
{
    char copy[ERROR_TEXT_BYTES];
    size_t to = at, control = 0;

    strcpy(copy, error->text + at);
    for (const char *from = copy; *from && to < ERROR_TEXT_BYTES - 5; from++) {
        if (!control && !(lines && *from == '\n'))
            control = text_control_bytes(from);
        if (control) {
            to += (size_t)sprintf(error->text + to, "\\x%02x", (unsigned char)*from);
            control--;
        } else {
            error->text[to++] = *from;
        }
    }
    error->text[to] = '\0';
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    va_list arguments;

    error->status = status;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof(error->text), format, arguments);
    va_end(arguments);
    escape(error, 0, false);
    return status;
}

enum status error_out_of_memory(struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "out of memory");
}

void error_append(struct error *error, const char *format, ...)
{
    size_t used = strlen(error->text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error->text + used, sizeof(error->text) - used, format, arguments);
    va_end(arguments);
    escape(error, used, true);
}
