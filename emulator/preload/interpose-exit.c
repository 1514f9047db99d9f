/* What LLVM keeps statically is never destroyed: exit() would do so under the emulator's thread
 * that compiles. That exit() waits for this thread (isa/compile/llvm.h) is not enough: handlers of
 * exit() run in reverse order, so what a compilation makes static would be destroyed before it
 * waits. Nor is this enough: an LLVM that the driver's compiler loads with RTLD_DEEPBIND does not
 * see this function. */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

/* Other libraries' constructors call this before AddressSanitizer is ready, if there is one. */
#define EARLY __attribute__((no_sanitize("address")))

EARLY static bool is_prefix(const char *prefix, const char *text)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* As distributions name the library: libLLVM-14.so.1, libLLVM.so.19.1. */
EARLY static bool is_in_llvm(const void *address)
{
    Dl_info info;

    if (!address || !dladdr(address, &info) || !info.dli_fname)
        return false;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *name = slash ? slash + 1 : info.dli_fname;

    return is_prefix("libLLVM-", name) || is_prefix("libLLVM.so", name);
}

/* A library has one address for all its objects, of which LLVM has thousands, and dladdr(3) looks
 * through all of its symbols: the answers about the last two libraries are kept. */
EARLY static bool is_llvm(const void *library)
{
    static const void *llvm, *other;

    if (library == __atomic_load_n(&llvm, __ATOMIC_RELAXED))
        return library != NULL;
    if (library == __atomic_load_n(&other, __ATOMIC_RELAXED))
        return false;
    bool found = is_in_llvm(library);

    __atomic_store_n(found ? &llvm : &other, library, __ATOMIC_RELAXED);
    return found;
}

/* How C++ has an object destroyed at exit; `library` is an address in the library that has it. */
__attribute__((visibility("default"))) int __cxa_atexit(void (*destroy)(void *), void *object,
                                                        void *library);

EARLY int __cxa_atexit(void (*destroy)(void *), void *object, void *library)
{
    static __typeof__(&__cxa_atexit) real;
    __typeof__(real) next = __atomic_load_n(&real, __ATOMIC_RELAXED);

    if (is_llvm(library))
        return 0;
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "__cxa_atexit");
        __atomic_store_n(&real, next, __ATOMIC_RELAXED);
    }
    return next(destroy, object, library);
}
