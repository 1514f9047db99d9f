/* RENDER_SURFACE_STATE: buffers, scratch space and images. */
#ifndef VESIM_SURFACE_STATE_H
#define VESIM_SURFACE_STATE_H

#include "layout/layout.h"

/* Surface Type (PRM Vol 2d). */
enum surface_type {
    SURFACE_TYPE_1D = 0,
    SURFACE_TYPE_2D = 1,
    SURFACE_TYPE_3D = 2,
    SURFACE_TYPE_BUFFER = 4,
    SURFACE_TYPE_SCRATCH = 6, /* Xe-HP and later: the pitch is what each thread has */
    SURFACE_TYPE_NULL = 7,
};

/* Tile Mode. Xe-LP calls the last one Y-major; Xe-HPG has another in its place. */
enum tile_mode { TILE_LINEAR = 0, TILE_64 = 1, TILE_X = 2, TILE_Y_OR_4 = 3 };

enum { SURFACE_STATE_BYTES = 4 * render_surface_state_dwords };

/* How many elements a buffer has: less one, in 7 bits of Width, 14 of Height and 11 of Depth. */
static inline uint64_t surface_state_elements(const struct render_surface_state *state)
{
    return ((state->width & 0x7f) | state->height << 7 | (uint64_t)state->depth << 21) + 1;
}

/* Writes the state of `elements`, 1 to 2^32 of them, `pitch` bytes each, from `address` on. Of
 * scratch space, the elements are threads. */
static inline void surface_state_write(void *to, enum surface_type type, uint64_t address,
                                       uint64_t elements, uint32_t pitch)
{
    const uint32_t last = (uint32_t)(elements - 1);
    const struct render_surface_state state = {
        .type = type,
        .width = last & 0x7f,
        .height = last >> 7 & 0x3fff,
        .depth = last >> 21,
        .pitch = pitch - 1,
        .address = address,
    };
    uint32_t d[render_surface_state_dwords] = {0};

    render_surface_state_pack(d, &state);
    memcpy(to, d, sizeof(d));
}

#endif
