#include "tests.h"

#include "random_poly.h"
#include "ring.h"

START_TEST(evaluation_is_a_homomorphism)
{
    ring r;
    ring_init(&r, "x y|a", NULL, 2, "", "");
    darc_rng rng = {3};
    nmod_t mod;
    nmod_init(&mod, darc_rng_prime(&rng));
    ulong value[16];
    ck_assert_int_le(r.jet->vars, 16);
    darc_dpoly_t p, q, s;
    darc_dpoly_init(p, r.jet);
    darc_dpoly_init(q, r.jet);
    darc_dpoly_init(s, r.jet);
    for (int i = 0; i < 20; i++) {
        for (slong v = 0; v < r.jet->vars; v++)
            value[v] = darc_rng_residue(&rng, mod);
        random_poly(p, 5, 3, 2, &rng, r.jet);
        random_poly(q, 5, 3, 2, &rng, r.jet);
        ulong a = darc_finite_eval(p, value, mod, r.jet->ctx);
        ulong b = darc_finite_eval(q, value, mod, r.jet->ctx);
        fmpz_mpoly_mul(s, p, q, r.jet->ctx);
        ck_assert_uint_eq(darc_finite_eval(s, value, mod, r.jet->ctx),
                          nmod_mul(a, b, mod));
        fmpz_mpoly_sub(s, p, q, r.jet->ctx);
        ck_assert_uint_eq(darc_finite_eval(s, value, mod, r.jet->ctx),
                          nmod_sub(a, b, mod));
    }
    darc_dpoly_clear(p, r.jet);
    darc_dpoly_clear(q, r.jet);
    darc_dpoly_clear(s, r.jet);
    ring_clear(&r);
}
END_TEST

/* At points with zeros, too. */
START_TEST(a_gradient_is_that_of_the_derivatives)
{
    ring r;
    ring_init(&r, "x y|a", NULL, 2, "", "");
    darc_rng rng = {4};
    nmod_t mod;
    nmod_init(&mod, darc_rng_prime(&rng));
    ulong value[16], by[16];
    darc_dpoly_t p, d;
    darc_dpoly_init(p, r.jet);
    darc_dpoly_init(d, r.jet);
    for (int i = 0; i < 20; i++) {
        for (slong v = 0; v < r.jet->vars; v++)
            value[v] = (v + i) % 4 == 0 ? 0 : darc_rng_residue(&rng, mod);
        random_poly(p, 6, 3, 3, &rng, r.jet);
        ck_assert_uint_eq(darc_finite_gradient(by, p, value, mod, r.jet->ctx),
                          darc_finite_eval(p, value, mod, r.jet->ctx));
        for (slong v = 0; v < r.jet->vars; v++) {
            fmpz_mpoly_derivative(d, p, v, r.jet->ctx);
            ck_assert_uint_eq(by[v],
                              darc_finite_eval(d, value, mod, r.jet->ctx));
        }
    }
    darc_dpoly_clear(p, r.jet);
    darc_dpoly_clear(d, r.jet);
    ring_clear(&r);
}
END_TEST

START_TEST(primes_are_primes_and_seeds_repeat)
{
    darc_rng a = {42}, b = {42}, c = {43};
    for (int i = 0; i < 10; i++) {
        ulong p = darc_rng_prime(&a);
        ck_assert(n_is_prime(p) && p >> 59 == 1);
        ck_assert_uint_eq(p, darc_rng_prime(&b));
        ck_assert_uint_ne(p, darc_rng_prime(&c));
    }
}
END_TEST

Suite *suite_finite(void)
{
    Suite *s = suite_create("modular");
    TCase *c = tcase_create("modular");
    tcase_add_test(c, evaluation_is_a_homomorphism);
    tcase_add_test(c, a_gradient_is_that_of_the_derivatives);
    tcase_add_test(c, primes_are_primes_and_seeds_repeat);
    suite_add_tcase(s, c);
    return s;
}
