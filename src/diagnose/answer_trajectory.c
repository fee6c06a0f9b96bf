/* answer_trajectory.c - see answer_trajectory.h. */
#include "diagnose/answer_trajectory.h"

#include "base/mem.h"
#include "model/solved.h"
#include "stats/stats.h"
#include "trajectory/linear.h"

#include <math.h>
#include <string.h>

char *darc_trajectory_equations(const darc_flow *w, int *terms)
{
    darc_text_t text = DARC_TEXT;
    darc_solved_t s;
    if (darc_solved_init_dynamic(s, w->model, NULL) != DARC_OK)
        return darc_strdup("");
    for (int i = 0; i < s->states + s->outputs; i++) {
        darc_deriv d = i < s->states
                           ? s->state[i]
                           : (darc_deriv){s->output[i - s->states], 0};
        d.order += i < s->states;
        darc_text_puts(text, i > 0 ? "; " : "");
        darc_deriv_print(text, d, w->names);
        darc_text_puts(text, " = ");
        bool whole = fmpz_mpoly_is_one(s->den->p + i, s->jet->ctx);
        darc_text_puts(text, whole ? "" : "(");
        darc_dpoly_print(text, s->num->p + i, s->jet);
        if (!whole) {
            darc_text_puts(text, ")/(");
            darc_dpoly_print(text, s->den->p + i, s->jet);
            darc_text_puts(text, ")");
        }
        *terms += (int)fmpz_mpoly_length(s->num->p + i, s->jet->ctx);
    }
    darc_solved_clear(s);
    return darc_text_take(text);
}

void darc_trajectory_left(darc_residual_summary *out, darc_trajectory *x)
{
    double sum = 0, all = 0;
    *out = (darc_residual_summary){.max = 0};
    for (int r = 0; r < x->runs; r++) {
        const darc_record *run = x->run + r;
        size_t rows = darc_match_rows(&x->match, r);
        double *left = darc_malloc((rows + 1) * sizeof *left);
        if (darc_match_left(&x->match, r, left, NULL))
            for (size_t i = 0; i < rows; i++) {
                if (!isfinite(run->y[i]))
                    continue;
                double off = left[i] / run->weight[i];
                sum += off * off;
                all += run->y[i] * run->y[i];
                out->max = fmax(out->max, fabs(off));
                out->used++;
            }
        darc_free(left);
    }
    out->rms = sqrt(sum / (double)out->used);
    out->relative_rms = sqrt(sum / all);
}

darc_missing_term *darc_trajectory_missing(int *count, const darc_forcing *f,
                                           const darc_trajectory *x, int most)
{
    int n = 0;
    while (n < f->terms && n < most &&
           f->term[n].p_value * f->terms < x->question->alpha / 2)
        n++;
    darc_missing_term *list = darc_calloc((size_t)n + 1, sizeof *list);
    for (int k = 0; k < n; k++) {
        const darc_lacking *t = f->term + k;
        darc_text_t term = DARC_TEXT;
        darc_lacking_print(term, t, &x->flow);
        list[k] = (darc_missing_term){.p_value = fmin(1, t->p_value * f->terms),
                                      .explains = NAN,
                                      .value = t->value,
                                      .sd = t->sd / t->share * fabs(t->value)};
        list[k].term = darc_text_take(term);
    }
    *count = n;
    return list;
}

static darc_estimate estimate(const darc_model *model, int unknown)
{
    const char *name = darc_model_names(model)->symbol[unknown].name;
    return (darc_estimate){.function = darc_strdup(name),
                           .value_b = NAN,
                           .sd_b = NAN,
                           .low_b = NAN,
                           .high_b = NAN,
                           .unit =
                               darc_strdup(darc_model_unit(model, unknown))};
}

int darc_trajectory_values(darc_estimate *out, darc_text_t hidden,
                           const darc_trajectory *x, const darc_profile *v)
{
    const darc_model *model = x->question->model;
    const darc_names_struct *names = darc_model_names(model);
    int n = 0;
    for (int k = 0; k < x->flow.params; k++) {
        if (v[k].unknown >= 0 && v[k].known) {
            out[n] = estimate(model, v[k].unknown);
            out[n].value_a = v[k].value;
            out[n].sd_a = v[k].sd;
            out[n].local = v[k].local;
            out[n].low_a = v[k].low;
            out[n++].high_a = v[k].high;
        } else if (v[k].unknown >= 0) {
            darc_text_printf(hidden, "%s%s", hidden->len > 0 ? ", " : "",
                             names->symbol[v[k].unknown].name);
        }
    }
    return n;
}

