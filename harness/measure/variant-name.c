#include "measure/variant-name.h"

#include <stdio.h>
#include <string.h>

/* Data types as names of variants have them, and as results do. */
static const char *const types[][2] = {
    {"u8", "u8"},    {"u16", "u16"},  {"u32", "u32"},   {"u64", "u64"},  {"f16", "f16"},
    {"f32", "f32"},  {"f64", "f64"},  {"int8", "i8"},   {"int", "i32"},  {"int32", "i32"},
    {"half", "f16"}, {"fp16", "f16"}, {"float", "f32"}, {"fp32", "f32"}, {"double", "f64"},
};

/* Where `word` stands in `text` between underscores or ends, or NULL. */
static char *find_word(char *text, const char *word, size_t bytes)
{
    for (char *at = text; *at; at += strcspn(at, "_"), at += *at == '_') {
        if (!strncmp(at, word, bytes) && (at[bytes] == '_' || at[bytes] == '\0'))
            return at;
    }
    return NULL;
}

/* Takes out the `bytes` at `at`, and an underscore beside them. */
static void take_out(char *text, char *at, size_t bytes)
{
    if (at[bytes] == '_')
        bytes++;
    else if (at > text)
        at--, bytes++;
    memmove(at, at + bytes, strlen(at + bytes) + 1);
}

static void take_type(struct variant_name *name)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        char *at = find_word(name->op, types[i][0], strlen(types[i][0]));

        if (!at)
            continue;
        snprintf(name->type, sizeof(name->type), "%s", types[i][1]);
        take_out(name->op, at, strlen(types[i][0]));
        return;
    }
}

/* Takes the longest of the ways that the name begins or ends with. */
static void take_way(struct variant_name *name, const char *ways)
{
    size_t longest = 0;
    char *found = NULL;

    for (const char *way = ways; *way; way += strspn(way, " ")) {
        size_t bytes = strcspn(way, " ");
        char *at = find_word(name->op, way, bytes);

        if (at && bytes > longest && (at == name->op || at[bytes] == '\0')) {
            found = at;
            longest = bytes;
        }
        way += bytes;
    }
    if (!found)
        return;
    snprintf(name->way, sizeof(name->way), "%.*s", (int)longest, found);
    take_out(name->op, found, longest);
}

void variant_name_split(const struct family *family, size_t variant, struct variant_name *name)
{
    const struct variant *v = &family->variants[variant];

    snprintf(name->op, sizeof(name->op), "%s", v->name);
    snprintf(name->type, sizeof(name->type), "%s", family->type ? family->type : "");
    snprintf(name->way, sizeof(name->way), "%s",
             family->plain_way && v->baseline ? family->plain_way : "");
    take_type(name);
    if (family->ways)
        take_way(name, family->ways);
    if (!name->op[0])
        snprintf(name->op, sizeof(name->op), "%s", family->name);
}
