/* Numbers of half precision, which the host's compiler need not know. */
#ifndef VEBENCH_HALF_H
#define VEBENCH_HALF_H

#include <stdint.h>

float half_to_float(uint16_t half);

/* To the nearest, ties to even; what is too large becomes infinite. */
uint16_t half_from_float(float number);

#endif
