/* fleet_rank.c - a rank of a fleet: it starts darc in its roles and carries
 * their messages over MPI (archive/fleet.h).
 * usage: fleet-rank DARC ARGUMENTS...
 *
 * Rank 0 starts the dealer.  Whatever comes from place k of it goes to rank k
 * modulo the number of ranks, and the answer back: nothing but MPI knows of
 * other machines.  Every rank has a fitter, whose death costs the recording in
 * its hands, which is tried once more.
 *
 * MPI has no way to wait for a socket, and waits for messages with a whole
 * core: this program sleeps for moments instead, the longer the less happens.
 */
#define _GNU_SOURCE /* ppoll */

#ifndef DARC_MPI

#include <stdio.h>

int main(void)
{
    fputs("darc: this build of darc lacks MPI: install libopenmpi-dev and "
          "openmpi-bin and build it again, or start it without mpirun\n",
          stderr);
    return 5;
}

#else

#include "archive/fleet.h"
#include "base/mem.h"
#include "files/caged.h"

#include <errno.h>
#include <fcntl.h>
#include <mpi.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Nanoseconds of sleep: a look for messages takes a quarter of the shortest at
 * most; with the longest a rank at rest takes 1 % of a core. */
enum { SHORTEST = 200000, LONGEST = 2000000 };

/* Deaths of fitters over one recording after which it is given up. */
enum { TRIES = 2 };

/* A head (darc_wire_answer), and the bytes that it tells of. */
typedef struct {
    char *bytes; /* owned */
    size_t n;
} message;

/* What is asked of this rank, from a place. */
typedef struct {
    int place, tries;
    message asked;
} job;

typedef struct {
    char **arguments; /* of darc */
    int rank, ranks;
    int places; /* of all */
    int *place; /* rank 0: sockets to the dealer, -1: closed; owned */
    pid_t parent, dealer;
    int fitter; /* a socket; -1: none */
    pid_t child;
    job job[DARC_FLEET_PLACES]; /* the first is in hand */
    int jobs;
    bool ended;
} state;

/* Set ends to a pair of sockets above the descriptors that a dealer gets. */
static bool make_pair(int ends[2], int places)
{
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        int low = ends[i];
        ends[i] = fcntl(low, F_DUPFD_CLOEXEC, DARC_FLEET_SOCKET + places);
        close(low);
    }
    return ends[0] >= 0 && ends[1] >= 0;
}

