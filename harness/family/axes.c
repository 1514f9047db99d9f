#include "family/axes.h"

#include <ctype.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *preset_name(enum preset preset)
{
    switch (preset) {
    case PRESET_DEFAULT:
        return "default";
    case PRESET_QUICK:
        return "quick";
    case PRESET_FULL:
        return "full";
    case PRESET_HEALTH:
        return "health";
    }
    return "default";
}

const char *axis_preset(const struct axis *axis, enum preset preset)
{
    const char *text = preset == PRESET_QUICK || preset == PRESET_HEALTH ? axis->quick
                       : preset == PRESET_FULL                           ? axis->full
                                                                         : NULL;

    return text ? text : axis->defaults;
}

const char *axis_split(const char *text, size_t *name_bytes)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || equals[1] == '\0')
        return NULL;
    *name_bytes = (size_t)(equals - text);
    return equals + 1;
}

static bool is_power_of_two(unsigned long number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static enum status no_value(const struct axis *axis, const char *text, size_t bytes,
                            struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "axis %s: '%.*s' is not a value; give whole numbers from %u (64K for 65536), "
                     "ranges such as 64:1024:x2 or 1:9:+2, or multiples of the sub-group size (S, "
                     "2S), of the device's Xe-cores (C), of its hardware threads (T, T/16) or of "
                     "its last-level cache (L), separated by commas",
                     axis->name, (int)bytes, text, axis->least);
}

/* Reads the digits at the start of `text`; returns how many there are. Stops accumulating once the
 * number is absurdly large. */
static size_t read_digits(const char *text, size_t bytes, unsigned long *number)
{
    size_t digits = 0;

    *number = 0;
    while (digits < bytes && isdigit((unsigned char)text[digits])) {
        if (*number <= 0xffffffffu)
            *number = *number * 10 + (unsigned long)(text[digits] - '0');
        digits++;
    }
    return digits;
}

static enum status check_limits(const struct axis *axis, const char *text, size_t bytes,
                                unsigned long number, struct error *error)
{
    if (number > axis->largest) {
        return error_set(error, STATUS_USAGE, "axis %s: %.*s is too large; the largest is %u",
                         axis->name, (int)bytes, text, axis->largest);
    }
    if (number < axis->least) {
        return error_set(error, STATUS_USAGE, "axis %s: %.*s is too small; the smallest is %u",
                         axis->name, (int)bytes, text, axis->least);
    }
    if (axis->kind == AXIS_POWER_OF_TWO && !is_power_of_two(number)) {
        return error_set(error, STATUS_USAGE,
                         "axis %s: %.*s is not a power of two; the kernels address memory through "
                         "power-of-two masks, so use 8, 16, 32, 64, ...",
                         axis->name, (int)bytes, text);
    }
    return STATUS_OK;
}

/* Reads the "/16" after a unit. Returns the length of the text before it. */
static size_t read_divisor(const char *text, size_t bytes, unsigned *divisor)
{
    const char *slash = memchr(text, '/', bytes);
    size_t before = slash ? (size_t)(slash - text) : bytes;
    unsigned long number;

    *divisor = 1;
    if (!slash || before == 0 || isdigit((unsigned char)slash[-1]) || before + 1 == bytes ||
        read_digits(slash + 1, bytes - before - 1, &number) != bytes - before - 1 || number == 0 ||
        number > UINT_MAX)
        return bytes;
    *divisor = (unsigned)number;
    return before;
}

static enum status parse_value(const struct axis *axis, const char *text, size_t length,
                               struct axis_value *value, struct error *error)
{
    unsigned long number;
    size_t bytes = read_divisor(text, length, &value->divisor);
    size_t digits = read_digits(text, bytes, &number);
    char suffix = '\0';

    if (digits + 1 == bytes)
        suffix = (char)toupper((unsigned char)text[digits]);
    else if (digits != bytes)
        return no_value(axis, text, bytes, error);
    value->unit = suffix && strchr("SCTL", suffix) ? suffix : '\0';
    if (value->unit && digits == 0)
        number = 1;
    else if (!value->unit &&
             (digits == 0 || bytes != length || (suffix && suffix != 'K' && suffix != 'M')))
        return no_value(axis, text, length, error);
    if (suffix == 'K' || suffix == 'M')
        number *= suffix == 'K' ? 1024u : 1024u * 1024u;
    value->number = (unsigned)number;
    if (!value->unit)
        return check_limits(axis, text, bytes, number, error);
    if (number == 0 || number > axis->largest)
        return no_value(axis, text, bytes, error);
    if (axis->kind == AXIS_POWER_OF_TWO && !is_power_of_two(number)) {
        return error_set(error, STATUS_USAGE, "axis %s: %.*s is not a power of two", axis->name,
                         (int)bytes, text);
    }
    return STATUS_OK;
}

