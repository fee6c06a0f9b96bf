#include "decide/weakcheck.h"

#include "base/mem.h"
#include "decide/contrast.h"
#include "decide/curvature.h"
#include "decide/witness.h"
#include "projection/coeffs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- whether equations are linked ------------------------------------------
 */

static slong dimension(const darc_ioeqs_t io, int e, const bool *changed,
                       flint_rand_t state)
{
    darc_coeffs_t c;
    darc_coeffs_init(c, io, e, changed);
    slong n = darc_coeffs_dimension(c, state);
    darc_coeffs_clear(c);
    return n;
}

/* Return how many degrees of freedom the equations lose together. */
static slong lost(const darc_ioeqs_t io, const bool *changed)
{
    flint_rand_t state;
    slong sum = 0;
    flint_randinit(state);
    for (int e = 0; e < io->count; e++)
        sum += dimension(io, e, changed, state);
    sum -= dimension(io, -1, changed, state);
    flint_randclear(state);
    return sum;
}

bool darc_weakcheck_is_linked(const darc_ioeqs_t io, const bool *changed)
{
    if (io->count < 2)
        return false;
    for (int e = 0; e < io->count; e++)
        if (!io->eq[e].expanded || io->eq[e].part->count > DARC_WEAK_TERMS)
            return false;
    if (changed == NULL)
        return lost(io, NULL) > 0;
    return lost(io, changed) > 2 * lost(io, NULL);
}

/* ---- what is tested -------------------------------------------------------
 */

typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    const darc_weakcheck_options *o;
    const bool *changed;
    darc_coeffrel_t r;
    const darc_weakfit **fit; /* of each vector of r; owned */
} links;

/* Set l->fit; false where an equation has no coefficients. */
static bool find_fits(links *l, const darc_weakcheck *each)
{
    l->fit = darc_calloc((size_t)l->r->vectors, sizeof *l->fit);
    for (int i = 0; i < l->r->vectors; i++) {
        l->fit[i] = each[l->r->equation[i]].fit[l->r->recording[i]];
        if (l->fit[i] == NULL)
            return false;
        assert(l->fit[i]->model == l->r->first[i + 1] - l->r->first[i]);
    }
    return true;
}

/* Whether relation k binds different equations; of two recordings, to each
 * other. */
static bool is_link(const links *l, slong k)
{
    const darc_coeffrel_struct *r = l->r;
    int *used = darc_calloc((size_t)r->vars, sizeof *used), first = -1;
    bool several = false;
    fmpz_mpoly_used_vars(used, r->h + k, r->ctx);
    for (int i = 0; i < r->vectors; i++)
        for (slong v = r->first[i]; v < r->first[i + 1]; v++) {
            if (used[v] == 0)
                continue;
            several = several || (first >= 0 && first != r->equation[i]);
            first = r->equation[i];
        }
    darc_free(used);
    return several && (l->changed == NULL || r->mixed[k]);
}

static int count_links(const links *l)
{
    int count = 0;
    for (slong k = 0; k < l->r->count; k++)
        count += is_link(l, k);
    return count;
}

/* ---- the contrast ---------------------------------------------------------
 */

/* s += count * g' cov g for the part of g that belongs to vector i. */
static void add_vector(darc_contrast *c, const links *l, int i, const double *g)
{
    const darc_gls *fit = &l->fit[i]->fit;
    slong from = l->r->first[i], vars = l->r->vars;
    for (int a = 0; a < c->count; a++)
        for (int b = 0; b < c->count; b++) {
            double sum = 0;
            for (int x = 0; x < fit->model; x++)
                for (int y = 0; y < fit->model; y++)
                    sum += g[a * vars + from + x] *
                           fit->cov[x * fit->coeffs + y] *
                           g[b * vars + from + y];
            c->s[a * c->count + b] += l->io->count * sum;
        }
}

/* Set x to the coefficients and size to what a relative change of 1 is: the
 * value, or that of the leading term where it may vanish; 0 in recording A of
 * two, where nothing drifts. */
