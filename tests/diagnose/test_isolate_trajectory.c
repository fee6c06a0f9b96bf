/* Which parameters differ between short recordings. */
#include "tests.h"

#include "diagnose/isolate_trajectory.h"
#include "models.h"
#include "simulation.h"

static const char cup[] = "parameters\n    k E unused\nstates\n    T z = 0\n"
                          "outputs\n    y\nequations\n    T' = -k*(T - E)\n"
                          "    z' = unused*T\n    y = T\n";

static void isolated(darc_isolate *out, const simulation *of, int n)
{
    darc_model *model = model_of(cup);
    darc_table *table[4];
    for (int i = 0; i < n; i++)
        table[i] = simulation_make(of + i);
    darc_trajectory_question q = {.model = model,
                                  .recordings = n,
                                  .table = (const darc_table *const *)table,
                                  .alpha = .01,
                                  .seed = 1};
    darc_trajectory x;
    darc_comparing c;
    darc_forcing f = {.equations = 0};
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_comparing_init(&c, &x, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_isolate_trajectory(out, &x, &c, &f, NULL), DARC_OK);
    darc_comparing_clear(&c);
    darc_trajectory_clear(&x);
    for (int i = 0; i < n; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}

/* Of four cups one cools faster, then in a colder room, too. */
START_TEST(sets_that_differ_are_told)
{
    simulation of[4];
    darc_isolate out;
    for (unsigned i = 0; i < 4; i++)
        of[i] = (simulation){.model = cup,
                             .input = "",
                             .param = "k=.05 E=20 unused=1",
                             .init = "T=90",
                             .t_end = 60,
                             .rate = .2,
                             .noise = .005,
                             .rtol = 1e-10,
                             .seed = 21 + i};
    isolated(&out, of, 4);
    ck_assert_int_ne(out.equal.verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(out.candidates, 0);
    ck_assert_int_eq(out.unseen, 1);
    darc_isolate_clear(&out);
    of[2].param = "k=.06 E=20 unused=1";
    isolated(&out, of, 4);
    ck_assert_int_eq(out.equal.verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(out.diagnosis, 1);
    ck_assert_int_eq(out.candidate[0].changed.count, 1);
    ck_assert_int_eq(out.candidate[0].changed.parameter[0], 0);
    ck_assert_ptr_nonnull(strstr(out.equal.reason, "{k}"));
    darc_isolate_clear(&out);
    of[1].param = "k=.05 E=12 unused=1";
    isolated(&out, of, 4);
    ck_assert_int_eq(out.diagnosis, 1);
    ck_assert_int_eq(out.candidate[0].changed.count, 2);
    darc_isolate_clear(&out);
}
END_TEST

Suite *suite_isolate_trajectory(void)
{
    Suite *s = suite_create("isolate_trajectory");
    TCase *tc = tcase_create("isolate_trajectory");
    tcase_add_test(tc, sets_that_differ_are_told);
    suite_add_tcase(s, tc);
    return s;
}
