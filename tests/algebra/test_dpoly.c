#include "sample.h"
#include "tests.h"

#include "algebra/dpoly.h"

enum { ROUNDS = 200 };

static darc_jet_t jet;
static flint_rand_t rnd;
static darc_dpoly_t p, q, r;

static void setup(void)
{
    test_sample_init(jet, "", 3);
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

START_TEST(primitive_part)
{
    fmpz_t c;
    fmpz_init(c);
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        darc_dpoly_primitive(q, p, jet);
        fmpz_mpoly_scalar_mul_si(r, p, -6, jet->ctx);
        darc_dpoly_primitive(r, r, jet); /* aliased */
        ck_assert(fmpz_mpoly_equal(q, r, jet->ctx));
        if (fmpz_mpoly_is_zero(p, jet->ctx)) {
            ck_assert(fmpz_mpoly_is_zero(q, jet->ctx));
            continue;
        }
        _fmpz_vec_content(c, q->coeffs, q->length);
        ck_assert(fmpz_is_one(c));
        ck_assert_int_gt(fmpz_sgn(q->coeffs), 0);
        ck_assert(fmpz_mpoly_divides(r, p, q, jet->ctx));
        ck_assert(fmpz_mpoly_is_fmpz(r, jet->ctx));
    }
    fmpz_clear(c);
}
END_TEST

START_TEST(what_occurs)
{
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_X, 2}, jet);
    darc_dpoly_set_deriv(q, (darc_deriv){SAMPLE_K, 0}, jet);
    ck_assert(!darc_dpoly_is_constant(p, jet));
    ck_assert(darc_dpoly_is_constant(q, jet));
    fmpz_mpoly_mul(r, p, q, jet->ctx);
    ck_assert(!darc_dpoly_is_constant(r, jet));
    ck_assert_int_eq(darc_dpoly_order(r, SAMPLE_X, jet), 2);
    ck_assert_int_eq(darc_dpoly_order(r, SAMPLE_K, jet), 0);
    ck_assert_int_eq(darc_dpoly_order(r, SAMPLE_Y, jet), -1);
    fmpz_mpoly_zero(r, jet->ctx);
    ck_assert(darc_dpoly_is_constant(r, jet));
    int used[100];
    ck_assert_int_le(jet->vars, 100);
    darc_dpoly_used(used, p, jet);
    for (slong v = 0; v < jet->vars; v++)
        ck_assert_int_eq(used[v] != 0,
                         v == darc_jet_var(jet, (darc_deriv){SAMPLE_X, 2}));
}
END_TEST

START_TEST(moving_there_and_back)
{
    darc_jet_t large;
    test_sample_init(large, "u >> y >> time k x", 7);
    darc_dpoly_t a, b;
    darc_dpoly_init(a, large);
    darc_dpoly_init(b, large);
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        test_sample_random(q, rnd, 0, jet);
        ck_assert_int_eq(darc_dpoly_move(a, large, p, jet, NULL), DARC_OK);
        ck_assert_int_eq(darc_dpoly_move(b, large, q, jet, NULL), DARC_OK);
        fmpz_mpoly_mul(a, a, b, large->ctx);
        ck_assert_int_eq(darc_dpoly_move(r, jet, a, large, NULL), DARC_OK);
        fmpz_mpoly_mul(p, p, q, jet->ctx);
        ck_assert(fmpz_mpoly_equal(p, r, jet->ctx));
    }
    darc_dpoly_set_deriv(a, (darc_deriv){SAMPLE_Y, 4}, large);
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_dpoly_move(r, jet, a, large, &err), DARC_LIMIT);
    ck_assert_str_eq(err.message, "derivative 4 of 'y' lies outside the frame");
    ck_assert(fmpz_mpoly_equal(p, r, jet->ctx)); /* r is unchanged */
    darc_dpoly_clear(a, large);
    darc_dpoly_clear(b, large);
    darc_jet_clear(large);
}
END_TEST

