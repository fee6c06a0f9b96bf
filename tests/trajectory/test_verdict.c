/* Verdicts on what recordings say of each other. */
#include "tests.h"

#include "base/random.h"
#include "diagnose/profile.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "trajectory/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DECAY(more)                                                            \
    "parameters\n    k" more "\nstates\n    x\noutputs\n    y\nequations\n"
static const char decay[] = DECAY("") "    x' = -k*x\n    y = x\n";
static const char squared[] = DECAY(" e") "    x' = -k*x - e*x^2\n    y = x\n";

enum { MANY = 4 };

/* What is asked of so many recordings at the usual level. */
static darc_trajectory_question
question_of(const darc_model *model, darc_table *const *table, int recordings)
{
    return (darc_trajectory_question){.model = model,
                                      .recordings = recordings,
                                      .table = (const darc_table *const *)table,
                                      .alpha = .01,
                                      .seed = 1};
}

/* Set d to whether decays from 1, 2, 4 and 8 have one rate, param[i] of text,
 * or whether they all have the structure. */
static void ask_decays(darc_decision *d, const char *text,
                       const char *const *param, bool structure)
{
    darc_model *model = model_of(decay);
    darc_table *table[MANY];
    darc_trajectory x;
    darc_comparing c;
    darc_forcing f = {.equations = 0};
    darc_random r;
    char init[32];
    darc_random_init(&r, 5, 0);
    for (int i = 0; i < MANY; i++) {
        snprintf(init, sizeof init, "x=%d", 1 << i);
        table[i] = simulation_make(&(simulation){.model = text,
                                                 .input = "",
                                                 .param = param[i],
                                                 .init = init,
                                                 .t_end = 1,
                                                 .rate = 15,
                                                 .rtol = 1e-10});
        for (size_t k = 0; k < table[i]->samples; k++)
            table[i]->signal[0].value[k] += .03 * darc_random_normal(&r);
    }
    darc_trajectory_question q = question_of(model, table, MANY);
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    if (structure) {
        ck_assert_int_eq(darc_forcing_init(&f, &x, NULL), DARC_OK);
        *d = (darc_decision){.alpha = .01};
        darc_verdict_structure(d, &f, &x, NAN);
        ck_assert_int_eq(darc_verdict_doubt(d, &x, NULL), DARC_OK);
    } else {
        ck_assert_int_eq(darc_verdict_gather(&c, &f, &x, NULL, NULL), DARC_OK);
        darc_verdict_compare(d, &c, &f, &x, NULL);
        darc_comparing_clear(&c);
    }
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    for (int i = 0; i < MANY; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}

/* Each curve is that of some rate, for it is short; the rate seems to go with
 * where it begins.  So it does where all lack a term; a rate that differs
 * otherwise differs. */
START_TEST(a_term_that_all_lack_is_no_difference)
{
    darc_decision d;
    ask_decays(&d, squared,
               (const char *const[]){"k=.5 e=.05", "k=.5 e=.05", "k=.5 e=.05",
                                     "k=.5 e=.05"},
               false);
    ck_assert_int_eq(d.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(d.reason, "x^2 in x' explains as much"));
    ask_decays(&d, decay, (const char *const[]){"k=.5", "k=.8", "k=.5", "k=.5"},
               false);
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
}
END_TEST

/* Parameters that differ are not taken for equations that lack something, nor
 * these for those. */
START_TEST(parameters_that_differ_lack_nothing)
{
    darc_decision d;
    ask_decays(&d, decay, (const char *const[]){"k=.5", "k=.8", "k=.5", "k=.5"},
               true);
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
    ck_assert_ptr_nonnull(strstr(d.reason, "with its own: parameters differ"));
    ask_decays(&d, squared,
               (const char *const[]){"k=.5 e=.05", "k=.5 e=.05", "k=.5 e=.05",
                                     "k=.5 e=.05"},
               true);
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
    ck_assert_ptr_nonnull(strstr(d.reason, "lacks a term: x^2"));
}
END_TEST

/* Set d to the structure of one recording, and v, unless it is NULL, to what
 * it tells of parameters. */
static void ask_one(darc_decision *d, darc_profile *v, const simulation *of)
{
    darc_model *model = model_of(of->model);
    darc_table *t = simulation_make(of);
    darc_trajectory_question q = question_of(model, &t, 1);
    darc_trajectory x;
    darc_forcing f;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_forcing_init(&f, &x, NULL), DARC_OK);
    darc_verdict_structure(d, &f, &x, NAN);
    if (v != NULL)
        ck_assert_int_eq(darc_trajectory_profile(v, &x, NULL), DARC_OK);
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    darc_table_free(t);
    darc_model_free(model);
}

