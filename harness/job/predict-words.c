#include "job/predict-words.h"

#include "job/job.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* A text that grows, or has not fitted. */
struct words {
    char *text;
    size_t bytes, used;
    bool is_whole;
};

__attribute__((format(printf, 2, 3))) static void say(struct words *words, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    int more = vsnprintf(words->text + words->used, words->bytes - words->used, format, arguments);
    va_end(arguments);
    words->is_whole = words->is_whole && more >= 0 && (size_t)more < words->bytes - words->used;
    words->used += words->is_whole ? (size_t)more : 0;
}

static void say_buffer(struct words *words, const struct job_buffer *buffer, size_t index)
{
    char contents[512];

    words->is_whole = words->is_whole && !buffer->is_image;
    say(words, " --arg %zu=%zu", index, buffer->bytes);
    if (!buffer->has_contents)
        return;
    int length = contents_text(&buffer->contents, contents, sizeof(contents));
    words->is_whole = words->is_whole && length >= 0 && (size_t)length < sizeof(contents);
    say(words, " --buffer %zu=%s", index, contents);
}

/* A number's bits, or those of a structure that is no longer than a number. */
static void say_bits(struct words *words, const struct job_argument *argument, size_t index)
{
    uint64_t bits = argument->value;

    if (argument->kind == JOB_DATA) {
        words->is_whole = words->is_whole && argument->bytes <= sizeof(bits);
        bits = 0;
        memcpy(&bits, argument->data,
               argument->bytes < sizeof(bits) ? argument->bytes : sizeof(bits));
    }
    say(words, " --arg %zu=0x%" PRIx64, index, bits);
}

static void say_argument(struct words *words, const struct job *job,
                         const struct job_argument *argument, size_t index, unsigned items)
{
    if (argument->kind == JOB_BUFFER)
        say_buffer(words, &job->buffer[argument->buffer], index);
    else if (argument->kind == JOB_LOCAL)
        say(words, " --arg %zu=%zu", index,
            argument->is_per_item ? argument->bytes * items : argument->bytes);
    else
        say_bits(words, argument, index);
}

void job_predict_words(const struct launch *launch, char *text, size_t bytes)
{
    const struct job_variant *variant = launch->variant->own;
    const struct job *job = variant->job;
    const struct job_shape *shape =
        job_launch_shape(job, variant, launch->configuration.workgroup_size);
    struct words words = {.text = text, .bytes = bytes, .is_whole = true};
    struct job_shape items;

    text[0] = '\0';
    if (!shape || job->launch_count > 1 || variant->caches != CACHES_WARM)
        return;
    job_launch_items(variant, shape, &items);
    say(&words, "--global %u,%u,%u --local %u,%u,%u", items.global[0], items.global[1],
        items.global[2], items.local[0], items.local[1], items.local[2]);
    if (variant->options[0])
        say(&words, " --options %s", variant->options);
    for (size_t i = 0; i < variant->launch->kernel.argument_count; i++)
        say_argument(&words, job, &variant->launch->argument[i], i,
                     items.local[0] * items.local[1] * items.local[2]);
    if (!words.is_whole)
        text[0] = '\0';
}
