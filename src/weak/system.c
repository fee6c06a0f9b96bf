#include "weak/system.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/real.h"
#include "stats/smoother.h"
#include "weak/piece.h"
#include "weak/stamps.h"
#include "weak/steps.h"
#include "weak/thresholds.h"
#include "weak/toeplitz.h"

#include <assert.h>
#include <math.h>

enum {
    DONE = 1 << 16, /* samples of a column that leave memory at a time */
    LEAST_HALF = DARC_SMOOTHER_DEGREE / 2 + 1 /* of a smoother */
};

static void add_variable(darc_weak *weak, const darc_weak_data *data,
                         darc_deriv deriv, int half)
{
    darc_weak_var *var = weak->var + weak->vars++;
    const darc_weak_signal *s = data->signal + deriv.unknown;
    var->deriv = deriv;
    var->value = s->value;
    var->bend = s->bend;
    var->loud = s->loud;
    if (deriv.order > 0) {
        var->half = half;
        var->weight = darc_calloc(2 * (size_t)half + 1, sizeof(double));
        darc_smoother_weights(var->weight, half, deriv.order, weak->dt);
    }
    if (s->sign) {
        size_t n = 2 * DARC_WEAK_SIGN_HALF + 1;
        var->sign = darc_calloc(n, sizeof *var->sign);
        darc_smoother_weights(var->sign, DARC_WEAK_SIGN_HALF, s->order,
                              weak->dt);
        var->still = DARC_WEAK_STILL * s->sd *
                     sqrt(darc_lanes_dot(var->sign, var->sign, n));
    }
    if (!data->moments)
        darc_weak_add_paths(weak, var, s, data);
    weak->margin = var->half > weak->margin ? var->half : weak->margin;
}

/* The bias of the smoother is kept so far below its noise that it adds
 * DARC_WEAK_BIAS to a chi-square of as many degrees of freedom as there are
 * test functions, even at DARC_WEAK_BEYOND times the band of 99 % of the
 * power. */
static int unbiased_half(const darc_weak *weak, const darc_weak_data *data,
                         darc_deriv d, size_t longest)
{
    if (data->smooth > 0)
        return data->smooth;
    const darc_weak_signal *s = data->signal + d.unknown;
    double dt = weak->dt, functions = (double)longest / weak->step;
    double f = s->power_band > 0 ? s->power_band
                                 : DARC_WEAK_PERIODS / (weak->support * dt);
    double share =
        s->sd / (sqrt(darc_lanes_variance(s->value, data->table)) + 1e-300);
    share = fmax(share, DARC_WEAK_LEAST_NOISE);
    size_t part = longest / DARC_WEAK_HALVES;
    int most = (int)fmin((double)part, DARC_WEAK_MOST_HALF);
    return darc_smoother_half(d.order, dt, DARC_WEAK_BEYOND * f,
                              share * sqrt(DARC_WEAK_BIAS / functions),
                              most < LEAST_HALF ? LEAST_HALF : most);
}

/* Return the variable for d, new if need be. */
static int variable(darc_weak *weak, const darc_weak_data *data, darc_deriv d,
                    size_t longest)
{
    for (int v = 0; v < weak->vars; v++)
        if (weak->var[v].deriv.unknown == d.unknown &&
            weak->var[v].deriv.order == d.order)
            return v;
    assert(weak->vars < DARC_LAURENT_VARS);
    int half = d.order == 0 ? 0 : unbiased_half(weak, data, d, longest);
    if (data->stretch > 0)
        half = (int)ceil(data->stretch * half);
    int least = data->stretch > 0 ? DARC_SMOOTHER_DEGREE / 2 : LEAST_HALF;
    half = half < least && d.order > 0 ? least : half;
    add_variable(weak, data, d, half);
    return weak->vars - 1;
}

static darc_weak_group *group_of(darc_weak *weak, darc_weak_group like)
{
    for (int g = 0; g < weak->groups; g++)
        if (weak->group[g].coeff == like.coeff &&
            weak->group[g].order == like.order &&
            weak->group[g].rate == like.rate)
            return weak->group + g;
    darc_weak_group *group = weak->group + weak->groups++;
    *group = like;
    darc_laurent_init(&group->g, DARC_LAURENT_VARS);
    return group;
}

