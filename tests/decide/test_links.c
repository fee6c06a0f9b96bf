/* Parameters that several io-equations share: what binds their coefficients to
 * each other, and parameters that make given coefficients. */
#include "tests.h"

#include "models.h"
#include "simulation.h"

#include "base/mem.h"
#include "decide/bound.h"
#include "decide/witness.h"
#include "eliminate/eliminate.h"
#include "session/session.h"

#include <math.h>
#include <string.h>

/* The transfer a leaves one tank and enters the other. */
#define TANKS(OUT, IN, PARAMETERS)                                             \
    "model tanks\nstates\n x1 x2\nparameters\n " PARAMETERS                    \
    "\ninputs\n u\noutputs\n y1 y2\nequations\n x1' = u - " OUT "*x1\n"        \
    " x2' = " IN "*x1 - b*x2\n y1 = x1\n y2 = x2\n"

static const char tanks[] = TANKS("a", "a", "a b");
static const char leaking[] = TANKS("c", "a", "a b c");

static const char gains[] =
    "model gains\nstates\n x1 x2\nparameters\n p q\ninputs\n u\n"
    "outputs\n y1 y2\nequations\n x1' = u - p*q*x1\n x2' = u - p*x2\n"
    " y1 = x1\n y2 = x2\n";

/* One relation, of a degree at which none is sought. */
static const char drive[] =
    "model drive\nstates\n i wm phi wl\nparameters\n L R k J1 J2 n c d b\n"
    "inputs\n u\noutputs\n y yi\nequations\n L*i' + R*i + k*wm = u\n"
    " phi' = wm/n - wl\n J1*wm' = k*i - (c*phi + d*(wm/n - wl))/n\n"
    " J2*wl' = c*phi + d*(wm/n - wl) - b*wl\n y = wm\n yi = i\n";

static darc_table *record(const char *model, const char *param, unsigned seed,
                          double noise)
{
    simulation j = {.model = model,
                    .param = param,
                    .init = "",
                    .input = "u=multisine:5,0.05,4",
                    .t_end = 10,
                    .rate = 200,
                    .noise = noise,
                    .rtol = 1e-11,
                    .seed = seed};
    return simulation_make(&j);
}

/* ---- verdicts -------------------------------------------------------------
 */

typedef struct {
    darc_model *model;
    darc_session *s;
} rig;

