#include "fake-worker.h"

#include "families/registry.h"

#include <string.h>
#include <time.h>

enum device_kind fake_worker_kind = DEVICE_HARDWARE;
const struct session *fake_worker_session;
unsigned fake_worker_compiled_size = 16;

static struct device device;
static unsigned module;

/* Stands for libc's function. A worker pauses for the sake of a GPU's clock, and the fake device's
 * goes on by launches alone. A sweep pauses until its workers have ended, and does so here as well.
 */
int nanosleep(const struct timespec *pause, struct timespec *left)
{
    return fake_worker_session ? 0 : clock_nanosleep(CLOCK_MONOTONIC, 0, pause, left);
}

static ze_result_t interfere(const char *call)
{
    return fake.interfere ? fake.interfere(call) : ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL create_module(ze_context_handle_t context, ze_device_handle_t handle,
                                            const ze_module_desc_t *desc,
                                            ze_module_handle_t *created,
                                            ze_module_build_log_handle_t *log)
{
    (void)context;
    (void)handle;
    (void)desc;
    *log = NULL;
    *created = (ze_module_handle_t)(void *)&module;
    return interfere("zeModuleCreate");
}

static ze_result_t ZE_APICALL destroy_module(ze_module_handle_t handle)
{
    (void)handle;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL create_kernel(ze_module_handle_t handle, const ze_kernel_desc_t *desc,
                                            ze_kernel_handle_t *kernel)
{
    const struct family *family = family_find(&families, "barrier");
    size_t variant = 0;

    (void)handle;
    while (variant < family->variant_count &&
           strcmp(family->variants[variant].entry_point, desc->pKernelName) != 0)
        variant++;
    *kernel = fake_kernel(variant);
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL destroy_kernel(ze_kernel_handle_t kernel)
{
    (void)kernel;
    return ZE_RESULT_SUCCESS;
}

static ze_result_t ZE_APICALL destroy_event(ze_event_handle_t event)
{
    (void)event;
    return interfere("zeEventDestroy");
}

static ze_result_t ZE_APICALL kernel_properties(ze_kernel_handle_t kernel,
                                                ze_kernel_properties_t *properties)
{
    (void)kernel;
    properties->requiredSubgroupSize = 16;
    properties->maxSubgroupSize = fake_worker_compiled_size;
    return ZE_RESULT_SUCCESS;
}

enum status fake_worker_connect(struct session *session, struct watch *watch, struct error *error)
{
    struct fake_device behaviour = fake;
    struct kernel ignored[FAKE_VARIANTS];

    fake_open(session, ignored);
    fake = behaviour;
    device = *session->device;
    device.max_slm_bytes = 65536;
    snprintf(device.name, sizeof(device.name), "made of functions");
    session->device = &device;
    session->devices.count = 1;
    session->kind = fake_worker_kind;
    session->is_deterministic = fake_worker_kind == DEVICE_EMULATED;
    session->watch = watch;
    session->ze.zeModuleCreate = create_module;
    session->ze.zeModuleDestroy = destroy_module;
    session->ze.zeKernelCreate = create_kernel;
    session->ze.zeKernelDestroy = destroy_kernel;
    session->ze.zeKernelGetProperties = kernel_properties;
    session->ze.zeEventDestroy = destroy_event;
    fake_worker_session = session;
    if (interfere("zeInit") == ZE_RESULT_SUCCESS)
        return STATUS_OK;
    memset(session, 0, sizeof(*session));
    return error_set(error, STATUS_FAILED, "zeInit failed");
}

void fake_ignore_start(void *context, const struct family *family,
                       const struct configuration *configuration, size_t index, size_t total)
{
    (void)context;
    (void)family;
    (void)configuration;
    (void)index;
    (void)total;
}

void fake_ignore_end(void *context, const struct family *family,
                     const struct configuration *configuration,
                     const struct measurement *measurements, size_t index)
{
    (void)context;
    (void)family;
    (void)configuration;
    (void)measurements;
    (void)index;
}
