#include "terms/left.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "noise/shelf.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"
#include "terms/offers.h"
#include "terms/thresholds.h"

#include <math.h>
#include <string.h>

/* One equation with its candidates, whitened, as if all noise were white. */
typedef struct {
    darc_weak *weak; /* owned */
    int own, all;    /* coefficients: without candidates, with them */
    size_t rows;
    double *e, *x; /* rows values, all columns; owned */
    double *gram;  /* x'x; owned, with the next */
    double *score; /* x'e */
    double *drawn; /* draws of noise of all channels but one, whitened */
} whitened;

/* ---- what an equation leaves --------------------------------------------- */

static void clear(whitened *w)
{
    DARC_FREE(w->e, w->gram);
    darc_weak_free(w->weak);
}

/* Open the equation with its candidates; noise is drawn of all channels but
 * one. */
static darc_weak *open_equation(const darc_offers *o, int channel)
{
    const darc_total_struct *total = o->total;
    darc_weak *weak = NULL;
    darc_weak_data data = {
        .table = o->table,
        .signal = o->signal,
        .channel = o->channel,
        .channels = o->channels,
        .rich = HUGE_VAL,
        .every = darc_weak_stride(o->f->weak,
                                  o->f->weak->pieces / DARC_MISSING_PIECES)};
    o->channel[channel].bound = true;
    bool open = darc_weak_new(&weak, &total, 1, &data, NULL) == DARC_OK;
    return open ? weak : NULL;
}

/* Whiten the equation at the coefficients of the fit. */
static bool whiten(whitened *w, const darc_offers *o, int channel)
{
    darc_weak *weak = open_equation(o, channel);
    if (weak == NULL)
        return false;
    int own = o->f->weak->coeffs, all = weak->coeffs;
    size_t rows = weak->functions;
    ptrdiff_t n = (ptrdiff_t)rows;
    *w = (whitened){.weak = weak, .own = own, .all = all, .rows = rows};
    double *c = darc_calloc((size_t)all, sizeof *c);
    memcpy(c, o->f->white.c, (size_t)own * sizeof *c);
    DARC_CARVE({&w->e, n}, {&w->x, n * all}, {&w->drawn, n * DARC_ALL_DRAWS});
    DARC_CARVE({&w->gram, all * all}, {&w->score, all});
    darc_point at = {.weak = weak, .c = c, .white = w->e, .drawn = w->drawn};
    darc_effort effort = {.every = 1, .draws = DARC_ALL_DRAWS, .draw_every = 1};
    darc_sums sums;
    darc_sums_init(&sums, weak);
    bool done =
        darc_sums_pass(&sums, &at, &effort, o->x->budget, NULL) == DARC_OK;
    darc_columns_gram(w->gram, 1, w->x, rows, all);
    for (int j = 0; j < all; j++)
        w->score[j] = darc_lanes_dot(w->x + (size_t)j * rows, w->e, rows);
    darc_sums_clear(&sums);
    darc_free(c);
    return done;
}

/* Whether what is left is white, and likewise where noise is drawn, the other
 * channels aside; set *s to its level over the one it was whitened with, and
 * how well that is known. */
static bool read_white(darc_shelf *s, const whitened *w)
{
    const darc_weak *weak = w->weak;
    darc_signal signal[1 + DARC_ALL_DRAWS] = {{.value = w->e}};
    darc_table table = {.samples = w->rows,
                        .dt = weak->step * weak->dt,
                        .signals = 1 + DARC_ALL_DRAWS,
                        .signal = signal,
                        .segments = weak->pieces};
    for (int i = 0; i < DARC_ALL_DRAWS; i++)
        signal[1 + i].value = w->drawn + (size_t)i * w->rows;
    table.segment = darc_calloc((size_t)weak->pieces, sizeof *table.segment);
    for (size_t at = 0, i = 0; i < (size_t)weak->pieces; i++) {
        size_t end = at + (size_t)weak->piece[i].functions;
        table.segment[i] = (darc_segment){at, end};
        at = end;
    }
    bool white = darc_shelf_is_all(
        s, &table,
        darc_lanes_dot(w->drawn, w->drawn, w->rows) > 0 ? DARC_ALL_DRAWS : 0);
    darc_free(table.segment);
    return white;
}

/* Whether term j is one of the equation's own again. */
static bool is_again(const whitened *w, int j)
{
    const double *g = w->gram;
    int d = w->all + 1;
    bool again = false;
    for (int i = 0; i < w->own && !again; i++) {
        double both = g[i * w->all + j];
        again = g[j * d] - both * both / g[i * d] <= DARC_LEFT_AGAIN * g[j * d];
    }
    return again;
}

/* Return the candidate that takes away most of what is left; -1: there is none
 * but what the equation holds already. */
static int find_best(const whitened *w, const darc_gls *fit)
{
    int n = w->all, best = -1;
    double left, most = 0;
    double *a = darc_calloc((size_t)n, sizeof *a);
    bool *free = darc_calloc((size_t)n, sizeof *free);
    memcpy(free, fit->free, (size_t)w->own * sizeof *free);
    for (int j = w->own; j < n; j++) {
        if (is_again(w, j) ||
            !darc_project_off(w->gram, n, free, j, a, &left) ||
            left <= DARC_LEFT_AGAIN * w->gram[j * (n + 1)])
            continue;
        double score = 0;
        for (int i = 0; i < n; i++)
            score += a[i] * w->score[i];
        if (score * score / left > most) {
            most = score * score / left;
            best = j;
        }
    }
    DARC_FREE(a, free);
    return best;
}

