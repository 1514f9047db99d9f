#include "isa/compile/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Expands the macro before it is made a string. */
#define NAME_OF(symbol)          NAME_OF_EXPANDED(symbol)
#define NAME_OF_EXPANDED(symbol) #symbol

struct llvm llvm;

static int llvm_status = -1;

static struct {
    pthread_mutex_t lock; /* protects all of this: */
    pthread_cond_t left;
    unsigned inside; /* threads */
    bool is_closed;
} llvm_use = {.lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER};

static _Thread_local unsigned llvm_own; /* of those inside: this thread */

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

/* Runs before LLVM's objects are destroyed, since it is registered after them. Here a thread may be
 * inside itself: LLVM calls exit() for what it cannot go on with. */
static void close_at_exit(void)
{
    pthread_mutex_lock(&llvm_use.lock);
    llvm_use.is_closed = true;
    while (llvm_use.inside > llvm_own)
        pthread_cond_wait(&llvm_use.left, &llvm_use.lock);
    pthread_mutex_unlock(&llvm_use.lock);
}

/* The child has none of the other threads, one of which may hold the lock. */
static void forget_others(void)
{
    llvm_use.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    llvm_use.left = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    llvm_use.inside = llvm_own;
}

static void open_once(void)
{
    void *library = open_library();
    /* At once: what the library has made is destroyed after that. */
    bool found = library && !atexit(close_at_exit) && !pthread_atfork(NULL, NULL, forget_others);

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

static int open_library_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, open_once);
    return llvm_status;
}

int llvm_enter(void)
{
    pthread_mutex_lock(&llvm_use.lock);
    bool may_enter = !llvm_use.is_closed;
    llvm_use.inside += may_enter;
    llvm_own += may_enter;
    pthread_mutex_unlock(&llvm_use.lock);
    if (may_enter && open_library_once())
        llvm_leave();
    return may_enter ? llvm_status : -1;
}

void llvm_leave(void)
{
    pthread_mutex_lock(&llvm_use.lock);
    llvm_use.inside--;
    llvm_own--;
    pthread_cond_broadcast(&llvm_use.left);
    pthread_mutex_unlock(&llvm_use.lock);
}