static void list_coefficients(const links *l, double *x, double *size)
{
    const darc_coeffrel_struct *r = l->r;
    for (int i = 0; i < r->vectors; i++)
        for (int j = 0; j < l->fit[i]->model; j++) {
            const darc_weakfit *f = l->fit[i];
            slong v = r->first[i] + j;
            x[v] = f->fit.c[j];
            if (l->changed != NULL && r->recording[i] == 0)
                continue;
            size[v] = fabs(x[v]);
            if (darc_weakfit_may_vanish(l->model, l->io, r->equation[i], j))
                size[v] = fmax(size[v], darc_contrast_leading_size(f, j));
        }
}

static void set_contrast(darc_contrast *c, const links *l)
{
    const darc_coeffrel_struct *r = l->r;
    slong n = r->vars;
    int row = 0;
    darc_contrast_init(c, count_links(l), (int)n);
    c->error_dof = HUGE_VAL;
    double *x = darc_calloc((size_t)n, sizeof *x);
    double *size = darc_calloc((size_t)n, sizeof *size);
    double *g = darc_calloc((size_t)(c->count * n), sizeof *g);
    slong *relation = darc_calloc((size_t)c->count, sizeof *relation);
    list_coefficients(l, x, size);
    for (slong k = 0; k < r->count; k++) {
        if (!is_link(l, k))
            continue;
        relation[row] = k;
        c->h[row] = darc_contrast_value(r, k, -1, x);
        for (slong v = 0; v < n; v++) {
            double slope = darc_contrast_value(r, k, v, x);
            g[row * n + v] = slope;
            c->d[row * n + v] = slope * size[v];
            c->measure[row] = fmax(c->measure[row], fabs(slope * size[v]));
        }
        row++;
    }
    for (int i = 0; i < r->vectors; i++) {
        const darc_weakfit *f = l->fit[i];
        add_vector(c, l, i, g);
        c->single = c->single || f->fit.robust;
        if (f->fit.robust)
            c->error_dof = fmin(c->error_dof, f->fit.error_dof);
        for (int j = 0; j < f->model; j++)
            c->share[r->first[i] + j] = f->share[j];
    }
    darc_curvature_add(c, r, relation, x, l->fit, l->io->count);
    darc_free(relation);
    darc_free(x);
    darc_free(size);
    darc_free(g);
}

/* Return what coefficients may drift by beside the tolerance: what the
 * structure leaves, or errors that covariances do not hold; at least what no
 * sensor resolves. */
static double absorbed(const links *l)
{
    double most[2] = {0, 0};
    for (int i = 0; i < l->r->vectors; i++) {
        double *m = most + l->r->recording[i];
        *m = fmax(*m, darc_weakfit_absorbed(l->fit[i]));
    }
    return fmax(most[0] + most[1], DARC_WEAK_NOISE_FLOOR);
}

/* ---- the verdict ----------------------------------------------------------
 */

static bool has_witness(const links *l, const darc_budget *budget)
{
    darc_coeffs_t c;
    darc_coeffs_init(c, l->io, -1, l->changed);
    darc_witness_question q = {.c = c,
                               .fit = l->fit,
                               .inflate = l->io->count,
                               .tolerance = fmax(l->o->tolerance, absorbed(l)),
                               .alpha = l->o->alpha};
    bool found = darc_witness_exists(&q, budget);
    darc_coeffs_clear(c);
    return found;
}

/* Wald's statistic takes relations as linear within the errors of the
 * coefficients, which have to be known for that. */
static bool is_known(const links *l)
{
    double sd;
    for (int i = 0; i < l->r->vectors; i++)
        if (darc_weakfit_weakest(l->fit[i], l->model, l->io, l->r->equation[i],
                                 l->o, &sd) >= 0)
            return false;
    return true;
}

/* Parameters that make the coefficients within noise: a statistic that says
 * otherwise takes the relations as more linear than they are. */
static void take_witness(darc_decision *d, const char *what)
{
    d->statistic = d->dof = d->p_value = NAN;
    darc_decision_say(
        d, DARC_CONSISTENT,
        "the coefficients of all equations belong to the same %s: values "
        "were found that make them",
        what);
}

