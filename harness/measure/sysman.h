/* The driver's system management: clocks and memory bandwidth, where there is any. */
#ifndef VEBENCH_SYSMAN_H
#define VEBENCH_SYSMAN_H

#include "measure/session.h"

/* Before zeInit. A driver offers its system management in one of two ways: to who calls zesInit(),
 * which older loaders lack, or to who has set ZES_ENABLE_SYSMAN when zeInit() is called; one of
 * them switches the other off (Level Zero, Sysman programming guide). Does no harm where there is
 * none. */
void sysman_prepare(struct session *session);

/* The chosen device's side of it, in `session->sysman`; NULL where there is none. By zesInit() the
 * handles are others: the one of the same PCI address is the device's, tiles included, else the one
 * of the same UUID. */
void sysman_find(struct session *session);

#endif
