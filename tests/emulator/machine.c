#include "machine.h"

#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static sem_t finished;

static struct machine *make(const char *device, enum cs_engine engine, bool follows_host)
{
    struct vesim_settings settings = vesim_settings_default();
    struct machine *machine = calloc(1, sizeof(*machine));
    char error[256];

    assert_non_null(machine);
    assert_int_equal(vesim_device_load(&machine->device, device, error, sizeof(error)), 0);
    settings.follows_host = follows_host;
    machine->cs = cs_create(&machine->device, &settings);
    assert_non_null(machine->cs);
    machine->context = cs_context_create(machine->cs, 0, engine);
    assert_non_null(machine->context);
    assert_int_equal(sem_init(&finished, 0, 0), 0);
    return machine;
}

struct machine *machine_start(const char *device, enum cs_engine engine)
{
    return make(device, engine, false);
}

struct machine *machine_start_following(const char *device, enum cs_engine engine)
{
    return make(device, engine, true);
}

void machine_stop(struct machine *machine)
{
    cs_context_destroy(machine->context, true);
    cs_destroy(machine->cs);
    sem_destroy(&finished);
    free(machine);
}

void machine_load(struct machine *machine, const uint32_t *dwords, size_t count)
{
    assert_true(count <= MACHINE_BYTES / 4);
    memcpy(machine->batch, dwords, count * 4);
}

static void job_done(void *owner)
{
    sem_post(owner);
}

void machine_submit(struct machine *machine, struct cs_context *context, uint64_t address)
{
    const struct mapping batch = {.address = MACHINE_BATCH,
                                  .size = MACHINE_BYTES,
                                  .host = (uint8_t *)machine->batch,
                                  .physical = 0x10000};
    struct mapping data = {.address = MACHINE_DATA,
                           .size = MACHINE_BYTES / 2,
                           .host = (uint8_t *)machine->data,
                           .physical = 0x20000};
    struct cs_job job = {.batch_address = address, .done = job_done, .owner = &finished};

    assert_int_equal(address_space_add(&job.space, &batch), 0);
    assert_int_equal(address_space_add(&job.space, &data), 0);
    data.address += data.size;
    data.host += data.size;
    data.physical += data.size;
    assert_int_equal(address_space_add(&job.space, &data), 0);
    assert_int_equal(cs_submit(context, &job), 0);
}

void machine_wait(struct machine *machine)
{
    (void)machine;
    sem_wait(&finished);
}

bool machine_run(struct machine *machine, const uint32_t *dwords, size_t count)
{
    machine_load(machine, dwords, count);
    machine_submit(machine, machine->context, MACHINE_BATCH);
    machine_wait(machine);
    return !cs_context_hung(machine->context);
}
