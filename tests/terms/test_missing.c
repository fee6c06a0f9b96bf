/* Terms that are missing are found and named; where none is, none is. */
#include "tests.h"

#include "models.h"
#include "recording.h"
#include "simulation.h"
#include "terms/jumps.h"
#include "terms/missing.h"
#include "weakbench.h"

#include <math.h>
#include <string.h>

static const char oscillator[] =
    "model oscillator\nparameters\n m d k k3\noutputs\n y\ninputs\n u\n"
    "equations\n m*y'' + d*y' + k*y + k3*y^3 = u\n";

static const char lag[] = "model lag\nparameters\n T K\ninputs\n u\noutputs\n "
                          "y\nequations\n T*y' + y = K*u\n";

static int unknown_of(const weakbench *b, const char *name)
{
    const darc_names_struct *names = b->x.io->jet->names;
    int u = 0;
    while (u < names->count && strcmp(names->symbol[u].name, name) != 0)
        u++;
    return u;
}

/* Try the candidates on a recording; the fit tests at level .01. */
static void find(darc_missings *m, bool *misfit, const weakbench *b,
                 const darc_table *t)
{
    darc_fit f;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_fit_init(&f, &b->x, t, 0.01, &err);
    if (status == DARC_OK)
        status = darc_missing_find(m, &f, &b->x, t, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    *misfit = f.misfit;
    darc_fit_clear(&f);
}

static void named(const darc_missing *m, const weakbench *b, const char *want)
{
    darc_text_t t;
    darc_text_init(t);
    darc_candidate_print(t, &m->what, b->io->jet->names);
    ck_assert_str_eq(t->s, want);
    darc_text_clear(t);
}

/* Holm's correction keeps the probability of any false name at alpha: of 25
 * right recordings more than 4 at .05 have p = .007. */
START_TEST(nothing_is_found_where_nothing_is_missing)
{
    int false_names = 0;
    weakbench b;
    case_options brief = weakbench_usual;
    brief.seconds = 4;
    brief.rate = 250;
    weakbench_open(&b, model_quarter, 0);
    for (int run = 0; run < 25; run++) {
        darc_missings m;
        bool misfit, any = false;
        darc_table *t = weakbench_record(&b, &brief);
        find(&m, &misfit, &b, t);
        ck_assert(m.tested == m.count && m.count > 10);
        for (int i = 0; i < m.count; i++) {
            any = any || m.term[i].p_value < 0.05;
            ck_assert(m.term[i].p_value <= 1 && m.term[i].explains <= 1);
            ck_assert(i == 0 || m.term[i].drop <= m.term[i - 1].drop);
        }
        false_names += any;
        darc_missing_clear(&m);
        weakbench_release(t);
    }
    ck_assert_int_le(false_names, 4);
    weakbench_close(&b);
}
END_TEST

/* From one that the residual does not show, of which a square with a sign
 * explains as much, to one that is a misfit. */
START_TEST(a_cube_is_found_and_named)
{
    static const double share[] = {0.004, 0.02, 0.2};
    weakbench b;
    darc_missings m;
    bool misfit;
    case_options o = weakbench_usual;
    weakbench_open(&b, model_quarter, 0);
    o.missing = share[_i];
    darc_table *t = weakbench_record(&b, &o);
    find(&m, &misfit, &b, t);
    ck_assert_int_eq(misfit, _i > 0);
    const darc_missing *cube = m.term + (m.term->what.count > 1);
    ck_assert(misfit ? cube == m.term : cube->z2 > m.term->z2 - 6.6);
    named(cube, &b, "z^3");
    ck_assert_double_lt(cube->p_value, 1e-3);
    ck_assert_double_gt(cube->z2, 12);
    if (misfit)
        ck_assert_double_gt(m.term->explains, 0.6);
    darc_missing_clear(&m);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* What a sensor does is named as such. */
START_TEST(a_late_signal_is_a_lag)
{
    weakbench b;
    darc_missings m;
    bool misfit;
    case_options o = {
        .seconds = 40, .rate = 250, .noise = 0.002, .scale = {1, 1, 1, 1}};
    weakbench_open(&b, oscillator, 0);
    darc_table *t = weakbench_case(&b, CASE_DUFFING, "yu", &o);
    double *u = t->signal[1].value;
    for (size_t k = t->samples - 1; k >= 3; k--)
        u[k] = u[k - 3];
    find(&m, &misfit, &b, t);
    ck_assert(misfit);
    ck_assert_double_lt(m.term->p_value, 0.01);
    ck_assert(m.term->what.kind == DARC_CANDIDATE_LAG ||
              m.term->what.f[0].d.order > 0);
    darc_missing_clear(&m);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* Of two equations the one that lacks it; with its value, over the coefficient
 * that is 1. */
START_TEST(the_equation_is_named_too)
{
    static const char plant[] =
        "model plant\nstates\n x y\nparameters\n a b c q\ninputs\n u\n"
        "outputs\n v w\nequations\n x' = u - a*x - b*y\n"
        " y' = b*x - c*y - q*y^3\n v = x\n w = y\n";
    static const char linear[] =
        "model plant\nstates\n x y\nparameters\n a b c d\ninputs\n u\n"
        "outputs\n v w\nequations\n x' = u - a*x - d*y\n"
        " y' = b*x - c*y\n v = x\n w = y\n";
    simulation j = {.model = plant,
                    .param = "a=1 b=2 c=.5 q=.1",
                    .init = "",
                    .input = "u=multisine:3,0.1,2",
                    .t_end = 60,
                    .rate = 50,
                    .noise = 0.005,
                    .rtol = 1e-10,
                    .seed = 3};
    weakbench b;
    darc_missings m;
    bool misfit;
    darc_table *t = simulation_make(&j);
    weakbench_open(&b, linear, 0);
    ck_assert_int_eq(b.io->count, 2);
    find(&m, &misfit, &b, t);
    ck_assert(misfit);
    named(m.term, &b, "w^3");
    int u = b.io->eq[m.term->equation].leader.unknown;
    ck_assert_str_eq(b.io->jet->names->symbol[u].name, "w");
    ck_assert_double_lt(m.term->p_value, 1e-3);
    darc_missing_clear(&m);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* A step response, then rest, where noise makes the sign of y': it was found
 * missing by 7 standard deviations. */
START_TEST(rest_has_no_sign)
{
    static const char plant[] =
        "model m\nparameters\n w d K\ninputs\n u\noutputs\n y\n"
        "equations\n y'' + d*y' + w*y = K*u\n";
    simulation j = {.model = plant,
                    .param = "w=100 d=3 K=100",
                    .init = "",
                    .input = "u=step:1,0.5",
                    .t_end = 80,
                    .rate = 50,
                    .noise = 0.002,
                    .rtol = 1e-10,
                    .seed = 3};
    weakbench b;
    darc_missings m;
    bool misfit, any = false;
    darc_table *t = simulation_make(&j);
    weakbench_open(&b, plant, 0);
    find(&m, &misfit, &b, t);
    ck_assert(!misfit);
    for (int i = 0; i < m.count; i++) {
        any = any || m.term[i].what.f[0].sign;
        ck_assert_double_gt(m.term[i].p_value, 1e-3);
    }
    ck_assert(any);
    darc_missing_clear(&m);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Noise of a twentieth is in the sign of a derivative too, as in the residual:
 * sign(y') was missing by two standard deviations on the average. */
START_TEST(noise_inside_a_sign_is_no_bias)
{
    static const char plant[] =
        "model low_pass\nparameters\n T K\ninputs\n u\noutputs\n y\n"
        "equations\n T*y' + y = K*u\n";
    simulation j = {.model = plant,
                    .param = "T=.3 K=2",
                    .init = "",
                    .input = "u=constant:.2+multisine:1,.08,2",
                    .t_end = 100,
                    .rate = 50,
                    .noise = 0.05,
                    .rtol = 1e-9};
    enum { RUNS = 8 };
    double sum = 0;
    weakbench b;
    weakbench_open(&b, plant, 0);
    for (j.seed = 1; j.seed <= RUNS; j.seed++) {
        darc_missings m;
        bool misfit;
        darc_table *t = simulation_make(&j);
        find(&m, &misfit, &b, t);
        for (int i = 0; i < m.count; i++) {
            const darc_candidate *c = &m.term[i].what;
            if (c->count == 1 && c->f[0].sign && c->f[0].d.order == 1)
                sum += m.term[i].value / m.term[i].sd;
        }
        darc_missing_clear(&m);
        darc_table_free(t);
    }
    weakbench_close(&b);
    ck_assert_double_ne(sum, 0);
    ck_assert_double_lt(fabs(sum / RUNS), 1.2);
}
END_TEST

/* A constant that is missing colours what is left, which has shifts for all
 * terms but for that. */
START_TEST(a_constant_is_found_beside_its_own_colour)
{
    static const char plant[] = "model low_pass\nparameters\n T K c\n"
                                "inputs\n u\noutputs\n y\n"
                                "equations\n T*y' + y = K*u + c\n";
    static const char lacks[] = "model low_pass\nparameters\n T K\n"
                                "inputs\n u\noutputs\n y\n"
                                "equations\n T*y' + y = K*u\n";
    simulation j = {.model = plant,
                    .param = "T=.3 K=2 c=.05",
                    .init = "y=.05",
                    .input = "u=multisine:1,.08,2",
                    .t_end = 60,
                    .rate = 30,
                    .noise = 0.01,
                    .rtol = 1e-9,
                    .seed = 4};
    weakbench b;
    darc_missings m;
    bool misfit, found = false;
    darc_table *t = simulation_make(&j);
    weakbench_open(&b, lacks, 0);
    find(&m, &misfit, &b, t);
    ck_assert(m.coloured);
    for (int i = 0; i < m.count; i++)
        found =
            found || (m.term[i].what.kind == DARC_CANDIDATE_TERM &&
                      m.term[i].what.count == 0 && m.term[i].p_value < 1e-4);
    ck_assert(found);
    darc_missing_clear(&m);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

/* Of an input of two values every power is a constant, which is a candidate
 * itself. */
START_TEST(powers_of_a_switch_are_none)
{
    enum { SAMPLES = 1200, BIT = 12 };
    static double x[2][SAMPLES];
    const char *name[] = {"u", "y"};
    const double *value[] = {x[0], x[1]};
    uint64_t state = 7;
    double u = 1, y = 0, slow = 0, e = exp(-0.1);
    for (int i = 0; i < SAMPLES; i++) {
        u = i % BIT > 0 ? u : case_uniform(&state) > 0.5 ? 1 : -1;
        slow = 0.99 * slow + 0.005 * case_normal(&state);
        x[0][i] = u;
        x[1][i] = y + slow + 0.01 * case_normal(&state);
        y = e * y + (1 - e) * u;
    }
    weakbench b;
    darc_missings m;
    bool misfit, constant = false;
    darc_table *t = recording_of(SAMPLES, 10, 2, name, value);
    weakbench_open(&b, lag, 0);
    find(&m, &misfit, &b, t);
    for (int i = 0; i < m.count; i++) {
        const darc_candidate *c = &m.term[i].what;
        constant = constant || darc_candidate_is_constant(c);
        ck_assert(c->kind != DARC_CANDIDATE_TERM || c->count != 1 ||
                  c->f[0].power != 2 ||
                  c->f[0].d.unknown != unknown_of(&b, "u") ||
                  c->f[0].d.order > 0 || c->f[0].sign);
    }
    ck_assert(constant);
    darc_missing_clear(&m);
    weakbench_close(&b);
    darc_table_free(t);
}
END_TEST

START_TEST(terms_of_the_user_alone_are_tried)
{
    static const char *const terms[] = {"z^3", "a*z"};
    static const char *const wrong[] = {"q^3", "z'''''^3"};
    weakbench b;
    darc_missings m;
    bool misfit;
    case_options o = weakbench_usual;
    weakbench_open(&b, model_quarter, 0);
    o.missing = 0.01;
    darc_table *t = weakbench_record(&b, &o);
    b.by.against = 2;
    b.by.against_term = terms;
    find(&m, &misfit, &b, t);
    ck_assert_int_eq(m.tested, 2);
    named(m.term, &b, "z^3");
    ck_assert_double_lt(m.term[0].p_value, 1e-4);
    ck_assert_double_gt(m.term[1].p_value, 1e-3);
    darc_missing_clear(&m);
    b.by.against = 1;
    for (int i = 0; i < 2; i++) {
        darc_fit f;
        darc_err err;
        darc_err_init(&err);
        b.by.against_term = wrong + i;
        ck_assert_int_eq(darc_fit_init(&f, &b.x, t, 0.01, NULL), DARC_OK);
        ck_assert_int_eq(darc_missing_find(&m, &f, &b.x, t, &err), DARC_USAGE);
        ck_assert_ptr_nonnull(strstr(err.message, "--against: term '"));
        ck_assert_ptr_nonnull(strstr(err.message, wrong[i]));
        darc_missing_clear(&m);
        darc_fit_clear(&f);
    }
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

static const char linear[] =
    "model linear\nparameters\n m d k\noutputs\n y\ninputs\n u\n"
    "equations\n m*y'' + d*y' + k*y = u\n";

/* A hardening spring; every thirtieth row is lost. */
static darc_table *with_lost_rows(uint64_t state)
{
    enum { ROWS = 1000, STEPS = 40 };
    darc_text_t csv = DARC_TEXT;
    darc_table *t = NULL;
    double y = 0, v = 0, h = 0.04 / STEPS;
    darc_text_puts(csv, "time,u,y\n");
    for (int k = 0; k < ROWS * STEPS; k++) {
        double u = 0;
        for (int m = 1; m < 8; m++)
            u += sin(0.7 * m * k * h + m * m);
        if (k % STEPS == 0 && k / STEPS % 30 != 7)
            darc_text_printf(csv, "%.9g,%.9g,%.9g\n", k * h, u,
                             y + 0.004 * case_normal(&state));
        v += h * (u - 4 * y - 0.6 * v - 0.5 * y * y * y);
        y += h * v;
    }
    darc_load_options o = {.from = NAN, .to = NAN, .bridge = true};
    ck_assert_int_eq(recording_load(&t, csv->s, csv->len, &o, NULL), DARC_OK);
    darc_text_clear(csv);
    return t;
}

/* Derivatives inside products need uniform time; other terms do not. */
START_TEST(lost_rows_leave_out_derivatives_alone)
{
    weakbench b;
    darc_missings m;
    bool misfit;
    weakbench_open(&b, linear, 0);
    darc_table *t = with_lost_rows(1);
    find(&m, &misfit, &b, t);
    ck_assert_int_gt(m.tested, 3);
    named(m.term, &b, "y^3");
    ck_assert_double_lt(m.term->p_value, 1e-6);
    for (int i = 0; i < m.count; i++)
        for (int k = 0; k < m.term[i].what.count; k++)
            ck_assert(!m.term[i].what.f[k].sign ||
                      m.term[i].what.f[k].d.order == 0);
    darc_missing_clear(&m);
    darc_table_free(t);
    weakbench_close(&b);
}
END_TEST

Suite *suite_missing(void)
{
    Suite *s = suite_create("missing");
    TCase *c = tcase_create("missing");
    tcase_add_test(c, nothing_is_found_where_nothing_is_missing);
    tcase_add_loop_test(c, a_cube_is_found_and_named, 0, 3);
    tcase_add_test(c, a_late_signal_is_a_lag);
    tcase_add_test(c, the_equation_is_named_too);
    tcase_add_test(c, rest_has_no_sign);
    tcase_add_test(c, noise_inside_a_sign_is_no_bias);
    tcase_add_test(c, a_constant_is_found_beside_its_own_colour);
    tcase_add_test(c, powers_of_a_switch_are_none);
    tcase_add_test(c, terms_of_the_user_alone_are_tried);
    tcase_add_test(c, lost_rows_leave_out_derivatives_alone);
    suite_add_tcase(s, c);
    return s;
}
