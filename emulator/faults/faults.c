#include "faults/faults.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MS 1e6

static const char *const names[FAULT_KINDS] = {
    [FAULT_DEVICE_LOST] = "device-lost",
    [FAULT_HANG] = "hang",
    [FAULT_PAGE_FAULT] = "page-fault",
    [FAULT_WRONG_LANE] = "wrong-lane",
    [FAULT_OUT_OF_MEMORY] = "out-of-memory",
    [FAULT_TIMESTAMP_WRAP] = "timestamp-wrap",
    [FAULT_CLOCK_RAMP] = "clock-ramp",
    [FAULT_CLOCK_STEP] = "clock-step",
    [FAULT_DRIFT] = "drift",
    [FAULT_NOISE] = "noise",
    [FAULT_THROTTLING] = "throttling",
    [FAULT_SLOW_DEVICE] = "slow-device",
};

static bool is_of_clock(enum fault_kind kind)
{
    return kind >= FAULT_TIMESTAMP_WRAP;
}

/* "2ms", "500us", "0". */
static bool parse_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1.0}, {"us", 1e3}, {"ms", MS}, {"s", 1e9}};
    char *end;
    double number = strtod(text, &end);

    if (end == text || !(number >= 0.0 && number < 1e9))
        return false;
    for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
        if (strcmp(end, units[i].unit) == 0) {
            *ns = (uint64_t)(number * units[i].ns);
            return true;
        }
    }
    *ns = 0;
    return !*end && number == 0.0;
}

/* "7", "7-9", "7+". */
static bool parse_numbers(const char *text, struct fault_when *when)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    when->first = when->last = strtoull(text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9') {
        when->last = strtoull(end + 1, &end, 10);
    } else if (*end == '+') {
        when->last = UINT64_MAX;
        end++;
    }
    return !*end && when->first > 0 && when->last >= when->first;
}

static int parse_fault(struct faults *faults, const char *text, char *error, size_t error_size)
{
    const char *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);

    for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
        struct fault_when *when = &faults->when[kind];

        if (strlen(names[kind]) != length || memcmp(names[kind], text, length) != 0)
            continue;
        *when = (struct fault_when){.planned = true, .first = 1, .last = 1};
        if (!colon || (is_of_clock((enum fault_kind)kind) ? parse_time(colon + 1, &when->from_ns)
                                                          : parse_numbers(colon + 1, when)))
            return 0;
        snprintf(error, error_size, "fault %s: write %s:%s", text, names[kind],
                 is_of_clock((enum fault_kind)kind) ? "TIME, such as 2ms" : "N, N-M or N+");
        return -1;
    }
    snprintf(error, error_size, "there is no fault %.*s; there are", (int)length, text);
    for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
        size_t used = strlen(error);

        snprintf(error + used, error_size - used, "%s %s", kind ? "," : "", names[kind]);
    }
    return -1;
}

int faults_parse(struct faults *faults, const char *text, char *error, size_t error_size)
{
    char *copy = strdup(text), *rest = NULL;
    int status = copy ? 0 : -1;

    memset(faults, 0, sizeof(*faults));
    snprintf(error, error_size, "out of memory");
    for (char *fault = copy ? strtok_r(copy, ",", &rest) : NULL; fault && !status;
         fault = strtok_r(NULL, ",", &rest))
        status = parse_fault(faults, fault, error, error_size);
    free(copy);
    if (status)
        return status;
    faults->counts = mmap(NULL, FAULT_KINDS * sizeof(*faults->counts), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return faults->counts == MAP_FAILED ? -1 : 0;
}

bool faults_strike(const struct faults *faults, enum fault_kind kind)
{
    const struct fault_when *when = faults ? &faults->when[kind] : NULL;

    if (!when || !when->planned)
        return false;
    uint64_t number = __atomic_add_fetch(&faults->counts[kind], 1, __ATOMIC_RELAXED);
    return number >= when->first && number <= when->last;
}

/* A delay of up to 1 us, drawn anew for every 10 us and interpolated in between. */
static double lateness(double ns)
{
    const double step = 10e3, most = 1e3;
    double step_index = floor(ns / step), part = ns / step - step_index, ends[2];

    for (int i = 0; i < 2; i++) {
        uint64_t bits = (uint64_t)step_index + (uint64_t)i; /* splitmix64 */

        bits = (bits + 1) * UINT64_C(0x9e3779b97f4a7c15);
        bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
        ends[i] = most * (double)((bits ^ bits >> 31) >> 11) / 9007199254740992.0;
    }
    return ends[0] + (ends[1] - ends[0]) * part;
}

/* The time in which a clock that starts at half and nears the whole has done the work of `ns` at
 * the whole: ns = t - tau / 2 (1 - exp(-t / tau)), by Newton's method. */
static double ramp_time(double ns)
{
    const double tau = 5 * MS;
    double t = 2.0 * ns;

    for (int i = 0; i < 30; i++) {
        double done = t - tau / 2.0 * (1.0 - exp(-t / tau));

        t -= (done - ns) / (1.0 - exp(-t / tau) / 2.0);
    }
    return t;
}

/* The time since the fault began, as the faulty clock counts it. */
static double disturbed(enum fault_kind kind, double ns)
{
    const double period_work = 45 * MS, slow_work = 5 * MS; /* 10 ms at half do 5 ms of work */

    switch (kind) {
    case FAULT_CLOCK_RAMP:
        return ramp_time(ns);
    case FAULT_CLOCK_STEP:
        return 2.0 * ns;
    case FAULT_DRIFT:
        return ns * (1.0 + 0.05 * ns / 1e9);
    case FAULT_NOISE:
        return ns + lateness(ns);
    case FAULT_THROTTLING: {
        double periods = floor(ns / period_work), rest = ns - periods * period_work;

        return periods * 50 * MS + rest + fmin(rest, slow_work);
    }
    case FAULT_SLOW_DEVICE:
        return 20.0 * ns;
    default:
        return ns;
    }
}

double faults_time(const struct faults *faults, double ns)
{
    for (unsigned kind = FAULT_CLOCK_RAMP; kind < FAULT_KINDS; kind++) {
        const struct fault_when *when = &faults->when[kind];
        double from = (double)when->from_ns;

        if (when->planned && ns > from)
            ns = from + disturbed((enum fault_kind)kind, ns - from);
    }
    return ns;
}

uint64_t faults_ticks(const struct faults *faults, uint64_t hz)
{
    const struct fault_when *wrap = &faults->when[FAULT_TIMESTAMP_WRAP];

    if (!wrap->planned)
        return 0;
    return (UINT64_C(1) << 36) - (uint64_t)((double)wrap->from_ns / 1e9 * (double)hz);
}
