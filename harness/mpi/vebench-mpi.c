/*
 * Keeps the place of a rank in `mpirun -n N vebench run --mpi`: `vebench` executes it in its own
 * place, and gets started again by it, with a socket to it.
 *
 * The process that measures thus has no MPI library in it, with its threads and signal handlers;
 * and a driver or a compiler that takes it down leaves this one, with MPI, to say so. What the two
 * say to each other, and this one to other ranks, is ranks/member.h's; here it is carried.
 *
 *     vebench-mpi PROGRAM ARGUMENT...
 */
#include "carrier.h"
#include "place.h"

#include "ranks/rank-files.h"

#include <mpi.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* How long to sleep when nothing comes: messages of MPI wake nobody. */
#define PAUSE_LEAST_MS 1
#define PAUSE_MOST_MS  8
/* So much may be on its way before the sweep has to wait. */
#define BACKLOG_BYTES ((size_t)64 << 20)
/* Descriptors of processes on a node. */
#define WATCHED_MAX 255u

struct sweep_process {
    pid_t pid; /* 0: it has ended */
    int stream;
    struct wire_buffer in;
    bool is_measuring; /* past the last agreement */
    int status;
};

struct helper {
    struct standing standing;
    struct carrier carrier;
    struct member member;
    struct sweep_process sweep;
    struct rank_files files;
};

static volatile sig_atomic_t stop_signal;
static volatile int stop_requested;

static void request_stop(int number)
{
    stop_signal = number;
    stop_requested = 1;
}

static uint64_t monotonic_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 + 1;
}

/* The ways of the member. */

static void to_rank(void *context, uint32_t rank, enum wire_kind kind, struct text head,
                    struct text data)
{
    struct helper *helper = context;

    carrier_send(&helper->carrier, rank, kind, head, data);
}

static void to_sweep(void *context, enum wire_kind kind, struct text head, struct text data)
{
    struct helper *helper = context;

    if (helper->sweep.stream >= 0)
        wire_send_parts(helper->sweep.stream, kind, head.at, head.bytes, data.at, data.bytes);
}

static void stop_sweep(void *context)
{
    struct helper *helper = context;

    if (helper->sweep.pid > 0)
        kill(helper->sweep.pid, SIGINT);
}

static enum status write_rows(void *context, const struct wire_entry *entry, struct text rows,
                              struct error *error)
{
    struct helper *helper = context;

    return rank_files_put(&helper->files, entry, rows, error);
}

static enum status commit_rows(void *context, struct error *error)
{
    struct helper *helper = context;

    return rank_files_commit(&helper->files, error);
}

static enum status close_files(void *context, struct text *line, struct error *error)
{
    struct helper *helper = context;

    return rank_files_close(&helper->files, line, error);
}

static enum status write_manifest(void *context, struct text lines, struct error *error)
{
    struct helper *helper = context;

    return rank_files_manifest(&helper->files, lines, error);
}

/* The sweep. */

static uint32_t leader_of(const struct member_place *place)
{
    return place->is_leader ? place->rank : place->above[0];
}

