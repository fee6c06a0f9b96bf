#include "weak/weak_inside.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "stats/real.h"
#include "weak/smoother.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MIN_FUNCTIONS = 8,   /* of a piece */
    PIECE = 1 << 15,     /* samples of a piece, at least */
    PIECE_SUPPORTS = 60, /* and in supports */
    DONE = 1 << 16       /* samples of a column that leave memory at a time */
};

/* Signals in a denominator stay this many standard deviations from 0. */
static const double CLEAR_OF_ZERO = 6;

/* ---- variables ----------------------------------------------------------- */

static int channel_of(darc_weak *weak, const darc_weak_data *data, int unknown)
{
    if (data->moments || darc_weak_noise_sd(data->signal + unknown) == 0)
        return -1;
    for (int q = 0; q < weak->channels; q++)
        if (weak->unknown[q] == unknown)
            return q;
    weak->unknown[weak->channels] = unknown;
    weak->dof[weak->channels] = data->signal[unknown].noise->dof;
    return weak->channels++;
}

/* response = weights through the noise kernel. */
static void set_response(darc_weak_var *var, const darc_noisemodel *noise)
{
    int h = var->half, m = noise->half;
    var->reach = h + m;
    var->response =
        darc_calloc(2 * (size_t)var->reach + 1, sizeof *var->response);
    for (int s = -h; s <= h; s++)
        for (int r = -m; r <= m; r++)
            var->response[s + r + var->reach] +=
                (var->weight == NULL ? 1 : var->weight[s + h]) *
                noise->kernel[r + m] * sqrt(var->times);
}

static void add_variable(darc_weak *weak, const darc_weak_data *data,
                         darc_deriv deriv, int half)
{
    darc_weak_var *var = weak->var + weak->vars++;
    const darc_weak_signal *s = data->signal + deriv.unknown;
    var->deriv = deriv;
    var->value = s->value;
    var->channel = channel_of(weak, data, deriv.unknown);
    var->times = s->times > 1 ? s->times : 1;
    var->real = (s->noise != NULL ? 1 - s->noise->surplus : 1) / var->times;
    if (deriv.order > 0) {
        var->half = half;
        var->weight = darc_calloc(2 * (size_t)half + 1, sizeof(double));
        darc_smoother_weights(var->weight, half, deriv.order, data->table->dt);
    }
    if (s->sign) {
        size_t n = 2 * DARC_WEAK_SIGN_HALF + 1;
        var->sign = darc_calloc(n, sizeof *var->sign);
        darc_smoother_weights(var->sign, DARC_WEAK_SIGN_HALF, s->order,
                              data->table->dt);
    }
    if (var->channel >= 0 && s->noise != NULL) /* exact ones have no channel */
        set_response(var, s->noise);
    weak->margin = var->half > weak->margin ? var->half : weak->margin;
    weak->pad = var->reach > weak->pad ? var->reach : weak->pad;
}

/* The bias of the smoother is kept so far below its noise that it adds 0.1
 * to a chi-square of as many degrees of freedom as there are test functions,
 * even at one and a half times the band of 99 % of the power. */
static int unbiased_half(const darc_weak *weak, const darc_weak_data *data,
                         darc_deriv d, size_t longest)
{
    if (data->smooth > 0)
        return data->smooth < 4 ? 4 : data->smooth;
    const darc_weak_signal *s = data->signal + d.unknown;
    double dt = data->table->dt, functions = (double)longest / weak->step;
    double f = s->noise != NULL ? s->noise->power_band : NAN;
    if (!(f > 0))
        f = 2 / (weak->support * dt);
    double share = darc_weak_noise_sd(s) /
                   (sqrt(darc_lanes_variance(s->value, data->table)) + 1e-300);
    share = share > 1e-8 ? share : 1e-8;
    int most = (int)(longest / 16 < 2000 ? longest / 16 : 2000);
    return darc_smoother_half(d.order, dt, 1.5 * f,
                              share * sqrt(0.1 / functions),
                              most < 4 ? 4 : most);
}

