/* Equations that hold no state stand as they are. */
#include "tests.h"

#include "darc/identify.h"
#include "eliminate/eliminate.h"
#include "models.h"

#include <stdlib.h>
#include <string.h>

/* Append the equations of the text, with the engines that found them. */
static bool print_equations(darc_text_t t, const char *text, darc_engine engine)
{
    darc_model *model = model_of(text);
    darc_ioeqs_t io;
    darc_err err = {DARC_OK, ""};
    darc_status status = darc_ioeqs_init(io, model, NULL, engine, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    bool coupled = io->coupled;
    for (int i = 0; i < io->count; i++) {
        darc_text_printf(t, "%s%s: ", i > 0 ? "; " : "", io->eq[i].engine);
        darc_dpoly_print(t, io->eq[i].poly, io->jet);
    }
    darc_ioeqs_clear(io);
    darc_model_free(model);
    return coupled;
}

static void check(const char *text, bool coupled, const char *expected)
{
    darc_text_t t = DARC_TEXT;
    ck_assert_int_eq(print_equations(t, text, DARC_ENGINE_AUTO), coupled);
    ck_assert_str_eq(t->s, expected);
    darc_text_clear(t);
}

static const char double_pendulum[] =
    "model two\nparameters\n a l1 l2\nconstants\n g = 10\noutputs\n q1 q2\n"
    "equations\n"
    " l1*q1'' + a*l2*q2''*cos(q1 - q2) + a*l2*q2'^2*sin(q1 - q2)"
    " + g*sin(q1) = 0\n"
    " l2*q2'' + l1*q1''*cos(q1 - q2) - l1*q1'^2*sin(q1 - q2)"
    " + g*sin(q2) = 0\n";

/* The same by states, velocities and a torque between them; what gives a state
 * in the lowest derivatives goes. */
START_TEST(states_that_are_measured_go)
{
    darc_text_t text = DARC_TEXT;
    const char *equations = strstr(double_pendulum, "equations\n") + 10;
    darc_text_puts(text, "model two\nparameters\n a l1 l2\nconstants\n g = 10\n"
                         "states\n q1 q2\noutputs\n y1 y2\nequations\n");
    darc_text_puts(text, equations);
    darc_text_puts(text, " q1 = y1\n y2 = q2\n");
    check(text->s, true,
          "model: l1*y1''*cos_1 + l2*y2'' - l1*y1'^2*sin_2 + 10*sin_y2; "
          "model: l1*y1'' + a*l2*y2''*cos_1 + a*l2*y2'^2*sin_2 + 10*sin_y1");
    darc_text_clear(text);
    check("model force\nparameters\n m n k c\nstates\n x z v F\ninputs\n u\n"
          "outputs\n p q\nequations\n m*v' = u - F\n n*z'' = F\n"
          " 2*F = k*(x - z) + c*(x - z)^3\n x' = v\n p = x\n q - p = z - x\n",
          false,
          "model: 2*n*q'' - c*p^3 + 3*c*p^2*q - 3*c*p*q^2 - k*p + c*q^3 + k*q; "
          "model: 2*m*p'' + c*p^3 - 3*c*p^2*q + 3*c*p*q^2 + k*p - c*q^3 - k*q "
          "- 2*u");
    /* a speed, of a place that nothing else holds; its square is no state */
    check("model speed\nparameters\n a b\nstates\n x\ninputs\n u\noutputs\n v\n"
          "equations\n a*x''*x' + b*x'^2 = u\n v = x'\n",
          false, "model: a*v'*v + b*v^2 - u");
}
END_TEST

/* What must not vanish is 0 where states are replaced. */
START_TEST(contradictions_are_told)
{
    darc_model *model =
        model_of("states\n x\nparameters\n a\noutputs\n y\nequations\n"
                 " x' = -a*x\n y = x\nassume\n y - x != 0\n");
    darc_ioeqs_t io;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_ne(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, &err),
        DARC_OK);
    ck_assert_ptr_nonnull(strstr(err.message, "contradict each other"));
    darc_model_free(model);
}
END_TEST

START_TEST(coupled_equations_stand)
{
    check(double_pendulum, true,
          "model: l1*q1''*cos_1 + l2*q2'' - l1*q1'^2*sin_2 + 10*sin_q2; "
          "model: l1*q1'' + a*l2*q2''*cos_1 + a*l2*q2'^2*sin_2 + 10*sin_q1");
    check("model tied\nparameters\n p\noutputs\n y z\nequations\n"
          " y'' = p*z\n z' = y''\n",
          true, "model: y'' - z'; model: y'' - p*z");
    /* more outputs than equations */
    check("model free\nparameters\n a b c\noutputs\n x y z\nequations\n"
          " a*x' + y' = z\n b*x' - c*y' = x\n",
          true, "model: b*x' - c*y' - x; model: a*x' + y' - z");
    check("model reduced\nparameters\n a\noutputs\n y z\nequations\n"
          " y' = a*z\n z' = y\n",
          false, "model: z' - y; model: y' - a*z");
}
END_TEST

