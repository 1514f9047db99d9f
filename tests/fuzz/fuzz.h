/* What every fuzz target defines: libFuzzer's interface, which driver.c serves as well. */
#ifndef VESIM_FUZZ_H
#define VESIM_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Runs one input. Returns 0; whatever the input says must end in an error at worst. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
