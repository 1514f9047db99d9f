/* The sampler: from coordinates to the texels that it reads, and their weights. */
#ifndef VESIM_SAMPLER_H
#define VESIM_SAMPLER_H

#include "isa/message/image.h"
#include "isa/message/transfer.h"
#include "layout/layout.h"

struct sampler {
    struct sampler_state state;
    uint32_t border[TEXEL_CHANNELS]; /* red, green, blue, alpha; 0 without a border */
    unsigned filtered;               /* dimensions with a linear filter, from the first on */
    unsigned levels;                 /* that are weighed: 1 or 2 */
};

/* The texels that a lane reads: in a filtered dimension the second one is the next, elsewhere they
 * are the same. Outside the image, where the sampler has a border. */
struct sample {
    int32_t texel[IMAGE_DIMENSIONS][2];
    uint8_t weight[IMAGE_DIMENSIONS]; /* of the second one, in parts of 256 */
};

/* Reads the sampler state that a message names, for an image. Returns 0, or -1 with the thread's
 * fault set: also for what the model does not have, such as anisotropic filters. */
int sampler_open(struct thread *thread, const struct inst *inst, const struct message *message,
                 const struct image *image, struct sampler *sampler);

/* The levels of the image that a sampler chooses where a message says this one, a float: as many as
 * it weighs. Returns the weight of the second one, in parts of 256. */
uint8_t sampler_choose_levels(const struct sampler *sampler, const struct image *image,
                              uint32_t bits, uint32_t *levels);

void sampler_choose(const struct sampler *sampler, const struct image *image,
                    const float *coordinates, struct sample *sample);

#endif
