/* Bytes that a copy moves between memory and the copy engine. */
#ifndef VESIM_MEMORY_TRAFFIC_H
#define VESIM_MEMORY_TRAFFIC_H

#include <stdint.h>

struct memory_traffic {              /* bytes */
    uint64_t from_device, to_device; /* read from and written to the device's memory */
    uint64_t from_host, to_host;     /* of a card: read from and written to the host's */
    uint64_t from_peer, to_peer;     /* and the other stack's */
};

#endif
