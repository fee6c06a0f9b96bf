#include "tests.h"

#include "base/parallel.h"

#include <stdlib.h>

enum { UNITS = 200 };

typedef struct {
    size_t gathered[UNITS];
    size_t count;
    size_t broken; /* units from here on fail */
} tally;

typedef struct {
    tally *of;
    size_t square;
} worker;

static void *open_worker(void *user)
{
    worker *w = calloc(1, sizeof *w);
    w->of = user;
    return w;
}

static darc_status square(void *state, size_t unit, darc_err *err)
{
    worker *w = state;
    w->square = unit * unit;
    if (unit >= w->of->broken)
        return darc_fail(err, DARC_DATA, "unit %zu", unit);
    return DARC_OK;
}

static void gather(void *user, void *state, size_t unit)
{
    tally *t = user;
    worker *w = state;
    ck_assert_uint_eq(w->square, unit * unit);
    t->gathered[t->count++] = unit;
}

static darc_status run(tally *t, int threads, size_t broken,
                       const darc_budget *budget, darc_err *err)
{
    *t = (tally){.broken = broken};
    darc_parallel p = {t, UNITS, threads, open_worker, free, square, gather};
    return darc_parallel_run(&p, budget, err);
}

START_TEST(units_are_gathered_in_order)
{
    for (int threads = 0; threads <= 5; threads++) {
        tally t;
        ck_assert_int_eq(run(&t, threads, UNITS, NULL, NULL), DARC_OK);
        ck_assert_uint_eq(t.count, UNITS);
        for (size_t i = 0; i < UNITS; i++)
            ck_assert_uint_eq(t.gathered[i], i);
    }
}
END_TEST

START_TEST(the_first_failure_counts)
{
    for (int threads = 1; threads <= 5; threads++) {
        tally t;
        darc_err err;
        darc_err_init(&err);
        ck_assert_int_eq(run(&t, threads, 77, NULL, &err), DARC_DATA);
        ck_assert_str_eq(err.message, "unit 77");
        ck_assert_uint_eq(t.count, 77);
    }
}
END_TEST

static int yes(void *user)
{
    (void)user;
    return 1;
}

START_TEST(a_spent_budget_ends_it)
{
    tally t;
    darc_err err;
    darc_budget budget;
    darc_budget_init(&budget);
    budget.interrupted = yes;
    darc_err_init(&err);
    ck_assert_int_eq(run(&t, 1, UNITS, &budget, &err), DARC_LIMIT);
    ck_assert_str_eq(err.message, "interrupted");
    ck_assert_uint_eq(t.count, 0);
    ck_assert_int_eq(run(&t, 3, UNITS, &budget, NULL), DARC_LIMIT);
    ck_assert_uint_eq(t.count, 0);
}
END_TEST

static darc_status mark(void *state, size_t unit, darc_err *err)
{
    size_t *marked = state;
    marked[unit]++;
    return unit < UNITS ? DARC_OK : darc_fail(err, DARC_DATA, "%zu", unit);
}

START_TEST(without_gathering_each_is_worked_once)
{
    for (int threads = 1; threads <= 5; threads++) {
        darc_err err = {DARC_OK, ""};
        size_t marked[UNITS + 9] = {0};
        darc_parallel p = {
            .user = marked, .count = UNITS, .threads = threads, .work = mark};
        ck_assert_int_eq(darc_parallel_run(&p, NULL, NULL), DARC_OK);
        for (size_t i = 0; i < UNITS; i++)
            ck_assert_uint_eq(marked[i], 1);
        p.count = UNITS + 9;
        ck_assert_int_eq(darc_parallel_run(&p, NULL, &err), DARC_DATA);
        ck_assert_str_eq(err.message, "200");
        for (size_t i = 0; i < UNITS; i++)
            ck_assert_uint_eq(marked[i], 2);
    }
}
END_TEST

Suite *suite_parallel(void)
{
    Suite *s = suite_create("parallel");
    TCase *c = tcase_create("parallel");
    tcase_add_test(c, units_are_gathered_in_order);
    tcase_add_test(c, the_first_failure_counts);
    tcase_add_test(c, a_spent_budget_ends_it);
    tcase_add_test(c, without_gathering_each_is_worked_once);
    suite_add_tcase(s, c);
    return s;
}
