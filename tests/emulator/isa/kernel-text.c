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

void emit_addresses(const char *last, unsigned threads, unsigned own)
{
    emit("(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
         "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w 4:w {%s}\n"
         "(W) and (1|M0) r4.0<1>:ud r0.2<0;1,0>:ud 0xff:uw\n"
         "(W) mul (1|M0) r4.1<1>:d r0.1<0;1,0>:d %u:w\n"
         "(W) add (1|M0) r4.2<1>:d r4.1<0;1,0>:d r4.0<0;1,0>:d {%s}\n"
         "(W) mov (8|M0) r8.0<1>:d r4.2<0;1,0>:d {%s}\n"
         "(W) shl (1|M0) r4.3<1>:ud r4.2<0;1,0>:ud 5:w\n"
         "(W) add (8|M0) r14.0<1>:d r12.0<8;8,1>:d r4.3<0;1,0>:d {%s}\n"
         "(W) add (8|M0) r14.0<1>:d r14.0<8;8,1>:d 0x%x:ud {%s}\n",
         last, threads, last, last, last, own, last);
}

const char *emitted(void)
{
    return text;
}
