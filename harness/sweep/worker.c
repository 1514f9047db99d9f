#include "sweep/worker.h"

#include "base/streams.h"
#include "measure/family-kernels.h"
#include "measure/lead.h"
#include "ranks/wire.h"
#include "sweep/module-messages.h"
#include "sweep/task.h"
#include "ze/clients.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Limit for allocating and filling memory, and for closing. */
#define HOST_LIMIT_NS UINT64_C(120000000000)
#define ENDLESS_NS    (UINT64_C(1) << 62)

#define SIZES_MAX     8 /* sub-group sizes of a family's modules */

#define LEAD_ATTEMPTS 2u

/* A module in the worker. */
struct loaded {
    struct module_image image;
    struct family_kernels *kernels; /* NULL: not loaded yet */
};

struct worker_process {
    int socket;
    const struct sweep_request *request;
    struct session session;
    struct lead_image lead;
    bool lead_was_tried;
    struct loaded *loaded[SIZES_MAX]; /* of the current family */
    size_t loaded_count;
    struct wire_buffer in;
    struct order order;          /* the current one */
    const struct family *family; /* its family */
    struct loaded *module;       /* its module; NULL: unavailable, for this reason: */
    struct error module_error;
};

static void unload(struct worker_process *worker)
{
    while (worker->loaded_count > 0) {
        struct loaded *loaded = worker->loaded[--worker->loaded_count];

        family_kernels_free(loaded->kernels, &worker->session);
        module_image_free(&loaded->image);
        free(loaded);
    }
}

static struct loaded *loaded_before(const struct worker_process *worker)
{
    for (size_t i = 0; i < worker->loaded_count; i++) {
        if (worker->loaded[i]->image.spirv->subgroup_size ==
            worker->order.configuration.subgroup_size)
            return worker->loaded[i];
    }
    return NULL;
}

static struct loaded *new_module(const struct worker_process *worker, struct error *error)
{
    const struct family *family = worker->family;
    unsigned size = worker->order.configuration.subgroup_size;
    struct loaded *loaded = calloc(1, sizeof(*loaded));

    if (!loaded) {
        error_out_of_memory(error);
    } else if (module_image_init(&loaded->image, family, size,
                                 sweep_replacement(worker->request, family, size),
                                 error) != STATUS_OK) {
        free(loaded);
        loaded = NULL;
    }
    return loaded;
}

/* Unloads the modules of the previous family. */
static void take_order(struct worker_process *worker, const struct order *order)
{
    if (worker->loaded_count && worker->order.family != order->family)
        unload(worker);
    worker->order = *order;
    worker->family = worker->request->families[order->family];
    worker->module = loaded_before(worker);
    if (worker->module)
        return;
    if (worker->loaded_count == SIZES_MAX)
        unload(worker);
    worker->module = new_module(worker, &worker->module_error);
    if (worker->module)
        worker->loaded[worker->loaded_count++] = worker->module;
}

static enum status send_sample(void *context, const struct configuration *configuration,
                               const struct sample *sample, struct error *error)
{
    const struct worker_process *worker = context;

    (void)configuration;
    if (wire_send(worker->socket, WIRE_SAMPLE, sample, sizeof(*sample)))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "nobody takes the samples");
}

static enum status send_count(void *context, const struct count *count, struct error *error)
{
    const struct worker_process *worker = context;

    if (wire_send(worker->socket, WIRE_COUNT, count, sizeof(*count)))
        return STATUS_OK;
    return error_set(error, STATUS_FAILED, "nobody takes the counts");
}

/* Takes out, with the reason, the variants whose kernels cannot have groups of this size. */
static void check_groups(struct worker_process *worker, const struct family_kernels *kernels,
                         struct task *task)
{
    for (size_t v = 0; v < task->family->variant_count; v++) {
        struct launch launch = {task->configuration, &task->family->variants[v], 1, LAUNCH_MEASURE};
        struct geometry geometry = family_geometry(task->family, &launch);
        struct error error;

        if (task->measurements[v].outcome == OUTCOME_OK &&
            kernel_set_group_size(&worker->session, &kernels->kernels[v], geometry.size, &error) !=
                STATUS_OK)
            task_take_out(task, v, &error);
    }
}

static bool send_measurements(const struct worker_process *worker, const struct task *task)
{
    return wire_send(worker->socket, WIRE_MEASUREMENTS, task->measurements,
                     task->family->variant_count * sizeof(*task->measurements));
}

/* Called once there is something to measure. Without a lead, rows have a time, but are not ok: one
 * call that fails is not worth that. */