/* What the MPI library has open is none of the children's. */
static void close_on_exec(int places)
{
    for (int fd = DARC_FLEET_SOCKET; fd < 1024 + 3 * places; fd++)
        fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* Start darc with n sockets; 0: it cannot be. */
static pid_t start_process(const state *s, const char *role, const int *socket,
                           int n, bool silent)
{
    pid_t child = 0;
    posix_spawn_file_actions_t to;
    posix_spawn_file_actions_init(&to);
    for (int i = 0; i < DARC_FLEET_SOCKET && silent; i++)
        posix_spawn_file_actions_addopen(&to, i, "/dev/null", O_RDWR, 0);
    for (int i = 0; i < n; i++)
        posix_spawn_file_actions_adddup2(&to, socket[i], DARC_FLEET_SOCKET + i);
    close_on_exec(s->places);
    setenv(DARC_FLEET_ROLE, role, 1);
    int error =
        posix_spawn(&child, s->arguments[0], &to, NULL, s->arguments, environ);
    posix_spawn_file_actions_destroy(&to);
    if (error == 0)
        return child;
    fprintf(stderr, "darc: %s cannot run: %s\n", s->arguments[0],
            strerror(error));
    return 0;
}

static void start_fitter(state *s)
{
    int ends[2];
    if (!make_pair(ends, s->places))
        return;
    s->child = start_process(s, "fit", ends + 1, 1, true);
    close(ends[1]);
    s->fitter = ends[0];
}

static void start_dealer(state *s)
{
    char role[40];
    int ends[2], *theirs = darc_calloc((size_t)s->places, sizeof *theirs);
    s->place = darc_calloc((size_t)s->places, sizeof *s->place);
    for (int k = 0; k < s->places; k++) {
        bool made = make_pair(ends, s->places);
        s->place[k] = made ? ends[0] : -1;
        theirs[k] = made ? ends[1] : -1;
    }
    snprintf(role, sizeof role, "deal %d", s->places);
    s->dealer = start_process(s, role, theirs, s->places, false);
    DARC_ALL_OF(close, theirs, s->places);
    darc_free(theirs);
}

static int await(pid_t child)
{
    int how = 0;
    while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(how) ? WEXITSTATUS(how) : 5;
}

static bool receive(message *m, int fd)
{
    darc_wire_answer head;
    *m = (message){NULL, 0};
    if (!darc_wire_receive(fd, &head, sizeof head, -1))
        return false;
    m->n = sizeof head + (size_t)head.bytes;
    m->bytes = darc_malloc(m->n);
    memcpy(m->bytes, &head, sizeof head);
    return darc_wire_receive(fd, m->bytes + sizeof head, (size_t)head.bytes,
                             -1);
}

/* Give the answer to the first of the jobs. */
static void give_answer(state *s, message *m)
{
    job done = s->job[0];
    memmove(s->job, s->job + 1, (size_t)--s->jobs * sizeof *s->job);
    if (s->jobs > 0)
        darc_wire_send(s->fitter, s->job[0].asked.bytes, s->job[0].asked.n);
    if (s->rank == 0)
        darc_wire_send(s->place[done.place], m->bytes, m->n);
    else
        MPI_Send(m->bytes, (int)m->n, MPI_BYTE, 0, done.place, MPI_COMM_WORLD);
    DARC_FREE(done.asked.bytes, m->bytes);
}

static void bury_fitter(state *s)
{
    close(s->fitter);
    await(s->child);
    s->fitter = -1;
    if (s->jobs == 0)
        return;
    bool again = ++s->job[0].tries < TRIES;
    const message *m = &s->job[0].asked;
    fprintf(stderr, "darc: rank %d: a process ended while it read %.*s%s\n",
            s->rank, (int)(m->n - sizeof(darc_wire_answer)),
            m->bytes + sizeof(darc_wire_answer),
            again ? "; tried once more" : "");
    start_fitter(s);
    if (again) {
        darc_wire_send(s->fitter, m->bytes, m->n);
        return;
    }
    char text[300];
    darc_wire_answer head;
    memset(&head, 0, sizeof head);
    snprintf(text, sizeof text,
             "the process that fits it, on rank %d, ended %d times over it: "
             "memory may be short",
             s->rank, TRIES);
    head.status = DARC_LIMIT;
    head.bytes = strlen(text);
    message end = {darc_malloc(sizeof head + strlen(text)),
                   sizeof head + strlen(text)};
    memcpy(end.bytes, &head, sizeof head);
    memcpy(end.bytes + sizeof head, text, strlen(text));
    give_answer(s, &end);
}

static void take_job(state *s, int place, message *m)
{
    s->job[s->jobs++] = (job){place, 0, *m};
    if (s->fitter < 0)
        start_fitter(s);
    if (s->jobs == 1)
        darc_wire_send(s->fitter, m->bytes, m->n);
}

/* The dealer asks, or has ended. */
static void hear_dealer(state *s, int place)
{
    message m;
    int to = place % s->ranks;
    if (!receive(&m, s->place[place])) {
        close(s->place[place]);
        s->place[place] = -1;
        darc_free(m.bytes);
        return;
    }
    if (to == 0) {
        take_job(s, place, &m);
        return;
    }
    MPI_Send(m.bytes, (int)m.n, MPI_BYTE, to, place, MPI_COMM_WORLD);
    darc_free(m.bytes);
}

/* Take what another rank has sent; return whether there was something. */
static bool hear_ranks(state *s)
{
    int there = 0, n = 0;
    MPI_Status from;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &from);
    if (!there)
        return false;
    MPI_Get_count(&from, MPI_BYTE, &n);
    message m = {darc_malloc((size_t)n + 1), (size_t)n};
    MPI_Recv(m.bytes, n, MPI_BYTE, from.MPI_SOURCE, from.MPI_TAG,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    s->ended = from.MPI_TAG == s->places;
    if (s->rank > 0 && !s->ended) {
        take_job(s, from.MPI_TAG, &m);
        return true;
    }
    if (!s->ended && s->place[from.MPI_TAG] >= 0)
        darc_wire_send(s->place[from.MPI_TAG], m.bytes, m.n);
    darc_free(m.bytes);
    return true;
}

/* Wait for so many ns, and hear who has something to say. */
static bool hear_sockets(state *s, struct pollfd *p, long ns)
{
    const struct timespec most = {0, ns};
    nfds_t n = s->rank == 0 ? (nfds_t)s->places : 0;
    p[n] = (struct pollfd){.fd = s->fitter, .events = POLLIN};
    for (nfds_t k = 0; k < n; k++)
        p[k] = (struct pollfd){.fd = s->place[k], .events = POLLIN};
    if (ppoll(p, n + 1, &most, NULL) <= 0)
        return false;
    for (nfds_t k = 0; k < n; k++)
        if (p[k].revents != 0)
            hear_dealer(s, (int)k);
    message m;
    if (p[n].revents == 0)
        return true;
    if (s->jobs > 0 && receive(&m, s->fitter))
        give_answer(s, &m);
    else
        bury_fitter(s);
    return true;
}

/* Where the launcher has died nobody else would tell for a second. */
static bool is_open(const state *s)
{
    if (getppid() != s->parent)
        _exit(5);
    bool open = s->rank > 0;
    for (int k = 0; k < s->places && !open; k++)
        open = s->place[k] >= 0;
    return open && !s->ended;
}

/* Carry messages until the dealer has ended; return its exit code. */
static int serve(state *s)
{
    struct pollfd *p = darc_calloc((size_t)s->places + 1, sizeof *p);
    long ns = SHORTEST;
    start_fitter(s);
    if (s->rank == 0)
        start_dealer(s);
    while (is_open(s)) { /* where all places are taken none asks */
        bool full = s->rank > 0 && s->jobs == DARC_FLEET_PLACES;
        bool heard = hear_sockets(s, p, full ? 5 * LONGEST : ns);
        heard = hear_ranks(s) || heard;
        ns = heard ? SHORTEST : ns < LONGEST / 2 ? 2 * ns : LONGEST;
    }
    for (int to = 1; to < s->ranks && s->rank == 0; to++)
        MPI_Send(NULL, 0, MPI_BYTE, to, s->places, MPI_COMM_WORLD);
    if (s->fitter >= 0)
        close(s->fitter);
    if (s->jobs > 0)
        kill(s->child, SIGTERM);
    await(s->child);
    darc_free(p);
    return await(s->dealer);
}

/* Ranks of one machine need none of the networks that Open MPI would look for,
 * some .3 s. */
static void leave_networks(void)
{
    const char *all = getenv("OMPI_COMM_WORLD_SIZE");
    const char *here = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (all != NULL && here != NULL && strcmp(all, here) == 0)
        setenv("OMPI_MCA_pml", "ob1", 0);
}

int main(int argc, char **argv)
{
    state s = {.arguments = argv + 1, .parent = getppid(), .fitter = -1};
    struct rlimit files;
    if (argc < 3)
        return 3;
    signal(SIGPIPE, SIG_IGN);
    leave_networks();
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.ranks);
    s.places = s.ranks * DARC_FLEET_PLACES;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    int code = serve(&s);
    darc_free(s.place);
    MPI_Finalize();
    return s.rank == 0 ? code : 0;
}

#endif
