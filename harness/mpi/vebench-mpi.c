/*
 * Brings the ranks of `mpirun -n N vebench run --mpi` together: `vebench` executes it in its own
 * place, and gets started again by it, with a stream to each other rank.
 *
 * MPI tells who is there, and carries the address of rank 0; then it is finalized. The process that
 * measures thus has no MPI library in it, with its threads and signal handlers, and the loss of a
 * rank is the end of a stream. The process that the launcher watches only waits, so that a rank
 * that crashes is no reason for the launcher to end all others.
 *
 *     vebench-mpi PROGRAM ARGUMENT...
 *
 * PROGRAM gets VEBENCH_RANKS="RANK COUNT LOCAL_RANK LOCAL_COUNT FD...": file descriptors of the
 * streams, in rank 0 one for each other rank, in others the one to rank 0.
 */
#include <mpi.h>

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    RANKS_MAX = 255, /* as in sweep/ranks.h */
    ADDRESSES_MAX = 16,
    SECRET_BYTES = 16,
    CONNECT_MS = 5000,
    MEETING_MS = 60000, /* for all ranks to have connected */
};

/* Where rank 0 listens, and what it takes a connection from a rank for. */
struct meeting {
    uint32_t address[ADDRESSES_MAX]; /* IPv4, in network order */
    uint32_t address_count;
    uint16_t port; /* in network order */
    unsigned char secret[SECRET_BYTES];
};

struct greeting {
    unsigned char secret[SECRET_BYTES];
    uint32_t rank;
};

struct place {
    int rank, count, local_rank, local_count;
    bool near; /* rank 0 is on this machine */
    int streams[RANKS_MAX];
};

/* Ends all ranks. */
static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "vebench: --mpi: %s: %s\n", what, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void find_place(struct place *place)
{
    MPI_Comm machine;
    int first = 0;

    MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place->count);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &place->local_rank);
    MPI_Comm_size(machine, &place->local_count);
    MPI_Allreduce(&place->rank, &first, 1, MPI_INT, MPI_MIN, machine);
    MPI_Comm_free(&machine);
    place->near = first == 0;
    if (place->count > RANKS_MAX)
        fail("too many ranks", "255 at most");
}

/* The addresses at which other machines may reach this one. */
static void list_addresses(struct meeting *meeting)
{
    struct ifaddrs *all = NULL;

    if (getifaddrs(&all) != 0)
        fail("cannot list the network's addresses", strerror(errno));
    for (const struct ifaddrs *a = all; a && meeting->address_count < ADDRESSES_MAX;
         a = a->ifa_next) {
        struct sockaddr_in in;

        if (!a->ifa_addr || a->ifa_addr->sa_family != AF_INET || !(a->ifa_flags & IFF_UP) ||
            a->ifa_flags & IFF_LOOPBACK)
            continue;
        memcpy(&in, a->ifa_addr, sizeof(in));
        meeting->address[meeting->address_count++] = in.sin_addr.s_addr;
    }
    freeifaddrs(all);
}

static int open_meeting(struct meeting *meeting)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_ANY)};
    socklen_t bytes = sizeof(here);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    memset(meeting, 0, sizeof(*meeting));
    if (listener < 0 || bind(listener, (struct sockaddr *)&here, sizeof(here)) != 0 ||
        listen(listener, RANKS_MAX) != 0 ||
        getsockname(listener, (struct sockaddr *)&here, &bytes) != 0)
        fail("cannot listen for other ranks", strerror(errno));
    meeting->port = here.sin_port;
    list_addresses(meeting);
    if (getrandom(meeting->secret, SECRET_BYTES, 0) != SECRET_BYTES)
        fail("no random numbers", strerror(errno));
    return listener;
}

