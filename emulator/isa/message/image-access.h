/* Messages that load or store texels of images. */
#ifndef VESIM_IMAGE_ACCESS_H
#define VESIM_IMAGE_ACCESS_H

#include "isa/thread/thread.h"

/* As memory_access(), for messages with message_is_of_image(). */
int image_access(struct thread *thread, const struct inst *inst, const struct message *message,
                 uint32_t extended_descriptor, uint32_t mask);

#endif
