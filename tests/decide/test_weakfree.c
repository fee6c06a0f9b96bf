/* io-equations that hold no parameter: position and velocity both measured. */
#include "tests.h"

#include "models.h"
#include "simulation.h"

#include "decide/weakfree.h"
#include "eliminate/eliminate.h"
#include "session/session.h"

#include <string.h>

static const char cart[] = "model cart\nparameters\n m d k\ninputs\n u\n"
                           "outputs\n x v\nequations\n"
                           " x' = v\n m*v' = -d*v - k*x + u\n";

/* The same with a position in halves. */
static const char halves[] = "model halves\nparameters\n m d k\ninputs\n u\n"
                             "outputs\n x v\nequations\n"
                             " 3*x' = 6*v\n m*v' = -d*v - k*x + u\n";

/* The same with a velocity sensor of another gain. */
static const char gained[] =
    "model gained\nstates\n w\nparameters\n m d k g\ninputs\n u\n"
    "outputs\n x v\nequations\n"
    " x' = w\n m*w' = -d*w - k*x + u\n v = g*w\n";

static darc_table *record(const char *model, const char *param, unsigned seed)
{
    simulation j = {.model = model,
                    .param = param,
                    .init = "",
                    .input = "u=multisine:5,0.1,3",
                    .t_end = 30,
                    .rate = 100,
                    .noise = 0.005,
                    .rtol = 1e-11,
                    .seed = seed};
    return simulation_make(&j);
}

/* Hold the model against one table or two; some reason or note says that. */
static darc_verdict hold(const char *text, darc_table *a, darc_table *b,
                         const char *changed, const char *says)
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
    ck_assert_str_eq(r->relation[0].decision.method, "weak");
    bool said = false;
    for (int i = 0; i < r->relations; i++)
        said = said || strstr(r->relation[i].decision.reason, says) != NULL;
    for (int i = 0; i < r->notes; i++)
        said = said || strstr(r->note[i], says) != NULL;
    ck_assert_msg(said, "%s", says);
    darc_session_free(s);
    darc_model_free(model);
    return v;
}

START_TEST(structure_tests_the_gain)
{
    ck_assert_int_eq(hold(cart, record(cart, "m=2 d=3 k=40", 1), NULL, NULL,
                          "an equation without parameters: with a gain"),
                     DARC_CONSISTENT);
    ck_assert_int_eq(hold(halves, record(halves, "m=2 d=3 k=40", 1), NULL, NULL,
                          "an equation without parameters: with a gain"),
                     DARC_CONSISTENT);
    ck_assert_int_eq(hold(halves, record(cart, "m=2 d=3 k=40", 1), NULL, NULL,
                          "with a gain of 2"),
                     DARC_INCONSISTENT);
    /* alone, either equation has coefficients that fit */
    ck_assert_int_eq(hold(cart, record(gained, "m=2 d=3 k=40 g=1.02", 1), NULL,
                          NULL,
                          "holds no parameter, and fits only with a gain"),
                     DARC_INCONSISTENT);
}
END_TEST

START_TEST(nothing_of_it_is_compared)
{
    const char *note = "the io-equation of 'x' holds no parameter";
    ck_assert_int_eq(hold(cart, record(cart, "m=2 d=3 k=40", 1),
                          record(cart, "m=2 d=3 k=40", 2), NULL, note),
                     DARC_CONSISTENT);
    ck_assert_int_eq(hold(cart, record(cart, "m=2 d=3 k=40", 1),
                          record(cart, "m=2.1 d=3 k=40", 2), NULL, note),
                     DARC_INCONSISTENT);
    ck_assert_int_eq(hold(cart, record(cart, "m=2 d=3 k=40", 1),
                          record(cart, "m=2.1 d=3 k=40", 2), "m", note),
                     DARC_CONSISTENT);
}
END_TEST

START_TEST(which_equations_are_meant)
{
    darc_model *model = model_of(cart);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(io->count, 2);
    for (int e = 0; e < 2; e++)
        ck_assert_int_eq(darc_weakfree_is(io, e), io->eq[e].part->count == 1);
    ck_assert(darc_weakfree_is(io, 0) != darc_weakfree_is(io, 1));
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

Suite *suite_weakfree(void)
{
    Suite *s = suite_create("weakfree");
    TCase *c = tcase_create("weakfree");
    tcase_add_test(c, structure_tests_the_gain);
    tcase_add_test(c, nothing_of_it_is_compared);
    tcase_add_test(c, which_equations_are_meant);
    suite_add_tcase(s, c);
    return s;
}
