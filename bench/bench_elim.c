/* Elimination by Rosenfeld-Groebner: the systems that darc ships, under the
 * ranking that leaves the signals alone and under the one that leaves
 * parameters lowest; then a system that really splits.
 *
 *     bench_elim [REPEATS]      (default 5; run where systems/ is)
 *
 * Prints name, terms of the longest equation, median and least CPU time in
 * ms, and peak memory in kB of a process of its own.
 */
#include "chain/elim.h"
#include "model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_REPEATS = 100 };

typedef struct {
    const char *name; /* for the printout */
    const char *text; /* of the model, or NULL: systems/SYSTEM/model.darc */
    const char *system;
    bool all;
    const char *ranking; /* NULL: the model's */
} bench_case;

static const char pendulum[] =
    "states\n x y l\nparameters\n g m\noutputs\n q\nequations\n"
    "m*x'' = l*x\nm*y'' = l*y + m*g\nx^2 + y^2 = 1\nq = y\n";

static const char lorenz[] =
    "states\n x1 x2 x3\nparameters\n s r b\noutputs\n y\nequations\n"
    "x1' = s*(x2 - x1)\nx2' = x1*(r - x3) - x2\nx3' = x1*x2 - b*x3\ny = x3\n";

static const char splitting[] =
    "states\n x\nparameters\n a b\noutputs\n y\nequations\n"
    "(x' - a*y)*(x' + b*x)*x = 0\n(y')^2 - 4*x*y = 0\n";

static const bench_case cases[] = {
    {"two_compartments_structure", NULL, "two_compartments", false, NULL},
    {"duffing_structure", NULL, "duffing", false, NULL},
    {"predator_prey_structure", NULL, "predator_prey", false, NULL},
    {"van_der_pol_structure", NULL, "van_der_pol", false, NULL},
    {"sir_structure", NULL, "sir", false, NULL},
    {"quarter_car_structure", NULL, "quarter_car", false, NULL},
    {"two_tanks_structure", NULL, "two_tanks", false, NULL},
    {"dc_motor_structure_all", NULL, "dc_motor", true, NULL},
    {"quarter_car_cubic_io", NULL, "quarter_car_cubic", false,
     "zc zw >> a z >> road >> m c c3 d mw ct"},
    {"lorenz_third_io", lorenz, NULL, false, "x1 x2 x3 >> y >> s r b"},
    {"pendulum_index_3_all", pendulum, NULL, true, "l x >> y >> q >> g m"},
    {"splitting_all", splitting, NULL, true, "x >> y >> a b"},
};

/* Eliminate once; return the CPU seconds, set *size. */
static double eliminate(const bench_case *c, slong *size)
{
    darc_err err;
    darc_err_init(&err);
    darc_model *m = NULL;
    char file[200];
    snprintf(file, sizeof file, "systems/%s/model.darc",
             c->system != NULL ? c->system : "");
    darc_status status =
        c->text != NULL
            ? darc_model_parse(&m, c->text, strlen(c->text), c->name, &err)
            : darc_model_read(&m, file, &err);
    if (status != DARC_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(EXIT_FAILURE);
    }
    const darc_names_struct *names = darc_model_names(m);
    int *order = calloc((size_t)names->count, sizeof *order);
    darc_model_orders(m, order);
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, m);
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    darc_decomposition_t d;
    if (c->ranking != NULL &&
        darc_ranking_set_text(rk, c->ranking, names, &err) != DARC_OK)
        exit(EXIT_FAILURE);
    darc_jet_init(jet, names, rk, order);
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    if (darc_model_equations(eq, ineq, m, jet, &err) != DARC_OK)
        exit(EXIT_FAILURE);
    double start = darc_cpu_time();
    if (darc_elim(d, &(darc_system){eq, ineq, jet}, !c->all, NULL, &err) !=
        DARC_OK)
        exit(EXIT_FAILURE);
    double seconds = darc_cpu_time() - start;
    *size = 0;
    for (int i = 0; i < d->count; i++)
        for (slong k = 0; k < d->component[i].equations->count; k++)
            if (d->component[i].equations->p[k].length > *size)
                *size = d->component[i].equations->p[k].length;
    darc_decomposition_clear(d);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    free(order);
    darc_model_free(m);
    return seconds;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const bench_case *c, int repeats)
{
    double seconds[MAX_REPEATS];
    slong size = 0;
    for (int i = 0; i < repeats; i++)
        seconds[i] = eliminate(c, &size);
    qsort(seconds, (size_t)repeats, sizeof *seconds, compare);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%-28s %6ld %9.2f %9.2f %8ld\n", c->name, (long)size,
           1e3 * seconds[repeats / 2], 1e3 * seconds[0], usage.ru_maxrss);
}

int main(int argc, char **argv)
{
    int repeats = argc > 1 ? atoi(argv[1]) : 5;
    repeats = repeats < 1 ? 1 : repeats > MAX_REPEATS ? MAX_REPEATS : repeats;
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            measure(cases + i, repeats);
            return EXIT_SUCCESS;
        }
        int wait_status;
        good = child > 0 && waitpid(child, &wait_status, 0) == child &&
               wait_status == 0 && good;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
