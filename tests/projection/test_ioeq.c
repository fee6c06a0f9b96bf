#include "tests.h"

#include "eliminate/eliminate.h"
#include "fixture_io.h"
#include "models.h"
#include "projection/coeffs.h"

#include "projection/ioeq.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const predprey[] = {
    "y_0*y_2 - y_1^2 - d*y_0^2*y_1 + c*y_0*y_1 + a*d*y_0^3 - a*c*y_0^2"};
static const char *const car[] = {"m*a_0 - c*z_0 - d*z_1"};
static const char *const compartments[] = {
    "y_2 + (p+q+r)*y_1 + p*r*y_0 - r*u_0 - u_1"};

static char *parts(const darc_ioeq *eq, const darc_jet_t jet)
{
    darc_text_t t;
    darc_text_init(t);
    for (slong j = 0; j < eq->coeff->count; j++) {
        darc_dpoly_print(t, eq->coeff->p + j, jet);
        darc_text_puts(t, ": ");
        darc_dpoly_print(t, eq->part->p + j, jet);
        darc_text_puts(t, "; ");
    }
    return darc_text_take(t);
}

static void check_parts(const char *names, const char *equation,
                        const char *expected)
{
    darc_ioeqs_t io;
    fixture_io(io, names, &equation, 1);
    char *s = parts(io->eq, io->jet);
    ck_assert_str_eq(s, expected);
    free(s);
    darc_ioeqs_clear(io);
}

START_TEST(groups_are_a_basis)
{
    check_parts("m c d / a z", car[0], "m: -a; c: z; d: z'; ");
    check_parts("p q r / y / u", compartments[0],
                "1: y'' - u'; r: -u; p*r: y; p + q + r: y'; ");
    /* p + q is not needed beside p and q */
    check_parts("p q / y / u", "p*y_1 + (p+q)*y_0 + q*u_0",
                "p: y' + y; q: y + u; ");
}
END_TEST

START_TEST(groups_stay_integral)
{
    /* 2p and 3p span the lattice of p */
    check_parts("p q / y", "2*p*y_1 + 3*p*y_0 + q*y_2",
                "p: 2*y' + 3*y; q: y''; ");
    /* 2p + 2q, p - q, p + 3q: q-denominators 2 in the short basis */
    darc_ioeqs_t io;
    const char *e = "(2*p+2*q)*y_1 + (p-q)*y_0 + (p+3*q)*y_2";
    fixture_io(io, "p q / y", &e, 1);
    ck_assert_int_eq(io->eq->coeff->count, 2);
    darc_ioeqs_clear(io);
}
END_TEST

/* A ratio of 2000 digits, which 40 primes of 61 bits do not determine. */
START_TEST(groups_take_numbers_of_any_size)
{
    darc_ioeqs_t io;
    const char *e = "10^2000*p*y_1 + 7*p*y_0 + q*y_2";
    fixture_io(io, "p q / y", &e, 1);
    ck_assert_int_eq(io->eq->coeff->count, 2);
    char *s = parts(io->eq, io->jet);
    ck_assert_ptr_nonnull(strstr(s, "0*y' + 7*y; "));
    ck_assert_uint_gt(strlen(s), 2000);
    free(s);
    darc_ioeqs_clear(io);
}
END_TEST

/* sum coeff*part == poly, for random polynomials. */
START_TEST(groups_add_up)
{
    static const char *const e = "y_0*p + q*r*y_1";
    darc_ioeqs_t io;
    fixture_io(io, "p q r / y z / u", &e, 1);
    flint_rand_t state;
    flint_randinit(state);
    for (int i = 0; i < 30; i++) {
        darc_dpoly_t p, sum, t;
        darc_dpoly_init(p, io->jet);
        darc_dpoly_init(sum, io->jet);
        darc_dpoly_init(t, io->jet);
        fmpz_mpoly_randtest_bound(p, state, 12, 4, 2, io->jet->ctx);
        fixture_dpoly(t, "y_3", io->jet);
        fmpz_mpoly_add(p, p, t, io->jet->ctx);
        darc_ioeqs_append(io, p, "model");
        for (int k = 0; k < io->count; k++) {
            const darc_ioeq *eq = io->eq + k;
            fmpz_mpoly_zero(sum, io->jet->ctx);
            for (slong j = 0; j < eq->coeff->count; j++) {
                ck_assert(darc_dpoly_is_constant(eq->coeff->p + j, io->jet));
                fmpz_mpoly_mul(t, eq->coeff->p + j, eq->part->p + j,
                               io->jet->ctx);
                fmpz_mpoly_add(sum, sum, t, io->jet->ctx);
            }
            ck_assert(fmpz_mpoly_equal(sum, eq->poly, io->jet->ctx));
        }
        darc_dpoly_clear(p, io->jet);
        darc_dpoly_clear(sum, io->jet);
        darc_dpoly_clear(t, io->jet);
    }
    flint_randclear(state);
    darc_ioeqs_clear(io);
}
END_TEST

