#include "sample.h"
#include "tests.h"

#include "algebra/dpoly.h"
#include "model/model.h"

#include <string.h>

static darc_jet_t jet;
static darc_dpoly_t p, q;

static void setup(void)
{
    test_sample_init(jet, "", 5);
    darc_dpoly_init(p, jet);
    darc_dpoly_init(q, jet);
}

static void teardown(void)
{
    darc_dpoly_clear(p, jet);
    darc_dpoly_clear(q, jet);
    darc_jet_clear(jet);
}

/* Add c * k^m * d^n to p. */
static void add(slong c, ulong m, int unknown, int order, ulong n)
{
    fmpz_mpoly_t f, g;
    darc_dpoly_init(f, jet);
    darc_dpoly_init(g, jet);
    darc_dpoly_set_deriv(f, (darc_deriv){unknown, order}, jet);
    fmpz_mpoly_pow_ui(f, f, n, jet->ctx);
    darc_dpoly_set_deriv(g, (darc_deriv){SAMPLE_K, 0}, jet);
    fmpz_mpoly_pow_ui(g, g, m, jet->ctx);
    fmpz_mpoly_mul(f, f, g, jet->ctx);
    fmpz_mpoly_scalar_mul_si(f, f, c, jet->ctx);
    fmpz_mpoly_add(p, p, f, jet->ctx);
    darc_dpoly_clear(f, jet);
    darc_dpoly_clear(g, jet);
}

START_TEST(worked_examples)
{
    ck_assert_str_eq(test_sample_text(p, jet), "0");
    add(-1, 1, SAMPLE_X, 2, 1);
    add(1, 0, SAMPLE_X, 5, 2);
    add(-3, 2, SAMPLE_Y, 3, 1);
    add(7, 0, SAMPLE_Y, 0, 0);
    ck_assert_str_eq(test_sample_text(p, jet),
                     "der(x,5)^2 - k*x'' - 3*k^2*y''' + 7");
    darc_text_t out;
    darc_text_init(out);
    darc_dpoly_latex(out, p, jet);
    ck_assert_str_eq(out->s, "({x}^{(5)})^{2} - k \\ddot{x} - "
                             "3 k^{2} \\dddot{y} + 7");
    darc_text_reset(out);
    darc_deriv_print(out, (darc_deriv){SAMPLE_X, 4}, jet->names);
    ck_assert_str_eq(out->s, "der(x,4)");
    darc_text_clear(out);
    fmpz_mpoly_neg(p, p, jet->ctx);
    ck_assert_str_eq(test_sample_text(p, jet),
                     "-der(x,5)^2 + k*x'' + 3*k^2*y''' - 7");
}
END_TEST

/* Read f = 0 as a model of the same names, and set q to its polynomial. */
static void read_back(const char *text)
{
    darc_text_t file;
    darc_text_init(file);
    darc_text_printf(file,
                     "states x\nparameters k\noutputs y\ninputs u\n"
                     "equations\n %s + 0*time = 0\nassume time != 0\n",
                     text);
    darc_model *m = NULL;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_model_parse(&m, file->s, file->len, "t", &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    darc_dpolys_t eq, ineq;
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert_int_eq(darc_model_equations(eq, ineq, m, jet, NULL), DARC_OK);
    ck_assert_int_eq(eq->count, 1);
    fmpz_mpoly_set(q, eq->p + 0, jet->ctx);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_model_free(m);
    darc_text_clear(file);
}

START_TEST(printed_polynomials_read_back)
{
    flint_rand_t rnd;
    flint_randinit(rnd);
    for (int i = 0; i < 100; i++) {
        test_sample_random(p, rnd, 0, jet);
        if (fmpz_mpoly_is_fmpz(p, jet->ctx))
            continue;
        darc_dpoly_primitive(p, p, jet);
        read_back(test_sample_text(p, jet));
        ck_assert(fmpz_mpoly_equal(p, q, jet->ctx));
    }
    flint_randclear(rnd);
}
END_TEST

START_TEST(names_in_latex)
{
    darc_names_t names;
    darc_ranking_t rk;
    darc_jet_t small;
    darc_names_init(names);
    darc_names_add(names, "k12", DARC_STATE);
    darc_names_add(names, "mass_a_b", DARC_STATE);
    darc_ranking_init(rk, 2);
    darc_jet_init(small, names, rk, (int[]){1, 4});
    darc_dpoly_t a, b;
    darc_dpoly_init(a, small);
    darc_dpoly_init(b, small);
    darc_dpoly_set_deriv(a, (darc_deriv){0, 1}, small);
    darc_dpoly_set_deriv(b, (darc_deriv){1, 4}, small);
    fmpz_mpoly_mul(a, a, b, small->ctx);
    darc_text_t out;
    darc_text_init(out);
    darc_dpoly_latex(out, a, small);
    ck_assert_str_eq(out->s, "{\\mathit{mass}_{a\\_b}}^{(4)} \\dot{k_{12}}");
    darc_text_clear(out);
    darc_dpoly_clear(a, small);
    darc_dpoly_clear(b, small);
    darc_jet_clear(small);
    darc_ranking_clear(rk);
    darc_names_clear(names);
}
END_TEST

Suite *suite_dpoly_text(void)
{
    Suite *s = suite_create("dpoly_text");
    TCase *c = tcase_create("dpoly_text");
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, worked_examples);
    tcase_add_test(c, printed_polynomials_read_back);
    tcase_add_test(c, names_in_latex);
    suite_add_tcase(s, c);
    return s;
}
