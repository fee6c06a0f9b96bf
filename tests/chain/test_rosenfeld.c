#include "tests.h"

#include "decompose.h"
#include "planted.h"

#include <string.h>

static const example clairaut = {"||y", NULL, "y_1^2 - 4*y", ""};

static const example prey = {
    "x1 x2|a b c d|y", "x1 x2 >> a b c d >> y",
    "x1_1 - a*x1 + b*x1*x2; x2_1 + c*x2 - d*x1*x2; y - x1", "a;b;c;d"};

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

/* Hubert, Essential components of an algebraic differential equation, J.
 * Symb. Comp. 28 (1999): general solution y = a (t - a)^2. */
START_TEST(singular_solutions_are_found)
{
    static const example hubert = {"y||||t", NULL, "y_1^3 - 4*t*y*y_1 + 8*y^2",
                                   ""};
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &hubert, false);
    ck_assert(ring_is(equation(d, 0, 0), hubert.eq, d->jet));
    ck_assert(ring_is(equation(d, 1, 0), "27*y - 4*t^3", d->jet));
    ck_assert(d->component[0].generic && !d->component[1].generic);
    ck_assert_int_eq(d->count, 2); /* y = 0 belongs to a = 0 */
    finish(d, &r);
}
END_TEST

/* The low power theorem: essential or not (Ritt, Differential Algebra). */
static const struct {
    example x;
    int count;
} singular[] = {
    {{"y", NULL, "y_1^2 - 4*y", ""}, 2},
    {{"y", NULL, "y_1^2 - 4*y^3", ""}, 1},
    {{"y", NULL, "y_1^3 - y^2", ""}, 2},
    {{"y", NULL, "y_2^2 - y", ""}, 2},
    {{"y", NULL, "y*y_2 - y_1^2", ""}, 1},
    {{"y", NULL, "y_1*y_2 - y^2", ""}, 1},
    {{"y", NULL, "y_2^3 - y*y_1", ""}, 2},
};

START_TEST(low_powers_tell_essential_components)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &singular[_i].x, false);
    ck_assert_int_eq(d->count, singular[_i].count);
    finish(d, &r);
}
END_TEST

/* Towers with zero divisors: the chain must split or shrink. */
static const struct {
    const char *eq, *ineq;
    int count;
    const char *lowest, *second, *third;
} towers[] = {
    {"z^2 - 2; y^2 - z*y; y*x_1 - 1", "", 1, "z^2 - 2", "y - z", "x_1*z - 1"},
    {"z^2 - 2; y^2 - 2; x_1*(y - z) - 1", "", 1, "z^2 - 2", "y + z",
     "2*x_1*z + 1"},
    {"z^2 - 2; y^2 - 2; x_1^2 - y", "y - z", 1, "z^2 - 2", "y + z",
     "x_1^2 + z"},
    {"z^2 - 2; y^2 - 2; x - y", "y^2 - z^2", 0, "", "", ""},
    {"z^2 - 2; y^2 - 2; x^2 - (y - z)*x", "x", 1, "z^2 - 2", "y + z",
     "x + 2*z"},
};

START_TEST(zero_divisors_split)
{
    const example x = {"x y z", "x >> y >> z", towers[_i].eq, towers[_i].ineq};
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &x, false);
    ck_assert_int_eq(d->count, towers[_i].count);
    if (d->count == 1) {
        ck_assert(ring_is(equation(d, 0, 0), towers[_i].lowest, d->jet));
        ck_assert(ring_is(equation(d, 0, 1), towers[_i].second, d->jet));
        ck_assert(ring_is(equation(d, 0, 2), towers[_i].third, d->jet));
    }
    finish(d, &r);
}
END_TEST

START_TEST(factors_split)
{
    static const example x = {"y||||t", NULL, "(y_1 - 1)*(y_1 - t)*y", ""};
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &x, false);
    ck_assert_int_eq(d->count, 3);
    ck_assert(d->component[0].generic && d->component[1].generic);
    ck_assert(!d->component[2].generic); /* y = 0: a point, not a curve */
    ck_assert(ring_is(equation(d, 2, 0), "y", d->jet));
    finish(d, &r);
}
END_TEST

/* Components inside others are left out: constants hold the zero, the
 * intersection of two components lies in both. */
static const struct {
    example x;
    int count;
} redundant[] = {
    {{"y", NULL, "y*y_1", ""}, 1},
    {{"y||||t", NULL, "y_1*y*(y_2 - 1)", ""}, 2},
    {{"x y", NULL, "x*y; x*(x - y)*y_1", ""}, 2},
    {{"x y z", "x >> y >> z", "x*y; x*z", ""}, 2},
};

START_TEST(redundant_components_are_left_out)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &redundant[_i].x, false);
    ck_assert_int_eq(d->count, redundant[_i].count);
    finish(d, &r);
}
END_TEST

