#include "trajectory/forcing.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "stats/stats.h"
#include "trajectory/long.h"
#include "trajectory/sizes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns that rates are driven by along one recording. */
typedef struct {
    darc_flow *flow;
    const darc_match *match;
    const darc_record *run;
    const darc_pieces *pieces;
    int knots, count; /* of hats; of all columns */
    int *state;       /* that each column forces; owned */
    double *hats; /* knots x knots: column k of correlated hats; not owned */
    const darc_lacking *term; /* in place of hats, by their RMS */
    const double *rms;
    const double *size; /* RMS of the largest term of each rate */
} driving;

static void amounts(double *amount, double t, const double *y, void *user)
{
    const driving *d = user;
    const double *time = d->run->time;
    int piece = d->match->at;
    double begin = time[d->pieces->node[piece]];
    double end = time[piece + 1 < d->pieces->nodes ? d->pieces->node[piece + 1]
                                                   : d->run->n - 1];
    double at = (t - begin) / (end - begin) * (d->knots - 1);
    int below = (int)fmin(fmax(floor(at), 0), d->knots - 2);
    for (int k = 0; k < d->count; k++) {
        int knot = k % d->knots;
        const double *h = d->hats + knot * d->knots;
        double hat = h[below] * (below + 1 - at) + h[below + 1] * (at - below);
        amount[k] =
            d->size[d->state[k]] *
            (d->term == NULL
                 ? hat
                 : darc_lacking_at(d->flow, d->term + k, y) / d->rms[k]);
    }
}

/* Set hats, by columns, to the root of the covariance of values at the knots.
 */
static void root_covariance(double *hats, int knots, double apart)
{
    memset(hats, 0, (size_t)(knots * knots) * sizeof *hats);
    for (int i = 0; i < knots; i++)
        for (int k = 0; k <= i; k++) {
            double sum = exp(-apart * (i - k) / (knots - 1));
            for (int l = 0; l < k; l++)
                sum -= hats[l * knots + i] * hats[l * knots + k];
            hats[k * knots + i] =
                i == k ? sqrt(sum) : sum / hats[k * knots + k];
        }
}

static bool is_function(const darc_flow *w, int signal)
{
    return signal < w->n && w->function[signal] >= 0;
}

/* Whether the rate of state i is just the next state: x' of x. */
static bool is_kinematic(const darc_flow *w, int i)
{
    return w->state[i].order + 1 < w->layout.count[w->state[i].unknown] ||
           is_function(w, i);
}

/* What all columns are made of. */
typedef struct {
    darc_trajectory *x;
    darc_linear_match l;
    darc_sizes s;
    bool coloured; /* terms are tested by */
    darc_ratio by;
} field;

/* Make f linear as if noise were white: what has a colour may be a forcing. Set
 * by, where one long recording is held. */
static bool open_plain(field *f)
{
    darc_linear_match_clear(&f->l);
    f->x->match.plain = true;
    bool good = darc_linear_match_init(&f->l, &f->x->match);
    if (good)
        darc_linear_match_rest(&f->l, f->l.left);
    if (good && f->x->runs == 1)
        f->coloured = darc_long_ratio(&f->by, &f->l, f->x, 0);
    return good;
}

/* Set columns `to` (rows x d->count) of recording r; hats have columns of their
 * own in each piece of it. */
static bool drive_columns(double *to, field *f, int r, driving *d)
{
    darc_match *m = &f->x->match;
    const darc_record *run = m->run + r;
    size_t rows = darc_match_rows(m, r);
    double *slopes =
        darc_malloc((rows * (size_t)d->count + 1) * sizeof *slopes);
    d->run = run;
    d->match = m;
    d->pieces = m->pieces + r;
    d->size = f->s.size + r * m->flow->n;
    darc_columns_plan plan = {
        .forced = d->count, .state = d->state, .amount = amounts, .user = d};
    bool good = darc_match_forced(m, r, &plan, slopes);
    for (int k = 0; k < d->count && good; k++) {
        size_t row = f->l.first[r], column = (size_t)k, q = rows / run->n;
        for (size_t i = 0, piece = 1; i < rows; i++) {
            if (d->term == NULL && piece < (size_t)d->pieces->nodes &&
                i == d->pieces->node[piece] * q) {
                column += (size_t)d->count;
                piece++;
            }
            if (isfinite(run->y[i]))
                to[column * f->l.rows + row++] = slopes[(size_t)k * rows + i];
        }
    }
    darc_free(slopes);
    return good;
}

