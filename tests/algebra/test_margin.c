/* Polynomials whose zeros are known, and bounds between them. */
#include "tests.h"

#include "algebra/margin.h"

/* f = f * (a + b s + c s^2) */
static void times(fmpz_poly_t f, int a, int b, int c)
{
    fmpz_poly_t g;
    fmpz_poly_init(g);
    fmpz_poly_set_coeff_si(g, 0, a);
    fmpz_poly_set_coeff_si(g, 1, b);
    fmpz_poly_set_coeff_si(g, 2, c);
    fmpz_poly_mul(f, f, g);
    fmpz_poly_clear(g);
}

START_TEST(stable_is_what_has_its_zeros_on_the_left)
{
    static const struct {
        int factor[4][3];
        int integrators;
    } known[] = {
        {{{1, 1, 0}, {3, 2, 0}, {2, 1, 5}, {7, 1, 1}}, 0},
        {{{1, 1, 0}, {3, -2, 0}, {2, 1, 5}, {7, 1, 1}}, -1},
        {{{1, 1, 0}, {3, 2, 0}, {2, -1, 5}, {7, 9, 1}}, -1},
        {{{1, 1, 0}, {0, 1, 0}, {2, 1, 5}, {0, 1, 0}}, 2},
        {{{0, 1, 0}, {-1, 1, 0}, {1, 0, 0}, {1, 0, 0}}, -1},
        {{{1, 0, 4}, {1, 1, 0}, {1, 0, 0}, {1, 0, 0}}, -1}, /* on the axis */
        {{{1, 0, 1}, {1, 0, 1}, {5, 3, 0}, {1, 0, 0}}, -1},
        {{{-1, -1, 0}, {3, 2, 0}, {1, 0, 0}, {1, 0, 0}}, 0},
        {{{5, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, 0},
        {{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, -1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fmpz_poly_t f;
        fmpz_poly_init(f);
        fmpz_poly_set_si(f, 1);
        for (int k = 0; k < 4; k++)
            times(f, known[i].factor[k][0], known[i].factor[k][1],
                  known[i].factor[k][2]);
        ck_assert_int_eq(darc_margin_integrators(f), known[i].integrators);
        fmpz_poly_clear(f);
    }
}
END_TEST

/* |3 + 2 i w - w^2|^2 = (3 - x)^2 + 4 x, x = w^2 */
START_TEST(the_square_is_that_by_hand)
{
    fmpz_poly_t f, q;
    fmpz_poly_init(f);
    fmpz_poly_init(q);
    fmpz_poly_set_si(f, 1);
    times(f, 3, 2, 1);
    darc_margin_square(q, f);
    ck_assert_int_eq(fmpz_poly_get_coeff_si(q, 0), 9);
    ck_assert_int_eq(fmpz_poly_get_coeff_si(q, 1), -2);
    ck_assert_int_eq(fmpz_poly_get_coeff_si(q, 2), 1);
    ck_assert_int_eq((int)fmpz_poly_degree(q), 2);
    fmpz_poly_clear(f);
    fmpz_poly_clear(q);
}
END_TEST

/* 1 < b^2 ((x - 4)^2 + 1) holds for all x where b > 1, and for no b <= 1 at
 * x = 4, however narrow that is. */
START_TEST(a_bound_holds_everywhere_or_not)
{
    const double hz = 0.3183098861837907; /* x = 4 */
    const double wide[] = {0.1, 1}, below[] = {0.1, 0.9 * hz};
    const double above[] = {1.1 * hz, 9}, ends[] = {0.01, hz};
    const double all[] = {1e-320, 1e308}; /* squares are no doubles */
    fmpz_poly_t g, q;
    fmpz_poly_init(g);
    fmpz_poly_init(q);
    fmpz_poly_set_si(g, 1);
    fmpz_poly_set_si(q, 1);
    times(q, 17, -8, 1);
    ck_assert(darc_margin_holds(g, q, 1.0000001, wide));
    ck_assert(darc_margin_holds(g, q, 1.0000001, all));
    ck_assert(!darc_margin_holds(g, q, 1, wide));
    ck_assert(!darc_margin_holds(g, q, 0.9999999, all));
    ck_assert(!darc_margin_holds(g, q, 0.9999999, wide));
    ck_assert(!darc_margin_holds(g, q, 0.9999999, ends));
    ck_assert(darc_margin_holds(g, q, 0.9, below));
    ck_assert(darc_margin_holds(g, q, 0.9, above));
    ck_assert(!darc_margin_holds(g, q, 0.5, below));
    fmpz_poly_zero(g); /* 0 < q; touched, and double */
    ck_assert(darc_margin_holds(g, q, 1, wide));
    fmpz_poly_set_si(q, 1);
    times(q, 16, -8, 1);
    ck_assert(!darc_margin_holds(g, q, 1, wide));
    ck_assert(darc_margin_holds(g, q, 1, above));
    fmpz_poly_zero(q);
    ck_assert(!darc_margin_holds(g, q, 1, wide));
    fmpz_poly_clear(g);
    fmpz_poly_clear(q);
}
END_TEST

Suite *suite_margin(void)
{
    Suite *s = suite_create("margin");
    TCase *tc = tcase_create("margin");
    tcase_add_test(tc, stable_is_what_has_its_zeros_on_the_left);
    tcase_add_test(tc, the_square_is_that_by_hand);
    tcase_add_test(tc, a_bound_holds_everywhere_or_not);
    suite_add_tcase(s, tc);
    return s;
}
