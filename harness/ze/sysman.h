/* The driver's system management: clocks and memory bandwidth, if available. */
#ifndef VEBENCH_SYSMAN_H
#define VEBENCH_SYSMAN_H

#include "ze/session.h"

/* Call before zeInit(). A driver offers system management in one of two ways: through zesInit(),
 * which older loaders lack, or if ZES_ENABLE_SYSMAN is set when zeInit() is called; each turns the
 * other off (Level Zero, Sysman programming guide). Harmless if there is no system management. */
void sysman_prepare(struct session *session);

/* Sets `session->sysman` to the selected device's system-management handle; NULL if there is none.
 * With zesInit() the handles differ from the core ones: matched by PCI address, tiles included, or
 * else by UUID. */
void sysman_find(struct session *session);

#endif
