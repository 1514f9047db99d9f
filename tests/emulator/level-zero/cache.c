/* The driver reports a last-level cache of so many KiB: level-zero-cache KIB. A program that makes
 * its sets as large as the cache, or larger, relies on it. */
#include <stdio.h>
#include <stdlib.h>

#include "l0.h"

int main(int argc, char **argv)
{
    ze_device_cache_properties_t cache = {.stype = ZE_STRUCTURE_TYPE_DEVICE_CACHE_PROPERTIES};
    uint32_t count = 1;

    if (argc != 2) {
        fprintf(stderr, "usage: %s KIB\n", argv[0]);
        return 2;
    }
    l0_open();
    CHECK(zeDeviceGetCacheProperties(l0_device, &count, &cache));
    printf("%zu KiB\n", cache.cacheSize / 1024);
    EXPECT(count == 1);
    EXPECT(cache.cacheSize == strtoull(argv[1], NULL, 10) * 1024);
    l0_close();
    return 0;
}
