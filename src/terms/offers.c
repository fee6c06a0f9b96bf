#include "terms/offers.h"

#include "base/mem.h"
#include "model/model.h"
#include "stats/lanes.h"
#include "stats/smoother.h"
#include "weak/system.h"

#include <math.h>
#include <string.h>

double darc_offers_value(const darc_offers *s, const darc_candidate_factor *f,
                         size_t t)
{
    double y = s->signal[f->d.unknown].value[t];
    return f->other >= 0 ? y - s->signal[f->other].value[t] : y;
}

double darc_offers_noise(const darc_offers *s, const darc_candidate_factor *f)
{
    double sd = s->signal[f->d.unknown].sd;
    return f->other >= 0 ? hypot(sd, s->signal[f->other].sd) : sd;
}

/* Append the noise of signal y, times a factor, to that of s. */
static void take_sources(darc_weak_signal *s, const darc_weak_signal *y,
                         double factor)
{
    darc_weak_source *list = (darc_weak_source *)s->source;
    for (int i = 0; i < y->sources; i++) {
        DARC_ROOM(list, s->sources);
        list[s->sources] = y->source[i];
        list[s->sources++].factor *= factor;
    }
    s->source = list;
}

/* Add the signal whose sign a candidate takes; return it, -1 where there is no
 * room or no value, or where its sign never changes: that is an offset. */
static int add_sign(darc_offers *s, const darc_candidate_factor *f)
{
    int unknown = s->f->r.unknowns + s->signs;
    if (s->signs == DARC_MISSING_SIGNS ||
        s->signal[f->d.unknown].value == NULL ||
        (f->other >= 0 && s->signal[f->other].value == NULL) ||
        f->d.order > DARC_SMOOTHER_DEGREE)
        return -1;
    double *value = darc_malloc(s->table->samples * sizeof *value);
    bool above = false, below = false;
    for (size_t t = 0; t < s->table->samples; t++) {
        value[t] = darc_offers_value(s, f, t);
        above = above || value[t] > 0;
        below = below || value[t] < 0;
    }
    if (f->d.order == 0 && !(above && below)) {
        darc_free(value);
        return -1;
    }
    s->sign[s->signs] = *f;
    s->difference[s->signs++] = value;
    s->signal[unknown] = (darc_weak_signal){.value = value,
                                            .sd = darc_offers_noise(s, f),
                                            .sign = true,
                                            .order = f->d.order};
    take_sources(s->signal + unknown, s->signal + f->d.unknown, 1);
    if (f->other >= 0)
        take_sources(s->signal + unknown, s->signal + f->other, -1);
    return unknown;
}

int darc_offers_sign(const darc_offers *s, const darc_candidate_factor *f)
{
    for (int i = 0; i < s->signs; i++)
        if (s->sign[i].d.unknown == f->d.unknown &&
            s->sign[i].d.order == f->d.order && s->sign[i].other == f->other)
            return s->f->r.unknowns + i;
    return -1;
}

/* Whether candidate c is a sign that the model derives: estimated twice, from
 * other widths, it is not quite the same. */
static bool is_derived(const darc_offers *s, const darc_candidate *c)
{
    const darc_model *model = s->x->model;
    const darc_candidate_factor *f = c->f;
    bool same = false;
    for (int u = 0; u < s->f->r.unknowns && !same; u++) {
        const darc_expr *e = darc_derived_expr(model, u);
        if (e != NULL && e->kind == DARC_EXPR_CALL &&
            e->function == DARC_FUNCTION_SIGN &&
            e->child[0]->kind == DARC_EXPR_UNKNOWN) {
            darc_deriv d = darc_expr_deriv(e->child[0]);
            same = d.unknown == f->d.unknown && d.order == f->d.order;
        }
    }
    return same && c->count == 1 && f->sign && f->other < 0;
}