/* Take off e what the free terms and term j make of it; *value is that of j. */
static bool take_off(whitened *w, double *value, const darc_gls *fit, int j)
{
    int count = 0;
    int *index = darc_calloc((size_t)w->all, sizeof *index);
    double *b = darc_calloc((size_t)w->all, sizeof *b);
    for (int i = 0; i < w->own; i++)
        if (fit->free[i])
            index[count++] = i;
    index[count++] = j;
    for (int i = 0; i < count; i++)
        b[i] = w->score[index[i]];
    bool solved = darc_solve_part(w->gram, w->all, index, count, b, 1);
    *value = b[count - 1];
    for (int i = 0; i < count && solved; i++)
        darc_lanes_add(w->e, -b[i], w->x + (size_t)index[i] * w->rows, w->rows);
    DARC_FREE(index, b);
    return solved;
}

/* Whether coefficient j is a lag. */
static bool is_lag(const darc_offer *o, int j)
{
    bool lag = false;
    for (int i = 0; i < o->count; i++)
        lag =
            lag || (o->coeff[i] == j && o->list[i].kind == DARC_CANDIDATE_LAG);
    return lag;
}

/* Whether what the equation leaves, by itself or with a term more, is white; *s
 * as read_white.  Set *told to whether that term is none that inputs make which
 * change between samples, a delay of a sample or so. */
static bool leaves_white(darc_shelf *s, bool *told, const darc_offers *o,
                         int channel)
{
    whitened w = {.weak = NULL};
    bool white = whiten(&w, o, channel);
    *told = false;
    if (white && !read_white(s, &w)) {
        double value = 0;
        int best = find_best(&w, &o->f->white);
        white = best >= 0 && take_off(&w, &value, &o->f->white, best) &&
                read_white(s, &w);
        *told = white && !(is_lag(o->offer, best) &&
                           fabs(value) < DARC_LEFT_DELAY * w.weak->dt);
    }
    clear(&w);
    return white;
}

/* ---- signals ------------------------------------------------------------- */

/* Return the unknown of any colour where the noise of all others is known to be
 * white, or none is seen; -1: there is none. */
static int find_alone(const darc_regression *r)
{
    int found = -1;
    for (int u = 0; u < r->unknowns; u++) {
        if (r->at[u] < 0 || r->noise[u].colour != DARC_COLOUR_ANY)
            continue;
        if (found >= 0)
            return -1;
        found = u;
    }
    return found;
}

/* Set n to white noise of the level that the equation of f shows, where it
 * shows one; *told as leaves_white.  Beside noise of others what is left is
 * white only if whitened by the right level. */
static bool find_level(darc_signalnoise *n, bool *told, const darc_fit *f,
                       const darc_question *x, const darc_table *table,
                       int channel)
{
    darc_offers o = {.f = f, .x = x, .table = table};
    double sd = n->sd;
    darc_shelf s = {.level = 0};
    bool white = false, near = false;
    bool open = darc_offers_open(&o, NULL) == DARC_OK;
    for (int pass = 0; pass < DARC_LEFT_PASSES && open && !near; pass++) {
        s = (darc_shelf){.level = 0};
        o.channel[channel].kernel = &sd;
        o.channel[channel].taps = 1;
        white = leaves_white(&s, told, &o, channel);
        open = s.level > 0;
        near = fabs(s.level - 1) < DARC_LEFT_NEAR;
        sd *= sqrt(s.level);
    }
    darc_offers_clear(&o);
    if (!white || !near)
        return false;
    n->dof = 2 * s.ordinates;
    n->raise = s.raise;
    n->colour = DARC_COLOUR_WHITE;
    n->sd = n->kernel[0] = sd;
    n->taps = 1;
    return true;
}

/* Set the noise of the signal that alone has noise of any colour in f, the fit
 * of one equation, to what the equation shows of it.  Return whether it does.
 */
static bool learn(darc_signalnoise *known, bool *told, const darc_fit *f,
                  const darc_question *x, const darc_table *table)
{
    int u = find_alone(&f->r);
    return u >= 0 && f->r.signal[u].sources == 1 &&
           find_level(known + u, told, f, x, table,
                      f->r.signal[u].source->channel);
}

/* The same of equation q of x by itself, with what is known. */
static bool learn_apart(darc_signalnoise *known, bool *told,
                        const darc_question *x, int q, const darc_table *table,
                        double alpha)
{
    darc_question one = *x;
    darc_criteria by = *x->by;
    darc_fit f;
    by.known = known;
    one.by = &by;
    one.equations = 1;
    one.equation = x->equation + q;
    bool learnt = darc_fit_question(&f, &one, table, alpha, NULL) == DARC_OK &&
                  learn(known, told, &f, &one, table);
    darc_fit_clear(&f);
    return learnt;
}

bool darc_left_noise(darc_signalnoise *known, bool *told, const darc_fit *f,
                     const darc_question *x, const darc_table *table,
                     double alpha)
{
    bool any = false;
    *told = false;
    for (int u = 0; u < f->r.unknowns; u++)
        darc_signalnoise_copy(known + u, f->r.noise + u);
    if (x->equations == 1)
        return learn(known, told, f, x, table);
    for (bool more = true; more;) {
        more = false;
        for (int q = 0; q < x->equations; q++) {
            bool one = false,
                 learnt = learn_apart(known, &one, x, q, table, alpha);
            more = more || learnt;
            *told = *told || (learnt && one);
        }
        any = any || more;
    }
    return any;
}
