/* libfathom-mpi.so: communication between processes through Open MPI. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "studies/cluster/ranks.h"

enum {
    MOST_BYTES = 1 << 30, /* in one call */
    HELD = 1024,          /* messages on their way */
    HELD_BYTES = 4096     /* of one */
};

/* Messages sent and not yet received; one thread calls. */
static MPI_Request requests[HELD]; /* MPI_REQUEST_NULL: free */
static char held[HELD][HELD_BYTES];

static const char *tell(int code)
{
    static char text[MPI_MAX_ERROR_STRING]; /* one thread calls */
    int length;
    if (code == MPI_SUCCESS)
        return NULL;
    if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
        snprintf(text, sizeof text, "MPI failed with code %d", code);
    return text;
}

static const char *open_ranks(fm_ranks *ranks)
{
    int given, length;
    char name[MPI_MAX_PROCESSOR_NAME] = "";
    MPI_Comm local;
    int code = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
    if (code != MPI_SUCCESS)
        return tell(code);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks->count);
    MPI_Get_processor_name(name, &length);
    snprintf(ranks->host, sizeof ranks->host, "%.120s", name);
    code = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, ranks->rank, MPI_INFO_NULL, &local);
    if (code != MPI_SUCCESS)
        return tell(code);
    MPI_Comm_rank(local, &ranks->local_rank);
    MPI_Comm_size(local, &ranks->local_count);
    MPI_Comm_free(&local);
    for (int i = 0; i < HELD; i++)
        requests[i] = MPI_REQUEST_NULL;
    return given < MPI_THREAD_FUNNELED ? "this MPI was built without threads" : NULL;
}

/* mpirun ends all ranks as soon as one has failed, and then drops what it has not yet read from their pipes. */
static void wait_until_read(int descriptor)
{
    int unread = 0;
    for (int i = 0; i < 200 && ioctl(descriptor, FIONREAD, &unread) == 0 && unread > 0; i++)
        usleep(10000);
}

static void close_ranks(bool broken, int status)
{
    if (broken || status) {
        wait_until_read(STDOUT_FILENO);
        wait_until_read(STDERR_FILENO);
    }
    if (broken)
        MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Waitall(HELD, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
}

/* An unsuccessful probe polls the network at its end (Open MPI's pml/ob1), and the next one finds what has arrived. */
static bool probe(int *from, int *tag, size_t *bytes)
{
    int there = 0, count = 0;
    MPI_Status status;
    for (int i = 0; i < 2 && !there; i++)
        if (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS)
            return false;
    if (!there)
        return false;
    MPI_Get_count(&status, MPI_BYTE, &count);
    *from = status.MPI_SOURCE;
    *tag = status.MPI_TAG;
    *bytes = (size_t)count;
    return true;
}

static const char *receive(int from, int tag, void *data, size_t bytes)
{
    return tell(MPI_Recv(data, (int)bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

static int find_free(void)
{
    int i = 0, count, done[HELD];
    while (i < HELD && requests[i] != MPI_REQUEST_NULL)
        i++;
    if (i < HELD)
        return i;
    MPI_Testsome(HELD, requests, &count, done, MPI_STATUSES_IGNORE);
    return count > 0 ? done[0] : HELD;
}

/* MPI_Send would wait, busily, until the receiver polls, and forever for one that has gone; so it is used only if no
 * buffer is free. */
static const char *send(int to, int tag, const void *data, size_t bytes)
{
    int index = bytes <= HELD_BYTES ? find_free() : HELD;
    if (index == HELD)
        return tell(MPI_Send(data, (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD));
    if (bytes)
        memcpy(held[index], data, bytes);
    return tell(MPI_Isend(held[index], (int)bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD, &requests[index]));
}

static const char *broadcast(void *data, size_t bytes)
{
    const char *failed = NULL;
    for (size_t at = 0; at < bytes && !failed; at += MOST_BYTES) {
        size_t part = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        failed = tell(MPI_Bcast((char *)data + at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD));
    }
    return failed;
}

static bool agree(bool so)
{
    int own = so, all = 0;
    return MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD) == MPI_SUCCESS && all;
}

static double read_clock(void)
{
    return MPI_Wtime();
}

__attribute__((visibility("default"))) extern const fm_ranks_module fm_ranks_module_table;
const fm_ranks_module fm_ranks_module_table = {
    .version = FM_RANKS_VERSION,
    .open = open_ranks,
    .close = close_ranks,
    .probe = probe,
    .receive = receive,
    .send = send,
    .broadcast = broadcast,
    .agree = agree,
    .clock = read_clock,
};