static void add_terms(darc_weak *weak, int q, const darc_total_struct *total,
                      const int *local, const darc_weak_data *data)
{
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        darc_monomial m = {.log = t->log >= 0 ? local[t->log] : -1};
        m.a = darc_real(fmpq_numref(t->factor), fmpq_denref(t->factor));
        for (int v = 0; v < total->vars; v++)
            if (t->exponent[v] != 0)
                m.e[local[v]] = t->exponent[v];
        int rate = darc_weak_stamps_rate(weak, data, total, t);
        darc_weak_group like = {.coeff = weak->first[q] + t->coeff,
                                .equation = q,
                                .order = t->order,
                                .rate = rate};
        darc_laurent_add(&group_of(weak, like)->g, &m);
    }
}

static void add_equations(darc_weak *weak,
                          const darc_total_struct *const *total,
                          const darc_weak_data *data, size_t longest)
{
    size_t groups = 0;
    for (int q = 0; q < weak->equations; q++)
        groups += (size_t)total[q]->count;
    weak->group = darc_calloc(groups, sizeof *weak->group);
    for (int q = 0; q < weak->equations; q++) {
        int *local = darc_calloc((size_t)total[q]->vars, sizeof *local);
        for (int v = 0; v < total[q]->vars; v++)
            local[v] = darc_weak_uses(total[q], v)
                           ? variable(weak, data, total[q]->var[v], longest)
                           : -1;
        add_terms(weak, q, total[q], local, data);
        darc_free(local);
    }
}

/* Return how many test functions fit between samples begin and end - 1. */
static int functions_between(const darc_weak *weak, size_t begin, size_t end)
{
    size_t margin = (size_t)weak->margin;
    if (end - begin <= 2 * margin)
        return 0;
    double steps = (double)(end - begin - 2 * margin - 1);
    if (weak->stamps != NULL)
        steps = (darc_table_time(weak->table, end - 1 - margin) -
                 darc_table_time(weak->table, begin + margin)) /
                weak->dt;
    return steps < weak->support
               ? 0
               : (int)((steps - weak->support) / weak->step) + 1;
}

size_t darc_weak_told(const darc_weak *weak, int piece, size_t samples)
{
    const darc_weak_piece *p = weak->piece + piece;
    if (samples <= p->begin)
        return 0;
    int all = samples < p->end ? functions_between(weak, p->begin, samples)
                               : p->functions;
    return (size_t)(all < p->functions ? all : p->functions);
}

static void add_system_piece(darc_weak *weak, size_t begin, size_t end)
{
    if (weak->stamps != NULL) {
        darc_segment g =
            darc_weak_stamps_trim(weak->stamps, (darc_segment){begin, end});
        begin = g.begin;
        end = g.end;
    }
    int functions = functions_between(weak, begin, end);
    if (functions <= DARC_WEAK_PIECE_FUNCTIONS)
        return;
    DARC_ROOM(weak->piece, weak->pieces);
    weak->piece[weak->pieces++] = (darc_weak_piece){begin, end, functions};
}

static void cut_pieces(darc_weak *weak, size_t length)
{
    if (length == 0)
        length =
            (size_t)weak->support * DARC_WEAK_PIECE_SUPPORTS > DARC_WEAK_PIECE
                ? (size_t)weak->support * DARC_WEAK_PIECE_SUPPORTS
                : DARC_WEAK_PIECE;
    const darc_weak_stamps *s = weak->stamps;
    int n = s != NULL ? s->stretches : weak->table->segments;
    for (int i = 0; i < n; i++) {
        darc_segment g = s != NULL ? s->stretch[i] : weak->table->segment[i];
        while (g.end - g.begin > length + length / 2) {
            add_system_piece(weak, g.begin, g.begin + length);
            g.begin += length;
        }
        add_system_piece(weak, g.begin, g.end);
    }
}

static darc_status check_clear_of_zero(const darc_weak_data *data,
                                       const darc_total_struct *total,
                                       darc_err *err)
{
    for (int v = 0; v < total->vars; v++) {
        const darc_weak_signal *s = data->signal + total->var[v].unknown;
        bool divided = false;
        for (int i = 0; i < total->count; i++)
            divided = divided || total->term[i].exponent[v] < 0 ||
                      total->term[i].log == v;
        if (!divided || s->value == NULL)
            continue;
        double least = DARC_WEAK_CLEAR * s->sd;
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
                                     "of 0: leave that part out (--from, --to)",
                                     data->table->file, s->value[t], t, least);
            }
    }
    return DARC_OK;
}

