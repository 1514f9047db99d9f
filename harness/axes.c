#include "axes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const char *axis_split(const char *text, size_t *name_bytes)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || equals[1] == '\0')
        return NULL;
    *name_bytes = (size_t)(equals - text);
    return equals + 1;
}

static bool is_power_of_two(unsigned number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static enum status parse_value(const struct axis *axis, const char *text, size_t bytes,
                               struct axis_value *value, struct error *error)
{
    unsigned long number = 0;
    size_t digits = 0;

    while (digits < bytes && isdigit((unsigned char)text[digits]) && number <= axis->largest) {
        number = number * 10 + (unsigned long)(text[digits] - '0');
        digits++;
    }
    value->times_subgroup_size =
        digits + 1 == bytes && (text[digits] == 'S' || text[digits] == 's');
    if (value->times_subgroup_size && digits == 0)
        number = 1;
    if (bytes == 0 || (digits != bytes && !value->times_subgroup_size) || number == 0) {
        return error_set(error, STATUS_USAGE,
                         "axis %s: '%.*s' is no value; give whole numbers from 1, or multiples of "
                         "the sub-group size such as S or 2S, separated by commas",
                         axis->name, (int)bytes, text);
    }
    if (number > axis->largest) {
        return error_set(error, STATUS_USAGE, "axis %s: %.*s is too large; the largest is %u",
                         axis->name, (int)bytes, text, axis->largest);
    }
    value->number = (unsigned)number;
    if (axis->kind == AXIS_POWER_OF_TWO && !is_power_of_two(value->number)) {
        return error_set(error, STATUS_USAGE,
                         "axis %s: %.*s is no power of two; the kernels exchange data through "
                         "power-of-two masks, so use 8, 16, 32, 64, ...",
                         axis->name, (int)bytes, text);
    }
    return STATUS_OK;
}

enum status axis_parse(const struct axis *axis, const char *text, struct axis_values *values,
                       struct error *error)
{
    values->count = 0;
    for (;;) {
        size_t bytes = strcspn(text, ",");
        enum status status;

        if (values->count == AXIS_VALUES_MAX) {
            return error_set(error, STATUS_USAGE, "axis %s: more than %d values", axis->name,
                             AXIS_VALUES_MAX);
        }
        status = parse_value(axis, text, bytes, &values->value[values->count], error);
        if (status != STATUS_OK)
            return status;
        values->count++;
        if (text[bytes] == '\0')
            return STATUS_OK;
        text += bytes + 1;
    }
}

static int compare_numbers(const void *left, const void *right)
{
    unsigned a = *(const unsigned *)left;
    unsigned b = *(const unsigned *)right;

    return (a > b) - (a < b);
}

size_t axis_resolve(const struct axis_values *values, unsigned subgroup_size, unsigned *numbers)
{
    size_t kept = 0;

    for (size_t i = 0; i < values->count; i++) {
        const struct axis_value *value = &values->value[i];

        numbers[i] = value->number * (value->times_subgroup_size ? subgroup_size : 1);
    }
    qsort(numbers, values->count, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < values->count; i++) {
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    }
    return kept;
}
