/* Family `transfer`: copies between the host's memory and the device's, as the driver carries them
 * out: a card in a slot with half of the lanes, or at an older speed, shows here first. Alone:
 *   vebench run transfer --axis bytes=1M,16M,256M
 *
 * The value is what a copy takes longer for being longer, so that starting it, and what of it stays
 * in the caches behind it, does not count. The kernel inverts what is on the device; a copy to the
 * host has to bring that, and one from the host has to undo it. */
#include "family/common-axes.h"
#include "family/verify.h"
#include "measure/launch.h"

#include <string.h>

enum { DATA, WITNESS };
enum { OWN_BYTES };

enum direction { TO_DEVICE, TO_HOST };

static enum direction direction_of(const struct variant *variant)
{
    return *(const enum direction *)variant->own;
}

/* The longer of the two copies, which is twice as long. */
static size_t data_bytes(const struct configuration *c)
{
    return 2 * (size_t)c->own[OWN_BYTES];
}

static const struct buffer_plan buffers[] = {
    [DATA] = {"data", BUFFER_IN_OUT, data_bytes},
    [WITNESS] = {"witness", BUFFER_WITNESS},
};

static void transfer_work(const struct configuration *configuration, const struct variant *variant,
                          struct work *work)
{
    (void)variant;
    work->bytes = configuration->own[OWN_BYTES];
    work->units = work->bytes / 1024.0;
}

static void transfer_arguments(const struct workspace *workspace, const struct launch *launch,
                               struct arguments *arguments)
{
    (void)workspace;
    argument_uint(arguments, (uint32_t)(data_bytes(&launch->configuration) / 16));
}

/* Copies the first `bytes`; `*ns` receives the time. */
static enum status copy_part(struct workspace *workspace, enum direction direction, size_t bytes,
                             double *ns, struct error *error)
{
    struct session *session = workspace->session;
    const struct buffer *data = &workspace->buffers[DATA];
    bool is_up = direction == TO_DEVICE;
    struct launch_time time;
    enum status status = session_begin_list(session, LIST_REGULAR, error);

    if (status == STATUS_OK)
        status = session_append_timed_copy(session, is_up ? data->device : data->result,
                                           is_up ? data->initial : data->device, bytes, error);
    if (status == STATUS_OK)
        status = session_end_list(session, error);
    if (status == STATUS_OK)
        status = session_execute(session, &time, error);
    if (status == STATUS_OK)
        *ns = ticks_to_ns(launch_ticks(&time), session->timer.hz);
    return status;
}

static enum status transfer_observe(struct workspace *workspace, const struct kernel *kernel,
                                    const struct launch *launch, double *value, struct error *error)
{
    enum direction direction = direction_of(launch->variant);
    size_t bytes = launch->configuration.own[OWN_BYTES];
    double shorter = 0.0, longer = 0.0;
    struct launch_time time;
    enum status status = launch_execute(workspace, &time, error);

    (void)kernel;
    if (status == STATUS_OK && direction == TO_HOST)
        memset(workspace->buffers[DATA].result, 0, workspace->buffers[DATA].bytes);
    if (status == STATUS_OK)
        status = copy_part(workspace, direction, bytes, &shorter, error);
    if (status == STATUS_OK)
        status = copy_part(workspace, direction, 2 * bytes, &longer, error);
    *value = (longer - shorter) / ((double)bytes / 1024.0);
    return status == STATUS_OK && direction == TO_DEVICE ? launch_copy_out(workspace, error)
                                                         : status;
}

static uint32_t transfer_expect(const struct buffer *data, const struct launch *launch,
                                size_t dword)
{
    uint32_t value = ((const uint32_t *)data->initial)[dword];

    return direction_of(launch->variant) == TO_HOST ? ~value : value;
}

static enum status transfer_verify(struct workspace *workspace, const struct launch *launch,
                                   struct error *error)
{
    return verify_each(workspace, DATA, transfer_expect, launch, error);
}

static enum status transfer_check(const struct device *device,
                                  const struct configuration *configuration,
                                  const struct variant *variant, struct error *error)
{
    (void)configuration;
    (void)variant;
    return device->is_integrated
               ? error_set(error, STATUS_UNSUPPORTED,
                           "the device shares the host's memory: device_bandwidth measures it")
               : STATUS_OK;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS_OF("16", NULL, NULL),
    WORKGROUP_SIZE_AXIS("16S", NULL, NULL),
    WORKGROUP_COUNT_AXIS("C", NULL, NULL),
    {.name = "bytes",
     .means = "bytes that the longer of two copies has more; L stands for the last-level cache",
     .defaults = "L",
     .full = "64K,1M,L,8L",
     .kind = AXIS_COUNT,
     .least = 4096,
     .largest = 1u << 29},
};

static const struct variant variants[] = {
    {.name = "to_device",
     .own = &(const enum direction){TO_DEVICE},
     .entry_point = "transfer_mark",
     .means = "from the host's memory to the device's",
     .unit = "ns/KiB",
     .estimator = ESTIMATOR_OBSERVE,
     .instructions = {"store\\.ugm", "untyped surface write"}},
    {.name = "to_host",
     .own = &(const enum direction){TO_HOST},
     .entry_point = "transfer_mark",
     .means = "from the device's memory to the host's",
     .unit = "ns/KiB",
     .estimator = ESTIMATOR_OBSERVE,
     .instructions = {"store\\.ugm", "untyped surface write"}},
};

const struct family family_transfer = {
    .name = "transfer",
    .measures = "copying between the host's memory and the device's",
    .unit = "ns/KiB",
    .baseline_unit = "ns/KiB",
    .axes = axes,
    .axis_count = sizeof(axes) / sizeof(axes[0]),
    .tells_health = true,
    .variants = variants,
    .variant_count = sizeof(variants) / sizeof(variants[0]),
    .buffers = buffers,
    .buffer_count = sizeof(buffers) / sizeof(buffers[0]),
    .work = transfer_work,
    .check = transfer_check,
    .arguments = transfer_arguments,
    .verify = transfer_verify,
    .observe = transfer_observe,
};
