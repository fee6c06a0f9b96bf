/* What a model makes coefficients obey. */
#include "tests.h"

#include "decide/bindings.h"
#include "draw.h"
#include "models.h"
#include "simulation.h"
#include "terms/jumps.h"
#include "weakbench.h"

#include <math.h>

/* The transfer a leaves one tank and enters the other. */
static const char tanks[] =
    "model tanks\nstates\n x w\nparameters\n a b\ninputs\n u\noutputs\n y z\n"
    "equations\n x' = u - a*x\n w' = a*x - b*w\n y = x\n z = w\n";
static const char two_roots[] =
    "model roots\nparameters\n p q\noutputs\n y\ninputs\n u\nequations\n"
    " y'' + (p + q)*y' + p*q*y = u\n";
/* Nobody changes what two gains have in common. */
static const char gains[] =
    "model gains\nstates\n x w\nparameters\n p q\ninputs\n u\noutputs\n y z\n"
    "equations\n x' = u - p*q*x\n w' = u - p*w\n y = x\n z = w\n";

static void open(darc_bindings *b, weakbench *w, const char *model,
                 const char *changed)
{
    bool set[16] = {false};
    weakbench_open(w, model, 0);
    weakbench_name(set, w, changed == NULL ? "" : changed);
    ck_assert_int_eq(darc_bindings_init(b, &w->x, changed == NULL ? NULL : set,
                                        NULL, 0, NULL),
                     DARC_OK);
}

START_TEST(relations_are_found_and_printed)
{
    static const struct {
        const char *model, *changed, *text;
        int count;
    } row[] = {{model_quarter, NULL, "", 0},
               {tanks, NULL, "c1(z)*c0(y)-c0(z)*c1(y) = 0", 1},
               {model_quarter, "m", "cA2*cB1-cA1*cB2 = 0", 1},
               {model_quarter, "mc", "", 0},
               {gains, "q", NULL, 1},
               {gains, "p", NULL, 1},
               {gains, "pq", "", 0}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        weakbench w;
        darc_bindings b;
        darc_text_t t;
        darc_text_init(t);
        open(&b, &w, row[i].model, row[i].changed);
        ck_assert_int_eq(b.count, row[i].count);
        ck_assert(b.complete && !b.wanting);
        darc_bindings_print(t, &b, &w.x);
        if (row[i].text != NULL)
            ck_assert_str_eq(t->s, row[i].text);
        darc_text_clear(t);
        darc_bindings_clear(&b);
        weakbench_close(&w);
    }
}
END_TEST

/* By differences; and coefficients of the model obey them. */
START_TEST(relations_have_the_jacobian_they_say)
{
    uint64_t state = 3;
    weakbench w;
    darc_bindings b;
    open(&b, &w, two_roots, "p");
    int n = b.variables, m = b.count;
    ck_assert(n == 6 && m == 1);
    double *x = calloc((size_t)n, sizeof *x), h[8], up[8], down[8];
    double *jac = calloc((size_t)(m * n), sizeof *jac);
    for (int j = 0; j < n; j++)
        x[j] = 1 + draw_uniform(&state);
    darc_bindings_evaluate(&b, x, h, jac);
    for (int j = 0; j < n; j++) {
        const double step = 1e-5, at = x[j];
        x[j] = at + step;
        darc_bindings_evaluate(&b, x, up, NULL);
        x[j] = at - step;
        darc_bindings_evaluate(&b, x, down, NULL);
        x[j] = at;
        for (int k = 0; k < m; k++)
            ck_assert_double_eq_tol(jac[k * n + j],
                                    (up[k] - down[k]) / (2 * step), 1e-6);
    }
    free(x);
    free(jac);
    darc_bindings_clear(&b);
    weakbench_close(&w);
}
END_TEST

/* Cubes of small and large coefficients leave the range of numbers. */
START_TEST(units_do_not_matter)
{
    static const char model[] =
        "model cubes\nstates\n x\nparameters\n a b\ninputs\n u\noutputs\n y\n"
        "equations\n x' = u - a^3*x - b^3*x^2 - a*b^2*x^3\n y = x\n";
    static const double unit[] = {1, 1e-70, 1e70, 1e-100, 1e100};
    double p[sizeof unit / sizeof *unit];
    weakbench w;
    darc_bindings b;
    open(&b, &w, model, NULL);
    ck_assert_int_eq(b.count, 1);
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        darc_constraint c;
        darc_constraint_init(&c, b.variables, 1);
        for (int j = 0; j < c.n; j++) {
            c.x[j] = unit[i] * (1 + 0.1 * j);
            c.v[j * (c.n + 1)] = pow(0.05 * unit[i], 2);
        }
        c.relations = darc_bindings_evaluate;
        c.user = &b;
        darc_constraint_solve(&c);
        ck_assert(c.settled && c.dof == 1);
        p[i] = c.p_value;
        ck_assert(p[i] > 1e-6 && p[i] < 1 - 1e-6);
        ck_assert_double_eq_tol(p[i], p[0], 1e-9);
        darc_constraint_clear(&c);
    }
    darc_bindings_clear(&b);
    weakbench_close(&w);
}
END_TEST

START_TEST(what_is_not_expanded_is_wanting)
{
    weakbench w;
    darc_bindings b;
    weakbench_open(&w, two_roots, 0);
    w.io->eq[0].expanded = false;
    ck_assert_int_eq(darc_bindings_init(&b, &w.x, NULL, NULL, 0, NULL),
                     DARC_OK);
    ck_assert(b.count == 0 && b.wanting && !b.complete);
    w.io->eq[0].expanded = true;
    darc_bindings_clear(&b);
    weakbench_close(&w);
    /* one equation of two: what they share is not known */
    weakbench_open(&w, tanks, 0);
    w.x.equations = 1;
    ck_assert_int_eq(darc_bindings_init(&b, &w.x, NULL, NULL, 0, NULL),
                     DARC_OK);
    ck_assert(b.count == 0 && b.wanting);
    darc_bindings_clear(&b);
    weakbench_close(&w);
}
END_TEST

