/* Ranks through differentiated constraints, against those of solved forms. */
#include "tests.h"

#include "darc/identify.h"
#include "identify/identify.h"
#include "identify/sensitivity.h"
#include "models.h"
#include "projection/dae.h"

#include <string.h>

static void ranks_of(darc_information_t info, bool *all,
                     const darc_model *model)
{
    darc_model *whole;
    darc_err err = {DARC_OK, ""};
    ck_assert_int_eq(darc_dae_model(&whole, model, NULL), DARC_OK);
    ck_assert_msg(darc_information_init_dae(info, all, whole, 0, NULL, &err) ==
                      DARC_OK,
                  "%s", err.message);
    darc_model_free(whole);
}

/* Models with a solved form: the same rank, and the same parameters. */
START_TEST(as_by_solved_forms)
{
    static const char *const name[] = {"systems/dc_motor/model.darc",
                                       "systems/pendulum/model.darc",
                                       "systems/van_der_pol/model.darc",
                                       "systems/pitavastatin/model.darc",
                                       "systems/qwwc/model.darc",
                                       "systems/sir/model.darc",
                                       "systems/mass_chain/model.darc",
                                       "systems/quarter_car/model.darc",
                                       "systems/two_compartments/model.darc",
                                       "systems/pendulum_velocity/model.darc"};
    darc_solved_t s;
    darc_information_t a, b;
    bool all;
    flint_rand_t rand;
    flint_randinit(rand);
    darc_model *model;
    ck_assert_int_eq(darc_model_read(&model, name[_i], NULL), DARC_OK);
    bool functions = !darc_adjoined_are_exact(model);
    ck_assert_int_eq(darc_solved_init(s, model, NULL), DARC_OK);
    ck_assert_int_eq(
        darc_information_init(a, s, functions ? model : NULL, rand, NULL, NULL),
        DARC_OK);
    ranks_of(b, &all, model);
    ck_assert(all);
    ck_assert_int_eq(a->rank, b->rank);
    for (slong v = 0; v < a->params; v++)
        ck_assert_int_eq(darc_information_fixes(a, v),
                         darc_information_fixes(b, v));
    darc_information_clear(a);
    darc_information_clear(b);
    darc_solved_clear(s);
    darc_model_free(model);
    flint_randclear(rand);
}
END_TEST

#define CART                                                                   \
    "model cart\nparameters\n M m l\nconstants\n g = 9.81\nstates\n"           \
    " s x y lam\ninputs\n u\noutputs\n v\nequations\n"                         \
    " M*s'' = u + lam*(x - s)\n m*x'' = -lam*(x - s)\n"                        \
    " m*y'' = -lam*y - m*g\n (x - s)^2 + y^2 = l^2\n"
#define CRANK                                                                  \
    "model crank\nparameters\n J m r l\nstates\n th x lam\ninputs\n u\n"       \
    "outputs\n v\nequations\n J*th'' = u - lam*x*r*sin(th)\n"                  \
    " m*x'' = -lam*(x - r*cos(th))\n"                                          \
    " (x - r*cos(th))^2 + (r*sin(th))^2 = l^2\n"
#define DOUBLE                                                                 \
    "model double\nparameters\n m1 m2 a b\nconstants\n g = 9.81\nstates\n"     \
    " x1 y1 x2 y2 p q\noutputs\n v w\nequations\n"                             \
    " m1*x1'' = -p*x1 + q*(x2 - x1)\n"                                         \
    " m1*y1'' = -p*y1 + q*(y2 - y1) - m1*g\n m2*x2'' = -q*(x2 - x1)\n"         \
    " m2*y2'' = -q*(y2 - y1) - m2*g\n x1^2 + y1^2 = a^2\n"                     \
    " (x2 - x1)^2 + (y2 - y1)^2 = b^2\n"
#define FOURBAR                                                                \
    "model fourbar\nparameters\n J1 J2 J3 a b c\nstates\n th al be p q\n"      \
    "inputs\n u\noutputs\n v\nequations\n"                                     \
    " J1*th'' = u + p*a*sin(th) - q*a*cos(th)\n"                               \
    " J2*al'' = p*b*sin(al) - q*b*cos(al)\n"                                   \
    " J3*be'' = -p*c*sin(be) + q*c*cos(be)\n"                                  \
    " a*cos(th) + b*cos(al) = 1 + c*cos(be)\n"                                 \
    " a*sin(th) + b*sin(al) = c*sin(be)\n"

/* By hand: forces set masses, gravity lengths; without a length that is seen or
 * known only ratios of lengths are; without a force that is seen, of masses. */
static const struct {
    const char *text, *parameters; /* n: no, l: at least local */
    int rank;
} mechanisms[] = {
    {CART " v = s\n", "lll", 3},
    {CART " v = s'\n", "lll", 3},
    {CRANK " v = x\n", "llll", 4},
    {CRANK " v = th\n", "lnnn", 3},
    {CRANK " v = th'\n", "lnnn", 3},
    {DOUBLE " v = x1\n w = x2\n", "nnll", 3},
    {FOURBAR " v = th\n", "llllll", 6},
};

