#include "tests.h"

#include "draw.h"
#include "fit/estimates.h"
#include "models.h"
#include "terms/jumps.h"
#include "weakbench.h"

#include <string.h>

/* ---- made up --------------------------------------------------------------
 */

enum { N = 6, FIRST = 4, SECOND = 2 };

typedef struct {
    darc_estimates e;
    darc_estimates_equation eq[2];
    double c[N], cov[N * N], bias[N], gram[FIRST * FIRST],
        other[SECOND * SECOND], share[N];
    bool free[N];
} made;

/* Two equations, of the first of which coefficient 1 is fixed, with the
 * covariance and second moments of random columns. */
static void make(made *m, uint64_t *state)
{
    double b[N][N + 2];
    memset(m, 0, sizeof *m);
    m->e = (darc_estimates){.equations = 2, .coeffs = N, .eq = m->eq};
    m->e.c = m->c;
    m->e.cov = m->cov;
    m->e.bias = m->bias;
    m->e.free = m->free;
    m->eq[0] = (darc_estimates_equation){.coeffs = FIRST,
                                         .reference = 1,
                                         .offset = -1,
                                         .size = 2.385,
                                         .gram = m->gram,
                                         .share = m->share};
    m->eq[1] = (darc_estimates_equation){.first = FIRST,
                                         .coeffs = SECOND,
                                         .reference = FIRST,
                                         .offset = -1,
                                         .size = 0.7,
                                         .gram = m->other,
                                         .share = m->share + FIRST};
    for (int i = 0; i < N; i++) {
        m->free[i] = i != 1 && i != FIRST;
        m->c[i] = m->free[i] ? 1 + draw_normal(state) : 1;
        m->bias[i] = m->free[i] ? 0.1 * draw_uniform(state) : 0;
        for (int k = 0; k < N + 2; k++)
            b[i][k] = 0.1 * draw_normal(state);
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int l = 0; l < N; l++)
                if (m->free[i] && m->free[k])
                    m->cov[i * N + k] += b[i][l] * b[k][l];
    for (int i = 0; i < FIRST; i++)
        for (int k = 0; k < FIRST; k++)
            for (int l = 2; l < N + 2; l++)
                m->gram[i * FIRST + k] += b[i][l] * b[k][l];
    m->other[0] = m->other[3] = 1;
}

START_TEST(estimates_change_their_chart_as_fits_do)
{
    uint64_t state = 3;
    made m;
    double c[N], cov[N * N];
    bool free[N];
    int first[] = {0, FIRST, N}, reference[] = {1, FIRST};
    make(&m, &state);
    darc_gls g = {.coeffs = N, .equations = 2, .first = first};
    memcpy(c, m.c, sizeof c);
    memcpy(cov, m.cov, sizeof cov);
    memcpy(free, m.free, sizeof free);
    g.c = c;
    g.cov = cov;
    g.free = free;
    g.reference = reference;
    double size = m.eq[0].size, to = m.c[3], off = m.bias[3];
    double other = m.bias[2], value = m.c[2];
    ck_assert(darc_estimates_refer(&m.e, 0, 3) && weakbench_refer(&g, 0, 3));
    for (int i = 0; i < N * N; i++)
        ck_assert_double_eq_tol(m.cov[i], cov[i], 1e-14);
    for (int i = 0; i < N; i++) {
        ck_assert_double_eq_tol(m.c[i], c[i], 1e-14);
        ck_assert_int_eq(m.free[i], free[i]);
    }
    ck_assert_double_eq_tol(m.eq[0].size, size / fabs(to), 1e-14);
    ck_assert(m.eq[0].reference == 3 && m.bias[3] == 0);
    /* bounds add up: |d(c2/c3)| <= (d2 + |c2/c3| d3) / |c3| */
    ck_assert_double_eq_tol(m.bias[2],
                            (other + fabs(value / to) * off) / fabs(to), 1e-14);
    m.c[0] = 0;
    ck_assert(!darc_estimates_refer(&m.e, 0, 0));
    ck_assert_int_eq(m.eq[0].reference, 3);
}
END_TEST

/* The largest effect on a fine grid over the ellipsoid of the three free
 * coefficients, by the Cholesky factor of their covariance. */
static double search(const made *m, const double *d, double r2)
{
    enum { GRID = 400 };
    static const int at[] = {0, 2, 3};
    double l[3][3] = {{0}}, most = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            double sum = m->cov[at[i] * N + at[k]];
            for (int h = 0; h < k; h++)
                sum -= l[i][h] * l[k][h];
            l[i][k] = i == k ? sqrt(sum) : sum / l[k][k];
        }
    for (int p = 0; p <= GRID; p++)
        for (int q = 0; q < 2 * GRID; q++) {
            double a = 3.14159265358979 * p / GRID,
                   b = 3.14159265358979 * q / GRID;
            double x[3] = {sin(a) * cos(b), sin(a) * sin(b), cos(a)}, u[N];
            memcpy(u, d, sizeof u);
            for (int i = 0; i < 3; i++)
                for (int k = 0; k <= i; k++)
                    u[at[i]] += sqrt(r2) * l[i][k] * x[k];
            most = fmax(most, darc_estimates_effect(&m->e, 0, u));
        }
    return most;
}

