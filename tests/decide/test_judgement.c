/* What binds coefficients, within an equation and between equations, and
 * equations that hold no parameter. */
#include "tests.h"

#include "models.h"
#include "session/state.h"
#include "simulation.h"
#include "weakbench.h"

static darc_table *record(const char *model, const char *param,
                          const char *input, double t_end, double rate,
                          double noise, unsigned seed)
{
    simulation j = {.model = model,
                    .param = param,
                    .init = "",
                    .input = input,
                    .t_end = t_end,
                    .rate = rate,
                    .noise = noise,
                    .rtol = 1e-11,
                    .seed = seed};
    return simulation_make(&j);
}

/* The verdict on a recording, which is freed; some reason says that. */
static darc_decision judge(const char *model, darc_table *t)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, model, 0);
    weakbench_holds(&b, t, &d);
    weakbench_close(&b);
    darc_table_free(t);
    return d;
}

static void is(darc_decision d, darc_verdict want, const char *says)
{
    ck_assert_msg(d.verdict == want && strstr(d.reason, says) != NULL, "%s: %s",
                  darc_verdict_text(d.verdict), d.reason);
}

/* ---- of one equation ------------------------------------------------------
 */

/* c/m = 200/3 and d/m = 5 of the recordings: 200/3 = 8/3 * 5^2. */
static const char bound[] = "model bound\nparameters\n p\noutputs\n a z\n"
                            "equations\n 3*a = 8*p^2*z + 3*p*z'\n";

/* With another damper some c and d still fit every sample, but no p does. */
START_TEST(coefficients_must_obey_their_relations)
{
    static const struct {
        const char *model;
        double damper, tolerance;
        darc_verdict want;
        const char *says;
    } row[] = {{bound, 1, 0, DARC_CONSISTENT, ""},
               {bound, 1.2, 0, DARC_INCONSISTENT, "binds these to each other"},
               {model_quarter, 1.2, 0, DARC_CONSISTENT, ""},
               {bound, 1.2, 0.5, DARC_CONSISTENT, ""}};
    for (int i = 0; i < 4; i++) {
        weakbench b;
        darc_decision d;
        case_options o = weakbench_usual;
        weakbench_open(&b, row[i].model, 0);
        b.by.tolerance = row[i].tolerance;
        o.scale[2] = row[i].damper;
        darc_table *t = weakbench_record(&b, &o);
        weakbench_holds(&b, t, &d);
        is(d, row[i].want, row[i].says);
        weakbench_release(t);
        weakbench_close(&b);
    }
}
END_TEST

/* 30 recordings that obey the model, alpha = 0.1: more than 10 have p = 1e-4.
 */
START_TEST(relations_keep_the_level)
{
    int alarms = 0;
    case_options brief = weakbench_usual;
    brief.seconds = 4;
    brief.rate = 200;
    for (uint64_t seed = 0; seed < 30; seed++) {
        weakbench b;
        darc_decision d;
        weakbench_open(&b, bound, seed);
        b.by.alpha = 0.1;
        darc_table *t = weakbench_record(&b, &brief);
        weakbench_holds(&b, t, &d);
        alarms += d.p_value < 0.1;
        weakbench_release(t);
        weakbench_close(&b);
    }
    ck_assert_int_le(alarms, 10);
    ck_assert_int_ge(alarms, 1);
}
END_TEST

/* Three heat capacities in a row; the last one leaks by LEAK. */
#define HEAT(LEAK)                                                             \
    "model heat\nstates\n T1 T2 T3\nparameters\n C1 C2 C3 h g k\n"             \
    "inputs\n u v\noutputs\n y\nequations\n"                                   \
    " C1*T1' = u - h*(T1 - T2) - k*(T1 - v)\n"                                 \
    " C2*T2' = h*(T1 - T2) - g*(T2 - T3)\n"                                    \
    " C3*T3' = g*(T2 - T3)" LEAK "\n y = T1\n"

