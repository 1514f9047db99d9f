#include "audit/isa-text.h"

#include <stdio.h>
#include <string.h>

/* Adds one item of a mix; items with a count of 0 are left out. */
static void add_count(char text[ISA_TEXT_BYTES], unsigned count, const char *name)
{
    size_t used = strlen(text);

    if (count)
        snprintf(text + used, ISA_TEXT_BYTES - used, "%s%u %s", used ? ", " : "", count, name);
}

const char *isa_pipes_text(const struct isa_mix *mix, char text[ISA_TEXT_BYTES])
{
    text[0] = '\0';
    for (enum isa_pipe pipe = ISA_FLOAT; pipe <= ISA_SYSTOLIC; pipe++)
        add_count(text, mix->pipe[pipe], isa_pipe_name(pipe));
    return text;
}

const char *isa_messages_text(const struct isa_mix *mix, char text[ISA_TEXT_BYTES])
{
    static const char *const names[VESIM_MESSAGE_COUNT] = {
        "load",       "store",   "atomic", "SLM load", "SLM store",
        "SLM atomic", "scratch", "fence",  "barrier",  "other"};

    text[0] = '\0';
    for (size_t i = 0; i < VESIM_MESSAGE_COUNT; i++)
        add_count(text, mix->message[i], names[i]);
    return text;
}

/* The operation of an instruction: without its predicate, what precedes its size. */
static int operation_bytes(const char **text)
{
    while (**text == '(') {
        *text += strcspn(*text, ")");
        *text += **text == ')';
        *text += strspn(*text, " ");
    }
    return (int)strcspn(*text, " (");
}

const char *isa_bound_text(const struct isa_audit *audit, char text[ISA_TEXT_BYTES])
{
    const char *instruction = isa_audit_binds(audit);
    int bytes = operation_bytes(&instruction);

    if (!audit->line_count)
        snprintf(text, ISA_TEXT_BYTES, "no code");
    else
        snprintf(text, ISA_TEXT_BYTES, "%s%s%s%.*s", audit->loop_count ? "" : "no loop, ",
                 isa_bound_name(audit->bounds.highest), bytes ? ": " : "", bytes, instruction);
    return text;
}
