#include "base/version.h"

#include "version-tag.h"

const char *vebench_version(void)
{
    return PROJECT_VERSION "+" VERSION_TAG;
}
