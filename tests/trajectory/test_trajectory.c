#include "tests.h"

#include "base/mem.h"
#include "base/random.h"
#include "diagnose/answer_trajectory.h"
#include "diagnose/profile.h"
#include "models.h"
#include "simulation.h"
#include "trajectory/linear.h"
#include "trajectory/verdict.h"

#include <math.h>
#include <string.h>

static const char hares[] = "parameters\n    a b c d\nstates\n    h l\n"
                            "outputs\n    H L\nequations\n"
                            "    h' = a*h - b*h*l\n    l' = c*h*l - d*l\n"
                            "    H = h\n    L = l\n";

/* The same, and the prey is crowded. */
static const char crowded[] = "parameters\n    a b c d e\nstates\n    h l\n"
                              "outputs\n    H L\nequations\n"
                              "    h' = a*h - b*h*l - e*h^2\n"
                              "    l' = c*h*l - d*l\n"
                              "    H = h\n    L = l\n";

static const char cup[] = "parameters\n    k E\nstates\n    T\noutputs\n    y\n"
                          "equations\n    T' = -k*(T - E)\n    y = T\n";

static const simulation hare_run = {.model = hares,
                                    .input = "",
                                    .param = "a=.55 b=.028 c=.024 d=.8",
                                    .init = "h=30 l=4",
                                    .t_end = 20,
                                    .rate = 1,
                                    .noise = .02,
                                    .rtol = 1e-10,
                                    .seed = 3};

static const simulation cup_run = {.model = cup,
                                   .input = "",
                                   .param = "k=.05 E=20",
                                   .init = "T=90",
                                   .t_end = 60,
                                   .rate = .2,
                                   .noise = .005,
                                   .rtol = 1e-10,
                                   .seed = 5};

/* A question about recordings, which it owns. */
typedef struct {
    darc_model *model;
    darc_table *table[4];
    darc_trajectory_question q;
    darc_trajectory x;
} asked;