/* Set the products of n columns, and theirs with what is left. */
static void multiply(double *gram, double *b, const field *f, double *column,
                     int n)
{
    size_t rows = f->l.rows;
    for (int k = 0; k < n; k++) {
        darc_linear_match_rest(&f->l, column + (size_t)k * rows);
        b[k] = darc_lanes_dot(column + (size_t)k * rows, f->l.left, rows);
        for (int i = 0; i <= k; i++)
            gram[i * n + k] = gram[k * n + i] = darc_lanes_dot(
                column + (size_t)k * rows, column + (size_t)i * rows, rows);
    }
}

/* Compare squares with those that what is left makes where it is moved by part
 * of the recordings: noise has no part in what stands elsewhere. */
static void inflate(darc_shrink *s, const double *gram, const field *f,
                    const double *column, int n)
{
    size_t rows = f->l.rows, q = (size_t)f->x->flow.outputs;
    size_t least = rows / q / DARC_RATIO_NEAR;
    size_t apart = 1 + rows / q / DARC_FORCING_SHIFTS;
    double *moved = darc_malloc(rows * sizeof *moved);
    double *shifted =
        darc_malloc(DARC_FORCING_SHIFTS * (size_t)n * sizeof *shifted);
    int count = 0;
    for (size_t t = least; t + least < rows / q && count < DARC_FORCING_SHIFTS;
         t += apart, count++) {
        memcpy(moved + t * q, f->l.left, (rows - t * q) * sizeof *moved);
        memcpy(moved, f->l.left + rows - t * q, t * q * sizeof *moved);
        for (int k = 0; k < n; k++)
            shifted[count * n + k] =
                darc_lanes_dot(column + (size_t)k * rows, moved, rows);
    }
    darc_shrink_inflate(s, gram, shifted, count, n);
    DARC_FREE(moved, shifted);
}

/* Ask for the share by which the rate of one state is forced. */
static bool ask_forced(darc_shrunk *out, field *f, int state, double alpha)
{
    darc_trajectory *x = f->x;
    int runs = x->runs, pieces = 0;
    for (int r = 0; r < runs; r++)
        pieces += x->match.pieces[r].nodes;
    int knots = DARC_FORCING_COLUMNS / pieces, most = DARC_FORCING_KNOTS;
    if (x->run->piece > 0)
        most *= (int)(x->run->n / x->run->piece) / x->match.pieces->nodes;
    knots = knots > most ? most : knots < 2 ? 2 : knots;
    int n = pieces * knots;
    size_t rows = f->l.rows;
    double *column = darc_calloc(rows * (size_t)n + 1, sizeof *column);
    double *gram =
        darc_calloc((size_t)(n * n + n + knots * knots), sizeof *gram);
    double *b = gram + n * n, *hats = b + n;
    driving d = {
        .flow = &x->flow, .knots = knots, .count = knots, .hats = hats};
    d.state = darc_malloc((size_t)knots * sizeof *d.state);
    DARC_FILL(d.state, knots, state);
    root_covariance(hats, knots,
                    DARC_FORCING_APART * most / DARC_FORCING_KNOTS);
    bool good = true;
    size_t first = 0;
    for (int r = 0; r < runs && good; r++) {
        good = drive_columns(column + first * rows, f, r, &d);
        first += (size_t)(x->match.pieces[r].nodes * knots);
    }
    if (good) {
        darc_shrink s = {.rest = darc_lanes_dot(f->l.left, f->l.left, rows),
                         .dof = (double)(f->l.rows - (size_t)f->l.rank),
                         .known = x->dof == HUGE_VAL,
                         .noise = x->scale};
        multiply(gram, b, f, column, n);
        darc_shrink_init(&s, gram, b, n);
        if (x->run->piece > 0 && !x->match.plain)
            inflate(&s, gram, f, column, n);
        darc_shrink_ask(out, &s, alpha, x->question->seed);
        darc_shrink_clear(&s);
    }
    DARC_FREE(column, gram, d.state);
    return good;
}

static void add_term(darc_forcing *f, darc_lacking l, const int *state, int n)
{
    for (int k = 0; k < n; k++) {
        l.state = state[k];
        DARC_ROOM(f->term, f->terms);
        f->term[f->terms++] = l;
    }
}

