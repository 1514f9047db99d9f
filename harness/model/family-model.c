#include "model/family-model.h"

#include <string.h>

bool family_name_covers(const char *covering, const char *name)
{
    size_t bytes = strlen(covering);

    if (covering[bytes - 1] == '_')
        return !strncmp(name, covering, bytes);
    return !strcmp(name, covering);
}

bool family_model_covers(const struct family_model *family, const char *name)
{
    return family_name_covers(family->family, name);
}
