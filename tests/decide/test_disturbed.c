/* Recordings that a sensor spoiled, and noise of other kinds: neither a change
 * nor a defect follows from spikes, drop-outs, an end stop, filtered noise. */
#include "tests.h"

#include "draw.h"
#include "models.h"
#include "session/state.h"
#include "simulation.h"
#include "weakbench.h"

/* ---- sensors --------------------------------------------------------------
 */

static void clip(darc_signal *s, size_t n, double limit)
{
    for (size_t i = 0; i < n; i++)
        s->value[i] = fmax(-limit, fmin(limit, s->value[i]));
}

static void spike(darc_signal *s, size_t n, double size)
{
    for (size_t i = n / 2; i < n / 2 + 10; i++)
        s->value[i] += size;
}

static void drop_out(darc_signal *s, size_t n, double parts)
{
    for (size_t i = 0; i < n; i++)
        if (i % (n / (size_t)parts) < 5)
            s->value[i] = 0;
}

static void freeze(darc_signal *s, size_t n, double share)
{
    size_t begin = n / 3;
    for (size_t i = begin; i < begin + (size_t)(share * (double)n); i++)
        s->value[i] = s->value[begin];
}

static const char duffing[] =
    "model duffing\nparameters\n    m d k k3\noutputs\n    y\ninputs\n    u\n"
    "equations\n    m*y'' + d*y' + k*y + k3*y^3 = u\n";

/* z and y have RMS 1. */
static const struct {
    void (*spoil)(darc_signal *s, size_t n, double how);
    double how;
} cases[] = {{clip, 2},      {clip, 1.5},   {clip, 1},      {clip, 0.5},
             {spike, 0.3},   {spike, 3},    {spike, 10},    {spike, 30},
             {drop_out, 1},  {drop_out, 3}, {drop_out, 10}, {freeze, 0.003},
             {freeze, 0.03}, {freeze, 0.3}};

/* The rig has not changed, with a tolerance and without. */
static void no_change_follows(bool oscillator, int i)
{
    weakbench b;
    darc_table *t[2];
    case_options o = weakbench_usual;
    weakbench_open(&b, oscillator ? duffing : model_quarter, 5);
    if (oscillator) {
        o.seconds = 20;
        o.rate = 200;
    }
    for (int k = 0; k < 2; k++)
        t[k] = weakbench_case(&b, oscillator ? CASE_DUFFING : CASE_QUARTER,
                              oscillator ? "yu" : "az", &o);
    cases[i].spoil(t[1]->signal + (oscillator ? 0 : 1), t[1]->samples,
                   cases[i].how);
    darc_decision d;
    b.by.tolerance = i % 2 == 0 ? 0 : 0.02;
    darc_verdict v = weakbench_compares(&b, t[0], t[1], NULL, &d);
    ck_assert_msg(v != DARC_INCONSISTENT, "case %d: %s", i, d.reason);
    for (int k = 0; k < 2; k++)
        weakbench_release(t[k]);
    weakbench_close(&b);
}

START_TEST(no_change_of_a_car_follows)
{
    no_change_follows(false, _i);
}
END_TEST

START_TEST(no_change_of_an_oscillator_follows)
{
    no_change_follows(true, _i);
}
END_TEST

