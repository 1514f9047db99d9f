#include "carrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NAP_NS      1000000
#define FLUSH_NAPS  3000
#define ONE_AT_ONCE ((size_t)1 << 30)

static void nap(void)
{
    const struct timespec pause = {0, NAP_NS};

    nanosleep(&pause, NULL);
}

static _Noreturn void out_of_memory(void)
{
    fputs("vebench-mpi: out of memory\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

void carrier_open(struct carrier *carrier, uint32_t leader)
{
    memset(carrier, 0, sizeof(*carrier));
    carrier->leader = leader;
    MPI_Comm_dup(MPI_COMM_WORLD, &carrier->all);
    MPI_Comm_set_errhandler(carrier->all, MPI_ERRORS_RETURN);
}

void carrier_close(struct carrier *carrier)
{
    free(carrier->sending);
    free(carrier->in);
}

void carrier_send(struct carrier *carrier, uint32_t rank, enum wire_kind kind, struct text head,
                  struct text data)
{
    struct sending sending = {.count = head.bytes + data.bytes};

    if (sending.count > ONE_AT_ONCE)
        return; /* no configuration has so many rows */
    if (carrier->count == carrier->room) {
        carrier->room = 2 * carrier->room + 16;
        carrier->sending = realloc(carrier->sending, carrier->room * sizeof(*carrier->sending));
    }
    sending.bytes = malloc(sending.count + 1);
    if (!carrier->sending || !sending.bytes)
        out_of_memory();
    if (head.bytes)
        memcpy(sending.bytes, head.at, head.bytes);
    if (data.bytes)
        memcpy(sending.bytes + head.bytes, data.at, data.bytes);
    if (MPI_Isend(sending.bytes, (int)sending.count, MPI_BYTE, (int)rank, (int)kind, carrier->all,
                  &sending.request) != MPI_SUCCESS) {
        free(sending.bytes); /* it is gone, which others notice as well */
        return;
    }
    carrier->bytes += sending.count;
    carrier->sending[carrier->count++] = sending;
}

void carrier_progress(struct carrier *carrier)
{
    size_t kept = 0;

    for (size_t i = 0; i < carrier->count; i++) {
        struct sending *sending = &carrier->sending[i];
        int done = 0;

        if (MPI_Test(&sending->request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && !done) {
            carrier->sending[kept++] = *sending;
            continue;
        }
        carrier->bytes -= sending->count;
        free(sending->bytes);
    }
    carrier->count = kept;
}

void carrier_flush(struct carrier *carrier)
{
    for (int i = 0; carrier->count && i < FLUSH_NAPS; i++) {
        carrier_progress(carrier);
        if (carrier->count)
            nap();
    }
}

static bool take_one(struct carrier *carrier, struct member *member)
{
    MPI_Status status;
    int there = 0, bytes = 0;

    if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, carrier->all, &there, &status) != MPI_SUCCESS ||
        !there || MPI_Get_count(&status, MPI_BYTE, &bytes) != MPI_SUCCESS)
        return false;
    if (!carrier->in || (size_t)bytes > carrier->in_room) {
        free(carrier->in);
        carrier->in_room = 2 * (size_t)bytes + 4096;
        carrier->in = malloc(carrier->in_room);
    }
    if (!carrier->in)
        out_of_memory();
    if (MPI_Recv(carrier->in, bytes, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, carrier->all,
                 &status) != MPI_SUCCESS)
        return false;
    const struct wire_message message = {(enum wire_kind)status.MPI_TAG, carrier->in,
                                         (size_t)bytes};
    member_take(member, (uint32_t)status.MPI_SOURCE, &message);
    return true;
}

bool carrier_take(struct carrier *carrier, struct member *member)
{
    bool any = false;

    while (!member->is_finished && take_one(carrier, member))
        any = true;
    return any;
}

/* Collective calls of MPI would keep a processor busy while one rank opens its driver. */
static void wait_for(MPI_Request *request, const volatile int *stop)
{
    for (int done = 0; !done;) {
        if (*stop)
            MPI_Abort(MPI_COMM_WORLD, 130);
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done)
            nap();
    }
}

static void broadcast(struct carrier *carrier, void *data, size_t bytes, int root,
                      const volatile int *stop)
{
    MPI_Request request;

    MPI_Ibcast(data, (int)bytes, MPI_BYTE, root, carrier->all, &request);
    wait_for(&request, stop);
}

/* The first other rank that says the same. */
static uint32_t find_twin(struct carrier *carrier, const struct wire_agree *agree, int rank,
                          const volatile int *stop)
{
    const uint64_t mine[2] = {agree->key, carrier->leader};
    uint32_t twin = WIRE_NOBODY;
    MPI_Request request;
    int count;

    MPI_Comm_size(carrier->all, &count);
    uint64_t *all = calloc((size_t)count, sizeof(mine));
    if (!all)
        out_of_memory();
    MPI_Iallgather(mine, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, carrier->all, &request);
    wait_for(&request, stop);
    for (int i = 0; mine[0] && i < count && twin == WIRE_NOBODY; i++) {
        bool is_other = agree->is_of_node ? all[2 * i + 1] != mine[1] : i != rank;

        if (is_other && all[2 * i] == mine[0])
            twin = (uint32_t)i;
    }
    free(all);
    return twin;
}

/* What rank 0 says, to all. */
static struct text tell(struct carrier *carrier, struct text tells, int rank,
                        const volatile int *stop)
{
    size_t bytes = tells.bytes;

    broadcast(carrier, &bytes, sizeof(bytes), 0, stop);
    char *told = calloc(bytes + 1, 1);
    if (!told)
        out_of_memory();
    if (rank == 0 && bytes)
        memcpy(told, tells.at, bytes);
    if (bytes)
        broadcast(carrier, told, bytes, 0, stop);
    return (struct text){told, bytes};
}

enum status carrier_agree(struct carrier *carrier, const struct wire_agree *agree,
                          struct wire_agreed *agreed, struct text tells, struct text *told,
                          const volatile int *stop)
{
    struct {
        int is_ok, rank;
    } mine = {agree->error.status == STATUS_OK, 0}, least;
    MPI_Request request;

    *agreed = (struct wire_agreed){agree->error, WIRE_NOBODY};
    *told = (struct text){NULL, 0};
    MPI_Comm_rank(carrier->all, &mine.rank);
    MPI_Iallreduce(&mine, &least, 1, MPI_2INT, MPI_MINLOC, carrier->all, &request);
    wait_for(&request, stop);
    if (!least.is_ok) {
        broadcast(carrier, &agreed->error, sizeof(agreed->error), least.rank, stop);
        return agreed->error.status;
    }
    agreed->twin = find_twin(carrier, agree, mine.rank, stop);
    *told = tell(carrier, tells, mine.rank, stop);
    return STATUS_OK;
}