bool darc_weak_derives(const darc_total_struct *total)
{
    bool derived = false;
    for (int v = 0; v < total->vars; v++) {
        bool used = darc_weak_uses(total, v);
        derived = derived || (used && total->var[v].order > 0);
    }
    return derived;
}

static darc_status check_derivatives(const darc_total_struct *total,
                                     const darc_weak_data *data, darc_err *err)
{
    bool derived = darc_weak_derives(total);
    const char *what = derived         ? "a derivative inside a product needs"
                       : data->moments ? "an equation of so many terms needs"
                                       : NULL;
    return what == NULL || !darc_table_is_patchy(data->table)
               ? DARC_OK
               : darc_fail(err, DARC_DATA,
                           "%s: %s uniform time, without lost samples",
                           data->table->file, what);
}

static darc_status check_equation(const darc_total_struct *total,
                                  const darc_weak_data *data, darc_err *err)
{
    if (total->coeffs > DARC_WEAK_MAX_COEFFS && !data->moments)
        return darc_fail(err, DARC_LIMIT,
                         "the weak form takes up to %d coefficients, not %d",
                         (int)DARC_WEAK_MAX_COEFFS, total->coeffs);
    for (int i = 0; i < total->count; i++) {
        const fmpq *q = total->term[i].factor;
        double a = darc_real(fmpq_numref(q), fmpq_denref(q));
        if (a == 0 || !isfinite(a))
            return darc_fail(err, DARC_DOMAIN,
                             "a constant of the relation is beyond the range "
                             "of double precision");
    }
    DARC_NEED(check_derivatives(total, data, err));
    return check_clear_of_zero(data, total, err);
}

/* Variables that the equations use, and the order of their derivatives. */
static darc_status check_sizes(const darc_total_struct *const *total, int n,
                               darc_err *err)
{
    int used = 0, order = 0;
    for (int q = 0; q < n; q++) {
        order = darc_total_order(total[q]) > order ? darc_total_order(total[q])
                                                   : order;
        for (int v = 0; v < total[q]->vars; v++) {
            bool before = false;
            for (int p = 0; p < q && !before; p++) {
                int w = darc_total_var(total[p], total[q]->var[v]);
                before = w >= 0 && darc_weak_uses(total[p], w);
            }
            used += darc_weak_uses(total[q], v) && !before;
        }
    }
    if (used > DARC_LAURENT_VARS || order > DARC_WEAK_MAX_ORDER)
        return darc_fail(err, DARC_LIMIT,
                         "the weak form takes up to %d signals with their "
                         "derivatives and order %d, not %d and %d",
                         (int)DARC_LAURENT_VARS, (int)DARC_WEAK_MAX_ORDER, used,
                         order);
    return DARC_OK;
}

/* Steps that data say, or those of the held signals that are used. */
static void set_steps(darc_weak *weak, const darc_total_struct *const *total,
                      const darc_weak_data *data)
{
    int unknowns = 0;
    bool held = false;
    for (int q = 0; q < weak->equations; q++)
        for (int v = 0; v < total[q]->vars; v++) {
            int u = total[q]->var[v].unknown;
            held =
                held || (data->signal[u].held && darc_weak_uses(total[q], v));
            unknowns = u >= unknowns ? u + 1 : unknowns;
        }
    weak->steps = data->steps;
    if (weak->steps == NULL && held)
        weak->steps = weak->own_steps =
            darc_steps_new(data->table, data->signal, unknowns);
}

