#include "tests.h"

#include "eliminate/eliminate.h"
#include "models.h"
#include "relation/relation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *equations(const darc_ioeqs_t io)
{
    darc_text_t t;
    darc_text_init(t);
    for (int i = 0; i < io->count; i++) {
        darc_text_printf(t, "%s%s: ", i > 0 ? "; " : "", io->eq[i].engine);
        darc_dpoly_print(t, io->eq[i].poly, io->jet);
    }
    return darc_text_take(t);
}

static void check(const char *text, darc_engine engine, const char *expected)
{
    darc_model *model = model_of(text);
    darc_ioeqs_t io;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_ioeqs_init(io, model, NULL, engine, NULL, &err);
    if (status == DARC_OK) {
        char *s = equations(io);
        ck_assert_str_eq(s, expected);
        free(s);
        darc_ioeqs_clear(io);
    } else {
        ck_assert_str_eq(err.message, expected);
    }
    darc_model_free(model);
}

static const char car[] = "model car\nparameters\n m c d\noutputs\n a z\n"
                          "equations\n m*a = c*z + d*z'\n";
static const char prey[] =
    "model prey\nstates\n x w\nparameters\n a b c d\noutputs\n y\nequations\n"
    " x' = a*x - b*x*w\n w' = -c*w + d*x*w\n y = x\n";
static const char square[] = "model square\nparameters\n p\noutputs\n y\n"
                             "equations\n y'^2 = 4*p*y\n";
static const char split[] = "model split\noutputs\n y z\nequations\n"
                            " y'^2 = y^2\n z' = y\n";
static const char tied[] = "model tied\nparameters\n p\noutputs\n y z\n"
                           "equations\n y'' = p*z\n z' = y''\n";
static const char half[] = "model half\nstates\n h\nparameters\n p c d\n"
                           "inputs\n u\noutputs\n w v\nequations\n"
                           " h^2 = p*u^2\n w' = h\n v'*(h + c*u) = d*h + u\n";
static const char still[] = "model still\nstates\n h\nparameters\n p c d\n"
                            "outputs\n w v\nequations\n"
                            " h^2 = p*w^2\n w' = h\n v'*(h + c*w) = d*h\n";
static const char never[] = "model never\noutputs\n y\nequations\n"
                            " y = 1\n y' = 1\n";

static const char blind[] = "model blind\nstates\n x\nparameters\n p\n"
                            "inputs\n u\nequations\n x' = u - p*x\n";

/* Where c*d = 1 and p*d^2 = 1, or w = 0, nothing binds v: components of more
 * freedom than as many equations as unknowns leave. */
START_TEST(where_equations_depend_on_each_other_is_not_generic)
{
    check(still, DARC_ENGINE_AUTO,
          "general: p*v'^2 - c^2*v'^2 - 2*p*d*v' + p*d^2; "
          "general: w'*v' - d*w' + c*v'*w");
    check(half, DARC_ENGINE_AUTO,
          "constraints: p*v'^2 - c^2*v'^2 - 2*p*d*v' + 2*c*v' + p*d^2 - 1; "
          "constraints: p*w'*v' - c^2*w'*v' - p*d*w' + c*w' + p*c*d*u - p*u");
}
END_TEST

START_TEST(no_outputs_no_relation)
{
    check(blind, DARC_ENGINE_AUTO,
          "model 'blind' leaves no relation between its signals: it has no "
          "outputs, what is measured of what it does");
    check(blind, DARC_ENGINE_PROJECT, "the model 'blind' has no outputs");
    check(blind, DARC_ENGINE_LINEAR, "the model 'blind' has no outputs");
}
END_TEST

START_TEST(states_free_equations_stand)
{
    check(car, DARC_ENGINE_AUTO, "model: d*z' - m*a + c*z");
    check(square, DARC_ENGINE_AUTO, "model: y'^2 - 4*p*y");
}
END_TEST

