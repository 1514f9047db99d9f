/* Hostile batch buffers: the first byte selects device and engine, the rest is the batch. A second
 * buffer holds data that it may point to. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fake-gpu.h"
#include "fuzz.h"
#include "streamer/context.h"

#define BATCH_ADDRESS UINT64_C(0x100000)
#define DATA_ADDRESS  UINT64_C(0x7fff00000000)
#define DATA_BYTES    1024
#define COMMANDS      3000 /* the share of the streamer's own limit that an input may use */

static const char *const device_names_used[2] = {"a380", "iris-xe"};
static struct vesim_device devices[2];

static void load_devices(void)
{
    char error[256];

    for (int i = 0; i < 2 && !devices[i].core_clock; i++) {
        if (vesim_device_load(&devices[i], device_names_used[i], error, sizeof(error)))
            abort();
    }
}

/* A buffer of exactly `size` bytes, so that a sanitizer sees accesses outside it. */
static uint8_t *map(struct address_space *space, uint64_t address, size_t size)
{
    uint8_t *host = calloc(1, size);
    const struct mapping mapping = {
        .address = address, .size = size, .host = host, .physical = address, .local = true};

    if (!host || address_space_add(space, &mapping))
        abort();
    return host;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct address_space space = {0};
    const struct vesim_settings settings = vesim_settings_default();

    if (size < 5)
        return 0;
    load_devices();
    struct cs_job job = {0};
    struct cs *cs = cs_create(&devices[data[0] & 1], &settings);
    struct cs_context *context = calloc(1, sizeof(*context));
    struct batch *batch = calloc(1, sizeof(*batch));
    if (!cs || !context || !batch)
        abort();
    /* Without a thread: a wait on a semaphore is told to stop at once. */
    context->cs = cs;
    context->stack = &cs->stacks[0];
    context->engine = (enum cs_engine)((data[0] >> 1) % 3);
    context->cancelled = true;
    uint8_t *code = map(&space, BATCH_ADDRESS, size - 1);
    memcpy(code, data + 1, size - 1);
    uint8_t *memory = map(&space, DATA_ADDRESS, DATA_BYTES);
    for (size_t i = 0; i < DATA_BYTES; i++)
        memory[i] = (uint8_t)(i * 37);
    fake_gpu = (struct fake_gpu){.walk_cycles = 1000, .fault = data[0] >> 7};
    *batch = (struct batch){.cs = cs,
                            .stack = context->stack,
                            .context = context,
                            .space = &space,
                            .job = &job,
                            .device = cs->device,
                            .pc = BATCH_ADDRESS,
                            .commands = BATCH_COMMANDS_MAX - COMMANDS};
    int status = batch_execute(batch);
    if (status && status != -ECANCELED && (status != -EFAULT || !batch->fault.message[0]))
        abort();
    free(code);
    free(memory);
    address_space_release(&space);
    free(batch);
    free(context);
    cs_destroy(cs);
    return 0;
}
