/* Changes of coordinates: what they save, and that nothing else changes. */
#include "tests.h"

#include "model/model.h"
#include "projection/route.h"

#define PITAVASTATIN "systems/pitavastatin/model.darc"

/* Eliminate the states of p the obvious way, with numbers for the parameters;
 * return the products of terms that it takes, and the terms of the result. */
static double products(slong *terms, darc_problem_t p, bool keeps)
{
    darc_point_t pt;
    darc_projection_t proj;
    darc_point_init(pt, p->s, p->length, darc_finite_prime(0), p->rand);
    darc_projection_init(proj, p, pt, true);
    proj->keeps_coordinates = keeps;
    ck_assert(darc_route_obvious(proj, 1e9, NULL, NULL) == DARC_OK);
    ck_assert_int_eq(proj->changes > 0, !keeps);
    double work = proj->ring->work;
    *terms = proj->Q->length;
    darc_projection_clear(proj);
    darc_point_clear(pt);
    return work;
}

static void open_problem(darc_problem_t p)
{
    darc_model *model;
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_model_read(&model, PITAVASTATIN, &err) == DARC_OK, "%s",
                  err.message);
    darc_ranking_t rk;
    darc_ranking_init(rk, darc_model_names(model)->count);
    darc_model_ranking(rk, model);
    ck_assert(darc_problem_init(p, model, rk, NULL, NULL) == DARC_OK);
    darc_ranking_clear(rk);
    darc_model_free(model);
}

/* With the parameters as variables, which takes a second, the products are
 * 9.2e7 against 1.7e9. */
START_TEST(the_same_equation_by_fewer_products)
{
    darc_problem_t p;
    slong terms, same;
    open_problem(p);
    double with = products(&terms, p, false);
    double without = products(&same, p, true);
    ck_assert_int_eq(terms, 252);
    ck_assert_int_eq(same, terms);
    ck_assert_msg(without > 3 * with, "%g against %g", with, without);
    darc_problem_clear(p);
}
END_TEST

Suite *suite_coordinate(void)
{
    Suite *s = suite_create("coordinate");
    TCase *t = tcase_create("coordinate");
    tcase_add_test(t, the_same_equation_by_fewer_products);
    suite_add_tcase(s, t);
    return s;
}