static enum status add_value(const struct axis *axis, struct axis_value value,
                             struct axis_values *values, struct error *error)
{
    if (values->count == AXIS_VALUES_MAX) {
        return error_set(error, STATUS_USAGE, "axis %s: more than %d values", axis->name,
                         AXIS_VALUES_MAX);
    }
    values->value[values->count++] = value;
    return STATUS_OK;
}

/* "64:1024:x2" or "1:9:+2"; the caller has checked the colons. */
static enum status parse_range(const struct axis *axis, const char *text, size_t bytes,
                               struct axis_values *values, struct error *error)
{
    const char *second = memchr(text, ':', bytes);
    const char *third = memchr(second + 1, ':', bytes - (size_t)(second + 1 - text));
    struct axis_value from, to;
    enum status status = parse_value(axis, text, (size_t)(second - text), &from, error);
    unsigned long step = 0;

    if (status != STATUS_OK)
        return status;
    if (!third)
        return no_value(axis, text, bytes, error);
    status = parse_value(axis, second + 1, (size_t)(third - second - 1), &to, error);
    if (status != STATUS_OK)
        return status;
    size_t step_bytes = bytes - (size_t)(third + 1 - text);
    if (step_bytes < 2 || (third[1] != 'x' && third[1] != '+') ||
        read_digits(third + 2, step_bytes - 1, &step) != step_bytes - 1 || from.unit || to.unit ||
        from.number > to.number || step < (third[1] == 'x' ? 2u : 1u) ||
        (third[1] == 'x' && from.number == 0))
        return no_value(axis, text, bytes, error);
    for (unsigned long number = from.number; status == STATUS_OK && number <= to.number;
         number = third[1] == 'x' ? number * step : number + step) {
        struct axis_value value = {(unsigned)number, 1, '\0'};

        status = check_limits(axis, text, bytes, number, error);
        if (status == STATUS_OK)
            status = add_value(axis, value, values, error);
    }
    return status;
}

enum status axis_parse(const struct axis *axis, const char *text, struct axis_values *values,
                       struct error *error)
{
    values->count = 0;
    for (;;) {
        size_t bytes = strcspn(text, ",");
        struct axis_value value;
        enum status status;

        if (memchr(text, ':', bytes)) {
            status = parse_range(axis, text, bytes, values, error);
        } else {
            status = parse_value(axis, text, bytes, &value, error);
            if (status == STATUS_OK)
                status = add_value(axis, value, values, error);
        }
        if (status != STATUS_OK || text[bytes] == '\0')
            return status;
        text += bytes + 1;
    }
}

static int compare_numbers(const void *left, const void *right)
{
    unsigned a = *(const unsigned *)left;
    unsigned b = *(const unsigned *)right;

    return (a > b) - (a < b);
}

enum status axis_check_number(const struct axis *axis, unsigned number, struct error *error)
{
    char text[16];
    int bytes = snprintf(text, sizeof(text), "%u", number);

    return check_limits(axis, text, (size_t)bytes, number, error);
}

static unsigned unit_size(char unit, const struct axis_units *units)
{
    switch (unit) {
    case 'S':
        return units->subgroup_size;
    case 'C':
        return units->xe_cores;
    case 'T':
        return units->threads;
    case 'L':
        return units->cache_bytes;
    default:
        return 1;
    }
}

size_t axis_resolve(const struct axis_values *values, const struct axis_units *units,
                    unsigned *numbers)
{
    size_t kept = 0;

    for (size_t i = 0; i < values->count; i++) {
        const struct axis_value *value = &values->value[i];
        uint64_t number = (uint64_t)value->number * unit_size(value->unit, units) / value->divisor;

        if (number == 0 && value->unit)
            number = 1;
        numbers[i] = number < UINT_MAX ? (unsigned)number : UINT_MAX;
    }
    qsort(numbers, values->count, sizeof(*numbers), compare_numbers);
    for (size_t i = 0; i < values->count; i++) {
        if (kept == 0 || numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    }
    return kept;
}
