/* What a simulated GPU is like. A test gives it as text in the environment variable SIMULATED_GPU:
 * NAME=NUMBER and NAME=TEXT, separated by blanks; what is not named has its default. */
#ifndef TESTS_SIMULATED_SETTINGS_H
#define TESTS_SIMULATED_SETTINGS_H

/* X(name, default): numbers. */
#define SIMULATED_NUMBERS(X)                                                                       \
    /* Governor. */                                                                                \
    X(max_mhz, 2400)  /* under load */                                                             \
    X(idle_mhz, 2400) /* without */                                                                \
    X(ramp_ms, 0)     /* time constant of the way up; 0: at once */                                \
    X(decay_ms, 0)    /* of the way down */                                                        \
    X(rc6_ms, 0)      /* after so long an idle GPU sleeps, and its clock reads 0; 0: never */      \
    X(wide_loss, 0)   /* part of the clock lost while half of all threads are busy */              \
    X(wide_ms, 0)     /* time constant of that loss, and of its end */                             \
    X(hot_loss, 0)    /* part lost when hot */                                                     \
    X(hot_ms, 0)      /* work after which it is hot */                                             \
    X(hot_tau_ms, 0)  /* time constant of that loss */                                             \
    X(heavy_loss, 0)  /* part lost while a kernel other than a spin runs */                        \
    X(heavy_ms, 0)    /* time constant of that loss, and of its end */                             \
    X(flip_loss, 0)   /* part lost in half of all submissions, by chance */                        \
    /* Time. */                                                                                    \
    X(uncore_share, 0)     /* part of each cost that does not follow the clock */                  \
    X(noise, 0)            /* standard deviation of a kernel's time, relative */                   \
    X(late_rate, 0)        /* part of kernels that take late_us longer */                          \
    X(late_us, 0)          /**/                                                                    \
    X(late_spins, 0)       /* spins are late, too */                                               \
    X(drift, 0)            /* relative change of all times in a second */                          \
    X(step, 0)             /* relative change of all times... */                                   \
    X(step_ms, 0)          /* ...so long after the first launch */                                 \
    X(shared_rate, 0)      /* part of kernels during which another client has the engine... */     \
    X(shared_us, 0)        /* ...so long, which the context's timestamps leave out */              \
    X(launch_cycles, 4800) /* of an empty kernel */                                                \
    X(timer_hz, 19200000)                                                                          \
    X(timer_error, 0) /* how much faster it goes than that, relative */                            \
    X(timer_bits, 32)                                                                              \
    X(arithmetic_share, 0.95) /* of the peak rate that multiply-adds reach */                      \
    X(memory_share, 0.8)      /* and reading */                                                    \
    /* Host. */                                                                                    \
    X(call_ns, 300)   /* of a call of the driver */                                                \
    X(reading_ns, 25) /* of reading the clock; the messages between processes decide how often */  \
    X(host_ms, 0.5)   /* mean work between two launches */                                         \
    X(sysman_us, 20)  /* of a question to system management */                                     \
    /* What there is. */                                                                           \
    X(tiles, 1)                                                                                    \
    X(wsl, 0)               /* behind Windows' driver: /dev/dxg in place of /dev/dri */            \
    X(drm_vendor, 0)        /* the driver has a DRM node of this vendor's GPU open; 0: none */     \
    X(has_counter, 1)       /* the compiler gives access to the cycle counter */                   \
    X(counter_error, 0)     /* how much more it counts, relative */                                \
    X(counts_in_kernels, 1) /* modules have global variables that the driver finds */              \
    X(has_sysman, 1)        /* frequency domains */                                                \
    X(has_correlation, 1)   /* zeDeviceGetGlobalTimestamps answers */                              \
    X(has_by_uuid, 1)       /* zesDriverGetDeviceByUuidExp answers */                              \
    X(cache_kb, 0)          /* of the last level; 0: the driver does not tell */                   \
    X(memory_mb, 0)         /* the same */                                                         \
    X(fp64, 0)              /* doubles are supported */                                            \
    X(float_atomics, 0)     /* on floats: flags of ze_device_fp_atomic_ext_flags_t */              \
    X(dot_products, 0)      /* flags of Intel's extension; 0: the driver does not tell */          \
    X(eus, 0)               /* enabled ones; 0: the driver does not tell */                        \
    X(chosen_size, 16)      /* sub-groups of kernels that require no size */                       \
    X(device_id, 0x56a5)    /* by PCI */                                                           \
    X(number, 0)            /* that tells it from others of its type: in its UUID */               \
    X(throttle_reasons, 0)  /* as system management reports them */                                \
    X(ecc, 0)               /* enabled */                                                          \
    X(power_limit_w, 0)     /* sustained; 0: unknown */                                            \
    X(engines, 1)           /* queues of the only group */                                         \
    X(fail_count, 1)        /* which of the calls `fail_call` fails, from 1 */                     \
    X(seed, 1)

/* X(name): texts of up to 79 characters, empty by default. */
#define SIMULATED_TEXTS(X)                                                                         \
    X(fail_module)  /* a module with this entry point does not build */                            \
    X(fail_kernel)  /* this kernel cannot be created */                                            \
    X(spill_kernel) /* of this kernel the compiler spills 64 bytes of a thread */                  \
    X(heavy_kernel) /* the only one that loses heavy_loss; all but spins if empty */               \
    X(fail_call)    /* this function of Level Zero fails; any of them if it is "any" */            \
    X(fail_mark)    /* only if this file is not there yet: it gets the function's name */          \
    X(device_name)  /* instead of "Simulated GPU", with _ for blanks */                            \
    X(log)          /* file that gets a line for each kernel of a family */

struct settings {
#define NUMBER(name, value) double name;
#define TEXT(name)          char name[80];
    SIMULATED_NUMBERS(NUMBER)
    SIMULATED_TEXTS(TEXT)
#undef NUMBER
#undef TEXT
};

/* Ends the process, saying why, if the text makes no sense. NULL: all defaults. */
void settings_read(struct settings *settings, const char *text);

#endif
