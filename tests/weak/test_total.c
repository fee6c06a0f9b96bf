#include "tests.h"

#include "weak/total.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frame of signals x, u (orders 0..4) and time. */
static void frame(darc_jet_t jet)
{
    darc_names_t names;
    darc_names_init(names);
    darc_names_add(names, "x", DARC_OUTPUT);
    darc_names_add(names, "u", DARC_INPUT);
    darc_names_add(names, "time", DARC_TIME);
    darc_ranking_t rk;
    darc_ranking_init(rk, 3);
    darc_jet_init(jet, names, rk, (int[]){4, 4, 0});
    darc_ranking_clear(rk);
    darc_names_clear(names);
}

/* Append coefficient * prod (unknown, order)^power, three factors a term,
 * terms ended by a zero coefficient. */
typedef struct {
    int coefficient;
    struct {
        int unknown, order, power;
    } f[3];
} mono;

static void append_part(darc_dpolys_t part, const mono *m, const darc_jet_t jet)
{
    darc_dpoly_t sum, term, v;
    darc_dpoly_init(sum, jet);
    darc_dpoly_init(term, jet);
    darc_dpoly_init(v, jet);
    for (; m->coefficient != 0; m++) {
        fmpz_mpoly_set_si(term, m->coefficient, jet->ctx);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < m->f[i].power; k++) {
                darc_dpoly_set_deriv(
                    v, (darc_deriv){m->f[i].unknown, m->f[i].order}, jet);
                fmpz_mpoly_mul(term, term, v, jet->ctx);
            }
        fmpz_mpoly_add(sum, sum, term, jet->ctx);
    }
    darc_dpolys_append_take(part, sum, jet);
    darc_dpoly_clear(sum, jet);
    darc_dpoly_clear(term, jet);
    darc_dpoly_clear(v, jet);
}

static void check_text(const darc_total_t total, const darc_jet_t jet,
                       const char *want)
{
    darc_text_t t;
    darc_text_init(t);
    darc_total_print(t, total, jet->names);
    ck_assert_str_eq(t->s, want);
    darc_text_clear(t);
}

START_TEST(linear_terms_become_total_derivatives)
{
    darc_jet_t jet;
    frame(jet);
    darc_dpolys_t part;
    darc_dpolys_init(part);
    append_part(part, (mono[]){{1, {{0, 2, 1}}}, {0}}, jet);
    append_part(part, (mono[]){{-3, {{0, 0, 2}, {0, 1, 1}}}, {0}}, jet);
    append_part(part, (mono[]){{1, {{1, 0, 1}}}, {0}}, jet);
    darc_total_t total;
    ck_assert_int_eq(darc_total_init(total, part, jet, true, NULL), DARC_OK);
    check_text(total, jet, "c0*(x)'' - c1*(x^3)' + c2*(u)");
    ck_assert_int_eq(darc_total_left(total), 0);
    ck_assert_int_eq(darc_total_order(total), 2);
    ck_assert(darc_total_is_plain(total));
    darc_total_clear(total);
    darc_dpolys_clear(part, jet);
    darc_jet_clear(jet);
}
END_TEST

/* x*x'' - x'^2 over x^2 is (log x)''; x'*x over x^2 is (log x)'. */
START_TEST(predator_prey_has_an_integrating_factor)
{
    darc_jet_t jet;
    frame(jet);
    darc_dpolys_t part;
    darc_dpolys_init(part);
    append_part(part,
                (mono[]){{1, {{0, 0, 1}, {0, 2, 1}}}, {-1, {{0, 1, 2}}}, {0}},
                jet);
    append_part(part, (mono[]){{1, {{0, 0, 2}, {0, 1, 1}}}, {0}}, jet);
    append_part(part, (mono[]){{1, {{0, 0, 1}, {0, 1, 1}}}, {0}}, jet);
    append_part(part, (mono[]){{1, {{0, 0, 3}}}, {0}}, jet);
    append_part(part, (mono[]){{1, {{0, 0, 2}}}, {0}}, jet);
    darc_total_t total;
    ck_assert_int_eq(darc_total_init(total, part, jet, true, NULL), DARC_OK);
    ck_assert_int_eq(darc_total_left(total), 0);
    ck_assert(!darc_total_is_plain(total));
    ck_assert_int_eq(total->factor[darc_total_var(total, (darc_deriv){0, 0})],
                     -2);
    ck_assert_int_eq(total->count, 5);
    darc_total_clear(total);

    ck_assert_int_eq(darc_total_init(total, part, jet, false, NULL), DARC_OK);
    ck_assert_int_eq(darc_total_left(total), 1);
    darc_total_clear(total);
    darc_dpolys_clear(part, jet);
    darc_jet_clear(jet);
}
END_TEST

