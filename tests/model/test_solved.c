#include "files.h"
#include "tests.h"

#include "model/solved.h"
#include "models.h"
#include "series.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERIES = 12 }; /* terms: more than any order here */

/* The equations of the model vanish on a random solution of s, the
 * inequations do not. */
static void check_on_series(const darc_solved_t s, const darc_model *model)
{
    int n = darc_model_names(model)->count;
    int *order = calloc((size_t)n, sizeof *order);
    darc_model_orders(model, order);
    darc_ranking_t rk;
    darc_ranking_init(rk, n);
    darc_jet_t jet;
    darc_jet_init(jet, darc_model_names(model), rk, order);
    darc_dpolys_t eq, ineq;
    darc_dpolys_init(eq);
    darc_dpolys_init(ineq);
    ck_assert_int_eq(darc_model_equations(eq, ineq, model, jet, NULL), 0);

    flint_rand_t state;
    flint_randinit(state);
    series_solution x;
    ck_assert(series_init(&x, s, SERIES, state));
    for (slong i = 0; i < eq->count; i++)
        ck_assert_msg(series_value(eq->p + i, &x, jet) == 0, "%s: equation %ld",
                      darc_model_name(model), (long)i);
    for (slong i = 0; i < ineq->count; i++)
        ck_assert_uint_ne(series_value(ineq->p + i, &x, jet), 0);
    for (slong i = 0; i < s->inequations->count; i++)
        ck_assert_uint_ne(series_value(s->inequations->p + i, &x, s->jet), 0);
    series_clear(&x);
    flint_randclear(state);
    darc_dpolys_clear(eq, jet);
    darc_dpolys_clear(ineq, jet);
    darc_jet_clear(jet);
    darc_ranking_clear(rk);
    free(order);
}

