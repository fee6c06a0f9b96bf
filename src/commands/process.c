/* process.c - what the process does where memory lacks, or where it is one of
 * several. */
#define _GNU_SOURCE /* prctl */

#include "commands/supervise.h"

#include "archive/fleet.h"
#include "base/mem.h"
#include "base/output.h"
#include "files/caged.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void on_lack(size_t size)
{
    struct rlimit r;
    darc_output_begins();
    if (getrlimit(RLIMIT_DATA, &r) == 0 && r.rlim_cur != RLIM_INFINITY)
        fprintf(stderr,
                "darc: the memory limit of %llu MB is spent (--memory): allow "
                "more, or take a part of the recording (--from, --to); each "
                "of its values needs 8 bytes, and as many for what is "
                "computed of it\n",
                (unsigned long long)(r.rlim_cur >> 20));
    else
        fprintf(stderr, "darc: out of memory (%zu bytes wanted)\n", size);
    _exit(DARC_EXIT_LIMIT);
}

void darc_lack_watch(void)
{
    darc_mem_on_lack(on_lack);
    darc_mem_adopt();
}

/* How many processes were started together, each launcher has its own way; 0:
 * several, with nothing between them. */
static long processes(void)
{
    static const char *const size[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                       "SLURM_STEP_NUM_TASKS"};
    bool launched = getenv("PMIX_RANK") != NULL || getenv("PMI_RANK") != NULL;
    for (int i = 0; i < 3; i++) {
        const char *text = getenv(size[i]);
        long n = text != NULL ? strtol(text, NULL, 10) : 1;
        if (text != NULL)
            return i < 2 || launched || n < 2 ? n : 0;
    }
    return 1;
}

/* Two that write one database would be in each other's way. */
static bool refuse_strangers(void)
{
    fputs("darc: srun started several tasks without MPI, each of which would "
          "do all of the work: srun --mpi=pmix, or mpirun; tasks of their own: "
          "env -u SLURM_STEP_NUM_TASKS darc ...\n",
          stderr);
    return false;
}

bool darc_ranks_enter(char **argv)
{
    char program[5000], self[4096];
    if (getenv(DARC_FLEET_ROLE) != NULL) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        return true;
    }
    long started = processes();
    if (started < 2)
        return started == 1 || refuse_strangers();
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n < 0 ? 0 : n] = '\0';
    int count = 0;
    while (argv[count] != NULL)
        count++;
    char **all = darc_calloc((size_t)count + 2, sizeof *all);
    all[0] = (char *)"fleet-rank";
    all[1] = self;
    memcpy(all + 2, argv + 1, (size_t)count * sizeof *all);
    if (darc_caged_find(program, sizeof program, all[0]))
        execv(program, all);
    fprintf(stderr,
            "darc: under mpirun the program fleet-rank is needed, which %s: "
            "expected in libexec/darc beside darc's bin, or in the folder "
            "that DARC_LIBEXEC names\n",
            errno == ENOENT ? "is missing" : strerror(errno));
    darc_free(all);
    return false;
}
