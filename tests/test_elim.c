#include "tests.h"

#include "ring.h"

#include "darc/chain.h"
#include "darc/elim.h"

#include <string.h>

/* A system and what is asked of its decomposition. */
typedef struct {
    const char *names, *ranking, *eq, *ineq;
} example;

static const example clairaut = {"||y", NULL, "y_1^2 - 4*y", ""};

static const example prey = {
    "x1 x2|a b c d|y", "x1 x2 >> y >> a b c d",
    "x1_1 - a*x1 + b*x1*x2; x2_1 + c*x2 - d*x1*x2; y - x1", "a;b;c;d"};

/* Every equation of the system belongs to every component, and no inequation
 * of the component does: the first route of verification. */
static void verify(const darc_decomposition_t d, const ring *r)
{
    for (int i = 0; i < d->count; i++) {
        const darc_component *c = d->component + i;
        darc_dpoly_t p;
        darc_dpoly_init(p, d->jet);
        for (slong k = 0; k < r->eq->count; k++) {
            ck_assert(darc_dpoly_move(p, d->jet, r->eq->p + k, r->jet, NULL) ==
                      DARC_OK);
            ck_assert(darc_chain_member(p, c, d->jet, NULL) == DARC_TRUE);
        }
        for (slong k = 0; k < c->inequations->count; k++)
            ck_assert(darc_chain_member(c->inequations->p + k, c, d->jet,
                                        NULL) == DARC_FALSE);
        darc_dpoly_clear(p, d->jet);
    }
}

static void decompose(darc_decomposition_t d, ring *r, const example *x,
                      bool generic_only)
{
    ring_init(r, x->names, x->ranking, 4, x->eq, x->ineq);
    darc_err err;
    darc_err_init(&err);
    darc_status status =
        darc_elim(d, r->eq, r->ineq, r->jet, generic_only, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    verify(d, r);
}

static void finish(darc_decomposition_t d, ring *r)
{
    darc_decomposition_clear(d);
    ring_clear(r);
}

static const darc_dpoly_struct *equation(const darc_decomposition_t d, int i,
                                         slong k)
{
    ck_assert_int_gt(d->count, i);
    ck_assert_int_gt(d->component[i].equations->count, k);
    return d->component[i].equations->p + k;
}

static slong total_degree(const darc_dpoly_t p, const darc_jet_t jet)
{
    return fmpz_mpoly_total_degree_si(p, jet->ctx);
}

START_TEST(clairaut_type_splits)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &clairaut, false);
    ck_assert_int_eq(d->count, 2);
    ck_assert(d->component[0].generic && !d->component[1].generic);
    ck_assert(ring_is(equation(d, 0, 0), "y_1^2 - 4*y", d->jet));
    ck_assert(ring_is(equation(d, 1, 0), "y", d->jet));
    ck_assert_int_eq(d->component[0].constants, 1);
    ck_assert_int_eq(d->component[1].constants, 0);
    finish(d, &r);

    decompose(d, &r, &clairaut, true);
    ck_assert_int_eq(d->count, 1);
    ck_assert_int_eq(d->component[0].equations->count, 1);
    finish(d, &r);
}
END_TEST

START_TEST(prey_observed_gives_the_published_equation)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &prey, true);
    ck_assert_int_eq(d->count, 1);
    ck_assert(ring_is(equation(d, 0, 0),
                      "y*y_2 - y_1^2 - d*y^2*y_1 + c*y*y_1 + a*d*y^3 - "
                      "a*c*y^2",
                      d->jet));
    ck_assert(ring_is(equation(d, 0, 1), "b*y*x2 + y_1 - a*y", d->jet));
    ck_assert(ring_is(equation(d, 0, 2), "x1 - y", d->jet));
    finish(d, &r);
}
END_TEST

START_TEST(prey_without_parameters)
{
    example x = prey;
    x.ranking = "x1 x2 >> a b c d >> y";
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &x, true);
    const darc_dpoly_struct *p = equation(d, 0, 0);
    ck_assert_int_eq(p->length, 106);
    ck_assert_int_eq(total_degree(p, d->jet), 19);
    ck_assert_int_eq(darc_dpoly_order(p, r.names->count - 1, d->jet), 5);
    finish(d, &r);
}
END_TEST

Suite *suite_elim(void)
{
    Suite *s = suite_create("elim");
    TCase *c = tcase_create("elim");
    tcase_add_test(c, clairaut_type_splits);
    tcase_add_test(c, prey_observed_gives_the_published_equation);
    tcase_add_test(c, prey_without_parameters);
    suite_add_tcase(s, c);
    return s;
}
