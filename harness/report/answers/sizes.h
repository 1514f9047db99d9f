/* The sub-group sizes that the answers have columns and bars for. */
#ifndef VEBENCH_ANSWER_SIZES_H
#define VEBENCH_ANSWER_SIZES_H

#define SIZES 3

static const unsigned answer_sizes[SIZES] = {8, 16, 32};

#endif
