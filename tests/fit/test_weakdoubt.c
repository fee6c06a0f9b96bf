/* Misfits told from filtered noise that every signal carries. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "decide/weakcheck.h"
#include "eliminate/eliminate.h"
#include "models.h"
#include "simulation.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

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

static const simulation drive = {.model = DRIVE(" - q*v^3"),
                                 .param =
                                     "R=1 L=0.01 k=0.1 J=0.002 b=0.002 q=0",
                                 .init = "",
                                 .input = "u=multisine:5,0.2,4",
                                 .t_end = 40,
                                 .rate = RATE,
                                 .rtol = 1e-9,
                                 .seed = 3};

static const simulation masses = {.model = two_masses,
                                  .param = "m=1 d=2 k=100 n=0.1 c=60 e=0.3",
                                  .init = "",
                                  .input = "u=multisine:10,0.1,3",
                                  .t_end = 40,
                                  .rate = RATE,
                                  .rtol = 1e-9,
                                  .seed = 6};

/* Add noise of RMS sd, relative, through a second-order filter at 15 Hz. */
static void disturb(darc_table *t, double sd, uint64_t seed)
{
    uint64_t state = seed * 77 + 5;
    double *n = calloc(t->samples, sizeof *n);
    for (int i = 0; i < t->signals; i++) {
        double *y = t->signal[i].value;
        if (strcmp(t->signal[i].name, "t") == 0)
            continue;
        double rms = case_rms(y, t->samples);
        for (size_t k = 0; k < t->samples; k++)
            n[k] = case_normal(&state);
        case_low_pass(n, t->samples, RATE);
        for (size_t k = 0; k < t->samples; k++)
            y[k] += sd * rms * n[k];
    }
    free(n);
}

/* The verdicts on a recording of j with noise, one an equation. */
static void verdicts(darc_verdict *v, const char *model, const simulation *j,
                     double sd, uint64_t seed)
{
    darc_model *m;
    darc_ioeqs_t io;
    darc_weakcheck_options o;
    darc_weakcheck_options_init(&o);
    darc_table *t = simulation_make(j);
    disturb(t, sd, seed);
    ck_assert_int_eq(darc_model_parse(&m, model, strlen(model), "text", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init(io, m, NULL, DARC_ENGINE_AUTO, NULL, NULL),
                     DARC_OK);
    for (int e = 0; e < io->count; e++) {
        darc_weakcheck out;
        ck_assert_int_eq(
            darc_weakcheck_structure(&out, m, io, e, t, &o, NULL, NULL),
            DARC_OK);
        v[e] = out.decision.verdict;
        darc_weakcheck_clear(&out);
    }
    darc_ioeqs_clear(io);
    darc_model_free(m);
    darc_table_free(t);
}

/* Noise enters a candidate term as well as the residual: what they share is
 * no missing term. */
START_TEST(noise_in_all_signals_is_no_missing_term)
{
    static const double sd[] = {1e-3, 1e-2, 3e-2};
    int consistent = 0;
    for (int i = 0; i < 3; i++) {
        darc_verdict v[2];
        verdicts(v, DRIVE(""), &drive, sd[i], 1 + (uint64_t)i);
        for (int e = 0; e < 2; e++) {
            ck_assert_int_ne(v[e], DARC_INCONSISTENT);
            consistent += v[e] == DARC_CONSISTENT;
        }
    }
    ck_assert_int_ge(consistent, 4);
}
END_TEST

/* Noise below 15 Hz that leaves no level end of a spectrum: how large it is
 * cannot be told, and its size refutes nothing. */
START_TEST(noise_of_unknown_size_refutes_nothing)
{
    weakbench b;
    darc_weakcheck out;
    weakbench_open(&b, model_quarter, 0);
    uint64_t seed = UINT64_C(0x9E3779B97F4A7C15) * 71;
    b.exact = seed;
    b.state = seed ^ 0x5bd1e995;
    case_uniform(&b.exact);
    case_options o = weakbench_usual;
    o.seconds = 20;
    o.rate = 1000;
    o.kind = NOISE_LOWPASS;
    darc_table *t = weakbench_record(&b, &o);
    darc_weakcheck_options w = weakbench_tolerance(0);
    weakbench_structure(&out, &b, t, &w);
    ck_assert_msg(out.decision.verdict != DARC_INCONSISTENT, "%s",
                  out.decision.reason);
    darc_weakcheck_clear(&out);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(a_missing_cube_is_seen_through_noise)
{
    simulation j = drive;
    darc_verdict v[2];
    j.param = "R=1 L=0.01 k=0.1 J=0.002 b=0.002 q=2e-6";
    verdicts(v, DRIVE(""), &j, 1e-2, 4);
    ck_assert_int_eq(v[0], DARC_INCONSISTENT); /* of the rotor */
    ck_assert_int_eq(v[1], DARC_CONSISTENT);   /* of the armature */
}
END_TEST

/* No candidate stands for a second mass: far more than the noise above the
 * band is a misfit, more is undecided, and nothing makes it consistent. */
START_TEST(a_hidden_mass_is_not_taken_for_noise)
{
    darc_verdict v;
    verdicts(&v, one_mass, &masses, 1e-3, 1);
    ck_assert_int_eq(v, DARC_INCONSISTENT);
    verdicts(&v, one_mass, &masses, 1e-2, 2);
    ck_assert_int_ne(v, DARC_CONSISTENT);
}
END_TEST

Suite *suite_weakdoubt(void)
{
    Suite *s = suite_create("weakdoubt");
    TCase *c = tcase_create("weakdoubt");
    tcase_add_test(c, noise_in_all_signals_is_no_missing_term);
    tcase_add_test(c, noise_of_unknown_size_refutes_nothing);
    tcase_add_test(c, a_missing_cube_is_seen_through_noise);
    tcase_add_test(c, a_hidden_mass_is_not_taken_for_noise);
    suite_add_tcase(s, c);
    return s;
}
