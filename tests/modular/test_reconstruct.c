#include "tests.h"

#include "modular/reconstruct.h"
#include "projection/coeffs.h"

#include <stdlib.h>

enum { N = 6 };

/* Set residue[j] to num[j]/den[j]. */
static void residues(fmpz *residue, const slong *num, const ulong *den,
                     nmod_t mod)
{
    for (int j = 0; j < N; j++) {
        ulong a = (ulong)labs(num[j]) % mod.n;
        a = num[j] < 0 ? nmod_neg(a, mod) : a;
        fmpz_set_ui(residue + j, nmod_div(a, den[j], mod));
    }
}

/* c is a multiple of num/den, by the least common denominator. */
static void check_multiple(const fmpz *c, const slong *num, const ulong *den)
{
    fmpz_t lcm, want, d;
    fmpz_init(want);
    fmpz_init(d);
    fmpz_init_set_ui(lcm, 1);
    for (int j = 0; j < N; j++) {
        fmpz_set_ui(d, den[j] / n_gcd((ulong)labs(num[j]), den[j]));
        fmpz_lcm(lcm, lcm, d);
    }
    for (int j = 0; j < N; j++) {
        fmpz_mul_si(want, lcm, num[j]);
        fmpz_divexact_ui(want, want, den[j]);
        ck_assert(fmpz_equal(c + j, want));
    }
    fmpz_clear(lcm);
    fmpz_clear(want);
    fmpz_clear(d);
}

START_TEST(small_rational_numbers_come_back)
{
    flint_rand_t state;
    flint_randinit(state);
    fmpz *residue = _fmpz_vec_init(N), *c = _fmpz_vec_init(N);
    fmpz_t modulus;
    fmpz_init(modulus);
    for (int run = 0; run < 200; run++) {
        nmod_t mod;
        nmod_init(&mod, darc_finite_random_prime(state));
        fmpz_set_ui(modulus, mod.n);
        slong num[N];
        ulong den[N];
        for (int j = 0; j < N; j++) {
            num[j] = (slong)n_randint(state, 65535) - 32767;
            den[j] = 1 + n_randint(state, 32767);
        }
        num[run % N] = 0;
        residues(residue, num, den, mod);
        ck_assert(darc_reconstruct(c, residue, N, modulus, 15));
        check_multiple(c, num, den);
    }
    fmpz_clear(modulus);
    _fmpz_vec_clear(residue, N);
    _fmpz_vec_clear(c, N);
    flint_randclear(state);
}
END_TEST

START_TEST(a_height_is_a_bound)
{
    nmod_mat_t m;
    nmod_mat_init(m, 2, 2, n_nextprime(UWORD(1) << 60, 0));
    nmod_mat_entry(m, 0, 1) = 1;
    nmod_mat_entry(m, 1, 1) = 32768; /* 16 bits */
    fmpz *c = _fmpz_vec_init(2);
    ck_assert(!darc_reconstruct_column(c, m, 1, 15));
    ck_assert(darc_reconstruct_column(c, m, 1, 16));
    ck_assert(fmpz_equal_si(c + 1, 32768));
    nmod_mat_entry(m, 1, 1) = nmod_div(7, 32768, m->mod);
    ck_assert(!darc_reconstruct_column(c, m, 1, 15));
    ck_assert(darc_reconstruct_column(c, m, 1, DARC_ANY_HEIGHT));
    ck_assert(fmpz_equal_si(c, 32768) && fmpz_equal_si(c + 1, 7));
    _fmpz_vec_clear(c, 2);
    nmod_mat_clear(m);
}
END_TEST

/* 1/2*x^2 - 3*y, and a column of zeros. */
START_TEST(columns_become_polynomials)
{
    static const ulong exp[] = {1, 1, 2, 0, 0, 1};
    static const char *name[] = {"x", "y"};
    nmod_mat_t m;
    nmod_mat_init(m, 3, 2, n_nextprime(UWORD(1) << 60, 0));
    nmod_mat_entry(m, 1, 0) = n_invmod(2, m->mod.n);
    nmod_mat_entry(m, 2, 0) = m->mod.n - 3;
    fmpz_mpoly_ctx_t ctx;
    fmpz_mpoly_t f;
    fmpz_mpoly_ctx_init(ctx, 2, ORD_DEGREVLEX);
    fmpz_mpoly_init(f, ctx);
    ck_assert(darc_reconstruct_polynomial(f, m, 0, exp, 15, ctx));
    char *text = fmpz_mpoly_get_str_pretty(f, name, ctx);
    ck_assert_str_eq(text, "x^2-6*y");
    flint_free(text);
    ck_assert(!darc_reconstruct_polynomial(f, m, 1, exp, 15, ctx));
    ck_assert(fmpz_mpoly_is_zero(f, ctx));
    fmpz_mpoly_clear(f, ctx);
    fmpz_mpoly_ctx_clear(ctx);
    nmod_mat_clear(m);
}
END_TEST

/* 20 monomials of degree <= 3 in x, y, z; 4 of them in y alone.  The sum of
 * all is (1 - y^4)/(1 - y) where the others are 0. */
START_TEST(monomials_stand_once)
{
    ulong e[3] = {0}, seen[64] = {0};
    static const ulong x[] = {0, 5, 0};
    nmod_t mod;
    nmod_init(&mod, 1000003);
    const bool used[] = {false, true, false};
    int all = 0, alone = 0;
    ulong sum = 0;
    do {
        ck_assert_uint_le(e[0] + e[1] + e[2], 3);
        ck_assert_uint_eq(seen[e[0] + 4 * e[1] + 16 * e[2]]++, 0);
        sum += darc_finite_monomial(e, x, 3, mod);
        all++;
    } while (darc_exponents_next(e, 3, 3, NULL));
    ck_assert_int_eq(all, 20);
    ck_assert_uint_eq(sum, 1 + 5 + 25 + 125);
    do {
        ck_assert_uint_eq(e[0] + e[2], 0);
        alone++;
    } while (darc_exponents_next(e, 3, 3, used));
    ck_assert_int_eq(alone, 4);
}
END_TEST

Suite *suite_reconstruct(void)
{
    Suite *s = suite_create("reconstruct");
    TCase *c = tcase_create("reconstruct");
    tcase_add_test(c, small_rational_numbers_come_back);
    tcase_add_test(c, a_height_is_a_bound);
    tcase_add_test(c, columns_become_polynomials);
    tcase_add_test(c, monomials_stand_once);
    suite_add_tcase(s, c);
    return s;
}
