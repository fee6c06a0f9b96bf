/* Equations of more terms than coefficients can be fitted to. */
#include "tests.h"

#include "coefficient/blackbox.h"
#include "data/table.h"
#include "decide/moments.h"
#include "decide/thresholds.h"
#include "decide/wide.h"
#include "diagnose/drift.h"
#include "diagnose/isolate.h"
#include "draw.h"
#include "eliminate/eliminate.h"
#include "models.h"
#include "recording.h"
#include "session/state.h"
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4000, SIGNALS = 5, DEGREE = 4, TERMS = 71 };

static const char *const signal_name[] = {"y", "u", "v", "w", "z"};

static const double dt = 0.01;

/* y' = sum of all monomials up to degree 4 in y, u, v, w, each with a
 * parameter of its own: 70 of them, and the derivative.  two: and z' = v - q*z.
 */
static darc_model *black_box(bool two)
{
    darc_text_t t, sum;
    darc_text_init(t);
    darc_text_init(sum);
    darc_text_puts(t, two ? "model box\noutputs\n y z\n"
                          : "model box\noutputs\n y\n");
    darc_text_puts(t, "inputs\n u v w\nparameters\n");
    int k = 0;
    for (int a = 0; a <= DEGREE; a++)
        for (int b = 0; a + b <= DEGREE; b++)
            for (int c = 0; a + b + c <= DEGREE; c++)
                for (int d = 0; a + b + c + d <= DEGREE; d++, k++) {
                    darc_text_printf(t, " p%d", k);
                    darc_text_printf(sum, "%s p%d*y^%d*u^%d*v^%d*w^%d",
                                     k > 0 ? " +" : "", k, a, b, c, d);
                }
    darc_text_printf(t, "%s\nequations\n y' =%s\n%s", two ? " q" : "", sum->s,
                     two ? " z' = v - q*z\n" : "");
    darc_model *m = model_of(t->s);
    darc_text_clear(t);
    darc_text_clear(sum);
    return m;
}

/* A sum of sines of 0.2 to 3 Hz and its derivative. */
static void multisine(double *x, double *dx, uint64_t *state)
{
    enum { SINES = 6 };
    memset(x, 0, SAMPLES * sizeof *x);
    memset(dx, 0, SAMPLES * sizeof *dx);
    for (int s = 0; s < SINES; s++) {
        double w = 6.283185307179586 * (0.2 + 2.8 * draw_uniform(state));
        double phase = 6.283185307179586 * draw_uniform(state);
        for (int i = 0; i < SAMPLES; i++) {
            x[i] += 0.5 * sin(w * i * dt + phase);
            dx[i] += 0.5 * w * cos(w * i * dt + phase);
        }
    }
}

/* A recording of y' = gain*w - y + u*v/2 - 0.3*y^3 + memory*u'*v. */
typedef struct {
    uint64_t seed;
    double noise, gain, memory;
    int signals; /* that move; w does in any case */
    double keep; /* of a sample of noise in the next one */
} law;

/* q > 0: z follows v.  sd (NULL: nobody asks) becomes the larger of it and that
 * of the noise. */
static darc_table *record_two(const law *l, double q, double *sd)
{
    static double x[SIGNALS][SAMPLES], d[SIGNALS][SAMPLES];
    const double *value[SIGNALS];
    uint64_t state = l->seed, noise = l->seed + 77;
    memset(x, 0, sizeof x);
    memset(d, 0, sizeof d);
    for (int s = 0; s < SIGNALS - 1 && s < l->signals; s++)
        multisine(x[s], d[s], &state);
    for (int i = 0; i < SAMPLES && q > 0; i++) {
        x[4][i] = 0.1 * x[2][i];
        x[2][i] = 0.1 * d[2][i] + q * x[4][i];
    }
    for (int i = 0; i < SAMPLES; i++) {
        double y = x[0][i], uv = x[1][i] * x[2][i];
        x[3][i] = (d[0][i] + y - uv / 2 + 0.3 * y * y * y -
                   l->memory * d[1][i] * x[2][i]) /
                  l->gain;
    }
    for (int s = 0; s < SIGNALS; s++) {
        double square = 0;
        for (int i = 0; i < SAMPLES; i++)
            square += x[s][i] * x[s][i] / SAMPLES;
        double size = l->noise * sqrt(square);
        double n = 0, new = sqrt(1 - l->keep * l->keep);
        for (int i = 0; i < SAMPLES; i++) {
            n = l->keep * n + new *draw_normal(&noise);
            x[s][i] += size * n;
        }
        if (sd != NULL)
            sd[s] = fmax(sd[s], size);
        value[s] = x[s];
    }
    return recording_of(SAMPLES, 1 / dt, SIGNALS, signal_name, value);
}

