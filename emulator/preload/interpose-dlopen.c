/* AddressSanitizer ends a process that calls dlopen with RTLD_DEEPBIND, which Intel's driver does
 * to load its compiler. In a process with the sanitizer, and only there, the flag is taken off. */
#include "preload/interpose.h"

#include <dlfcn.h>

static void *first_dlopen(const char *path, int flags);

static void *(*next_dlopen)(const char *, int) = first_dlopen;
static int flags_kept = ~0;

static void *first_dlopen(const char *path, int flags)
{
    if (dlsym(RTLD_DEFAULT, "__asan_init"))
        flags_kept = ~RTLD_DEEPBIND;
    *(void **)&next_dlopen = interpose_next("dlopen");
    return next_dlopen(path, flags & flags_kept);
}

__attribute__((constructor)) static void resolve(void)
{
    if (dlsym(RTLD_DEFAULT, "__asan_init"))
        flags_kept = ~RTLD_DEEPBIND;
    *(void **)&next_dlopen = interpose_next("dlopen");
}

/* The C library looks at its caller to find out whose library path applies: a jump, not a call, so
 * that this stays the program's, whatever the optimisation. */
#if __has_attribute(musttail)
#define TAIL_CALL __attribute__((musttail))
#define WITH_TAIL_CALL
#else
#define TAIL_CALL
#define WITH_TAIL_CALL __attribute__((optimize("O2")))
#endif
EXPORT WITH_TAIL_CALL void *dlopen(const char *path, int flags)
{
    TAIL_CALL return next_dlopen(path, flags & flags_kept);
}
