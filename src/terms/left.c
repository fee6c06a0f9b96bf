#include "terms/left.h"

#include "base/mem.h"
#include "noise/growth.h"
#include "noise/limits.h"
#include "noise/shelf.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"
#include "terms/offers.h"
#include "terms/thresholds.h"

#include <math.h>
#include <string.h>

/* Equations with their candidates, whitened, as if all noise were white. */
typedef struct {
    darc_weak *weak; /* owned */
    bool alone;      /* no other noise has to be told from it */
    int all;         /* coefficients, those of candidates too */
    int *own;        /* by coefficient: that of the fit; -1: a candidate's;
                        owned */
    double *c;       /* coefficients at which they are whitened; owned, with the
                        next three */
    size_t rows;     /* of moments, in turn by equation */
    double *e, *x;   /* rows values, all columns; owned */
    double *gram;    /* x'x */
    double *score;   /* x'e */
    double *share;   /* of e'e, by channel */
    double q;        /* e'e */
    bool *none;      /* of the columns; owned */
    double *drawn;   /* draws of noise of the other channels, whitened */
} whitened;

/* The signals whose noise is looked for. */
typedef struct {
    int count, *unknown; /* owned */
    double *level;       /* what is seen of it, over what was taken; owned */
    bool *channel;       /* by channel: of one of them; owned */
    bool alone;          /* what is left shows them all by themselves */
    int term;            /* the candidate without which what is left is not
                            white; -1: it is to be found */
} sought;

/* ---- what an equation leaves --------------------------------------------- */

static void clear(whitened *w)
{
    DARC_FREE(w->e, w->c, w->own, w->none);
    darc_weak_free(w->weak);
}

/* Open the equations with their candidates; noise is drawn of all channels but
 * those that are looked for. */
static darc_weak *open_equations(const darc_offers *o, const sought *of)
{
    int n = o->f->r.equations;
    const darc_total_struct **total = darc_calloc((size_t)n, sizeof *total);
    darc_weak *weak;
    darc_weak_data data = {
        .table = o->table,
        .signal = o->signal,
        .channel = o->channel,
        .channels = o->channels,
        .steps = o->f->r.steps,
        .rich = HUGE_VAL,
        .fine = o->table->samples <= DARC_LEFT_LONG,
        .finest = o->table->samples < DARC_LEFT_MANY,
        .every = darc_weak_stride(o->f->weak,
                                  o->f->weak->pieces / DARC_MISSING_PIECES)};
    for (int q = 0; q < n; q++)
        total[q] = o->total + q;
    for (int c = 0; c < o->f->r.channels; c++)
        o->channel[c].bound = o->channel[c].bound || of->channel[c];
    bool open = darc_weak_new(&weak, total, n, &data, NULL) == DARC_OK;
    darc_free(total);
    return open ? weak : NULL;
}

/* Open what is whitened, at the coefficients of the fit. */
static bool open_whitened(whitened *w, const darc_offers *o, const sought *of)
{
    darc_weak *weak = open_equations(o, of);
    *w = (whitened){.weak = weak, .alone = of->alone};
    if (weak == NULL)
        return false;
    int all = weak->coeffs;
    const darc_weak *fitted = o->f->weak;
    size_t rows = weak->functions * (size_t)weak->equations;
    ptrdiff_t n = (ptrdiff_t)rows;
    w->all = all;
    w->rows = rows;
    w->own = darc_calloc((size_t)all, sizeof *w->own);
    DARC_CARVE({&w->e, n}, {&w->x, n * all}, {&w->drawn, n * DARC_ALL_DRAWS});
    DARC_CARVE({&w->c, all}, {&w->score, all}, {&w->gram, all * all},
               {&w->share, weak->channels});
    w->none = darc_calloc((size_t)all, sizeof *w->none);
    for (int q = 0; q < weak->equations; q++)
        for (int j = weak->first[q], at = fitted->first[q];
             j < weak->first[q + 1]; j++, at++) {
            w->own[j] = at < fitted->first[q + 1] ? at : -1;
            w->c[j] = w->own[j] >= 0 ? o->f->white.c[at] : 0;
        }
    return true;
}

