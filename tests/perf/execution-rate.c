/* How fast the model runs: executed Xe instructions a second of one host core's time, with the
 * clock on and without it. Its own time, not the wall's: what else the host does stays out of it.
 * And on two host threads: by the wall, in runs that alternate with those on one, the speed of one
 * times how much faster two are; on a host with something else to do, less than it could be. A
 * single work-group runs on one thread.
 *     execution-rate [DEVICE [KERNEL]]
 * The device is a380 unless it says otherwise; with a kernel's name, that one alone. The number of
 * instructions is the counters'. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "machine.h"
#include "test.h"

static struct machine machine;

static const char *only;

static double now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t instructions(void)
{
    const struct counters counters = machine_counters(&machine), *c = &counters;

    return c->value[COUNTER_float_instructions] + c->value[COUNTER_integer_instructions] +
           c->value[COUNTER_long_instructions] + c->value[COUNTER_math_instructions] +
           c->value[COUNTER_systolic_instructions] + c->value[COUNTER_send_instructions] +
           c->value[COUNTER_control_instructions];
}

static double timed_run(clockid_t clock)
{
    double start = now(clock);

    if (machine_run(&machine))
        fail_msg("%s", machine.fault.message);
    return now(clock) - start;
}

static double best_of_five(void)
{
    double best = 1e9;

    for (unsigned i = 0; i < 5; i++) {
        double time = timed_run(CLOCK_THREAD_CPUTIME_ID);

        best = time < best ? time : best;
    }
    return best;
}

/* Wall time of one host thread over that of two, the best of five each. */
static double speedup(void)
{
    double best[2] = {1e9, 1e9};

    for (unsigned i = 0; i < 10; i++) {
        gpu_use_threads(machine.gpu, 1 + i % 2);
        double time = timed_run(CLOCK_MONOTONIC);
        best[i % 2] = time < best[i % 2] ? time : best[i % 2];
    }
    gpu_use_threads(machine.gpu, 1);
    return best[0] / best[1];
}

/* The best of five runs; `body` goes round in a loop. */
static void measure(const char *name, const char *before, const char *body, uint32_t threads,
                    uint32_t groups)
{
    char text[8192];
    const char *at1 = machine.device.architecture == VESIM_XE_HPG ? "I@1" : "@1";

    snprintf(text, sizeof(text),
             "%s(W) mov (1|M0) r120.0<1>:d 2000:w\n"
             "LOOP:\n%s"
             "(W) add (1|M0) (gt)f0.0 r120.0<1>:d r120.0<0;1,0>:d -1:w {%s}\n"
             "(W&f0.0) jmpi (1|M0) LOOP\n",
             before, body, at1);
    if (only && strcmp(only, name) != 0)
        return;
    machine_assemble(&machine, text);
    machine.walker.threads_per_group = threads;
    machine.walker.group_end[0] = groups;
    gpu_count(machine.gpu, true);
    double counting = timed_run(CLOCK_THREAD_CPUTIME_ID);
    uint64_t count = instructions();
    gpu_count(machine.gpu, false);
    double timed = best_of_five(), on_two = speedup();
    gpu_run_functional(machine.gpu, true);
    double functional = best_of_five(), functional_on_two = speedup();
    gpu_run_functional(machine.gpu, false);
    double rate = (double)count / timed / 1e6, functional_rate = (double)count / functional / 1e6;
    printf("%-10s %7u  %6.1f %12.1f %10.1f  %6.1f (x %.2f) %9.1f (x %.2f)\n", name,
           threads * groups, rate, (double)count / counting / 1e6, functional_rate, rate * on_two,
           on_two, functional_rate * functional_on_two, functional_on_two);
}

int main(int argc, char **argv)
{
    machine_load(&machine, argc > 1 ? argv[1] : "a380");
    machine.device.tlb_entries = 0;
    machine.settings.compile = VESIM_COMPILE_ON;
    machine_finish(&machine);
    gpu_use_threads(machine.gpu, 1);
    only = argc > 2 ? argv[2] : NULL;
    bool hpg = machine.device.architecture == VESIM_XE_HPG;
    machine.walker.slm_bytes = 65536;
    machine.walker.barriers = 1;

    printf("Million executed instructions a second, one host thread and two.\n"
           "%-10s %7s  %6s %12s %10s  %6s          %9s\n",
           "", "threads", "clock", "and counters", "functional", "clock", "functional");
    char arithmetic[2048] = "", local[1024], barrier[1024];
    /* each instruction needs its own result of the iteration before: none can be left out */
    for (unsigned i = 0; i < 8; i++) {
        size_t length = strlen(arithmetic);

        snprintf(arithmetic + length, sizeof(arithmetic) - length,
                 "(W) mad (16|M0) r%u.0<1>:f r%u.0<8;1>:f r60.0<8;1>:f r62.0<1>:f\n"
                 "(W) add (16|M0) r%u.0<1>:d r%u.0<8;8,1>:d r64.0<8;8,1>:d\n",
                 20 + 2 * i, 20 + 2 * i, 40 + 2 * i, 40 + 2 * i);
    }
    measure("arithmetic", "", arithmetic, 1, 1);
    measure("arithmetic", "", arithmetic, 32, 4);
    measure("arithmetic", "", arithmetic, 64, 8);

    const char *addresses = hpg ? "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                                  "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w 4:w {I@1}\n"
                                  "sync.nop null {I@1}\n"
                                : "(W) mov (8|M0) r10.0<1>:w 0x76543210:v\n"
                                  "(W) mul (8|M0) r12.0<1>:d r10.0<8;8,1>:w 4:w {@1}\n"
                                  "sync.nop null {@1}\n";
    snprintf(local, sizeof(local),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106EFE {$1}\n"
             "(W) add (8|M0) r22.0<1>:d r20.0<8;8,1>:d 1:w {$1.dst}\n"
             "(W) send.dc1 (8|M0) r24 r12 null%s 0x0 0x02106E00 {$2}\n"
             "(W) add (8|M0) r26.0<1>:d r24.0<8;8,1>:d 1:w {$2.dst}\n",
             hpg ? ":0" : "", hpg ? ":0" : "");
    measure("loads", addresses, local, 32, 4);
    measure("loads", addresses, local, 64, 8);

    snprintf(barrier, sizeof(barrier),
             "(W) send.dc1 (8|M0) r20 r12 null%s 0x0 0x02106EFE {$1}\n"
             "(W) add (8|M0) r22.0<1>:d r20.0<8;8,1>:d 1:w {$1.dst}\n"
             "(W) send.gtwy (1|M0) null r0 null%s 0x0 0x02000004 {$2}\n"
             "(W) sync.bar null\n",
             hpg ? ":0" : "", hpg ? ":0" : "");
    measure("barrier", addresses, barrier, 32, 1);
    measure("barrier", addresses, barrier, 8, 8);
    measure("barrier", addresses, barrier, 64, 8);
    machine_destroy(&machine);
    return 0;
}