/* A capacitor that is charged already: a forcing of a hundredth of its rate
 * would show, if that were as large as the match has it. */
START_TEST(what_stands_still_tells_nothing)
{
    darc_decision d;
    darc_profile v[2];
    simulation of = {.model = "parameters\n    T V\nstates\n    v\n"
                              "outputs\n    y\nequations\n"
                              "    v' = (V - v)/T\n    y = v\n",
                     .input = "",
                     .param = "T=2 V=5",
                     .init = "v=5",
                     .t_end = 9,
                     .rate = 1,
                     .noise = .002,
                     .rtol = 1e-10,
                     .seed = (unsigned)_i};
    ask_one(&d, v, &of);
    ck_assert_int_eq(d.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(d.reason, "no more than their noise"));
    ck_assert(!v[0].known || isfinite(v[0].low) || isfinite(v[0].high));
    of.init = "v=0";
    ask_one(&d, v, &of);
    ck_assert_ptr_null(strstr(d.reason, "no more than their noise"));
    ck_assert(v[0].known && v[1].known);
}
END_TEST

/* Set v to what eight samples, of noise in proportion, tell of a decay; grown:
 * where noise is taken to grow with them.  Return whether it is by the other.
 */
static bool ask_noisy(darc_profile *v, unsigned long seed, bool grown)
{
    static const char *const name[] = {"y"};
    double y[8];
    darc_random r;
    darc_random_init(&r, seed, 0);
    for (int i = 0; i < 8; i++)
        y[i] = 10 * exp(-.5 * i) * (1 + .05 * darc_random_normal(&r));
    darc_model *model = model_of(decay);
    darc_table *t = recording_of(8, 1, 1, name, (const double *[]){y});
    darc_trajectory_question q = {.model = model,
                                  .recordings = 1,
                                  .table = (const darc_table *const *)&t,
                                  .alpha = .05,
                                  .seed = 1};
    darc_trajectory x;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    bool grows = x.sought.level[0].grows > 0;
    if (grown) {
        double even = darc_trajectory_surprise(&x);
        ck_assert_int_eq(
            darc_seek_grown(&x.sought, &x.match, NULL, 30, HUGE_VAL, NULL),
            DARC_OK);
        ck_assert_int_eq(darc_trajectory_settle(&x, NULL), DARC_OK);
        grows = grows || darc_trajectory_surprise(&x) >= even;
    }
    ck_assert_int_eq(darc_trajectory_profile(v, &x, NULL), DARC_OK);
    darc_trajectory_clear(&x);
    darc_table_free(t);
    darc_model_free(model);
    return grows;
}

/* Noise that grows with its signal must be far likelier to be taken for that;
 * where it is likelier at all, intervals are those of both. */
START_TEST(noise_that_may_grow_widens_intervals)
{
    darc_profile even, grown;
    int asked = 0, wide = 0;
    for (unsigned long seed = 1; seed <= 30; seed++) {
        if (ask_noisy(&even, seed, false) || ask_noisy(&grown, seed, true))
            continue;
        double both = fmax(even.high, grown.high) - fmin(even.low, grown.low);
        asked++;
        wide += even.high - even.low > .8 * both;
    }
    ck_assert_int_ge(asked, 3);
    ck_assert_int_eq(wide, asked);
}
END_TEST

/* What fades within two of 25 samples has little RMS along them, beside what
 * its beginning is known by. */
START_TEST(what_fades_is_known_by_its_beginning)
{
    darc_decision d;
    simulation of = {.model = decay,
                     .input = "",
                     .param = "k=1.5",
                     .init = "x=10",
                     .t_end = 24,
                     .rate = 1,
                     .noise = .4,
                     .rtol = 1e-10,
                     .seed = (unsigned)_i};
    ask_one(&d, NULL, &of);
    ck_assert_ptr_null(strstr(d.reason, "where states begin"));
}
END_TEST

