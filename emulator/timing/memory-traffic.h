/* Bytes that a copy moves between memory and the copy engine. */
#ifndef VESIM_MEMORY_TRAFFIC_H
#define VESIM_MEMORY_TRAFFIC_H

#include <stdint.h>

struct memory_traffic {          /* bytes */
    uint64_t device;             /* read from and written to the device's memory, together */
    uint64_t from_host, to_host; /* of a card: read from and written to the host's */
};

#endif