static int smoother_half(const darc_weak *weak, const darc_weak_data *data,
                         darc_deriv d, size_t longest)
{
    int half = unbiased_half(weak, data, d, longest);
    return data->stretch > 0 ? (int)ceil(data->stretch * half) : half;
}

/* ---- terms ----------------------------------------------------------------
 */

static darc_weak_group *group_of(darc_weak *weak, int coeff, int order)
{
    for (int g = 0; g < weak->groups; g++)
        if (weak->group[g].coeff == coeff && weak->group[g].order == order)
            return weak->group + g;
    darc_weak_group *group = weak->group + weak->groups++;
    *group = (darc_weak_group){.coeff = coeff, .order = order};
    darc_laurent_init(&group->g, weak->vars);
    return group;
}

/* cov[v*vars + w] of the noises of two variables at one time. */
static void noise_covariance(double *cov, const darc_weak *weak)
{
    for (int v = 0; v < weak->vars; v++)
        for (int w = 0; w < weak->vars; w++) {
            const darc_weak_var *a = weak->var + v, *b = weak->var + w;
            double sum = 0;
            for (int s = -a->reach; s <= a->reach; s++)
                if (a->channel >= 0 && a->channel == b->channel &&
                    abs(s) <= b->reach)
                    sum +=
                        a->response[s + a->reach] * b->response[s + b->reach];
            cov[v * weak->vars + w] = sum * sqrt(a->real * b->real);
        }
}

static void add_terms(darc_weak *weak, const darc_total_t total,
                      const int *local)
{
    weak->group = darc_calloc((size_t)total->count, sizeof *weak->group);
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        darc_monomial m = {.log = t->log >= 0 ? local[t->log] : -1};
        m.a = darc_real(fmpq_numref(t->factor), fmpq_denref(t->factor));
        for (int v = 0; v < total->vars; v++)
            if (t->exponent[v] != 0)
                m.e[local[v]] = t->exponent[v];
        darc_laurent_add(&group_of(weak, t->coeff, t->order)->g, &m);
    }
    double cov[DARC_LAURENT_VARS * DARC_LAURENT_VARS];
    noise_covariance(cov, weak);
    for (int g = 0; g < weak->groups; g++) {
        darc_weak_group *group = weak->group + g;
        darc_laurent_unbias(&group->g, cov);
        for (int v = 0; v < weak->vars; v++) {
            darc_laurent_diff(group->by + v, &group->g, v);
            group->noisy[v] =
                weak->var[v].channel >= 0 && group->by[v].count > 0;
        }
    }
}

static bool has_second(const darc_weak *weak, int v, int w)
{
    for (int g = 0; g < weak->groups; g++) {
        darc_laurent second;
        darc_laurent_diff(&second, weak->group[g].by + v, w);
        bool any = second.count > 0;
        darc_laurent_clear(&second);
        if (any)
            return true;
    }
    return false;
}

/* Covariance of the noise of one variable at lag l. */
static double autocovariance(const darc_weak_var *var, int l)
{
    double sum = 0;
    for (int s = -var->reach; s + l <= var->reach; s++)
        sum +=
            var->response[s + var->reach] * var->response[s + l + var->reach];
    return sum;
}

/* For v = w the term is g_vv (n^2 - s^2) / 2 with covariance g_vv^2 R^2 / 2,
 * else g_vw n_v n_w with R_v R_w. */
static void add_pair(darc_weak *weak, int v, int w)
{
    darc_weak_pair *pair = weak->pair + weak->pairs++;
    const darc_weak_var *a = weak->var + v, *b = weak->var + w;
    *pair = (darc_weak_pair){.v = v, .w = w};
    int reach = a->reach < b->reach ? a->reach : b->reach;
    pair->lags = 2 * reach < 2 * weak->pad ? 2 * reach : 2 * weak->pad;
    pair->rho = darc_calloc((size_t)pair->lags + 1, sizeof *pair->rho);
    for (int l = 0; l <= pair->lags; l++)
        pair->rho[l] = autocovariance(a, l) * autocovariance(b, l) *
                       (v == w ? 0.5 : 1) * sqrt(a->real * b->real);
}

