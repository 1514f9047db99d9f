/* Family `device_arithmetic` on the page: the compute roofs of the roofline. */
#include "page/family-page.h"

#include <string.h>

static const char *arithmetic_operand(const struct record *r)
{
    static const struct {
        const char *variant, *type;
    } types[] = {{"fp32", "float"}, {"fp16", "half"}, {"int32", "int"}};

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (!strcmp(r->variant, types[i].variant))
            return types[i].type;
    }
    return "";
}

const struct family_page family_device_arithmetic_page = {
    .family = "device_arithmetic",
    .operand = arithmetic_operand,
};
