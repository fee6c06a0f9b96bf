/* Questions whose answers are known by hand. */
#include "models.h"
#include "tests.h"

#include "darc.h"
#include "program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SISO "inputs\n u\noutputs\n y\nequations\n "
#define INTEGRATORS                                                            \
    "inputs\n u\noutputs\n y\nequations\n x1' = x2\n x2' = u - k1*x1 - "       \
    "k2*x2\n"                                                                  \
    " y = x1\n"
/* (s + c)/((s + a)*(s + b)) */
#define LEAD SISO "x1' = -a*x1 + u\n x2' = -b*x2 + x1\n y = c*x2 + x2'\n"
/* 1/(s + a) + g*k/((s + a)*(s + b)) */
#define HIDDEN(sign)                                                           \
    "states\n x1 x2\nparameters\n a\n b > 0\n k may be zero\n g may be "       \
    "zero\n" SISO "x1' = -a*x1 + u\n x2' = " sign                              \
    "b*x2 + k*x1\n y = x1 + g*x2\n"
#define PREY(growth)                                                           \
    "x' = a*x - b*x*z\n z' = c*x*z - d*z + " growth "\n y = x\n"

typedef struct {
    const char *model, *target; /* without their first lines */
    const char *free, *param;   /* NULL: not given */
    darc_fulfilment verdict;
    const char *says; /* stands in the text; NULL */
} question;

