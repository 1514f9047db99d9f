#include "place.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A process of a node, as others there can watch it. */
struct local {
    int rank, pid;
    unsigned long long space; /* of process numbers */
};

static void *allocate(size_t count, size_t bytes)
{
    void *all = calloc(count + 1, bytes);

    if (!all)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return all;
}

static struct local local_self(int rank)
{
    struct stat space;

    return (struct local){rank, (int)getpid(),
                          stat("/proc/self/ns/pid", &space) == 0 ? (unsigned long long)space.st_ino
                                                                 : 0};
}

/* The end of a process of the node shows without MPI. */
static int watch_process(const struct local *self, const struct local *other)
{
    if (!self->space || self->space != other->space)
        return -1;
    return (int)syscall(SYS_pidfd_open, other->pid, 0);
}

/* Those of the node: the leader knows all, the others the leader. */
static void find_node(struct standing *standing, MPI_Comm node)
{
    struct member_place *place = &standing->place;
    struct local self = local_self((int)place->rank);
    struct local *all = allocate((size_t)standing->local_count, sizeof(*all));
    int leader = (int)place->rank;

    MPI_Bcast(&leader, 1, MPI_INT, 0, node);
    MPI_Gather(&self, sizeof(self), MPI_BYTE, all, sizeof(self), MPI_BYTE, 0, node);
    place->is_leader = standing->local_rank == 0;
    place->above[0] = (uint32_t)leader;
    place->above_count = !place->is_leader;
    place->below = allocate((size_t)standing->local_count + LEADERS_BELOW, sizeof(*place->below));
    place->below_ranks =
        allocate((size_t)standing->local_count + LEADERS_BELOW, sizeof(*place->below_ranks));
    standing->watched = allocate((size_t)standing->local_count, sizeof(int));
    for (int i = 1; place->is_leader && i < standing->local_count; i++) {
        standing->watched[standing->watched_count++] = watch_process(&self, &all[i]);
        place->below_ranks[place->below_count] = 1;
        place->below[place->below_count++] = (uint32_t)all[i].rank;
    }
    free(all);
}

static uint32_t rank_of_leader(MPI_Group all, MPI_Group leaders, uint32_t leader)
{
    int index = (int)leader, rank = 0;

    MPI_Group_translate_ranks(leaders, 1, &index, all, &rank);
    return (uint32_t)rank;
}

static void find_leaders(struct member_place *place, int local_count, MPI_Comm leaders)
{
    const uint64_t here = (uint64_t)local_count;
    MPI_Group all, group;
    int self, count;
    uint32_t first, below;

    MPI_Comm_rank(leaders, &self);
    MPI_Comm_size(leaders, &count);
    uint64_t *ranks = allocate((size_t)count, sizeof(*ranks));
    MPI_Allgather(&here, 1, MPI_UINT64_T, ranks, 1, MPI_UINT64_T, leaders);
    tree_sum(ranks, (uint32_t)count);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Comm_group(leaders, &group);
    for (uint32_t at = (uint32_t)self; at > 0 && place->above_count < ABOVE_MAX;) {
        at = tree_above(at);
        place->above[place->above_count++] = rank_of_leader(all, group, at);
    }
    tree_below((uint32_t)self, (uint32_t)count, &first, &below);
    for (uint32_t i = 0; i < below; i++) {
        place->below_ranks[place->below_count] = ranks[first + i];
        place->below[place->below_count++] = rank_of_leader(all, group, first + i);
    }
    free(ranks);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

void standing_find(struct standing *standing)
{
    MPI_Comm node, leaders;
    int rank, count;

    memset(standing, 0, sizeof(*standing));
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    standing->place.rank = (uint32_t)rank;
    standing->place.count = (uint32_t)count;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &standing->local_rank);
    MPI_Comm_size(node, &standing->local_count);
    find_node(standing, node);
    MPI_Comm_free(&node);
    MPI_Comm_split(MPI_COMM_WORLD, standing->place.is_leader ? 0 : MPI_UNDEFINED, rank, &leaders);
    if (leaders == MPI_COMM_NULL)
        return;
    find_leaders(&standing->place, standing->local_count, leaders);
    MPI_Comm_free(&leaders);
}

void standing_free(struct standing *standing)
{
    for (uint32_t i = 0; i < standing->watched_count; i++) {
        if (standing->watched[i] >= 0)
            close(standing->watched[i]);
    }
    free(standing->watched);
    free(standing->place.below);
    free(standing->place.below_ranks);
}
