/* Preloaded into vebench-mpi: each rank is on a machine of its own, and all have the same name. */
#include <mpi.h>

int MPI_Comm_split_type(MPI_Comm all, int type, int key, MPI_Info info, MPI_Comm *node)
{
    int rank = 0;

    (void)type;
    (void)info;
    PMPI_Comm_rank(all, &rank);
    return PMPI_Comm_split(all, rank, key, node);
}
