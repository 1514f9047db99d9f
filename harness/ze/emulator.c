#include "ze/emulator.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A function exported by the emulator's preloaded library; NULL if there is none. */
static void *emulator_function(const char *name)
{
    void *program = dlopen(NULL, RTLD_NOW);
    void *symbol = program ? dlsym(program, name) : NULL;

    if (program)
        dlclose(program);
    return symbol;
}

const char *emulator_device_name(void)
{
    void *symbol = emulator_function("vesim_device_name");
    const char *(*device_name)(void);

    if (!symbol)
        return NULL;
    memcpy(&device_name, &symbol, sizeof(device_name));
    const char *name = device_name();
    return name ? name : "unnamed model";
}

const char *emulator_kernel_driver(void)
{
    void *symbol = emulator_function("vesim_kernel_driver");
    const char *(*kernel_driver)(void);
    const char *name = NULL;

    if (symbol) {
        memcpy(&kernel_driver, &symbol, sizeof(kernel_driver));
        name = kernel_driver();
    }
    return name ? name : "unknown";
}

bool emulator_keeps_time(void)
{
    void *symbol = emulator_function("vesim_keeps_time");
    int (*keeps_time)(void);

    if (!symbol)
        return true;
    memcpy(&keeps_time, &symbol, sizeof(keeps_time));
    return keeps_time();
}

double emulator_memory_bandwidth(void)
{
    void *symbol = emulator_function("vesim_memory_bandwidth");
    double (*bandwidth)(void);

    if (!symbol)
        return 0.0;
    memcpy(&bandwidth, &symbol, sizeof(bandwidth));
    return bandwidth();
}

void emulator_set_threads(unsigned threads)
{
    char text[16];

    snprintf(text, sizeof(text), "%u", threads);
    setenv("VESIM_THREADS", text, 0);
}

void emulator_set_quiet(void)
{
    setenv("VESIM_QUIET", "1", 0);
}