static const example contradictions[] = {
    {"y", NULL, "y_1 - 1; y_1 - 2", ""},
    {"y", NULL, "y^2 + 1; y - 1", ""},
    {"y", NULL, "y_1 - y; y", "y"},
    {"y|a", NULL, "a*y - 1; y_1 - 1", ""},
    {"y||||t", NULL, "t^2 - 1", ""},
    {"y||||t", NULL, "y - t; y_1", ""},
    {"y", NULL, "3", ""},
    {"y", NULL, "y", "0"},
};

START_TEST(contradictions_have_no_component)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &contradictions[_i], false);
    ck_assert_int_eq(d->count, 0);
    finish(d, &r);
}
END_TEST

/* Solutions planted in random systems are found again. */
START_TEST(planted_solutions_are_kept)
{
    static const char *const rankings[] = {"x >> y >> t", "x y >> t",
                                           "y >> x >> t"};
    int done = 0;
    for (unsigned long seed = 0; seed < 30; seed++) {
        planted p;
        planted_init(&p, 1 + (int)seed % 2, 1, rankings[seed % 3], seed);
        darc_budget b;
        darc_budget_init(&b);
        b.deadline = darc_now() + 0.05;
        darc_decomposition_t d;
        if (darc_elim(d, &(darc_system){p.r.eq, p.r.ineq, p.r.jet}, false, &b,
                      NULL) == DARC_OK) {
            verify(d, &p.r);
            int found = 0;
            for (int i = 0; i < d->count; i++) {
                int solves = 1;
                const darc_dpolys_struct *e = d->component[i].equations;
                for (slong k = 0; k < e->count; k++)
                    solves = solves && planted_solves(&p, e->p + k, d->jet);
                found = found || solves;
            }
            ck_assert_msg(found, "seed %lu", seed);
            done++;
            darc_decomposition_clear(d);
        }
        planted_clear(&p);
    }
    ck_assert_int_ge(done, 15);
}
END_TEST

START_TEST(a_small_frame_grows)
{
    /* the second derivative of a needs order 12 of y: not in the guess */
    static const example x = {"a|||y", "a >> y", "a - y_6; a_8 - a", ""};
    ring r;
    darc_decomposition_t d;
    ring_init(&r, x.names, x.ranking, 8, x.eq, x.ineq);
    ck_assert(darc_elim(d, &(darc_system){r.eq, r.ineq, r.jet}, false, NULL,
                        NULL) == DARC_OK);
    ck_assert(ring_is(equation(d, 0, 0), "y_14 - y_6", d->jet));
    finish(d, &r);
}
END_TEST

static int stop_now(void *user)
{
    return --*(int *)user < 0;
}

static void count_reports(void *user, const darc_progress *p)
{
    ck_assert(strstr(p->stage, "elimination") != NULL && p->done > 0);
    ++*(int *)user;
}

static void keep_partial(void *user, const char *text)
{
    (void)user;
    ck_assert(strstr(text, " = 0\n") != NULL);
}

START_TEST(budgets_stop_it_at_any_step)
{
    ring r;
    ring_init(&r, prey.names, prey.ranking, 4, prey.eq, prey.ineq);
    for (int steps = 0; steps < 40; steps += 3) {
        int left = steps;
        darc_budget b;
        darc_budget_init(&b);
        b.interrupted = stop_now;
        b.user = &left;
        darc_err err;
        darc_err_init(&err);
        darc_decomposition_t d;
        ck_assert(darc_elim(d, &(darc_system){r.eq, r.ineq, r.jet}, false, &b,
                            &err) == DARC_LIMIT);
        ck_assert_str_eq(err.message, "interrupted");
        ck_assert_ptr_null(d->component);
    }
    int reports = 0;
    darc_budget b;
    darc_budget_init(&b);
    b.progress = count_reports;
    b.partial = keep_partial;
    b.user = &reports;
    darc_decomposition_t d;
    ck_assert(darc_elim(d, &(darc_system){r.eq, r.ineq, r.jet}, false, &b,
                        NULL) == DARC_OK);
    ck_assert_int_gt(reports, 10);
    finish(d, &r);
}
END_TEST

Suite *suite_rosenfeld(void)
{
    Suite *s = suite_create("rosenfeld");
    TCase *c = tcase_create("rosenfeld");
    tcase_add_test(c, clairaut_type_splits);
    tcase_add_test(c, singular_solutions_are_found);
    tcase_add_loop_test(c, low_powers_tell_essential_components, 0,
                        sizeof singular / sizeof *singular);
    tcase_add_loop_test(c, zero_divisors_split, 0,
                        sizeof towers / sizeof *towers);
    tcase_add_test(c, factors_split);
    tcase_add_loop_test(c, redundant_components_are_left_out, 0,
                        sizeof redundant / sizeof *redundant);
    tcase_add_loop_test(c, contradictions_have_no_component, 0,
                        sizeof contradictions / sizeof *contradictions);
    tcase_add_test(c, planted_solutions_are_kept);
    tcase_add_test(c, a_small_frame_grows);
    tcase_add_test(c, budgets_stop_it_at_any_step);
    suite_add_tcase(s, c);
    return s;
}
