/* The driver's system management, if available. */
#ifndef VEBENCH_SYSMAN_H
#define VEBENCH_SYSMAN_H

#include "ze/session.h"

/* Call before zeInit(). A driver offers system management in one of two ways: through zesInit(),
 * which older loaders lack, or if ZES_ENABLE_SYSMAN is set when zeInit() is called; each turns the
 * other off (Level Zero, Sysman programming guide). Harmless if there is no system management. */
void sysman_prepare(struct session *session);

/* Sets `session->sysman` to the selected device's system-management handle; NULL if there is none.
 * With zesInit() the handles differ from the core ones: matched by PCI address, tiles included, or
 * else by UUID. Finds out whether the device is a tile, too: one that ZE_AFFINITY_MASK has left
 * alone is not called so. Where its number is not known, nothing of the card is taken for its own.
 */
void sysman_find(struct session *session);

/* Peak bandwidth of the device's memory in bytes/s, summed over all modules: by system management,
 * or by the emulator if there is one; 0 if neither provides it. */
double sysman_peak_bandwidth(const struct session *session);

#endif
