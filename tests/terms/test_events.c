#include "tests.h"

#include "terms/events.h"

enum { N = 12 };

static darc_segment all = {0, N};
static darc_table table = {.samples = N, .segments = 1, .segment = &all};

/* What a fit says of two held inputs. */
typedef struct {
    darc_weak weak;
    darc_weak_signal signal[2];
    darc_held held[2];
    darc_signalnoise noise[2];
    bool until[2];
    darc_fit f;
} inputs;

static void open_inputs(inputs *x, double *u, double *v)
{
    *x = (inputs){
        .signal = {{.value = u, .held = true}, {.value = v, .held = true}},
        .held = {DARC_HELD_FOUND, DARC_HELD_FOUND}};
    x->f = (darc_fit){.weak = &x->weak};
    x->f.white.dof = 100;
    x->f.r = (darc_regression){.unknowns = 2,
                               .signal = x->signal,
                               .held = x->held,
                               .noise = x->noise,
                               .until = x->until};
}

/* Set e to the events of u and v. */
static void list_events(darc_events *e, inputs *x, double *u, double *v,
                        bool shown)
{
    open_inputs(x, u, v);
    ck_assert(darc_events_list(e, &x->f, &table, shown));
}

/* ud and uq of a drive: one generator. */
START_TEST(inputs_of_one_switch_share_a_time)
{
    double u[N] = {1, 1, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5};
    double v[N] = {0, 0, 0, 0, 7, 7, 7, 7, 9, 9, 8, 8};
    double early[2][N] = {{0}}, *both[2] = {early[0], early[1]};
    inputs x;
    darc_events e;
    list_events(&e, &x, u, v, false);
    ck_assert_int_eq(e.count, 3);
    ck_assert_int_eq((int)e.list[0].at, 4);
    ck_assert(darc_event_moves(&e, e.list, 1));
    darc_event_set(both, &e, e.list, 0.25);
    ck_assert_double_eq(early[0][4], 0.25);
    ck_assert_double_eq(early[1][4], 0.25);
    ck_assert_int_eq(e.list[2].unknown, 1); /* v alone */
    ck_assert(!darc_event_moves(&e, e.list + 2, 0));
    darc_events_clear(&e);
}
END_TEST

START_TEST(inputs_of_two_clocks_have_times_of_their_own)
{
    double u[N] = {1, 1, 3, 3, 2, 2, 4, 4, 5, 5, 6, 6};
    double v[N] = {0, 0, 0, 7, 7, 7, 8, 8, 8, 3, 3, 4};
    inputs x;
    darc_events e;
    list_events(&e, &x, u, v, false);
    ck_assert_int_eq(e.count, 9); /* one of four is no more than chance */
    darc_events_clear(&e);
}
END_TEST

START_TEST(limits_leave_room_for_the_next)
{
    double value[N] = {1, 1, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5};
    double brief[N] = {1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3};
    double still[N] = {0};
    inputs x;
    darc_events e;
    list_events(&e, &x, value, still, false);
    ck_assert(e.list[0].least == -0.5 && e.list[0].most == 1.5);
    darc_events_clear(&e);
    list_events(&e, &x, value, still, true);
    ck_assert_double_eq(e.list[0].least, 0);
    ck_assert_double_lt(e.list[0].most, 1);
    darc_events_clear(&e);
    list_events(&e, &x, brief, still, false);
    ck_assert(e.list[0].least == 0 && e.list[0].most == 1.5);
    ck_assert(e.list[1].least == -0.5 && e.list[1].most < 1);
    darc_events_clear(&e);
}
END_TEST

/* A change of both comes where both may. */
START_TEST(what_changes_together_keeps_to_both_limits)
{
    double value[N] = {1, 1, 1, 1, 2, 2, 2, 2, 5, 5, 5, 5};
    double brief[N] = {1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4};
    inputs x;
    darc_events e;
    list_events(&e, &x, value, brief, false);
    ck_assert_int_eq(e.count, 3);
    ck_assert(e.list[0].least == 0 && e.list[0].most == 1.5);
    darc_events_clear(&e);
}
END_TEST

Suite *suite_events(void)
{
    Suite *s = suite_create("events");
    TCase *c = tcase_create("events");
    tcase_add_test(c, inputs_of_one_switch_share_a_time);
    tcase_add_test(c, inputs_of_two_clocks_have_times_of_their_own);
    tcase_add_test(c, limits_leave_room_for_the_next);
    tcase_add_test(c, what_changes_together_keeps_to_both_limits);
    suite_add_tcase(s, c);
    return s;
}