/* The last relation is long. */
START_TEST(long_relations_are_tested)
{
    static const char *const made[] = {HEAT(" - k*T3"), HEAT("")};
    for (int i = 0; i < 2; i++)
        is(judge(made[0], record(made[i], "C1=1 C2=2 C3=3 h=1 g=1.5 k=.8",
                                 "u=multisine:5,0.02,2 v=multisine:3,0.02,1.5",
                                 50, 50, 0.001, 1)),
           i == 0 ? DARC_CONSISTENT : DARC_INCONSISTENT,
           i == 0 ? "" : "binds these to each other");
}
END_TEST

/* ---- of several -----------------------------------------------------------
 */

/* The transfer a leaves one tank and enters the other. */
#define TANKS(OUT, PARAMETERS)                                                 \
    "model tanks\nstates\n x1 x2\nparameters\n " PARAMETERS                    \
    "\ninputs\n u\noutputs\n y1 y2\nequations\n x1' = u - " OUT "*x1\n"        \
    " x2' = a*x1 - b*x2\n y1 = x1\n y2 = x2\n"

static const char tanks[] = TANKS("a", "a b");
static const char leaking[] = TANKS("c", "a b c");

/* Either equation alone is explained. */
START_TEST(equations_share_parameters)
{
    double noise = _i == 0 ? 0 : 0.01;
    const char *input = "u=multisine:5,0.05,4";
    is(judge(tanks, record(tanks, "a=1 b=2", input, 10, 200, noise, 1)),
       DARC_CONSISTENT, "");
    is(judge(tanks, record(leaking, "a=1 b=2 c=1.1", input, 10, 200, noise, 1)),
       DARC_INCONSISTENT, "binds these to each other");
    is(judge(leaking,
             record(leaking, "a=1 b=2 c=1.1", input, 10, 200, noise, 1)),
       DARC_CONSISTENT, "");
}
END_TEST

/* One relation, of a degree at which none is sought. */
START_TEST(values_prove_what_is_too_long_to_test)
{
    static const char drive[] =
        "model drive\nstates\n i wm phi wl\nparameters\n"
        " L R k J1 J2 n c d b\ninputs\n u\noutputs\n y yi\nequations\n"
        " L*i' + R*i + k*wm = u\n phi' = wm/n - wl\n"
        " J1*wm' = k*i - (c*phi + d*(wm/n - wl))/n\n"
        " J2*wl' = c*phi + d*(wm/n - wl) - b*wl\n y = wm\n yi = i\n";
    is(judge(drive,
             record(drive, "L=.05 R=1 k=.5 J1=.01 J2=.5 n=5 c=30 d=.5 b=.2",
                    "u=multisine:5,0.05,4", 10, 200, 0.005, 1)),
       DARC_CONSISTENT, "");
}
END_TEST

/* Three masses in a row; d2/k2 and d3/k3 are nearly the same within noise, and
 * six relations of what k2 leaves alone mix them in one way each: the linear
 * covariance makes their differences a rejection (p = 1e-52). */
START_TEST(a_right_change_is_not_refuted)
{
    static const char row[] =
        "model row\nstates\n x w\nparameters\n m n o k p q d e f\n"
        "inputs\n u\noutputs\n y\nequations\n"
        " m*x'' = -k*x - d*x' + p*(w - x) + e*(w' - x') + u\n"
        " n*w'' = -p*(w - x) - e*(w' - x') + q*(y - w) + f*(y' - w')\n"
        " o*y'' = -q*(y - w) - f*(y' - w')\n";
    static const char *const param[] = {
        "m=1 k=100 d=1 n=.7 p=150 e=1.2 o=1.5 q=140 f=.7",
        "m=1 k=100 d=1 n=.7 p=165 e=1.2 o=1.5 q=140 f=.7"};
    weakbench b;
    darc_decision d;
    darc_table *t[2];
    weakbench_open(&b, row, 0);
    for (unsigned i = 0; i < 2; i++)
        t[i] = record(row, param[i], "u=multisine:1,0.1,6", 60, 100, 0.002,
                      1 + 10 * i);
    weakbench_compares(&b, t[0], t[1], "p", &d);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    for (int i = 0; i < 2; i++)
        darc_table_free(t[i]);
    weakbench_close(&b);
}
END_TEST

/* ---- equations that hold no parameter -------------------------------------
 */

