#include "measure/lead.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SUBGROUP_SIZE        16u
#define SHORTEST_NS          1e6
#define LENGTHS              7u /* 1, 2, ... 64 ms */
#define PROBE_PART           0.25
#define TRIALS               5u
#define SETTLED              0.005
#define MOST_LEAD_ITERATIONS (1u << 30)

/* Between two launches the host spends about this long on verification, and the GPU idles. */
#define PAUSE_NS 2000000u

/* Modules and kernels of the same name, the best first: not every compiler gives access to the
 * clock's counter. */
enum { COUNTING, PLAIN, SOURCES };
static const char *const source_names[SOURCES] = {"spin_counting", "spin"};

static const struct spirv_module *find_module(size_t source)
{
    for (size_t i = 0; i < spirv_module_count; i++) {
        if (!strcmp(spirv_modules[i].family, source_names[source]))
            return &spirv_modules[i];
    }
    return NULL;
}

void lead_image_compile(struct lead_image *image, struct session *session)
{
    image->compiled = true;
    for (size_t source = COUNTING; source < SOURCES; source++) {
        const struct spirv_module *module = find_module(source);

        image->source = source;
        image->build.state = BUILD_FAILED;
        snprintf(image->build.reason, sizeof(image->build.reason), "no module %s is built in",
                 source_names[source]);
        if (module)
            module_build_compile(&image->build, module, session);
        if (image->build.state != BUILD_FAILED)
            return;
    }
}

bool lead_image_send(const struct lead_image *image, int socket)
{
    return module_build_send(&image->build, image->source, WIRE_LEAD, socket);
}

bool lead_image_receive(struct lead_image *image, const void *data, size_t bytes)
{
    const struct wire_build *head = module_build_head(data, bytes);

    if (!head || head->index >= SOURCES || !module_build_receive(&image->build, data, bytes))
        return false;
    image->source = head->index;
    image->compiled = true;
    return true;
}

void lead_image_free(struct lead_image *image)
{
    module_build_free(&image->build);
}

static enum status set_iterations(struct session *session, double iterations, struct error *error)
{
    uint32_t count = (uint32_t)fmin(iterations, MOST_LEAD_ITERATIONS);

    return kernel_set_argument(session, &session->lead->kernel, 1, sizeof(count), &count, error);
}

static enum status append(struct session *session, double iterations, struct error *error)
{
    static const uint32_t group[3] = {SUBGROUP_SIZE, 1, 1}, count[3] = {1, 1, 1};
    struct lead *lead = session->lead;
    enum status status = kernel_set_group_size(session, &lead->kernel, group, error);

    if (status == STATUS_OK)
        status = kernel_set_argument(session, &lead->kernel, 0, sizeof(lead->cycles), &lead->cycles,
                                     error);
    if (status == STATUS_OK)
        status = set_iterations(session, iterations, error);
    if (status == STATUS_OK)
        status = session_append_kernel(session, lead->kernel.handle, count, false, error);
    if (status == STATUS_OK)
        status = session_append_barrier(session, error);
    return status;
}

enum status lead_append(struct session *session, struct error *error)
{
    return session->lead ? append(session, session->lead->iterations, error) : STATUS_OK;
}

static double ticks_of(const struct session *session, unsigned kernel)
{
    const ze_kernel_timestamp_result_t *stamps = &session->stamps[kernel];

    return (double)ticks_between(stamps->global.kernelStart, stamps->global.kernelEnd,
                                 session->timer.valid_bits);
}

/* Time of the last of one or two spins of so many iterations each, after a pause. */
static enum status time_spins(struct session *session, double first, double second, double *ns,
                              struct error *error)
{
    const struct timespec pause = {0, (long)session->lead->pause_ns};
    struct launch_time time;
    enum status status = session_begin_list(session, LIST_REGULAR, error);

    nanosleep(&pause, NULL);
    if (status == STATUS_OK)
        status = append(session, first, error);
    if (status == STATUS_OK && second > 0.0)
        status = append(session, second, error);
    if (status == STATUS_OK)
        status = session_end_list(session, error);
    if (status == STATUS_OK)
        status = session_execute(session, &time, error);
    if (status == STATUS_OK)
        *ns = ticks_to_ns(ticks_of(session, session->timed - 1), session->timer.hz);
    return status;
}

static enum status find_iterations(struct session *session, double *iterations, struct error *error)
{
    double ns = 0.0;
    enum status status = time_spins(session, 1, 0, &session->lead->launch_ns, error);