/* Powers and products of states and inputs, functions, and 1. */
static void list_terms(darc_forcing *f, const darc_flow *w)
{
    int *signal = darc_calloc((size_t)(w->n + w->names->count), sizeof *signal);
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < w->n; i++)
            if (is_function(w, i) == (pass == 1))
                signal[count++] = i;
    for (int u = 0; u < w->names->count; u++)
        if (w->names->symbol[u].kind == DARC_INPUT)
            signal[count++] = w->n + u;
    count = count > DARC_FORCING_SIGNALS ? DARC_FORCING_SIGNALS : count;
    add_term(f, (darc_lacking){.p_value = 1}, f->state, f->equations);
    for (int i = 0; i < count; i++)
        for (int power = 1; power <= (is_function(w, signal[i]) ? 1 : 3);
             power++)
            add_term(f,
                     (darc_lacking){
                         .factor = {signal[i]}, .power = {power}, .p_value = 1},
                     f->state, f->equations);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            add_term(f,
                     (darc_lacking){.factor = {signal[k], signal[i]},
                                    .power = {1, 1},
                                    .p_value = 1},
                     f->state, f->equations);
    darc_free(signal);
}

/* RMS over recordings of the largest term in the rate. */
static double size_of(const field *f, int state)
{
    int n = f->x->flow.n, runs = f->x->runs;
    double sum = 0;
    for (int r = 0; r < runs; r++)
        sum += pow(f->s.size[r * n + state], 2) / runs;
    return sqrt(sum);
}

/* Test term k, whose column stands there. */
static void test_term(darc_lacking *t, const field *f, double *column, int k)
{
    const darc_trajectory *x = f->x;
    size_t rows = f->l.rows;
    double before = darc_lanes_dot(column, column, rows);
    darc_linear_match_rest(&f->l, column);
    double norm = darc_lanes_dot(column, column, rows);
    double own = darc_lanes_dot(column, f->l.left, rows);
    double dof = (double)rows - f->l.rank - 1, rms = f->s.term[k];
    if (!(norm > DARC_FORCING_NEW * before) || dof < 1 || !(rms > 0))
        return;
    t->gain = own * own / norm;
    bool known = x->dof == HUGE_VAL;
    double noise = known ? x->scale : fmax(x->match.square - t->gain, 0) / dof;
    t->p_value =
        darc_stats_squares_sf(t->gain / noise, 1, known ? HUGE_VAL : dof);
    double size = size_of(f, t->state) / f->s.net[k];
    t->value = -own / norm / rms;
    t->share = fabs(own / norm) / size;
    t->sd = sqrt(noise / norm) / size;
}

/* The same beside noise of any colour. */
static void test_coloured(darc_lacking *t, const field *f, const darc_ratio *by,
                          const double *column, int k)
{
    size_t rows = f->l.rows;
    double rms = f->s.term[k];
    double *y = darc_malloc(rows * sizeof *y);
    double rest = darc_ratio_rest(by, y, column);
    if (rest * rest > DARC_FORCING_NEW && rms > 0) {
        darc_ratio_test said;
        double norm = rest * sqrt(darc_lanes_dot(column, column, rows));
        if (t->power[0] == 0 && by->coloured) {
            darc_ratio_ask_constant(&said, by, column);
            norm = 1;
        } else {
            darc_ratio_ask(&said, by, y, 1, f->x->question->alpha);
        }
        double size = size_of(f, t->state) / f->s.net[k];
        t->p_value = said.p_value;
        t->value = said.value / norm / rms;
        t->share = fabs(said.value) / norm / size;
        t->sd = said.sd / norm / size;
    }
    darc_free(y);
}

static int by_p(const void *a, const void *b)
{
    const darc_lacking *s = a, *t = b;
    return s->p_value != t->p_value
               ? (s->p_value > t->p_value) - (s->p_value < t->p_value)
               : (s->share < t->share) - (s->share > t->share);
}

static bool test_terms(darc_forcing *f, field *at)
{
    darc_trajectory *x = at->x;
    int n = f->terms;
    size_t rows = at->l.rows;
    double *column = darc_calloc(rows * (size_t)n + 1, sizeof *column);
    double *one = darc_malloc((size_t)(x->runs * x->flow.n + 1) * sizeof *one);
    double *size = at->s.size, hats[4] = {0};
    driving d = {.flow = &x->flow,
                 .knots = 2,
                 .count = n,
                 .hats = hats,
                 .term = f->term,
                 .rms = at->s.term};
    d.state = darc_calloc((size_t)n + 1, sizeof *d.state);
    for (int k = 0; k < n; k++)
        d.state[k] = f->term[k].state;
    DARC_FILL(one, x->runs * x->flow.n, 1);
    at->s.size = one;
    bool good = true;
    for (int r = 0; r < x->runs && good; r++)
        good = drive_columns(column, at, r, &d);
    at->s.size = size;
    for (int k = 0; k < n && good; k++) {
        double *own = column + (size_t)k * rows;
        if (at->coloured)
            test_coloured(f->term + k, at, &at->by, own, k);
        else
            test_term(f->term + k, at, own, k);
    }
    if (n > 0)
        qsort(f->term, (size_t)n, sizeof *f->term, by_p);
    DARC_FREE(column, one, d.state);
    return good;
}