START_TEST(solutions_solve)
{
    static const char *const two[] = {"y_2^2 - p*u_0*y_1 + z_1",
                                      "z_1*y_0 - q*z_0 + u_1"};
    darc_ioeqs_t io;
    fixture_io(io, "p q / y z / u", two, 2);
    flint_rand_t state;
    flint_randinit(state);
    darc_solution_t s;
    ulong prime = darc_finite_random_prime(state), value[6];
    darc_solution_init(s, io->jet->names, 9, prime, NULL, state);
    ck_assert_int_eq(darc_ioeqs_solve(s, io, state, NULL), DARC_OK);
    for (int i = 0; i < 2; i++) {
        darc_solution_derivatives(value, 6, io->eq[i].poly, io->jet, s);
        for (int k = 0; k < 6; k++)
            ck_assert_uint_eq(value[k], 0);
    }
    /* the second is not the derivative of the first */
    darc_solution_derivatives(value, 6, io->eq->coeff->p, io->jet, s);
    ck_assert_uint_ne(value[0], 0);
    darc_solution_clear(s);
    darc_ioeqs_clear(io);
    flint_randclear(state);
}
END_TEST

START_TEST(dimension_counts_free_ratios)
{
    static const struct {
        const char *names, *const *equation;
        slong dimension;
    } cases[] = {{"m c d / a z", car, 2},
                 {"a c d / y", predprey, 3},
                 {"p q r / y / u", compartments, 3}};
    flint_rand_t state;
    flint_randinit(state);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        darc_ioeqs_t io;
        fixture_io(io, cases[i].names, cases[i].equation, 1);
        darc_coeffs_t c;
        darc_coeffs_init(c, io, 0, NULL);
        ck_assert_int_eq(darc_coeffs_dimension(c, state), cases[i].dimension);
        darc_coeffs_clear(c);
        darc_ioeqs_clear(io);
    }
    flint_randclear(state);
}
END_TEST

START_TEST(changed_parameters_stand_twice)
{
    darc_ioeqs_t io;
    fixture_io(io, "m c d / a z / mA", car, 1);
    bool changed[6] = {true};
    darc_coeffs_t c;
    darc_coeffs_init(c, io, 0, changed);
    ck_assert_int_eq(c->vars, 4);
    ck_assert_str_eq(c->name[0], "mA_");
    ck_assert_str_eq(c->name[1], "mB");
    ck_assert_str_eq(c->name[2], "c");
    ck_assert_int_eq(c->vectors, 2);
    flint_rand_t state;
    flint_randinit(state);
    ck_assert_int_eq(darc_coeffs_dimension(c, state), 3);
    flint_randclear(state);
    darc_coeffs_clear(c);
    darc_ioeqs_clear(io);
}
END_TEST

/* sqrt(2)^2*a*y is 2*a*y, sqrt(3) beside it 1.732 of it. */
START_TEST(numbers_become_fractions)
{
    static const char text[] =
        "model m\nparameters\n a b\ninputs\n u\noutputs\n y\nequations\n"
        " y' = u - sqrt(2)*(a*sqrt(2)*y + b*sqrt(3)*y^2)\n";
    darc_model *model = model_of(text);
    const darc_names_struct *names = darc_model_names(model);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    darc_ioeqs_put_numbers(io, model);
    const darc_ioeq *eq = io->eq;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].number)
            ck_assert_int_le(
                darc_dpoly_degree(eq->poly,
                                  darc_jet_var(io->jet, (darc_deriv){u, 0}),
                                  io->jet),
                0);
    double lead = 0, a = 0, b = 0;
    for (slong t = 0; t < eq->poly->length; t++) {
        double c = fmpz_get_d(eq->poly->coeffs + t);
        darc_dpoly_t term;
        darc_dpoly_init(term, io->jet);
        fmpz_mpoly_get_term_monomial(term, eq->poly, t, io->jet->ctx);
        darc_text_t s = DARC_TEXT;
        darc_dpoly_print(s, term, io->jet);
        lead = strcmp(s->s, "y'") == 0 ? c : lead;
        a = strstr(s->s, "a*") != NULL ? c : a;
        b = strstr(s->s, "b*") != NULL ? c : b;
        darc_text_clear(s);
        darc_dpoly_clear(term, io->jet);
    }
    ck_assert_double_eq_tol(a / lead, 2, 1e-13);
    ck_assert_double_eq_tol(b / lead, sqrt(6), 1e-13);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

Suite *suite_ioeq(void)
{
    Suite *s = suite_create("ioeq");
    TCase *c = tcase_create("ioeq");
    tcase_add_test(c, groups_are_a_basis);
    tcase_add_test(c, groups_stay_integral);
    tcase_add_test(c, groups_take_numbers_of_any_size);
    tcase_add_test(c, groups_add_up);
    tcase_add_test(c, solutions_solve);
    tcase_add_test(c, numbers_become_fractions);
    tcase_add_test(c, dimension_counts_free_ratios);
    tcase_add_test(c, changed_parameters_stand_twice);
    suite_add_tcase(s, c);
    return s;
}