START_TEST(what_says_more_is_reduced)
{
    /* y2' - y1 is 0: what multiplies it cannot be seen */
    check("model twice\nparameters\n a b\noutputs\n y z\nequations\n"
          " y'' = -a*y + b*(z' - y)\n z' = y\n",
          false, "projection: z' - y; projection: y'' + a*y");
    /* linear in each highest derivative, not in both */
    check("model product\nparameters\n a b\noutputs\n y z\nequations\n"
          " y'*z' = a*y\n z' + y' = b\n",
          false, "general: z'^2 - b*z' + a*y; general: y'*z' - a*y");
    /* a ranking asks for a characteristic set, and so does who reduces */
    darc_text_t t = DARC_TEXT;
    ck_assert(!print_equations(t, double_pendulum, DARC_ENGINE_REDUCED));
    ck_assert_ptr_null(strstr(t->s, "model"));
    darc_text_clear(t);
}
END_TEST

/* A derived signal that is computed from what is solved for. */
START_TEST(signals_made_of_leaders_are_no_points)
{
    darc_text_t t = DARC_TEXT;
    const char text[] =
        "model made\nparameters\n a b c\noutputs\n y z\nderived\n"
        " s = sqrt(1 + y''^2)\nequations\n y'' + a*z' + b*s = y\n"
        " z' - c*y'' = z\n";
    print_equations(t, text, DARC_ENGINE_AUTO);
    ck_assert_ptr_null(strstr(t->s, "model"));
    darc_text_clear(t);
}
END_TEST

/* Append an arm of n links, masses at their ends, driven and measured in all
 * joints: m_i, l_i, d_i; the angles are outputs, or states that outputs are. */
static void write_arm(darc_text_t t, int n, bool states)
{
    const char *const sections[] = {"model arm\nparameters\n",
                                    "m",
                                    "l",
                                    "d",
                                    "inputs\n",
                                    "t",
                                    states ? "states\n" : "outputs\n",
                                    "q",
                                    "outputs\n",
                                    "y"};
    for (int k = 0; k < (states ? 10 : 8); k++) {
        bool word = strchr(sections[k], '\n') != NULL;
        for (int i = 1; i <= n && !word; i++)
            darc_text_printf(t, " %s%d", sections[k], i);
        darc_text_puts(t, word ? sections[k] : "\n");
    }
    darc_text_puts(t, "equations\n");
    for (int i = 1; i <= n; i++) {
        darc_text_printf(t, " d%d*q%d'", i, i);
        for (int j = 1; j <= n + 1; j++) {
            int from = j > i && j <= n ? j : i;
            darc_text_printf(t, " + (m%d", from);
            for (int k = from + 1; k <= n; k++)
                darc_text_printf(t, " + m%d", k);
            if (j > n)
                darc_text_printf(t, ")*l%d*9.81*sin(q%d)", i, i);
            else if (i == j)
                darc_text_printf(t, ")*l%d^2*q%d''", i, i);
            else
                darc_text_printf(t,
                                 ")*l%d*l%d*(cos(q%d - q%d)*q%d'' %c "
                                 "sin(q%d - q%d)*q%d'^2)",
                                 i, j, i < j ? i : j, i < j ? j : i, j,
                                 i < j ? '+' : '-', i < j ? i : j,
                                 i < j ? j : i, j);
        }
        darc_text_printf(t, " = t%d\n", i);
        if (states)
            darc_text_printf(t, " y%d = q%d\n", i, i);
    }
}

START_TEST(arms_are_known)
{
    for (int n = 2; n <= 7; n += 5) {
        darc_text_t text = DARC_TEXT;
        write_arm(text, n, _i == 1);
        darc_model *model = model_of(text->s);
        darc_ioeqs_t io;
        ck_assert_int_eq(
            darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
            DARC_OK);
        ck_assert(io->coupled);
        ck_assert_int_eq(io->count, n);
        for (int i = 0; i < n; i++) /* each joint has its own equation */
            for (int k = 0; k < i; k++)
                ck_assert_int_ne(io->eq[i].leader.unknown,
                                 io->eq[k].leader.unknown);
        darc_ioeqs_clear(io);
        darc_identified *found = NULL;
        ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(found->parameters, 3 * n);
        for (int v = 0; v < found->parameters; v++)
            ck_assert_int_eq(found->parameter[v].identifiable, DARC_GLOBALLY);
        ck_assert_int_eq(found->states, _i == 1 ? n : 0);
        for (int i = 0; i < found->states; i++)
            ck_assert_int_eq(found->state[i].identifiable, DARC_GLOBALLY);
        darc_identified_free(found);
        darc_model_free(model);
        darc_text_clear(text);
    }
}
END_TEST

Suite *suite_engine_model(void)
{
    Suite *s = suite_create("engine_model");
    TCase *c = tcase_create("engine_model");
    tcase_add_test(c, states_that_are_measured_go);
    tcase_add_test(c, contradictions_are_told);
    tcase_add_test(c, coupled_equations_stand);
    tcase_add_test(c, what_says_more_is_reduced);
    tcase_add_test(c, signals_made_of_leaders_are_no_points);
    tcase_add_loop_test(c, arms_are_known, 0, 2);
    suite_add_tcase(s, c);
    return s;
}
