/* Parameters that make given coefficients. */
#include "tests.h"

#include "base/mem.h"
#include "decide/witness.h"
#include "models.h"
#include "weakbench.h"

/* One relation, of a degree at which none is sought. */
static const char drive[] =
    "model drive\nstates\n i wm phi wl\nparameters\n L R k J1 J2 n c d b\n"
    "inputs\n u\noutputs\n y yi\nequations\n L*i' + R*i + k*wm = u\n"
    " phi' = wm/n - wl\n J1*wm' = k*i - (c*phi + d*(wm/n - wl))/n\n"
    " J2*wl' = c*phi + d*(wm/n - wl) - b*wl\n y = wm\n yi = i\n";

enum { PARAMETERS = 9, VECTORS = 2 };
static const double some[PARAMETERS] = {.05, 1, .5, .01, .5, 5, 30, .5, .2};
static const double negative[PARAMETERS] = {.05, 1,  .5,  .01, -.5,
                                            5,   30, -.5, .2};

typedef struct {
    weakbench b;
    darc_coeffs_t c;
    darc_estimates e;
    darc_estimates_equation eq[VECTORS];
    int place[VECTORS];
} coefficients;

/* Coefficients at the parameters x, each with a relative standard deviation,
 * over the last one of its equation. */
static void open(coefficients *q, const double *x, double sd)
{
    weakbench_open(&q->b, drive, 0);
    darc_coeffs_init(q->c, q->b.io, -1, NULL);
    ck_assert(q->c->vars == PARAMETERS && q->c->vectors == VECTORS);
    int n = (int)q->c->first[VECTORS];
    q->e = (darc_estimates){.equations = VECTORS,
                            .coeffs = n,
                            .eq = q->eq,
                            .c = darc_calloc((size_t)n, sizeof(double)),
                            .cov = darc_calloc((size_t)(n * n), sizeof(double)),
                            .free = darc_calloc((size_t)n, sizeof(bool)),
                            .error_dof = HUGE_VAL};
    for (int k = 0; k < n; k++) {
        const fmpz_mpoly_struct *b = q->c->b + k;
        ulong power[PARAMETERS];
        for (slong t = 0; t < b->length; t++) {
            fmpz_mpoly_get_term_exp_ui(power, b, t, q->c->ctx);
            double term = fmpz_get_d(b->coeffs + t);
            for (int v = 0; v < PARAMETERS; v++)
                term *= pow(x[v], (double)power[v]);
            q->e.c[k] += term;
        }
    }
    for (int i = 0; i < VECTORS; i++) {
        int first = (int)q->c->first[i], last = (int)q->c->first[i + 1] - 1;
        q->place[i] = i;
        q->eq[i] = (darc_estimates_equation){.first = first,
                                             .coeffs = last + 1 - first,
                                             .reference = last,
                                             .offset = -1};
        for (int k = first; k <= last; k++) {
            q->e.c[k] /= k < last ? q->e.c[last] : 1;
            q->e.free[k] = k < last;
            q->e.cov[k * (n + 1)] = k < last ? pow(sd * q->e.c[k], 2) : 0;
        }
        q->e.c[last] = 1;
    }
}

static void close(coefficients *q)
{
    darc_free(q->e.c);
    darc_free(q->e.cov);
    darc_free(q->e.free);
    darc_coeffs_clear(q->c);
    weakbench_close(&q->b);
}

static bool exists(const coefficients *q, double tolerance)
{
    darc_witness_question asked = {.c = q->c,
                                   .of = {&q->e},
                                   .place = q->place,
                                   .tolerance = tolerance,
                                   .alpha = 0.01};
    return darc_witness_exists(&asked, NULL, NULL);
}

START_TEST(parameters_are_found)
{
    coefficients q;
    double sd = _i < 2 ? 1e-3 : 1e-7;
    open(&q, _i % 2 == 0 ? some : negative, sd);
    ck_assert(exists(&q, 0));
    /* two coefficients move off the variety */
    int at = q.eq[1].first;
    q.e.c[at + 2] *= 1 + 40 * sd;
    q.e.c[at + 3] *= 1 - 40 * sd;
    ck_assert(!exists(&q, 0));
    ck_assert(exists(&q, 80 * sd));
    close(&q);
}
END_TEST

START_TEST(nothing_is_found_without_a_covariance)
{
    coefficients q;
    open(&q, some, 1e-3);
    q.e.cov[0] = NAN;
    ck_assert(!exists(&q, 0));
    close(&q);
}
END_TEST

Suite *suite_witness(void)
{
    Suite *s = suite_create("witness");
    TCase *t = tcase_create("witness");
    tcase_add_loop_test(t, parameters_are_found, 0, 4);
    tcase_add_test(t, nothing_is_found_without_a_covariance);
    suite_add_tcase(s, t);
    return s;
}