START_TEST(products_that_are_derivatives_are_found)
{
    darc_jet_t jet;
    frame(jet);
    darc_dpolys_t part;
    darc_dpolys_init(part);
    append_part(
        part,
        (mono[]){{1, {{0, 1, 1}, {1, 0, 1}}}, {1, {{0, 0, 1}, {1, 1, 1}}}, {0}},
        jet);
    darc_total_t total;
    ck_assert_int_eq(darc_total_init(total, part, jet, false, NULL), DARC_OK);
    check_text(total, jet, "c0*(x*u)'");
    darc_total_clear(total);
    darc_dpolys_clear(part, jet);
    darc_jet_clear(jet);
}
END_TEST

/* ---- second route: the sum of total derivatives on power series ---------- */

enum { TERMS = 8 };

typedef struct {
    double c[TERMS];
} series;

static series series_mul(series a, series b)
{
    series r = {{0}};
    for (int i = 0; i < TERMS; i++)
        for (int j = 0; i + j < TERMS; j++)
            r.c[i + j] += a.c[i] * b.c[j];
    return r;
}

static series series_diff(series a)
{
    series r = {{0}};
    for (int i = 1; i < TERMS; i++)
        r.c[i - 1] = i * a.c[i];
    return r;
}

static series series_inverse(series a)
{
    series r = {{1 / a.c[0]}};
    for (int n = 1; n < TERMS; n++) {
        double s = 0;
        for (int i = 1; i <= n; i++)
            s += a.c[i] * r.c[n - i];
        r.c[n] = -s / a.c[0];
    }
    return r;
}

static series series_log(series a)
{
    series d = series_mul(series_diff(a), series_inverse(a));
    series r = {{log(a.c[0])}};
    for (int i = 1; i < TERMS; i++)
        r.c[i] = d.c[i - 1] / i;
    return r;
}

static series series_power(series a, int e)
{
    series r = {{1}}, f = e < 0 ? series_inverse(a) : a;
    for (int k = 0; k < abs(e); k++)
        r = series_mul(r, f);
    return r;
}

static series signal_series(darc_deriv d)
{
    static const series signal[3] = {
        {{2.385, 0.7, -0.31, 0.11, 0.05, -0.02, 0.013, 0.004}},
        {{1.21, -0.4, 0.23, -0.17, 0.08, 0.03, -0.01, 0.002}},
        {{0.3, 1}}};
    series s = signal[d.unknown];
    for (int k = 0; k < d.order; k++)
        s = series_diff(s);
    return s;
}

/* The value at t = 0 of coefficient j. */
static double total_value(const darc_total_t total, int j)
{
    double value = 0;
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        if (t->coeff != j)
            continue;
        series s = {{1}};
        for (int v = 0; v < total->vars; v++)
            s = series_mul(
                s, series_power(signal_series(total->var[v]), t->exponent[v]));
        if (t->log >= 0)
            s = series_mul(s, series_log(signal_series(total->var[t->log])));
        for (int k = 0; k < t->order; k++)
            s = series_diff(s);
        value += fmpz_get_d(fmpq_numref(t->factor)) /
                 fmpz_get_d(fmpq_denref(t->factor)) * s.c[0];
    }
    return value;
}

static double mono_value(const mono *m)
{
    double value = 0;
    for (; m->coefficient != 0; m++) {
        double p = m->coefficient;
        for (int i = 0; i < 3; i++)
            p *= pow(signal_series((darc_deriv){m->f[i].unknown, m->f[i].order})
                         .c[0],
                     m->f[i].power);
        value += p;
    }
    return value;
}

static void random_part(mono *m, int terms, flint_rand_t state)
{
    for (int i = 0; i < terms; i++) {
        m[i].coefficient = 1 + (int)n_randint(state, 9);
        for (int k = 0; k < 3; k++) {
            m[i].f[k].unknown = (int)n_randint(state, 7) / 3;
            m[i].f[k].order =
                m[i].f[k].unknown == 2 ? 0 : (int)n_randint(state, 4);
            m[i].f[k].power = (int)n_randint(state, 3);
        }
    }
    m[terms].coefficient = 0;
}

