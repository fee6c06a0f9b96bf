#include "tests.h"

#include "random_poly.h"
#include "ring.h"

#include "algebra/pdiv.h"

/* h*f = q*g + r, deg r < deg g, and h divides a power of lead(g). */
static void check_division(const darc_pdiv_t d, const darc_dpoly_t f,
                           const darc_dpoly_t g, slong v, const darc_jet_t jet)
{
    darc_dpoly_t left, right;
    darc_dpoly_init(left, jet);
    darc_dpoly_init(right, jet);
    fmpz_mpoly_mul(left, d->h, f, jet->ctx);
    fmpz_mpoly_mul(right, d->q, g, jet->ctx);
    fmpz_mpoly_add(right, right, d->r, jet->ctx);
    ck_assert(fmpz_mpoly_equal(left, right, jet->ctx));
    slong degree = darc_dpoly_degree(g, v, jet);
    ck_assert_int_lt(darc_dpoly_degree(d->r, v, jet), degree);
    darc_dpoly_coeff(left, g, v, degree, jet);
    fmpz_mpoly_pow_ui(left, left, 8, jet->ctx);
    ck_assert(fmpz_mpoly_divides(right, left, d->h, jet->ctx));
    darc_dpoly_clear(left, jet);
    darc_dpoly_clear(right, jet);
}

START_TEST(identity_on_random_input)
{
    ring r;
    ring_init(&r, "x|a|y", NULL, 1, "", "");
    darc_rng rng = {7};
    darc_dpoly_t f, g;
    darc_dpoly_init(f, r.jet);
    darc_dpoly_init(g, r.jet);
    darc_pdiv_t d;
    darc_pdiv_init(d, true, r.jet, NULL);
    int done = 0;
    for (int i = 0; i < 40; i++) {
        random_poly(f, 6, 4, 1, &rng, r.jet);
        random_poly(g, 4, 2, 1, &rng, r.jet);
        slong v = i % r.jet->vars;
        if (darc_dpoly_degree(g, v, r.jet) < 1)
            continue;
        ck_assert(darc_pdiv(d, f, g, v, NULL) == DARC_OK);
        check_division(d, f, g, v, r.jet);
        done++;
    }
    ck_assert_int_gt(done, 15);
    darc_pdiv_clear(d);
    darc_dpoly_clear(f, r.jet);
    darc_dpoly_clear(g, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(common_factors_of_leading_coefficients_cancel)
{
    ring r; /* a*y*x^2 + 1 by a*x - y: the classical multiplier is a^2 */
    ring_init(&r, "x|a|y", NULL, 0, "a*y*x^2 + 1; a*x - y", "");
    darc_pdiv_t d;
    darc_pdiv_init(d, true, r.jet, NULL);
    slong v = darc_dpoly_leader(r.eq->p, r.jet);
    ck_assert(darc_pdiv(d, r.eq->p, r.eq->p + 1, v, NULL) == DARC_OK);
    ck_assert(ring_is(d->h, "a", r.jet));
    ck_assert(ring_is(d->q, "a*y*x + y^2", r.jet));
    ck_assert(ring_is(d->r, "y^3 + a", r.jet));
    darc_pdiv_clear(d);
    ring_clear(&r);
}
END_TEST

START_TEST(a_spent_budget_stops_it)
{
    ring r;
    ring_init(&r, "x|a|y", NULL, 0, "x^2 + 1; a*x - y", "");
    darc_budget b;
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    darc_pdiv_t d;
    darc_pdiv_init(d, false, r.jet, &b);
    ck_assert(darc_pdiv(d, r.eq->p, r.eq->p + 1, 0, NULL) == DARC_LIMIT);
    darc_pdiv_clear(d);
    ring_clear(&r);
}
END_TEST

Suite *suite_pdiv(void)
{
    Suite *s = suite_create("pdiv");
    TCase *c = tcase_create("pdiv");
    tcase_add_test(c, identity_on_random_input);
    tcase_add_test(c, common_factors_of_leading_coefficients_cancel);
    tcase_add_test(c, a_spent_budget_stops_it);
    suite_add_tcase(s, c);
    return s;
}
