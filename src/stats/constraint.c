#include "stats/constraint.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "stats/sandwich.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* Estimates are found when a step moves none by more standard deviations. */
#define DARC_CONSTRAINT_SETTLED 1e-3

/* Steps of the iteration; how often each variable may meet its box in one of
 * them (twice is rare), and the pull, in standard deviations, that lets it go.
 * RIDGE tells variables apart that do the same. */
enum { ROUNDS = 100, MEETINGS = 10 };
static const double DONE = 1e-9, RIDGE = 1e-12;

/* Far from the estimates relations bend against the steps: these are halved
 * where they do not shrink by half of what they should, down to this. */
static const double LEAST_STEP = 1.0 / 32;

void darc_constraint_init(darc_constraint *c, int n, int count)
{
    *c = (darc_constraint){.n = n, .count = count, .error_dof = HUGE_VAL};
    DARC_CARVE({&c->x, n}, {&c->v, n * n}, {&c->slack, n}, {&c->at, n});
}

void darc_constraint_clear(darc_constraint *c)
{
    darc_free(c->x);
    *c = (darc_constraint){0};
}

/* What an iteration works with. */
typedef struct {
    double *h, *jac; /* count, count x n */
    double *vg;      /* n x count: V G' */
    double *s;       /* count x count: G V G' */
    double *p;       /* rank x count: p' p = S^-1 on the range of S */
    double *y, *q;   /* rank, rank x n: p (h + G (x^ - x)), p G */
    double *y0, *q0; /* the same, before what is free is projected out */
    double *shift;   /* n: s */
    int *free;       /* variables whose slack has no end, as far as they are
                        independent */
    int released;    /* so many of these */
} room;

static room make_room(const darc_constraint *c)
{
    room r = {.free = darc_calloc((size_t)c->n, sizeof *r.free)};
    int n = c->n, m = c->count;
    DARC_CARVE({&r.h, m}, {&r.jac, m * n}, {&r.vg, m * n}, {&r.s, m * m},
               {&r.p, m * m}, {&r.y, m}, {&r.q, m * n}, {&r.y0, m},
               {&r.q0, m * n}, {&r.shift, n});
    return r;
}

static void clear_room(room *r)
{
    DARC_FREE(r->h, r->free);
}

/* Set V G' and G V G'. */
static void spread(const darc_constraint *c, room *r)
{
    int n = c->n, m = c->count;
    memset(r->vg, 0, (size_t)(n * m) * sizeof *r->vg);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            for (int l = 0; l < n; l++)
                if (r->jac[k * n + l] != 0)
                    r->vg[i * m + k] += c->v[i * n + l] * r->jac[k * n + l];
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++) {
            r->s[i * m + k] = 0;
            for (int l = 0; l < n; l++)
                if (r->jac[i * n + l] != 0)
                    r->s[i * m + k] += r->jac[i * n + l] * r->vg[l * m + k];
        }
}

/* Return the product of columns j and k of a, rank x n; k < 0: of column j and
 * y. */
static double multiply_columns(const double *a, const double *y, int rank,
                               int n, int j, int k)
{
    double sum = 0;
    for (int i = 0; i < rank; i++)
        sum += a[i * n + j] * (k < 0 ? y[i] : a[i * n + k]);
    return sum;
}

/* Project y and all columns off those of variables whose slack has no end. */
static void release(const darc_constraint *c, room *r, int rank)
{
    int n = c->n;
    memcpy(r->q0, r->q, (size_t)(rank * n) * sizeof *r->q);
    memcpy(r->y0, r->y, (size_t)rank * sizeof *r->y);
    r->released = 0;
    for (int j = 0; j < n; j++) {
        if (!isinf(c->slack[j]))
            continue;
        double own = multiply_columns(r->q, r->y, rank, n, j, j);
        if (!(own > DARC_RANK * multiply_columns(r->q0, r->y0, rank, n, j, j)))
            continue;
        r->free[r->released++] = j;
        for (int k = -1; k < n; k++) {
            double share = multiply_columns(r->q, r->y, rank, n, j, k) / own;
            for (int i = 0; i < rank && k != j; i++)
                *(k < 0 ? r->y + i : r->q + i * n + k) -=
                    share * r->q[i * n + j];
        }
    }
}

