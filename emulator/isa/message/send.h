/* send and sendc. */
#ifndef VESIM_SEND_H
#define VESIM_SEND_H

#include "isa/thread/thread.h"

/* Carries the message out, its effect on memory included. */
int execute_send(struct thread *thread, const struct inst *inst);

#endif
