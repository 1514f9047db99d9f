/* The process's node. */
#ifndef VESIM_PROCESS_NODE_H
#define VESIM_PROCESS_NODE_H

#include "kmd/node.h"

/* Made at the first call, as the environment says. Returns NULL after a message on stderr if that
 * fails. */
struct node *node_get(void);

/* The same if the process has already made it, else NULL. */
struct node *node_if_made(void);

/* Whether this thread is in node_get(), which itself opens files: those are the machine's. */
bool node_is_being_made(void);

#endif
