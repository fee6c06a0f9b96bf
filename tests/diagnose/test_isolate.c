#include "tests.h"

#include "coefficient/blackbox.h"
#include "data/table.h"
#include "diagnose/isolate.h"
#include "eliminate/eliminate.h"
#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

static darc_table *record(weakbench *w, double m, double c, double d,
                          uint64_t seed)
{
    case_options o = {
        .seconds = 8, .rate = 500, .noise = 0.01, .scale = {m, c, d, 1}};
    w->exact = seed;
    w->state = seed * 77 + 5;
    return weakbench_record(w, &o);
}

/* Append "m|c", what was diagnosed, "/" before what is equivalent to one. */
static void print_diagnosis(darc_text_t t, const darc_isolate *out,
                            const darc_names_t names)
{
    for (int i = 0; i < out->diagnosis; i++) {
        darc_text_puts(t, i > 0 ? "|" : "");
        darc_parameter_set_print(t, &out->candidate[i].changed, names);
        for (int k = 0; k < out->candidate[i].equivalents; k++) {
            darc_text_putc(t, '/');
            darc_parameter_set_print(t, out->candidate[i].equivalent + k,
                                     names);
        }
    }
}

/* What was told while the search went on. */
typedef struct {
    int times, candidates, diagnosis;
    char reason[512];
} told;

static void listen(void *user, const darc_isolate *known)
{
    told *t = user;
    ck_assert_int_eq(known->equal.verdict, DARC_INCONSISTENT);
    ck_assert_int_ge(known->candidates, t->candidates);
    t->times++;
    t->candidates = known->candidates;
    t->diagnosis = known->diagnosis;
    snprintf(t->reason, sizeof t->reason, "%s", known->equal.reason);
}

/* Isolate the change from (1, 1, 1) to scales m, c, d. */
static void isolate(darc_isolate *out, weakbench *w, double m, double c,
                    double d, told *known)
{
    weakbench_open(w, model_quarter, 0);
    w->x.user = known;
    darc_table *t[] = {record(w, 1, 1, 1, 3), record(w, m, c, d, 4)};
    ck_assert_int_eq(darc_isolate_run(out, &w->x, (const darc_table *const *)t,
                                      w->x.user != NULL ? listen : NULL, NULL),
                     DARC_OK);
    weakbench_release(t[0]);
    weakbench_release(t[1]);
}

static void check(double m, double c, double d, const char *want)
{
    weakbench w;
    darc_isolate out;
    darc_text_t t;
    darc_text_init(t);
    isolate(&out, &w, m, c, d, NULL);
    print_diagnosis(t, &out, w.io->jet->names);
    ck_assert_str_eq(t->s, want);
    darc_text_clear(t);
    darc_isolate_clear(&out);
    weakbench_close(&w);
}

START_TEST(nothing_changed)
{
    check(1, 1, 1, "");
}
END_TEST

/* What m does, c and d can do together, as well as pairs with m. */
START_TEST(a_mass_is_isolated)
{
    check(1.02, 1, 1, "{m}/{c, d}");
}
END_TEST

START_TEST(a_spring_is_isolated)
{
    check(1, 1.03, 1, "{c}/{m, d}");
}
END_TEST