/* Return the coefficient of candidate c in equation q, in its total. */
static int append_candidate(darc_offers *s, int q, const darc_candidate *c)
{
    const darc_candidate_factor *f = darc_candidate_sign(c);
    int v = -1;
    if (c->column != NULL) {
        int u = darc_table_find(s->all, c->column) - s->from;
        v = darc_total_extend(s->total + q, s->f->r.unknowns + u);
    } else if (f != NULL) {
        if (is_derived(s, c))
            return -1;
        int u = darc_offers_sign(s, f);
        u = u < 0 ? add_sign(s, f) : u;
        if (u < 0)
            return -1;
        v = darc_total_var(s->total + q, (darc_deriv){u, 0});
        v = v < 0 ? darc_total_extend(s->total + q, u) : v;
    }
    darc_model_terms own = {s->f->r.total[q].count,
                            s->f->fit.c + s->f->weak->first[q]};
    return darc_candidate_append(s->total + q, c, &own, v);
}

/* Whether it is not known when some input changes: that error would be taken
 * for a lag, or a derivative. */
static bool has_edges(const darc_offers *s)
{
    bool any = false;
    for (int u = 0; u < s->f->r.unknowns; u++)
        any = any || s->f->r.edge[u] != NULL;
    return any;
}

/* The same, but for a candidate whose derivative the samples do not give: that
 * is left out.  Whoever names terms is told so by the weak form; and where
 * edges are not known, no term is sought. */
static int offer_candidate(darc_offers *s, int q, const darc_candidate *c)
{
    darc_total_t before;
    if (s->x->by->against > 0 || !darc_table_is_patchy(s->table) ||
        has_edges(s))
        return append_candidate(s, q, c);
    const darc_candidate_factor *f = darc_candidate_sign(c);
    if (f != NULL && f->d.order > 0)
        return -1;
    darc_total_set(before, s->total + q);
    int coeff = append_candidate(s, q, c);
    if (coeff >= 0 && darc_weak_derives(s->total + q)) {
        darc_total_clear(s->total + q);
        darc_total_set(s->total + q, before);
        coeff = -1;
    }
    darc_total_clear(before);
    return coeff;
}

/* Whether column i moves and has a value wherever the recording has one. */
static bool is_whole(const darc_offers *s, int i)
{
    bool whole = darc_table_find(s->table, s->all->signal[i].name) < 0;
    const double *x = s->all->signal[i].value;
    for (int k = 0; k < s->table->segments && whole; k++)
        for (size_t t = s->table->segment[k].begin;
             t < s->table->segment[k].end && whole; t++)
            whole = isfinite(x[t]);
    return whole && darc_lanes_variance(x, s->table) > 0;
}

/* Let column i of the table stand behind the unknowns, with its own noise. */
static void open_column(darc_offers *s, int i)
{
    int column = s->from + i;
    darc_signalnoise n;
    if (column >= s->all->signals || !is_whole(s, column) ||
        darc_signalnoise_read(&n, s->all, &column, 1, NULL) != DARC_OK)
        return;
    s->sd[i] = n.sd;
    s->source[i] = (darc_weak_source){s->channels, 1, NULL, 0};
    s->signal[s->f->r.unknowns + i] =
        (darc_weak_signal){.value = s->all->signal[column].value,
                           .sources = n.sd > 0,
                           .source = s->source + i,
                           .sd = n.sd};
    if (n.sd > 0)
        s->channel[s->channels++] = (darc_weak_channel){
            .taps = 1, .kernel = s->sd + i, .dof = HUGE_VAL, .real = 1};
    darc_signalnoise_clear(&n);
}

