#include "spirv/spirv-words.h"

#include <stdlib.h>
#include <string.h>

bool spirv_next(const struct spirv_words *module, size_t *at, struct spirv_instruction *instruction)
{
    if (*at >= module->count)
        return false;
    uint32_t first = module->words[*at];
    size_t words = first >> 16;
    if (words == 0 || words > module->count - *at)
        return false;
    *instruction =
        (struct spirv_instruction){first & 0xffff, (unsigned)words - 1, module->words + *at + 1};
    *at += words;
    return true;
}

const char *spirv_text(const struct spirv_instruction *instruction, unsigned operand)
{
    return operand < instruction->count ? (const char *)(instruction->operand + operand) : "";
}

bool spirv_find(const struct spirv_words *module, unsigned code, unsigned operand, uint32_t value,
                struct spirv_instruction *found)
{
    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, found);) {
        if (found->code == code && operand < found->count && found->operand[operand] == value)
            return true;
    }
    return false;
}

bool spirv_find_entry(const struct spirv_words *module, const char *name,
                      struct spirv_instruction *entry)
{
    struct spirv_instruction i;
    size_t count = 0;

    for (size_t at = SPIRV_HEADER_WORDS; spirv_next(module, &at, &i);) {
        if (i.code != OP_ENTRY_POINT || (name && strcmp(spirv_text(&i, 2), name) != 0))
            continue;
        *entry = i;
        count++;
    }
    return count == 1;
}

static void make_room(struct spirv_writer *writer, size_t count)
{
    size_t room = 2 * (writer->count + count);

    if (writer->failed || writer->count + count <= writer->room)
        return;
    uint32_t *words = realloc(writer->words, room * sizeof(*words));
    writer->failed = !words;
    if (!words)
        return;
    writer->words = words;
    writer->room = room;
}

void spirv_put_words(struct spirv_writer *writer, const uint32_t *words, size_t count)
{
    make_room(writer, count);
    if (writer->failed || count == 0)
        return;
    memcpy(writer->words + writer->count, words, count * sizeof(*words));
    writer->count += count;
}

void spirv_put(struct spirv_writer *writer, unsigned code, const uint32_t *operands, size_t count)
{
    const uint32_t first = (uint32_t)(count + 1) << 16 | code;

    spirv_put_words(writer, &first, 1);
    spirv_put_words(writer, operands, count);
}

void spirv_put_text(struct spirv_writer *writer, unsigned code, const uint32_t *operands,
                    size_t count, const char *text, const uint32_t *after, size_t after_count)
{
    size_t whole = strlen(text) / sizeof(uint32_t); /* words without its end */
    const uint32_t first = (uint32_t)(count + whole + after_count + 2) << 16 | code;
    uint32_t last = 0;

    spirv_put_words(writer, &first, 1);
    spirv_put_words(writer, operands, count);
    for (size_t i = 0; i < whole; i++) {
        uint32_t word;

        memcpy(&word, text + i * sizeof(word), sizeof(word));
        spirv_put_words(writer, &word, 1);
    }
    memcpy(&last, text + whole * sizeof(last), strlen(text) % sizeof(last));
    spirv_put_words(writer, &last, 1);
    spirv_put_words(writer, after, after_count);
}

void *spirv_written(struct spirv_writer *writer, size_t *bytes)
{
    if (writer->failed) {
        free(writer->words);
        return NULL;
    }
    *bytes = writer->count * sizeof(*writer->words);
    return writer->words;
}