static const char rate[] =
    "parameters\n    m d\ninputs\n    F\noutputs\n    v\nequations\n"
    "    m*v' + d*v = F\n";

/* What is said of a mass that a force moves by steps, 4 samples a second. */
static void ask_steps(darc_decision *d, double *m, const simulation *made)
{
    darc_model *model = model_of(rate);
    darc_table *t = simulation_make(made);
    darc_trajectory_question q = question_of(model, &t, 1);
    darc_trajectory x;
    darc_forcing f;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_forcing_init(&f, &x, NULL), DARC_OK);
    *d = (darc_decision){.alpha = .01};
    darc_verdict_structure(d, &f, &x, NAN);
    ck_assert_int_eq(darc_verdict_doubt(d, &x, NULL), DARC_OK);
    *m = x.match.theta[0];
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    darc_table_free(t);
    darc_model_free(model);
}

static simulation of_steps(const char *input, double t_end, int seed)
{
    return (simulation){.model = rate,
                        .param = "m=.25 d=.4",
                        .init = "v=0",
                        .input = input,
                        .t_end = t_end,
                        .rate = 4,
                        .noise = .01,
                        .seed = (unsigned)seed,
                        .rtol = 1e-10};
}

/* A line between samples made m .28 where steps come at samples; where they do
 * not, one that is held makes it .20. */
START_TEST(steps_are_held)
{
    darc_decision d;
    double m;
    simulation at =
        of_steps("F=constant:.6+step:-1.3,3+step:1.3,7+step:-1.4,10", 14, _i);
    ask_steps(&d, &m, &at);
    ck_assert_int_eq(d.verdict, DARC_CONSISTENT);
    ck_assert_double_eq_tol(m, .25, .01);
    at = of_steps("F=constant:.6+step:-1.3,3.15+step:1.3,7.05+step:-1.4,10.2",
                  14, _i);
    ask_steps(&d, &m, &at);
    ck_assert_int_eq(d.verdict, DARC_CONSISTENT);
    ck_assert_double_eq_tol(m, .25, .02);
    at = of_steps("F=step:1,.76", 6, _i); /* at 1 s by samples */
    ask_steps(&d, &m, &at);
    ck_assert_int_ne(d.verdict, DARC_INCONSISTENT);
}
END_TEST

/* Times of steps do not hide what is missing. */
START_TEST(steps_hide_no_term)
{
    darc_decision d;
    double m;
    simulation at = of_steps(
        "F=constant:.6+step:-1.3,3.15+step:1.3,7.05+step:-1.4,10.2", 14, _i);
    at.model = "parameters\n    m d\ninputs\n    F\noutputs\n    v\n"
               "equations\n    m*v' + d*v + .1*v^3 = F\n";
    ask_steps(&d, &m, &at);
    ck_assert_int_eq(d.verdict, DARC_INCONSISTENT);
}
END_TEST

static const char spring[] =
    "parameters\n    k c g\ninputs\n    u\nstates\n    x v\noutputs\n    "
    "y\n"
    "equations\n    x' = v\n    v' = g*u - k*x - c*v\n    y = x\n";

/* Of a spring that swings half a period from sample to sample, speed hardly
 * shows: it may be as large as it likes, and what lacks a small share of it. */
START_TEST(where_states_begin_counts)
{
    simulation run = {.model = spring,
                      .param = "k=1.3 c=.3 g=.8",
                      .init = "x=.6 v=0",
                      .input = "u=constant:.25+step:.75,5.1+step:-.6,12.3",
                      .t_end = 30,
                      .rate = .366666667,
                      .noise = .03,
                      .seed = 1,
                      .rtol = 1e-10};
    darc_model *model = model_of(spring);
    darc_table *t = simulation_make(&run);
    darc_trajectory_question q = question_of(model, &t, 1);
    darc_trajectory x;
    darc_forcing f;
    darc_decision d;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_forcing_init(&f, &x, NULL), DARC_OK);
    darc_verdict_structure(&d, &f, &x, NAN);
    ck_assert_int_eq(d.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(d.reason, "where states begin"));
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    darc_table_free(t);
    darc_model_free(model);
}
END_TEST

