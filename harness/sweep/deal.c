#include "sweep/deal.h"

#include "base/streams.h"
#include "sweep/peers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a rank tells the others of a variant: they decide alike what else is worth measuring. */
struct shared_note {
    uint64_t sequence;
    uint64_t variant;
    double value, half;
};

static struct text bytes_of(const void *data, size_t bytes)
{
    return (struct text){data, bytes};
}

static enum status stream_ended(struct error *error)
{
    return error_set(error, STATUS_LOST, "vebench-mpi is gone; --resume continues the run");
}

enum status deal_meet(const struct sweep_request *request, const struct gpu *gpu,
                      struct error *error)
{
    struct ranks *ranks = request->ranks;
    struct agreement agreement = {.key = gpu_key(gpu), .tells = bytes_of(gpu, sizeof(*gpu))};
    struct gpu root;

    error->status = STATUS_OK;
    if (ranks_agree(ranks, &agreement, error) != STATUS_OK)
        return error->status;
    if (gpu_check_twin(gpu, ranks->rank, agreement.twin, error) != STATUS_OK || request->each)
        return error->status;
    if (agreement.told.bytes != sizeof(root))
        return stream_ended(error);
    memcpy(&root, agreement.told.at, sizeof(root));
    return gpu_check_alike(&root, gpu, ranks->rank, error);
}

/* Tasks from `begin` on that are still to be measured. */
static uint64_t count_waiting(const struct sweep *sweep, size_t begin)
{
    uint64_t count = 0;

    for (size_t i = begin; i < sweep->plan.task_count; i++)
        count += sweep->plan.tasks[i].state == TASK_WAITING;
    return count;
}

/* Of a shared sweep only rank 0 says how much there is. */
static enum status say_plan(struct sweep *sweep, struct error *error)
{
    const struct sweep_request *request = sweep->request;
    struct deal *deal = &sweep->deal;
    const struct wire_plan plan = {
        .total = request->each ? 0 : deal->number + count_waiting(sweep, deal->end),
        .left = request->each ? count_waiting(sweep, 0) : 0,
    };

    if (!ranks_say(request->ranks, WIRE_PLAN, bytes_of(&plan, sizeof(plan)), bytes_of("", 0)))
        return stream_ended(error);
    return STATUS_OK;
}

/* Leaves with the member the rows that say that this rank was lost with the task. */
static enum status leave_will(void *context, struct task *task, struct error *error)
{
    struct sweep *sweep = context;
    const struct ranks *ranks = sweep->request->ranks;
    char reason[HOST_BYTES + 40];
    struct task lost = *task;
    struct wire_entry will = {
        .rank = ranks->rank, .part = RANK_RESULTS, .sequence = task->sequence};
    struct sweep_counts counts = {0};

    if (!sweep->store)
        return STATUS_OK;
    lost.measurements = NULL;
    lost.samples = NULL;
    lost.text = NULL;
    lost.counts = NULL;
    lost.kernels = NULL;
    enum status status = task_begin(&lost, error);
    if (status != STATUS_OK)
        return status;
    snprintf(reason, sizeof(reason), "rank %u on %s is gone", ranks->rank,
             sweep->schedule.gpu.host);
    task_check(&lost, sweep->request, &sweep->schedule.gpu.target.device);
    task_follow_baselines(&lost);
    task_fail(&lost, reason);
    sweep_rows_count(&lost, 1, &counts);
    will.rows = (uint32_t)counts.failed;
    will.left = sweep->request->each ? count_waiting(sweep, sweep->schedule.first) - 1 : 0;
    status = store_say(sweep->store, WIRE_WILL, &will, &sweep->rows, &lost, error);
    task_release(&lost);
    return status;
}

enum status deal_begin(struct sweep *sweep, struct error *error)
{
    struct agreement agreement = {.is_last = true};
    struct ranks *ranks = sweep->request->ranks;

    error->status = STATUS_OK;
    if (ranks_agree(ranks, &agreement, error) != STATUS_OK)
        return error->status;
    sweep->schedule.wakes = ranks->stream;
    sweep->schedule.begins = leave_will;
    sweep->schedule.context = sweep;
    if (!sweep->request->each) {
        sweep->deal.ranks = ranks;
        sweep->schedule.task_count = 0;
    }
    return say_plan(sweep, error);
}

/* Task `number` of those that are dealt out is this rank's; those before it are others'. */
static void take_number(struct sweep *sweep, uint64_t number)
{
    struct deal *deal = &sweep->deal;

    for (; deal->end < sweep->plan.task_count; deal->end++) {
        struct task *task = &sweep->plan.tasks[deal->end];

        if (task->state != TASK_WAITING)
            continue;
        if (deal->number++ == number) {
            deal->end++;
            break;
        }
        task->state = TASK_LEFT_OUT;
    }
    sweep->schedule.task_count = deal->end;
}

enum status deal_take(struct sweep *sweep, struct error *error)
{
    struct ranks *ranks = sweep->request->ranks;
    struct wire_message message;
    struct wire_range range;

    if (!wire_fill(&ranks->in, ranks->stream, false))
        return stream_ended(error);
    while (wire_next(&ranks->in, &message)) {
        if (message.kind != WIRE_ASK || message.bytes != sizeof(range))
            continue;
        memcpy(&range, message.data, sizeof(range));
        sweep->deal.has_asked = false;
        sweep->deal.is_over = range.count == 0;
        take_number(sweep, range.count ? range.first : UINT64_MAX);
    }
    return STATUS_OK;
}

static bool bisects(const struct sweep *sweep)
{
    for (size_t f = 0; f < sweep->request->family_count; f++) {
        if (sweep->plan.bisected[f] != OWN_AXES_MAX)
            return true;
    }
    return false;
}

