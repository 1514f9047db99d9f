/* Family `device_bandwidth` on the page: what all Xe-cores together get, as a roof. */
#include "report/family-page.h"

const struct family_page family_device_bandwidth_page = {
    .family = "device_bandwidth",
    .group = GROUP_MEMORY,
    .rank = 45,
    .roof = "device",
    .roof_of_all = true,
};