/* Whiten the equations at coefficients c; plain and only as in darc_point. */
static bool whiten(whitened *w, bool plain, const bool *only,
                   const darc_budget *budget)
{
    darc_point at = {.weak = w->weak,
                     .c = w->c,
                     .white = w->e,
                     .plain = plain,
                     .only = only,
                     .drawn = w->drawn};
    darc_effort effort = {
        .every = 1, .draws = w->alone ? 0 : DARC_ALL_DRAWS, .draw_every = 1};
    darc_sums sums;
    darc_sums_init(&sums, w->weak);
    bool done = darc_sums_pass(&sums, &at, &effort, budget, NULL) == DARC_OK;
    for (int j = 0; j < w->all; j++) {
        const double *x = w->x + (size_t)j * w->rows;
        if (only != NULL && !only[j])
            continue;
        w->score[j] = darc_lanes_dot(x, w->e, w->rows);
        for (int i = 0; i <= j; i++)
            if (only == NULL || only[i])
                w->gram[i * w->all + j] = w->gram[j * w->all + i] =
                    darc_lanes_dot(x, w->x + (size_t)i * w->rows, w->rows);
    }
    w->q = sums.q;
    memcpy(w->share, sums.share, (size_t)w->weak->channels * sizeof *w->share);
    darc_sums_clear(&sums);
    return done;
}

/* Set *s to what is left of equation q, and return whether it is white, and
 * likewise where noise is drawn, the other channels aside. */
static bool read_one(darc_shelf *s, const whitened *w, int q)
{
    const darc_weak *weak = w->weak;
    size_t n = weak->functions, step = (size_t)weak->equations;
    double *value = darc_malloc((1 + DARC_ALL_DRAWS) * n * sizeof *value);
    darc_signal signal[1 + DARC_ALL_DRAWS] = {0};
    darc_table table = {.samples = n,
                        .dt = weak->step * weak->dt,
                        .signals = 1 + DARC_ALL_DRAWS,
                        .signal = signal,
                        .segments = weak->pieces};
    for (size_t i = 0; i <= DARC_ALL_DRAWS; i++) {
        const double *from = i == 0 ? w->e : w->drawn + (i - 1) * w->rows;
        signal[i].value = value + i * n;
        for (size_t k = 0; k < n; k++)
            value[i * n + k] = from[k * step + (size_t)q];
    }
    table.segment = darc_calloc((size_t)weak->pieces, sizeof *table.segment);
    for (size_t at = 0, i = 0; i < (size_t)weak->pieces; i++) {
        size_t end = at + (size_t)weak->piece[i].functions;
        table.segment[i] = (darc_segment){at, end};
        at = end;
    }
    bool drawn = darc_lanes_dot(w->drawn, w->drawn, w->rows) > 0;
    bool white = darc_shelf_is_all(s, &table, drawn ? DARC_ALL_DRAWS : 0);
    DARC_FREE(table.segment, value);
    return white;
}

/* Whether what all equations leave is white: each is flat, and all together
 * exclude red noise; set *s to its level over the one it was whitened with, the
 * mean of theirs, and how well that is known. */
static bool read_white(darc_shelf *s, const whitened *w)
{
    int n = w->weak->equations;
    bool white = true;
    *s = (darc_shelf){.ordinates = HUGE_VAL};
    for (int q = 0; q < n; q++) {
        darc_shelf one;
        white = read_one(&one, w, q) && white;
        s->sure += one.sure / sqrt(n);
        s->level += one.level / n;
        s->ordinates = fmin(s->ordinates, one.ordinates);
        s->raise = fmax(s->raise, one.raise);
    }
    return white && s->sure > DARC_ALL_SIGMAS;
}

/* Set y to the squares of signal value in the middle of the test functions. */
static void take_squares(double *y, const double *value, const darc_weak *weak)
{
    for (int p = 0; p < weak->pieces; p++) {
        const double *x = value + weak->piece[p].begin + weak->margin;
        for (int k = 0; k < weak->piece[p].functions; k++)
            *y++ = pow(x[k * weak->step + weak->support / 2], 2);
    }
}