static darc_status list_offers(darc_offers *s, int q, darc_err *err)
{
    const darc_criteria *by = s->x->by;
    darc_offer *o = s->offer + q;
    darc_status status = DARC_OK;
    for (int i = 0; i < DARC_MISSING_SIGNS && s->all != NULL; i++)
        if (s->signal[s->f->r.unknowns + i].value != NULL)
            o->list[o->count++] =
                (darc_candidate){.column = s->all->signal[s->from + i].name};
    if (s->all != NULL)
        return DARC_OK;
    const darc_jet_struct *jet = s->x->io->jet;
    bool *skip = darc_calloc((size_t)s->f->r.unknowns, sizeof *skip);
    for (int u = 0; u < s->f->r.unknowns; u++)
        skip[u] = s->f->r.column[u] < 0 ||
                  darc_derived_expr(s->x->model, u) != NULL ||
                  (by->pulses && s->f->r.edge[u] != NULL &&
                   jet->names->symbol[u].kind == DARC_INPUT);
    if (by->against > DARC_CANDIDATES)
        DARC_TRY(darc_fail(err, DARC_USAGE, "--against: %d terms, more than %d",
                           by->against, (int)DARC_CANDIDATES));
    for (int i = 0; i < by->against; i++)
        DARC_TRY(darc_candidate_parse(o->list + o->count++, by->against_term[i],
                                      jet->names, err));
    if (by->against == 0)
        o->count = darc_candidates_list(o->list, s->total + q, skip,
                                        darc_question_equation(s->x, q), jet);
done:
    darc_free(skip);
    return status;
}

static darc_status add_offers(darc_offers *s, int q, darc_err *err)
{
    darc_offer *o = s->offer + q;
    darc_status status = list_offers(s, q, err);
    for (int i = 0; i < o->count && status == DARC_OK; i++) {
        bool room = s->total[q].coeffs < DARC_WEAK_MAX_COEFFS;
        o->coeff[i] = room ? offer_candidate(s, q, o->list + i) : -1;
    }
    return status;
}

static darc_status check_against(const darc_offers *s, darc_err *err)
{
    for (int i = 0; i < s->x->by->against; i++) {
        bool possible = false;
        for (int q = 0; q < s->f->r.equations; q++)
            possible = possible || s->offer[q].coeff[i] >= 0;
        if (!possible)
            return darc_fail(
                err, DARC_USAGE,
                is_derived(s, s->offer->list + i)
                    ? "--against: term '%s': the model derives it already"
                    : "--against: term '%s' needs a derivative that the "
                      "relation does not "
                      "reach",
                s->x->by->against_term[i]);
    }
    return DARC_OK;
}

darc_status darc_offers_open(darc_offers *s, darc_err *err)
{
    const darc_regression *r = &s->f->r;
    size_t e = (size_t)r->equations;
    size_t n = (size_t)r->unknowns, channels = (size_t)r->channels;
    s->offer = darc_calloc(e, sizeof *s->offer);
    s->total = darc_calloc(e, sizeof *s->total);
    s->signal = darc_calloc(n + DARC_MISSING_SIGNS, sizeof *s->signal);
    s->difference = darc_calloc(DARC_MISSING_SIGNS, sizeof *s->difference);
    s->channel = darc_calloc(channels + DARC_MISSING_SIGNS, sizeof *s->channel);
    s->channels = r->channels;
    memcpy(s->signal, r->signal, n * sizeof *s->signal);
    memcpy(s->channel, r->channel, channels * sizeof *s->channel);
    for (int i = 0; i < DARC_MISSING_SIGNS && s->all != NULL; i++)
        open_column(s, i);
    for (size_t q = 0; q < e; q++)
        darc_total_set(s->total + q, r->total + q);
    for (size_t q = 0; q < e; q++)
        DARC_NEED(add_offers(s, (int)q, err));
    DARC_NEED(check_against(s, err));
    return DARC_OK;
}

void darc_offers_clear(darc_offers *s)
{
    for (int q = 0; q < s->f->r.equations; q++)
        darc_total_clear(s->total + q);
    for (int i = 0; i < s->signs; i++) {
        darc_free((void *)s->signal[s->f->r.unknowns + i].source);
        darc_free(s->difference[i]);
    }
    DARC_FREE(s->difference, s->channel, s->signal, s->total, s->offer);
}