static const question asked[] = {
    /* poles placed by feedback of all states */
    {"states\n x1 x2\nparameters\n k1 k2\n" INTEGRATORS,
     SISO "y'' + 3*y' + 2*y = u\n", NULL, NULL, DARC_IS_FULFILLED,
     "k1 = 2\n              k2 = 3\n"},
    /* not by feedback of one */
    {"states\n x1 x2\nparameters\n k1\nconstants\n k2 = 0\n" INTEGRATORS,
     SISO "y'' + 3*y' + 2*y = u\n", NULL, NULL, DARC_IS_IMPOSSIBLE,
     "complex ones too"},
    /* an unstable target by a negative gain */
    {"states\n x1 x2\nparameters\n k1 k2\n" INTEGRATORS,
     SISO "y'' + 3*y' - 2*y = u\n", NULL, NULL, DARC_IS_FULFILLED, "k1 = -2"},
    {"states\n x1 x2\nparameters\n k1 > 0, k2 > 0\n" INTEGRATORS,
     SISO "y'' + 3*y' - 2*y = u\n", NULL, NULL, DARC_IS_IMPOSSIBLE,
     "certificate k1 + 2 = k1 + 2"},
    {"states\n x1 x2\nparameters\n k1 k2\n" INTEGRATORS,
     SISO "y'' + 3*y' + 2*y = u\n", "k1", "k2=3", DARC_IS_FULFILLED, "k1 = 2"},
    {"states\n x1 x2\nparameters\n k1 k2\n" INTEGRATORS,
     SISO "y'' + 3*y' + 2*y = u\n", "k1", "k2=2.5", DARC_IS_IMPOSSIBLE, NULL},
    /* a mass is not 0, though m = 0 is hidden among the other equations */
    {"parameters\n m > 0\n d > 0\n c > 0\n K\n" SISO
     "m*y'' + d*y' + c*y = K*u\n",
     SISO "y' + 2*y = 6*u\n", NULL, NULL, DARC_IS_IMPOSSIBLE,
     "certificate m = m"},
    /* a gain that is a square root, and one that would be imaginary */
    {"parameters\n k > 0\n" SISO "y'' + k*y' + k^2*y = k^2*u\n",
     "parameters\n a > 0\n" SISO "y'' + a*y' + 2*y = 2*u\n", "k,a", NULL,
     DARC_IS_FULFILLED, "a^2 - 2 = 0"},
    {"parameters\n k\n" SISO "y'' + 3*y' + k^2*y = k^2*u\n",
     SISO "y'' + 3*y' + 2*y = 2*u\n", NULL, NULL, DARC_IS_FULFILLED,
     "a zero of k^2 - 2"},
    {"parameters\n k\n" SISO "y'' + 3*y' + k^2*y = k^2*u\n",
     SISO "y'' + 3*y' - 2*y = -2*u\n", NULL, NULL, DARC_IS_IMPOSSIBLE,
     "certificate k^2 + 2 = k^2 + 2"},
    /* one gain for two wishes: a family */
    {"parameters\n k\n" SISO "y'' + 2*k*y' + k*y = k*u\n",
     "parameters\n a0 a1\n" SISO "y'' + a1*y' + a0*y = a0*u\n", NULL, NULL,
     DARC_IS_IMPOSSIBLE, "where       2*a0 - a1 != 0"},
    {"parameters\n k\n" SISO "y'' + 2*k*y' + k*y = k*u\n",
     "parameters\n a0 a1\n" SISO "y'' + a1*y' + a0*y = a0*u\n", "k,a0,a1", NULL,
     DARC_IS_FULFILLED, "family      2*a0 - a1 = 0"},
    /* a zero that cancels a pole */
    {"states\n x1 x2\nparameters\n a b c\n" LEAD, SISO "y' + 2*y = u\n", NULL,
     NULL, DARC_IS_FULFILLED, "cancelled   s + (a + b - 2)"},
    {"states\n x1 x2\nparameters\n b c\nconstants\n a = -3\n" LEAD,
     SISO "y' + 2*y = u\n", NULL, NULL, DARC_IS_OPEN, "not stable"},
    {HIDDEN("-"), SISO "y' + 2*y = u\n", NULL, NULL, DARC_IS_FULFILLED,
     "cancelled"},
    {HIDDEN("+"), SISO "y' + 2*y = u\n", NULL, NULL, DARC_IS_OPEN,
     "not stable"},
    /* two outputs that are decoupled */
    {"states\n x1 x2\nparameters\n p q r s\ninputs\n u v\noutputs\n y z\n"
     "equations\n x1' = x2 - x1 + u - p*x1 - q*x2\n"
     " x2' = x1 - 2*x2 + v - r*x1 - s*x2\n y = x1\n z = x2\n",
     "parameters\n a b\ninputs\n u v\noutputs\n y z\nequations\n"
     " y' = -a*y + u\n z' = -b*z + v\n",
     NULL, NULL, DARC_IS_FULFILLED, "p = a - 1\n              q = 1\n"},
    /* not linear */
    {"parameters\n a b\n" SISO "y'' + a*y + b*y^3 = u\n",
     "parameters\n p\n" SISO "y'' + p*y + p^2*y^3 = u\n", NULL, NULL,
     DARC_IS_FULFILLED, "b = p^2"},
    {"parameters\n a b\n" SISO "y'' + a*y + b*y^3 = u\n",
     SISO "y'' + y + y^2 = u\n", NULL, NULL, DARC_IS_IMPOSSIBLE, NULL},
    {"states\n x\nparameters\n V K\n" SISO "x' = u - V*x/(K + x)\n y = x\n",
     "states\n x\nparameters\n A B\n" SISO "x' = u - x/(A + B*x)\n y = x\n",
     NULL, NULL, DARC_IS_FULFILLED, "V = 1/B\n              K = A/B\n"},
    {"states\n x z\nparameters\n a b c d\n" SISO PREY("u"),
     "states\n x z\nconstants\n a = 2\n b = 3\n c = 4\n d = 5\n" SISO PREY("u"),
     NULL, NULL, DARC_IS_FULFILLED, "d = 5\n"},
    {"states\n x z\nparameters\n a b c d\n" SISO PREY("u"),
     "states\n x z\nparameters\n a b c d\n" SISO PREY("u^2"), NULL, NULL,
     DARC_IS_IMPOSSIBLE, NULL},
    /* y = +-3*t has more behaviours than the target */
    {"parameters\n a\noutputs\n y\nequations\n y'^2 = a\n",
     "outputs\n y\nequations\n y' = 3\n", NULL, NULL, DARC_IS_OPEN, NULL},
    /* at a = b the equation of most a, b does not hold */
    {"states\n x\nparameters\n a b\n" SISO "(a - b)*x = (a - b)*u\n y = x\n",
     SISO "y' = u\n", NULL, NULL, DARC_IS_OPEN, "special"},
    /* exp(a) and a are no two numbers */
    {"parameters\n a b\n" SISO "y' = b*exp(a)*u - a*y\n", SISO "y' = u - y\n",
     NULL, NULL, DARC_IS_OPEN, NULL},
};

