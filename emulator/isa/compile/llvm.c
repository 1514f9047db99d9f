#include "isa/compile/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

/* Expands the macro before it is made a string. */
#define NAME_OF(symbol)          NAME_OF_EXPANDED(symbol)
#define NAME_OF_EXPANDED(symbol) #symbol

struct llvm llvm;

static int llvm_status = -1;

/* LLVM 19 has another scheme of file names. */
static void *open_library(void)
{
    char name[32];

    snprintf(name, sizeof(name), LLVM_VERSION_MAJOR >= 19 ? "libLLVM.so.%d.1" : "libLLVM-%d.so.1",
             LLVM_VERSION_MAJOR);
    return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* The back end for this host. */
static int start_back_end(void *library)
{
    static const char *const names[] = {NAME_OF(LLVM_NATIVE_TARGETINFO),
                                        NAME_OF(LLVM_NATIVE_TARGET), NAME_OF(LLVM_NATIVE_TARGETMC),
                                        NAME_OF(LLVM_NATIVE_ASMPRINTER)};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        void (*start)(void);

        *(void **)&start = dlsym(library, names[i]);
        if (!start)
            return -1;
        start();
    }
    return 0;
}

static void open_once(void)
{
    void *library = open_library();
    bool found = library != NULL;

#define X(name)                                                                                    \
    if (library)                                                                                   \
        *(void **)&llvm.name = dlsym(library, "LLVM" #name);                                       \
    found = found && llvm.name;
    LLVM_FUNCTIONS(X)
#undef X
    if (!found || start_back_end(library))
        return;
    llvm.cpu = llvm.GetHostCPUName();
    llvm.features = llvm.GetHostCPUFeatures();
    llvm_status = llvm.cpu && llvm.features ? 0 : -1;
}

int llvm_open(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, open_once);
    return llvm_status;
}
