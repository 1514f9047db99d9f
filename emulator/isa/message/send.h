/* send and sendc. */
#ifndef VESIM_SEND_H
#define VESIM_SEND_H

#include "isa/thread/thread.h"

/* Executes the message, including its effect on memory. */
int execute_send(struct thread *thread, const struct inst *inst);

#endif
