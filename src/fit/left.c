#include "fit/left.h"

#include "base/mem.h"
#include "fit/offers.h"
#include "fit/thresholds.h"
#include "noise/limits.h"
#include "noise/shelf.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"

#include <math.h>
#include <string.h>

/* One equation with its candidates, whitened. */
typedef struct {
    const darc_weak *weak;
    int own, all; /* coefficients: without candidates, with them */
    size_t rows;
    double *e, *x; /* rows values, all columns; owned */
    double *gram;  /* x'x; owned, with the next */
    double *score; /* x'e */
} whitened;

/* ---- whether a course is white ------------------------------------------- */

/* Set n's level over the one it was whitened with, and how well that is known,
 * from a course, by function; return whether it is white at all frequencies. */
static bool read_white(double *level, darc_signalnoise *n,
                       const darc_weak *weak, double *course)
{
    const int first = 0;
    darc_signal signal = {.value = course};
    darc_table table = {.samples = weak->functions,
                        .dt = weak->step * weak->dt,
                        .signals = 1,
                        .signal = &signal,
                        .segments = weak->pieces};
    darc_periodogram p;
    darc_shelf s = {.flat = false};
    double variance =
        darc_lanes_dot(course, course, table.samples) / (double)table.samples;
    table.segment = darc_calloc((size_t)weak->pieces, sizeof *table.segment);
    for (size_t at = 0, i = 0; i < (size_t)weak->pieces; i++) {
        size_t end = at + (size_t)weak->piece[i].functions;
        table.segment[i] = (darc_segment){at, end};
        at = end;
    }
    darc_periodogram_init(&p, &table, &first, 1, DARC_STRETCH_PARTS, false);
    if (p.bins > 0)
        darc_shelf_find(&s, &p, 0, variance, DARC_LEFT_LEAST * variance);
    darc_periodogram_clear(&p);
    darc_free(table.segment);
    *level = s.level;
    n->dof = 2 * s.ordinates;
    n->raise = s.raise;
    return s.flat && s.sure > DARC_LEFT_SIGMAS && s.begin <= DARC_LEFT_BEGIN &&
           variance <= (1 + DARC_LEFT_SIGMAS * sqrt(2 / n->dof)) * s.level;
}

/* ---- what an equation leaves --------------------------------------------- */

static void clear(whitened *w)
{
    DARC_FREE(w->e, w->gram);
}

/* Whiten equation `total`, with its candidates, at the coefficients of f. */
static bool whiten(whitened *w, darc_weak **weak, const darc_offers *o)
{
    const darc_total_struct *total = o->total;
    darc_weak_data data = {
        .table = o->table,
        .signal = o->signal,
        .channel = o->channel,
        .channels = o->channels,
        .rich = HUGE_VAL,
        .every = darc_weak_stride(o->f->weak,
                                  o->f->weak->pieces / DARC_MISSING_PIECES)};
    if (darc_weak_new(weak, &total, 1, &data, NULL) != DARC_OK)
        return false;
    int own = o->f->weak->coeffs, all = (*weak)->coeffs;
    size_t rows = (*weak)->functions;
    *w = (whitened){.weak = *weak, .own = own, .all = all, .rows = rows};
    double *c = darc_calloc((size_t)all, sizeof *c);
    memcpy(c, o->f->white.c, (size_t)own * sizeof *c);
    w->e = darc_calloc(rows * (size_t)(all + 1), sizeof *w->e);
    w->x = w->e + rows;
    DARC_CARVE({&w->gram, all * all}, {&w->score, all});
    darc_point at = {.weak = *weak, .c = c, .white = w->e};
    darc_effort effort = {.every = 1, .draw_every = 1};
    darc_sums sums;
    darc_sums_init(&sums, *weak);
    bool done =
        darc_sums_pass(&sums, &at, &effort, o->x->budget, NULL) == DARC_OK;
    darc_columns_gram(w->gram, 1, w->x, rows, all);
    for (int j = 0; j < all; j++)
        w->score[j] = darc_lanes_dot(w->x + (size_t)j * rows, w->e, rows);
    darc_sums_clear(&sums);
    darc_free(c);
    return done;
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

/* Take off e what the free terms and term j make of it. */
static bool take_off(whitened *w, const darc_gls *fit, int j)
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
    for (int i = 0; i < count && solved; i++)
        darc_lanes_add(w->e, -b[i], w->x + (size_t)index[i] * w->rows, w->rows);
    DARC_FREE(index, b);
    return solved;
}

