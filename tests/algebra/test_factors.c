#include "tests.h"

#include "random_poly.h"
#include "ring.h"

#include "algebra/factors.h"

START_TEST(factors_of_random_products)
{
    ring r;
    ring_init(&r, "x y|a", NULL, 1, "", "");
    darc_rng rng = {11};
    darc_dpoly_t f, product;
    darc_dpoly_init(f, r.jet);
    darc_dpoly_init(product, r.jet);
    for (int i = 0; i < 25; i++) {
        darc_dpolys_t out;
        darc_dpolys_init(out);
        fmpz_mpoly_set_si(product, -6, r.jet->ctx);
        for (int k = 0; k < 3; k++) {
            random_poly(f, 3, 2, 1, &rng, r.jet);
            if (!fmpz_mpoly_is_zero(f, r.jet->ctx))
                fmpz_mpoly_mul(product, product, f, r.jet->ctx);
        }
        darc_factors(out, product, r.jet);
        /* Second route: FLINT's own complete factorisation. */
        fmpz_mpoly_factor_t fac;
        fmpz_mpoly_factor_init(fac, r.jet->ctx);
        ck_assert(fmpz_mpoly_factor(fac, product, r.jet->ctx));
        ck_assert_int_eq(out->count, fac->num);
        for (slong k = 0; k < fac->num; k++) {
            darc_dpoly_primitive(f, fac->poly + k, r.jet);
            ck_assert(darc_dpolys_contains(out, f, r.jet));
        }
        fmpz_mpoly_factor_clear(fac, r.jet->ctx);
        darc_dpolys_clear(out, r.jet);
    }
    darc_dpoly_clear(f, r.jet);
    darc_dpoly_clear(product, r.jet);
    ring_clear(&r);
}
END_TEST

/* A square, and what is irreducible over the rationals alone, over fields
 * alone that hold no root of -1, or not at all. */
START_TEST(what_a_plane_shows)
{
    static const struct {
        const char *p;
        int factors;
    } c[] = {{"(x^2 + y^2 + a)^2", 1},   {"x^2 + y^2 + a^3", 1},
             {"x^2 - 2*y^2", 1},         {"x^2 + y^2", 1},
             {"x^2 - a^2*y^2", 2},       {"x^4 + 4*y^4", 2},
             {"(x^2 + y)*(x^2 + a)", 2}, {"(y^2 + a)*(x^2 + y*a + 1)", 2},
             {"a*x^2 + y^2*a^2", 2}};
    for (size_t i = 0; i < sizeof c / sizeof *c; i++) {
        ring r;
        ring_init(&r, "x y|a", NULL, 1, c[i].p, "");
        darc_dpolys_t out;
        darc_dpolys_init(out);
        darc_factors(out, r.eq->p, r.jet);
        ck_assert_msg(out->count == c[i].factors, "%s", c[i].p);
        darc_dpolys_clear(out, r.jet);
        ring_clear(&r);
    }
}
END_TEST

START_TEST(no_factor_is_appended_twice)
{
    ring r;
    ring_init(&r, "x y|a", NULL, 1, "-4*a^2*x*(x^2 - y^2)^2*(x_1 - a); 7", "");
    darc_dpolys_t out;
    darc_dpolys_init(out);
    darc_factors(out, r.eq->p, r.jet);
    ck_assert_int_eq(out->count, 5);
    darc_factors(out, r.eq->p, r.jet);
    darc_factors(out, r.eq->p + 1, r.jet);
    ck_assert_int_eq(out->count, 5);
    darc_dpolys_clear(out, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(content_is_the_gcd_of_the_coefficients)
{
    ring r;
    ring_init(&r, "x y|a", NULL, 1, "6*a*y*x^2 + 4*a*y^2*x - 2*a*y", "");
    darc_dpoly_t c;
    darc_dpoly_init(c, r.jet);
    slong x = darc_dpoly_leader(r.eq->p, r.jet);
    ck_assert(darc_content(c, r.eq->p, x, r.jet));
    ck_assert(fmpz_mpoly_divides(r.eq->p, r.eq->p, c, r.jet->ctx));
    ck_assert(ring_is(r.eq->p, "3*x^2 + 2*y*x - 1", r.jet));
    darc_dpoly_clear(c, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(known_factors_cancel)
{
    ring r;
    ring_init(&r, "x y|a", NULL, 1, "12*a^3*(x - y)^2*(x + y)", "a; x - y");
    darc_dpoly_t p, c;
    darc_dpoly_init(p, r.jet);
    darc_dpoly_init(c, r.jet);
    fmpz_mpoly_set(p, r.eq->p, r.jet->ctx);
    fmpz_mpoly_one(c, r.jet->ctx);
    darc_cancel_factors(p, c, r.ineq, r.jet);
    ck_assert(ring_is(p, "x + y", r.jet));
    fmpz_mpoly_mul(p, p, c, r.jet->ctx);
    ck_assert(fmpz_mpoly_equal(p, r.eq->p, r.jet->ctx));
    darc_cancel_factors(p, NULL, r.ineq, r.jet);
    ck_assert(ring_is(p, "x + y", r.jet));
    darc_dpoly_clear(p, r.jet);
    darc_dpoly_clear(c, r.jet);
    ring_clear(&r);
}
END_TEST

Suite *suite_factors(void)
{
    Suite *s = suite_create("factors");
    TCase *c = tcase_create("factors");
    tcase_add_test(c, factors_of_random_products);
    tcase_add_test(c, what_a_plane_shows);
    tcase_add_test(c, no_factor_is_appended_twice);
    tcase_add_test(c, content_is_the_gcd_of_the_coefficients);
    tcase_add_test(c, known_factors_cancel);
    suite_add_tcase(s, c);
    return s;
}