static void begin(asked *a, int n)
{
    a->q =
        (darc_trajectory_question){.model = a->model,
                                   .recordings = n,
                                   .table = (const darc_table *const *)a->table,
                                   .alpha = .01,
                                   .seed = 1};
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_trajectory_init(&a->x, &a->q, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

static void ask(asked *a, const char *model, const simulation *of, int n)
{
    a->model = model_of(model);
    for (int i = 0; i < n; i++)
        a->table[i] = simulation_make(of + i);
    begin(a, n);
}

static void close_asked(asked *a)
{
    darc_trajectory_clear(&a->x);
    for (int i = 0; i < a->q.recordings; i++)
        darc_table_free(a->table[i]);
    darc_model_free(a->model);
}

/* Starts are found, and values lie in their intervals. */
START_TEST(tells_values_without_a_start)
{
    static const double truth[] = {.55, .028, .024, .8};
    asked a;
    darc_profile v[4];
    ask(&a, hares, &hare_run, 1);
    ck_assert_int_eq(a.x.flow.params, 4);
    ck_assert_int_eq(darc_trajectory_profile(v, &a.x, NULL), DARC_OK);
    for (int k = 0; k < 4; k++) {
        ck_assert(v[k].known);
        ck_assert_double_lt(v[k].low, truth[k]);
        ck_assert_double_gt(v[k].high, truth[k]);
        ck_assert_double_lt(v[k].high / v[k].low, 1.15);
        ck_assert_int_gt(v[k].curve.points, 2);
    }
    close_asked(&a);
}
END_TEST

/* Along a profile the sum of squares is that of a line of constant parameter:
 * where the problem is linear, the square of the distance. */
START_TEST(profiles_of_linear_problems_are_parabolas)
{
    asked a;
    darc_profile v[2];
    ask(&a,
        "parameters\n    a b\nstates\n    x\noutputs\n    y\nequations\n"
        "    x' = a\n    y = x + b*time\n    \n",
        &cup_run, 1);
    ck_assert_int_eq(darc_trajectory_profile(v, &a.x, NULL), DARC_OK);
    ck_assert(!v[0].known); /* a + b alone is seen */
    ck_assert(!v[1].known);
    close_asked(&a);
    ask(&a,
        "parameters\n    a\nstates\n    x\noutputs\n    y\nequations\n"
        "    x' = a\n    y = x\n",
        &cup_run, 1);
    ck_assert_int_eq(darc_trajectory_profile(v, &a.x, NULL), DARC_OK);
    ck_assert(v[0].known);
    for (int i = 0; i < v[0].curve.points; i++)
        ck_assert_double_eq_tol(
            v[0].curve.fall[i],
            pow((v[0].curve.value[i] - v[0].value) / v[0].sd, 2),
            1e-4 * (1 + v[0].curve.fall[i]));
    close_asked(&a);
}
END_TEST

/* A drug that is swallowed: absorption and elimination may change places, with
 * another volume [Godfrey].  Both solutions are told, whichever is the best. */
START_TEST(tells_other_solutions)
{
    static const simulation run = {
        .model = "parameters\n    ka ke V\nstates\n    g = 10, c = 0\n"
                 "outputs\n    y\nequations\n    g' = -ka*g\n"
                 "    c' = ka*g - ke*c\n    y = c/V\n",
        .input = "",
        .param = "ka=1.2 ke=.25 V=2",
        .init = "",
        .t_end = 20,
        .rate = 1,
        .noise = .005,
        .rtol = 1e-10,
        .seed = 7};
    asked a;
    darc_profile v[3];
    ask(&a, run.model, &run, 1);
    ck_assert_int_eq(darc_trajectory_profile(v, &a.x, NULL), DARC_OK);
    ck_assert_int_eq(a.x.sought.others, 1);
    const double *one = a.x.match.theta, *two = a.x.sought.other[0].theta;
    if (one[0] < 1) {
        const double *swap = one;
        one = two;
        two = swap;
    }
    double truth[2][3] = {{1.2, .25, 2}, {.25, 1.2, 2 * .25 / 1.2}};
    for (int k = 0; k < 3; k++) {
        ck_assert(v[k].local);
        ck_assert_double_eq_tol(one[k] / truth[0][k], 1, .05);
        ck_assert_double_eq_tol(two[k] / truth[1][k], 1, .05);
    }
    close_asked(&a);
    darc_profile w[4]; /* and no other where there is none */
    ask(&a, hares, &hare_run, 1);
    ck_assert_int_eq(darc_trajectory_profile(w, &a.x, NULL), DARC_OK);
    ck_assert_int_eq(a.x.sought.others, 0);
    ck_assert(!w[0].local);
    close_asked(&a);
}
END_TEST

static darc_decision structure_of(const char *model, const simulation *of,
                                  int n)
{
    asked a;
    darc_forcing f;
    darc_decision d;
    ask(&a, model, of, n);
    ck_assert_int_eq(darc_forcing_init(&f, &a.x, NULL), DARC_OK);
    darc_verdict_structure(&d, &f, &a.x, NAN);
    darc_forcing_clear(&f);
    close_asked(&a);
    return d;
}

/* A term that is missing counts without what other values of the parameters
 * make of it: here y^2 is hardly more than y. */
START_TEST(a_term_counts_beside_the_others)
{
    static const char tank[] = "parameters\n    a b\ninputs\n    u\n"
                               "outputs\n    y\nequations\n"
                               "    y' = -a*y + b*u\n";
    simulation of = {.model = "parameters\n    a b g\ninputs\n    u\n"
                              "outputs\n    y\nequations\n"
                              "    y' = -a*y - g*y^2 + b*u\n",
                     .param = "a=1 b=1 g=.5",
                     .init = "y=3",
                     .input = "u=constant:1",
                     .t_end = 8,
                     .rate = 10,
                     .noise = .01,
                     .rtol = 1e-10,
                     .seed = 2};
    darc_decision d = structure_of(tank, &of, 1);
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
    of.noise = 0;
    darc_table *t = simulation_make(&of);
    const double *y = t->signal[darc_table_find(t, "y")].value;
    const double *u = t->signal[darc_table_find(t, "u")].value;
    double yy = 0, yu = 0, uu = 0, gy = 0, gu = 0, gg = 0;
    for (size_t i = 0; i < t->samples; i++) {
        double g = .5 * y[i] * y[i];
        yy += y[i] * y[i];
        yu += y[i] * u[i];
        uu += u[i] * u[i];
        gy += g * y[i];
        gu += g * u[i];
        gg += g * g;
    }
    double p = (gy * uu - gu * yu) / (yy * uu - yu * yu);
    double q = (gu * yy - gy * yu) / (yy * uu - yu * yu);
    double share = sqrt((gg - p * gy - q * gu) / fmax(uu, yy));
    darc_table_free(t);
    ck_assert_double_lt(share, .5 * sqrt(gg / fmax(uu, yy)));
    ck_assert_double_lt(d.defect_low, share);
    ck_assert_double_gt(d.defect_low, .3 * share);
}
END_TEST

START_TEST(tells_a_missing_term_from_none)
{
    darc_decision d = structure_of(hares, &hare_run, 1);
    ck_assert_int_eq(d.verdict, DARC_CONSISTENT);
    simulation wrong = hare_run;
    wrong.model = crowded;
    wrong.param = "a=.55 b=.028 c=.024 d=.8 e=.0015";
    d = structure_of(hares, &wrong, 1);
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
    ck_assert_double_gt(d.defect_low, 0);
    /* And the model that has it is right. */
    ck_assert_int_ne(structure_of(crowded, &wrong, 1).verdict,
                     DARC_INCONSISTENT);
}
END_TEST

/* Where noise hides what is of 5 %, nothing is decided, and what is said then
 * is how large a defect may be. */
START_TEST(noise_leaves_it_undecided)
{
    simulation loud = cup_run;
    loud.noise = .1;
    darc_decision d = structure_of(cup, &loud, 1);
    ck_assert_int_eq(d.verdict, DARC_UNDECIDED);
    ck_assert_double_gt(fmax(d.detectable, d.defect_high), .05);
    ck_assert_ptr_nonnull(strstr(d.reason, "would not have been"));
}
END_TEST

/* Where a defect of 5 % would have been found, a right model is consistent: the
 * upper end of a forcing is no more than what would have shown. */
START_TEST(what_would_show_is_decided)
{
    simulation run = hare_run;
    run.noise = .07;
    for (unsigned seed = 1; seed <= 3; seed++) {
        run.seed = seed;
        darc_decision d = structure_of(hares, &run, 1);
        ck_assert_int_eq(d.verdict, DARC_CONSISTENT);
        ck_assert_double_le(d.defect_high, .05);
    }
}
END_TEST

/* Where the rates of absorption and elimination are equal two solutions meet,
 * and slopes do not tell of them; their profiles do. */
START_TEST(tells_values_where_solutions_meet)
{
    simulation run = {.model =
                          "parameters\n    ka ke V\nstates\n    g = 10, c = 0\n"
                          "outputs\n    y\nequations\n    g' = -ka*g\n"
                          "    c' = ka*g - ke*c\n    y = c/V\n",
                      .input = "",
                      .param = "ka=.5 ke=.5 V=2",
                      .init = "",
                      .t_end = 20,
                      .rate = 1,
                      .noise = .01,
                      .rtol = 1e-10};
    static const unsigned seed[] = {2, 3, 5, 6}; /* they meet in these */
    for (int i = 0; i < 4; i++) {
        asked a;
        darc_profile v[3];
        run.seed = seed[i];
        ask(&a, run.model, &run, 1);
        ck_assert_int_eq(darc_trajectory_profile(v, &a.x, NULL), DARC_OK);
        for (int k = 0; k < 3; k++) {
            double truth = k < 2 ? .5 : 2;
            ck_assert(v[k].known);
            ck_assert_double_lt(v[k].low, truth);
            ck_assert_double_gt(v[k].high, truth);
            ck_assert_double_lt(v[k].sd, .1 * truth);
        }
        close_asked(&a);
    }
}
END_TEST

static const char enzyme[] = "parameters\n    Vm Km\nstates\n    s\n"
                             "outputs\n    y\nequations\n"
                             "    s' = -Vm*s/(Km + s)\n    y = s\n";

/* Noise of 5 % of its signal, which falls to nothing: the growth is seen and
 * the parameters found, though with even weights the best match has them at
 * infinity.  No right one is rejected. */
START_TEST(noise_in_proportion_is_told)
{
    static const simulation run = {.model = enzyme,
                                   .input = "",
                                   .param = "Vm=.88 Km=4.2",
                                   .init = "s=6.55",
                                   .t_end = 18,
                                   .rate = 1,
                                   .rtol = 1e-10};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        asked a = {.model = model_of(enzyme), .table = {simulation_make(&run)}};
        darc_random r;
        darc_forcing f;
        darc_decision d;
        darc_random_init(&r, seed, 0);
        const darc_table *t = a.table[0];
        int y = 0;
        while (strcmp(t->signal[y].name, "y") != 0)
            y++;
        for (size_t i = 0; i < t->samples; i++)
            t->signal[y].value[i] *= 1 + .05 * darc_random_normal(&r);
        begin(&a, 1);
        ck_assert_double_gt(a.x.sought.level[0].grows, 1);
        ck_assert_double_gt(a.x.match.theta[1], 0);
        ck_assert_double_lt(a.x.match.theta[1], 100);
        ck_assert_int_eq(darc_forcing_init(&f, &a.x, NULL), DARC_OK);
        darc_verdict_structure(&d, &f, &a.x, NAN);
        darc_forcing_clear(&f);
        ck_assert_int_eq(darc_verdict_doubt(&d, &a.x, NULL), DARC_OK);
        ck_assert_int_ne(d.verdict, DARC_INCONSISTENT);
        close_asked(&a);
    }
}
END_TEST

static darc_decision compared(const simulation *of, int n, const bool *may)
{
    asked a;
    darc_forcing f = {.equations = 0};
    darc_comparing c;
    darc_decision d;
    ask(&a, cup, of, n);
    ck_assert_int_eq(darc_comparing_init(&c, &a.x, may, NULL), DARC_OK);
    darc_verdict_compare(&d, &c, &f, &a.x, may);
    darc_comparing_clear(&c);
    close_asked(&a);
    return d;
}

START_TEST(compares_any_number_of_recordings)
{
    simulation of[3] = {cup_run, cup_run, cup_run};
    for (unsigned i = 0; i < 3; i++)
        of[i].seed = 11 + i;
    of[1].init = "T=70";
    ck_assert_int_ne(compared(of, 3, NULL).verdict, DARC_INCONSISTENT);
    of[2].param = "k=.06 E=20";
    ck_assert_int_eq(compared(of, 3, NULL).verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(compared(of + 1, 2, NULL).verdict, DARC_INCONSISTENT);
    ck_assert_int_ne(compared(of + 1, 2, (bool[]){true, false}).verdict,
                     DARC_INCONSISTENT);
    ck_assert_int_eq(compared(of + 1, 2, (bool[]){false, true}).verdict,
                     DARC_INCONSISTENT);
}
END_TEST

/* Derivatives of trajectories by unknowns of the recording, and by parameters,
 * are what differences say. */
static void check_slopes(darc_match *m)
{
    int first = m->pieces[0].unknowns, p = m->flow->params;
    size_t rows = darc_match_rows(m, 0);
    double *left = darc_malloc(3 * rows * sizeof *left), *above = left + rows;
    double *slopes = darc_malloc((size_t)(first + p) * rows * sizeof *slopes);
    for (int k = -first; k < p; k++) {
        double *x = k < 0 ? m->pieces[0].x + m->pieces[0].unknown[first + k]
                          : m->theta + k;
        double own = *x, h = 1e-3 * own;
        ck_assert(darc_match_left(m, 0, left, slopes));
        *x = own + h;
        ck_assert(darc_match_left(m, 0, above, NULL));
        *x = own - h;
        ck_assert(darc_match_left(m, 0, left, NULL));
        *x = own;
        double most = 0;
        for (size_t i = 0; i < rows; i++)
            most = fmax(most, fabs(slopes[(size_t)(first + k) * rows + i]));
        for (size_t i = 0; i < rows; i++)
            ck_assert_double_eq_tol((above[i] - left[i]) / (2 * h),
                                    slopes[(size_t)(first + k) * rows + i],
                                    1e-3 * most);
    }
    darc_free(left);
    darc_free(slopes);
}

START_TEST(slopes_are_those_of_trajectories)
{
    asked a;
    ask(&a, hares, &hare_run, 1);
    check_slopes(&a.x.match);
    close_asked(&a);
    static const char lag[] = "parameters\n    T\ninputs\n    u\noutputs\n"
                              "    y\nequations\n    T*y' + y = u^2 + u\n";
    static const simulation run = {
        .model = lag,
        .input = "u=constant:.6+step:1,3.15+step:-2,7.05+step:1.5,10.2",
        .param = "T=1.2",
        .init = "y=.3",
        .t_end = 14,
        .rate = 2,
        .noise = .01,
        .seed = 2,
        .rtol = 1e-10};
    ask(&a, lag, &run, 1);
    ck_assert(a.x.timed);
    ck_assert_int_eq(a.x.match.pieces[0].unknowns, 4);
    check_slopes(&a.x.match);
    close_asked(&a);
}
END_TEST

/* An input that repeats every other sample is a staircase; of one that does so
 * once other recordings tell. */
START_TEST(recordings_tell_of_stairs_together)
{
    static const char lag[] = "parameters\n    T\ninputs\n    u\noutputs\n"
                              "    y\nequations\n    T*y' + y = u\n";
    darc_model *model = model_of(lag);
    darc_table *table[2];
    darc_flow w;
    darc_record r;
    ck_assert_int_eq(darc_flow_init(&w, model, NULL), DARC_OK);
    for (int i = 0; i < 2; i++) {
        table[i] = simulation_make(&(simulation){.model = lag,
                                                 .input = "u=constant:1",
                                                 .param = "T=1",
                                                 .init = "y=0",
                                                 .t_end = 11,
                                                 .rate = 1,
                                                 .rtol = 1e-10});
        double *u = table[i]->signal[darc_table_find(table[i], "u")].value;
        for (int k = 0; k < (int)table[i]->samples; k++)
            u[k] = i == 0 ? k / 2 : k - (k > 5);
    }
    darc_record_plan plan = {.flow = &w,
                             .recordings = 2,
                             .table = (const darc_table *const *)table,
                             .held = (bool[16]){false}};
    ck_assert_int_eq(darc_record_init(&r, &plan, table[1], NULL), DARC_OK);
    ck_assert_int_eq(r.steps, (int)table[1]->samples - 2);
    darc_record_clear(&r, &w);
    plan.table++;
    plan.recordings = 1;
    ck_assert_int_eq(darc_record_init(&r, &plan, table[1], NULL), DARC_OK);
    ck_assert_int_eq(r.steps, 0);
    darc_record_clear(&r, &w);
    darc_flow_clear(&w);
    for (int i = 0; i < 2; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}
END_TEST

/* A stiff reaction whose products begin at 0, as the model says [Robertson]:
 * there sensitivities begin as high powers of time. */
START_TEST(trajectories_begin_at_zero)
{
    static const simulation run = {
        .model = "parameters\n    k l m\nstates\n    a = 1, b = 0, c = 0\n"
                 "outputs\n    A B C\nequations\n"
                 "    a' = -k*a + m*b*c\n    b' = k*a - m*b*c - l*b^2\n"
                 "    c' = l*b^2\n    A = a\n    B = b\n    C = c\n",
        .input = "",
        .param = "k=.04 l=3e7 m=1e4",
        .init = "",
        .t_end = 40,
        .rate = .25,
        .rtol = 1e-10};
    darc_flow w;
    darc_record r;
    darc_match m;
    darc_model *model = model_of(run.model);
    darc_table *table = simulation_make(&run);
    ck_assert_int_eq(darc_flow_init(&w, model, NULL), DARC_OK);
    darc_record_plan plan = {.flow = &w,
                             .recordings = 1,
                             .table = (const darc_table *const *)&table,
                             .held = (bool[16]){false}};
    ck_assert_int_eq(darc_record_init(&r, &plan, table, NULL), DARC_OK);
    for (size_t i = 0; i < r.n * 3; i++)
        r.weight[i] = 1;
    darc_match_init(&m, &w, &r, 1, NULL, NULL);
    ck_assert_int_eq(m.pieces[0].unknowns, 0);
    memcpy(m.theta, (double[]){.04, 3e7, 1e4}, 3 * sizeof *m.theta);
    check_slopes(&m);
    ck_assert_int_eq(darc_match_run(&m, 1, true, NULL), DARC_OK);
    ck_assert_double_lt(m.square, 1e-8); /* simulated from there, too */
    darc_match_clear(&m);
    darc_record_clear(&r, &w);
    darc_flow_clear(&w);
    darc_table_free(table);
    darc_model_free(model);
}
END_TEST

/* What trajectories cannot do is said, not guessed. */
START_TEST(says_what_it_cannot)
{
    darc_err err;
    asked a = {.model = model_of(cup)};
    simulation brief = cup_run;
    brief.t_end = 15; /* three samples */
    a.table[0] = simulation_make(&brief);
    a.q =
        (darc_trajectory_question){.model = a.model,
                                   .recordings = 1,
                                   .table = (const darc_table *const *)a.table,
                                   .alpha = .01,
                                   .seed = 1};
    darc_err_init(&err);
    ck_assert_int_eq(darc_trajectory_init(&a.x, &a.q, &err), DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "nothing to judge by"));
    const char *name[] = {"z"};
    a.q.starts = 1;
    a.q.start_name = name;
    a.q.start = (double[]){1};
    darc_err_init(&err);
    ck_assert_int_eq(darc_trajectory_init(&a.x, &a.q, &err), DARC_USAGE);
    ck_assert_ptr_nonnull(strstr(err.message, "'z'"));
    darc_table_free(a.table[0]);
    darc_model_free(a.model);
}
END_TEST

/* Where the weak form tells no values (-1), there is nothing to begin at. */
START_TEST(no_values_are_no_start)
{
    darc_model *model = model_of(cup);
    int k = darc_names_find(darc_model_names(model), "k", 1);
    char name[] = "k";
    double *near = darc_trajectory_near(model, NULL, -1);
    ck_assert(isnan(near[k]));
    darc_free(near);
    near = darc_trajectory_near(
        model, &(darc_estimate){.function = name, .value_a = 2}, 1);
    ck_assert_double_eq(near[k], 2);
    darc_free(near);
    darc_model_free(model);
}
END_TEST

Suite *suite_trajectory(void)
{
    Suite *s = suite_create("trajectory");
    TCase *tc = tcase_create("trajectory");
    tcase_add_test(tc, tells_values_without_a_start);
    tcase_add_test(tc, tells_other_solutions);
    tcase_add_test(tc, profiles_of_linear_problems_are_parabolas);
    tcase_add_test(tc, a_term_counts_beside_the_others);
    tcase_add_test(tc, tells_a_missing_term_from_none);
    tcase_add_test(tc, noise_leaves_it_undecided);
    tcase_add_test(tc, what_would_show_is_decided);
    tcase_add_test(tc, tells_values_where_solutions_meet);
    tcase_add_test(tc, noise_in_proportion_is_told);
    tcase_add_test(tc, compares_any_number_of_recordings);
    tcase_add_test(tc, slopes_are_those_of_trajectories);
    tcase_add_test(tc, recordings_tell_of_stairs_together);
    tcase_add_test(tc, trajectories_begin_at_zero);
    tcase_add_test(tc, no_values_are_no_start);
    tcase_add_test(tc, says_what_it_cannot);
    suite_add_tcase(s, tc);
    return s;
}