static bool is_coloured(const darc_trajectory *x)
{
    bool coloured = false;
    for (int r = 0; r < x->runs; r++)
        coloured = coloured || x->run[r].colour != NULL;
    return coloured;
}

/* Whether recordings leave open where a state begins, by a share of its size,
 * there or along them: a mode that samples hardly show may be as large as it
 * likes, what fades within a few is as well known as its beginning. */
static bool is_vague(const field *f)
{
    const darc_match *m = &f->x->match;
    int n = m->flow->n, c = m->columns;
    bool vague = false;
    for (int r = 0; r < m->runs; r++)
        for (int u = 0; u < m->pieces[r].unknowns; u++, c++) {
            int state = m->pieces[r].unknown[u];
            double variance = f->l.inverse[c * f->l.columns + c] * f->x->scale;
            if (state >= n)
                continue;
            double size =
                fmax(f->s.state[r * n + state], fabs(m->pieces[r].x[state]));
            vague = vague || sqrt(variance) > DARC_FORCING_VAGUE * size;
        }
    return vague;
}

darc_status darc_forcing_init(darc_forcing *f, darc_trajectory *x,
                              darc_err *err)
{
    field at = {.x = x};
    const darc_flow *w = &x->flow;
    *f = (darc_forcing){.equations = 0};
    f->state = darc_calloc((size_t)w->n + 1, sizeof *f->state);
    for (int i = 0; i < w->n; i++)
        if (!is_kinematic(w, i))
            f->state[f->equations++] = i;
    f->forced = darc_calloc((size_t)f->equations + 1, sizeof *f->forced);
    list_terms(f, w);
    bool good = darc_linear_match_init(&at.l, &x->match) &&
                darc_sizes_init(&at.s, x, f->term, f->terms);
    f->vague = good && x->run->piece == 0 && is_vague(&at);
    for (int k = 0; k < f->equations && good; k++)
        good = darc_budget_check(x->question->budget, err) == DARC_OK &&
               ask_forced(f->forced + k, &at, f->state[k],
                          x->question->alpha / 2 / f->equations);
    if (x->run->piece > 0)
        good = good && open_plain(&at);
    for (int k = 0; k < f->equations && good && is_coloured(x); k++) {
        darc_shrunk plain;
        good = ask_forced(&plain, &at, f->state[k],
                          x->question->alpha / 2 / f->equations);
        f->forced[k].high = fmax(f->forced[k].high, good ? plain.high : 0);
    }
    good = good && test_terms(f, &at);
    x->match.plain = false;
    darc_ratio_clear(&at.by);
    darc_linear_match_clear(&at.l);
    darc_sizes_clear(&at.s);
    if (good)
        return DARC_OK;
    darc_forcing_clear(f);
    DARC_NEED(darc_budget_check(x->question->budget, err));
    return darc_fail(err, DARC_DOMAIN,
                     "trajectories with forced rates have no solution");
}

void darc_forcing_clear(darc_forcing *f)
{
    DARC_FREE(f->state, f->forced, f->term);
    *f = (darc_forcing){.equations = 0};
}

void darc_lacking_print(darc_text_t out, const darc_lacking *l,
                        const darc_flow *w)
{
    if (l->power[0] == 0)
        darc_text_puts(out, "1");
    for (int f = 0; f < 2; f++) {
        if (l->power[f] == 0)
            continue;
        darc_deriv d = l->factor[f] < w->n
                           ? w->state[l->factor[f]]
                           : (darc_deriv){l->factor[f] - w->n, 0};
        darc_text_puts(out, f > 0 ? "*" : "");
        darc_deriv_print(out, d, w->names);
        if (l->power[f] > 1)
            darc_text_printf(out, "^%d", l->power[f]);
    }
}

void darc_forcing_print(darc_text_t out, const darc_forcing *f, int k,
                        const darc_flow *w)
{
    const darc_shrunk *s = f->forced + k;
    darc_deriv rate = w->state[f->state[k]];
    rate.order++;
    darc_text_puts(out, "forcing of ");
    darc_deriv_print(out, rate, w->names);
    darc_text_printf(out,
                     ": %.2g %% (%.2g to %.2g %%) of its largest term, p = "
                     "%.2g, detectable from %.2g %%",
                     100 * s->size, 100 * s->low, 100 * s->high, s->p_value,
                     100 * s->detectable);
}