/* a = 1 and b = 2 of two tanks: a is seen by both, and known better. */
START_TEST(what_is_imposed_is_known_better)
{
    weakbench w;
    darc_bindings b;
    darc_fit f;
    darc_estimates e;
    simulation j = {.model = tanks,
                    .param = "a=1 b=2",
                    .init = "",
                    .input = "u=multisine:5,0.05,4",
                    .t_end = 20,
                    .rate = 100,
                    .noise = 0.01,
                    .rtol = 1e-11,
                    .seed = 3};
    darc_table *t = simulation_make(&j);
    open(&b, &w, tanks, NULL);
    ck_assert_int_eq(darc_fit_init(&f, &w.x, t, 0.01, NULL), DARC_OK);
    darc_estimates_init(&e, &f, &w.x, 0.01);
    int n = e.coeffs;
    double sd[16], h, gain = 1;
    for (int i = 0; i < n; i++)
        sd[i] = sqrt(e.cov[i * (n + 1)]);
    darc_bindings_impose(&b, &e, 0.01);
    darc_bindings_evaluate(&b, e.c, &h, NULL);
    ck_assert_double_eq_tol(h, 0, 1e-6);
    for (int i = 0; i < n; i++) {
        double now = sqrt(e.cov[i * (n + 1)]), c = fabs(e.c[i]);
        if (!e.free[i])
            continue;
        ck_assert_double_le(now, sd[i] * (1 + 1e-9));
        gain = fmax(gain, sd[i] / now);
        ck_assert(fabs(c - 1) < 5 * now || fabs(c - 2) < 5 * now);
    }
    ck_assert_double_gt(gain, 1.1);
    /* a fifth of the level is that of relations */
    darc_estimates usual = {0};
    darc_estimates_init(&usual, &f, &w.x, 0.01);
    darc_bindings_impose(&b, &usual, 1);
    ck_assert_ptr_nonnull(usual.bare);
    darc_estimates_clear(&usual);
    /* estimates that do not obey stay as they are */
    double kept[16];
    for (int i = 0; i < n; i++) {
        e.c[i] *= 1 + (e.free[i] ? 0.2 * (i + 1) : 0);
        kept[i] = e.c[i];
    }
    darc_bindings_impose(&b, &e, 0.01);
    for (int i = 0; i < n; i++)
        ck_assert(e.c[i] == kept[i]);
    darc_estimates_clear(&e);
    darc_fit_clear(&f);
    darc_bindings_clear(&b);
    weakbench_close(&w);
    darc_table_free(t);
}
END_TEST

/* ---- relations that bend within the errors --------------------------------
 */

enum { RUNS = 400 };

/* Return in how many of RUNS runs the test rejects at level .01 that q is the
 * same: estimates of p + q and p q, all with this standard deviation. */
static int rejected(double pa, double pb, double qb, double sd)
{
    weakbench w;
    darc_bindings b;
    uint64_t state = 7;
    int count = 0;
    open(&b, &w, two_roots, "p");
    const darc_ioeq *eq = w.io->eq;
    int n = (int)eq->coeff->count;
    for (int run = 0; run < RUNS; run++) {
        darc_constraint c;
        darc_constraint_init(&c, 2 * n, b.count);
        c.relations = darc_bindings_evaluate;
        c.user = &b;
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < n; j++) {
                const fmpz_mpoly_struct *k = eq->coeff->p + j;
                double p = i == 0 ? pa : pb, q = i == 0 ? 1 : qb;
                bool one = fmpz_mpoly_is_fmpz(k, w.io->jet->ctx);
                int at = i * n + j;
                c.x[at] = one              ? fmpz_get_d(k->coeffs)
                          : k->length == 2 ? p + q
                                           : p * q;
                c.x[at] += one ? 0 : sd * draw_normal(&state);
                c.v[at * (2 * n + 1)] = one ? 0 : sd * sd;
            }
        darc_constraint_solve(&c);
        count += c.p_value < 0.01;
        darc_constraint_clear(&c);
    }
    darc_bindings_clear(&b);
    weakbench_close(&w);
    return count;
}

START_TEST(roots_that_noise_mixes_refute_nothing)
{
    ck_assert_int_le(rejected(1, 1, 1, 0.05), RUNS / 50);
    ck_assert_int_le(rejected(1.1, 1.2, 1, 0.05), RUNS / 50);
    ck_assert_int_le(rejected(1.1, 1.1, 1, 0.01), RUNS / 50);
}
END_TEST

/* Where roots lie apart the test is what it was. */
START_TEST(roots_apart_are_told_from_each_other)
{
    ck_assert_int_le(rejected(3, 4, 1, 0.002), RUNS / 50);
    ck_assert_int_ge(rejected(3, 4, 1.02, 0.002), RUNS * 9 / 10);
}
END_TEST

Suite *suite_bindings(void)
{
    Suite *s = suite_create("bindings");
    TCase *c = tcase_create("bindings");
    tcase_add_test(c, relations_are_found_and_printed);
    tcase_add_test(c, relations_have_the_jacobian_they_say);
    tcase_add_test(c, units_do_not_matter);
    tcase_add_test(c, what_is_not_expanded_is_wanting);
    tcase_add_test(c, what_is_imposed_is_known_better);
    tcase_add_test(c, roots_that_noise_mixes_refute_nothing);
    tcase_add_test(c, roots_apart_are_told_from_each_other);
    suite_add_tcase(s, c);
    return s;
}