static darc_status ask_with(darc_fulfilled **f, darc_err *err,
                            const question *q, const darc_budget *budget)
{
    darc_model *model = model_of(q->model), *target = model_of(q->target);
    darc_options *o;
    ck_assert_int_eq(darc_options_new(&o, "fulfil", NULL), DARC_OK);
    if (q->free != NULL)
        ck_assert_int_eq(darc_options_set(o, "free", q->free, NULL), DARC_OK);
    if (q->param != NULL)
        ck_assert_int_eq(darc_options_set(o, "param", q->param, NULL), DARC_OK);
    darc_status status = darc_fulfil(f, model, target, o, budget, err);
    darc_options_free(o);
    darc_model_free(model);
    darc_model_free(target);
    return status;
}

static darc_status ask(darc_fulfilled **f, darc_err *err, const question *q)
{
    return ask_with(f, err, q, NULL);
}

/* Without a child the answer is the same, which is freed. */
static void compare_with_here(darc_fulfilled *f, const question *q)
{
    static const char *const format[] = {"text", "json", "html"};
    darc_budget b;
    darc_fulfilled *here;
    darc_budget_init(&b);
    b.here = true;
    ck_assert_int_eq(ask_with(&here, NULL, q, &b), DARC_OK);
    for (int i = 0; i < 3; i++)
        ck_assert_str_eq(darc_fulfilled_text(f, format[i]),
                         darc_fulfilled_text(here, format[i]));
    ck_assert_int_eq(f->verdict, here->verdict);
    ck_assert_int_eq(f->conditions, here->conditions);
    for (int i = 0; i < f->parameters; i++)
        ck_assert_str_eq(f->parameter[i].name, here->parameter[i].name);
    darc_fulfilled_free(here);
    darc_fulfilled_free(f);
}

START_TEST(answers_are_those_known)
{
    const question *q = &asked[_i];
    darc_fulfilled *f;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(ask(&f, &err, q) == DARC_OK, "%s", err.message);
    const char *text = darc_fulfilled_text(f, "text");
    ck_assert_msg(f->verdict == q->verdict, "%s", text);
    ck_assert_msg(q->says == NULL || strstr(text, q->says) != NULL, "%s", text);
    ck_assert_int_eq(f->certificate != NULL || f->verdict != DARC_IS_IMPOSSIBLE,
                     true);
    for (int i = 0; i < f->parameters; i++)
        ck_assert_int_eq(isnan(f->parameter[i].value),
                         f->verdict != DARC_IS_FULFILLED &&
                             isnan(f->parameter[i].value));
    ck_assert_ptr_null(darc_fulfilled_text(f, "latex"));
    compare_with_here(f, q);
}
END_TEST

/* The answer is that of a model against itself under any names. */
START_TEST(a_model_fulfils_itself)
{
    static const char first[] =
        "states\n x z\nparameters\n m > 0\n c d k\ninputs\n u\noutputs\n y\n"
        "equations\n m*x'' = c*(z - x) + d*(z' - x')\n z' = k*(u - z)\n y = "
        "x\n";
    static const char second[] =
        "states\n x z\nparameters\n n > 0\n e f l\ninputs\n u\noutputs\n y\n"
        "equations\n n*x'' = e*(z - x) + f*(z' - x')\n z' = l*(u - z)\n y = "
        "x\n";
    const question q[] = {{first, first, NULL, NULL, DARC_IS_FULFILLED, NULL},
                          {first, second, NULL, NULL, DARC_IS_FULFILLED, NULL},
                          {second, first, NULL, NULL, DARC_IS_FULFILLED, NULL}};
    for (int i = 0; i < 3; i++) {
        darc_fulfilled *f;
        ck_assert_int_eq(ask(&f, NULL, &q[i]), DARC_OK);
        ck_assert_msg(f->verdict == DARC_IS_FULFILLED, "%s",
                      darc_fulfilled_text(f, "text"));
        darc_fulfilled_free(f);
    }
}
END_TEST