/* Whether what the equation of f leaves, by itself or with a term more, is
 * white; *level and n as read_white. */
static bool leaves_white(double *level, darc_signalnoise *n, const darc_fit *f,
                         const darc_question *x, const darc_table *table)
{
    darc_offers o = {.f = f, .x = x, .table = table};
    darc_weak *weak = NULL;
    whitened w = {.weak = NULL};
    bool white = darc_offers_open(&o, NULL) == DARC_OK && whiten(&w, &weak, &o);
    if (white && !read_white(level, n, weak, w.e)) {
        int best = find_best(&w, &f->white);
        white = best >= 0 && take_off(&w, &f->white, best) &&
                read_white(level, n, weak, w.e);
    }
    clear(&w);
    darc_weak_free(weak);
    darc_offers_clear(&o);
    return white;
}

/* ---- signals ------------------------------------------------------------- */

/* Return the unknown of any colour where all others show no noise; -1: there is
 * none.  (The noise of two has a spectrum that depends on both levels: AR(.9)
 * of an output through the slope of a low pass is as white as that of its
 * input.)
 */
static int find_alone(const darc_regression *r)
{
    int found = -1;
    for (int u = 0; u < r->unknowns; u++) {
        darc_colour colour = r->noise[u].colour;
        if (r->at[u] < 0 || colour == DARC_COLOUR_EXACT ||
            colour == DARC_COLOUR_FLOOR)
            continue;
        if (found >= 0 || colour != DARC_COLOUR_ANY)
            return -1;
        found = u;
    }
    return found;
}

/* Set the noise of the signal that alone has noise in f, the fit of one
 * equation, to what the equation shows of it.  Return whether it does. */
static bool learn(darc_signalnoise *known, const darc_fit *f,
                  const darc_question *x, const darc_table *table)
{
    double level;
    int u = find_alone(&f->r);
    darc_signalnoise n = {.taps = 0};
    if (u < 0 || !leaves_white(&level, &n, f, x, table))
        return false;
    darc_signalnoise *to = known + u;
    to->colour = DARC_COLOUR_WHITE;
    to->sd = to->kernel[0] = f->r.noise[u].sd * sqrt(level);
    to->taps = 1;
    to->dof = n.dof;
    to->raise = n.raise;
    return true;
}

/* The same of equation q of x by itself, with what is known. */
static bool learn_apart(darc_signalnoise *known, const darc_question *x, int q,
                        const darc_table *table, double alpha)
{
    darc_question one = *x;
    darc_criteria by = *x->by;
    darc_fit f;
    by.known = known;
    one.by = &by;
    one.equations = 1;
    one.equation = x->equation + q;
    bool learnt = darc_fit_question(&f, &one, table, alpha, NULL) == DARC_OK &&
                  learn(known, &f, &one, table);
    darc_fit_clear(&f);
    return learnt;
}

bool darc_left_noise(darc_signalnoise *known, const darc_fit *f,
                     const darc_question *x, const darc_table *table,
                     double alpha)
{
    bool any = false;
    for (int u = 0; u < f->r.unknowns; u++)
        darc_signalnoise_copy(known + u, f->r.noise + u);
    if (x->equations == 1)
        return learn(known, f, x, table);
    for (bool more = true; more;) {
        more = false;
        for (int q = 0; q < x->equations; q++)
            more = learn_apart(known, x, q, table, alpha) || more;
        any = any || more;
    }
    return any;
}
