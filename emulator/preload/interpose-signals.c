/* SIGSEGV and SIGBUS, which the GPU's accesses to the program's own memory may raise. From the
 * first open of the node on, the handler is ours. What the program installs, and what was there
 * before, is kept here, shown to the program as if it were installed, and called for every trap
 * that is not the GPU's. */
#include "preload/interpose.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "memory/guard.h"

typedef int action_function(int, const struct sigaction *, struct sigaction *);

static const int signals[] = {SIGSEGV, SIGBUS};
static struct sigaction theirs[2]; /* under `busy` */
static bool installed;             /* atomic */
static char busy;                  /* sigaction(2) may be called from handlers: no mutex */

static action_function *next_action(void)
{
    NEXT(sigaction, int, int, const struct sigaction *, struct sigaction *)

    return next;
}

/* The index of a signal that is ours, or -1. */
static int index_of(int number)
{
    for (int i = 0; i < 2; i++) {
        if (signals[i] == number)
            return __atomic_load_n(&installed, __ATOMIC_ACQUIRE) ? i : -1;
    }
    return -1;
}

/* Exchanges the stored action: `action` and `old` may each be NULL. */
static void exchange(int index, const struct sigaction *action, struct sigaction *old)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
        ;
    if (old)
        *old = theirs[index];
    if (action)
        theirs[index] = *action;
    __atomic_clear(&busy, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static const struct sigaction by_default = {.sa_handler = SIG_DFL};

/* The signal was raised by an instruction, which is executed again when the handler returns; not by
 * kill(2) and its like. */
static bool is_trap(const siginfo_t *info)
{
    return info->si_code > 0;
}

/* Does what the program's own action would have done, had it been installed. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const ucontext_t *interrupted = context;
    int index = index_of(number);
    struct sigaction action;
    sigset_t mask;

    exchange(index, NULL, &action);
    if (action.sa_flags & SA_RESETHAND)
        exchange(index, &by_default, NULL);
    if (!(action.sa_flags & SA_SIGINFO) &&
        (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)) {
        if (action.sa_handler == SIG_IGN && !is_trap(info))
            return;
        next_action()(number, &by_default, NULL);
        if (!is_trap(info))
            raise(number);
        return; /* to the instruction, which ends the process now */
    }
    sigorset(&mask, &interrupted->uc_sigmask, &action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
        sigaddset(&mask, number);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (action.sa_flags & SA_SIGINFO)
        action.sa_sigaction(number, info, context);
    else
        action.sa_handler(number);
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (is_trap(info))
        memory_guard_trap(info->si_addr);
    pass_on(number, info, context);
}

static void install(void)
{
    /* Not deferred, because a guard does not return from the handler; on the program's own stack
     * for signals, if it has one, because its handler may be there for a stack that is full. */
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};

    ours.sa_sigaction = on_signal;
    for (int i = 0; i < 2; i++)
        next_action()(signals[i], NULL, &theirs[i]);
    __atomic_store_n(&installed, true, __ATOMIC_RELEASE);
    for (int i = 0; i < 2; i++)
        next_action()(signals[i], &ours, NULL);
}

void interpose_guard_signals(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, install);
}

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    int index = index_of(number);
    struct sigaction wanted, before;

    if (index < 0)
        return next_action()(number, action, old);
    if (action)
        wanted = *action; /* the program's memory is touched without the lock */
    exchange(index, action ? &wanted : NULL, &before);
    if (old)
        *old = before;
    return 0;
}

EXPORT sighandler_t signal(int number, sighandler_t handler)
{
    NEXT(signal, sighandler_t, int, sighandler_t)
    struct sigaction action = {.sa_flags = SA_RESTART}, before;
    int index = index_of(number);

    if (index < 0)
        return next(number, handler);
    action.sa_handler = handler;
    exchange(index, &action, &before);
    return before.sa_handler;
}
