/* Projections that generate no prime ideal, and what takes their place. */
#include "tests.h"

#include "eliminate/eliminate.h"
#include "eliminate/engine.h"
#include "models.h"
#include "projection/point.h"

#include <string.h>

/* Dong, Goodbrake, Harrington, Pogudin [DGHP23], remark 3: both outputs are
 * bound by squares, while b*y1' = y2'. */
static const char remark[] =
    "model remark3\nstates\nx1 x2\nparameters\nb\noutputs\ny1 y2\n"
    "equations\nx1'=(1+x1^2)/2\nx2'=(1-x1^2)/(1+x1^2)\n"
    "y1=2*x1/(b*(1+x1^2))\ny2=x2\n";

/* Two square roots that nothing links. */
static const char apart[] =
    "model apart\nstates\nx1 x2 z1 z2\nparameters\na b\noutputs\ny1 y2\n"
    "equations\nx1'=1\nx2'=a\nz1'=x1^2\nz2'=x2^2\ny1=z1\ny2=z2\n";

/* Three of them, of which two make the third. */
static const char three[] =
    "model three\nstates\nx1 x2 z1 z2 z3\nparameters\na b c\n"
    "inputs\nu v\noutputs\ny1 y2 y3\n"
    "equations\nx1'=u\nx2'=v\nz1'=a*x1^2\nz2'=b*x2^2\nz3'=c*x1*x2\n"
    "y1=z1\ny2=z2\ny3=z3\n";

/* Set pt to a random point of model. */
static void point(darc_point_t pt, const darc_model *model, int prime)
{
    darc_solved_t s;
    flint_rand_t rand;
    flint_randinit(rand);
    flint_randseed(rand, 2385, 8);
    ck_assert(darc_solved_init(s, model, NULL) == DARC_OK);
    darc_point_init(pt, s, 12, darc_finite_prime(prime), rand);
    darc_solved_clear(s);
    flint_randclear(rand);
}

static void check_vanish(const darc_ioeqs_t io, const darc_model *model)
{
    darc_point_t pt;
    point(pt, model, 40);
    for (int i = 0; i < io->count; i++)
        ck_assert_uint_eq(darc_point_eval(pt, io->eq[i].poly, io->jet), 0);
    darc_point_clear(pt);
}

static slong degree(const darc_ioeqs_t io, int i)
{
    return darc_dpoly_degree(io->eq[i].poly,
                             darc_jet_var(io->jet, io->eq[i].leader), io->jet);
}

/* Degrees in the leaders, ascending leaders. */
static const struct {
    const char *text;
    int count;
    slong degree[3];
} cases[] = {
    {remark, 2, {2, 1}},
    {apart, 2, {2, 2}},
};

START_TEST(degrees_multiply_to_that_of_the_field)
{
    darc_ioeqs_t io;
    darc_model *model = model_of(cases[_i].text);
    ck_assert(darc_ioeqs_init(io, model, NULL, DARC_ENGINE_PROJECT, NULL,
                              NULL) == DARC_OK);
    ck_assert_int_eq(io->count, cases[_i].count);
    for (int i = 0; i < io->count; i++)
        ck_assert_int_eq(degree(io, i), cases[_i].degree[i]);
    ck_assert(!io->linked);
    check_vanish(io, model);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* With the relation of the leaders the equations follow from another chain of
 * the same ideal: those of the general engine vanish where they do. */
START_TEST(the_relation_binds_the_leaders)
{
    darc_ioeqs_t io;
    darc_model *model = model_of(remark);
    ck_assert(darc_ioeqs_init(io, model, NULL, DARC_ENGINE_PROJECT, NULL,
                              NULL) == DARC_OK);
    /* b y1' - y2' = 0, times y2', by y2'^2 = 1 - b^2 y1^2 */
    darc_text_t t;
    darc_text_init(t);
    darc_dpoly_print(t, io->eq[1].poly, io->jet);
    ck_assert_str_eq(t->s, "b*y1'*y2' + b^2*y1^2 - 1");
    darc_text_clear(t);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

START_TEST(what_no_pair_tells_is_noted)
{
    darc_ioeqs_t io;
    darc_model *model = model_of(three);
    ck_assert(darc_ioeqs_init(io, model, NULL, DARC_ENGINE_PROJECT, NULL,
                              NULL) == DARC_OK);
    ck_assert(io->linked);
    slong product = 1;
    for (int i = 0; i < io->count; i++)
        product *= degree(io, i);
    ck_assert_int_eq(product, 8);
    check_vanish(io, model);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* A pendulum by its places, one speed and the multiplier: both of degree 8, of
 * one field of degree 8.  A line takes .6 s of CPU, six of them are tried. */
START_TEST(points_show_high_degrees_to_be_linked)
{
    darc_ioeqs_t io;
    darc_model *model =
        model_of("model places\nstates\nx y v w s\nparameters\nl g\n"
                 "outputs\nz k\nranking\nx y v w s >> k >> z\n"
                 "equations\nx'=v\ny'=w\nv'=-s*x\nw'=-s*y-g\n"
                 "x^2+y^2=l^2\nz=v\nk=s\n");
    double begin = darc_cpu_time();
    ck_assert(darc_ioeqs_init(io, model, NULL, DARC_ENGINE_CONSTRAINTS, NULL,
                              NULL) == DARC_DOMAIN);
    ck_assert_double_lt(darc_cpu_time() - begin, 2);
    darc_model_free(model);
}
END_TEST

Suite *suite_primality(void)
{
    Suite *s = suite_create("primality");
    TCase *t = tcase_create("primality");
    tcase_add_loop_test(t, degrees_multiply_to_that_of_the_field, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(t, the_relation_binds_the_leaders);
    tcase_add_test(t, what_no_pair_tells_is_noted);
    tcase_add_test(t, points_show_high_degrees_to_be_linked);
    suite_add_tcase(s, t);
    return s;
}