START_TEST(the_largest_effect_is_that_of_a_search)
{
    uint64_t state = 7;
    made m;
    for (int run = 0; run < 12; run++) {
        double d[N] = {0}, r2 = 0.3 + 5 * draw_uniform(&state);
        make(&m, &state);
        for (int i = 0; i < N && run > 1; i++)
            d[i] = m.free[i] ? 0.3 * draw_normal(&state) : 0;
        double most = darc_estimates_most_effect(&m.e, 0, d, m.cov, r2);
        double found = search(&m, d, r2);
        ck_assert_double_ge(most, found * (1 - 1e-9));
        ck_assert_double_le(most, found * (1 + 1e-4));
        ck_assert_double_ge(most, darc_estimates_effect(&m.e, 0, d));
    }
    double none[N] = {0};
    m.cov[0] = HUGE_VAL;
    ck_assert(isinf(darc_estimates_most_effect(&m.e, 0, none, m.cov, 1)));
    m.eq[1].size = 0;
    ck_assert(isinf(darc_estimates_most_effect(&m.e, 1, none, m.cov, 1)));
    ck_assert(isinf(darc_estimates_effect(&m.e, 1, none)));
}
END_TEST

/* A coefficient in units of a millionth, others in those of a million: the
 * numbers change, the effect does not. */
START_TEST(units_do_not_move_the_largest_effect)
{
    uint64_t state = 11;
    made m;
    for (int round = 0; round < 20; round++) {
        make(&m, &state);
        double d[N];
        for (int i = 0; i < N; i++)
            d[i] = m.free[i] ? .3 * draw_normal(&state) : 0;
        double most = darc_estimates_most_effect(&m.e, 0, d, m.cov, 10);
        for (int i = 0; i < FIRST; i++) {
            double unit = i == 2 ? 1e6 : 1e-6;
            d[i] *= unit;
            for (int k = 0; k < N; k++) {
                m.cov[i * N + k] *= unit;
                m.cov[k * N + i] *= unit;
            }
            for (int k = 0; k < FIRST; k++) {
                m.gram[i * FIRST + k] /= unit;
                m.gram[k * FIRST + i] /= unit;
            }
        }
        ck_assert_double_eq_tol(
            darc_estimates_most_effect(&m.e, 0, d, m.cov, 10), most,
            1e-9 * most);
    }
}
END_TEST

/* ---- of a recording -------------------------------------------------------
 */

START_TEST(a_recording_is_kept_as_estimates)
{
    weakbench b;
    darc_fit f;
    darc_estimates e;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
    darc_estimates_init(&e, &f, &b.x, 0.01);
    ck_assert(e.equations == 1 && e.coeffs == 3 && !e.misfit);
    ck_assert(e.p_value > 0.01 && isinf(e.error_dof) && e.eq->offset == -1);
    double largest = 0, effect;
    for (int j = 0; j < 3; j++) {
        double d[3] = {0}, sd = sqrt(e.cov[j * 4]), c = fabs(e.c[j]);
        d[j] = e.c[j];
        effect = darc_estimates_effect(&e, 0, d);
        ck_assert_double_eq_tol(effect, e.eq->share[j], 1e-2);
        largest = fmax(largest, e.eq->share[j]);
        ck_assert_int_eq(e.free[j], j != e.eq->reference);
        if (j == e.eq->reference) /* m, declared first */
            ck_assert(e.c[j] == 1 && sd == 0);
        else
            ck_assert(fabs(c - 200.0 / 3) < 5 * sd || fabs(c - 5) < 5 * sd);
    }
    ck_assert_double_eq(largest, 1);
    darc_estimates_clear(&e);
    darc_fit_clear(&f);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* White noise whose colour is not known: the covariance follows the residual,
 * but estimates are hardly less sure. */
START_TEST(noise_of_any_colour_keeps_the_weights_of_noise)
{
    weakbench b;
    darc_fit f[2];
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    for (int any = 0; any < 2; any++) {
        b.by.colour = any ? DARC_ASSUME_ANY : DARC_ASSUME_AUTO;
        ck_assert_int_eq(darc_fit_init(f + any, &b.x, t, 0.01, NULL), DARC_OK);
        ck_assert(f[any].fit.converged && f[any].misfit == (any == 1));
    }
    for (int j = 0; j < 3; j++) {
        double sd = sqrt(f[0].fit.cov[j * 4]);
        ck_assert_double_le(sqrt(f[1].fit.cov[j * 4]), 1.5 * sd);
        ck_assert_double_le(fabs(f[1].fit.c[j] - f[0].fit.c[j]), sd);
    }
    for (int any = 0; any < 2; any++)
        darc_fit_clear(f + any);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

Suite *suite_estimates(void)
{
    Suite *s = suite_create("estimates");
    TCase *c = tcase_create("estimates");
    tcase_add_test(c, estimates_change_their_chart_as_fits_do);
    tcase_add_test(c, the_largest_effect_is_that_of_a_search);
    tcase_add_test(c, units_do_not_move_the_largest_effect);
    tcase_add_test(c, a_recording_is_kept_as_estimates);
    tcase_add_test(c, noise_of_any_colour_keeps_the_weights_of_noise);
    suite_add_tcase(s, c);
    return s;
}