/* Nor does a structure fit that nothing could have refuted. */
START_TEST(nothing_is_consistent_by_noise_made_up)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 5);
    b.by.tolerance = 0.05;
    for (double limit = 0.4; limit < 1.5; limit += 0.35) {
        darc_decision d;
        darc_table *t = weakbench_record(&b, &weakbench_usual);
        clip(t->signal + 1, t->samples, limit);
        ck_assert_msg(weakbench_holds(&b, t, &d) != DARC_CONSISTENT, "%g: %s",
                      limit, d.reason);
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

/* ---- noise ----------------------------------------------------------------
 */

/* Low-pass noise is no defect; a fifth power that the model does not have is
 * not taken for noise, and is told from it where a recording at rest, or the
 * user, says what the noise is. */
START_TEST(low_pass_noise_is_told_from_a_defect)
{
    weakbench b;
    weakbench_open(&b, duffing, 0);
    case_options o = {.seconds = 40,
                      .rate = 250,
                      .noise = 0.01,
                      .kind = NOISE_LOWPASS,
                      .scale = {1, 1, 1, 1}};
    for (int i = 0; i < 2; i++) {
        darc_decision d;
        darc_table *t = weakbench_case(&b, CASE_DUFFING, "yu", &o);
        for (size_t k = 0; k < t->samples && i == 1; k++)
            t->signal[1].value[k] += pow(t->signal[0].value[k], 5);
        weakbench_holds(&b, t, &d);
        ck_assert_msg(d.verdict !=
                          (i == 0 ? DARC_INCONSISTENT : DARC_CONSISTENT),
                      "%d: %s", i, d.reason);
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

/* Noise below 15 Hz that leaves no level end of a spectrum: how large it is
 * cannot be told, and its size refutes nothing, however small the tolerance. */
START_TEST(noise_of_unknown_size_refutes_nothing)
{
    weakbench b;
    darc_decision d;
    case_options o = weakbench_usual;
    o.seconds = 20;
    o.rate = 1000;
    o.kind = NOISE_LOWPASS;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &o);
    for (int i = 0; i < 3; i++) {
        b.by.tolerance = (const double[]){0, 1e-4, 1e-3}[i];
        weakbench_holds(&b, t, &d);
        ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%d: %s", i, d.reason);
    }
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

enum { RATE = 250 };

/* A direct-current drive; its torque may grow with the cube of the speed. */
#define DRIVE(CUBE)                                                            \
    "model drive\nparameters\n    R L k J b q\nstates\n    x v\n"              \
    "inputs\n    u\noutputs\n    i w\nequations\n"                             \
    "    L*x' = u - R*x - k*v\n    J*v' = k*x - b*v" CUBE                      \
    "\n    i = x\n    w = v\n"

/* A mass on a spring, with another mass on a spring on it, and without. */
static const char two_masses[] =
    "model two\nparameters\n    m d k n c e\nstates\n    x v y w\n"
    "inputs\n    u\noutputs\n    z\nequations\n"
    "    x' = v\n    y' = w\n"
    "    m*v' = u - d*v - k*x - c*(x - y) - e*(v - w)\n"
    "    n*w' = c*(x - y) + e*(v - w)\n    z = x\n";
static const char one_mass[] =
    "model one\nparameters\n    m d k\nstates\n    x v\ninputs\n    u\n"
    "outputs\n    z\nequations\n    x' = v\n    m*v' = u - d*v - k*x\n"
    "    z = x\n";

/* Add noise of RMS sd, relative, through a second-order filter at 15 Hz. */
static void disturb(darc_table *t, double sd, uint64_t seed)
{
    uint64_t state = seed * 77 + 5;
    double *n = calloc(t->samples, sizeof *n);
    for (int i = 0; i < t->signals; i++) {
        double *y = t->signal[i].value, rms = case_rms(y, t->samples);
        if (strcmp(t->signal[i].name, "t") == 0)
            continue;
        for (size_t k = 0; k < t->samples; k++)
            n[k] = case_normal(&state);
        case_low_pass(n, t->samples, RATE);
        for (size_t k = 0; k < t->samples; k++)
            y[k] += sd * rms * n[k];
    }
    free(n);
}

/* Judge a simulation with filtered noise. */
static darc_decision judge(const char *model, const char *made,
                           const char *param, const char *input, double sd,
                           unsigned seed)
{
    weakbench b;
    darc_decision d;
    simulation j = {.model = made,
                    .param = param,
                    .init = "",
                    .input = input,
                    .t_end = 20,
                    .rate = RATE,
                    .rtol = 1e-9,
                    .seed = seed};
    darc_table *t = simulation_make(&j);
    disturb(t, sd, seed);
    weakbench_open(&b, model, 0);
    weakbench_holds(&b, t, &d);
    weakbench_close(&b);
    darc_table_free(t);
    return d;
}

static const char drive_input[] = "u=multisine:5,0.2,4";

/* Noise enters a candidate term as well as the residual: what they share is
 * no missing term. */
START_TEST(noise_in_all_signals_is_no_missing_term)
{
    static const double sd[] = {1e-3, 1e-2, 3e-2};
    darc_decision d = judge(DRIVE(" - q*v^3"), DRIVE(" - q*v^3"),
                            "R=1 L=0.01 k=0.1 J=0.002 b=0.002 q=2e-6",
                            drive_input, sd[_i], 1 + (unsigned)_i);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    d = judge(DRIVE(""), DRIVE(""), "R=1 L=0.01 k=0.1 J=0.002 b=0.002 q=0",
              drive_input, sd[_i], 1 + (unsigned)_i);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
}
END_TEST

START_TEST(a_missing_cube_is_seen_through_noise)
{
    darc_decision d =
        judge(DRIVE(""), DRIVE(" - q*v^3"),
              "R=1 L=0.01 k=0.1 J=0.002 b=0.002 q=2e-6", drive_input, 1e-2, 4);
    ck_assert_msg(d.verdict != DARC_CONSISTENT && d.p_value < 1e-9, "%s",
                  d.reason);
}
END_TEST

/* No candidate stands for a second mass: what it leaves may be noise of some
 * spectrum, but is said to remain, and is not taken for less. */
START_TEST(a_hidden_mass_is_not_taken_for_noise)
{
    static const char param[] = "m=1 d=2 k=100 n=0.1 c=60 e=0.3";
    static const char input[] = "u=multisine:10,0.1,3";
    darc_decision d = judge(one_mass, two_masses, param, input, 1e-3, 1);
    ck_assert_msg(d.verdict != DARC_CONSISTENT || d.defect_high > 0.01, "%s",
                  d.reason);
    d = judge(one_mass, two_masses, param, input, 1e-2, 2);
    ck_assert_msg(d.verdict != DARC_CONSISTENT || d.defect_high > 0.01, "%s",
                  d.reason);
}
END_TEST

/* ---- noise that signals share ---------------------------------------------
 */

#define TANKS(OUT)                                                             \
    "model tanks\nstates\n h1 h2\nparameters\n A1 A2 a1 a2\ninputs\n q\n"      \
    "outputs\n y1 y2\nequations\n A1*h1' = q - a1*sqrt(h1 - h2)\n"             \
    " A2*h2' = a1*sqrt(h1 - h2) - a2*" OUT "\n y1 = h1\n y2 = h2\n"

/* Set reason to why the verdict on t, which is taken over, is this. */
static darc_verdict ask_within(const char *text, darc_table *t,
                               double tolerance, char reason[512])
{
    darc_session *s;
    darc_session_settings set;
    darc_model *model = model_of(text);
    darc_session_settings_init(&set);
    set.tolerance = tolerance;
    ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, t, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    darc_verdict v = darc_session_verdict(s);
    snprintf(reason, 512, "%s", darc_session_report(s)->decision.reason);
    darc_session_free(s);
    darc_model_free(model);
    return v;
}

static darc_verdict ask_of(const char *text, darc_table *t, char reason[512])
{
    return ask_within(text, t, 0, reason);
}

/* Of what j makes the first model is not refused; the second is, or, where it
 * may be `hidden` by noise, is not consistent. */
static void check_right_and_wrong(const char *const *text, const simulation *j,
                                  bool hidden)
{
    char reason[512];
    darc_verdict v = ask_of(text[0], simulation_make(j), reason);
    ck_assert_msg(v != DARC_INCONSISTENT, "%s", reason);
    v = ask_of(text[1], simulation_make(j), reason);
    ck_assert_msg(v == DARC_INCONSISTENT || (hidden && v == DARC_UNDECIDED),
                  "%s", reason);
}

/* No candidate stands for a second mass that swings in the band, but what it
 * leaves goes with what the input did before, and no noise does. */
START_TEST(a_hidden_swing_is_found)
{
    char reason[512];
    simulation j = {.model = two_masses,
                    .param = "m=1 d=2 k=100 n=0.1 c=8 e=0.3",
                    .init = "",
                    .input = "u=multisine:10,0.1,3",
                    .t_end = 20,
                    .rate = 30,
                    .noise = 0.01,
                    .rtol = 1e-10,
                    .seed = 5};
    darc_verdict v = ask_of(one_mass, simulation_make(&j), reason);
    ck_assert_msg(v == DARC_INCONSISTENT && strstr(reason, "did before"), "%s",
                  reason);
    j.model = one_mass;
    j.param = "m=1 d=2 k=100";
    v = ask_of(one_mass, simulation_make(&j), reason);
    ck_assert_msg(v == DARC_CONSISTENT, "%s", reason);
}
END_TEST

/* The cube of a state is 9 products of what is measured, none of which says
 * much by itself. */
START_TEST(a_function_that_is_many_terms_is_found)
{
#define CELL(MORE)                                                             \
    "model cell\nparameters\n R0 R1 C e E\nstates\n x\ninputs\n u\n"           \
    "outputs\n y\nequations\n y = E - R0*u - x\n C*x' = u - x/R1" MORE "\n"
    static const char right[] = CELL(""), cubed[] = CELL(" - e*x^3");
    char reason[512];
    simulation j = {.model = cubed,
                    .param = "R0=1.3 R1=1 C=1 E=3 e=0.2",
                    .init = "x=0",
                    .input = "u=multisine:1,0.02,1",
                    .t_end = 50,
                    .rate = 20,
                    .noise = 0.005,
                    .rtol = 1e-10,
                    .seed = 2};
    darc_verdict v = ask_of(right, simulation_make(&j), reason);
    ck_assert_msg(v == DARC_INCONSISTENT && strstr(reason, "products"), "%s",
                  reason);
    j.param = "R0=1.3 R1=1 C=1 E=3 e=0";
    v = ask_of(right, simulation_make(&j), reason);
    ck_assert_msg(v == DARC_CONSISTENT, "%s", reason);
#undef CELL
}
END_TEST

/* sqrt(y1 - y2), sqrt(y2) and y2 carry the noise of y2: taken as independent
 * it is a third too small. */
START_TEST(derived_signals_share_the_noise_of_their_source)
{
    static const char *const text[] = {TANKS("sqrt(h2)"), TANKS("h2")};
    simulation j = {.model = text[0],
                    .param = "A1=1 A2=1.5 a1=1 a2=1",
                    .init = "h1=2 h2=1",
                    .input = "q=constant:1+multisine:0.2,0.01,0.3",
                    .t_end = 100,
                    .rate = 20,
                    .noise = 0.005,
                    .rtol = 1e-10,
                    .seed = 1 + 2 * (unsigned)_i};
    check_right_and_wrong(text, &j, _i == 2);
}
END_TEST

/* A mode at 4.7 times the frequency of the first fades: it belongs to the
 * signal, however far above the other. Hum there does not. */
START_TEST(a_fading_mode_is_no_hum)
{
    static const char two[] =
        "model two\nparameters\n c k d e\nstates\n x y\noutputs\n z\n"
        "equations\n x'' + c*x' + k*x = 0\n y'' + d*y' + e*y = 0\n"
        " z = x + y\n";
    static const char one[] = "model one\nparameters\n c k\noutputs\n z\n"
                              "equations\n z'' + c*z' + k*z = 0\n";
    simulation j = {.model = two,
                    .param = _i == 0 ? "c=.377 k=355 d=1.41 e=7740"
                                     : "c=.377 k=355 d=1e-9 e=7740",
                    .init = _i == 0 ? "x=1 y=.25" : "x=1 y=.02",
                    .input = "",
                    .t_end = 8,
                    .rate = 200,
                    .noise = 0.01,
                    .rtol = 1e-10,
                    .seed = 4};
    static const char *const model[] = {two, one};
    for (int wrong = 0; wrong < 2; wrong++) {
        weakbench b;
        darc_decision d;
        darc_table *t = simulation_make(&j);
        weakbench_open(&b, model[wrong], 0);
        weakbench_holds(&b, t, &d);
        if (_i == 0 || wrong == 1)
            ck_assert_msg(d.verdict == (wrong == 1 && _i == 0
                                            ? DARC_INCONSISTENT
                                            : DARC_CONSISTENT),
                          "%d: %s", wrong, d.reason);
        weakbench_close(&b);
        darc_table_free(t);
    }
}
END_TEST

#define RUBBED(DERIVED, TORQUE)                                                \
    "model rubbed\nparameters\n    R L k J b c\ninputs\n    u\noutputs\n"      \
    "    i w\n" DERIVED "equations\n    L*i' = u - R*i - k*w\n"                \
    "    J*w' = k*i - b*w - " TORQUE "\n"

/* Dry friction turns between two samples, and where the drive sticks it is any,
 * for a time: neither says that sign(w) is wrong, and no friction is. */
START_TEST(friction_that_turns_and_sticks_refuses_no_model)
{
    static const char *const text[] = {
        RUBBED("derived\n    s = sign(w)\n", "c*s"), RUBBED("", "c*w^2")};
    static const double noise[] = {1e-3, 1e-2};
    simulation j = {.model = RUBBED("", "c*tanh(w/0.02)"),
                    .param = "R=1.2 L=0.002 k=0.06 J=2e-4 b=4e-5 c=0.015",
                    .init = "i=0 w=0",
                    .input = "u=multisine:2,0.2,3",
                    .t_end = 10,
                    .rate = 1000,
                    .noise = noise[_i],
                    .rtol = 1e-8,
                    .seed = 3};
    check_right_and_wrong(text, &j, false);
}
END_TEST

/* A pendulum of which the angle alone is measured: dry friction turns between
 * samples. */
START_TEST(friction_at_an_estimated_speed_refuses_no_model)
{
    static const char made[] =
        "model swing\nparameters\n w c f\noutputs\n a\nequations\n"
        " a'' + w*sin(a) + c*a' + f*tanh(a'/0.003) = 0\n";
    static const char *const text[] = {
        "model swing\nparameters\n w c f\noutputs\n a\nderived\n s = sign(a')\n"
        "equations\n a'' + w*sin(a) + c*a' + f*s = 0\n",
        "model swing\nparameters\n w c\noutputs\n a\nequations\n"
        " a'' + w*sin(a) + c*a' = 0\n"};
    simulation j = {.model = made,
                    .param = "w=12 c=.06 f=.25",
                    .init = "a=1.3",
                    .input = "",
                    .t_end = 10,
                    .rate = 50,
                    .noise = _i == 0 ? 3e-4 : 2e-3,
                    .rtol = 1e-9,
                    .seed = 5};
    check_right_and_wrong(text, &j, false);
}
END_TEST

#define SLIDING(PARAM, DERIVED, FRICTION)                                      \
    "model sliding\nparameters\n m d" PARAM                                    \
    "\ninputs\n u\noutputs\n y\n" DERIVED "equations\n m*y'' + d*y'" FRICTION  \
    " = u\n"

/* A drive of which the position alone is measured sticks a fifth of the time:
 * friction then is what the drive makes it. */
START_TEST(friction_of_what_sticks_refuses_no_model)
{
    static const char *const text[] = {
        SLIDING(" c", "derived\n s = sign(y')\n", " + c*s"),
        SLIDING("", "", "")};
    simulation j = {.model = SLIDING(" c", "", " + c*tanh(y'/0.002)"),
                    .param = "m=.3 d=.3 c=.8",
                    .init = "y=0",
                    .input = "u=multisine:1.3,0.1,1",
                    .t_end = 30,
                    .rate = _i == 0 ? 60 : 120,
                    .noise = 0.002,
                    .rtol = 1e-8,
                    .seed = 2};
    check_right_and_wrong(text, &j, false);
}
END_TEST

/* A root whose argument noise makes negative for a moment is biased close by:
 * little that is left proves nothing. */
START_TEST(a_clipped_root_refuses_no_model)
{
    simulation j = {.model = TANKS("sqrt(h2)"),
                    .param = "A1=1 A2=1.5 a1=1 a2=1",
                    .init = "h1=2 h2=1",
                    .input = "q=constant:1+multisine:0.2,0.01,0.3",
                    .t_end = 100,
                    .rate = 20,
                    .noise = 0.0005,
                    .rtol = 1e-10,
                    .seed = 2};
    char reason[512];
    for (int clipped = 0; clipped < 2; clipped++) {
        darc_table *t = simulation_make(&j);
        double *y1 = t->signal[darc_table_find(t, "y1")].value;
        double *y2 = t->signal[darc_table_find(t, "y2")].value;
        for (size_t i = 0; i < t->samples; i++)
            y1[i] += 0.05 * y2[i] * y2[i];
        for (size_t i = 700; i < 703 && clipped; i++)
            y1[i] = y2[i] - 0.001;
        darc_verdict v = ask_of(TANKS("sqrt(h2)"), t, reason);
        ck_assert_msg(v == (clipped ? DARC_UNDECIDED : DARC_INCONSISTENT), "%s",
                      reason);
        ck_assert_msg(!clipped || strstr(reason, "has no value") != NULL, "%s",
                      reason);
    }
}
END_TEST

#define PENDULUM                                                               \
    "model pendulum\nparameters\n c w2\ninputs\n u\noutputs\n y\n"             \
    "derived\n s = sin(y)\nequations\n y'' + c*y' + w2*s = u\n"

/* Its recording from this angle; *y gets the angle. */
static darc_table *swing(double **y, const char *init, const char *input,
                         double t_end, double rate)
{
    simulation j = {.model = PENDULUM,
                    .param = "c=.5 w2=39.5",
                    .init = init,
                    .input = input,
                    .t_end = t_end,
                    .rate = rate,
                    .rtol = 1e-9,
                    .seed = 1};
    darc_table *t = simulation_make(&j);
    *y = t->signal[darc_table_find(t, "y")].value;
    return t;
}

/* Of noise inside a sine only the slope is known: where the angle is known to
 * .4 rad, with heavy tails, what its square makes refuses no model. */
START_TEST(noise_bent_by_a_sine_refuses_no_model)
{
    char reason[512];
    for (int run = 0; run < 4; run++) {
        uint64_t state = 40 + (uint64_t)run;
        double *y;
        darc_table *t = swing(&y, "", "u=multisine:30,0.02,1", 400, 50);
        for (size_t i = 0; i < t->samples; i++) {
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += pow(draw_normal(&state), 2);
            y[i] += 0.4 * draw_normal(&state) / sqrt(square);
        }
        darc_verdict v = ask_of(PENDULUM, t, reason);
        ck_assert_msg(v != DARC_INCONSISTENT, "%s", reason);
    }
}
END_TEST

/* Noise of any colour that wanders by radians makes all of a sine: it leaves
 * more than the tolerance, and that refuses no model. */
START_TEST(a_walk_of_radians_inside_a_sine_refuses_no_model)
{
    for (int run = 0; run < 2; run++) {
        uint64_t state = 50 + (uint64_t)run;
        double *y, walk = 0;
        darc_table *t = swing(&y, "y=.5", "u=multisine:12,0.08,2", 400, 50);
        char reason[512];
        for (size_t i = 0; i < t->samples; i++)
            y[i] += walk += 0.01 * draw_normal(&state);
        darc_verdict v = ask_within(PENDULUM, t, 0.05, reason);
        ck_assert_msg(v == DARC_UNDECIDED && strstr(reason, "--noise-from"),
                      "%s", reason);
    }
}
END_TEST

/* Slow noise of an angle that goes round changes its sign in the equation with
 * the cosine: no test knows noise like that. */
START_TEST(slow_noise_of_an_angle_that_turns_refuses_no_model)
{
    char reason[512];
    uint64_t state = 17;
    int refused = 0;
    for (int run = 0; run < 6; run++) {
        double *y, n = 0, most = 0;
        darc_table *t = swing(&y, "y=.5", "u=multisine:30,0.08,2", 30, 20);
        for (size_t i = 0; i < t->samples; i++) {
            most = fmax(most, fabs(y[i]));
            y[i] += n = 0.9 * n + 0.02 * draw_normal(&state);
        }
        ck_assert_double_gt(most, 4);
        refused += ask_of(PENDULUM, t, reason) == DARC_INCONSISTENT;
    }
    ck_assert_int_eq(refused, 0);
}
END_TEST

#define REACTOR(FLOW)                                                          \
    "model reactor\nparameters\n    k E" FLOW " - k*exp(-E/y)\n"

/* The square of an estimated derivative has a bias, and a long recording knows
 * its mean: that refutes no model. */
START_TEST(an_estimated_square_refuses_no_model)
{
    weakbench b;
    darc_decision d;
    uint64_t state = 7;
    simulation j = {.model = REACTOR(" c\ninputs\n    u\noutputs\n    y\n"
                                     "equations\n    y' = u + c"),
                    .param = "k=392089 E=5000 c=0.245",
                    .init = "y=350",
                    .input = "u=multisine:0.07,0.0015,0.01",
                    .t_end = 10000,
                    .rate = 0.2,
                    .rtol = 1e-10,
                    .seed = 1};
    darc_table *t = simulation_make(&j);
    double *u = t->signal[darc_table_find(t, "u")].value;
    double *y = t->signal[darc_table_find(t, "y")].value;
    for (size_t i = 0; i < t->samples; i++) {
        u[i] += 0.245;
        y[i] += 0.03 * case_normal(&state);
    }
    weakbench_open(&b,
                   REACTOR("\ninputs\n    u\noutputs\n    y\n"
                           "equations\n    y' = u"),
                   0);
    weakbench_holds(&b, t, &d);
    ck_assert_msg(d.verdict != DARC_INCONSISTENT, "%s", d.reason);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* All that a step at the beginning moves stands in the rows that likelihood
 * ratios leave out; what is left of s|s| of the speed is noise at rest, which
 * goes with what the equation leaves. */
START_TEST(noise_at_rest_is_no_missing_term)
{
    static const char motor[] =
        "model motor\nparameters\n a b c\ninputs\n u\noutputs\n w\n"
        "equations\n a*w'' + b*w' + c*w = u\n";
    char reason[512];
    uint64_t state = 1;
    for (int i = 0; i < 6; i++) {
        simulation j = {.model = motor,
                        .param = "a=.01645 b=.2124 c=1.1687",
                        .init = "",
                        .input = "u=step:1,.84",
                        .t_end = 32,
                        .rate = 25,
                        .rtol = 1e-10,
                        .seed = 1};
        darc_table *t = simulation_make(&j);
        double *w = t->signal[darc_table_find(t, "w")].value;
        for (size_t k = 0; k < t->samples; k++)
            w[k] += 1.44e-3 * case_normal(&state);
        darc_verdict v = ask_of(motor, t, reason);
        ck_assert_msg(v != DARC_INCONSISTENT, "%s", reason);
    }
}
END_TEST

/* A blow of `wide` s every 1.3 s, that comes and goes smoothly. */
static double blow(double t, double wide)
{
    double at = fmod(t, 1.3) / wide;
    return at < 1 ? 4 * pow(sin(3.14159265358979324 * at), 2) : 0;
}

/* Of blows that samples show six times, or twice as often, sums miss some of
 * their integral: that is no missing term. */
START_TEST(blows_between_samples_are_no_missing_term)
{
    static const char lag[] = "model lag\nparameters\n T K\ninputs\n u\n"
                              "outputs\n y\nequations\n T*y' = K*u - y\n";
    enum { FINE = 50 };
    simulation j = {.model = lag,
                    .param = "T=.2 K=1",
                    .init = "",
                    .input = "u=step:1,1",
                    .t_end = 20,
                    .rate = 50,
                    .rtol = 1e-6,
                    .seed = 1};
    darc_table *t = simulation_make(&j);
    double *u = t->signal[darc_table_find(t, "u")].value;
    double *y = t->signal[darc_table_find(t, "y")].value, x = 0;
    double h = t->dt / FINE, wide = (_i == 0 ? 5.3 : 2.6) * t->dt;
    uint64_t state = 3;
    char reason[512];
    for (size_t i = 0; i < t->samples; i++) {
        double at = (double)i * t->dt;
        u[i] = blow(at, wide);
        y[i] = x + 2e-5 * draw_normal(&state);
        for (int k = 0; k < FINE; k++, at += h) /* exact to (h/T)^3 */
            x = x * exp(-h / .2) + blow(at + h / 2, wide) * -expm1(-h / .2);
    }
    darc_verdict v = ask_of(lag, t, reason);
    ck_assert_msg(v != DARC_INCONSISTENT, "%s", reason);
}
END_TEST

/* Move a spring with this cube by h under blows, by the midpoint rule. */
static void swing_on(double *x, double t, double h, double wide, double cube)
{
    double half = x[0] + h / 2 * x[1],
           u[2] = {blow(t, wide), blow(t + h / 2, wide)};
    double v =
        x[1] + h / 2 * (u[0] - .09 * x[1] - x[0] - cube * pow(x[0], 3)) / .025;
    x[0] += h * v;
    x[1] += h * (u[1] - .09 * v - half - cube * pow(half, 3)) / .025;
}

/* Samples of blows miss some of them: what those leave decides all the same,
 * but where all blows meet samples alike, every 52 of them. */
START_TEST(short_blows_decide)
{
    static const char spring[] =
        "model spring\nparameters\n m d k\ninputs\n u\noutputs\n y\n"
        "equations\n m*y'' = u - d*y' - k*y\n";
    static const struct {
        double rate, cube;
        bool is;
        darc_verdict verdict;
    } of[] = {{16, 0, true, DARC_CONSISTENT},
              {16, .3, true, DARC_INCONSISTENT},
              {40, 0, false, DARC_INCONSISTENT}};
    enum { FINE = 200 };
    simulation j = {.model = spring,
                    .param = "m=1 d=1 k=1",
                    .init = "",
                    .input = "u=step:1,1",
                    .t_end = 1500 / of[_i].rate,
                    .rate = of[_i].rate,
                    .rtol = 1e-6,
                    .seed = 1};
    darc_table *t = simulation_make(&j);
    double *u = t->signal[darc_table_find(t, "u")].value;
    double *y = t->signal[darc_table_find(t, "y")].value;
    double h = t->dt / FINE, wide = 2.6 * t->dt, x[2] = {0, 0};
    uint64_t state = 5;
    char reason[512];
    for (size_t i = 0; i < t->samples; i++) {
        double at = (double)i * t->dt;
        u[i] = blow(at, wide);
        y[i] = x[0] + 1e-3 * draw_normal(&state);
        for (int k = 0; k < FINE; k++, at += h)
            swing_on(x, at, h, wide, of[_i].cube);
    }
    darc_verdict v = ask_of(spring, t, reason);
    ck_assert_msg((v == of[_i].verdict) == of[_i].is, "%s", reason);
}
END_TEST

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))

Suite *suite_disturbed(void)
{
    Suite *s = suite_create("disturbed");
    TCase *c = tcase_create("sensors");
    tcase_add_loop_test(c, no_change_of_a_car_follows, 0, COUNT(cases));
    tcase_add_loop_test(c, no_change_of_an_oscillator_follows, 0, COUNT(cases));
    tcase_add_test(c, nothing_is_consistent_by_noise_made_up);
    suite_add_tcase(s, c);
    c = tcase_create("noise");
    tcase_add_test(c, low_pass_noise_is_told_from_a_defect);
    tcase_add_test(c, noise_of_unknown_size_refutes_nothing);
    tcase_add_loop_test(c, noise_in_all_signals_is_no_missing_term, 0, 3);
    tcase_add_test(c, a_missing_cube_is_seen_through_noise);
    tcase_add_test(c, a_hidden_mass_is_not_taken_for_noise);
    tcase_add_test(c, a_hidden_swing_is_found);
    tcase_add_test(c, a_function_that_is_many_terms_is_found);
    tcase_add_test(c, noise_bent_by_a_sine_refuses_no_model);
    tcase_add_test(c, a_walk_of_radians_inside_a_sine_refuses_no_model);
    tcase_add_test(c, slow_noise_of_an_angle_that_turns_refuses_no_model);
    tcase_add_loop_test(c, blows_between_samples_are_no_missing_term, 0, 2);
    tcase_add_loop_test(c, short_blows_decide, 0, 3);
    tcase_add_test(c, noise_at_rest_is_no_missing_term);
    tcase_add_test(c, a_clipped_root_refuses_no_model);
    tcase_add_loop_test(c, friction_at_an_estimated_speed_refuses_no_model, 0,
                        2);
    tcase_add_loop_test(c, friction_of_what_sticks_refuses_no_model, 0, 2);
    tcase_add_loop_test(c, a_fading_mode_is_no_hum, 0, 2);
    tcase_add_loop_test(c, friction_that_turns_and_sticks_refuses_no_model, 0,
                        2);
    tcase_add_test(c, an_estimated_square_refuses_no_model);
    tcase_add_loop_test(c, derived_signals_share_the_noise_of_their_source, 0,
                        3);
    suite_add_tcase(s, c);
    return s;
}
