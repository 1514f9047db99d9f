#include "sweep/agent.h"

#include "sweep/worker-process.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define POLL_MS 100

struct agent {
    const struct sweep_request *request;
    int stream; /* to the sweep */
    struct wire_buffer in;
    struct worker worker;
};

/* Reaps the worker and reports how it ended. */
static void end_worker(struct agent *agent)
{
    struct error end = {STATUS_FAILED, ""};

    worker_bury(&agent->worker, end.text, sizeof(end.text));
    wire_send(agent->stream, WIRE_ENDED, &end, sizeof(end));
}

static enum status pass_order(struct agent *agent, const struct wire_message *message,
                              struct error *error)
{
    struct worker *worker = &agent->worker;
    struct worker stream = {.state = WORKER_IDLE, .socket = agent->stream};

    if (message->kind == WIRE_START && worker->state == WORKER_NONE)
        return worker_start(worker, &stream, 1, agent->request, error);
    if (worker->state == WORKER_NONE)
        return STATUS_OK; /* it has ended meanwhile, and the sweep is being told */
    if (message->kind == WIRE_LEAVE)
        worker_dismiss(worker);
    else
        wire_send(worker->socket, message->kind, message->data, message->bytes);
    return STATUS_OK;
}

/* False once the sweep is gone. */
static bool pass_orders(struct agent *agent, struct error *error)
{
    bool open = wire_fill(&agent->in, agent->stream, false);
    struct wire_message message;

    while (open && wire_next(&agent->in, &message))
        open = pass_order(agent, &message, error) == STATUS_OK;
    return open;
}

/* Only whole messages are passed on: a worker may end within one. */
static void pass_on(struct agent *agent)
{
    struct worker *worker = &agent->worker;
    bool open = wire_fill(&worker->in, worker->socket, false);
    struct wire_message message;

    while (wire_next(&worker->in, &message))
        wire_send(agent->stream, message.kind, message.data, message.bytes);
    if (!open)
        end_worker(agent);
}

enum status agent_serve(const struct sweep_request *request, struct error *error)
{
    struct agent agent = {.request = request, .stream = request->ranks->streams[0]};
    struct rank_hello hello;

    /* A launcher passes signals on to all ranks; the sweep decides what becomes of them. */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    error->status = STATUS_OK;
    rank_hello_fill(&hello, request->ranks->digest);
    bool open = wire_send(agent.stream, WIRE_HELLO, &hello, sizeof(hello));
    while (open) {
        bool works = agent.worker.state != WORKER_NONE;
        struct pollfd polled[2] = {
            {.fd = agent.stream, .events = POLLIN},
            {.fd = works ? agent.worker.socket : -1, .events = POLLIN},
        };

        if (works)
            worker_enforce_limit(&agent.worker);
        if (poll(polled, 2, POLL_MS) <= 0)
            continue;
        if (polled[1].revents)
            pass_on(&agent);
        if (polled[0].revents)
            open = pass_orders(&agent, error);
    }
    if (agent.worker.state != WORKER_NONE) {
        char ignored[8];

        worker_bury(&agent.worker, ignored, sizeof(ignored));
    }
    wire_free(&agent.in);
    close(agent.stream);
    return error->status;
}