START_TEST(random_polynomials_keep_their_value_on_power_series)
{
    darc_jet_t jet;
    frame(jet);
    flint_rand_t state;
    flint_randinit(state);
    for (int trial = 0; trial < 60; trial++) {
        mono m[5];
        random_part(m, 1 + trial % 4, state);
        darc_dpolys_t part;
        darc_dpolys_init(part);
        append_part(part, m, jet);
        darc_total_t total;
        ck_assert_int_eq(
            darc_total_init(total, part, jet, trial % 2 == 0, NULL), DARC_OK);
        double mu = 1;
        for (int v = 0; v < total->vars; v++)
            mu *= pow(signal_series(total->var[v]).c[0], total->factor[v]);
        double want = mu * mono_value(m);
        ck_assert_double_eq_tol(total_value(total, 0), want,
                                1e-9 * (1 + fabs(want)));
        darc_total_clear(total);
        darc_dpolys_clear(part, jet);
    }
    flint_randclear(state);
    darc_jet_clear(jet);
}
END_TEST

/* Under a factor terms become what others were before: u^2*x by 1/u is u*x. */
START_TEST(factors_do_not_confuse_neighbours)
{
    darc_jet_t jet;
    frame(jet);
    flint_rand_t state;
    flint_randinit(state);
    for (int trial = 0; trial < 40; trial++) {
        mono m[10];
        memset(m, 0, sizeof m);
        for (int i = 0; i < 9; i++) {
            m[i].coefficient = (int)n_randint(state, 9) - 12;
            for (int k = 0; k < 2; k++) {
                m[i].f[k].unknown = k;
                m[i].f[k].power = (int)n_randint(state, 4);
            }
            m[i].f[2].unknown = i % 2;
            m[i].f[2].order = i < 3 ? 1 : 0;
            m[i].f[2].power = i < 3 ? 1 + i % 2 : 0;
        }
        darc_dpolys_t part;
        darc_dpolys_init(part);
        append_part(part, m, jet);
        darc_total_t total;
        ck_assert_int_eq(darc_total_init(total, part, jet, true, NULL),
                         DARC_OK);
        double mu = 1;
        for (int v = 0; v < total->vars; v++)
            mu *= pow(signal_series(total->var[v]).c[0], total->factor[v]);
        double want = mu * mono_value(m);
        ck_assert_double_eq_tol(total_value(total, 0), want,
                                1e-9 * (1 + fabs(want)));
        darc_total_clear(total);
        darc_dpolys_clear(part, jet);
    }
    flint_randclear(state);
    darc_jet_clear(jet);
}
END_TEST

START_TEST(terms_can_be_appended)
{
    darc_jet_t jet;
    frame(jet);
    darc_dpolys_t part;
    darc_dpolys_init(part);
    append_part(part, (mono[]){{1, {{0, 2, 1}}}, {0}}, jet);
    append_part(part, (mono[]){{1, {{1, 0, 1}}}, {0}}, jet);
    darc_total_t total;
    ck_assert_int_eq(darc_total_init(total, part, jet, true, NULL), DARC_OK);
    int e[16] = {0}, x = darc_total_var(total, (darc_deriv){0, 0});
    int coeff = darc_total_open(total);
    ck_assert_int_eq(coeff, 2);
    e[darc_total_var(total, (darc_deriv){0, 3})] = 1;
    darc_total_put(total, coeff, 1.5, 0, e);
    e[darc_total_var(total, (darc_deriv){0, 3})] = 0;
    e[darc_total_var(total, (darc_deriv){0, 1})] = e[x] = 1;
    darc_total_put(total, coeff, 0.75, 0, e);
    darc_total_reduce(total);
    check_text(total, jet, "c0*(x)'' + c1*(u) + c2*3/2*(x)''' + c2*3/8*(x^2)'");
    ck_assert_int_eq(darc_total_order(total), 3);
    ck_assert_int_eq(total->coeffs, 3);
    /* a signal without derivatives, times x */
    int s = darc_total_extend(total, 2);
    memset(e, 0, sizeof e);
    e[s] = e[x] = 1;
    ck_assert_int_eq(darc_total_var(total, (darc_deriv){2, 0}), s);
    darc_total_put(total, darc_total_open(total), 1, 1, e);
    darc_total_reduce(total);
    ck_assert_int_eq(total->coeffs, 4);
    ck_assert_int_eq(darc_total_left(total), 0);
    darc_total_clear(total);
    darc_dpolys_clear(part, jet);
    darc_jet_clear(jet);
}
END_TEST

Suite *suite_total(void)
{
    Suite *s = suite_create("total");
    TCase *c = tcase_create("total");
    tcase_add_test(c, linear_terms_become_total_derivatives);
    tcase_add_test(c, predator_prey_has_an_integrating_factor);
    tcase_add_test(c, products_that_are_derivatives_are_found);
    tcase_add_test(c, random_polynomials_keep_their_value_on_power_series);
    tcase_add_test(c, factors_do_not_confuse_neighbours);
    tcase_add_test(c, terms_can_be_appended);
    suite_add_tcase(s, c);
    return s;
}
