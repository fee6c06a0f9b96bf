/* Simulation: the quarter car on a road, 20 s at 1 kHz, and a stiff lag.
 *
 *     bench_simulate [RUNS]      (default 5)
 *
 * One line a case: name, samples, median and least CPU time in ms of RUNS
 * runs, peak memory in kB.
 */
#include "simulate/simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef struct {
    const char *name, *text;
    int params;
    const char *param[5], *value[5];
    const char *input, *signal; /* of the only input */
    double t_end, rate;
} bench_case;

static const bench_case cases[] = {
    {"quarter_car",
     "model car\nstates\n x w\nparameters\n m c d mw ct\ninputs\n u\n"
     "outputs\n a z\nequations\n m*x'' = c*(w - x) + d*(w' - x')\n"
     " mw*w'' = ct*(u - w) - c*(w - x) - d*(w' - x')\n"
     " a = x''\n z = w - x\n",
     5,
     {"m", "c", "d", "mw", "ct"},
     {"300", "20000", "1500", "40", "180000"},
     "u",
     "road:C,20",
     20,
     1000},
    {"stiff_lag",
     "model lag\nstates\n x\nparameters\n T\ninputs\n u\noutputs\n y\n"
     "equations\n T*x' = u - x\n y = x\n",
     1,
     {"T"},
     {"1e-6"},
     "u",
     "sine:1,0.5",
     20,
     1000},
};

static double run(const bench_case *c, size_t *samples)
{
    darc_err err;
    darc_err_init(&err);
    darc_model *model = NULL;
    darc_table *table = NULL;
    darc_simulate_options o;
    darc_simulate_options_init(&o);
    o.param = (darc_settings){c->params, c->param, c->value};
    o.input = (darc_settings){1, &c->input, &c->signal};
    o.t_end = c->t_end;
    o.rate = c->rate;
    double start = darc_cpu_time();
    darc_status status =
        darc_model_parse(&model, c->text, strlen(c->text), c->name, &err);
    if (status == DARC_OK)
        status = darc_simulate(&table, model, &o, NULL, &err);
    double seconds = darc_cpu_time() - start;
    if (status != DARC_OK) {
        fprintf(stderr, "%s: %s\n", c->name, err.message);
        exit(EXIT_FAILURE);
    }
    *samples = table->samples;
    darc_table_free(table);
    darc_model_free(model);
    return seconds;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    enum { MOST = 1000 };
    static double seconds[MOST];
    int runs = argc > 1 ? atoi(argv[1]) : 5;
    runs = runs < 1 ? 1 : runs > MOST ? MOST : runs;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t samples = 0;
        for (int k = 0; k < runs; k++)
            seconds[k] = run(&cases[i], &samples);
        qsort(seconds, (size_t)runs, sizeof *seconds, compare);
        struct rusage use;
        getrusage(RUSAGE_SELF, &use);
        printf("%-12s %8zu %10.1f %10.1f %8ld\n", cases[i].name, samples,
               1e3 * seconds[runs / 2], 1e3 * seconds[0], use.ru_maxrss);
    }
    return EXIT_SUCCESS;
}