/* Whether what is left is as large where the signals are small: of noise that
 * grows with its signal few samples show that nowhere else. */
static bool is_even(const whitened *w, const sought *of, const darc_offers *o)
{
    size_t n = w->weak->functions, step = (size_t)w->weak->equations;
    double *loud = darc_calloc(2 * n, sizeof *loud), *y = loud + n, most = 0;
    for (size_t k = 0; k < n * step; k++)
        loud[k / step] += fmin(fabs(w->e[k]), DARC_LEFT_SPIKE);
    for (int i = 0; i < of->count; i++) {
        take_squares(y, o->signal[of->unknown[i]].value, w->weak);
        most = fmax(most, darc_growth_sigmas(loud, y, n));
    }
    darc_free(loud);
    return most < DARC_LEFT_EVEN;
}

/* Whether term j is one of the equation's own again. */
static bool is_again(const whitened *w, int j)
{
    const double *g = w->gram;
    int d = w->all + 1;
    bool again = false;
    for (int i = 0; i < w->all && !again; i++) {
        if (w->own[i] < 0)
            continue;
        double both = g[i * w->all + j];
        again = g[j * d] - both * both / g[i * d] <= DARC_LEFT_AGAIN * g[j * d];
    }
    return again;
}

/* Set best to the candidates that take away most of what is left, to first
 * order; -1: there are none but what the equations hold already. */
static void find_best(int *best, const whitened *w, const darc_gls *fit)
{
    int n = w->all;
    double left, most[DARC_LEFT_TRIED] = {0};
    double *a = darc_calloc((size_t)n, sizeof *a);
    bool *free = darc_calloc((size_t)n, sizeof *free);
    for (int i = 0; i < DARC_LEFT_TRIED; i++)
        best[i] = -1;
    for (int j = 0; j < n; j++)
        free[j] = w->own[j] >= 0 && fit->free[w->own[j]];
    for (int j = 0; j < n; j++) {
        if (w->own[j] >= 0 || is_again(w, j) ||
            !darc_project_off(w->gram, n, free, j, a, &left) ||
            left <= DARC_LEFT_AGAIN * w->gram[j * (n + 1)])
            continue;
        double score = 0;
        for (int i = 0; i < n; i++)
            score += a[i] * w->score[i];
        double drop = score * score / left;
        int at = DARC_LEFT_TRIED;
        for (; at > 0 && drop > most[at - 1]; at--)
            if (at < DARC_LEFT_TRIED) {
                most[at] = most[at - 1];
                best[at] = best[at - 1];
            }
        if (at < DARC_LEFT_TRIED) {
            most[at] = drop;
            best[at] = j;
        }
    }
    DARC_FREE(a, free);
}

/* Fit the free terms and term j to what is left, by steps of least squares; it
 * is whitened with all terms at first. */
static bool fit_term(whitened *w, const darc_gls *fit, int j,
                     const darc_budget *budget)
{
    int count = 0, *index = darc_calloc((size_t)w->all, sizeof *index);
    double *b = darc_calloc((size_t)w->all, sizeof *b);
    bool *only = darc_calloc((size_t)w->all, sizeof *only), solved = true;
    for (int i = 0; i < w->all; i++)
        if (i == j || (w->own[i] >= 0 && fit->free[w->own[i]])) {
            index[count++] = i;
            only[i] = true;
        }
    for (int step = 0; step < DARC_LEFT_STEPS && solved; step++) {
        for (int i = 0; i < count; i++)
            b[i] = w->score[index[i]];
        solved = darc_solve_part(w->gram, w->all, index, count, b, 1);
        for (int i = 0; i < count && solved; i++)
            w->c[index[i]] -= b[i];
        solved = solved && whiten(w, false, only, budget);
    }
    DARC_FREE(index, b, only);
    return solved;
}