static void decide(darc_decision *d, const links *l, const darc_contrast *c,
                   const darc_budget *budget)
{
    const char *what = l->changed == NULL ? "parameters" : "other parameters";
    double tolerance = l->o->tolerance;
    *d = (darc_decision){.method = "weak",
                         .alpha = l->o->alpha,
                         .statistic = NAN,
                         .dof = NAN,
                         .p_value = NAN};
    if (c->count > 0)
        darc_contrast_decide(d, c, tolerance, fmax(tolerance, absorbed(l)));
    bool off = c->count > 0 && d->p_value < d->alpha;
    if (!off && l->r->complete && !isnan(d->p_value))
        darc_decision_say(
            d, DARC_CONSISTENT,
            "the coefficients of all equations belong to the same %s: what "
            "these make them obey holds to %.2g %%",
            what, 100 * d->defect_high);
    else if (has_witness(l, budget))
        take_witness(d, what);
    else if (off && is_known(l))
        darc_decision_say(
            d, DARC_INCONSISTENT,
            "each equation alone is explained, but not all with the same %s: "
            "what these make the coefficients obey is off by %.3g %% (at least "
            "%.3g %%)",
            what, 100 * d->defect, 100 * d->defect_low);
    else if (off)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "some coefficients are known too badly to tell whether those of "
            "all equations belong to the same %s; more excitation or less "
            "noise would help",
            what);
    else
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model in one equation alone, but all have "
            "to hold with the same %s: no values were found that make the "
            "coefficients of all, and what binds these is too long to be "
            "tested as a whole",
            what);
}

/* "c2(y1)*c3(y2)-c0(y1)*c1(y2) = 0, ...": c2 of the equation of y1. */
static char *describe(const links *l)
{
    const darc_coeffrel_struct *r = l->r;
    darc_text_t t;
    char **name = darc_calloc((size_t)r->vars, sizeof *name);
    for (int i = 0; i < r->vectors; i++)
        for (slong v = r->first[i]; v < r->first[i + 1]; v++) {
            int u = l->io->eq[r->equation[i]].leader.unknown;
            darc_text_init(t);
            darc_text_printf(t, "c%s%ld(%s)",
                             l->changed == NULL     ? ""
                             : r->recording[i] == 0 ? "A"
                                                    : "B",
                             (long)(v - r->first[i]),
                             l->io->jet->names->symbol[u].name);
            name[v] = darc_text_take(t);
            darc_text_clear(t);
        }
    darc_text_init(t);
    for (slong k = 0; k < r->count; k++) {
        if (!is_link(l, k))
            continue;
        char *h =
            fmpz_mpoly_get_str_pretty(r->h + k, (const char **)name, r->ctx);
        darc_text_printf(t, "%s%s = 0", t->len > 0 ? ", " : "", h);
        flint_free(h);
    }
    for (slong v = 0; v < r->vars; v++)
        darc_free(name[v]);
    darc_free(name);
    char *text = darc_text_take(t);
    darc_text_clear(t);
    return text;
}

darc_status darc_weakcheck_links(darc_weakcheck *out, const darc_model *model,
                                 const darc_ioeqs_t io, const bool *changed,
                                 const darc_weakcheck *each,
                                 const darc_weakcheck_options *o,
                                 const darc_budget *budget, darc_err *err)
{
    links l = {.model = model, .io = io, .o = o, .changed = changed};
    darc_contrast c = {0};
    *out = (darc_weakcheck){
        .residual = {.rms = NAN, .max = NAN, .relative_rms = NAN}};
    darc_status status = darc_coeffrel_init(l.r, io, -1, changed, budget, err);
    if (status != DARC_OK)
        return status;
    out->links = true;
    out->terms = count_links(&l);
    out->form = describe(&l);
    if (find_fits(&l, each)) {
        set_contrast(&c, &l);
        if (absorbed(&l) > fmax(o->tolerance, DARC_WEAK_NOISE_FLOOR) &&
            changed != NULL)
            darc_contrast_drift_by_effect(&c);
        decide(&out->decision, &l, &c, budget);
        darc_contrast_clear(&c);
    } else {
        out->decision = (darc_decision){.method = "weak",
                                        .alpha = o->alpha,
                                        .statistic = NAN,
                                        .dof = NAN,
                                        .p_value = NAN};
        darc_decision_say(
            &out->decision, DARC_UNDECIDED,
            "an equation has no coefficients to compare with the others");
    }
    darc_free(l.fit);
    darc_coeffrel_clear(l.r);
    return DARC_OK;
}