/* Any pair of ratios is made by any two parameters. */
START_TEST(two_changes_are_ambiguous)
{
    weakbench w;
    darc_isolate out;
    told known = {0};
    isolate(&out, &w, 1.05, 1, 1.1, &known);
    ck_assert_int_ge(known.times, 3); /* none yet, sets of one, of two */
    ck_assert_int_eq(known.candidates, out.candidates);
    ck_assert_int_eq(known.diagnosis, 3);
    ck_assert_ptr_nonnull(strstr(known.reason, "so far 3 of 3 sets of 2"));
    ck_assert_int_eq(out.equal.verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(out.diagnosis, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(out.candidate[i].changed.count, 2);
        ck_assert(out.candidate[i].free);
    }
    ck_assert_ptr_nonnull(strstr(out.equal.reason, "ambiguous"));
    darc_isolate_clear(&out);
    weakbench_close(&w);
}
END_TEST

/* A mass changed by 0.5 % at 1 % noise is isolated, or nothing is said. */
START_TEST(a_small_change_is_isolated)
{
    int right = 0, wrong = 0;
    for (uint64_t seed = 0; seed < 3; seed++) {
        weakbench w;
        darc_isolate out;
        weakbench_open(&w, model_quarter, seed);
        case_options o = weakbench_usual;
        o.seconds = 20;
        o.rate = 1000;
        darc_table *t[2] = {weakbench_record(&w, &o), NULL};
        o.scale[0] = 1.005;
        t[1] = weakbench_record(&w, &o);
        ck_assert_int_eq(darc_isolate_run(&out, &w.x,
                                          (const darc_table *const *)t, NULL,
                                          NULL),
                         DARC_OK);
        int m = darc_names_find(darc_model_names(w.model), "m", 1);
        bool single = out.diagnosis == 1 && out.candidate->changed.count == 1;
        right += single && out.candidate->changed.parameter[0] == m;
        wrong += single && out.candidate->changed.parameter[0] != m;
        darc_isolate_clear(&out);
        weakbench_release(t[0]);
        weakbench_release(t[1]);
        weakbench_close(&w);
    }
    ck_assert_int_ge(right, 2);
    ck_assert_int_eq(wrong, 0);
}
END_TEST

/* ---- equations that are not expanded --------------------------------------
 */

/* A mass on a spring and a damper over a road u. */
static const char model_road[] =
    "model road\nstates\n x\ninputs\n u\noutputs\n y\nparameters\n m c d\n"
    "equations\n m*x'' = c*(u - x) + d*(u' - x')\n y = x\n";

/* The same of the reciprocal of x: no equation gives that as a polynomial of
 * signals. */
static const char model_reciprocal[] =
    "model road\nstates\n z\ninputs\n u\noutputs\n y\nparameters\n m c d\n"
    "equations\n m*(2*z'^2 - z*z'') = c*(u*z^3 - z^2) + d*(u'*z^3 + z*z')\n"
    " y*z = 1\n";

/* Append the diagnosis of recordings a and b, as check() reads it; forced: the
 * equation is not expanded. */
static void diagnose(darc_text_t t, const char *text, bool forced,
                     const darc_table *a, const darc_table *b)
{
    darc_model *model = model_of(text);
    darc_ioeqs_t io;
    darc_isolate out;
    darc_criteria by;
    static const int all[] = {0, 1, 2, 3};
    darc_criteria_init(&by);
    by.threads = 1;
    if (forced) {
        ck_assert_int_eq(darc_ioeqs_init_support(io, model, NULL, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(darc_ioeqs_group_support(io, model, 1e8, NULL, NULL),
                         DARC_OK);
    } else {
        ck_assert_int_eq(
            darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
            DARC_OK);
    }
    ck_assert_int_eq(io->eq[0].expanded, !forced);
    darc_question x = {.model = model,
                       .io = io,
                       .equations = io->count,
                       .equation = all,
                       .by = &by};
    ck_assert_int_eq(
        darc_isolate_run(&out, &x, (const darc_table *[]){a, b}, NULL, NULL),
        DARC_OK);
    darc_text_puts(t, darc_verdict_text(out.equal.verdict));
    darc_text_puts(t, out.diagnosis > 0 ? " " : "");
    print_diagnosis(t, &out, io->jet->names);
    darc_isolate_clear(&out);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}

/* A quarter car of two masses, both of which are seen. */
static const char model_car[] =
    "model car\nstates\n xs xu\ninputs\n u\noutputs\n y1 y2\nparameters\n"
    " ms mu ks cs kt\nequations\n"
    " ms*xs'' = -ks*(xs - xu) - cs*(xs' - xu')\n"
    " mu*xu'' = ks*(xs - xu) + cs*(xs' - xu') - kt*(xu - u)\n"
    " y1 = xs\n y2 = xu\n";

/* The lower one by its reciprocal. */
static const char model_upside[] =
    "model car\nstates\n xs v\ninputs\n u\noutputs\n y1 y2\nparameters\n"
    " ms mu ks cs kt\nequations\n"
    " ms*xs''*v^2 = -ks*(xs*v^2 - v) - cs*(xs'*v^2 + v')\n"
    " mu*(2*v'^2 - v*v'') = ks*(xs*v^3 - v^2) + cs*(xs'*v^3 + v*v')"
    " - kt*(v^2 - u*v^3)\n y1 = xs\n y2*v = 1\n";

typedef struct {
    const char *model, *apart; /* the same, whose equations are not expanded */
    const char *input, *param, *changed;
    const char *want;
    bool slow; /* the expanded equation takes long, and says the same */
} forced_case;

static const char masses_before[] = "m1=1 m2=1.3 k1=40 k2=60 d1=0.5 d2=0.7";

/* In one equation of the car what ms does is what ks and cs do together, but
 * the other holds these as well. */
static const forced_case forced[] = {
    {model_car, model_upside, "u=multisine:0.01,0.5,9",
     "ms=300 mu=40 ks=20000 cs=1500 "
     "kt=180000",
     "ms=310 mu=40 ks=20000 cs=1500 kt=180000", "inconsistent {ms}", false},
    {model_road, model_reciprocal, "u=multisine:1,0.2,5", "m=1 c=100 d=4",
     "m=1 c=100 d=4", "consistent", false},
    {model_road, model_reciprocal, "u=multisine:1,0.2,5", "m=1 c=100 d=4",
     "m=1.1 c=100 d=4", "inconsistent {m}/{c, d}", false},
    {model_road, model_reciprocal, "u=multisine:1,0.2,5", "m=1 c=100 d=4",
     "m=1 c=90 d=4", "inconsistent {c}/{m, d}", false},
    {model_masses, model_masses, "f=multisine:5,0.2,5", masses_before,
     "m1=1.1 m2=1.3 k1=40 k2=60 d1=0.5 d2=0.7", "inconsistent {m1}", true},
    {model_masses, model_masses, "f=multisine:5,0.2,5", masses_before,
     "m1=1 m2=1.3 k1=40 k2=66 d1=0.5 d2=0.7", "inconsistent {k2}", true}};

/* The same diagnosis as from polynomials. */
START_TEST(programs_isolate_as_polynomials_do)
{
    const forced_case *f = forced + _i;
    simulation j = {.model = f->model,
                    .param = f->param,
                    .init = "",
                    .input = f->input,
                    .t_end = 30,
                    .rate = 100,
                    .noise = 1e-3,
                    .rtol = 1e-10,
                    .seed = 21};
    darc_table *a = simulation_make(&j);
    j.param = f->changed;
    j.seed = 15;
    darc_table *b = simulation_make(&j);
    darc_text_t x, y;
    darc_text_init(x);
    darc_text_init(y);
    diagnose(y, f->apart, true, a, b);
    ck_assert_str_eq(y->s, f->want);
    if (!f->slow) {
        diagnose(x, f->model, false, a, b);
        ck_assert_str_eq(x->s, f->want);
    }
    darc_text_clear(x);
    darc_text_clear(y);
    darc_table_free(a);
    darc_table_free(b);
}
END_TEST

/* Each equation alone takes a change of a for anything; both together do not:
 * it changes both by one factor.  Any two changes make any pair. */
START_TEST(equations_that_share_parameters)
{
    static const char text[] =
        "model m\nstates\n x1 x2\ninputs\n u\noutputs\n y1 y2\nparameters\n"
        " a b c\nequations\n x1' = -a*b*x1 + u\n x2' = -a*c*x2 + u\n y1 = x1\n"
        " y2 = x2\n";
    static const char *const row[][2] = {
        {"a=1.1 b=1 c=2", "inconsistent {a}/{b, c}"},
        {"a=1 b=1.1 c=2", "inconsistent {b}/{a, c}"},
        {"a=1 b=1.1 c=2.4",
         "inconsistent {a, b}/{a, c}/{b, c}|{a, c}/{a, b}/{b, c}|"
         "{b, c}/{a, b}/{a, c}"}};
    simulation j = {.model = text,
                    .param = "a=1 b=1 c=2",
                    .init = "",
                    .input = "u=multisine:1,0.05,1",
                    .t_end = 100,
                    .rate = 20,
                    .noise = 1e-4,
                    .rtol = 1e-10,
                    .seed = 21};
    darc_table *before = simulation_make(&j);
    j.param = row[_i][0];
    j.seed = 22;
    darc_table *after = simulation_make(&j);
    darc_text_t x;
    darc_text_init(x);
    diagnose(x, text, false, before, after);
    ck_assert_str_eq(x->s, row[_i][1]);
    darc_text_clear(x);
    darc_table_free(before);
    darc_table_free(after);
}
END_TEST

/* A recording that excites nothing is no error. */
START_TEST(constant_recordings_are_undecided)
{
    static double y[1000], u[1000];
    for (int i = 0; i < 1000; i++)
        y[i] = u[i] = 1;
    darc_table *t = recording_of(1000, 100, 2, (const char *const[]){"y", "u"},
                                 (const double *const[]){y, u});
    darc_text_t x;
    darc_text_init(x);
    diagnose(x, model_road, false, t, t);
    ck_assert_str_eq(x->s, "undecided");
    darc_text_clear(x);
    darc_table_free(t);
}
END_TEST

/* Six masses in a row: order 12, which no recording shows. */
START_TEST(high_orders_are_undecided)
{
    enum { MASSES = 6, SAMPLES = 1000 };
    static double y[SAMPLES], f[SAMPLES];
    darc_text_t m, x;
    darc_text_init(m);
    darc_text_init(x);
    darc_text_puts(m, "model row\nstates\n x1 x2 x3 x4 x5 x6\ninputs\n f\n"
                      "outputs\n y\nparameters\n k d\nequations\n"
                      " x1'' = -k*x1 - d*x1' + f\n");
    for (int i = 2; i <= MASSES; i++)
        darc_text_printf(m, " x%d'' = k*(x%d - x%d) - d*x%d'\n", i, i - 1, i,
                         i);
    darc_text_puts(m, " y = x6\n");
    for (int i = 0; i < SAMPLES; i++) {
        f[i] = sin(0.1 * i) + sin(0.23 * i);
        y[i] = sin(0.1 * i + 1) + sin(0.23 * i + 2);
    }
    darc_table *t =
        recording_of(SAMPLES, 100, 2, (const char *const[]){"y", "f"},
                     (const double *const[]){y, f});
    diagnose(x, m->s, true, t, t);
    ck_assert_str_eq(x->s, "undecided");
    darc_text_clear(m);
    darc_text_clear(x);
    darc_table_free(t);
}
END_TEST

Suite *suite_isolate(void)
{
    Suite *s = suite_create("isolate");
    TCase *c = tcase_create("isolate");
    tcase_add_test(c, nothing_changed);
    tcase_add_test(c, a_mass_is_isolated);
    tcase_add_test(c, a_spring_is_isolated);
    tcase_add_test(c, two_changes_are_ambiguous);
    tcase_add_test(c, a_small_change_is_isolated);
    tcase_add_loop_test(c, programs_isolate_as_polynomials_do, 0,
                        sizeof forced / sizeof *forced);
    tcase_add_loop_test(c, equations_that_share_parameters, 0, 3);
    tcase_add_test(c, constant_recordings_are_undecided);
    tcase_add_test(c, high_orders_are_undecided);
    suite_add_tcase(s, c);
    return s;
}