/* Fit the candidate that leaves least; return it, -1: none. */
static int fit_best(whitened *w, const darc_gls *fit, const darc_budget *budget)
{
    int tried[DARC_LEFT_TRIED], best = -1;
    size_t n = (size_t)w->all, size = n * (n + 2) * sizeof(double);
    double *start = darc_malloc(size), *end = darc_malloc(size);
    double least = HUGE_VAL;
    memcpy(start, w->c, size);
    find_best(tried, w, fit);
    int most = w->rows > DARC_LEFT_LONG ? 1 : DARC_LEFT_TRIED;
    for (int i = 0; i < most && tried[i] >= 0; i++) {
        memcpy(w->c, start, size);
        if (fit_term(w, fit, tried[i], budget) && w->q < least) {
            least = w->q;
            best = tried[i];
            memcpy(end, w->c, size);
        }
    }
    memcpy(w->c, best >= 0 ? end : start, size);
    if (best >= 0 && !whiten(w, false, w->none, budget))
        best = -1;
    DARC_FREE(start, end);
    return best;
}

/* Whether coefficient j is a lag. */
static bool is_lag(const darc_offers *o, const darc_weak *weak, int j)
{
    bool lag = false;
    for (int q = 0; q < weak->equations; q++)
        for (int i = 0; i < o->offer[q].count; i++)
            lag = lag || (o->offer[q].coeff[i] >= 0 &&
                          weak->first[q] + o->offer[q].coeff[i] == j &&
                          o->offer[q].list[i].kind == DARC_CANDIDATE_LAG);
    return lag;
}

/* Set the levels that the signals have, over those they were whitened with:
 * with knots at all samples and as many equations as signals all their noise is
 * seen, each by itself. */
static void set_levels(sought *of, const darc_shelf *s, const whitened *w,
                       const darc_regression *r)
{
    for (int i = 0; i < of->count; i++) {
        int channel = r->signal[of->unknown[i]].source->channel;
        of->level[i] = of->count == 1 || w->weak == NULL
                           ? s->level
                           : w->share[channel] / (double)w->weak->functions;
    }
}

/* Whether what the equations leave, by themselves or with a term more, is
 * white; levels are set then; *s as read_white.  Set *told to whether that term
 * is none that inputs which change between samples make, a delay of a sample.
 */
static bool leaves_white(darc_shelf *s, bool *told, const darc_offers *o,
                         sought *of)
{
    whitened w = {.weak = NULL};
    const darc_budget *budget = o->x->budget;
    bool white = open_whitened(&w, o, of) && whiten(&w, true, NULL, budget);
    *told = false;
    if (white && !read_white(s, &w)) {
        int best = of->term;
        if (best < 0)
            best = fit_best(&w, &o->f->white, budget);
        else if (!fit_term(&w, &o->f->white, best, budget))
            best = -1;
        of->term = best;
        white = best >= 0 && read_white(s, &w);
        *told = white && !(is_lag(o, w.weak, best) &&
                           fabs(w.c[best]) < DARC_LEFT_DELAY * w.weak->dt);
    }
    white = white && is_even(&w, of, o);
    set_levels(of, s, &w, &o->f->r);
    clear(&w);
    return white;
}

/* ---- signals ------------------------------------------------------------- */

/* Set of to the unknowns whose noise is of any colour; release it.  Where there
 * are as many equations as signals with noise, what these leave shows that of
 * all. */
static void seek(sought *of, const darc_regression *r, const darc_question *x)
{
    int noisy = 0;
    of->count = 0;
    of->term = -1;
    of->unknown = darc_calloc((size_t)r->unknowns, sizeof *of->unknown);
    of->level = darc_calloc((size_t)r->unknowns, sizeof *of->level);
    of->channel = darc_calloc((size_t)r->channels + 1, sizeof *of->channel);
    for (int u = 0; u < r->unknowns; u++) {
        if (!darc_regression_is_noisy(r, x, u))
            continue;
        noisy++;
        if (r->noise[u].colour != DARC_COLOUR_ANY)
            continue;
        of->unknown[of->count++] = u;
        for (int i = 0; i < r->signal[u].sources; i++)
            of->channel[r->signal[u].source[i].channel] = true;
    }
    of->alone = noisy <= r->equations;
}

/* Set the noise of the signals that are looked for to white noise of the level
 * that the equations show, where they show one; *told as leaves_white.  Beside
 * noise of others what is left is white only if whitened by the right level. */