/* Set the shifts of what was released to the best with those of the others. */
static void shift_released(const darc_constraint *c, room *r, int rank)
{
    int n = c->n, m = r->released;
    double *a, *b;
    DARC_CARVE({&a, n * n}, {&b, m});
    for (int k = 0; k < m; k++) {
        int j = r->free[k];
        b[k] = multiply_columns(r->q0, r->y0, rank, n, j, -1);
        for (int l = 0; l < n; l++) {
            a[j * n + l] = multiply_columns(r->q0, r->y0, rank, n, j, l);
            b[k] -= a[j * n + l] * r->shift[l];
        }
    }
    if (darc_solve_part(a, n, r->free, m, b, 1))
        for (int k = 0; k < m; k++)
            r->shift[r->free[k]] = b[k];
    darc_free(a);
}

/* A problem of least squares in a box: minimise s' a s / 2 - b' s. */
typedef struct {
    const darc_constraint *c;
    int n;
    double *a, *b, *s; /* of all variables; a n x n */
    double *to;        /* room of n */
    int *free, frees;  /* variables off the box */
} boxed;

/* Free variables go to their minimum, the others given, or until the first of
 * them meets the box, and stays there.  Return whether all got there. */
static bool descend(boxed *p)
{
    int n = p->n, first = -1;
    double share = 1;
    for (int k = 0; k < p->frees; k++) {
        int j = p->free[k];
        p->to[k] = p->b[j];
        for (int l = 0; l < n; l++)
            p->to[k] -= p->a[j * n + l] * p->s[l];
    }
    if (!darc_solve_part(p->a, n, p->free, p->frees, p->to, 1))
        return true; /* what is free cannot be told apart: stay */
    for (int k = 0; k < p->frees; k++) {
        double box = p->c->slack[p->free[k]], at = p->s[p->free[k]];
        double left = p->to[k] > 0 ? box - at : -box - at;
        if (fabs(p->to[k]) * share <= fabs(left))
            continue;
        share = left / p->to[k];
        first = k;
    }
    for (int k = 0; k < p->frees; k++)
        p->s[p->free[k]] += share * p->to[k];
    if (first < 0)
        return true;
    int j = p->free[first];
    p->s[j] = copysign(p->c->slack[j], p->to[first]);
    p->free[first] = p->free[--p->frees];
    return false;
}

/* Free the variable at the box that would gain most; false: none would. */
static bool let_go(boxed *p)
{
    int n = p->n, best = -1;
    double most = DONE;
    for (int j = 0; j < n; j++) {
        double box = p->c->slack[j], own = p->a[j * (n + 1)], pull = p->b[j];
        bool at_box = fabs(p->s[j]) >= box;
        for (int k = 0; k < p->frees; k++)
            at_box = at_box && p->free[k] != j;
        if (!at_box || !(box > 0) || isinf(box) || !(own > 0))
            continue;
        for (int l = 0; l < n; l++)
            pull -= p->a[j * n + l] * p->s[l];
        double gain = -pull * copysign(1, p->s[j]) / sqrt(own);
        if (!(gain > most))
            continue;
        most = gain;
        best = j;
    }
    if (best >= 0)
        p->free[p->frees++] = best;
    return best >= 0;
}

/* Minimise |y - q s|^2 over the box [SP95]: variables inside it are free, and
 * each round lets one go or binds one; y becomes y - q s. */
static double fit_in_box(const darc_constraint *c, room *r, int rank)
{
    int n = c->n;
    boxed p = {.c = c, .n = n, .s = r->shift};
    memset(r->shift, 0, (size_t)n * sizeof *r->shift);
    release(c, r, rank);
    p.free = darc_calloc((size_t)n + 1, sizeof *p.free);
    DARC_CARVE({&p.a, n * n}, {&p.b, n}, {&p.to, n + 1});
    for (int j = 0; j < n; j++) {
        p.b[j] = multiply_columns(r->q, r->y, rank, n, j, -1);
        for (int k = 0; k < n; k++)
            p.a[j * n + k] = multiply_columns(r->q, r->y, rank, n, j, k);
        if (!(c->slack[j] > 0) || isinf(c->slack[j]) || !(p.a[j * (n + 1)] > 0))
            continue;
        p.a[j * (n + 1)] *= 1 + RIDGE;
        p.free[p.frees++] = j;
    }
    for (int round = 0; round < MEETINGS * (n + 1); round++)
        if (descend(&p) && !let_go(&p))
            break;
    for (int i = 0; i < rank; i++)
        for (int j = 0; j < n; j++)
            r->y[i] -= r->q[i * n + j] * r->shift[j];
    DARC_FREE(p.a, p.free);
    shift_released(c, r, rank);
    double sum = 0;
    for (int i = 0; i < rank; i++)
        sum += r->y[i] * r->y[i];
    return sum;
}

