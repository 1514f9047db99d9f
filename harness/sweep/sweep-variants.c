/* Which variants a sweep request selects. */
#include "sweep/sweep.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static bool matches(const struct family *family, size_t variant, const char *pattern)
{
    char name[200];

    snprintf(name, sizeof(name), "%s/%s", family->name, family->variants[variant].name);
    return fnmatch(pattern, strchr(pattern, '/') ? name : family->variants[variant].name, 0) == 0;
}

static bool is_asked_for(const struct sweep_request *request, const struct family *family,
                         size_t variant)
{
    bool asked = request->variant_count == 0;

    for (size_t i = 0; !asked && i < request->variant_count; i++)
        asked = matches(family, variant, request->variants[i]);
    return asked;
}

bool sweep_needs(const struct sweep_request *request, const struct family *family, size_t variant)
{
    bool needed = is_asked_for(request, family, variant);

    for (size_t v = 0; !needed && v < family->variant_count; v++)
        needed =
            (family_baseline(family, v) == variant || family_reference(family, v) == variant) &&
            is_asked_for(request, family, v);
    return needed;
}

enum status sweep_check_pattern(const struct sweep_request *request, const char *pattern,
                                struct error *error)
{
    for (size_t f = 0; f < request->family_count; f++) {
        for (size_t v = 0; v < request->families[f]->variant_count; v++) {
            if (matches(request->families[f], v, pattern))
                return STATUS_OK;
        }
    }
    error_set(error, STATUS_USAGE, "--variant %s: no variant matches", pattern);
    if (request->family_count > 1)
        error_append(error, " (see vebench list FAMILY)");
    for (size_t v = 0; request->family_count == 1 && v < request->families[0]->variant_count; v++)
        error_append(error, "%s %s", v ? "," : "; there are",
                     request->families[0]->variants[v].name);
    return STATUS_USAGE;
}