static void add_pairs(darc_weak *weak)
{
    int n = weak->vars;
    weak->pair = darc_calloc((size_t)(n * (n + 1) / 2), sizeof *weak->pair);
    for (int v = 0; v < n; v++)
        for (int w = v; w < n; w++)
            if (weak->var[v].channel >= 0 && weak->var[w].channel >= 0 &&
                has_second(weak, v, w))
                add_pair(weak, v, w);
}

/* ---- pieces -------------------------------------------------------------
 */

static void add_piece(darc_weak *weak, size_t begin, size_t end)
{
    size_t lost = (size_t)(2 * weak->margin + weak->support + 1);
    if (end - begin < lost + MIN_FUNCTIONS * (size_t)weak->step)
        return;
    int functions = (int)((end - begin - lost) / (size_t)weak->step) + 1;
    weak->piece = darc_grow(weak->piece, (size_t)weak->pieces,
                            &weak->piece_alloc, sizeof *weak->piece);
    weak->piece[weak->pieces++] = (darc_weak_piece){begin, end, functions};
    weak->functions += (size_t)functions;
}

static void cut_pieces(darc_weak *weak, size_t length)
{
    if (length == 0)
        length = (size_t)weak->support * PIECE_SUPPORTS > PIECE
                     ? (size_t)weak->support * PIECE_SUPPORTS
                     : PIECE;
    for (int i = 0; i < weak->table->segments; i++) {
        darc_segment g = weak->table->segment[i];
        while (g.end - g.begin > length + length / 2) {
            add_piece(weak, g.begin, g.begin + length);
            g.begin += length;
        }
        add_piece(weak, g.begin, g.end);
    }
}

/* ---- construction ---------------------------------------------------------
 */

static bool is_divided(const darc_total_t total, int v)
{
    for (int i = 0; i < total->count; i++)
        if (total->term[i].exponent[v] < 0 || total->term[i].log == v)
            return true;
    return false;
}

static darc_status check_clear_of_zero(const darc_weak_data *data,
                                       const darc_total_t total, darc_err *err)
{
    for (int v = 0; v < total->vars; v++) {
        const darc_weak_signal *s = data->signal + total->var[v].unknown;
        if (!is_divided(total, v) || s->value == NULL)
            continue;
        double least = CLEAR_OF_ZERO * darc_weak_noise_sd(s);
        double sign = s->value[data->table->segment[0].begin] > 0 ? 1 : -1;
        for (int i = 0; i < data->table->segments; i++)
            for (size_t t = data->table->segment[i].begin;
                 t < data->table->segment[i].end; t++) {
                if (t % DONE == 0 && t > 0)
                    darc_table_done(data->table, t - DONE, t);
                if (!(sign * s->value[t] > least))
                    return darc_fail(err, DARC_DATA,
                                     "%s: a signal that the relation divides "
                                     "by is %g at sample %zu, not %g clear "
                                     "of 0",
                                     data->table->file, s->value[t], t, least);
            }
    }
    return DARC_OK;
}

static size_t longest_segment(const darc_table *table)
{
    size_t n = 0;
    for (int i = 0; i < table->segments; i++) {
        size_t m = table->segment[i].end - table->segment[i].begin;
        n = m > n ? m : n;
    }
    return n;
}

