#include "plain.h"

/* Large enough that the launch overhead hardly counts, even at the target speed: Oclgrind takes
 * about half a second for each. */
const struct plain_kernel plain_kernels[] = {
    {"vector_add", false, 262144, {262144, 1}, {64, 1}, 262144, 262144, 0},
    {"saxpy", true, 262144, {262144, 1}, {64, 1}, 262144, 262144, 1.75f},
    {"dot_int", false, 98304, {98304, 1}, {64, 1}, 98304, 1536, 0},
    {"dot_float", true, 98304, {98304, 1}, {64, 1}, 98304, 1536, 0},
    {"n_body", true, 640, {640, 1}, {64, 1}, 2560, 2560, 0.01f},
    {"hash", false, 64, {16384, 1}, {64, 1}, 16384, 16384, 0},
    {"matrix_int", false, 96, {96, 96}, {16, 16}, 9216, 9216, 0},
    {"matrix_float", true, 96, {96, 96}, {16, 16}, 9216, 9216, 0},
    {0},
};
