#include "model/parameter-name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void parameter_name(char *name, const char *family, const char *variant, unsigned subgroup_size)
{
    snprintf(name, MODEL_NAME_BYTES, "%.20s.%.40s.simd%u", family, variant, subgroup_size);
}

size_t name_family_bytes(const char *name)
{
    return strcspn(name, ".");
}

bool name_is_within(const char *name, const char *start)
{
    size_t bytes = strlen(start);

    return !strncmp(name, start, bytes) && (name[bytes] == '.' || name[bytes] == '\0');
}

const struct parameter *parameter_find(const struct model *model, const char *family,
                                       const char *variant, unsigned subgroup_size,
                                       const char *term)
{
    char name[MODEL_NAME_BYTES];

    parameter_name(name, family, variant, subgroup_size);
    return model_find(model, "%s%s%s", name, term[0] ? "." : "", term);
}

bool parameter_parts(const struct parameter *parameter, const char *family,
                     struct parameter_parts *parts)
{
    const char *variant = parameter->name + strlen(family);

    if (!name_is_within(parameter->name, family))
        return false;
    variant += *variant == '.';
    const char *end = strstr(variant, ".simd");
    if (!end || (size_t)(end - variant) >= sizeof(parts->variant))
        return false;
    size_t variant_bytes = (size_t)(end - variant);
    memcpy(parts->variant, variant, variant_bytes);
    parts->variant[variant_bytes] = '\0';
    parts->descriptor = variant_find(family, parts->variant);
    parts->subgroup_size = (unsigned)strtoul(end + strlen(".simd"), NULL, 10);
    return parts->subgroup_size > 0;
}

bool parameter_is_of(const struct parameter *parameter, const char *family, const char *variant,
                     unsigned subgroup_size)
{
    char start[MODEL_NAME_BYTES];

    if (variant)
        parameter_name(start, family, variant, subgroup_size);
    else
        snprintf(start, sizeof(start), "%.20s", family);
    return name_is_within(parameter->name, start);
}