static void solves(const char *text, int states)
{
    darc_model *model = model_of(text);
    darc_err err;
    darc_err_init(&err);
    darc_solved_t s;
    darc_status status = darc_solved_init(s, model, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_int_eq(s->states, states);
    ck_assert_int_eq(s->num->count, s->states + s->outputs);
    check_on_series(s, model);
    darc_solved_clear(s);
    darc_model_free(model);
}

static void refuses(const char *text, const char *message)
{
    darc_model *model = model_of(text);
    darc_err err;
    darc_err_init(&err);
    darc_solved_t s;
    ck_assert_int_eq(darc_solved_init(s, model, &err), DARC_DOMAIN);
    ck_assert_str_eq(err.message, message);
    darc_model_free(model);
}

/* The numerators and denominators of s are those in text. */
static void prints(const char *text, const char *expected)
{
    darc_model *model = model_of(text);
    darc_solved_t s;
    ck_assert_int_eq(darc_solved_init(s, model, NULL), DARC_OK);
    darc_text_t t;
    darc_text_init(t);
    for (slong i = 0; i < s->num->count; i++) {
        darc_dpoly_print(t, s->num->p + i, s->jet);
        darc_text_puts(t, "/");
        darc_dpoly_print(t, s->den->p + i, s->jet);
        darc_text_puts(t, ";");
    }
    ck_assert_str_eq(t->s, expected);
    darc_text_clear(t);
    darc_solved_clear(s);
    darc_model_free(model);
}

#define CAR                                                                    \
    "model car\nstates\n xs xw\nparameters\n m mw c d ct\ninputs\n u\n"        \
    "outputs\n a z\nequations\n"

START_TEST(explicit_second_order)
{
    /* a = xs'', used by another equation; z and z' by their definition */
    solves(CAR " m*a = c*z + d*z'\n a = xs''\n z = xw - xs\n"
               " mw*xw'' = ct*(u - xw) - m*a\n",
           4);
    solves(CAR " m*xs'' = c*(xw - xs) + d*(xw' - xs')\n"
               " mw*xw'' = ct*(u - xw) - m*xs''\n a = xs''\n z = xw - xs\n",
           4);
}
END_TEST

START_TEST(coupled_highest_derivatives)
{
    /* pendulum on a cart, small angle: both accelerations in both */
    solves("model cart\nstates\n x p\nparameters\n M m l\ninputs\n F\n"
           "outputs\n y q\nequations\n (M + m)*x'' + m*l*p'' = F\n"
           " x'' + l*p'' = -9.81*p\n y = x\n q = p''\n",
           4);
    /* denominators that depend on states; three at once */
    solves("model three\nstates\n x y z\nparameters\n a\noutputs\n o\n"
           "equations\n x*x' + y' = z\n y*x' + z' = a\n x' + y' + z' = x*y\n"
           " o = x'/(1 + z'^2)\n",
           3);
}
END_TEST

START_TEST(derivatives_above_the_highest)
{
    /* y = x'' of a first-order equation; input derivatives appear */
    solves("model lag\nstates\n x\nparameters\n k\ninputs\n u\noutputs\n y w\n"
           "equations\n x' = -k*x^2 + u\n y = x''\n w = y' + 1/x\n",
           1);
    /* a state that turns out dynamic though it has no derivative */
    solves("model hidden\nstates\n x\nparameters\n k\noutputs\n y\n"
           "equations\n y' = -k*x\n y = x\n",
           1);
}
END_TEST

START_TEST(without_states)
{
    solves("model gain\nparameters\n k\ninputs\n u\noutputs\n y v\n"
           "equations\n v = u'/k + time\n y = v'\n",
           0);
}
END_TEST

START_TEST(second_order_has_two_state_variables)
{
    prints("model m\nstates\n x\nparameters\n m\ninputs\n u\noutputs\n y\n"
           "equations\n m*x'' = u\n y = x\n",
           "x'/1;u/m;x/1;");
}
END_TEST

START_TEST(undifferentiated_states_are_replaced)
{
    prints("model mixed\nstates\n x f\nparameters\n k\noutputs\n y w v\n"
           "equations\n x' = f^2\n f*x = k\n w = y' + y\n y = f*x^2\n"
           " v = f\n",
           "k^2/x^2;k*x/1;k*x^3 + k^3/x^2;k/x;");
    /* a Lagrange multiplier: the input decides the state */
    prints("model held\nstates\n x p\ninputs\n u\noutputs\n y\n"
           "equations\n x' = x + p\n x = u\n y = p\n",
           "u' - u/1;");
}
END_TEST

START_TEST(an_output_may_be_a_state)
{
    const char *text = "model box\nparameters\n m d k k3\ninputs\n u\n"
                       "outputs\n y\nequations\n"
                       " m*y'' + d*y' + k*y + k3*y^3 = u\n";
    darc_model *model = model_of(text);
    darc_solved_t s;
    ck_assert_int_eq(darc_solved_init(s, model, NULL), DARC_OK);
    ck_assert_int_eq(s->states, 2);
    check_on_series(s, model);
    darc_solved_clear(s);
    darc_model_free(model);
}
END_TEST

/* x is a state and not what the last equation makes of it, whose derivative
 * would need u'. */
START_TEST(a_differentiated_output_is_no_force)
{
    prints("model gained\nstates\n w\nparameters\n m k g\ninputs\n u\n"
           "outputs\n x v\nequations\n x' = w\n m*w' = -k*x + u\n"
           " v = g*w\n",
           "-k*x + u/m;w/1;x/1;g*w/1;");
}
END_TEST

/* Pacejka's tyres: r in terms of vy' would make what solves it very long. */
START_TEST(a_long_way_is_left)
{
    const char *text =
        "model tyres\nstates\n vy\nparameters\n m J lf lr D B C\n"
        "inputs\n v d\noutputs\n r\nequations\n"
        " m*(vy' + v*r) = D*sin(C*atan(B*(d - (vy + lf*r)/v)))"
        " - D*sin(C*atan(B*(vy - lr*r)/v))\n"
        " J*r' = lf*D*sin(C*atan(B*(d - (vy + lf*r)/v)))"
        " + lr*D*sin(C*atan(B*(vy - lr*r)/v))\n";
    darc_model *model = model_of(text);
    darc_solved_t s;
    ck_assert_int_eq(darc_solved_init(s, model, NULL), DARC_OK);
    for (slong i = 0; i < s->num->count; i++)
        ck_assert_int_lt(s->num->p[i].length, 1000);
    darc_solved_clear(s);
    darc_model_free(model);
}
END_TEST

START_TEST(refusals)
{
    refuses("model chassis\nparameters\n m c d\noutputs\n a z\nequations\n"
            " m*a = c*z + d*z'\n",
            "no solved form: 1 equations for 2 unknown functions");
    refuses("model implicit\nstates\n x\noutputs\n y\nequations\n"
            " x'^2 = x\n y = x\n",
            "no solved form: the highest derivative of 'x' does not enter "
            "linearly");
    refuses("model dae\nstates\n x z\noutputs\n y\nequations\n"
            " x' + z' = x\n x' + z' = z^2\n y = x\n",
            "no solved form: the equations do not determine all highest "
            "derivatives (a differential-algebraic system)");
    refuses("model over\nstates\n x\noutputs\n y\nequations\n"
            " x' = x\n x'*x = 2\n y = x\n",
            "no solved form: 2 equations for 1 unknown functions");
}
END_TEST

static void check_solved(const char *path, const char *name)
{
    (void)name;
    darc_err err;
    darc_err_init(&err);
    darc_model *model = NULL;
    darc_solved_t s;
    darc_status status = darc_model_read(&model, path, &err);
    if (status == DARC_OK)
        status = darc_solved_init(s, model, &err);
    ck_assert_msg(status == DARC_OK, "%s: %s", path, err.message);
    check_on_series(s, model);
    darc_solved_clear(s);
    darc_model_free(model);
}

START_TEST(published_models)
{
    static const char *const dir = "../shared/models";
    if (test_has_shared(dir, "published_models"))
        ck_assert_int_gt(test_walk(dir, ".darc", check_solved), 0);
}
END_TEST

Suite *suite_solved(void)
{
    Suite *s = suite_create("solved");
    TCase *c = tcase_create("solved");
    tcase_add_test(c, explicit_second_order);
    tcase_add_test(c, coupled_highest_derivatives);
    tcase_add_test(c, derivatives_above_the_highest);
    tcase_add_test(c, without_states);
    tcase_add_test(c, second_order_has_two_state_variables);
    tcase_add_test(c, undifferentiated_states_are_replaced);
    tcase_add_test(c, an_output_may_be_a_state);
    tcase_add_test(c, a_differentiated_output_is_no_force);
    tcase_add_test(c, a_long_way_is_left);
    tcase_add_test(c, refusals);
    tcase_add_test(c, published_models);
    suite_add_tcase(s, c);
    return s;
}
