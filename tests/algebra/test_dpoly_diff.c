#include "sample.h"
#include "tests.h"

#include "algebra/dpoly.h"

#include <stdlib.h>

enum { ROUNDS = 100, ORDER = 4 };

static darc_jet_t jet;
static flint_rand_t rnd;
static darc_dpoly_t p, q, r, s;

static void setup(void)
{
    test_sample_init(jet, "", ORDER);
    flint_randinit(rnd);
    darc_dpoly_init(p, jet);
    darc_dpoly_init(q, jet);
    darc_dpoly_init(r, jet);
    darc_dpoly_init(s, jet);
}

static void teardown(void)
{
    darc_dpoly_clear(p, jet);
    darc_dpoly_clear(q, jet);
    darc_dpoly_clear(r, jet);
    darc_dpoly_clear(s, jet);
    darc_jet_clear(jet);
    flint_randclear(rnd);
}

static void diff(darc_dpoly_t f, const darc_dpoly_t g)
{
    ck_assert_int_eq(darc_dpoly_diff(f, g, jet, NULL), DARC_OK);
}

START_TEST(derivation_is_linear_and_obeys_leibniz)
{
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 1, jet);
        test_sample_random(q, rnd, 1, jet);
        fmpz_mpoly_mul(r, p, q, jet->ctx);
        diff(r, r); /* aliased */
        diff(s, p);
        fmpz_mpoly_mul(s, s, q, jet->ctx);
        fmpz_mpoly_sub(r, r, s, jet->ctx);
        diff(s, q);
        fmpz_mpoly_mul(s, s, p, jet->ctx);
        ck_assert(fmpz_mpoly_equal(r, s, jet->ctx));

        fmpz_mpoly_scalar_mul_si(r, p, -3, jet->ctx);
        fmpz_mpoly_add(r, r, q, jet->ctx);
        diff(r, r);
        diff(p, p);
        diff(q, q);
        fmpz_mpoly_scalar_mul_si(p, p, -3, jet->ctx);
        fmpz_mpoly_add(p, p, q, jet->ctx);
        ck_assert(fmpz_mpoly_equal(r, p, jet->ctx));
    }
}
END_TEST

/* Every unknown becomes a random cubic in t (k a number, time t itself):
 * substituting and deriving commute. */
START_TEST(derivation_follows_functions_of_time)
{
    fmpz_poly_struct *f = malloc((size_t)jet->vars * sizeof *f);
    fmpz_poly_struct **at = malloc((size_t)jet->vars * sizeof *at);
    fmpz_poly_t base, a, b;
    fmpz_poly_init(base);
    fmpz_poly_init(a);
    fmpz_poly_init(b);
    for (slong v = 0; v < jet->vars; v++) {
        fmpz_poly_init(f + v);
        at[v] = f + v;
    }
    for (int u = 0; u < SAMPLE_NAMES; u++) {
        fmpz_poly_randtest(base, rnd, u == SAMPLE_K ? 1 : 4, 5);
        if (u == SAMPLE_TIME)
            fmpz_poly_set_str(base, "2  0 1");
        for (int k = 0; k <= jet->bound[u]; k++) {
            fmpz_poly_set(at[darc_jet_var(jet, (darc_deriv){u, k})], base);
            fmpz_poly_derivative(base, base);
        }
    }
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 1, jet);
        diff(q, p);
        ck_assert(fmpz_mpoly_compose_fmpz_poly(a, p, at, jet->ctx));
        ck_assert(fmpz_mpoly_compose_fmpz_poly(b, q, at, jet->ctx));
        fmpz_poly_derivative(a, a);
        ck_assert(fmpz_poly_equal(a, b));
    }
    for (slong v = 0; v < jet->vars; v++)
        fmpz_poly_clear(f + v);
    fmpz_poly_clear(base);
    fmpz_poly_clear(a);
    fmpz_poly_clear(b);
    free(f);
    free(at);
}
END_TEST

START_TEST(parameters_are_constant_and_time_runs)
{
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_K, 0}, jet);
    diff(q, p);
    ck_assert(fmpz_mpoly_is_zero(q, jet->ctx));
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_TIME, 0}, jet);
    diff(q, p);
    ck_assert(fmpz_mpoly_is_one(q, jet->ctx));
}
END_TEST

START_TEST(repeated_derivation)
{
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 3, jet);
        ck_assert_int_eq(darc_dpoly_diff_n(q, p, 3, jet, NULL), DARC_OK);
        fmpz_mpoly_set(r, p, jet->ctx);
        for (int k = 0; k < 3; k++)
            diff(r, r);
        ck_assert(fmpz_mpoly_equal(q, r, jet->ctx));
        ck_assert_int_eq(darc_dpoly_diff_n(q, p, 0, jet, NULL), DARC_OK);
        ck_assert(fmpz_mpoly_equal(q, p, jet->ctx));
    }
}
END_TEST

START_TEST(leaving_the_frame)
{
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_Y, ORDER}, jet);
    darc_dpoly_set_deriv(q, (darc_deriv){SAMPLE_X, 0}, jet);
    fmpz_mpoly_mul(p, p, q, jet->ctx);
    fmpz_mpoly_set(r, p, jet->ctx);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_dpoly_diff(r, r, jet, &err), DARC_LIMIT);
    ck_assert_str_eq(err.message, "derivative 5 of 'y' lies outside the frame");
    ck_assert(fmpz_mpoly_equal(r, p, jet->ctx));
    ck_assert_int_eq(darc_dpoly_diff_n(q, q, ORDER + 1, jet, NULL), DARC_LIMIT);
}
END_TEST

Suite *suite_dpoly_diff(void)
{
    Suite *suite = suite_create("dpoly_diff");
    TCase *c = tcase_create("dpoly_diff");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, derivation_is_linear_and_obeys_leibniz);
    tcase_add_test(c, derivation_follows_functions_of_time);
    tcase_add_test(c, parameters_are_constant_and_time_runs);
    tcase_add_test(c, repeated_derivation);
    tcase_add_test(c, leaving_the_frame);
    suite_add_tcase(suite, c);
    return suite;
}
