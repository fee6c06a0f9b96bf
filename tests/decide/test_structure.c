/* Verdicts on one recording, and their reasons. */
#include "tests.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "models.h"
#include "program.h"
#include "simulation.h"
#include "weakbench.h"

/* Judge a recording of the quarter car; the reason says that. */
static darc_decision judge(weakbench *b, const case_options *o,
                           darc_verdict want, const char *says)
{
    darc_decision d;
    darc_table *t = weakbench_record(b, o);
    ck_assert_msg(weakbench_holds(b, t, &d) == want, "%s: %s",
                  darc_verdict_text(d.verdict), d.reason);
    ck_assert_msg(strstr(d.reason, says) != NULL, "%s", d.reason);
    weakbench_release(t);
    return d;
}

/* ---- three answers --------------------------------------------------------
 */

START_TEST(a_right_structure_is_consistent)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.decision.verdict, DARC_CONSISTENT);
    ck_assert_double_gt(j.decision.p_value, 0.01);
    ck_assert_double_lt(j.decision.detectable, 0.02);
    ck_assert(j.used[0] == t->samples && !j.untested);
    ck_assert(j.equations == 1 && j.estimates == 2);
    ck_assert(j.equation->missing == 0 && j.equation->terms == 3);
    ck_assert_str_eq(j.equation->form, "-c0*(a) + c1*(z) + c2*(z)'");
    for (int i = 0; i < 2; i++) {
        const darc_estimate *e = j.estimate + i;
        double want = strcmp(e->function, "c/m") == 0 ? 20000 / 300.0 : 5;
        ck_assert_double_eq_tol(e->value_a, want, 4.5 * e->sd_a);
        ck_assert_double_lt(e->sd_a, 0.01 * want);
        ck_assert(isnan(e->value_b));
    }
    bool noted = false;
    for (int i = 0; i < j.notes; i++)
        noted = noted || strstr(j.note[i], "noise of z: ") == j.note[i];
    ck_assert(noted);
    darc_judgement_clear(&j);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* Of rows that lie three times as close for a while the residual has times of
 * its test functions, not of rows. */
START_TEST(residuals_on_uneven_time_lie_within_the_recording)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    double *time = darc_malloc(t->samples * sizeof *time), last = -1;
    size_t rows = 0;
    for (size_t i = 0; i < t->samples; i++) {
        if (i > t->samples / 2 && i % 3 != 0)
            continue;
        time[rows] = darc_table_time(t, i);
        for (int v = 0; v < t->signals; v++)
            t->signal[v].value[rows] = t->signal[v].value[i];
        rows++;
    }
    t->time = time;
    t->dt = 0;
    t->samples = t->segment[0].end = rows;
    weakbench_structure(&j, &b, t);
    const darc_residual_series *s = j.along.series;
    ck_assert_msg(s != NULL && s->count > 50, "%zu", s == NULL ? 0 : s->count);
    for (size_t i = 0; i < s->count; i++) {
        ck_assert_double_gt(s->time[i], last);
        last = s->time[i];
    }
    ck_assert_double_lt(last, time[rows - 1]);
    ck_assert_double_gt(last, 0.8 * time[rows - 1]);
    darc_free(time);
    darc_judgement_clear(&j);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* a is two samples of 500 Hz late: a lag of z of less than 0 is one of a. */
START_TEST(a_delay_is_named_in_ms)
{
    static const char *const term[] = {"lag(a)", "lag(z)"};
    weakbench b;
    darc_judgement j;
    bool named = false;
    weakbench_open(&b, model_quarter, 0);
    b.by.against = 1;
    b.by.against_term = term + _i;
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    double *a = t->signal[darc_table_find(t, "a")].value;
    for (size_t k = t->samples - 1; k >= 2; k--)
        a[k] = a[k - 2];
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.decision.verdict, DARC_INCONSISTENT);
    for (int i = 0; i < j.notes; i++) {
        double ms = 0;
        if (sscanf(j.note[i], "a delay or lag of a by about %lf ms", &ms) == 1)
            named = fabs(ms - 4) < 1;
    }
    ck_assert_msg(named, "%s", j.note[j.notes - 1]);
    ck_assert_ptr_eq(
        j.decision.reason,
        strstr(j.decision.reason, "a delay or lag of a by about "));
    darc_judgement_clear(&j);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(a_missing_cube_is_named)
{
    weakbench b;
    darc_judgement j;
    case_options o = weakbench_usual;
    weakbench_open(&b, model_quarter, 0);
    o.missing = 0.05;
    darc_table *t = weakbench_record(&b, &o);
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.decision.verdict, DARC_INCONSISTENT);
    ck_assert_int_ge(j.equation->missing, 1);
    ck_assert_str_eq(j.equation->missing_term->term, "z^3");
    ck_assert_double_gt(j.equation->missing_term->explains, 0.8);
    ck_assert_double_lt(j.equation->missing_term->p_value, 1e-4);
    darc_judgement_clear(&j);
    b.by.tolerance = 0.2; /* which the user does not mind */
    ck_assert_int_eq(weakbench_holds(&b, t, NULL), DARC_CONSISTENT);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* A directed test finds what the omnibus test does not. */