static darc_status check_input(const darc_total_t total,
                               const darc_weak_data *data, darc_err *err)
{
    int used = 0;
    for (int v = 0; v < total->vars; v++)
        used += darc_weak_uses(total, v);
    if (data->table->dt <= 0)
        return darc_fail(err, DARC_DATA,
                         "%s: the weak form needs uniform time, within 1e-6",
                         data->table->file);
    if (data->table->segments == 0)
        return darc_fail(err, DARC_DATA, "%s: no samples without a gap",
                         data->table->file);
    if (total->coeffs > DARC_WEAK_MAX_COEFFS && !data->moments)
        return darc_fail(err, DARC_LIMIT,
                         "the weak form takes up to %d coefficients, not %d",
                         (int)DARC_WEAK_MAX_COEFFS, total->coeffs);
    if (used > DARC_LAURENT_VARS ||
        darc_total_order(total) > DARC_WEAK_MAX_ORDER)
        return darc_fail(err, DARC_LIMIT,
                         "the weak form takes up to %d signals with their "
                         "derivatives and order %d, not %d and %d",
                         (int)DARC_LAURENT_VARS, (int)DARC_WEAK_MAX_ORDER, used,
                         darc_total_order(total));
    for (int i = 0; i < total->count; i++) {
        const fmpq *q = total->term[i].factor;
        double a = darc_real(fmpq_numref(q), fmpq_denref(q));
        if (a == 0 || !isfinite(a))
            return darc_fail(err, DARC_DOMAIN,
                             "a constant of the relation is beyond the range "
                             "of double precision");
    }
    return check_clear_of_zero(data, total, err);
}

static bool is_linear(const darc_weak *weak)
{
    double number;
    for (int g = 0; g < weak->groups; g++)
        for (int v = 0; v < weak->vars; v++)
            if (weak->group[g].noisy[v] &&
                !darc_laurent_is_number(weak->group[g].by + v, &number))
                return false;
    return true;
}

static void build(darc_weak *weak, const darc_total_t total,
                  const darc_weak_data *data)
{
    size_t longest = longest_segment(data->table);
    int *local = darc_calloc((size_t)total->vars, sizeof *local);
    darc_weak_set_functions(weak, data, total, longest);
    weak->margin = data->margin;
    for (int v = 0; v < total->vars; v++) {
        local[v] = weak->vars;
        if (darc_weak_uses(total, v))
            add_variable(weak, data, total->var[v],
                         total->var[v].order > 0
                             ? smoother_half(weak, data, total->var[v], longest)
                             : 0);
    }
    add_terms(weak, total, local);
    add_pairs(weak);
    cut_pieces(weak, (size_t)data->piece);
    weak->linear = is_linear(weak);
    darc_free(local);
}

darc_status darc_weak_new(darc_weak **weak, const darc_total_t total,
                          const darc_weak_data *data, darc_err *err)
{
    *weak = NULL;
    darc_status status = check_input(total, data, err);
    if (status != DARC_OK)
        return status;
    darc_weak *w = darc_calloc(1, sizeof *w);
    w->table = data->table;
    w->coeffs = total->coeffs;
    w->threads = data->threads;
    build(w, total, data);
    if (!data->moments && w->functions < (size_t)w->coeffs + MIN_FUNCTIONS) {
        status =
            darc_fail(err, DARC_DATA,
                      "%s: %zu test functions of %d samples fit, too few "
                      "for %d coefficients",
                      data->table->file, w->functions, w->support, w->coeffs);
        darc_weak_free(w);
        return status;
    }
    *weak = w;
    return DARC_OK;
}

void darc_weak_free(darc_weak *weak)
{
    if (weak == NULL)
        return;
    for (int v = 0; v < weak->vars; v++) {
        darc_free(weak->var[v].weight);
        darc_free(weak->var[v].sign);
        darc_free(weak->var[v].response);
    }
    for (int g = 0; g < weak->groups; g++) {
        darc_laurent_clear(&weak->group[g].g);
        for (int v = 0; v < weak->vars; v++)
            darc_laurent_clear(weak->group[g].by + v);
    }
    for (int p = 0; p < weak->pairs; p++)
        darc_free(weak->pair[p].rho);
    for (int d = 0; d < weak->orders; d++)
        darc_free(weak->phi[d]);
    darc_free(weak->group);
    darc_free(weak->pair);
    darc_free(weak->piece);
    darc_free(weak);
}

size_t darc_weak_functions(const darc_weak *weak)
{
    return weak->functions;
}

int darc_weak_coeffs(const darc_weak *weak)
{
    return weak->coeffs;
}

int darc_weak_support(const darc_weak *weak)
{
    return weak->support;
}

int darc_weak_smooth(const darc_weak *weak)
{
    return weak->margin;
}
