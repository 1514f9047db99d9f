/* What a device was set to when it was measured, as far as the driver tells: besides the clock,
 * what explains why two machines with the same GPU differ. */
#ifndef VEBENCH_CONDITIONS_H
#define VEBENCH_CONDITIONS_H

#include <stddef.h>
#include <stdint.h>

struct session;
struct device;

enum ecc { ECC_UNKNOWN, ECC_OFF, ECC_ON };

struct conditions {
    uint32_t engine_group; /* of queues, where the kernels run */
    uint32_t engine_count; /* its queues; 0: not known */
    enum ecc ecc;          /* of the memory */
    double power_limit_w;  /* that the card may draw for long; 0: not known */
};

/* Asks system management; the engine group is the caller's to fill in. */
void conditions_read(struct conditions *conditions, const struct session *session);

/* What changed while a configuration ran. */
struct surroundings {
    uint32_t throttle_reasons; /* seen: zes_freq_throttle_reason_flags_t */
    uint32_t client_count;     /* other programs that had the GPU open */
    double client_busy;        /* part of the time that the busiest of them kept an engine busy */
};

/* "average power, heat": what zes_freq_throttle_reason_flags_t says limits the clock; empty for
 * none. */
void conditions_throttle_text(uint32_t reasons, const char *separator, char *text, size_t bytes);

/* "engine_group=0/4 ecc=on power_limit=190W tile=1 throttled=heat clients=2 client_busy=12%",
 * each only where it is known and says something; for several tiles, how they are measured.
 * `bytes` bound the text. */
void conditions_text(const struct conditions *conditions, const struct surroundings *surroundings,
                     const struct device *device, char *text, size_t bytes);

#endif