/* Hold the model against one table, or two of which `changed` may differ. */
static darc_verdict hold(rig *g, const char *model, darc_table *a,
                         darc_table *b, const char *changed)
{
    darc_session_settings set;
    darc_session_settings_init(&set);
    set.changed = changed;
    g->model = model_of(model);
    ck_assert_int_eq(darc_session_new(&g->s, g->model, &set, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_session_add_take(g->s, a, NULL), DARC_OK);
    if (b != NULL)
        ck_assert_int_eq(darc_session_add_take(g->s, b, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(
                         g->s, b == NULL ? DARC_STRUCTURE : DARC_CHANGED, NULL),
                     DARC_OK);
    return darc_session_verdict(g->s);
}

static void release(rig *g)
{
    darc_session_free(g->s);
    darc_model_free(g->model);
}

/* The relation that links, which is the last. */
static const darc_report_relation *link_of(const rig *g)
{
    const darc_report *r = darc_session_report(g->s);
    const darc_report_relation *l = r->relation + r->relations - 1;
    ck_assert_str_eq(l->form, "links");
    return l;
}

START_TEST(equations_share_parameters)
{
    rig g;
    double noise = _i == 0 ? 0 : 0.01;
    ck_assert_int_eq(
        hold(&g, tanks, record(tanks, "a=1 b=2", 1, noise), NULL, NULL),
        DARC_CONSISTENT);
    ck_assert_int_eq(link_of(&g)->decision.verdict, DARC_CONSISTENT);
    ck_assert_str_eq(link_of(&g)->equation, "c1(y2)*c0(y1)-c0(y2)*c1(y1) = 0");
    ck_assert_double_eq(link_of(&g)->decision.dof, 1);
    darc_text_t text;
    darc_text_init(text);
    darc_report_print(text, darc_session_report(g.s), false, false);
    ck_assert_ptr_nonnull(
        strstr(text->s, "between the coefficients of different equations, 1 "
                        "tested; c1(y) is c1 of the equation of y\n"));
    darc_text_clear(text);
    release(&g);
    /* either equation alone is explained */
    ck_assert_int_eq(
        hold(&g, tanks, record(leaking, "a=1 b=2 c=1.1", 1, noise), NULL, NULL),
        DARC_INCONSISTENT);
    const darc_report *r = darc_session_report(g.s);
    ck_assert_int_eq(r->relations, 3);
    ck_assert_int_eq(r->deciding, 2);
    ck_assert_int_eq(r->relation[0].decision.verdict, DARC_CONSISTENT);
    ck_assert_int_eq(r->relation[1].decision.verdict, DARC_CONSISTENT);
    ck_assert_double_eq_tol(r->relation[2].decision.defect, 0.1, 0.02);
    release(&g);
    ck_assert_int_eq(hold(&g, leaking,
                          record(leaking, "a=1 b=2 c=1.1", 1, noise), NULL,
                          NULL),
                     DARC_CONSISTENT);
    ck_assert_int_eq(darc_session_report(g.s)->relations, 2);
    release(&g);
}
END_TEST

/* p*q and p are what two equations show: a change of p changes both by one
 * factor, one of q the first alone. */
START_TEST(a_change_links_equations)
{
    rig g;
    static const struct {
        const char *param, *changed;
        darc_verdict want;
        int relations;
    } row[] = {{"p=1.2 q=2", "p", DARC_CONSISTENT, 3},
               {"p=1 q=2.4", "q", DARC_CONSISTENT, 2},
               {"p=1 q=2.4", "p", DARC_INCONSISTENT, 3},
               {"p=1.2 q=2.4", "p", DARC_INCONSISTENT, 3}};
    ck_assert_int_eq(hold(&g, gains, record(gains, "p=1 q=2", 1, 0.01),
                          record(gains, row[_i].param, 2, 0.01),
                          row[_i].changed),
                     row[_i].want);
    ck_assert_int_eq(darc_session_report(g.s)->relations, row[_i].relations);
    release(&g);
}
END_TEST

START_TEST(values_prove_what_is_too_long_to_test)
{
    rig g;
    ck_assert_int_eq(
        hold(&g, drive,
             record(drive, "L=.05 R=1 k=.5 J1=.01 J2=.5 n=5 c=30 d=.5 b=.2", 1,
                    0.005),
             NULL, NULL),
        DARC_CONSISTENT);
    ck_assert_ptr_nonnull(
        strstr(link_of(&g)->decision.reason, "values were found"));
    release(&g);
}
END_TEST

/* Three heat capacities in a row; the last one leaks by LEAK. */
#define HEAT(LEAK, PARAMETERS)                                                 \
    "model heat\nstates\n T1 T2 T3\nparameters\n C1 C2 C3 h g k" PARAMETERS    \
    "\ninputs\n u v\noutputs\n y\nequations\n"                                 \
    " C1*T1' = u - h*(T1 - T2) - k*(T1 - v)\n"                                 \
    " C2*T2' = h*(T1 - T2) - g*(T2 - T3)\n"                                    \
    " C3*T3' = g*(T2 - T3)" LEAK "\n y = T1\n"

static const char leaks[] = HEAT(" - k*T3", "");
static const char closed[] = HEAT("", "");

static darc_table *record_heat(const char *model, const char *param)
{
    simulation j = {.model = model,
                    .param = param,
                    .init = "",
                    .input = "u=multisine:5,0.02,2 v=multisine:3,0.02,1.5",
                    .t_end = 50,
                    .rate = 50,
                    .noise = 0.001,
                    .rtol = 1e-11,
                    .seed = 1};
    return simulation_make(&j);
}

/* The last relation is long. */
START_TEST(relations_of_one_equation_are_tested)
{
    rig g;
    ck_assert_int_eq(hold(&g, leaks,
                          record_heat(leaks, "C1=1 C2=2 C3=3 h=1 g=1.5 k=.8"),
                          NULL, NULL),
                     DARC_CONSISTENT);
    release(&g);
    ck_assert_int_eq(hold(&g, leaks,
                          record_heat(closed, "C1=1 C2=2 C3=3 h=1 g=1.5 k=.8"),
                          NULL, NULL),
                     DARC_INCONSISTENT);
    release(&g);
}
END_TEST

/* ---- parameters that make coefficients ------------------------------------
 */

enum { PARAMETERS = 9 };

typedef struct {
    darc_model *model;
    darc_ioeqs_t io;
    darc_coeffs_t c;
    darc_weakfit *fit;
    const darc_weakfit **of;
} coefficients;

/* Give fit the coefficients of vector i at the parameters x, each with a
 * relative standard deviation. */
static void set_fit(darc_weakfit *fit, const darc_coeffs_t c, int i,
                    const double *x, double sd)
{
    int n = (int)(c->first[i + 1] - c->first[i]);
    *fit = (darc_weakfit){.model = n};
    fit->fit = (darc_gls){.coeffs = n, .model = n, .reference = n - 1};
    fit->fit.c = darc_calloc((size_t)n, sizeof(double));
    fit->fit.cov = darc_calloc((size_t)(n * n), sizeof(double));
    for (int k = 0; k < n; k++) {
        const fmpz_mpoly_struct *b = c->b + c->first[i] + k;
        ulong e[PARAMETERS];
        for (slong t = 0; t < b->length; t++) {
            fmpz_mpoly_get_term_exp_ui(e, b, t, c->ctx);
            double term = fmpz_get_d(b->coeffs + t);
            for (int v = 0; v < c->vars; v++)
                term *= pow(x[v], (double)e[v]);
            fit->fit.c[k] += term;
        }
    }
    for (int k = 0; k < n; k++) {
        fit->fit.c[k] /= fit->fit.c[n - 1];
        if (k < n - 1)
            fit->fit.cov[k * n + k] = pow(sd * fit->fit.c[k], 2);
    }
}

static void open_coefficients(coefficients *q, const char *model,
                              const double *x, double sd)
{
    q->model = model_of(model);
    ck_assert_int_eq(
        darc_ioeqs_init(q->io, q->model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    darc_coeffs_init(q->c, q->io, -1, NULL);
    ck_assert_int_le(q->c->vars, PARAMETERS);
    q->fit = darc_calloc((size_t)q->c->vectors, sizeof *q->fit);
    q->of = darc_calloc((size_t)q->c->vectors, sizeof *q->of);
    for (int i = 0; i < q->c->vectors; i++) {
        set_fit(q->fit + i, q->c, i, x, sd);
        q->of[i] = q->fit + i;
    }
}

static void close_coefficients(coefficients *q)
{
    for (int i = 0; i < q->c->vectors; i++)
        darc_weakfit_clear(q->fit + i);
    darc_free(q->fit);
    darc_free(q->of);
    darc_coeffs_clear(q->c);
    darc_ioeqs_clear(q->io);
    darc_model_free(q->model);
}

static const double some[PARAMETERS] = {.05, 1, .5, .01, .5, 5, 30, .5, .2};
static const double negative[PARAMETERS] = {.05, 1,  .5,  .01, -.5,
                                            5,   30, -.5, .2};

static darc_witness_question question(const coefficients *q)
{
    return (darc_witness_question){
        .c = q->c, .fit = q->of, .inflate = 2, .alpha = 0.01};
}

START_TEST(parameters_are_found)
{
    coefficients q;
    double sd = _i < 2 ? 1e-3 : 1e-7;
    open_coefficients(&q, drive, _i % 2 == 0 ? some : negative, sd);
    darc_witness_question asked = question(&q);
    ck_assert(darc_witness_exists(&asked, NULL));
    /* one coefficient moves off the variety */
    double *c = q.fit[1].fit.c;
    c[2] *= 1 + 40 * sd;
    c[3] *= 1 - 40 * sd;
    ck_assert(!darc_witness_exists(&asked, NULL));
    asked.tolerance = 80 * sd;
    ck_assert(darc_witness_exists(&asked, NULL));
    close_coefficients(&q);
}
END_TEST

/* Relations that are not known are obeyed where parameters show it. */
START_TEST(relations_that_are_not_known_are_doubted)
{
    static const double x[] = {1, 2, 3, 1, 1.5, 0.8};
    coefficients q;
    darc_coeffrel_t none = {{.codimension = 3}};
    darc_weakcheck_options o;
    darc_weakcheck_options_init(&o);
    open_coefficients(&q, leaks, x, 1e-3);
    ck_assert_int_eq(q.c->vectors, 1);
    darc_bound b = {q.fit, q.model, q.io, 0, &o, o.alpha, NULL};
    darc_weakcheck out = {.decision = {.verdict = DARC_CONSISTENT}};
    darc_bound_decide(&out, none, &b);
    ck_assert_int_eq(out.decision.verdict, DARC_CONSISTENT);
    q.fit->fit.c[0] *= 1.1;
    darc_bound_decide(&out, none, &b);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(
        strstr(out.decision.reason, "by 3 relations, of which only 0"));
    close_coefficients(&q);
}
END_TEST

/* c1^2 = c0*c2, and c1 near 0: where it is hardly known the slope 2*c1 of the
 * relation says nothing of how far it may be off. */
START_TEST(what_is_hardly_known_refutes_nothing)
{
    static const char square[] =
        "model square\nparameters\n p\ninputs\n u v\noutputs\n y\n"
        "equations\n y' = p*u + p^2*v\n";
    static const double x[] = {2};
    coefficients q;
    darc_coeffrel_t r;
    darc_weakcheck_options o;
    darc_weakcheck_options_init(&o);
    open_coefficients(&q, square, x, 0.001);
    ck_assert_int_eq(darc_bound_find(r, q.io, 0, NULL, NULL), DARC_OK);
    ck_assert(r->complete && r->count == 1);
    darc_bound b = {q.fit, q.model, q.io, 0, &o, o.alpha, NULL};
    double share[] = {1, 1, 1};
    q.fit->share = share;
    darc_weakcheck out = {.decision = {.verdict = DARC_CONSISTENT}};
    q.fit->fit.c[1] *= 0.01;
    q.fit->fit.cov[4] = pow(_i == 0 ? 0.001 : 0.5, 2);
    darc_bound_decide(&out, r, &b);
    ck_assert_int_eq(out.decision.verdict,
                     _i == 0 ? DARC_INCONSISTENT : DARC_CONSISTENT);
    q.fit->share = NULL;
    darc_weakcheck_clear(&out);
    darc_coeffrel_clear(r);
    close_coefficients(&q);
}
END_TEST

START_TEST(nothing_is_found_without_a_covariance)
{
    coefficients q;
    open_coefficients(&q, drive, some, 1e-3);
    q.fit[0].fit.cov[0] = NAN;
    darc_witness_question asked = question(&q);
    ck_assert(!darc_witness_exists(&asked, NULL));
    close_coefficients(&q);
}
END_TEST

Suite *suite_links(void)
{
    Suite *s = suite_create("links");
    TCase *t = tcase_create("verdicts");
    tcase_add_loop_test(t, equations_share_parameters, 0, 2);
    tcase_add_loop_test(t, a_change_links_equations, 0, 4);
    tcase_add_test(t, relations_of_one_equation_are_tested);
    tcase_add_test(t, values_prove_what_is_too_long_to_test);
    suite_add_tcase(s, t);
    t = tcase_create("witness");
    tcase_add_loop_test(t, parameters_are_found, 0, 4);
    tcase_add_test(t, relations_that_are_not_known_are_doubted);
    tcase_add_loop_test(t, what_is_hardly_known_refutes_nothing, 0, 2);
    tcase_add_test(t, nothing_is_found_without_a_covariance);
    suite_add_tcase(s, t);
    return s;
}