/* Of a spring that swings in eight samples three times, others match the first
 * recording nearly as well; both by itself, and so together, do better. */
START_TEST(each_recording_is_sought_by_itself)
{
    simulation run = {.model = spring,
                      .param = "k=.89 c=.44 g=1.08",
                      .init = "x=.1 v=0",
                      .input = "u=constant:.25+step:.75,8",
                      .t_end = 28,
                      .rate = .25,
                      .noise = .01,
                      .seed = 3,
                      .rtol = 1e-10};
    darc_model *model = model_of(spring);
    darc_table *table[2] = {simulation_make(&run)};
    run.param = "k=1.07 c=.44 g=1.08";
    run.init = "x=.4 v=0";
    run.input = "u=constant:.25+step:.75,8+step:-.75,16+step:.75,24";
    run.seed = 13;
    table[1] = simulation_make(&run);
    bool held[16], may[3] = {true};
    memset(held, true, sizeof held);
    darc_trajectory_question q = {.model = model,
                                  .recordings = 2,
                                  .table = (const darc_table *const *)table,
                                  .held = held,
                                  .alpha = .01,
                                  .seed = 1};
    darc_trajectory x;
    darc_comparing c;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_comparing_init(&c, &x, may, NULL), DARC_OK);
    ck_assert_double_gt(c.p_value, .01);
    darc_comparing_clear(&c);
    darc_trajectory_clear(&x);
    darc_table_free(table[0]);
    darc_table_free(table[1]);
    darc_model_free(model);
}
END_TEST

/* Steps that seem to come beyond a sample end there, and hold up no others. */
START_TEST(steps_end_at_samples)
{
    static const char *const input[] = {
        "u=constant:.9+step:-.5,2.01+step:.6,5.98+step:-.7,8.6+step:.5,11.99",
        "u=constant:.3+step:.5,3.99+step:-.6,7.01+step:.4,11.7+step:-.3,15.99",
        "u=constant:.4+step:.6,1.5+step:-.7,6.02+step:.2,11.97+step:.3,16.99"};
    simulation run = {.model = spring,
                      .param = "k=1.3 c=.6 g=1.1",
                      .init = "x=.6 v=0",
                      .t_end = 24,
                      .rate = 1,
                      .noise = .03,
                      .rtol = 1e-10};
    darc_model *model = model_of(spring);
    darc_table *table[3];
    for (int i = 0; i < 3; i++) {
        run.input = input[i];
        run.seed = (unsigned)i + 1;
        table[i] = simulation_make(&run);
    }
    darc_trajectory_question q = question_of(model, table, 3);
    darc_trajectory x;
    int ends = 0;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert(x.timed);
    double before = x.match.square;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < x.run[r].steps; k++) {
            double *early = x.match.pieces[r].x + x.run[r].n * 2 + (size_t)k;
            ends += *early == 0 || *early == 1;
            *early = .5;
        }
    ck_assert_int_ge(ends, 1);
    ck_assert_int_eq(darc_match_run(&x.match, 12, false, NULL), DARC_OK);
    ck_assert(x.match.settled);
    ck_assert_double_eq_tol(x.match.square, before, 1e-3 * before);
    darc_trajectory_clear(&x);
    for (int i = 0; i < 3; i++)
        darc_table_free(table[i]);
    darc_model_free(model);
}
END_TEST

/* What the likelihood allows of noise that grows may explain that two epidemics
 * differ: those of the same model are of one noise in proportion, which looks
 * even. */