void darc_trajectory_others(darc_text_t out, const darc_trajectory *x,
                            const darc_profile *v)
{
    for (int i = 0; i < x->sought.others; i++) {
        const char *between = i > 0 ? "; or " : "";
        for (int k = 0; k < x->flow.params; k++, between = ", ")
            if (v[k].known)
                darc_text_printf(out, "%s%s = %.4g", between,
                                 x->flow.names->symbol[x->flow.param[k]].name,
                                 x->sought.other[i].theta[k]);
    }
}

int darc_trajectory_pair(darc_estimate *out, const darc_trajectory *x,
                         const darc_comparing *c)
{
    double t = darc_stats_error_quantile(1 - x->question->alpha / 2, x->dof);
    int n = 0;
    for (int k = 0; k < x->flow.params; k++) {
        const darc_differing *a = c->differing + k, *b = a + x->flow.params;
        int u = darc_trajectory_unknown(x, k);
        if (!a->known || !b->known || u < 0)
            continue;
        out[n] = estimate(x->question->model, u);
        out[n].value_a = a->value;
        out[n].sd_a = a->sd;
        out[n].low_a = a->value - t * a->sd;
        out[n].high_a = a->value + t * a->sd;
        out[n].value_b = b->value;
        out[n].sd_b = b->sd;
        out[n].low_b = b->value - t * b->sd;
        out[n++].high_b = b->value + t * b->sd;
    }
    return n;
}

void darc_trajectory_own(darc_text_t out, const darc_trajectory *x,
                         const darc_comparing *c, int r)
{
    for (int k = 0; k < x->flow.params; k++) {
        const darc_differing *d = c->differing + r * x->flow.params + k;
        if (d->known && isfinite(d->change))
            darc_text_printf(out, "%s%s = %.4g (%s)", out->len > 0 ? ", " : "",
                             x->flow.names->symbol[x->flow.param[k]].name,
                             d->value,
                             darc_percent_change(d->change, d->change_sd).text);
    }
}

darc_status darc_trajectory_estimates(darc_estimates *fit,
                                      const darc_trajectory *x,
                                      darc_comparing *c, darc_err *err)
{
    int p = x->flow.params;
    darc_linear_match l;
    bool good = darc_linear_match_init(&l, &c->apart);
    size_t n = (size_t)p + 1;
    for (int r = 0; r < x->runs && good; r++) {
        darc_estimates *e = fit + r;
        const int *at = c->apart.place + r * p;
        *e = (darc_estimates){
            .equations = 1, .coeffs = p, .error_dof = x->dof, .p_value = NAN};
        e->eq = darc_calloc(1, sizeof *e->eq);
        e->eq->coeffs = p;
        e->eq->reference = e->eq->offset = -1;
        DARC_CALLOC(n, e->eq->share, e->c);
        e->cov = darc_calloc(n * n, sizeof *e->cov);
        e->free = darc_calloc(n, sizeof *e->free);
        for (int k = 0; k < p; k++) {
            const darc_differing *d = c->differing + r * p + k;
            e->free[k] = d->known;
            e->c[k] = d->known ? d->value : NAN;
            for (int i = 0; i < p; i++)
                e->cov[k * p + i] =
                    l.inverse[at[k] * l.columns + at[i]] * x->scale;
        }
    }
    darc_linear_match_clear(&l);
    return good ? DARC_OK
                : darc_fail(err, DARC_DOMAIN,
                            "the match of the recordings has no derivatives");
}

double *darc_trajectory_near(const darc_model *model,
                             const darc_estimate *value, int values)
{
    const darc_names_struct *names = darc_model_names(model);
    double *near = darc_malloc((size_t)(names->count + 1) * sizeof *near);
    DARC_FILL(near, names->count, NAN);
    for (int i = 0; i < values; i++) {
        const char *name = value[i].function;
        int u = darc_names_find(names, name, strlen(name));
        if (u >= 0)
            near[u] = value[i].value_a;
    }
    return near;
}
