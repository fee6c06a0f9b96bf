/* Constraints x^2 + y^2 = l^2 are left by going round on them. */
#include "tests.h"

#include "darc/identify.h"
#include "eliminate/eliminate.h"
#include "models.h"

#include <stdlib.h>
#include <string.h>

#define PENDULUM                                                               \
    "model pendulum\nparameters\n m l d\nconstants\n g = 9.81\nstates\n"       \
    " x y lam\noutputs\n v\nequations\n m*x'' = -lam*x - d*x'\n"               \
    " m*y'' = -lam*y - m*g - d*y'\n"

/* By the angle: what the constraint means. */
static const char angle[] =
    "model angle\nparameters\n m l d\nconstants\n g = 9.81\nstates\n t\n"
    "outputs\n v\nequations\n"
    " m*(2*t'/(1 + t^2))' + d*(2*t'/(1 + t^2)) = -m*g/l*(2*t/(1 + t^2))\n"
    " v = (2*l*t/(1 + t^2))'\n";

static char *equation_of(const char *text)
{
    darc_model *model = model_of(text);
    darc_ioeqs_t io;
    darc_err err = {DARC_OK, ""};
    darc_status status =
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    ck_assert_int_eq(io->count, 1);
    darc_text_t t = DARC_TEXT;
    darc_dpoly_print(t, io->eq[0].poly, io->jet);
    darc_ioeqs_clear(io);
    darc_model_free(model);
    return darc_text_take(t);
}

/* By its velocity alone: the equation is that of the model by the angle. */
START_TEST(a_pendulum_of_index_three)
{
    char *a = equation_of(PENDULUM " x^2 + y^2 = l^2\n v = x'\n");
    char *b = equation_of(angle);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
}
END_TEST

static void check_rewritten(const char *text, const char *part)
{
    darc_model *model = model_of(text);
    darc_text_t t = DARC_TEXT;
    darc_model_print_rewritten(t, model);
    if (*part == '\0')
        ck_assert_ptr_null(strstr(t->s, "place"));
    else
        ck_assert_msg(strstr(t->s, part) != NULL, "%s\nwanted %s", t->s, part);
    darc_text_clear(t);
    darc_model_free(model);
}

START_TEST(forms_of_circles)
{
    check_rewritten(PENDULUM " 0 = l^2 - x^2 - y^2\n v = x'\n",
                    "y = l*((2 - (1 + place_x^2))/(1 + place_x^2))");
    check_rewritten(PENDULUM " x^2 + y^2 - 0.25 = 0\n v = x + l\n",
                    "(1/2)*(2*");
    /* a pivot that moves; a sphere */
    check_rewritten("model cart\nparameters\n M m l\nstates\n x y lam\ninputs\n"
                    " u\noutputs\n s\nequations\n M*s'' = u + lam*(x - s)\n"
                    " m*x'' = lam*(s - x)\n m*y'' = -lam*y - m\n"
                    " (x - s)^2 + y^2 = l^2\n",
                    "x = l*(2*(place_1/(1 + place_1^2))) + s");
    check_rewritten(
        "model sphere\nparameters\n l\nstates\n x y z lam\noutputs\n"
        " a b\nequations\n x'' = -lam*x\n y'' = -lam*y\n"
        " z'' = -lam*z - 1\n x^2 + y^2 + z^2 = l^2\n a = x\n"
        " b = y'\n",
        "place_y");
    /* not so: all but one measured, no root, no state, an ellipse, two of one
     * sign missing */
    check_rewritten(PENDULUM " x^2 + y^2 = l^2\n v = x\n", "");
    check_rewritten(PENDULUM " x^2 + y^2 = 3\n v = x + l\n", "");
    check_rewritten(PENDULUM " x^2 - y^2 = l^2\n v = x\n", "");
    check_rewritten(PENDULUM " x^2 + 2*y^2 = l^2\n v = x\n", "");
    check_rewritten("model seen\nparameters\n l\noutputs\n x y\nequations\n"
                    " x^2 + y^2 = l^2\n",
                    "");
}
END_TEST

START_TEST(parameters_of_a_pendulum)
{
    darc_model *model = model_of(PENDULUM " x^2 + y^2 = l^2\n v = x\n");
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->parameters, 3);
    ck_assert_int_eq(found->parameter[0].identifiable, DARC_NOT_IDENTIFIABLE);
    ck_assert_int_eq(found->parameter[1].identifiable, DARC_LOCALLY);
    ck_assert(found->parameter[1].final); /* l and -l */
    ck_assert_int_eq(found->functions, 2);
    ck_assert_int_eq(found->states, 3); /* places are none of the user's */
    darc_identified_free(found);
    darc_model_free(model);
}
END_TEST

Suite *suite_circle(void)
{
    Suite *s = suite_create("circle");
    TCase *c = tcase_create("circle");
    tcase_set_timeout(c, 60);
    tcase_add_test(c, a_pendulum_of_index_three);
    tcase_add_test(c, forms_of_circles);
    tcase_add_test(c, parameters_of_a_pendulum);
    suite_add_tcase(s, c);
    return s;
}