START_TEST(by_hand)
{
    darc_information_t info;
    bool all;
    darc_model *model = model_of(mechanisms[_i].text);
    ranks_of(info, &all, model);
    ck_assert_int_eq(info->rank, mechanisms[_i].rank);
    ck_assert_int_eq(info->params, (slong)strlen(mechanisms[_i].parameters));
    for (slong v = 0; v < info->params; v++)
        ck_assert_int_eq(darc_information_fixes(info, v),
                         mechanisms[_i].parameters[v] == 'l');
    darc_information_clear(info);
    darc_model_free(model);
}
END_TEST

/* Points of one linkage are not found twice, which leaves statuses open; a
 * scale of the lengths settles them. */
START_TEST(what_a_scale_moves)
{
    darc_identification_t id;
    darc_model *model = model_of(
        "model f\nparameters\n J1 J2 J3 a b c d\nstates\n th al be p q\n"
        "inputs\n u\noutputs\n v\nequations\n"
        " J1*th'' = u + p*a*sin(th) - q*a*cos(th)\n"
        " J2*al'' = p*b*sin(al) - q*b*cos(al)\n"
        " J3*be'' = -p*c*sin(be) + q*c*cos(be)\n"
        " a*cos(th) + b*cos(al) = d + c*cos(be)\n"
        " a*sin(th) + b*sin(al) = c*sin(be)\n v = th\n");
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    for (slong v = 0; v < id->own; v++)
        ck_assert_int_eq(id->parameter[v],
                         v < 3 ? DARC_LOCALLY : DARC_NOT_IDENTIFIABLE);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

/* No solved form, and parameters under roots beside a number: in the table
 * stand those of the model alone. */
START_TEST(under_roots)
{
    darc_identification_t id;
    darc_model *model =
        model_of("model r\nparameters\n a b c\nstates\n x z\noutputs\n y\n"
                 "equations\n x' = -sqrt(x^2 + 1)*z + sqrt(a)*x\n"
                 " z' = -x + sqrt(2)*b*z + sqrt(c*b)\n y = z\n");
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    ck_assert(id->implicit);
    ck_assert_int_eq(id->own, 3);
    for (slong v = 0; v < id->own; v++)
        ck_assert_int_eq(id->parameter[v], DARC_LOCALLY);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

/* Without a solved form: parameters and states in the table of identify. */
START_TEST(in_the_table)
{
    darc_identification_t id;
    darc_model *model = model_of(DOUBLE " v = x1\n w = x2\n");
    ck_assert_int_eq(darc_identification_init_local(id, model, NULL, NULL),
                     DARC_OK);
    ck_assert(id->implicit);
    ck_assert_int_eq(id->shown, 3);
    ck_assert_int_eq(id->parameter[0], DARC_NOT_IDENTIFIABLE);
    ck_assert_int_eq(id->parameter[3], DARC_LOCALLY);
    darc_identification_clear(id);
    darc_model_free(model);
}
END_TEST

/* No elimination ends here: the answer is that of the ranks, states too. */
START_TEST(where_no_elimination_ends)
{
    darc_model *model = model_of(CART " v = s\n");
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->parameters, 3);
    ck_assert_int_eq(found->functions, 0);
    ck_assert_int_eq(found->states, 4);
    for (int v = 0; v < 3; v++) {
        ck_assert_int_eq(found->parameter[v].identifiable, DARC_LOCALLY);
        ck_assert(!found->parameter[v].final);
    }
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(found->state[i].identifiable, DARC_LOCALLY);
    darc_identified_free(found);
    darc_model_free(model);
}
END_TEST

/* The coupler and the rocker may change places: the other parameters are known
 * globally. */
START_TEST(where_one_ends)
{
    darc_model *model = model_of(FOURBAR " v = th\n");
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->functions, 6);
    for (int v = 0; v < 6; v++)
        ck_assert_int_eq(found->parameter[v].identifiable,
                         strcmp(found->parameter[v].name, "J1") == 0 ||
                                 strcmp(found->parameter[v].name, "a") == 0
                             ? DARC_GLOBALLY
                             : DARC_LOCALLY);
    darc_identified_free(found);
    darc_model_free(model);
}
END_TEST

Suite *suite_dae_rank(void)
{
    Suite *s = suite_create("dae_rank");
    TCase *c = tcase_create("dae_rank");
    tcase_add_loop_test(c, as_by_solved_forms, 0, 10);
    tcase_add_loop_test(c, by_hand, 0,
                        (int)(sizeof mechanisms / sizeof *mechanisms));
    tcase_add_test(c, in_the_table);
    tcase_add_test(c, what_a_scale_moves);
    tcase_add_test(c, under_roots);
    tcase_add_test(c, where_no_elimination_ends);
    tcase_add_test(c, where_one_ends);
    suite_add_tcase(s, c);
    return s;
}