static const char cart[] = "model cart\nparameters\n m d k\ninputs\n u\n"
                           "outputs\n x v\nequations\n"
                           " x' = v\n m*v' = -d*v - k*x + u\n";

/* The same with a position in halves, and with a velocity sensor of another
 * gain. */
static const char halves[] = "model halves\nparameters\n m d k\ninputs\n u\n"
                             "outputs\n x v\nequations\n"
                             " 3*x' = 6*v\n m*v' = -d*v - k*x + u\n";
static const char gained[] =
    "model gained\nstates\n w\nparameters\n m d k g\ninputs\n u\n"
    "outputs\n x v\nequations\n"
    " x' = w\n m*w' = -d*w - k*x + u\n v = g*w\n";

/* Hold the model against one table or two. */
static darc_verdict hold(const char *text, darc_table *a, darc_table *b,
                         const char *changed, bool *noted)
{
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.changed = changed;
    darc_model *model = model_of(text);
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, a, NULL), DARC_OK);
    if (b != NULL)
        ck_assert_int_eq(darc_session_add_take(s, b, NULL), DARC_OK);
    darc_test test = b == NULL         ? DARC_STRUCTURE
                     : changed != NULL ? DARC_CHANGED
                                       : DARC_EQUAL;
    ck_assert_int_eq(darc_session_check(s, test, NULL), DARC_OK);
    darc_verdict v = darc_session_verdict(s);
    const darc_report *r = darc_session_report(s);
    *noted = false;
    for (int i = 0; i < r->notes; i++)
        *noted = *noted || strstr(r->note[i], "the io-equation of 'x' holds no "
                                              "parameter") != NULL;
    darc_session_free(s);
    darc_model_free(model);
    return v;
}

static darc_table *drive(const char *model, const char *param, unsigned seed)
{
    return record(model, param, "u=multisine:5,0.1,3", 20, 100, 0.005, seed);
}

/* An equation without parameters that fits only with a gain does not fit. */
START_TEST(structure_tests_the_gain)
{
    static const struct {
        const char *model, *made, *param;
        darc_verdict want;
    } row[] = {{cart, cart, "m=2 d=3 k=40", DARC_CONSISTENT},
               {halves, halves, "m=2 d=3 k=40", DARC_CONSISTENT},
               {halves, cart, "m=2 d=3 k=40", DARC_INCONSISTENT},
               {cart, gained, "m=2 d=3 k=40 g=1.02", DARC_INCONSISTENT},
               {gained, gained, "m=2 d=3 k=40 g=1.02", DARC_CONSISTENT}};
    bool noted;
    for (int i = 0; i < 5; i++)
        ck_assert_msg(hold(row[i].model, drive(row[i].made, row[i].param, 1),
                           NULL, NULL, &noted) == row[i].want,
                      "row %d", i);
}
END_TEST

START_TEST(nothing_of_it_is_compared)
{
    static const struct {
        const char *param, *changed;
        darc_verdict want;
    } row[] = {{"m=2 d=3 k=40", NULL, DARC_CONSISTENT},
               {"m=2.1 d=3 k=40", NULL, DARC_INCONSISTENT},
               {"m=2.1 d=3 k=40", "m", DARC_CONSISTENT}};
    for (int i = 0; i < 3; i++) {
        bool noted;
        ck_assert_int_eq(hold(cart, drive(cart, "m=2 d=3 k=40", 1),
                              drive(cart, row[i].param, 2), row[i].changed,
                              &noted),
                         row[i].want);
        ck_assert(noted);
    }
}
END_TEST

Suite *suite_judgement(void)
{
    Suite *s = suite_create("judgement");
    TCase *t = tcase_create("judgement");
    tcase_add_test(t, coefficients_must_obey_their_relations);
    tcase_add_test(t, relations_keep_the_level);
    tcase_add_test(t, long_relations_are_tested);
    tcase_add_loop_test(t, equations_share_parameters, 0, 2);
    tcase_add_test(t, values_prove_what_is_too_long_to_test);
    tcase_add_test(t, a_right_change_is_not_refuted);
    tcase_add_test(t, structure_tests_the_gain);
    tcase_add_test(t, nothing_of_it_is_compared);
    suite_add_tcase(s, t);
    return s;
}