static enum status open_lead(struct worker_process *worker, struct error *error)
{
    enum status status = worker->lead_was_tried ? STATUS_OK : STATUS_FAILED;

    for (unsigned i = 0; i < LEAD_ATTEMPTS && status != STATUS_OK && status != STATUS_LOST; i++)
        status = lead_open(&worker->session, &worker->lead, error);
    if (!worker->lead_was_tried && status != STATUS_OK)
        snprintf(worker->session.lead_failure, sizeof(worker->session.lead_failure), "%s",
                 error->text);
    watch_enter(worker->session.watch, WATCH_SETUP, HOST_LIMIT_NS); /* loading may compile */
    worker->lead_was_tried = true;
    return status == STATUS_LOST ? status : STATUS_OK;
}

static enum status run_configuration(struct worker_process *worker, struct task *task,
                                     struct error *error)
{
    const struct sweep_request *request = worker->request;
    const struct kernel *kernels = worker->module->kernels->kernels;
    const struct sample_sink sink = {.put = request->wants_samples ? send_sample : NULL,
                                     .context = worker,
                                     .count = request->counters ? send_count : NULL};
    struct measure_options options = request->options;
    char *text = NULL;
    size_t text_bytes = 0;
    FILE *show = request->show ? stream_open_text(&text, &text_bytes) : NULL;
    enum status status;

    options.allowance_s = worker->order.allowance_s;
    options.first_rounds = worker->order.first_rounds;
    if (request->build_only)
        status = measure_build(&worker->session, task->family, &task->configuration, kernels,
                               task->measurements, error);
    else
        status = open_lead(worker, error);
    if (status == STATUS_OK && !request->build_only)
        status = measure_configuration(&worker->session, task->family, &task->configuration,
                                       kernels, &options, &sink, show, task->measurements, error);
    if (show) {
        struct error ignored;

        if (stream_close_text(show, &text, &ignored) == STATUS_OK)
            wire_send(worker->socket, WIRE_TEXT, text, text_bytes);
        free(text);
    }
    return status;
}

static enum status run_hook(const struct worker_process *worker, const char *option,
                            const char *command, const struct task *task, struct error *error)
{
    const struct hook_place place = {task->family, &task->configuration, worker->session.device,
                                     worker->order.sequence};

    if (!command || worker->request->build_only)
        return STATUS_OK;
    return hook_run(option, command, &place, worker->session.watch, error);
}

/* Measures between the commands of the user. A configuration that was not prepared is not measured;
 * after a cleanup that failed, nobody knows beside what it was. */
static enum status run_between_commands(struct worker_process *worker, struct task *task,
                                        struct error *error)
{
    const struct hooks *hooks = &worker->request->hooks;
    struct error cleanup_error;

    if (task_is_settled(task))
        return STATUS_OK;
    enum status status = run_hook(worker, "prepare", hooks->prepare, task, error);
    watch_enter(worker->session.watch, WATCH_SETUP, HOST_LIMIT_NS);
    if (status != STATUS_OK) {
        task_reject(task, error->text);
        return status;
    }
    status = run_configuration(worker, task, error);
    if (status != STATUS_OK)
        task_fail(task, error->text);
    if (run_hook(worker, "cleanup", hooks->cleanup, task, &cleanup_error) == STATUS_OK)
        return status;
    task_reject(task, cleanup_error.text);
    if (status == STATUS_OK)
        *error = cleanup_error;
    return error->status;
}

/* Sends what is known before the first launch ahead of it: it stays valid whatever happens then. */
static enum status measure_task(struct worker_process *worker, struct task *task,
                                struct error *error)
{
    const struct family_kernels *kernels = worker->module->kernels;
    size_t variants = task->family->variant_count;

    for (size_t v = 0; v < variants; v++) {
        task->measurements[v].outcome = kernels->outcomes[v];
        memcpy(task->measurements[v].reason, kernels->reasons[v], REASON_BYTES);
    }
    task_check(task, worker->request, worker->session.device);
    check_groups(worker, kernels, task);
    task_follow_baselines(task);
    wire_send(worker->socket, WIRE_KERNELS, kernels->kernels, variants * sizeof(*kernels->kernels));
    send_measurements(worker, task);
    enum status status = run_between_commands(worker, task, error);
    send_measurements(worker, task);
    return status;
}

static enum status serve_measure(struct worker_process *worker, struct error *error)
{
    struct task task = {.family = worker->family, .configuration = worker->order.configuration};
    struct loaded *module = worker->module;
    enum status status = task_begin(&task, error);

