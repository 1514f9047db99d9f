/* The sampler, as far as it does not filter: from coordinates to a texel. */
#ifndef VESIM_SAMPLER_H
#define VESIM_SAMPLER_H

#include "isa/message/image.h"
#include "layout/layout.h"

/* Reads the sampler state that a message names. Returns 0, or -1 with the thread's fault set: also
 * for what the model does not have, such as filters. */
int sampler_open(struct thread *thread, const struct inst *inst, const struct message *message,
                 struct sampler_state *sampler);

/* The texel at `coordinates`; outside the image, where the sampler has a border. */
void sampler_choose(const struct sampler_state *sampler, const struct image *image,
                    const float *coordinates, int32_t *texel);

#endif