static void build_system(darc_weak *weak, const darc_total_struct *const *total,
                         const darc_weak_data *data)
{
    darc_segment most = darc_table_longest(data->table);
    size_t longest = most.end - most.begin;
    weak->first = darc_calloc((size_t)weak->equations + 1, sizeof *weak->first);
    for (int q = 0; q < weak->equations; q++)
        weak->first[q + 1] = weak->first[q] + total[q]->coeffs;
    weak->coeffs = weak->first[weak->equations];
    weak->channels = data->moments ? 0 : data->channels;
    weak->reach = darc_calloc((size_t)weak->channels + 1, sizeof *weak->reach);
    DARC_CARVE({&weak->dof, weak->channels}, {&weak->red, weak->channels},
               {&weak->pole, weak->channels});
    weak->bound = darc_calloc((size_t)weak->channels + 1, sizeof *weak->bound);
    weak->raise = 1;
    for (int c = 0; c < weak->channels; c++) {
        weak->dof[c] = data->channel[c].dof;
        weak->raise = fmax(weak->raise, data->channel[c].raise);
        weak->red[c] = data->channel[c].red;
        weak->pole[c] = data->channel[c].pole;
        weak->bound[c] = data->channel[c].bound;
        weak->reddens = weak->reddens || weak->red[c] > 0;
    }
    weak->dt = darc_table_step(data->table);
    if (darc_table_is_patchy(data->table))
        weak->stamps = darc_calloc(1, sizeof *weak->stamps);
    set_steps(weak, total, data);
    darc_weak_set_functions(weak, data, total, longest);
    weak->margin = data->margin;
    weak->side = DARC_STEP_POWERS / (data->stretch > 0 ? 2 : 1);
    add_equations(weak, total, data, longest);
    weak->shapes =
        weak->orders * (weak->stamps != NULL ? weak->stamps->rates : 1);
    darc_weak_data plain = *data;
    if (weak->steps == NULL)
        plain.rich = 1; /* what is weak beyond the band may be lost in holes */
    darc_weak_stamps_stretch(weak, darc_weak_band(weak, &plain, total));
    darc_weak_differentiate(weak, data);
    cut_pieces(weak, (size_t)data->piece);
    int all = weak->pieces;
    weak->pieces = 0;
    for (int p = 0; p<all; p += data->every> 1 ? data->every : 1) {
        weak->piece[weak->pieces++] = weak->piece[p];
        weak->functions += (size_t)weak->piece[p].functions;
    }
    darc_weak_widen(weak);
    if (weak->linear)
        weak->bands = darc_weak_bands_new(weak);
    double numbers = (double)weak->functions * weak->equations * weak->coeffs;
    if (!data->moments && numbers < DARC_WEAK_KEPT)
        weak->kept = darc_calloc((size_t)weak->pieces + 1, sizeof *weak->kept);
}

darc_status darc_weak_new(darc_weak **weak,
                          const darc_total_struct *const *total, int equations,
                          const darc_weak_data *data, darc_err *err)
{
    *weak = NULL;
    if (data->table->segments == 0)
        return darc_fail(err, DARC_DATA, "%s: no samples without a gap",
                         data->table->file);
    DARC_NEED(check_sizes(total, equations, err));
    for (int q = 0; q < equations; q++)
        DARC_NEED(check_equation(total[q], data, err));
    darc_weak *w = darc_calloc(1, sizeof *w);
    w->table = data->table;
    w->equations = equations;
    w->threads = data->threads;
    build_system(w, total, data);
    int most = 0;
    for (int q = 0; q < equations; q++)
        most = total[q]->coeffs > most ? total[q]->coeffs : most;
    if (!data->moments &&
        w->functions < (size_t)most + DARC_WEAK_PIECE_FUNCTIONS) {
        darc_fail(err, DARC_DATA,
                  "%s: %zu test functions of %d samples fit, too few "
                  "for %d coefficients",
                  data->table->file, w->functions, w->support, most);
        darc_weak_free(w);
        return DARC_DATA;
    }
    *weak = w;
    return DARC_OK;
}

void darc_weak_free(darc_weak *weak)
{
    if (weak == NULL)
        return;
    for (int v = 0; v < weak->vars; v++) {
        darc_weak_var *var = weak->var + v;
        for (int i = 0; i < var->paths; i++)
            DARC_FREE(var->path[i].pre.tap, var->path[i].post.tap);
        DARC_FREE(var->path, var->weight, var->sign);
    }
    for (int g = 0; g < weak->groups; g++) {
        darc_laurent_clear(&weak->group[g].g);
        for (int v = 0; v < weak->vars; v++)
            darc_laurent_clear(weak->group[g].by + v);
    }
    for (int d = 0; d < weak->orders; d++)
        darc_free(weak->phi[d]);
    for (int p = 0; weak->kept != NULL && p < weak->pieces; p++)
        darc_free(weak->kept[p]);
    darc_weak_stamps_free(weak->stamps);
    darc_steps_free(weak->own_steps);
    darc_weak_bands_free(weak->bands);
    DARC_FREE(weak->kept, weak->first, weak->dof, weak->bound, weak->reach,
              weak->group, weak->pair, weak->piece, weak);
}

bool darc_weak_is_estimate(const darc_weak *weak)
{
    bool any = weak->margin > 0;
    for (int g = 0; g < weak->groups && weak->steps != NULL; g++)
        any = any || darc_weak_is_sided(weak, weak->group + g);
    return any;
}
