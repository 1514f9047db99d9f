#include "isa/decode/iga.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct iga library_functions; /* as they are, */
static struct iga functions;         /* and with the names of registers that iga.h has */
static char open_error[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Libraries that know Xe3 have one more register file, s, before sr: what follows is one more. */
static uint32_t name_with_scalars_last(uint32_t name)
{
    return name <= IGA_ARF_SP ? name : name == IGA_ARF_SP + 1 ? IGA_ARF_S : name - 1;
}

static uint32_t destination_register_type(const kernel_view *view, int32_t pc)
{
    return name_with_scalars_last(library_functions.kv_get_destination_register_type(view, pc));
}

static uint32_t source_register_type(const kernel_view *view, int32_t pc, uint32_t source)
{
    return name_with_scalars_last(library_functions.kv_get_source_register_type(view, pc, source));
}

/* What the library calls the destination of an instruction that moves 0 to r127. */
static uint32_t name_of_general_register(void)
{
    static const uint8_t mov[] = {0x61, 0x00, 0x03, 0x80, 0x20, 0x42, 0x05, 0x7f,
                                  0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
    int32_t status;
    uint32_t name = IGA_GRF_R;
    kernel_view *view = library_functions.kv_create(IGA_XE_HPG, mov, sizeof(mov), &status, NULL, 0,
                                                    IGA_SWSB_THREE_PIPES);

    if (view) {
        name = library_functions.kv_get_destination_register_type(view, 0);
        library_functions.kv_delete(view);
    }
    return name;
}

static void fit_register_names(void)
{
    library_functions = functions;
    if (name_of_general_register() == IGA_GRF_R)
        return;
    functions.kv_get_destination_register_type = destination_register_type;
    functions.kv_get_source_register_type = source_register_type;
}

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
                 "libiga64 has no function %s: vesim needs the one of libigc1 1.0.12504 or later",
                 missing);
    else
        fit_register_names();
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