START_TEST(a_directed_test_is_sharper)
{
    static const char *const term[] = {"z^3"};
    int found[2] = {0, 0};
    weakbench b;
    case_options o = weakbench_usual;
    o.missing = 0.002;
    for (uint64_t seed = 0; seed < 4; seed++) {
        weakbench_open(&b, model_quarter, seed);
        b.by.against_term = term;
        darc_table *t = weakbench_record(&b, &o);
        for (b.by.against = 0; b.by.against < 2; b.by.against++)
            found[b.by.against] +=
                weakbench_holds(&b, t, NULL) == DARC_INCONSISTENT;
        b.by.against = 1;
        judge(&b, &weakbench_usual, DARC_CONSISTENT, "");
        weakbench_release(t);
        weakbench_close(&b);
    }
    ck_assert_int_gt(found[1], found[0]);
    ck_assert_int_ge(found[1], 3);
}
END_TEST

static bool is_noted(const darc_judgement *j, const char *text)
{
    bool noted = false;
    for (int i = 0; i < j->notes; i++)
        noted = noted || strstr(j->note[i], text) != NULL;
    return noted;
}

/* All terms that the user names and that are significant are told; a slope of a
 * signal is told as a delay: 20000 z + 1500 z' is 20000 z(t + .075). */
START_TEST(all_named_terms_are_told)
{
    static const char *const term[] = {"z'", "z^3"};
    static const char spring[] = "model spring\nparameters\n m c\noutputs\n"
                                 " a z\nequations\n m*a = c*z\n";
    weakbench b;
    darc_judgement j;
    case_options o = weakbench_usual;
    o.missing = 0.5;
    weakbench_open(&b, spring, 0);
    b.by.against_term = term;
    b.by.against = 2;
    darc_table *t = weakbench_record(&b, &o);
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.decision.verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(j.equation->missing, 2);
    ck_assert(is_noted(&j, "the term z' explains"));
    ck_assert(is_noted(&j, "as if z were recorded "));
    ck_assert(is_noted(&j, " ms late"));
    ck_assert(is_noted(&j, "a cubic term in z explains"));
    darc_judgement_clear(&j);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* Noise that remembers .9 of the sample before, of which the spectrum shows
 * little or nothing, beside white noise of the input or none: so little of it
 * is left that it need not be known. */
START_TEST(little_that_is_left_refutes_nothing)
{
    static const double sd[] = {3e-4, 3e-5};
    simulation j = {.model = "model low\nparameters\n T K\ninputs\n u\n"
                             "outputs\n y\nequations\n T*y' + y = K*u\n",
                    .param = "T=0.3 K=2",
                    .init = "",
                    .input = "u=multisine:1,0.05,2",
                    .t_end = 40,
                    .rate = 25,
                    .rtol = 1e-10,
                    .seed = 1};
    uint64_t state = 11;
    double e = 0, white = _i % 2 == 0 ? sd[_i / 2] : 0;
    weakbench b;
    darc_decision d;
    darc_table *t = simulation_make(&j);
    double *u = t->signal[darc_table_find(t, "u")].value;
    double *y = t->signal[darc_table_find(t, "y")].value;
    for (size_t i = 0; i < t->samples; i++) {
        e = 0.9 * e + sqrt(0.19) * case_normal(&state);
        y[i] += sd[_i / 2] * e;
        u[i] += white * case_normal(&state);
    }
    weakbench_open(&b, j.model, 0);
    ck_assert_msg(weakbench_holds(&b, t, &d) == DARC_CONSISTENT, "%s",
                  d.reason);
    ck_assert_msg(strstr(d.reason, "which noise may have made") != NULL, "%s",
                  d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Ten samples in the shortest period: what the top of so few values of a
 * spectrum shows is the noise, not the signal. */
START_TEST(short_recordings_know_their_noise)
{
    simulation j = {.model = "model low\nparameters\n T K\ninputs\n u\n"
                             "outputs\n y\nequations\n T*y' + y = K*u\n",
                    .param = "T=1 K=2",
                    .init = "",
                    .input = "u=multisine:1,0.05,0.5",
                    .t_end = 16 + 4 * _i,
                    .rate = 5,
                    .noise = 0.01,
                    .rtol = 1e-10,
                    .seed = 1};
    weakbench b;
    darc_decision d;
    darc_table *t = simulation_make(&j);
    weakbench_open(&b, j.model, 0);
    ck_assert_msg(weakbench_holds(&b, t, &d) != DARC_INCONSISTENT, "%zu: %s",
                  t->samples, d.reason);
    ck_assert_double_lt(d.defect_high, 0.03);
    ck_assert_double_lt(d.detectable, 0.1);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* A defect of 1.3 % or so on either side of the tolerance. */
START_TEST(tolerances_have_three_answers)
{
    weakbench b;
    case_options o = weakbench_usual;
    weakbench_open(&b, model_quarter, 0);
    o.missing = 0.05;
    darc_table *t = weakbench_record(&b, &o);
    darc_decision d;
    weakbench_holds(&b, t, &d);
    ck_assert(0 < d.defect_low && d.defect_low < d.defect &&
              d.defect < d.defect_high);
    static const darc_verdict want[] = {DARC_INCONSISTENT, DARC_CONSISTENT};
    double tolerance[] = {0.5 * d.defect_low, 1.01 * d.defect_high};
    for (int i = 0; i < 2; i++) {
        b.by.tolerance = tolerance[i];
        ck_assert_int_eq(weakbench_holds(&b, t, NULL), want[i]);
    }
    weakbench_release(t);
    b.by.tolerance = d.defect; /* noise hides on which side it is */
    o.noise = 0.1;
    judge(&b, &o, DARC_UNDECIDED, "on either side");
    o.missing = 0; /* and whether there is any */
    o.noise = 0.5;
    judge(&b, &o, DARC_UNDECIDED, "on either side");
    b.by.tolerance = 0;
    judge(&b, &o, DARC_UNDECIDED, "would not have been found");
    weakbench_close(&b);
}
END_TEST

/* The tolerance that a reason proposes does what it says. */
START_TEST(a_proposed_tolerance_turns_the_verdict)
{
    static const char propose[] = "a tolerance of ";
    static const double missing[] = {0.03, 0.05, 0.07, 0.09};
    weakbench b;
    case_options o = weakbench_usual;
    weakbench_open(&b, model_quarter, 0);
    for (int i = 0; i < 4; i++) {
        darc_decision d;
        o.missing = missing[i];
        darc_table *t = weakbench_record(&b, &o);
        ck_assert_int_eq(weakbench_holds(&b, t, &d), DARC_INCONSISTENT);
        const char *said = strstr(d.reason, propose);
        ck_assert_ptr_nonnull(said);
        b.by.tolerance = atof(said + strlen(propose));
        ck_assert_int_eq(weakbench_holds(&b, t, NULL), DARC_CONSISTENT);
        b.by.tolerance = 0;
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

/* ---- what says nothing ----------------------------------------------------
 */

static const char first_order[] =
    "model first\nparameters\n m c\ninputs\n z\noutputs\n a\nequations\n"
    " m*a' + c*a = z\n";
static const char absurd[] =
    "model absurd\nparameters\n m c\ninputs\n z\noutputs\n a\nequations\n"
    " m*a''' + c*a'' = z\n";

/* Replace what a lag of T s makes of its input: a line of omega[0] rad/s, and
 * one of omega[1] of the size `faint`; noise on the output. */
static void play(weakbench *b, darc_table *t, const double *omega, double T,
                 double faint, double noise)
{
    const double size[] = {1, faint};
    for (size_t k = 0; k < t->samples; k++) {
        double a = noise * case_normal(&b->state), z = 0;
        for (int i = 0; i < 2; i++) {
            double x = omega[i] * (double)k * t->dt + 0.3, lag = omega[i] * T;
            z += size[i] * sin(x);
            a += size[i] * sin(x - atan(lag)) / hypot(1, lag);
        }
        t->signal[1].value[k] = z;
        t->signal[0].value[k] = a;
    }
}

/* The same with lines of 7 and 19 rad/s and a lag of .12 s. */
static void play_lines(weakbench *b, darc_table *t, double faint, double noise)
{
    static const double omega[] = {7, 19};
    play(b, t, omega, 0.12, faint, noise);
}

/* A single sine, through a first-order lag, fits anything, with noise and
 * without. */
START_TEST(a_single_sine_is_undecided)
{
    static const char *const model[] = {first_order, absurd};
    static const double noise[] = {0, 1e-4, 2e-3};
    for (int i = 0; i < 12; i++) {
        weakbench b;
        darc_decision d;
        weakbench_open(&b, model[i % 2], 3);
        b.by.tolerance = i / 2 % 2 == 0 ? 0 : 0.05;
        darc_table *t = weakbench_record(&b, &weakbench_usual);
        play_lines(&b, t, 0, noise[i / 4]);
        ck_assert_msg(weakbench_holds(&b, t, &d) == DARC_UNDECIDED, "%d: %s", i,
                      d.reason);
        ck_assert_msg(strstr(d.reason, "too simple") != NULL, "%s", d.reason);
        weakbench_release(t);
        weakbench_close(&b);
    }
}
END_TEST

/* Set out to the verdict on a model where `made` made the recording. */
static void judge_slow(darc_text_t out, const char *made, const char *judged,
                       const char *with, int seed)
{
    const char *at = program_directory();
    darc_text_t err = DARC_TEXT, call = DARC_TEXT;
    program_write("made.darc", made);
    program_write("judged.darc", judged);
    darc_text_printf(call,
                     "simulate %s/made.darc %s=constant:1.2+"
                     "multisine:.3,.004,.03 --t-end 200 --rate 5 --noise .01 "
                     "--seed %d --quiet -o %s/slow.csv",
                     at, with, seed, at);
    ck_assert_int_eq(program_run(call->s, out, err), 0);
    darc_text_reset(call);
    darc_text_printf(call, "check structure %s/judged.darc %s/slow.csv", at,
                     at);
    program_run(call->s, out, err);
    darc_text_clear(err);
    darc_text_clear(call);
}

/* Slow motions of a tank lie in few directions; but terms that its equation may
 * lack would be seen, and the one that a linear model lacks is. */
START_TEST(slow_motions_tell_where_terms_would_be_seen)
{
    static const char tank[] = "model tank\nparameters\n A a\ninputs\n q\n"
                               "outputs\n h\nequations\n"
                               " A*h' = q - a*sqrt(h)\n";
    static const char linear[] = "model tank\nparameters\n A a b\ninputs\n "
                                 "q\noutputs\n h\nequations\n"
                                 " A*h' = q - a*h + b\n";
    darc_text_t out = DARC_TEXT;
    const char *with = "--param A=1,a=1 --init h=1 --input q";
    judge_slow(out, tank, tank, with, 1 + _i);
    ck_assert_msg(strncmp(out->s, "CONSISTENT", 10) == 0, "%s", out->s);
    judge_slow(out, tank, linear, with, 1 + _i);
    ck_assert_msg(strncmp(out->s, "INCONSISTENT", 12) == 0, "%s", out->s);
    darc_text_clear(out);
}
END_TEST

/* What a slow input did before stands, less the model's own terms, in the first
 * rows alone; noise that is estimated without them let it explain all. */
START_TEST(past_inputs_are_held_against_the_first_rows_too)
{
    static const char drag[] = "model drag\nparameters\n m c\ninputs\n F\n"
                               "outputs\n v\nequations\n"
                               " m*v' + c*v^2 = F\n";
    darc_text_t out = DARC_TEXT;
    judge_slow(out, drag, drag, "--param m=1,c=1 --init v=1 --input F", 2 + _i);
    ck_assert_msg(strncmp(out->s, "INCONSISTENT", 12) != 0, "%s", out->s);
    darc_text_clear(out);
}
END_TEST

/* However faint a second line is, where it stands clear of the noise it tells
 * whether an equation of two coefficients holds. */
START_TEST(a_faint_second_line_decides)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, first_order, 3);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    play_lines(&b, t, 0.01, 1e-4);
    ck_assert_msg(weakbench_holds(&b, t, &d) == DARC_CONSISTENT, "%s",
                  d.reason);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* What is left is far above the noise, and less than six digits leave: nobody
 * says that the model is wrong, nor that two recordings differ. */
START_TEST(less_than_digits_leave_contradicts_nothing)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, first_order, 3);
    b.by.colour = DARC_ASSUME_WHITE;
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    darc_table *u = weakbench_record(&b, &weakbench_usual);
    for (int i = 0; i < 4; i++) {
        double more = i % 2 == 0 ? 3e-6 : 1e-3;
        play_lines(&b, t, 1, 1e-8);
        play_lines(&b, u, 1, 1e-8);
        for (size_t k = 0; k < t->samples; k++) {
            double z = u->signal[1].value[k];
            u->signal[0].value[k] *= i < 2 ? 1 : 1 + more;
            u->signal[0].value[k] += i < 2 ? more * z * z : 0;
        }
        darc_verdict v = i < 2 ? weakbench_holds(&b, u, &d)
                               : weakbench_compares(&b, t, u, NULL, &d);
        ck_assert_msg(v == (i % 2 == 0 ? DARC_UNDECIDED : DARC_INCONSISTENT),
                      "%d: %s", i, d.reason);
        ck_assert_msg(i % 2 != 0 || strstr(d.reason, "digits") != NULL, "%s",
                      d.reason);
    }
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* A line at .4 of the sampling rate is seen by the finest splines, and
 * sampling adds to what they see: estimates stay within their intervals. */
START_TEST(a_line_near_half_the_sampling_rate_biases_nothing)
{
    static const double omega[] = {100, 1260}; /* 3142 rad/s is the rate */
    weakbench b;
    darc_judgement j;
    weakbench_open(&b, first_order, 3);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    play(&b, t, omega, 0.002, 1, 0.01);
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.estimates, 2);
    for (int i = 0; i < 2; i++) {
        const darc_estimate *e = j.estimate + i;
        ck_assert_double_eq_tol(e->value_a, i == 0 ? 0.002 : 1, 4 * e->sd_a);
    }
    weakbench_release(t);
    darc_judgement_clear(&j);
    weakbench_close(&b);
}
END_TEST

/* What folds back into the band refuses no right model, and sets no two
 * recordings apart. */
START_TEST(what_sampling_folds_refuses_nothing)
{
    weakbench b;
    darc_decision d;
    weakbench_open(&b, weakbench_cubic, 3);
    darc_table *t = weakbench_cube(&b, 8), *u = weakbench_cube(&b, 4);
    for (int i = 0; i < 3; i++) {
        b.by.tolerance = i == 1 ? 0.05 : 0;
        darc_verdict v = i < 2 ? weakbench_holds(&b, t, &d)
                               : weakbench_compares(&b, t, u, NULL, &d);
        ck_assert_msg(v == DARC_UNDECIDED, "%d: %s", i, d.reason);
        ck_assert_msg(strstr(d.reason, "sample more finely") != NULL, "%d: %s",
                      i, d.reason);
    }
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* A sensor is dead, both are, or nothing moves. */
START_TEST(what_is_not_excited_is_undecided)
{
    static const struct {
        double a, z;
        bool moves[2];
        const char *reason;
    } at[] = {{0, 0, {true, false}, "the signal 'z': it is 0"},
              {9.81, 0.1, {false, false}, "no signal moves"}};
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_table *other = weakbench_record(&b, &weakbench_usual);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        darc_judgement j;
        darc_table *t = weakbench_record(&b, &weakbench_usual);
        for (size_t k = 0; k < 2 * t->samples; k++)
            if (!at[i].moves[k % 2])
                t->signal[k % 2].value[k / 2] = k % 2 == 0 ? at[i].a : at[i].z;
        for (int pair = 0; pair < 2; pair++) {
            if (pair == 0)
                weakbench_structure(&j, &b, t);
            else
                weakbench_pair(&j, &b, other, t, NULL);
            ck_assert_int_eq(j.decision.verdict, DARC_UNDECIDED);
            ck_assert_msg(strstr(j.decision.reason, at[i].reason) != NULL, "%s",
                          j.decision.reason);
            ck_assert(isnan(j.decision.p_value) && isnan(j.decision.dof));
            ck_assert(j.equations == 1 && j.equation->form != NULL);
            darc_judgement_clear(&j);
        }
        weakbench_release(t);
    }
    weakbench_release(other);
    weakbench_close(&b);
}
END_TEST

/* Two signals of noise alone: a share of the leading term is unknown, not
 * impossible. */
START_TEST(noise_alone_is_undecided)
{
    weakbench b;
    case_options brief = weakbench_usual;
    brief.seconds = 3;
    brief.rate = 250;
    weakbench_open(&b, model_quarter, 0);
    for (int i = 0; i < 6; i++) {
        darc_decision d;
        darc_table *t = weakbench_record(&b, &brief);
        for (size_t k = 0; k < 2 * t->samples; k++)
            t->signal[k % 2].value[k / 2] = case_normal(&b.state);
        ck_assert_msg(weakbench_holds(&b, t, &d) == DARC_UNDECIDED, "%s",
                      d.reason);
        ck_assert(d.defect >= 0 && d.defect_low >= 0);
        ck_assert(d.defect_high >= d.defect && d.detectable > 0.1);
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

/* The coefficient of the derivative is 0, to less than any noise. */
START_TEST(two_columns_of_one_signal_are_undecided)
{
    weakbench b;
    darc_judgement j;
    weakbench_open(&b,
                   "model copies\nparameters\n d m c\noutputs\n a\n"
                   "inputs\n z\nequations\n d*z' = m*a + c*z\n",
                   0);
    darc_table *t = weakbench_record(&b, &weakbench_usual),
               *u = weakbench_record(&b, &weakbench_usual);
    memcpy(t->signal[0].value, t->signal[1].value,
           t->samples * sizeof *t->signal[0].value);
    weakbench_structure(&j, &b, t);
    ck_assert_int_eq(j.decision.verdict, DARC_UNDECIDED);
    ck_assert_msg(strstr(j.decision.reason, "same samples") != NULL, "%s",
                  j.decision.reason);
    darc_judgement_clear(&j);
    ck_assert_int_eq(weakbench_compares(&b, u, t, NULL, NULL), DARC_UNDECIDED);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* ---- origins --------------------------------------------------------------
 */

/* A probe in a bath: only differences count, so that K and degC are one, of a
 * right model and of one whose probe has no lag. */
START_TEST(a_common_origin_changes_nothing)
{
    static const char *const model[] = {
        "model probe\nparameters\n c k\noutputs\n a\ninputs\n z\n"
        "equations\n c*a' = k*(z - a)\n",
        "model stiff\nparameters\n c k\noutputs\n a\ninputs\n z\n"
        "equations\n c*z' = k*(z - a)\n"};
    weakbench b;
    darc_decision d[2];
    weakbench_open(&b, model[_i], 3);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    play_lines(&b, t, 1, 1e-3);
    darc_verdict want = _i == 0 ? DARC_CONSISTENT : DARC_INCONSISTENT;
    ck_assert_msg(weakbench_holds(&b, t, d) == want, "%s", d[0].reason);
    for (size_t k = 0; k < 2 * t->samples; k++)
        t->signal[k % 2].value[k / 2] += 293.15;
    ck_assert_msg(weakbench_holds(&b, t, d + 1) == want, "%s", d[1].reason);
    ck_assert_double_eq_tol(d[1].defect_high, d[0].defect_high,
                            1e-3 * d[0].defect_high + 1e-4);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* Wherever a signal has its origin the verdict is the same where the model has
 * a constant: right and wrong models, with and without a tolerance. */
START_TEST(origins_change_no_verdict)
{
    static const char shifted[] = "model shifted\nparameters\n m c d b\n"
                                  "outputs\n a z\nequations\n"
                                  " m*a = c*z + d*z' + b\n";
    static const double origin[] = {0, -7, 100, -100};
    double missing = _i % 2 == 0 ? 0 : 0.05;
    darc_decision first;
    for (int i = 0; i < 4; i++) {
        weakbench b;
        darc_decision d;
        case_options o = weakbench_usual;
        o.missing = missing;
        weakbench_open(&b, shifted, 11);
        b.by.tolerance = _i < 2 ? 0 : 0.005;
        darc_table *t = weakbench_record(&b, &o);
        double unit = case_rms(t->signal[1].value, t->samples);
        for (size_t k = 0; k < t->samples; k++) {
            t->signal[1].value[k] += origin[i] * unit;
            t->signal[0].value[k] -= 3 * origin[i] * unit;
        }
        weakbench_holds(&b, t, &d);
        first = i == 0 ? d : first;
        ck_assert_int_eq(d.verdict, first.verdict);
        ck_assert_int_eq(d.verdict == DARC_CONSISTENT, missing == 0);
        ck_assert_double_eq_tol(d.defect, first.defect,
                                0.02 * first.defect_high);
        ck_assert_double_eq_tol(d.defect_high, first.defect_high,
                                0.02 * first.defect_high);
        weakbench_release(t);
        weakbench_close(&b);
    }
}
END_TEST

/* ---- several equations ----------------------------------------------------
 */

static const char prey[] =
    "model prey\nstates\n x y\nparameters\n a b c d\noutputs\n v w\n"
    "equations\n x' = a*x - b*x*y\n y' = -c*y + d*x*y\n v = x\n w = y\n";
static const char crowded[] =
    "model crowded\nstates\n x y\nparameters\n a b c d e\noutputs\n v w\n"
    "equations\n x' = a*x - b*x*y - e*x^2\n y' = -c*y + d*x*y\n"
    " v = x\n w = y\n";

/* A predator and its prey, noise 5 %; the square that is missing makes 2 % of
 * the leading term. */
START_TEST(both_equations_judge_together)
{
    for (unsigned seed = 1; seed < 4; seed++)
        for (int wrong = 0; wrong < 2; wrong++) {
            weakbench b;
            darc_judgement j;
            simulation s = {.model = wrong ? crowded : prey,
                            .param = wrong ? "a=1 b=.6 c=.8 d=.5 e=.015"
                                           : "a=1 b=.6 c=.8 d=.5",
                            .init = "x=3 y=1.2",
                            .input = "",
                            .t_end = 60,
                            .rate = 20,
                            .noise = 0.05,
                            .rtol = 1e-10,
                            .seed = seed};
            darc_table *t = simulation_make(&s);
            weakbench_open(&b, prey, 0);
            weakbench_structure(&j, &b, t);
            ck_assert_int_eq(j.equations, 2);
            ck_assert_msg((j.decision.verdict == DARC_INCONSISTENT) ==
                              (wrong == 1),
                          "seed %u: %s", seed, j.decision.reason);
            /* the worst of all equations stands for all */
            for (int q = 0; q < 2; q++) {
                const darc_decision *d = &j.equation[q].decision;
                ck_assert(j.decision.defect >= d->defect);
                ck_assert(j.decision.defect_high >= d->defect_high);
                ck_assert(j.decision.detectable >= d->detectable);
            }
            char found[80]; /* the one that `detectable` tells */
            snprintf(found, sizeof found, "a defect of %s of",
                     darc_percent_of(j.decision.detectable).text);
            ck_assert(wrong == 1 || strstr(j.decision.reason, found) != NULL);
            darc_judgement_clear(&j);
            weakbench_close(&b);
            darc_table_free(t);
        }
}
END_TEST

static const char motor[] =
    "model motor\nparameters\n R L k J b\ninputs\n u\noutputs\n i w\n"
    "equations\n L*i' + R*i + k*w = u\n J*w' = k*i - b*w\n";
static const char dragged[] =
    "model dragged\nstates\n x y\nparameters\n R L k J b c\ninputs\n u\n"
    "outputs\n i w\nequations\n L*x' + R*x + k*y = u\n"
    " J*y' = k*x - b*y - c*y^3\n i = x\n w = y\n";

/* Noise of the voltage that may have any colour says nothing of the equation
 * of the speed, which does not hold the voltage: the drag that is missing there
 * is seen, and so it is where noise of the current has it. */
START_TEST(a_signal_colours_its_own_equations_alone)
{
    for (int wrong = 0; wrong < 2; wrong++)
        for (int own = 0; own < 2; own++) {
            weakbench b;
            darc_judgement j;
            simulation s = {.model = dragged,
                            .param = wrong ? "R=1 L=.1 k=1 J=.3 b=.1 c=.03"
                                           : "R=1 L=.1 k=1 J=.3 b=.1 c=0",
                            .init = "x=0 y=0",
                            .input = "u=multisine:2,.1,3",
                            .t_end = 40,
                            .rate = 100,
                            .noise = 0.01,
                            .rtol = 1e-10,
                            .seed = 7};
            darc_table *t = simulation_make(&s);
            weakbench_open(&b, motor, 9);
            double *x = t->signal[darc_table_find(t, own ? "i" : "u")].value,
                   e = 0;
            for (size_t k = 0; k < t->samples; k++)
                x[k] += e = .6 * e + .03 * case_normal(&b.state);
            weakbench_structure(&j, &b, t);
            ck_assert_msg(j.decision.verdict ==
                              (wrong ? DARC_INCONSISTENT : DARC_CONSISTENT),
                          "%d %d: %s", wrong, own, j.decision.reason);
            ck_assert(j.decision.alpha == b.by.alpha);
            if (wrong && !own)
                ck_assert_msg(strstr(j.decision.reason, "of w") != NULL, "%s",
                              j.decision.reason);
            darc_judgement_clear(&j);
            weakbench_close(&b);
            darc_table_free(t);
        }
}
END_TEST

/* ---- errors ---------------------------------------------------------------
 */

static void refused(weakbench *b, const darc_table *t, darc_status status,
                    const char *says)
{
    darc_judgement j;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_judge_structure(&j, &b->x, t, &err), status);
    ck_assert_msg(strstr(err.message, says) != NULL, "%s", err.message);
}

START_TEST(errors_name_what_is_wrong)
{
    static const char *const wrong[] = {"q^3", "z^", "z*a*z*a*z", "sign(z",
                                        "sign(m)"};
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    b.by.against = 1;
    for (int i = 0; i < 5; i++) {
        b.by.against_term = wrong + i;
        refused(&b, t, DARC_USAGE, wrong[i]);
    }
    b.by.against = 0;
    t->signal[1].name[0] = 'y';
    refused(&b, t, DARC_DOMAIN, "no signal 'z'");
    t->signal[1].name[0] = 'z';
    for (size_t k = 0; k < t->samples; k++) {
        t->signal[0].value[k] *= 1e150;
        t->signal[1].value[k] *= 1e-150;
    }
    refused(&b, t, DARC_DATA, "--scale");
    weakbench_release(t);
    weakbench_close(&b);
    weakbench_open(&b,
                   "model far\nparameters\n m c\noutputs\n a z\nequations\n"
                   " 1e300*m*a + 1e-300*m*z = c*z'\n",
                   0);
    t = weakbench_record(&b, &weakbench_usual);
    refused(&b, t, DARC_DOMAIN, "double precision");
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* Whether it has been asked so often. */
static int is_late(void *left)
{
    return (*(int *)left)-- <= 0;
}

START_TEST(an_interrupted_judgement_is_none)
{
    weakbench b;
    darc_judgement j;
    darc_budget budget;
    int left = 0, looks = 0;
    darc_status status = DARC_LIMIT;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    darc_budget_init(&budget);
    budget.interrupted = is_late;
    budget.user = &left;
    b.x.budget = &budget;
    for (; status == DARC_LIMIT; looks++) {
        left = looks;
        status = darc_judge_structure(&j, &b.x, t, NULL);
        if (status != DARC_OK)
            ck_assert(j.equation == NULL && j.estimate == NULL && !j.notes);
    }
    ck_assert_int_eq(status, DARC_OK);
    ck_assert_int_gt(looks, 5);
    darc_judgement_clear(&j);
    weakbench_close(&b);
    weakbench_release(t);
}
END_TEST

Suite *suite_structure(void)
{
    Suite *s = suite_create("structure");
    TCase *c = tcase_create("structure");
    tcase_add_test(c, a_right_structure_is_consistent);
    tcase_add_test(c, an_interrupted_judgement_is_none);
    tcase_add_test(c, residuals_on_uneven_time_lie_within_the_recording);
    tcase_add_loop_test(c, a_delay_is_named_in_ms, 0, 2);
    tcase_add_test(c, a_missing_cube_is_named);
    tcase_add_test(c, a_directed_test_is_sharper);
    tcase_add_test(c, all_named_terms_are_told);
    tcase_add_loop_test(c, little_that_is_left_refutes_nothing, 0, 4);
    tcase_add_loop_test(c, short_recordings_know_their_noise, 0, 10);
    tcase_add_test(c, tolerances_have_three_answers);
    tcase_add_test(c, a_proposed_tolerance_turns_the_verdict);
    tcase_add_test(c, a_single_sine_is_undecided);
    tcase_add_loop_test(c, slow_motions_tell_where_terms_would_be_seen, 0, 3);
    tcase_add_loop_test(c, past_inputs_are_held_against_the_first_rows_too, 0,
                        3);
    tcase_add_test(c, a_faint_second_line_decides);
    tcase_add_test(c, less_than_digits_leave_contradicts_nothing);
    tcase_add_test(c, a_line_near_half_the_sampling_rate_biases_nothing);
    tcase_add_test(c, what_sampling_folds_refuses_nothing);
    tcase_add_test(c, what_is_not_excited_is_undecided);
    tcase_add_test(c, noise_alone_is_undecided);
    tcase_add_test(c, two_columns_of_one_signal_are_undecided);
    tcase_add_loop_test(c, a_common_origin_changes_nothing, 0, 2);
    tcase_add_loop_test(c, origins_change_no_verdict, 0, 4);
    tcase_add_test(c, both_equations_judge_together);
    tcase_add_test(c, a_signal_colours_its_own_equations_alone);
    tcase_add_test(c, errors_name_what_is_wrong);
    suite_add_tcase(s, c);
    return s;
}