    for (*iterations = 1024.0; status == STATUS_OK; *iterations *= 4.0) {
        status = time_spins(session, *iterations, 0, &ns, error);
        if (status == STATUS_OK && ns >= SHORTEST_NS)
            break;
        if (*iterations > MOST_LEAD_ITERATIONS / 256.0)
            return error_set(error, STATUS_FAILED, "%.0f iterations of a spin take only %.0f ns",
                             *iterations, ns);
    }
    *iterations *= SHORTEST_NS / ns;
    return status;
}

/* Times of the probe after a lead of each length, and their relative scatter. */
static enum status probe(struct session *session, double unit, double after[LENGTHS],
                         double *scatter, struct error *error)
{
    enum status status = STATUS_OK;

    *scatter = 0.0;
    for (unsigned i = 0; status == STATUS_OK && i < LENGTHS; i++) {
        double trials[TRIALS] = {0};

        for (unsigned t = 0; status == STATUS_OK && t < TRIALS; t++)
            status = time_spins(session, ldexp(unit, (int)i), PROBE_PART * unit, &trials[t], error);
        struct distribution times = stats_describe(trials, TRIALS);
        after[i] = times.median;
        /* Quartiles, so that a single late launch does not count. */
        *scatter += (stats_quantile(trials, TRIALS, 0.75) - stats_quantile(trials, TRIALS, 0.25)) /
                    times.median / LENGTHS;
    }
    return status;
}

/* Is the probe as fast after this length as after any longer one? */
static bool settled(const double after[LENGTHS], unsigned length, double tolerance)
{
    for (unsigned longer = length + 1; longer < LENGTHS; longer++) {
        if (after[length] > after[longer] * (1.0 + tolerance))
            return false;
    }
    return true;
}

enum status lead_calibrate(struct session *session, struct error *error)
{
    struct lead *lead = session->lead;
    double unit = 0.0, after[LENGTHS], scatter = 0.0;
    enum status status = find_iterations(session, &unit, error);
    unsigned length = 0;

    if (status == STATUS_OK)
        status = probe(session, unit, after, &scatter, error);
    if (status != STATUS_OK)
        return status;
    double tolerance = SETTLED + 2.0 * scatter;
    while (length + 1 < LENGTHS && !settled(after, length, tolerance))
        length++;
    /* The longest has nothing longer to be compared with. */
    lead->settles = length + 1 < LENGTHS;
    /* A clock may still be off by the tolerance; as it converges, doubling the time squares what is
     * left. */
    if (lead->settles)
        length++;
    lead->iterations = (uint32_t)fmin(ldexp(unit, (int)length), MOST_LEAD_ITERATIONS);
    lead->spin_ns = ldexp(SHORTEST_NS, (int)length);
    session->sample_after_ns = (uint64_t)(lead->spin_ns / 2.0);
    return STATUS_OK;
}

enum status lead_open(struct session *session, const struct lead_image *image, struct error *error)
{
    struct lead *lead = calloc(1, sizeof(*lead));
    void *memory = NULL;

    if (!lead)
        return error_set(error, STATUS_FAILED, "out of memory");
    session->lead = lead;
    lead->iterations = 1;
    lead->settles = true;
    lead->pause_ns = PAUSE_NS;
    lead->counts = image->source == COUNTING;
    enum status status =
        module_build_load(&image->build, find_module(image->source), session, &lead->module, error);
    if (status == STATUS_OK)
        status = kernel_create(session, lead->module, source_names[image->source], SUBGROUP_SIZE,
                               &lead->kernel, error);
    if (status == STATUS_OK)
        status = session_alloc_host(session, sizeof(*lead->cycles), &memory, error);
    lead->cycles = memory;
    if (status == STATUS_OK)
        *lead->cycles = 0;
    if (status == STATUS_OK && session->kind == DEVICE_HARDWARE)
        status = lead_calibrate(session, error);
    if (status != STATUS_OK)
        lead_close(session);
    return status;
}

void lead_close(struct session *session)
{
    struct lead *lead = session->lead;

    if (!lead)
        return;
    session_free(session, lead->cycles);
    kernel_destroy(session, &lead->kernel);
    module_destroy(session, lead->module);
    free(lead);
    session->lead = NULL;
}

double lead_clock_mhz(const struct session *session)
{
    const struct lead *lead = session->lead;

    if (!lead || !lead->counts || !(lead->spin_ns > 0.0) || session->timed == 0)
        return 0.0;
    /* The launch overhead around the counted part takes time too. */
    double ns = ticks_to_ns(ticks_of(session, 0), session->timer.hz) - lead->launch_ns;
    return ns > 0.0 ? (double)*lead->cycles * 1000.0 / ns : 0.0;
}
