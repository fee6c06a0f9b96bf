/* Models without a free coefficient: verdicts as of others. */
#include "tests.h"

#include "darc/session.h"
#include "models.h"
#include "session/state.h"
#include "simulation.h"

#include <math.h>

/* Free fall, a yaw rate that is integrated, a mass whose speed is measured; and
 * what does not quite obey them. */
static const struct {
    const char *model, *other, *init, *input;
} cases[] = {
    {"model fall\noutputs\n z\nconstants\n g = 9.81\nequations\n z'' = -g\n",
     "model fall\noutputs\n z\nconstants\n g = 9\nequations\n z'' = -g\n",
     "z=100 z'=3", ""},
    {"model yaw\ninputs\n r\noutputs\n psi\nequations\n psi' = r\n",
     "model yaw\ninputs\n r\noutputs\n psi\nequations\n psi' = 1.08*r\n",
     "psi=1", "r=multisine:1,.1,1"},
    {"model mass\ninputs\n a\noutputs\n x v\nequations\n x' = v\n v' = a\n",
     "model mass\ninputs\n a\noutputs\n x v\nequations\n x' = v\n"
     " v' = 1.08*a\n",
     "x=1 v=0", "a=multisine:1,.1,1"}};

enum { CASES = sizeof cases / sizeof *cases };

static darc_table *record(int i, bool other, unsigned seed)
{
    return simulation_make(
        &(simulation){.model = other ? cases[i].other : cases[i].model,
                      .param = "",
                      .init = cases[i].init,
                      .input = cases[i].input,
                      .t_end = 20,
                      .rate = 50,
                      .noise = 1e-3,
                      .rtol = 1e-12,
                      .seed = seed});
}

/* Return a session of a, and of b unless that is NULL. */
static darc_session *open_case(darc_model **m, int i, darc_table *a,
                               darc_table *b)
{
    darc_session_settings set;
    darc_session *s;
    darc_session_settings_init(&set);
    set.threads = 1;
    *m = model_of(cases[i].model);
    ck_assert_int_eq(darc_session_new(&s, *m, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, a, NULL), DARC_OK);
    if (b != NULL)
        ck_assert_int_eq(darc_session_add_take(s, b, NULL), DARC_OK);
    return s;
}

static void expect(int i, darc_test test, darc_table *a, darc_table *b,
                   darc_verdict want)
{
    darc_model *m;
    darc_session *s = open_case(&m, i, a, b);
    ck_assert_int_eq(darc_session_check(s, test, NULL), DARC_OK);
    const darc_decision *d = &darc_session_report(s)->decision;
    ck_assert_msg(d->verdict == want, "%s", d->reason);
    ck_assert_msg(d->defect_low <= d->defect && d->defect <= d->defect_high &&
                      d->detectable < .1,
                  "%g %g %g %g", d->defect_low, d->defect, d->defect_high,
                  d->detectable);
    darc_session_free(s);
    darc_model_free(m);
}

START_TEST(structure_has_a_verdict)
{
    expect(_i, DARC_STRUCTURE, record(_i, false, 1), NULL, DARC_CONSISTENT);
    expect(_i, DARC_STRUCTURE, record(_i, true, 1), NULL, DARC_INCONSISTENT);
}
END_TEST

START_TEST(equal_where_both_hold)
{
    expect(_i, DARC_EQUAL, record(_i, false, 1), record(_i, false, 2),
           DARC_CONSISTENT);
    expect(_i, DARC_EQUAL, record(_i, false, 1), record(_i, true, 2),
           DARC_INCONSISTENT);
}
END_TEST

START_TEST(there_are_no_values)
{
    darc_model *m;
    darc_session *s = open_case(&m, _i, record(_i, false, 1), NULL);
    ck_assert_int_eq(darc_session_values(s, NULL), DARC_OK);
    ck_assert_int_le(darc_session_report(s)->values, 0);
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

Suite *suite_fixed(void)
{
    Suite *s = suite_create("fixed");
    TCase *c = tcase_create("fixed");
    tcase_add_loop_test(c, structure_has_a_verdict, 0, CASES);
    tcase_add_loop_test(c, equal_where_both_hold, 0, CASES);
    tcase_add_loop_test(c, there_are_no_values, 0, CASES);
    suite_add_tcase(s, c);
    return s;
}