START_TEST(general_eliminates_states)
{
    check(prey, DARC_ENGINE_GENERAL,
          "general: y''*y - y'^2 - d*y'*y^2 + c*y'*y + a*d*y^3 - a*c*y^2");
    check(car, DARC_ENGINE_GENERAL, "general: d*z' - m*a + c*z");
    check(tied, DARC_ENGINE_GENERAL, "general: z' - p*z; general: y'' - p*z");
    check(tied, DARC_ENGINE_AUTO, "model: y'' - z'; model: y'' - p*z");
}
END_TEST

/* Its solved form would need T'. */
START_TEST(the_next_engine_takes_over)
{
    check("model bound\nstates\n q c\nparameters\n k\ninputs\n T\noutputs\n"
          " y\nequations\n y' = q - k*T*c\n T = y\n c' = q - c\n",
          DARC_ENGINE_AUTO, "constraints: y - T");
    check("model bound\nstates\n c\nparameters\n k\ninputs\n T\noutputs\n"
          " q y\nequations\n y' = q - k*T*c\n T = y\n c' = q - c\n",
          DARC_ENGINE_AUTO,
          "projection: y - T; projection: q'*T - q*T' - k*q*T^2 + q*T - T''*T "
          "+ T'^2 - T'*T");
}
END_TEST

START_TEST(engines_agree)
{
    darc_model *model = model_of(prey);
    darc_ioeqs_t a, b;
    ck_assert_int_eq(
        darc_ioeqs_init(a, model, NULL, DARC_ENGINE_GENERAL, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(
        darc_ioeqs_init(b, model, NULL, DARC_ENGINE_AUTO, NULL, NULL), DARC_OK);
    ck_assert_str_eq(b->eq->engine, "projection");
    darc_dpoly_t p;
    darc_dpoly_init(p, b->jet);
    ck_assert_int_eq(darc_dpoly_move(p, b->jet, a->eq->poly, a->jet, NULL),
                     DARC_OK);
    ck_assert(fmpz_mpoly_equal(p, b->eq->poly, b->jet->ctx));
    darc_dpoly_clear(p, b->jet);
    darc_ioeqs_clear(a);
    darc_ioeqs_clear(b);
    darc_model_free(model);
}
END_TEST

/* Of orders 1 and 2: 7 terms one way, 11 the other. */
START_TEST(the_order_of_declaration_is_nothing)
{
    static const char body[] =
        "states\n p q r\nparameters\n a b c\nequations\n p' = -a*p*r\n"
        " q' = a*p*r - b*q\n r' = c*q^2 - r\n y = p\n z = q\n";
    char *found[2];
    for (int i = 0; i < 2; i++) {
        char text[400];
        darc_ioeqs_t io;
        snprintf(text, sizeof text, "model m\noutputs\n %s\n%s",
                 i == 0 ? "y z" : "z y", body);
        darc_model *model = model_of(text);
        ck_assert_int_eq(
            darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
            DARC_OK);
        found[i] = equations(io);
        darc_ioeqs_clear(io);
        darc_model_free(model);
    }
    ck_assert_str_eq(found[0], found[1]);
    ck_assert_str_eq(found[0], "projection: z' + y' + b*z; projection: "
                               "y''*y - y'^2 + y'*y + a*c*z^2*y^2");
    free(found[0]);
    free(found[1]);
}
END_TEST

START_TEST(refusals)
{
    check(split, DARC_ENGINE_AUTO,
          "model 'split' splits into 2 components; 'darc eliminate "
          "--all-components' shows them");
    check(never, DARC_ENGINE_AUTO,
          "the equations of model 'never' contradict each other");
}
END_TEST

Suite *suite_engine(void)
{
    Suite *s = suite_create("engine");
    TCase *c = tcase_create("engine");
    tcase_add_test(c, where_equations_depend_on_each_other_is_not_generic);
    tcase_add_test(c, no_outputs_no_relation);
    tcase_add_test(c, states_free_equations_stand);
    tcase_add_test(c, general_eliminates_states);
    tcase_add_test(c, the_next_engine_takes_over);
    tcase_add_test(c, engines_agree);
    tcase_add_test(c, the_order_of_declaration_is_nothing);
    tcase_add_test(c, refusals);
    suite_add_tcase(s, c);
    return s;
}
