#include "model/family-model.h"

#include <string.h>

bool family_name_covers(const char *family, const char *const *covers, const char *name)
{
    if (!covers)
        return !strcmp(name, family);
    for (size_t i = 0; covers[i]; i++) {
        if (!strcmp(name, covers[i]))
            return true;
    }
    return false;
}

bool family_model_covers(const struct family_model *family, const char *name)
{
    return family_name_covers(family->family, family->covers, name);
}
