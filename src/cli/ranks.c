#define _GNU_SOURCE /* prctl */

#include "cli/supervise.h"

#include "archive/fleet.h"
#include "base/mem.h"
#include "files/caged.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* How many processes were started together; each launcher has its own way. */
static long processes(void)
{
    static const char *const size[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                       "SLURM_STEP_NUM_TASKS"};
    bool launched = getenv("PMIX_RANK") != NULL || getenv("PMI_RANK") != NULL;
    for (int i = 0; i < 3; i++)
        if (getenv(size[i]) != NULL && (i < 2 || launched))
            return strtol(getenv(size[i]), NULL, 10);
    return 1;
}

bool darc_ranks_enter(char **argv)
{
    char program[5000], self[4096];
    if (getenv(DARC_FLEET_ROLE) != NULL) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        return true;
    }
    if (processes() < 2)
        return true;
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
