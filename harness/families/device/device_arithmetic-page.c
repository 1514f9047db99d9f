/* Family `device_arithmetic` on the page: the compute roofs of the roofline. */
#include "report/family-page.h"

const struct family_page family_device_arithmetic_page = {
    .family = "device_arithmetic",
    .has_operations = true,
};
