#include "sample.h"
#include "tests.h"

#include "algebra/dpoly.h"

enum { ROUNDS = 200 };

static darc_jet_t jet;
static flint_rand_t rnd;
static darc_dpoly_t p, q, r;

static void setup(void)
{
    test_sample_init(jet, "y x >> u >> k", 3);
    flint_randinit(rnd);
    darc_dpoly_init(p, jet);
    darc_dpoly_init(q, jet);
    darc_dpoly_init(r, jet);
}

static void teardown(void)
{
    darc_dpoly_clear(p, jet);
    darc_dpoly_clear(q, jet);
    darc_dpoly_clear(r, jet);
    darc_jet_clear(jet);
    flint_randclear(rnd);
}

/* The highest derivative that occurs, found by comparing all of them. */
static slong highest(const darc_dpoly_t f)
{
    slong best = -1;
    for (slong v = 0; v < jet->vars; v++)
        if (fmpz_mpoly_degree_si(f, v, jet->ctx) > 0 &&
            (best < 0 || darc_ranking_cmp(jet->deriv[v], jet->deriv[best],
                                          jet->ranking) > 0))
            best = v;
    return best;
}

START_TEST(leader_is_the_highest_derivative)
{
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        ck_assert_int_eq(darc_dpoly_leader(p, jet), highest(p));
    }
    fmpz_mpoly_set_si(p, 7, jet->ctx);
    ck_assert_int_eq(darc_dpoly_leader(p, jet), -1);
    fmpz_mpoly_zero(p, jet->ctx);
    ck_assert_int_eq(darc_dpoly_leader(p, jet), -1);
    ck_assert_int_eq(darc_dpoly_degree(p, 0, jet), -1);
}
END_TEST

/* p = sum_d coeff(p, v, d) v^d for every v. */
START_TEST(coefficients_add_up)
{
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        slong v = (slong)n_randint(rnd, (ulong)jet->vars);
        darc_dpoly_t sum, power;
        darc_dpoly_init(sum, jet);
        darc_dpoly_init(power, jet);
        for (slong d = 0; d <= darc_dpoly_degree(p, v, jet); d++) {
            darc_dpoly_coeff(q, p, v, d, jet);
            ck_assert_int_le(darc_dpoly_degree(q, v, jet), 0);
            fmpz_mpoly_gen(power, v, jet->ctx);
            fmpz_mpoly_pow_ui(power, power, (ulong)d, jet->ctx);
            fmpz_mpoly_mul(q, q, power, jet->ctx);
            fmpz_mpoly_add(sum, sum, q, jet->ctx);
        }
        ck_assert(fmpz_mpoly_equal(sum, p, jet->ctx));
        darc_dpoly_clear(sum, jet);
        darc_dpoly_clear(power, jet);
    }
}
END_TEST

/* p - I v^d has lower degree in the leader v, and v S - d p too. */
START_TEST(initial_and_separant)
{
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        slong v = darc_dpoly_leader(p, jet);
        if (v < 0)
            continue;
        slong d = darc_dpoly_degree(p, v, jet);
        darc_dpoly_initial(q, p, jet);
        ck_assert_int_eq(darc_dpoly_degree(q, v, jet), 0);
        fmpz_mpoly_gen(r, v, jet->ctx);
        fmpz_mpoly_pow_ui(r, r, (ulong)d, jet->ctx);
        fmpz_mpoly_mul(q, q, r, jet->ctx);
        fmpz_mpoly_sub(q, p, q, jet->ctx);
        ck_assert_int_lt(darc_dpoly_degree(q, v, jet), d);

        darc_dpoly_separant(q, p, jet);
        ck_assert_int_eq(darc_dpoly_degree(q, v, jet), d - 1);
        fmpz_mpoly_gen(r, v, jet->ctx);
        fmpz_mpoly_mul(q, q, r, jet->ctx);
        fmpz_mpoly_scalar_mul_si(r, p, d, jet->ctx);
        fmpz_mpoly_sub(q, q, r, jet->ctx);
        ck_assert_int_lt(darc_dpoly_degree(q, v, jet), d);

        fmpz_mpoly_set(q, p, jet->ctx);
        darc_dpoly_initial(q, q, jet); /* aliased */
        darc_dpoly_initial(r, p, jet);
        ck_assert(fmpz_mpoly_equal(q, r, jet->ctx));
    }
}
END_TEST

START_TEST(ranks_are_ordered)
{
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        test_sample_random(q, rnd, 0, jet);
        test_sample_random(r, rnd, 0, jet);
        int pq = darc_dpoly_cmp_rank(p, q, jet);
        int qr = darc_dpoly_cmp_rank(q, r, jet);
        ck_assert_int_eq(darc_dpoly_cmp_rank(q, p, jet), -pq);
        if (pq <= 0 && qr <= 0)
            ck_assert_int_le(darc_dpoly_cmp_rank(p, r, jet), 0);
        ck_assert_int_eq(darc_dpoly_cmp_rank(p, p, jet), 0);
        if (darc_dpoly_leader(p, jet) >= 0) {
            darc_dpoly_separant(q, p, jet);
            ck_assert_int_lt(darc_dpoly_cmp_rank(q, p, jet), 0);
        }
    }
    fmpz_mpoly_one(p, jet->ctx);
    darc_dpoly_set_deriv(q, (darc_deriv){SAMPLE_K, 0}, jet);
    ck_assert_int_lt(darc_dpoly_cmp_rank(p, q, jet), 0);
}
END_TEST

Suite *suite_dpoly_lead(void)
{
    Suite *s = suite_create("dpoly_lead");
    TCase *c = tcase_create("dpoly_lead");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, leader_is_the_highest_derivative);
    tcase_add_test(c, coefficients_add_up);
    tcase_add_test(c, initial_and_separant);
    tcase_add_test(c, ranks_are_ordered);
    suite_add_tcase(s, c);
    return s;
}
