/* Images, whose elements kernels read and write by coordinates. */
#ifndef VEBENCH_IMAGE_H
#define VEBENCH_IMAGE_H

#include "ze/session.h"

/* What an element is: "rgba8" are four bytes that kernels see as 0 to 1, "r32f" a float, "rg16u"
 * two whole numbers. */
struct image_format {
    const char *name;
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
    unsigned channels, channel_bytes;
    bool is_float;
};

/* The formats, separated by commas. */
#define IMAGE_FORMATS_TEXT                                                                         \
    "r, rg or rgba, followed by 8 or 16 (0 to 1), 8u, 16u or 32u, 8i, 16i or 32i, 16f or 32f"

/* The format of that name, of so many bytes; NULL: none. */
const struct image_format *image_format_find(const char *name, size_t bytes);

struct image_plan {
    unsigned dimensions; /* 1 to 3 */
    uint32_t size[3];    /* elements; 1 in dimensions that there are not */
    const struct image_format *format;
};

/* Of the elements, one row behind the other. */
size_t image_bytes(const struct image_plan *plan);

/* STATUS_UNSUPPORTED where the device has no such images. */
enum status image_create(struct session *session, const struct image_plan *plan,
                         ze_image_handle_t *image, struct error *error);
void image_destroy(struct session *session, ze_image_handle_t image);

/* Recording: copies between an image and memory that has its elements. */
enum status image_append_fill(struct session *session, ze_image_handle_t image, const void *from,
                              struct error *error);
enum status image_append_read(struct session *session, void *to, ze_image_handle_t image,
                              struct error *error);

#endif