static darc_table *record(const law *l, double *sd)
{
    return record_two(l, 0, sd);
}

typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
} box;

static void box_open(box *b, bool two)
{
    b->model = black_box(two);
    ck_assert_int_eq(
        darc_ioeqs_init(b->io, b->model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    if (!two)
        ck_assert_int_eq(b->io->eq[0].part->count, TERMS);
}

static void box_close(box *b)
{
    darc_ioeqs_clear(b->io);
    darc_model_free(b->model);
}

/* Give c the noise sd of the signals; to be freed. */
static double *give_noise(darc_criteria *c, const box *b, const double *sd)
{
    const darc_names_struct *names = b->io->jet->names;
    double *by_unknown = calloc((size_t)names->count, sizeof *by_unknown);
    for (int s = 0; s < SIGNALS; s++) {
        int u = darc_names_find(names, signal_name[s], 1);
        if (u >= 0)
            by_unknown[u] = sd[s];
    }
    c->noise_sd = by_unknown;
    return by_unknown;
}

static darc_question question(const box *b, const darc_criteria *c)
{
    static const int first = 0;
    return (darc_question){.model = b->model,
                           .io = b->io,
                           .equations = 1,
                           .equation = &first,
                           .by = c};
}

/* given: the noise is; spectra do not tell noise from lines. */
static void hold(darc_judgement *out, const box *b, const law *l,
                 double tolerance, bool given)
{
    darc_err err;
    darc_err_init(&err);
    darc_criteria c;
    darc_criteria_init(&c);
    c.tolerance = tolerance;
    double sd[SIGNALS] = {0};
    darc_table *t = record(l, sd);
    double *by_unknown = given ? give_noise(&c, b, sd) : NULL;
    darc_question x = question(b, &c);
    darc_status status = darc_wide_structure(out, &x, t, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    free(by_unknown);
    darc_table_free(t);
}

static void structure(darc_judgement *out, const box *b, const law *l,
                      double tolerance)
{
    hold(out, b, l, tolerance, true);
}

START_TEST(a_right_structure_of_many_terms_is_consistent)
{
    static const double noise[] = {0, 0.001, 0.01};
    box b;
    box_open(&b, false);
    for (int i = 0; i < 3; i++) {
        darc_judgement out;
        structure(&out, &b, &(law){1, noise[i], 1, 0, 3, 0}, 0);
        ck_assert_int_eq(out.decision.verdict, DARC_CONSISTENT);
        ck_assert_double_lt(out.decision.detectable, DARC_MEANING);
        ck_assert_int_eq(out.equations, 1);
        ck_assert_int_eq(out.equation->terms, TERMS);
        ck_assert_int_eq(out.equation->order, 1);
        ck_assert_str_eq(out.equation->form,
                         "71 terms, each with a coefficient of its own");
        ck_assert_int_eq(out.equation->decision.verdict, DARC_CONSISTENT);
        darc_judgement_clear(&out);
    }
    box_close(&b);
}
END_TEST

START_TEST(a_wrong_structure_of_many_terms_is_inconsistent)
{
    box b;
    darc_judgement out;
    box_open(&b, false);
    structure(&out, &b, &(law){1, 0, 1, 0.1, 3, 0}, 0);
    ck_assert_int_eq(out.decision.verdict, DARC_INCONSISTENT);
    ck_assert_double_lt(out.decision.p_value, 1e-30);
    darc_judgement_clear(&out);

    law noisy = {1, 0.01, 1, 0.3, 3, 0};
    structure(&out, &b, &noisy, 0);
    ck_assert_int_eq(out.decision.verdict, DARC_INCONSISTENT);
    double low = out.decision.defect_low;
    ck_assert_double_gt(low, 0);
    ck_assert_double_lt(low, out.decision.defect);
    darc_judgement_clear(&out);
    structure(&out, &b, &noisy, low * 0.9); /* a tolerance */
    ck_assert_int_eq(out.decision.verdict, DARC_INCONSISTENT);
    darc_judgement_clear(&out);
    structure(&out, &b, &noisy, low * 1.1);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    darc_judgement_clear(&out);
    box_close(&b);
}
END_TEST

/* Whatever is wrong, signals that do not move the terms show nothing. */
START_TEST(a_poor_recording_is_undecided)
{
    box b;
    darc_judgement out;
    box_open(&b, false);
    for (int signals = 1; signals < 4; signals++) {
        structure(&out, &b,
                  &(law){1, signals == 3 ? 0.3 : 0.01, 1, 1, signals, 0}, 0);
        ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
        int terms, moved;
        ck_assert_int_eq(sscanf(out.decision.reason,
                                "%d terms, of which the recording moves %d",
                                &terms, &moved),
                         2);
        ck_assert_int_eq(terms, TERMS);
        ck_assert_int_ge(moved, 1);
        ck_assert_int_lt(moved, TERMS - 1);
        darc_judgement_clear(&out);
    }
    box_close(&b);
}
END_TEST

/* What is not fitted is not compared, and the answer says so. */
START_TEST(many_coefficients_are_not_compared)
{
    darc_judgement out;
    darc_criteria c;
    box b;
    box_open(&b, false);
    darc_criteria_init(&c);
    darc_question x = question(&b, &c);
    darc_wide_pair(&out, &x);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(out.decision.reason,
                                 "'y' has 71 terms, and recordings are "
                                 "compared by coefficients of up to 64"));
    ck_assert_int_eq(out.equation->terms, TERMS);
    darc_judgement_clear(&out);
    box_close(&b);
}
END_TEST

/* changed: the parameter that changes from a to b, NULL: none that a fitted
 * equation shows; two: such a one stands beside the wide one. */
static void isolate(const law *a, const law *b, bool two, double q,
                    const char *changed)
{
    box k;
    darc_criteria c;
    darc_isolate out;
    box_open(&k, two);
    darc_criteria_init(&c);
    double sd[SIGNALS] = {0};
    darc_table *t[2] = {record_two(a, two ? 2 : 0, sd), record_two(b, q, sd)};
    double *by_unknown = give_noise(&c, &k, sd);
    darc_question x = question(&k, &c);
    int narrow = two && darc_wide_is(k.io, 0);
    x.equations = two;
    x.equation = &narrow;
    ck_assert_int_eq(
        darc_isolate_run(&out, &x, (const darc_table *const *)t, NULL, NULL),
        DARC_OK);
    if (changed == NULL) {
        ck_assert_int_eq(out.equal.verdict, DARC_UNDECIDED);
        ck_assert_ptr_nonnull(strstr(out.equal.reason, "'y' has 71 terms"));
        ck_assert_int_eq(out.candidates, 0);
    } else {
        ck_assert_int_eq(out.equal.verdict, DARC_INCONSISTENT);
        ck_assert_int_eq(out.candidates, 71);
        ck_assert_int_eq(out.diagnosis, 1);
        int u = out.candidate[0].changed.parameter[0];
        ck_assert_str_eq(k.io->jet->names->symbol[u].name, changed);
        ck_assert_int_eq(out.candidate[0].decision.verdict, DARC_UNDECIDED);
    }
    ck_assert_int_eq(out.estimates, two);
    darc_isolate_clear(&out);
    free(by_unknown);
    darc_table_free(t[0]);
    darc_table_free(t[1]);
    box_close(&k);
}

START_TEST(nothing_is_isolated_by_a_wide_equation)
{
    law a = {1, 0.01, 1, 0, 3, 0}, b = {2, 0.01, 2, 0, 3, 0};
    isolate(&a, &b, false, 0, NULL);
}
END_TEST

START_TEST(a_parameter_is_isolated_beside_a_wide_equation)
{
    law a = {1, 0.005, 1, 0, 3, 0}, b = {2, 0.005, 1, 0, 3, 0};
    isolate(&a, &b, true, 2.5, "q");
    b.gain = 2;
    isolate(&a, &b, true, 2, NULL);
}
END_TEST

START_TEST(constant_signals_are_undecided)
{
    box b;
    darc_judgement out;
    box_open(&b, false);
    structure(&out, &b, &(law){1, 0, 1, 0, 0, 0}, 0);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(out.decision.reason, "no signal moves"));
    darc_judgement_clear(&out);
    box_close(&b);
}
END_TEST

START_TEST(right_structures_are_not_rejected)
{
    enum { RUNS = 12 };
    box b;
    box_open(&b, false);
    for (uint64_t i = 0; i < RUNS; i++) {
        darc_judgement out;
        structure(&out, &b, &(law){100 + i, 0.02, 1, 0, 3, 0}, 0);
        ck_assert_int_ne(out.decision.verdict, DARC_INCONSISTENT);
        ck_assert_double_lt(out.decision.statistic, 2);
        darc_judgement_clear(&out);
    }
    box_close(&b);
}
END_TEST

/* Noise that lies in the band of the signals is no defect. */
START_TEST(coloured_noise_does_not_reject)
{
    static const double keep[] = {0, 0.9, 0.99, 0.999};
    box b;
    box_open(&b, false);
    for (int i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            darc_judgement out;
            law l = {seed, 0.01, 1, 0, 3, keep[i]};
            hold(&out, &b, &l, 0, false);
            ck_assert_int_ne(out.decision.verdict, DARC_INCONSISTENT);
            darc_judgement_clear(&out);
        }
    box_close(&b);
}
END_TEST

/* Two independent columns and their difference, with errors of 1 in each
 * entry: the relation leaves noise alone. */
START_TEST(a_relation_of_columns_leaves_their_errors)
{
    enum { ROWS = 500, N = 3 };
    static double w[N * ROWS];
    uint64_t state = 5;
    double t[N * N] = {0}, value[N], c[N];
    for (int i = 0; i < ROWS; i++) {
        w[i] = 10 * draw_normal(&state);
        w[ROWS + i] = 10 * draw_normal(&state);
        w[2 * ROWS + i] = w[i] - w[ROWS + i];
        for (int j = 0; j < N; j++)
            w[j * ROWS + i] += draw_normal(&state);
    }
    for (int j = 0; j < N; j++)
        t[j * N + j] = ROWS;
    ck_assert(darc_pencil_values(value, c, w, ROWS, t, N));
    ck_assert_double_eq_tol(value[0], 1, 4 * sqrt(2.0 / ROWS));
    ck_assert_double_gt(value[1], 50);
    ck_assert_double_ge(value[2], value[1]);
    ck_assert_double_eq_tol(c[1] / c[0], -1, 0.05);
    ck_assert_double_eq_tol(c[2] / c[0], -1, 0.05);

    for (int i = 0; i < ROWS; i++)
        w[2 * ROWS + i] = draw_normal(&state) * 10;
    ck_assert(darc_pencil_values(value, c, w, ROWS, t, N));
    ck_assert_double_gt(value[0], 50);
    memset(w, 0, ROWS * sizeof *w); /* a column that is 0 is a relation */
    ck_assert(darc_pencil_values(value, c, w, ROWS, t, N));
    ck_assert_double_lt(value[0], 1e-20);
}
END_TEST

START_TEST(drift_refuses_many_coefficients)
{
    box b;
    box_open(&b, false);
    darc_drift out;
    darc_err err;
    darc_err_init(&err);
    darc_criteria c;
    darc_criteria_init(&c);
    darc_drift_source source = {.recordings = 2, .threads = 1};
    ck_assert_int_eq(
        darc_drift_run(&out,
                       &(darc_question){.model = b.model, .io = b.io, .by = &c},
                       &source, &err),
        DARC_LIMIT);
    ck_assert_ptr_nonnull(
        strstr(err.message, "'y' has 71 terms, and follows the coefficients "
                            "of up to 64; check equal"));
    box_close(&b);
}
END_TEST

/* ---- equations that are not expanded ------------------------------------- */

/* y'' and u' have one coefficient, up to the sign. */
START_TEST(monomials_with_one_coefficient_are_joined)
{
    static const char text[] =
        "model m\nstates\n x1 x2\ninputs\n u\noutputs\n y\nparameters\n"
        " a b c\nequations\n x1' = -(a + b)*x1 + c*x2 + u\n"
        " x2' = b*x1 - c*x2\n y = x1\n";
    darc_model *m = model_of(text);
    darc_ioeqs_t io;
    ck_assert_int_eq(darc_ioeqs_init_support(io, m, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(io->eq[0].part->count, 5);
    ck_assert_int_eq(darc_ioeqs_group_support(io, m, 1, NULL, NULL), DARC_OK);
    ck_assert_int_eq(io->eq[0].part->count, 5); /* too much work */
    ck_assert_int_eq(darc_ioeqs_group_support(io, m, 1e6, NULL, NULL), DARC_OK);
    ck_assert_int_eq(io->eq[0].part->count, 4);
    darc_text_t t;
    darc_text_init(t);
    darc_dpoly_print(t, io->eq[0].part->p, io->jet);
    ck_assert_str_eq(t->s, "y'' - u'");
    darc_text_clear(t);
    darc_ioeqs_clear(io);
    darc_model_free(m);
}
END_TEST

START_TEST(monomials_are_joined_as_in_expanded_equations)
{
    static const char *const text[] = {model_crn, model_lorenz};
    for (int i = 0; i < 2; i++) {
        darc_model *m = model_of(text[i]);
        darc_ioeqs_t io, support;

        ck_assert_int_eq(
            darc_ioeqs_init(io, m, NULL, DARC_ENGINE_AUTO, NULL, NULL),
            DARC_OK);
        ck_assert_int_eq(darc_ioeqs_init_support(support, m, NULL, NULL, NULL),
                         DARC_OK);
        slong single = support->eq[0].part->count;
        ck_assert_int_eq(darc_ioeqs_group_support(support, m, 1e8, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(support->count, io->count);
        for (int e = 0; e < io->count; e++)
            ck_assert_int_eq(support->eq[e].part->count, io->eq[e].part->count);

        ck_assert_int_lt(support->eq[0].part->count, single);
        darc_ioeqs_clear(io);
        darc_ioeqs_clear(support);
        darc_model_free(m);
    }
}
END_TEST

/* y' + a*y - b*u - d = 0, by a state that is no polynomial of signals; with d =
 * a*b its coefficients obey a relation. */
START_TEST(free_coefficients_need_free_parameters)
{
    static const char *const text[] = {
        "model m\nstates\n z\ninputs\n u\noutputs\n y\nparameters\n"
        " a b d\nequations\n z' = a*z - (b*u + d)*z^2\n y*z = 1\n",
        "model m\nstates\n z\ninputs\n u\noutputs\n y\nparameters\n"
        " a b\nequations\n z' = a*z - (b*u + a*b)*z^2\n y*z = 1\n"};
    static double y[SAMPLES], dy[SAMPLES], u[SAMPLES];
    uint64_t state = 9;
    multisine(y, dy, &state);
    for (int i = 0; i < SAMPLES; i++) {
        u[i] = (dy[i] + 2 * y[i] - 6) / 3 + 0.01 * draw_normal(&state);
        y[i] += 0.01 * draw_normal(&state);
    }
    darc_table *t =
        recording_of(SAMPLES, 1 / dt, 2, (const char *const[]){"y", "u"},
                     (const double *const[]){y, u});
    for (int i = 0; i < 2; i++) {
        box b = {.model = model_of(text[i])};
        darc_judgement out;
        darc_criteria c;
        darc_criteria_init(&c);
        ck_assert_int_eq(
            darc_ioeqs_init_support(b.io, b.model, NULL, NULL, NULL), DARC_OK);
        ck_assert(!b.io->eq[0].expanded);
        darc_question x = question(&b, &c);
        ck_assert_int_eq(darc_judge_structure(&out, &x, t, NULL), DARC_OK);
        ck_assert_int_eq(out.decision.verdict,
                         i == 0 ? DARC_CONSISTENT : DARC_UNDECIDED);
        ck_assert_int_eq(out.estimates, 3);
        bool named = false;
        for (int k = 0; k < out.estimates; k++) {
            const darc_estimate *e = out.estimate + k;
            if (strcmp(e->function, "coefficient of u over that of y'") == 0) {
                named = true;
                ck_assert_double_eq_tol(e->value_a, -3, 5 * e->sd_a);
            }
        }
        ck_assert(named);
        darc_judgement_clear(&out);
        bool changed[8] = {false}; /* by unknown */
        changed[darc_names_find(b.io->jet->names, "a", 1)] = true;
        const darc_table *const same[2] = {t, t};
        ck_assert_int_eq(darc_judge_pair(&out, &x, same, changed, NULL),
                         DARC_OK);
        ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
        ck_assert_ptr_nonnull(strstr(out.decision.reason, "the same samples"));
        darc_judgement_clear(&out);
        darc_isolate isolation;
        ck_assert_int_eq(darc_isolate_run(&isolation, &x, same, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(isolation.equal.verdict, DARC_UNDECIDED);
        ck_assert_int_eq(isolation.candidates, 0);
        darc_isolate_clear(&isolation);
        box_close(&b);
    }
    darc_table_free(t);
}
END_TEST

/* The oscillator of Goodwin [Advances in Enzyme Regulation 3 (1965) 425-438],
 * 91 terms: one quiet output moves few of them, and the session says so. */
START_TEST(a_session_takes_many_terms)
{
    simulation j = {.model = model_goodwin,
                    .param = "b=1 c=1 alpha=1 beta=0.5 gama=1 delta=0.7 "
                             "sigma=0.3",
                    .init = "x1=1 x2=0.5 x3=1 x4=0.4",
                    .input = "",
                    .t_end = 10,
                    .rate = 100};
    darc_model *m = model_of(model_goodwin);
    darc_session *s;
    ck_assert_int_eq(darc_session_new(&s, m, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_add_take(s, simulation_make(&j), NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_verdict(s), DARC_UNDECIDED);
    const char *json = darc_session_text(s, "json");
    ck_assert_ptr_nonnull(strstr(json, "91 terms, of which the recording"));
    ck_assert_ptr_null(strstr(json, "weak_form"));
    ck_assert_ptr_nonnull(strstr(json, "an equation of more than 64 terms"));
    darc_session_free(s);
    darc_model_free(m);
}
END_TEST

Suite *suite_wide(void)
{
    Suite *s = suite_create("wide");
    TCase *c = tcase_create("wide");
    tcase_add_test(c, a_right_structure_of_many_terms_is_consistent);
    tcase_add_test(c, a_wrong_structure_of_many_terms_is_inconsistent);
    tcase_add_test(c, a_poor_recording_is_undecided);
    tcase_add_test(c, many_coefficients_are_not_compared);
    tcase_add_test(c, nothing_is_isolated_by_a_wide_equation);
    tcase_add_test(c, a_parameter_is_isolated_beside_a_wide_equation);
    tcase_add_test(c, drift_refuses_many_coefficients);
    tcase_add_test(c, constant_signals_are_undecided);
    tcase_add_test(c, right_structures_are_not_rejected);
    tcase_add_test(c, coloured_noise_does_not_reject);
    tcase_add_test(c, a_relation_of_columns_leaves_their_errors);
    tcase_add_test(c, monomials_with_one_coefficient_are_joined);
    tcase_add_test(c, monomials_are_joined_as_in_expanded_equations);
    tcase_add_test(c, free_coefficients_need_free_parameters);
    tcase_add_test(c, a_session_takes_many_terms);
    suite_add_tcase(s, c);
    return s;
}
