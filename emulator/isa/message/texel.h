/* Formats of texels: from memory to channels in registers, and back. */
#ifndef VESIM_TEXEL_H
#define VESIM_TEXEL_H

#include "isa/message/transfer.h"
#include "vesim/vesim.h"

/* The number, at least 1, of the format that surface states call `code` (genxml Surface Format);
 * 0: the model does not have it. */
unsigned texel_format(uint32_t code);

/* Bytes of a texel. */
unsigned texel_bytes(unsigned format);

/* Whether kernels can store it: not in the curve of sRGB. */
bool texel_stores(unsigned format);

/* Whether typed messages can load it; samplers load all. */
bool texel_loads(unsigned format, enum vesim_architecture architecture);

/* Whether a sampler can filter it: no integers. */
bool texel_filters(unsigned format);

/* Moves the texels of a transfer with one host address for each lane: as transfer_move(). Texels
 * that are out of bounds read 0; by a sampler, the channels that the format lacks read what they
 * read elsewhere. */
void texels_move(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *payload,
                 uint8_t *registers);

/* The same for TRANSFER_SAMPLES, whose payload is a struct sampled. Between texels, channels are
 * weighed as floats. */
void samples_move(const struct transfer *transfer, uint8_t *const *hosts, const uint8_t *payload,
                  uint8_t *registers);

#endif
