#include "gpu/arbiter.h"

#include "timing/cycles.h"
#include "timing/hash.h"

/* Lines of an Xe-core between the one that arrives and the one whose place is fetched from the
 * host's memory meanwhile. */
enum { AHEAD = 6 };

/* When the next line of an Xe-core reaches its bank. */
static uint64_t next_arrival(struct xe_core *core)
{
    const struct miss *miss = mshr_next_unsent(&core->load_store.mshr);

    return miss ? later(miss->start, core->lines_held) : UINT64_MAX;
}

/* A line that arrived at `arrival` has got its turn at its bank: if that holds as many before it as
 * it can, the line and those behind it wait where they are. */
static void press_back(const struct vesim_rules *rules, struct xe_core *core, uint64_t arrival,
                       uint64_t turn)
{
    if (rules->bank_queue && turn > arrival + rules->bank_queue)
        core->lines_held = turn - rules->bank_queue;
}

/* Cycles that a line takes longer, by chance. */
static uint64_t jitter(const struct vesim_rules *rules, const struct memory_request *request)
{
    return rules->line_jitter
               ? hash64(request->line * 31 + request->time) % (rules->line_jitter + 1u)
               : 0;
}

/* Completes a miss whose line is done by now but for the translation of its page, and informs its
 * message and, if it writes, its work-group. Returns when it is complete. */
static uint64_t complete_miss(struct gpu *gpu, const struct memory_request *request, uint64_t done)
{
    struct mshr *mshr = &gpu->cores[request->core].load_store.mshr;
    const struct miss *miss = mshr_miss(mshr, request->number);
    const struct miss_message *message = mshr_message(mshr, miss->message);

    done += miss->translation + jitter(&gpu->device->rules, request);
    mshr_fill(mshr, request->number, done);
    if (message->kind == MESSAGE_LOAD || message->outstanding)
        return done;
    message->group->unseen--;
    if (message->visible > message->group->end)
        message->group->end = message->visible;
    return done;
}

/* Sends the lines of an Xe-core that arrive before cycle `until`. Returns the first cycle at which
 * a line accepted by its bank is done. */
static uint64_t arrive(struct gpu *gpu, struct xe_core *core, uint64_t until)
{
    struct mshr *mshr = &core->load_store.mshr;
    uint64_t first_done = UINT64_MAX, done;
    const struct miss *miss;

    while ((miss = mshr_next_unsent(mshr)) && later(miss->start, core->lines_held) < until) {
        uint64_t arrival = later(miss->start, core->lines_held);

        if (mshr->end_miss - mshr->unsent > AHEAD)
            memory_expect(&gpu->memory, mshr_miss(mshr, mshr->unsent + AHEAD)->line);
        struct memory_request request = {.line = miss->line,
                                         .time = arrival,
                                         .core = core->number,
                                         .number = mshr->unsent++,
                                         .kind = miss->kind,
                                         .passes = miss->passes};

        if (memory_arrive(&gpu->memory, &request, &done)) {
            first_done = earlier(first_done, complete_miss(gpu, &request, done));
        } else {
            until = earlier(until, memory_next(&gpu->memory));
        }
        press_back(&gpu->device->rules, core, arrival, request.time);
    }
    return first_done;
}

struct arbitration arbiter_serve(struct gpu *gpu, uint64_t until)
{
    struct event_queue *order = &gpu->arrivals;
    struct arbitration arbitration = {UINT64_MAX, UINT64_MAX};

    for (uint32_t i = 0; i < gpu->core_count; i++)
        event_queue_set(order, i, next_arrival(&gpu->cores[i]));
    for (;;) {
        uint64_t arrival = event_queue_first_time(order), service = memory_next(&gpu->memory), done;

        arbitration.next = earlier(arrival, service);
        if (arbitration.next >= until)
            return arbitration;
        if (service <= arrival) {
            struct memory_request request;

            done = memory_serve(&gpu->memory, &request);
            done = complete_miss(gpu, &request, done);
        } else {
            struct xe_core *core = &gpu->cores[event_queue_first(order)];
            uint64_t others = event_queue_second_time(order);

            others = others > arrival ? others : arrival + 1; /* `core` wins ties */
            done = arrive(gpu, core, earlier(until, earlier(others, service)));
            event_queue_set(order, core->number, next_arrival(core));
        }
        arbitration.first_done = earlier(arbitration.first_done, done);
    }
}

static uint64_t next_transfer_time(const struct xe_core *core)
{
    const struct queued_transfer *next = transfer_queue_at(&core->transfers, core->next_transfer);

    return next ? next->time : UINT64_MAX;
}

void arbiter_transfer(struct gpu *gpu, uint64_t last)
{
    struct event_queue *order = &gpu->transfers;

    for (uint32_t i = 0; i < gpu->core_count; i++) {
        gpu->cores[i].next_transfer = 0;
        event_queue_set(order, i, next_transfer_time(&gpu->cores[i]));
    }
    while (event_queue_first_time(order) != UINT64_MAX) {
        struct xe_core *core = &gpu->cores[event_queue_first(order)];
        const struct queued_transfer *next =
            transfer_queue_at(&core->transfers, core->next_transfer);

        if (next->time <= last)
            queued_transfer_execute(next);
        core->next_transfer += next->bytes;
        event_queue_set(order, core->number, next_transfer_time(core));
    }
}
