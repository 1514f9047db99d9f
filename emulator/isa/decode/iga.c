#include "isa/decode/iga.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct iga functions;
static char open_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(void)
{
    /* Local symbols: the driver's compiler carries a copy of the same library inside. */
    void *library = dlopen("libiga64.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        library = dlopen("libiga64.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(open_error, sizeof(open_error),
                 "the assembler library libiga64.so.2 or .1 cannot be loaded (Debian packages "
                 "libigc2, libigc1): %s",
                 dlerror());
        return;
    }
    const char *missing = NULL;
    void *symbol;
#define X(result, name, parameters)                                                                \
    symbol = dlsym(library, #name);                                                                \
    memcpy(&functions.name, &symbol, sizeof(symbol));                                              \
    if (!symbol)                                                                                   \
        missing = #name;
    IGA_FUNCTIONS(X)
#undef X
#define X(result, name, parameters)                                                                \
    symbol = dlsym(library, #name);                                                                \
    memcpy(&functions.name, &symbol, sizeof(symbol));
    IGA_FUNCTIONS_XE2(X)
#undef X
    if (missing)
        snprintf(open_error, sizeof(open_error),
                 "libiga64 has no function %s: vesim needs that of libigc1 1.0.12504 or later",
                 missing);
}

const struct iga *iga_open(char *error, size_t error_size)
{
    pthread_once(&once, open_library);
    if (open_error[0]) {
        snprintf(error, error_size, "%s", open_error);
        return NULL;
    }
    return &functions;
}
