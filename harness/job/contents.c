#include "job/contents.h"

#include "base/prng.h"
#include "job/half.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static enum status unreadable(const char *name, const char *text, struct error *error)
{
    return error_set(error, STATUS_USAGE, "%s=%s: give " CONTENTS_HELP, name, text);
}

/* A whole number up to `end`; false if there is none. */
static bool read_rule_number(const char **at, char separator, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(*at, &end, 0);
    if (errno || end == *at || **at == '-' || **at == ' ' || (*end && *end != separator))
        return false;
    *at = end;
    return true;
}

static enum status read_random(struct contents *contents, const char *name, const char *text,
                               struct error *error)
{
    const char *at = strchr(text, ':') + 1;

    if (!read_rule_number(&at, ':', &contents->seed))
        return unreadable(name, text, error);
    if (*at == ':' && (at++, !read_rule_number(&at, '\0', &contents->limit)))
        return unreadable(name, text, error);
    if (contents->limit == 0 || contents->limit > UINT64_C(1) << 32)
        return error_set(error, STATUS_USAGE,
                         "%s=%s: numbers have 32 bits: their limit is 1 to %llu", name, text,
                         1ULL << 32);
    return STATUS_OK;
}

/* Rules of numbers between 0 and 1, and how many bytes one has. */
static const struct fraction_rule {
    const char *name;
    enum contents_rule rule;
    size_t bytes;
} fraction_rules[] = {{"float:", CONTENTS_FLOAT, sizeof(float)},
                      {"half:", CONTENTS_HALF, sizeof(uint16_t)},
                      {"double:", CONTENTS_DOUBLE, sizeof(double)}};

#define FRACTION_RULES (sizeof(fraction_rules) / sizeof(fraction_rules[0]))

static const struct fraction_rule *find_fraction(const char *text)
{
    for (size_t i = 0; i < FRACTION_RULES; i++) {
        if (!strncmp(text, fraction_rules[i].name, strlen(fraction_rules[i].name)))
            return &fraction_rules[i];
    }
    return NULL;
}

bool contents_is_rule(const char *text)
{
    return !strcmp(text, "zeros") || !strcmp(text, "iota") || !strncmp(text, "random:", 7) ||
           find_fraction(text);
}

enum status contents_read(struct contents *contents, const char *name, const char *text,
                          struct error *error)
{
    const struct fraction_rule *fraction = find_fraction(text);

    *contents = (struct contents){.rule = CONTENTS_FILE, .limit = UINT64_C(1) << 32, .path = text};
    if (strcmp(text, "zeros") == 0) {
        contents->rule = CONTENTS_ZEROS;
    } else if (strcmp(text, "iota") == 0) {
        contents->rule = CONTENTS_IOTA;
    } else if (strncmp(text, "random:", 7) == 0) {
        contents->rule = CONTENTS_RANDOM;
        return read_random(contents, name, text, error);
    } else if (fraction) {
        const char *at = text + strlen(fraction->name);

        contents->rule = fraction->rule;
        if (!read_rule_number(&at, '\0', &contents->seed))
            return unreadable(name, text, error);
    } else if (strcmp(text, "random") == 0 || strcmp(text, "float") == 0 ||
               strcmp(text, "half") == 0 || strcmp(text, "double") == 0 || !*text) {
        return unreadable(name, text, error);
    }
    return STATUS_OK;
}

int contents_text(const struct contents *contents, char *text, size_t bytes)
{
    unsigned long long seed = contents->seed, limit = contents->limit;

    for (size_t i = 0; i < FRACTION_RULES; i++) {
        if (fraction_rules[i].rule == contents->rule)
            return snprintf(text, bytes, "%s%llu", fraction_rules[i].name, seed);
    }
    if (contents->rule == CONTENTS_RANDOM)
        return snprintf(text, bytes, "random:%llu:%llu", seed, limit);
    return snprintf(text, bytes, "%s",
                    contents->rule == CONTENTS_FILE   ? contents->path
                    : contents->rule == CONTENTS_IOTA ? "iota"
                                                      : "zeros");
}

enum status contents_file_bytes(const struct contents *contents, uint64_t *bytes,
                                struct error *error)
{
    struct stat status;

    if (stat(contents->path, &status))
        return error_set(error, STATUS_FAILED, "cannot read %s: %s; contents are " CONTENTS_HELP,
                         contents->path, strerror(errno));
    if (!S_ISREG(status.st_mode) || status.st_size <= 0)
        return error_set(error, STATUS_FAILED, "%s is no file with anything in it", contents->path);
    *bytes = (uint64_t)status.st_size;
    return STATUS_OK;
}

static enum status fill_from_file(const char *path, void *memory, size_t bytes, struct error *error)
{
    FILE *file = fopen(path, "re");
    size_t used = file ? fread(memory, 1, bytes, file) : 0;
    bool failed = !file || ferror(file);

    if (file)
        fclose(file);
    memset((char *)memory + used, 0, bytes - used);
    return failed ? error_set(error, STATUS_FAILED, "cannot read %s", path) : STATUS_OK;
}

static uint32_t element(const struct contents *contents, struct prng *prng, size_t index)
{
    uint32_t bits = (uint32_t)index;

    if (contents->rule == CONTENTS_IOTA)
        return bits;
    bits = (uint32_t)(prng_next(prng) >> 32);
    if (contents->rule == CONTENTS_RANDOM)
        return (uint32_t)((bits * contents->limit) >> 32);
    float value = (float)(bits >> 8) / (float)(1u << 24);
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static void fill_halves(struct prng *prng, char *memory, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint16_t half = half_from_float((float)(prng_next(prng) >> 53) / 2048.0f);

        memcpy(memory + i * sizeof(half), &half, sizeof(half));
    }
}

static void fill_doubles(struct prng *prng, char *memory, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double number = (double)(prng_next(prng) >> 11) / (double)(UINT64_C(1) << 53);

        memcpy(memory + i * sizeof(number), &number, sizeof(number));
    }
}

enum status contents_fill(const struct contents *contents, void *memory, size_t bytes,
                          struct error *error)
{
    struct prng prng;

    if (contents->rule == CONTENTS_FILE)
        return fill_from_file(contents->path, memory, bytes, error);
    memset(memory, 0, bytes);
    prng_seed(&prng, contents->seed);
    if (contents->rule == CONTENTS_HALF)
        fill_halves(&prng, memory, bytes / sizeof(uint16_t));
    else if (contents->rule == CONTENTS_DOUBLE)
        fill_doubles(&prng, memory, bytes / sizeof(double));
    if (contents->rule == CONTENTS_HALF || contents->rule == CONTENTS_DOUBLE)
        return STATUS_OK;
    for (size_t i = 0; contents->rule != CONTENTS_ZEROS && i < bytes / sizeof(uint32_t); i++) {
        uint32_t bits = element(contents, &prng, i);

        memcpy((char *)memory + i * sizeof(bits), &bits, sizeof(bits));
    }
    return STATUS_OK;
}