/* A machine that vanishes without a word is given up within half a minute. */
static void set_up_stream(int stream)
{
    const int on = 1, idle_s = 10, interval_s = 5, probes = 4, unsent_ms = 30000;
    const struct timeval wait = {.tv_sec = 30};

    setsockopt(stream, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(stream, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    setsockopt(stream, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
    setsockopt(stream, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof(interval_s));
    setsockopt(stream, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
    setsockopt(stream, IPPROTO_TCP, TCP_USER_TIMEOUT, &unsent_ms, sizeof(unsent_ms));
    setsockopt(stream, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait));
}

/* Takes in one connection; those of strangers are closed. */
static bool take_rank(struct place *place, int stream, const struct meeting *meeting)
{
    const struct timeval wait = {.tv_sec = CONNECT_MS / 1000};
    const struct timeval forever = {.tv_sec = 0};
    struct greeting greeting;

    setsockopt(stream, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
    if (recv(stream, &greeting, sizeof(greeting), MSG_WAITALL) != sizeof(greeting) ||
        memcmp(greeting.secret, meeting->secret, SECRET_BYTES) != 0 || greeting.rank == 0 ||
        greeting.rank >= (uint32_t)place->count || place->streams[greeting.rank]) {
        close(stream);
        return false;
    }
    setsockopt(stream, SOL_SOCKET, SO_RCVTIMEO, &forever, sizeof(forever));
    set_up_stream(stream);
    place->streams[greeting.rank] = stream;
    return true;
}

static void meet_all(struct place *place, int listener, const struct meeting *meeting)
{
    for (int left = place->count - 1; left > 0;) {
        struct pollfd polled = {.fd = listener, .events = POLLIN};
        int stream = -1;

        if (poll(&polled, 1, MEETING_MS) <= 0)
            fail("not all ranks have connected to rank 0", "no answer for a minute");
        stream = accept(listener, NULL, NULL);
        if (stream >= 0 && take_rank(place, stream, meeting))
            left--;
    }
    close(listener);
}

static int connect_to(uint32_t address, uint16_t port)
{
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = port, .sin_addr = {address}};
    const struct timeval wait = {.tv_sec = CONNECT_MS / 1000};
    int stream = socket(AF_INET, SOCK_STREAM, 0);

    if (stream < 0)
        return -1;
    setsockopt(stream, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof(wait)); /* limits connect() too */
    if (connect(stream, (struct sockaddr *)&there, sizeof(there)) == 0)
        return stream;
    close(stream);
    return -1;
}

static void go_to(struct place *place, const struct meeting *meeting)
{
    struct greeting greeting = {.rank = (uint32_t)place->rank};
    int stream = place->near ? connect_to(htonl(INADDR_LOOPBACK), meeting->port) : -1;

    for (uint32_t i = 0; stream < 0 && i < meeting->address_count; i++)
        stream = connect_to(meeting->address[i], meeting->port);
    if (stream < 0)
        fail("cannot connect to rank 0 over TCP at any of its addresses", strerror(errno));
    set_up_stream(stream);
    memcpy(greeting.secret, meeting->secret, SECRET_BYTES);
    if (send(stream, &greeting, sizeof(greeting), MSG_NOSIGNAL) != sizeof(greeting))
        fail("cannot greet rank 0", strerror(errno));
    place->streams[0] = stream;
}

static void meet(struct place *place)
{
    struct meeting meeting;
    int listener = -1;

    if (place->rank == 0)
        listener = open_meeting(&meeting);
    MPI_Bcast(&meeting, sizeof(meeting), MPI_BYTE, 0, MPI_COMM_WORLD);
    if (place->rank == 0)
        meet_all(place, listener, &meeting);
    else
        go_to(place, &meeting);
}

static void hand_over(const struct place *place)
{
    char text[RANKS_MAX * 12 + 64];
    int used = snprintf(text, sizeof(text), "%d %d %d %d", place->rank, place->count,
                        place->local_rank, place->local_count);
    int first = place->rank == 0 ? 1 : 0, end = place->rank == 0 ? place->count : 1;

    for (int i = first; i < end; i++)
        used += snprintf(text + used, sizeof(text) - (size_t)used, " %d", place->streams[i]);
    setenv("VEBENCH_RANKS", text, 1);
}

static volatile sig_atomic_t child;

static void pass_on(int signal_number)
{
    if (child > 0)
        kill((pid_t)child, signal_number);
}

/* Its exit status counts in rank 0 only: rank 0 has seen how the others ended. */
static int watch_over(const struct place *place)
{
    int status = 0;

    while (waitpid((pid_t)child, &status, 0) < 0 && errno == EINTR)
        ;
    if (place->rank > 0)
        return 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv)
{
    struct place place = {0};

    if (argc < 2) {
        fputs("vebench-mpi: start it by mpirun -n N vebench run --mpi\n", stderr);
        return 2;
    }
    /* hwloc, through which MPI looks at the machine, would open the GPU by each driver that it has
     * a plugin for. */
    setenv("HWLOC_COMPONENTS", "-opencl,-levelzero", 0);
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return 1;
    find_place(&place);
    meet(&place);
    MPI_Finalize();
    hand_over(&place);
    pid_t pid = fork();
    if (pid == 0) {
        execv(argv[1], argv + 1);
        fprintf(stderr, "vebench: cannot start %s: %s\n", argv[1], strerror(errno));
        _exit(1);
    }
    for (int i = 0; i < RANKS_MAX; i++) {
        if (place.streams[i])
            close(place.streams[i]);
    }
    if (pid < 0)
        return 1;
    child = pid;
    signal(SIGINT, pass_on);
    signal(SIGTERM, pass_on);
    return watch_over(&place);
}