/* One iteration from c->at, of which the share `size` is taken; return how far
 * the whole of it goes, in standard deviations; HUGE_VAL where V, or what comes
 * of it, is not finite. */
static double step_constraint(darc_constraint *c, room *r, double size)
{
    int n = c->n, m = c->count;
    double moved = 0;
    c->relations(c->user, c->at, r->h, r->jac);
    spread(c, r);
    int rank = darc_whiten(r->p, r->s, m);
    if (rank < 0)
        return HUGE_VAL;
    for (int k = 0; k < m; k++)
        for (int j = 0; j < n; j++)
            r->h[k] += r->jac[k * n + j] * (c->x[j] - c->at[j]);
    for (int i = 0; i < rank; i++) {
        r->y[i] = 0;
        for (int k = 0; k < m; k++)
            r->y[i] += r->p[i * m + k] * r->h[k];
        for (int j = 0; j < n; j++) {
            r->q[i * n + j] = 0;
            for (int k = 0; k < m; k++)
                r->q[i * n + j] += r->p[i * m + k] * r->jac[k * n + j];
        }
    }
    c->statistic = fit_in_box(c, r, rank);
    if (!isfinite(c->statistic))
        return HUGE_VAL;
    c->dof = rank - r->released;
    for (int j = 0; j < n; j++) {
        double to = c->x[j] - r->shift[j], sd = sqrt(c->v[j * (n + 1)]);
        for (int k = 0; k < m; k++) {
            double weight = 0;
            for (int i = 0; i < rank; i++)
                weight += r->p[i * m + k] * r->y[i];
            to -= r->vg[j * m + k] * weight;
        }
        if (!isfinite(to))
            return HUGE_VAL;
        if (sd > 0 || c->slack[j] > 0)
            moved =
                fmax(moved, fabs(to - c->at[j]) / (sd > 0 ? sd : c->slack[j]));
        c->at[j] += size * (to - c->at[j]);
    }
    return moved;
}

void darc_constraint_solve(darc_constraint *c)
{
    room r = make_room(c);
    double moved = HUGE_VAL, last = HUGE_VAL, size = 1;
    double least = HUGE_VAL, dof = NAN;
    memcpy(c->at, c->x, (size_t)c->n * sizeof *c->at);
    c->statistic = c->dof = c->p_value = NAN;
    for (int i = 0; i < ROUNDS && moved > DARC_CONSTRAINT_SETTLED; i++) {
        moved = step_constraint(c, &r, size);
        if (moved == HUGE_VAL)
            break;
        if (c->statistic < least) {
            least = c->statistic;
            dof = c->dof;
        }
        bool shrinks = moved < last * (1 - size / 2);
        size = shrinks ? fmin(1, 1.5 * size) : fmax(size / 2, LEAST_STEP);
        last = moved;
    }
    c->settled = moved <= DARC_CONSTRAINT_SETTLED;
    if (!c->settled && least < HUGE_VAL) {
        c->statistic = least;
        c->dof = dof;
    }
    if (moved < HUGE_VAL && c->dof > 0)
        c->p_value = darc_stats_squares_sf(c->statistic, c->dof, c->error_dof);
    clear_room(&r);
}

void darc_constraint_project(darc_constraint *c)
{
    room r = make_room(c);
    int n = c->n, m = c->count;
    c->relations(c->user, c->at, r.h, r.jac);
    spread(c, &r);
    int rank = darc_whiten(r.p, r.s, m);
    for (int k = 0; k < rank; k++) {
        double *w = r.q + k * n; /* V G' p' */
        for (int j = 0; j < n; j++) {
            w[j] = 0;
            for (int i = 0; i < m; i++)
                w[j] += r.vg[j * m + i] * r.p[k * m + i];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                c->v[i * n + j] -= w[i] * w[j];
    }
    for (int i = 0; i < n; i++) /* rounding */
        c->v[i * (n + 1)] = fmax(0, c->v[i * (n + 1)]);
    clear_room(&r);
}
