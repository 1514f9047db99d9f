#include "measure/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST_ROUNDS 2u
#define MOST_ROUNDS   10000u
#define LEAST_OF_LOOP 0.1

struct stop_rule stop_complete(const struct stop_rule *asked, bool hardware)
{
    static const struct stop_rule on_model = {0.005, 1, 12}, on_hardware = {0.005, 10, 60};
    struct stop_rule rule = hardware ? on_hardware : on_model;

    if (asked->stdrel > 0.0)
        rule.stdrel = asked->stdrel;
    if (asked->min)
        rule.min = asked->min;
    if (asked->max)
        rule.max = asked->max;
    /* A bound that the user gives moves a default one. */
    if (rule.min > rule.max && asked->min)
        rule.max = rule.min;
    else if (rule.min > rule.max)
        rule.min = rule.max;
    return rule;
}

static enum status wrong(const char *text, struct error *error)
{
    return error_set(error, STATUS_USAGE,
                     "--stop %s: write stdrel=0.5%%,min=10,max=60 or some of these: the relative "
                     "standard error to reach (above 0, below 100 %%), and the fewest and most "
                     "rounds (%u to %u)",
                     text, FEWEST_ROUNDS, MOST_ROUNDS);
}

/* Reads the number after "name=", up to a comma or the end; false if there is none. */
static bool take(const char **at, const char *name, const char *suffix, double *number)
{
    size_t bytes = strlen(name);
    char *end;

    if (strncmp(*at, name, bytes) || (*at)[bytes] != '=')
        return false;
    *number = strtod(*at + bytes + 1, &end);
    if (end == *at + bytes + 1)
        return false;
    if (*suffix && !strncmp(end, suffix, strlen(suffix))) {
        *number /= 100.0;
        end += strlen(suffix);
    }
    if (*end && *end != ',')
        return false;
    *at = *end ? end + 1 : end;
    return **at || !*end; /* no trailing comma */
}

static bool is_rounds(double number)
{
    return number >= FEWEST_ROUNDS && number <= MOST_ROUNDS && number == floor(number);
}

enum status stop_parse(const char *text, struct stop_rule *rule, struct error *error)
{
    const char *at = text;
    double number;

    memset(rule, 0, sizeof(*rule));
    do {
        if (!(rule->stdrel > 0.0) && take(&at, "stdrel", "%", &number) && number > 0.0 &&
            number < 1.0)
            rule->stdrel = number;
        else if (!rule->min && take(&at, "min", "", &number) && is_rounds(number))
            rule->min = (unsigned)number;
        else if (!rule->max && take(&at, "max", "", &number) && is_rounds(number))
            rule->max = (unsigned)number;
        else
            return wrong(text, error);
    } while (*at);
    return rule->min && rule->max && rule->min > rule->max ? wrong(text, error) : STATUS_OK;
}

double stop_scale(double value, double loop)
{
    return fmax(fabs(value), LEAST_OF_LOOP * loop);
}

bool stop_is_steady(const struct stop_rule *rule, double value, double standard_error, double loop)
{
    return standard_error <= rule->stdrel * stop_scale(value, loop);
}