START_TEST(wrong_questions_are_refused)
{
    static const char lag[] = "parameters\n T\n" SISO "T*y' + y = u\n";
    static const char other[] =
        "parameters\n T\ninputs\n u\noutputs\n z\nequations\n T*z' + z = u\n";
    static const char derived[] =
        "parameters\n T\ninputs\n v\noutputs\n y\nderived\n u = sign(v)\n"
        "equations\n T*y' + y = u\n";
    static const struct {
        question q;
        const char *says;
    } bad[] = {
        {{lag, other, NULL, NULL, DARC_IS_OPEN, NULL}, "'y' is not the same"},
        {{lag, derived, NULL, NULL, DARC_IS_OPEN, NULL}, "'u' is not the same"},
        {{lag, lag, "K", NULL, DARC_IS_OPEN, NULL}, "--free: 'K'"},
        {{lag, lag, "y", NULL, DARC_IS_OPEN, NULL}, "--free: 'y'"},
        {{lag, lag, "T", "T=1", DARC_IS_OPEN, NULL},
         "--free: 'T' has a number, by --param"},
        {{lag, lag, NULL, "K=1", DARC_IS_OPEN, NULL}, "--param: 'K'"},
        {{lag, lag, NULL, "T=one", DARC_IS_OPEN, NULL}, "is not a number"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        darc_fulfilled *f;
        darc_err err;
        darc_err_init(&err);
        ck_assert_int_eq(ask(&f, &err, &bad[i].q), DARC_USAGE);
        ck_assert_msg(strstr(err.message, bad[i].says) != NULL, "%s",
                      err.message);
    }
}
END_TEST

START_TEST(the_program_answers)
{
    darc_text_t out, err;
    darc_text_init(out);
    darc_text_init(err);
    ck_assert_int_eq(program_run("fulfil systems/motor_pi/model.darc "
                                 "systems/motor_pi/target.darc --free Kp,Ki "
                                 "--json -",
                                 out, err),
                     0);
    ck_assert(program_json_is(out->s, "verdict", "fulfilled"));
    ck_assert(program_json_is(out->s, "Ki", "R*J*w0^2/K"));
    double r = program_json_number(out->s, "R", 0);
    double k = program_json_number(out->s, "K", 0);
    double j = program_json_number(out->s, "J", 0);
    double w = program_json_number(out->s, "w0", 0);
    ck_assert_double_eq_tol(program_json_number(out->s, "Ki", 1) * k,
                            r * j * w * w, 1e-12 * r * j * w * w);
    darc_text_reset(out);
    ck_assert_int_eq(program_run("fulfil systems/skyhook/model.darc "
                                 "systems/skyhook/target.darc --json -",
                                 out, err),
                     1);
    ck_assert(program_json_is(out->s, "verdict", "impossible"));
    darc_text_reset(out);
    ck_assert_int_eq(
        program_run("fulfil systems/motor_pi/inductance.darc "
                    "systems/motor_pi/target.darc --param R=1,L=0.01,K=0.05,"
                    "J=0.0005,w0=10,zeta=0.7 --tolerance 0.05 --band 0.1,2 "
                    "--json -",
                    out, err),
        0);
    ck_assert(program_json_is(out->s, "verdict", "fulfilled"));
    ck_assert_double_eq_tol(program_json_number(out->s, "defect", 0), 0.0378,
                            1e-4);
    ck_assert_double_eq_tol(program_json_number(out->s, "Ki", 0), 1.0039, 1e-3);
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_fulfil(void)
{
    Suite *s = suite_create("fulfil");
    TCase *tc = tcase_create("fulfil");
    tcase_add_loop_test(tc, answers_are_those_known, 0,
                        (int)(sizeof asked / sizeof *asked));
    tcase_add_test(tc, a_model_fulfils_itself);
    tcase_add_test(tc, wrong_questions_are_refused);
    tcase_add_test(tc, the_program_answers);
    suite_add_tcase(s, tc);
    return s;
}
