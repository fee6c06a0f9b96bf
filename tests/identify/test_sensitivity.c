/* Ranks by power series: hand-worked models, some of which need several
 * experiments. */
#include "tests.h"

#include "identify/identify.h"
#include "identify/sensitivity.h"
#include "model/model.h"
#include "models.h"
#include "program.h"
#include "projection/point.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *text;
    int rank, experiments;
    const char *parameters; /* n: no, l: at least local, in their order */
} cases[] = {
    {model_lorenz, 3, 1, "lll"},
    {model_goodwin, 5, 1, "llnlnll"},
    /* one recording sees p*x + q alone, two see p and q */
    {"model two\nstates\nx z\nparameters\np q\noutputs\ny w\nequations\n"
     "x'=0\nz'=x*z+p*x+q\ny=x\nw=z\n",
     2, 2, "ll"},
    {"model scaled\nstates\nx\nparameters\na k g\ninputs\nu\noutputs\ny\n"
     "equations\nx'=-a*x+k*u\ny=g*x\n",
     2, 1, "lnn"},
    {"model clock\nstates\nx\nparameters\nk\noutputs\ny\nequations\n"
     "x'=1\ny=x+k\n",
     0, 0, "n"},
};

START_TEST(hand_worked)
{
    darc_solved_t s;
    darc_information_t info;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_model *model = model_of(cases[_i].text);
    ck_assert_int_eq(darc_solved_init(s, model, NULL), DARC_OK);
    ck_assert_int_eq(darc_information_init(info, s, NULL, rand, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(info->rank, cases[_i].rank);
    ck_assert_int_eq(info->experiments, cases[_i].experiments);
    ck_assert_int_eq(info->params, (slong)strlen(cases[_i].parameters));
    for (slong v = 0; v < info->params; v++)
        ck_assert_int_eq(darc_information_fixes(info, v),
                         cases[_i].parameters[v] == 'l');
    darc_information_clear(info);
    darc_solved_clear(s);
    darc_model_free(model);
    flint_randclear(rand);
}
END_TEST

START_TEST(local_identification)
{
    darc_identification_t id;
    darc_model *model = model_of(cases[_i].text);
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(id->dimension, cases[_i].rank);
    ck_assert(!id->complete);
    ck_assert_int_eq(id->function->count, 0);
    for (slong v = 0; v < id->vars; v++)
        ck_assert_int_eq(id->parameter[v], cases[_i].parameters[v] == 'l'
                                               ? DARC_LOCALLY
                                               : DARC_NOT_IDENTIFIABLE);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

/* What a model loses where its functions may start anywhere. */
static const struct {
    const char *text;
    bool structure, parameters;
} losses[] = {
    {"parameters\n k E\ninputs\n q\noutputs\n y\n"
     "equations\n y' = q - k*exp(-E/y)\n",
     false, true},
    {"parameters\n E\ninputs\n q\noutputs\n y\n"
     "equations\n y' = q - 2*exp(-E/y)\n",
     true, true},
    {"parameters\n k\ninputs\n q\noutputs\n y\n"
     "equations\n y' = q - k*exp(-3/y)\n",
     false, false},
    {"parameters\n l b\nstates\n phi\noutputs\n y\n"
     "equations\n l*phi'' + b*phi' + 9.81*sin(phi) = 0\n y = phi'\n",
     false, false},
    /* of an unknown that is eliminated: nothing is known */
    {"parameters\n k\nstates\n x z\noutputs\n y\nequations\n"
     " x' = -k*x + z\n z = exp(k*z) + x\n y = x\n",
     true, true},
};

START_TEST(constants_are_lost)
{
    darc_lost lost;
    darc_model *model = model_of(losses[_i].text);
    ck_assert_int_eq(darc_lost_find(&lost, model, NULL, NULL), DARC_OK);
    ck_assert_int_eq(lost.structure, losses[_i].structure);
    ck_assert_int_eq(lost.parameters, losses[_i].parameters);
    darc_model_free(model);
}
END_TEST

START_TEST(spent_budget)
{
    darc_identification_t id;
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    darc_model *model = model_of(cases[0].text);
    ck_assert_int_eq(darc_identification_init_local(id, model, &spent, NULL),
                     DARC_LIMIT);
    darc_model_free(model);
}
END_TEST

/* An elimination leaves time for ranks and for what would help. */
START_TEST(states_within_the_time_limit)
{
    darc_text_t out = DARC_TEXT, err = DARC_TEXT;
    ck_assert_int_eq(program_run("identify systems/qwwc/model.darc --timeout 3 "
                                 "--json -",
                                 out, err),
                     0);
    ck_assert_msg(program_json_is(out->s, "x", "local"), "%s", out->s);
    ck_assert(program_json_is(out->s, "w", "no"));
    ck_assert_ptr_nonnull(strstr(out->s, "with 'z' measured, too"));
    ck_assert_int_eq(program_run("identify systems/qwwc/model.darc --timeout 3 "
                                 "--json - --init w",
                                 out, err),
                     0);
    ck_assert_msg(program_json_is(out->s, "x", "local"), "%s", out->s);
    ck_assert(program_json_is(out->s, "w", "global") ||
              program_json_is(out->s, "w", "local"));
    ck_assert_int_eq(
        program_run("eliminate systems/qwwc/model.darc --timeout 1", out, err),
        5);
    ck_assert_ptr_nonnull(strstr(err->s, "with 'z' measured, too"));
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_sensitivity(void)
{
    Suite *s = suite_create("sensitivity");
    TCase *c = tcase_create("sensitivity");
    int n = sizeof cases / sizeof cases[0];
    tcase_add_loop_test(c, hand_worked, 0, n);
    tcase_add_loop_test(c, local_identification, 0, n);
    tcase_add_loop_test(c, constants_are_lost, 0,
                        sizeof losses / sizeof losses[0]);
    tcase_add_test(c, spent_budget);
    tcase_add_test(c, states_within_the_time_limit);
    suite_add_tcase(s, c);
    return s;
}