START_TEST(noise_that_may_grow_is_no_difference)
{
    static const char *const name[] = {"y"};
    static const double first[] = {1.54755583, 11.9154269, 74.0753416,
                                   195.281394, 164.777273, 82.6595259,
                                   35.8630919, 14.1714603},
                        second[] = {1.82797792, 14.7321392, 86.4498914,
                                    204.871999, 155.966046, 75.3772111,
                                    31.761187,  12.8585181};
    darc_model *model = model_of(
        "parameters\n    b g\nstates\n    S = 763, I\noutputs\n    y\n"
        "equations\n    S' = -b*S*I\n    I' = b*S*I - g*I\n    y = I\n");
    darc_table *table[] = {
        recording_of(8, 7 / 15., 1, name, (const double *[]){first}),
        recording_of(8, 7 / 15., 1, name, (const double *[]){second})};
    darc_trajectory_question q = question_of(model, table, 2);
    darc_trajectory x;
    darc_comparing c;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_comparing_init(&c, &x, NULL, NULL), DARC_OK);
    ck_assert_double_gt(c.p_value, .01);
    darc_comparing_clear(&c);
    darc_trajectory_clear(&x);
    darc_table_free(table[0]);
    darc_table_free(table[1]);
    darc_model_free(model);
}
END_TEST

/* Of a spring (k=.757) that swings more than half a period from sample to
 * sample another one matches better; this is told as well. */
START_TEST(others_that_a_test_allows_are_told)
{
    static const char *const name[] = {"y", "u"};
    static const double y[] = {0.428063149, 0.275469682, 0.332688358,
                               1.57508942,  1.20032833,  0.0326299237,
                               0.408933438, 1.54668817},
                        z[] = {0.419790151, 0.978675455, 0.809683337,
                               0.858499108, 1.06656508,  0.985901805,
                               1.01529819,  1.21424846},
                        u[] = {.25, .25, 1, 1, .25, .25, 1, 1},
                        w[] = {.665234827, .665234827, .665234827, .790504603,
                               .790504603, .790504603, .915133803, .915133803};
    darc_model *model = model_of(spring);
    darc_table *table[] = {
        recording_of(8, 7 / 30., 2, name, (const double *[]){y, u}),
        recording_of(8, 7 / 30., 2, name, (const double *[]){z, w})};
    darc_trajectory_question q = {.model = model,
                                  .recordings = 2,
                                  .table = (const darc_table *const *)table,
                                  .alpha = .05,
                                  .seed = 1};
    darc_trajectory x;
    darc_profile v[3];
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_trajectory_profile(v, &x, NULL), DARC_OK);
    ck_assert_double_lt(v[0].high, .6);
    ck_assert_int_eq(x.sought.others, 1);
    ck_assert(v[0].local);
    ck_assert_double_eq_tol(x.sought.other[0].theta[0], .74, .01);
    darc_trajectory_clear(&x);
    darc_table_free(table[0]);
    darc_table_free(table[1]);
    darc_model_free(model);
}
END_TEST

/* Set d and c to whether two recordings, of these parameters, have one set. */
static void ask_pair(darc_decision *d, darc_comparing *c, simulation of,
                     const char *const param[2], double tolerance)
{
    darc_model *model = model_of(of.model);
    darc_table *table[2];
    for (int i = 0; i < 2; i++) {
        of.param = param[i];
        of.seed++;
        table[i] = simulation_make(&of);
    }
    darc_trajectory_question q = question_of(model, table, 2);
    darc_trajectory x;
    darc_forcing f;
    q.tolerance = tolerance;
    ck_assert_int_eq(darc_trajectory_init(&x, &q, NULL), DARC_OK);
    ck_assert_int_eq(darc_verdict_gather(c, &f, &x, NULL, NULL), DARC_OK);
    darc_verdict_compare(d, c, &f, &x, NULL);
    darc_forcing_clear(&f);
    darc_trajectory_clear(&x);
    darc_table_free(table[0]);
    darc_table_free(table[1]);
    darc_model_free(model);
}

/* Current and loss of a charge make up for each other: each may change by more
 * than 5 %, but hardly move the rate then.  A tolerance is one of parameters;
 * where both change by more, the rate does move. */