    watch_enter(worker->session.watch, WATCH_SETUP, HOST_LIMIT_NS);
    if (!module->kernels)
        module->kernels = family_kernels_load(&module->image, &worker->session);
    watch_enter(worker->session.watch, WATCH_SETUP, HOST_LIMIT_NS); /* loading may compile */
    if (status == STATUS_OK && !module->kernels)
        status = error_out_of_memory(error);
    if (status == STATUS_OK)
        status = measure_task(worker, &task, error);
    task_release(&task);
    return status;
}

static enum status serve_compile(struct worker_process *worker)
{
    module_image_compile(&worker->module->image, &worker->session);
    module_image_send(&worker->module->image, worker->socket);
    if (worker->order.compiles_lead && !worker->request->build_only) {
        lead_image_compile(&worker->lead, &worker->session);
        lead_image_send(&worker->lead, worker->socket);
    }
    return STATUS_OK;
}

static void serve_order(struct worker_process *worker, enum wire_kind kind)
{
    struct error result = {STATUS_OK, ""};

    if (!worker->module)
        result = worker->module_error;
    else if (kind == WIRE_COMPILE)
        result.status = serve_compile(worker);
    else
        result.status = serve_measure(worker, &result);
    wire_send(worker->socket, WIRE_DONE, &result, sizeof(result));
}

static void serve(struct worker_process *worker, const struct wire_message *message)
{
    if (message->kind == WIRE_ORDER && message->bytes == sizeof(struct order))
        take_order(worker, message->data);
    else if (message->kind == WIRE_BUILD && worker->module && !worker->module->kernels)
        module_image_receive(&worker->module->image, message->data, message->bytes);
    else if (message->kind == WIRE_LEAD && !worker->lead_was_tried)
        lead_image_receive(&worker->lead, message->data, message->bytes);
    else if (message->kind == WIRE_COMPILE || message->kind == WIRE_MEASURE)
        serve_order(worker, message->kind);
}

/* The sweep handles stop signals: a worker finishes what it has begun. It does not outlive the
 * sweep. */
static void detach(void)
{
    pid_t parent = getppid();

    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (parent == 1)
        _exit(EXIT_FAILURE);
}

static enum status connect_worker(struct worker_process *worker, struct watch *watch,
                                  struct error *error)
{
    const struct sweep_request *request = worker->request;
    char index[24] = ""; /* of the device that is this rank's */

    if (request->connect)
        return request->connect(&worker->session, watch, error);
    if (request->counters)
        counters_prepare();
    enum status status = session_connect(&worker->session, request->loader, error);
    if (status != STATUS_OK)
        return status;
    worker->session.watch = watch;
    if (request->ranks && !request->device)
        snprintf(index, sizeof(index), "%zu",
                 request->ranks->local_rank % worker->session.devices.count);
    return session_open(&worker->session, index[0] ? index : request->device, request->timeout_s,
                        error);
}

static enum status open_session(struct worker_process *worker, struct watch *watch,
                                struct error *error)
{
    const char *counters = worker->request->counters;
    enum status status = connect_worker(worker, watch, error);

    return status == STATUS_OK && counters ? counters_open(&worker->session, counters, error)
                                           : status;
}

/* Of a GPU; a fake device has no address. */
static void watch_clients(struct session *session)
{
    if (session->kind == DEVICE_HARDWARE && session->device->pci_address[0])
        session->clients = calloc(1, sizeof(*session->clients));
}

static void serve_all(struct worker_process *worker)
{
    struct watch *watch = worker->session.watch;
    struct wire_message message;
    struct target target;

    watch_clients(&worker->session);
    session_target(&worker->session, &target);
    wire_send(worker->socket, WIRE_TARGET, &target, sizeof(target));
    do {
        while (wire_next(&worker->in, &message))
            serve(worker, &message);
        watch_enter(watch, WATCH_IDLE, ENDLESS_NS);
    } while (wire_fill(&worker->in, worker->socket, true));
    watch_enter(watch, WATCH_END, HOST_LIMIT_NS);
    unload(worker);
}

_Noreturn void worker_main(int socket, struct watch *watch, const struct sweep_request *request)
{
    struct worker_process worker = {.socket = socket, .request = request};
    struct error error;

    detach();
    if (open_session(&worker, watch, &error) == STATUS_OK)
        serve_all(&worker);
    else
        wire_send(socket, WIRE_START_FAILED, &error, sizeof(error));
    if (!worker.session.lost && worker.session.device) {
        counters_close(&worker.session);
        lead_close(&worker.session);
        session_close(&worker.session);
    }
    /* The parent's buffers are not ours to flush, and exit handlers of a lost device's driver would
     * wait for it. */
    _exit(EXIT_SUCCESS);
}
