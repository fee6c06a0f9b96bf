#include "weakbench.h"

#include "stats/sandwich.h"

#include "eliminate/eliminate.h"
#include "models.h"

#include <check.h>
#include <math.h>

const case_options weakbench_usual = {
    .seconds = 10, .rate = 500, .noise = 0.01, .scale = {1, 1, 1, 1}};

void weakbench_open(weakbench *b, const char *model, uint64_t seed)
{
    *b = (weakbench){.exact = 71 + seed, .state = 29 + 101 * seed};
    b->model = model_of(model);
    ck_assert_int_eq(
        darc_ioeqs_init(b->io, b->model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_le(b->io->count, WEAKBENCH_EQUATIONS);
    for (int e = 0; e < b->io->count; e++)
        b->equation[e] = e;
    darc_criteria_init(&b->by);
    b->x = (darc_question){.model = b->model,
                           .io = b->io,
                           .equations = b->io->count,
                           .equation = b->equation,
                           .by = &b->by};
}

void weakbench_close(weakbench *b)
{
    darc_ioeqs_clear(b->io);
    darc_model_free(b->model);
}

/* ---- recordings -----------------------------------------------------------
 */

static void name_signals(darc_table *t, const char *names)
{
    for (int i = 0; i < t->signals; i++)
        t->signal[i].name = strdup((char[]){names[i], '\0'});
}

darc_table *weakbench_case(weakbench *b, case_kind kind, const char *names,
                           const case_options *o)
{
    darc_table *t = case_table(kind, o, &b->exact, &b->state);
    name_signals(t, names);
    return t;
}

darc_table *weakbench_record(weakbench *b, const case_options *o)
{
    return weakbench_case(b, CASE_QUARTER, "az", o);
}

darc_table *weakbench_lag(weakbench *b, double c, double sd, double gust)
{
    case_options o = {.seconds = 20, .rate = 100, .scale = {1, 1, 1, 1}};
    darc_table *t = weakbench_case(b, CASE_DUFFING, "yu", &o);
    double *y = t->signal[0].value, *u = t->signal[1].value;
    double wind = case_normal(&b->state), phase = case_uniform(&b->state);
    for (size_t i = 0; i < t->samples; i++) {
        double omega = 6.2831853 * 0.2;
        double x = omega * (double)i * t->dt + 6.2831853 * phase;
        wind += -0.01 * wind + sqrt(0.02) * case_normal(&b->state);
        y[i] = sin(x) + 0.5 * sin(2.7 * x);
        u[i] = c * omega * (cos(x) + 1.35 * cos(2.7 * x)) + y[i] + gust * wind +
               sd * case_normal(&b->state);
        y[i] += sd * case_normal(&b->state);
    }
    return t;
}

const char weakbench_cubic[] =
    "model cubic\nparameters\n m c\ninputs\n z\noutputs\n a\nequations\n"
    " m*a' + c*a = z^3\n";

static double cube_at(double sample)
{
    double x = 2 * 3.14159265358979323846 * sample;
    double z = sin(0.1 * x) + sin(0.35 * x + 1);
    return z * z * z;
}

darc_table *weakbench_cube(weakbench *b, double lag)
{
    enum { FINE = 100 };
    darc_table *t = weakbench_record(b, &weakbench_usual);
    double a = 0;
    for (size_t k = 0; k < t->samples; k++) {
        t->signal[1].value[k] = cbrt(cube_at((double)k));
        t->signal[0].value[k] = a + 1e-3 * case_normal(&b->state);
        for (int i = 0; i < FINE; i++)
            a += (cube_at((double)k + (i + 0.5) / FINE) - a) / (lag * FINE);
    }
    return t;
}

void weakbench_release(darc_table *t)
{
    for (int i = 0; i < t->signals; i++)
        free(t->signal[i].name);
    case_free(t);
}

/* ---- judgements -----------------------------------------------------------
 */

void weakbench_name(bool *changed, const weakbench *b, const char *names)
{
    const darc_names_struct *all = darc_model_names(b->model);
    for (const char *s = names; *s != '\0'; s++)
        changed[darc_names_find(all, s, 1)] = true;
}

void weakbench_structure(darc_judgement *out, const weakbench *b,
                         const darc_table *t)
{
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_judge_structure(out, &b->x, t, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

void weakbench_pair(darc_judgement *out, const weakbench *b,
                    const darc_table *t, const darc_table *u,
                    const char *changed)
{
    bool set[16] = {false};
    darc_err err;
    darc_err_init(&err);
    weakbench_name(set, b, changed == NULL ? "" : changed);
    darc_status status =
        darc_judge_pair(out, &b->x, (const darc_table *[]){t, u},
                        changed == NULL ? NULL : set, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

darc_verdict weakbench_holds(const weakbench *b, const darc_table *t,
                             darc_decision *d)
{
    darc_judgement j;
    weakbench_structure(&j, b, t);
    darc_verdict verdict = j.decision.verdict;
    if (d != NULL)
        *d = j.decision;
    darc_judgement_clear(&j);
    return verdict;
}

darc_verdict weakbench_compares(const weakbench *b, const darc_table *t,
                                const darc_table *u, const char *changed,
                                darc_decision *d)
{
    darc_judgement j;
    weakbench_pair(&j, b, t, u, changed);
    darc_verdict verdict = j.decision.verdict;
    if (d != NULL)
        *d = j.decision;
    darc_judgement_clear(&j);
    return verdict;
}

bool weakbench_refer(darc_gls *fit, int q, int reference)
{
    if (fit->c[reference] == 0)
        return false;
    darc_change_chart(fit->c, fit->cov, fit->coeffs, fit->first[q],
                      fit->first[q + 1], reference);
    fit->free[fit->reference[q]] = true;
    fit->free[reference] = false;
    fit->reference[q] = reference;
    return true;
}
