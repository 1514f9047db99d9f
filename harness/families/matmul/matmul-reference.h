/* Host reference for the kernels of family `matmul`, in whole numbers. */
#ifndef VEBENCH_MATMUL_REFERENCE_H
#define VEBENCH_MATMUL_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* c = a b: m x k, k x n and m x n elements, row by row. No sum may overflow int32_t. */
void matmul_reference(const int32_t *a, const int32_t *b, int32_t *c, size_t m, size_t n, size_t k);

/* The bits of a whole number from -2048 to 2048 as a half (IEEE 754 binary16), which represents all
 * of these exactly. */
uint16_t matmul_half(int32_t value);

#endif
