/* The quarter-car structure relation over 1e7 samples on one core, against
 * a STREAM triad in the same process: bytes of inputs and output over time.
 * Columns: name, samples, median and least milliseconds, GB/s, share of the
 * triad. */
#include "base/budget.h"
#include "pointwise/residual.h"
#include "relation/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 10000000
#define REPEATS 7
#define INPUTS 7

typedef struct {
    darc_relation relation;
    darc_program *program;
    darc_table table;
    darc_signal signal[2];
    darc_segment segment;
    darc_residual *residual;
    double *in[INPUTS]; /* a a' a'' z z' z'' z''' */
    double *out;
} bench;

static double *new_column(double frequency)
{
    double *x = malloc(SAMPLES * sizeof *x);
    if (x == NULL)
        exit(EXIT_FAILURE);
    for (size_t i = 0; i < SAMPLES; i++)
        x[i] = 1 + frequency * (double)(i * 2654435761u % 1000);
    return x;
}

static void triad(bench *b)
{
    double *restrict a = b->out;
    const double *restrict x = b->in[0], *restrict y = b->in[1];
    for (size_t i = 0; i < SAMPLES; i++)
        a[i] = x[i] + 3.0 * y[i];
}

static void given(bench *b)
{
    const double *in[INPUTS];
    double *out[] = {b->out};
    for (int i = 0; i < INPUTS; i++) {
        darc_deriv d = b->program->deriv[i];
        in[i] = b->in[d.unknown == 0 ? d.order : 3 + d.order];
    }
    darc_program_eval(b->program, in, out, SAMPLES);
}

static void errors(bench *b)
{
    darc_residual_errors e[1];
    darc_residual_set_noise(b->residual, 0, 1e-6, 1e-6);
    darc_residual_set_noise(b->residual, 1, 1e-6, 1e-6);
    if (darc_residual_run(b->residual, 1, NULL, e, NULL, NULL) != DARC_OK)
        exit(EXIT_FAILURE);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Return bytes per second of the least time. */
static double measure(bench *b, const char *name, void (*f)(bench *),
                      double bytes, double triad_rate, int repeats)
{
    double t[REPEATS];
    for (int i = 0; i < repeats; i++) {
        double start = darc_now();
        f(b);
        t[i] = darc_now() - start;
    }
    qsort(t, (size_t)repeats, sizeof *t, by_value);
    double rate = bytes * SAMPLES / t[0];
    printf("%-10s %d %8.1f %8.1f ms %6.2f GB/s %5.2f\n", name, SAMPLES,
           1e3 * t[repeats / 2], 1e3 * t[0], rate / 1e9,
           triad_rate > 0 ? rate / triad_rate : 1);
    return rate;
}

/* det [[a, z, z'], [a', z', z''], [a'', z'', z''']]. */
static void make_relation(bench *b)
{
    static const char det[] = "a0*z1*z3 - a0*z2^2 - z0*a1*z3 + z0*z2*a2 + "
                              "z1*a1*z2 - z1^2*a2";
    static int recording[2], unknown[2] = {0, 1};
    darc_relation *r = &b->relation;
    darc_names_t names;
    darc_ranking_t ranking;
    const int bound[] = {2, 3};
    darc_names_init(names);
    darc_names_add(names, "a", DARC_OUTPUT);
    darc_names_add(names, "z", DARC_OUTPUT);
    darc_ranking_init(ranking, 2);
    *r = (darc_relation){.recordings = 1,
                         .recording = recording,
                         .unknown = unknown,
                         .order = 3,
                         .expanded = true};
    darc_jet_init(r->jet, names, ranking, bound);
    darc_dpolys_init(r->inequations);
    darc_dpoly_init(r->poly, r->jet);
    const char *x[INPUTS];
    char label[INPUTS][4];
    for (int v = 0; v < INPUTS; v++) {
        darc_deriv d = r->jet->deriv[v];
        snprintf(label[v], sizeof label[v], "%c%c", d.unknown == 0 ? 'a' : 'z',
                 '0' + d.order % 10);
        x[v] = label[v];
    }
    if (fmpz_mpoly_set_str_pretty(r->poly, det, x, r->jet->ctx) != 0)
        exit(EXIT_FAILURE);
    darc_ranking_clear(ranking);
    darc_names_clear(names);
}

static void make_table(bench *b)
{
    static char a[] = "a", z[] = "z", unit[] = "", file[] = "bench";
    b->signal[0] = (darc_signal){a, unit, b->in[0]};
    b->signal[1] = (darc_signal){z, unit, b->in[3]};
    b->segment = (darc_segment){0, SAMPLES};
    b->table = (darc_table){.file = file,
                            .samples = SAMPLES,
                            .dt = 1e-3,
                            .signals = 2,
                            .signal = b->signal,
                            .segments = 1,
                            .segment = &b->segment};
}

int main(void)
{
    static bench b;
    darc_dpolys_t p;
    darc_diff_spec spec;
    const darc_table *tables[] = {&b.table};
    make_relation(&b);
    darc_dpolys_init(p);
    darc_dpolys_append(p, b.relation.poly, b.relation.jet);
    darc_program_compile(&b.program, p, false, b.relation.jet);
    for (int i = 0; i < INPUTS; i++)
        b.in[i] = new_column(1e-3 * (i + 1));
    b.out = new_column(0);
    make_table(&b);
    spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
    if (darc_residual_new(&b.residual, &b.relation, tables, &spec, NULL) !=
        DARC_OK)
        return EXIT_FAILURE;
    double rate = measure(&b, "triad", triad, 24, 0, REPEATS);
    measure(&b, "given", given, 8.0 * (INPUTS + 1), rate, REPEATS);
    measure(&b, "errors", errors, 24, rate, 1);
    darc_residual_free(b.residual);
    darc_program_free(b.program);
    darc_dpolys_clear(p, b.relation.jet);
    darc_dpoly_clear(b.relation.poly, b.relation.jet);
    darc_jet_clear(b.relation.jet);
    for (int i = 0; i < INPUTS; i++)
        free(b.in[i]);
    free(b.out);
    return EXIT_SUCCESS;
}