/* What this rank has measured: of tasks that it was dealt, since others' have nothing noted. */
static enum status write_notes(const struct sweep *sweep, FILE *out)
{
    for (size_t i = 0; i < sweep->plan.task_count; i++) {
        const struct task *task = &sweep->plan.tasks[i];

        for (size_t v = 0; task->noted && v < task->family->variant_count; v++) {
            const struct shared_note note = {task->sequence, v, task->noted[v],
                                             task->noted[task->family->variant_count + v]};

            fwrite(&note, sizeof(note), 1, out);
        }
    }
    return STATUS_OK;
}

static enum status take_notes(struct sweep *sweep, struct text notes, struct error *error)
{
    enum status status = STATUS_OK;

    for (size_t at = 0; status == STATUS_OK && at + sizeof(struct shared_note) <= notes.bytes;
         at += sizeof(struct shared_note)) {
        struct shared_note note;
        size_t task = 0;

        memcpy(&note, notes.at + at, sizeof(note));
        while (task < sweep->plan.task_count && sweep->plan.tasks[task].sequence < note.sequence)
            task++;
        if (task < sweep->plan.task_count && sweep->plan.tasks[task].sequence == note.sequence &&
            note.variant < sweep->plan.tasks[task].family->variant_count)
            status =
                task_note(&sweep->plan.tasks[task], note.variant, note.value, note.half, error);
    }
    return status;
}

/* Tells the others what was measured, hears what they have, and adds what that makes worth
 * measuring: the same in all ranks. */
static enum status extend_together(struct sweep *sweep, struct error *error)
{
    struct text all = {NULL, 0};
    size_t bytes;
    char *notes = NULL;
    FILE *out = stream_open_text(&notes, &bytes);

    if (!out)
        return error_out_of_memory(error);
    write_notes(sweep, out);
    if (stream_close_text(out, &notes, error) != STATUS_OK)
        return error->status;
    bool said = ranks_say(sweep->deal.ranks, WIRE_SHARE, bytes_of(notes, bytes), bytes_of("", 0));
    free(notes);
    if (!said)
        return stream_ended(error);
    enum status status = ranks_hear(sweep->deal.ranks, WIRE_SHARE, &all, error);
    if (status == STATUS_OK)
        status = take_notes(sweep, all, error);
    if (status == STATUS_OK)
        status = sweep_extend(sweep, error);
    return status == STATUS_OK ? say_plan(sweep, error) : status;
}

bool deal_has_more(struct sweep *sweep, enum status *status, struct error *error)
{
    struct deal *deal = &sweep->deal;

    if (sweep->schedule.first < deal->end)
        return true;
    if (deal->is_over && bisects(sweep) && !sweep->request->build_only) {
        *status = extend_together(sweep, error);
        deal->is_over = *status != STATUS_OK || deal->end == sweep->plan.task_count;
    }
    if (*status != STATUS_OK || deal->is_over)
        return false;
    if (!deal->has_asked) {
        const struct wire_ask ask = {1, 1};

        deal->has_asked =
            ranks_say(deal->ranks, WIRE_ASK, bytes_of(&ask, sizeof(ask)), bytes_of("", 0));
        if (!deal->has_asked)
            *status = stream_ended(error);
    }
    return *status == STATUS_OK;
}

/* With --each, what only this rank was to measure, and has not. Of a shared sweep, the member above
 * knows. */
static uint64_t count_missing(const struct sweep *sweep)
{
    uint64_t missing = 0;

    for (size_t i = sweep->schedule.first; sweep->request->each && i < sweep->plan.task_count; i++)
        missing += sweep->plan.tasks[i].state < TASK_DONE;
    return missing;
}

enum status deal_end(struct sweep *sweep, enum status status, struct error *error)
{
    struct ranks *ranks = sweep->request->ranks;
    struct sweep_counts *counts = sweep->counts;
    struct totals *totals = &sweep->totals;
    struct text answer;

    if (!ranks->has_begun)
        return status;
    *totals = (struct totals){
        .ok = counts->ok,
        .skipped = counts->skipped,
        .failed = counts->failed,
        .unreliable = counts->unreliable,
        .excluded = sweep->request->each || ranks->rank == 0 ? counts->excluded : 0,
        .missing = status == STATUS_OK || status == STATUS_INTERRUPTED ? 0 : count_missing(sweep),
        .ranks = 1,
    };
    if (status == STATUS_OK && peers_wanted(sweep))
        status = peers_compare(sweep, totals, error);
    if (status != STATUS_OK)
        totals->error = *error;
    if (!ranks_say(ranks, WIRE_END, bytes_of(totals, sizeof(*totals)), bytes_of("", 0)) ||
        ranks_hear(ranks, WIRE_END, &answer, error) != STATUS_OK || answer.bytes != sizeof(*totals))
        return stream_ended(error);
    memcpy(totals, answer.at, sizeof(*totals));
    *counts = (struct sweep_counts){totals->ok, totals->skipped, totals->failed, totals->unreliable,
                                    totals->excluded};
    if (totals->missing && totals->error.status != STATUS_INTERRUPTED) {
        error_set(error, STATUS_LOST, "%llu configuration%s not measured: %.600s",
                  (unsigned long long)totals->missing, totals->missing == 1 ? " was" : "s were",
                  totals->error.text);
        error_append(error, "; --resume measures the rest");
        return STATUS_LOST;
    }
    *error = totals->error;
    /* A rank that is lost has cost rows, which say so. */
    return totals->lost && error->status == STATUS_LOST ? STATUS_OK : error->status;
}
