#include "families/memory/traffic.h"

struct access access_row(unsigned lanes, unsigned element_bytes, uint32_t offset)
{
    struct access access = {.lanes = lanes, .element_bytes = element_bytes};

    for (unsigned lane = 0; lane < lanes; lane++)
        access.offset[lane] = offset + lane * element_bytes;
    return access;
}

struct access access_column(unsigned lanes, unsigned element_bytes, uint32_t pitch_bytes)
{
    struct access access = {.lanes = lanes, .element_bytes = element_bytes};

    for (unsigned lane = 0; lane < lanes; lane++)
        access.offset[lane] = lane * pitch_bytes;
    return access;
}

/* Does an earlier lane of the message touch the same line? */
static bool line_is_counted(const struct access *access, unsigned first, unsigned lane)
{
    for (unsigned l = first; l < lane; l++) {
        if (access->offset[l] != TRAFFIC_IDLE &&
            access->offset[l] / TRAFFIC_LINE_BYTES == access->offset[lane] / TRAFFIC_LINE_BYTES)
            return true;
    }
    return false;
}

static bool is_idle(const struct access *access)
{
    unsigned lane = 0;

    while (lane < access->lanes && access->offset[lane] == TRAFFIC_IDLE)
        lane++;
    return lane == access->lanes;
}

void work_add_access(struct work *work, const struct access *access, double times)
{
    if (is_idle(access))
        return;
    for (unsigned first = 0; first < access->lanes; first += TRAFFIC_MESSAGE_LANES) {
        unsigned elements = 0;
        unsigned lines = 0;

        for (unsigned lane = first; lane < access->lanes && lane < first + TRAFFIC_MESSAGE_LANES;
             lane++) {
            if (access->offset[lane] == TRAFFIC_IDLE)
                continue;
            elements++;
            lines += !line_is_counted(access, first, lane);
        }
        work->bytes += times * elements * access->element_bytes;
        work->messages += times;
        work->lines += times * lines;
    }
}