START_TEST(changes_that_move_no_equation_are_none)
{
    darc_decision d;
    darc_comparing c;
    simulation of = {.model = "parameters\n    a b\nstates\n    v\n"
                              "outputs\n    y\nequations\n"
                              "    v' = a - b*v\n    y = v\n",
                     .input = "",
                     .init = "v=1",
                     .t_end = 10,
                     .rate = 3,
                     .noise = .012,
                     .rtol = 1e-10,
                     .seed = 10 * (unsigned)_i};
    const char *const same[] = {"a=2 b=.4", "a=2 b=.4"}, *const both[] = {
                                                             "a=2 b=.4",
                                                             "a=2.4 b=.48"};
    ask_pair(&d, &c, of, same, 0);
    ck_assert_int_eq(d.verdict, DARC_CONSISTENT);
    ck_assert_ptr_nonnull(strstr(d.reason, "no change moves an equation"));
    ck_assert_double_lt(d.defect_high, .05);
    ck_assert_double_le(d.defect, d.defect_high);
    darc_comparing_clear(&c);
    ask_pair(&d, &c, of, same, .05);
    ck_assert_int_eq(d.verdict, DARC_UNDECIDED);
    darc_comparing_clear(&c);
    ask_pair(&d, &c, of, both, 0);
    ck_assert_int_ne(d.verdict, DARC_CONSISTENT);
    darc_comparing_clear(&c);
}
END_TEST

/* What an output alone is by counts as well as what a rate is. */
START_TEST(changes_move_outputs_too)
{
    darc_decision d;
    darc_comparing c;
    simulation of = {.model = "parameters\n    k g\nstates\n    x = 1\n"
                              "outputs\n    y\nequations\n"
                              "    x' = -k*x\n    y = g*x\n",
                     .input = "",
                     .init = "x=1",
                     .t_end = 3,
                     .rate = 7,
                     .noise = .02,
                     .rtol = 1e-10,
                     .seed = 10 * (unsigned)_i};
    ask_pair(&d, &c, of, (const char *const[]){"k=.7 g=2", "k=.7 g=2"}, 0);
    ck_assert_double_ge(c.p_value, .01);
    const darc_differing *k = c.differing, *g = k + 1, *h = g + 1, *j = h + 1;
    double rated = fabs(h->value - k->value) / fmin(h->value, k->value);
    double shown = fabs(j->value - g->value) / fmin(j->value, g->value);
    ck_assert_double_eq_tol(c.moves, fmax(rated, shown), 1e-6);
    ck_assert_double_gt(c.moves_most, c.moves);
    darc_comparing_clear(&c);
}
END_TEST

/* The sign of a measured speed is no input that drives a trajectory. */
START_TEST(what_switches_is_refused)
{
    darc_model *model = model_of("parameters\n    m d c\ninputs\n    F\n"
                                 "outputs\n    v\nequations\n"
                                 "    m*v' + d*v + c*sign(v) = F\n");
    darc_trajectory_question q = {.model = model, .alpha = .01};
    darc_trajectory x;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_trajectory_init(&x, &q, &err), DARC_DOMAIN);
    ck_assert_msg(strstr(err.message, "switches with a signal: sign(v)") !=
                      NULL,
                  "%s", err.message);
    darc_model_free(model);
}
END_TEST

Suite *suite_verdict(void)
{
    Suite *s = suite_create("verdict");
    TCase *tc = tcase_create("verdict");
    tcase_add_test(tc, a_term_that_all_lack_is_no_difference);
    tcase_add_test(tc, parameters_that_differ_lack_nothing);
    tcase_add_test(tc, noise_that_may_grow_widens_intervals);
    tcase_add_loop_test(tc, what_stands_still_tells_nothing, 1, 4);
    tcase_add_loop_test(tc, what_fades_is_known_by_its_beginning, 1, 4);
    tcase_add_loop_test(tc, steps_are_held, 3, 6);
    tcase_add_loop_test(tc, steps_hide_no_term, 3, 6);
    tcase_add_test(tc, where_states_begin_counts);
    tcase_add_test(tc, each_recording_is_sought_by_itself);
    tcase_add_test(tc, steps_end_at_samples);
    tcase_add_test(tc, noise_that_may_grow_is_no_difference);
    tcase_add_test(tc, others_that_a_test_allows_are_told);
    tcase_add_loop_test(tc, changes_that_move_no_equation_are_none, 1, 4);
    tcase_add_loop_test(tc, changes_move_outputs_too, 1, 4);
    tcase_add_test(tc, what_switches_is_refused);
    suite_add_tcase(s, tc);
    return s;
}