static bool find_level(darc_signalnoise *known, bool *told, const darc_fit *f,
                       const darc_question *x, const darc_table *table,
                       sought *of)
{
    darc_offers o = {.f = f, .x = x, .table = table};
    double *sd = darc_calloc((size_t)f->r.unknowns, sizeof *sd);
    darc_shelf s = {.level = 0};
    bool white = false, near = false;
    bool open = darc_offers_open(&o, NULL) == DARC_OK;
    for (int i = 0; i < of->count; i++)
        sd[i] = known[of->unknown[i]].sd;
    for (int pass = 0; pass < DARC_LEFT_PASSES && open && !near &&
                       (white || pass < DARC_LEFT_DARK);
         pass++) {
        s = (darc_shelf){.level = 0};
        for (int i = 0; i < of->count; i++) {
            int u = of->unknown[i];
            o.channel[f->r.signal[u].source->channel].kernel = sd + i;
            o.channel[f->r.signal[u].source->channel].taps = 1;
        }
        white = leaves_white(&s, told, &o, of);
        near = true;
        for (int i = 0; i < of->count; i++) {
            open = open && of->level[i] > 0;
            near = near && fabs(of->level[i] - 1) < DARC_LEFT_NEAR;
            sd[i] *= sqrt(of->level[i]);
        }
    }
    darc_offers_clear(&o);
    for (int i = 0; i < of->count && white && near; i++) {
        darc_signalnoise *n = known + of->unknown[i];
        n->dof = 2 * s.ordinates;
        n->raise = s.raise;
        n->colour = DARC_COLOUR_WHITE;
        n->sd = n->kernel[0] = sd[i];
        n->taps = 1;
    }
    darc_free(sd);
    return white && near;
}

/* Set the noise of the signals that have noise of any colour in f to what its
 * equations show of it, no more signals than equations.  Return whether they
 * do.  Of long recordings the spectra of the signals do, unless an input is a
 * staircase. */
static bool learn(darc_signalnoise *known, bool *told, const darc_fit *f,
                  const darc_question *x, const darc_table *table)
{
    sought of;
    int any = 0;
    seek(&of, &f->r, x);
    for (int u = 0; u < f->r.unknowns; u++)
        any += f->r.at[u] >= 0 && f->r.noise[u].colour == DARC_COLOUR_ANY;
    bool learnt = of.count > 0 && of.count <= f->r.equations &&
                  (any == 1 || table->samples <= DARC_LEFT_LONG);
    for (int i = 0; i < of.count; i++)
        learnt = learnt && f->r.signal[of.unknown[i]].sources == 1;
    learnt = learnt && find_level(known, told, f, x, table, &of);
    DARC_FREE(of.unknown, of.level, of.channel);
    return learnt;
}

/* The same of the equations of x by themselves, with what is known. */
static bool learn_apart(darc_signalnoise *known, bool *told,
                        const darc_question *x, const darc_table *table,
                        double alpha)
{
    darc_question one = *x;
    darc_criteria by = *x->by;
    darc_fit f;
    by.known = known;
    one.by = &by;
    bool learnt = darc_fit_question(&f, &one, table, alpha, NULL) == DARC_OK &&
                  learn(known, told, &f, &one, table);
    darc_fit_clear(&f);
    return learnt;
}

bool darc_left_noise(darc_signalnoise *known, bool *told, const darc_fit *f,
                     const darc_question *x, const darc_table *table,
                     double alpha)
{
    bool any = false, one = false;
    *told = false;
    for (int u = 0; u < f->r.unknowns; u++)
        darc_signalnoise_copy(known + u, f->r.noise + u);
    if (x->equations == 1)
        return learn(known, told, f, x, table);
    for (bool more = true; more; any |= more) {
        more = false;
        for (int q = 0; q < x->equations; q++) {
            darc_question part = *x;
            part.equations = 1;
            part.equation = x->equation + q;
            bool learnt = learn_apart(known, &one, &part, table, alpha);
            more |= learnt;
            *told |= learnt && one;
        }
    }
    bool all = any ? learn_apart(known, &one, x, table, alpha)
                   : learn(known, &one, f, x, table);
    *told |= all && one;
    return any || all;
}
