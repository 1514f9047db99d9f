#include "base/version.h"

#include "base/version-tag.h"

const char *vebench_version(void)
{
    return VEBENCH_PROJECT_VERSION "+" VEBENCH_VERSION_TAG;
}
