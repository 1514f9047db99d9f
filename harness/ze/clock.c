#include "ze/clock.h"

#include "base/monotonic.h"
#include "base/stats.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define DOMAINS_MAX 8u

/* The domain of the device's tile or, for a device that is not one, the first; NULL if there is
 * none. */
static zes_freq_handle_t find_domain(const struct session *session)
{
    zes_freq_handle_t domains[DOMAINS_MAX];
    uint32_t count = DOMAINS_MAX;

    if (!session->ze.zesDeviceEnumFrequencyDomains || !session->ze.zesFrequencyGetProperties ||
        !session->ze.zesFrequencyGetState ||
        session->ze.zesDeviceEnumFrequencyDomains(session->sysman, &count, domains) !=
            ZE_RESULT_SUCCESS)
        return NULL;
    for (uint32_t i = 0; i < count && i < DOMAINS_MAX; i++) {
        zes_freq_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES};

        if (session->ze.zesFrequencyGetProperties(domains[i], &properties) == ZE_RESULT_SUCCESS &&
            properties.type == ZES_FREQ_DOMAIN_GPU &&
            device_has_part(session->device, properties.onSubdevice, properties.subdeviceId))
            return domains[i];
    }
    return NULL;
}

double clock_now_mhz(const struct session *session)
{
    zes_freq_state_t state = {.stype = ZES_STRUCTURE_TYPE_FREQ_STATE};
    zes_freq_handle_t domain = find_domain(session);

    return domain && session->ze.zesFrequencyGetState(domain, &state) == ZE_RESULT_SUCCESS
               ? fmax(state.actual, 0.0)
               : 0.0;
}

static bool is_done(const struct session *session)
{
    return session->ze.zeEventHostSynchronize(session_events(session)->timed[session->timed - 1],
                                              0) != ZE_RESULT_NOT_READY;
}

void clock_sample(struct session *session, uint64_t limit_ns, struct clock_samples *samples)
{
    const struct timespec wait = {(time_t)(session->sample_after_ns / 1000000000u),
                                  (long)(session->sample_after_ns % 1000000000u)};
    zes_freq_handle_t domain = find_domain(session);

    uint64_t began_ns = monotonic_ns();

    samples->count = 0;
    if (!domain)
        return;
    if (session->sample_after_ns > 0)
        nanosleep(&wait, NULL);
    while (monotonic_ns() - began_ns < limit_ns && !is_done(session)) {
        size_t at = samples->count % CLOCK_SAMPLES_MAX;
        zes_freq_state_t state = {.stype = ZES_STRUCTURE_TYPE_FREQ_STATE};
        uint64_t from_ns = monotonic_ns();

        if (session->ze.zesFrequencyGetState(domain, &state) != ZE_RESULT_SUCCESS)
            return;
        session->throttle_reasons |= state.throttleReasons;
        samples->sample[at].from_ns = from_ns;
        samples->sample[at].to_ns = monotonic_ns();
        samples->sample[at].mhz = state.actual;
        samples->count += state.actual > 0.0;
    }
}

/* How long before the device's present time a timestamp was taken, in ns. */
static double age_ns(const struct session *session, uint64_t now, uint64_t stamp)
{
    return ticks_to_ns((double)ticks_between(stamp, now, session->timer.valid_bits),
                       session->timer.hz);
}

double clock_during_subject(const struct session *session, const struct clock_samples *samples)
{
    uint64_t start = session->stamps[session_first(session)].global.kernelStart;
    uint64_t end = session->stamps[session_subject(session)].global.kernelEnd;
    double during[CLOCK_SAMPLES_MAX];
    uint64_t device_host = 0, device_now = 0;
    size_t count = 0;

    if (!session->ze.zeDeviceGetGlobalTimestamps)
        return 0.0;
    /* Which of the host's clocks the driver returns is its own affair. */
    double before_ns = (double)monotonic_ns();
    if (session->ze.zeDeviceGetGlobalTimestamps(session->device->handle, &device_host,
                                                &device_now) != ZE_RESULT_SUCCESS)
        return 0.0;
    double after_ns = (double)monotonic_ns();
    double start_ns = after_ns - age_ns(session, device_now, start);
    double end_ns = before_ns - age_ns(session, device_now, end);
    for (size_t i = 0; i < samples->count && i < CLOCK_SAMPLES_MAX; i++) {
        if ((double)samples->sample[i].from_ns >= start_ns &&
            (double)samples->sample[i].to_ns <= end_ns)
            during[count++] = samples->sample[i].mhz;
    }
    return count ? stats_describe(during, count).median : 0.0;
}

double clock_choose(const struct target *target, double observed_mhz, bool counted,
                    const char **source)
{
    /* An emulated device's clock files only repeat its description. */
    bool observed = !target->is_deterministic && observed_mhz > 0.0;
    double mhz = observed                   ? observed_mhz
                 : target->is_deterministic ? target->device.max_clock_mhz
                                            : 0.0;

    if (!(mhz > 0.0))
        *source = "unknown";
    else if (target->is_deterministic)
        *source = "emulated_constant";
    else
        *source = counted ? "counter" : "sysman";
    return mhz;
}