static void start_sweep(struct helper *helper, char **argv)
{
    const struct member_place *place = &helper->standing.place;
    char text[80];
    int sockets[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 ||
        (helper->sweep.pid = fork()) < 0) {
        fprintf(stderr, "vebench: --mpi: cannot start a process: %s\n", strerror(errno));
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (helper->sweep.pid > 0) {
        close(sockets[1]);
        helper->sweep.stream = sockets[0];
        return;
    }
    int stream = dup(sockets[1]); /* which stays open */
    snprintf(text, sizeof(text), "%u %u %d %d %u %d", place->rank, place->count,
             helper->standing.local_rank, helper->standing.local_count, leader_of(place), stream);
    setenv("VEBENCH_RANKS", text, 1);
    signal(SIGUSR1, SIG_DFL);
    execv(argv[1], argv + 1);
    fprintf(stderr, "vebench: cannot start %s: %s\n", argv[1], strerror(errno));
    _exit(1);
}

/* It has closed its end: it exits, or has died. */
static void reap_sweep(struct sweep_process *sweep)
{
    while (sweep->pid > 0 && waitpid(sweep->pid, &sweep->status, 0) < 0 && errno == EINTR)
        ;
    sweep->pid = 0;
    if (sweep->stream >= 0)
        close(sweep->stream);
    sweep->stream = -1;
}

/* All ranks are here at once, so the others can wait for this one. */
static void agree(struct helper *helper, const struct wire_agree *says, struct text tells)
{
    struct wire_agreed agreed;
    struct text told;

    helper->member.place.is_one_file = says->is_one_file;
    enum status status =
        carrier_agree(&helper->carrier, says, &agreed, tells, &told, &stop_requested);
    helper->sweep.is_measuring = status == STATUS_OK && says->is_last;
    helper->member.is_finished = status != STATUS_OK;
    to_sweep(helper, WIRE_AGREE, (struct text){(char *)&agreed, sizeof(agreed)}, told);
    free((char *)told.at);
}

static void open_files(struct helper *helper, const struct wire_message *message)
{
    struct error error = {STATUS_OK, ""};

    error.status = message->kind == WIRE_LOCK
                       ? rank_files_lock(&helper->files, message->data, message->bytes, &error)
                       : rank_files_create(&helper->files, message->data, message->bytes, &error);
    to_sweep(helper, message->kind, (struct text){(char *)&error, sizeof(error)},
             (struct text){NULL, 0});
}

static void take_from_sweep(struct helper *helper, const struct wire_message *message)
{
    struct wire_agree agreement;
    const char *data = message->data;

    if (message->kind == WIRE_AGREE && message->bytes >= sizeof(agreement)) {
        memcpy(&agreement, data, sizeof(agreement));
        agree(helper, &agreement,
              (struct text){data + sizeof(agreement), message->bytes - sizeof(agreement)});
    } else if (message->kind == WIRE_LOCK || message->kind == WIRE_CREATE) {
        open_files(helper, message);
    } else {
        member_take(&helper->member, helper->standing.place.rank, message);
    }
}

static void describe_rank(const struct helper *helper, uint32_t rank, char *text, size_t bytes)
{
    char host[80] = "unknown";

    (void)helper;
    gethostname(host, sizeof(host) - 1);
    snprintf(text, bytes, "rank %u on %s is gone", rank, host);
}

/* Without an agreement it has not begun, and the others wait for it; after that they go on. */
static void lose_sweep(struct helper *helper)
{
    struct wire_agree refusal = {.is_last = true, .is_one_file = true};
    char reason[160];

    reap_sweep(&helper->sweep);
    describe_rank(helper, helper->standing.place.rank, reason, sizeof(reason));
    if (helper->sweep.is_measuring) {
        member_lose(&helper->member, helper->standing.place.rank, reason);
        return;
    }
    error_set(&refusal.error, STATUS_FAILED, "%s before the sweep began", reason);
    agree(helper, &refusal, (struct text){NULL, 0});
}

static bool hear_sweep(struct helper *helper)
{
    struct sweep_process *sweep = &helper->sweep;
    struct wire_message message;
    bool open = wire_fill(&sweep->in, sweep->stream, false);

    while (!helper->member.is_finished && wire_next(&sweep->in, &message))
        take_from_sweep(helper, &message);
    if (!open && !helper->member.is_finished)
        lose_sweep(helper);
    return true;
}

/* Sleeps until the sweep says something, a process of the node ends, or for a while. */
static bool wait_for_something(struct helper *helper, int pause_ms)
{
    struct standing *standing = &helper->standing;
    struct pollfd polled[WATCHED_MAX + 1];
    bool hears = helper->carrier.bytes < BACKLOG_BYTES;
    nfds_t count = 1;

    polled[0] = (struct pollfd){.fd = hears ? helper->sweep.stream : -1, .events = POLLIN};
    for (uint32_t i = 0; i < standing->watched_count && i < WATCHED_MAX; i++)
        polled[count++] = (struct pollfd){.fd = standing->watched[i], .events = POLLIN};
    if (poll(polled, count, pause_ms) <= 0)
        return false;
    for (nfds_t i = 1; i < count; i++) {
        uint32_t rank = standing->place.below[i - 1];
        char reason[160];

        if (!polled[i].revents)
            continue;
        /* What it has said before comes first. */
        carrier_take(&helper->carrier, &helper->member);
        describe_rank(helper, rank, reason, sizeof(reason));
        member_lose(&helper->member, rank, reason);
        close(standing->watched[i - 1]);
        standing->watched[i - 1] = -1;
    }
    return polled[0].revents ? hear_sweep(helper) : true;
}

static void serve(struct helper *helper)
{
    int pause_ms = PAUSE_LEAST_MS;

    while (!helper->member.is_finished) {
        bool any = wait_for_something(helper, pause_ms);

        if (helper->sweep.is_measuring && !helper->member.is_finished) {
            any = carrier_take(&helper->carrier, &helper->member) || any;
            member_tick(&helper->member, monotonic_ms());
        }
        carrier_progress(&helper->carrier);
        if (stop_requested) {
            stop_requested = 0;
            member_stop(&helper->member);
        }
        pause_ms = any ? PAUSE_LEAST_MS : pause_ms < PAUSE_MOST_MS ? 2 * pause_ms : PAUSE_MOST_MS;
    }
}

/* The exit status counts in rank 0 only: its sweep has been told how the others ended. */
static int end(struct helper *helper)
{
    struct sweep_process *sweep = &helper->sweep;
    uint32_t gone = helper->member.totals.gone;

    carrier_flush(&helper->carrier);
    reap_sweep(sweep);
    int code =
        WIFEXITED(sweep->status) ? WEXITSTATUS(sweep->status) : 128 + WTERMSIG(sweep->status);
    code = helper->standing.place.rank == 0 ? code : 0;
    wire_free(&sweep->in);
    rank_files_free(&helper->files);
    member_close(&helper->member);
    standing_free(&helper->standing);
    carrier_close(&helper->carrier);
    fflush(NULL);
    if (gone) /* MPI_Finalize() would wait for them */
        _exit(code);
    MPI_Finalize();
    return code;
}

int main(int argc, char **argv)
{
    static struct helper helper;
    static const struct member_ways ways = {&helper,    to_rank,     to_sweep,    stop_sweep,
                                            write_rows, commit_rows, close_files, write_manifest};
    struct error error;

    if (argc < 2) {
        fputs("vebench-mpi: start it by mpirun -n N vebench run --mpi\n", stderr);
        return 2;
    }
    /* hwloc, through which MPI looks at the machine, would open the GPU by each driver that it has
     * a plugin for. */
    setenv("HWLOC_COMPONENTS", "-opencl,-levelzero", 0);
    signal(SIGUSR1, SIG_IGN); /* by which MPICH's launcher tells of a lost rank */
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    standing_find(&helper.standing);
    carrier_open(&helper.carrier, leader_of(&helper.standing.place));
    if (member_open(&helper.member, &helper.standing.place, &ways, &error) != STATUS_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    start_sweep(&helper, argv);
    signal(SIGINT, request_stop);
    signal(SIGTERM, request_stop);
    serve(&helper);
    return end(&helper);
}
