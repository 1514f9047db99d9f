#include "listing.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any line the disassembler prints. */
enum { LINE_CHARS = 512 };

/* Surface 254 (0xfe in a message descriptor's lowest byte) of the data cache is local memory. */
enum { SURFACE_SLM = 0xfe };

static unsigned long last_hexadecimal(const char *text)
{
    unsigned long value = 0;

    for (const char *p = strstr(text, " 0x"); p; p = strstr(p + 1, " 0x"))
        value = strtoul(p + 1, NULL, 16);
    return value;
}

/* `message` is the disassembler's own remark on a send, `code` what stands before it. */
static enum access classify(const char *code, const char *message)
{
    int slm = (last_hexadecimal(code) & 0xff) == SURFACE_SLM;

    if (strstr(message, "signal barrier"))
        return ACCESS_SIGNAL_BARRIER;
    if (strstr(message, "fence.slm") || strstr(message, "SLM fence"))
        return ACCESS_SLM_FENCE;
    if (strstr(message, "fence"))
        return ACCESS_GLOBAL_FENCE;
    if (strstr(message, "load.slm"))
        return ACCESS_SLM_READ;
    if (strstr(message, "store.slm"))
        return ACCESS_SLM_WRITE;
    if (strstr(message, "load.ugm"))
        return ACCESS_GLOBAL_READ;
    if (strstr(message, "store.ugm"))
        return ACCESS_GLOBAL_WRITE;
    if (strstr(message, "untyped surface read"))
        return slm ? ACCESS_SLM_READ : ACCESS_GLOBAL_READ;
    if (strstr(message, "untyped surface write"))
        return slm ? ACCESS_SLM_WRITE : ACCESS_GLOBAL_WRITE;
    return ACCESS_NONE;
}

/*
 * Copies one token without what register allocation decides: r12.4<1>:d becomes r<1>:d, f1.0
 * becomes f, and a label L480 becomes L (its number in *target).
 */
static char *copy_token(char *out, const char *token, size_t length, long *target)
{
    const char *end = token + length;
    const char *p = token;

    while (p < end && (*p == '(' || *p == '~' || *p == '-'))
        *out++ = *p++;
    if (p + 1 < end && (*p == 'r' || *p == 'f' || *p == 'L') && isdigit((unsigned char)p[1])) {
        if (*p == 'L')
            *target = strtol(p + 1, NULL, 10);
        *out++ = *p++;
        while (p < end && (isdigit((unsigned char)*p) || *p == '.'))
            p++;
    }
    for (; p < end; p++) {
        *out++ = *p;
        /* A condition with its flag, "(lt)f0.0", is one token. */
        if (*p == ')' && p + 2 < end && p[1] == 'f' && isdigit((unsigned char)p[2])) {
            *out++ = 'f';
            break;
        }
    }
    return out;
}

static void normalise(char *out, const char *code, long *target)
{
    char *start = out;
    const char *p = code;

    while (*p && *p != '{') {
        size_t space = strspn(p, " \t\n");

        p += space;
        size_t length = strcspn(p, " \t\n{");
        if (length == 0)
            continue;
        if (out > start)
            *out++ = ' ';
        out = copy_token(out, p, length, target);
        p += length;
    }
    *out = '\0';
}

static int append(struct listing *listing, const char *text, long label, long target,
                  enum access access)
{
    struct instruction *grown =
        realloc(listing->instructions, (listing->count + 1) * sizeof(*grown));

    if (!grown)
        return -1;
    listing->instructions = grown;
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return -1;
    strcpy(copy, text);
    grown[listing->count++] =
        (struct instruction){.text = copy, .label = label, .target = target, .access = access};
    return 0;
}

/* Padding, and waits which belong to the scoreboard annotations rather than to the program. */
static int is_filler(const char *text)
{
    return *text == '\0' || strcmp(text, "nop") == 0 || strncmp(text, "sync.nop", 8) == 0;
}

int listing_load(struct listing *listing, const char *path)
{
    char line[LINE_CHARS], text[LINE_CHARS];
    long label = -1;
    int status = 0;

    *listing = (struct listing){0};
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
        return -1;
    }
    while (status == 0 && fgets(line, sizeof(line), in)) {
        if (line[0] == 'L' && isdigit((unsigned char)line[1])) {
            label = strtol(line + 1, NULL, 10);
            continue;
        }
        char *remark = strstr(line, "//");
        if (remark)
            *remark++ = '\0';
        long target = -1;
        normalise(text, line, &target);
        if (is_filler(text))
            continue;
        int is_send = strstr(text, "send") != NULL;
        line[strcspn(line, "{")] = '\0';
        enum access access = is_send && remark ? classify(line, remark) : ACCESS_NONE;
        status = append(listing, text, label, target, access);
        label = -1;
    }
    fclose(in);
    return status;
}

void listing_free(struct listing *listing)
{
    for (size_t i = 0; i < listing->count; i++)
        free(listing->instructions[i].text);
    free(listing->instructions);
    *listing = (struct listing){0};
}

static int find_label(const struct listing *listing, long label, size_t *index)
{
    for (size_t i = 0; i < listing->count; i++) {
        if (listing->instructions[i].label == label) {
            *index = i;
            return 0;
        }
    }
    return -1;
}

int listing_loop(const struct listing *listing, size_t *first, size_t *last)
{
    int found = -1;

    for (size_t i = 0; i < listing->count; i++) {
        size_t to;

        if (listing->instructions[i].target < 0 ||
            find_label(listing, listing->instructions[i].target, &to) != 0 || to > i)
            continue;
        if (found != 0 || to < *first)
            *first = to;
        *last = i;
        found = 0;
    }
    return found;
}