/* x and y trade places; u becomes y as well, so that terms may cancel. */
START_TEST(mapping_unknowns)
{
    static const int swap[] = {SAMPLE_Y, SAMPLE_K, SAMPLE_X, SAMPLE_U,
                               SAMPLE_TIME};
    static const int merge[] = {SAMPLE_X, SAMPLE_K, SAMPLE_Y, SAMPLE_Y, -1};
    for (int i = 0; i < ROUNDS; i++) {
        test_sample_random(p, rnd, 0, jet);
        ck_assert_int_eq(darc_dpoly_map(q, jet, p, jet, swap, NULL), DARC_OK);
        ck_assert_int_eq(darc_dpoly_map(r, jet, q, jet, swap, NULL), DARC_OK);
        ck_assert(fmpz_mpoly_equal(p, r, jet->ctx));
    }
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_Y, 1}, jet);
    darc_dpoly_set_deriv(q, (darc_deriv){SAMPLE_U, 1}, jet);
    fmpz_mpoly_sub(p, p, q, jet->ctx);
    ck_assert_int_eq(darc_dpoly_map(r, jet, p, jet, merge, NULL), DARC_OK);
    ck_assert(fmpz_mpoly_is_zero(r, jet->ctx));
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_Y, 1}, jet);
    fmpz_mpoly_mul(p, p, q, jet->ctx); /* y'*u' becomes y'^2 */
    ck_assert_int_eq(darc_dpoly_map(r, jet, p, jet, merge, NULL), DARC_OK);
    ck_assert_str_eq(test_sample_text(r, jet), "y'^2");
    darc_dpoly_set_deriv(p, (darc_deriv){SAMPLE_TIME, 0}, jet);
    ck_assert_int_eq(darc_dpoly_map(r, jet, p, jet, merge, NULL), DARC_LIMIT);
}
END_TEST

START_TEST(arrays)
{
    darc_dpolys_t a, b;
    darc_dpolys_init(a);
    darc_dpolys_init(b);
    for (int i = 0; i < 20; i++) {
        fmpz_mpoly_set_si(p, i, jet->ctx);
        darc_dpolys_append(a, p, jet);
    }
    for (int i = 0; i < 20; i++)
        darc_dpolys_append(a, a->p + i, jet); /* an entry of itself */
    ck_assert_int_eq(a->count, 40);
    for (slong i = 0; i < 40; i++) {
        fmpz_mpoly_set_si(p, i % 20, jet->ctx);
        ck_assert(fmpz_mpoly_equal(a->p + i, p, jet->ctx));
    }
    darc_dpolys_set(b, a, jet);
    darc_dpolys_set(b, b, jet);
    darc_dpolys_remove(a, 0, jet);
    ck_assert_int_eq(a->count, 39);
    fmpz_mpoly_set_si(p, 19, jet->ctx);
    ck_assert(fmpz_mpoly_equal(a->p + 0, p, jet->ctx));
    ck_assert(darc_dpolys_contains(a, p, jet));
    fmpz_mpoly_set_si(p, 20, jet->ctx);
    ck_assert(!darc_dpolys_contains(b, p, jet));
    darc_dpolys_append_take(b, p, jet);
    ck_assert(fmpz_mpoly_is_zero(p, jet->ctx));
    ck_assert_int_eq(b->count, 41);
    darc_dpolys_clear(a, jet);
    darc_dpolys_clear(b, jet);
    ck_assert_ptr_null(b->p);
}
END_TEST

Suite *suite_dpoly(void)
{
    Suite *s = suite_create("dpoly");
    TCase *c = tcase_create("dpoly");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, primitive_part);
    tcase_add_test(c, what_occurs);
    tcase_add_test(c, moving_there_and_back);
    tcase_add_test(c, mapping_unknowns);
    tcase_add_test(c, arrays);
    suite_add_tcase(s, c);
    return s;
}
