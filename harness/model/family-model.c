#include "model/family-model.h"

#include <string.h>

bool family_model_covers(const struct family_model *family, const char *name)
{
    size_t bytes = strlen(family->family);

    if (family->family[bytes - 1] == '_')
        return !strncmp(name, family->family, bytes);
    return !strcmp(name, family->family);
}
