#include "stats/uneven.h"

#include "base/mem.h"
#include "stats/columns.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Of a crowd, more than so many samples within four spacings, all are used
 * (chosen). */
enum { NODES = DARC_UNEVEN_NODES, CROWD = 16 };

/* Weights may add up to so many times 1, in absolute value: 1.49 in the middle
 * of even places, 2.66 in a hole of one sample, 2.9 in one of eight of a
 * polynomial of degree 5 fitted to those within 12 (computed); 3 lets all pass
 * (chosen). */
static const double most = 3.0;

/* What counts turns by up to so many rad between a place and the farthest of
 * its nodes where these are fitted: a sine is then off by .0013 at degree 7
 * (computed). */
static const double farthest = 3.0;

void darc_uneven_init(darc_uneven *l, size_t samples, size_t places)
{
    ptrdiff_t n = (ptrdiff_t)samples + NODES;
    l->row = darc_calloc((size_t)n, sizeof *l->row);
    l->from = darc_calloc(2 * places, sizeof *l->from);
    l->count = l->from + places;
    l->at = darc_calloc(places, sizeof *l->at);
    DARC_CARVE({&l->x, n}, {&l->value, n}, {&l->work, 2 * n});
}

void darc_uneven_clear(darc_uneven *l)
{
    DARC_FREE(l->row, l->from, l->at, l->weight, l->x);
}

static double sum_of(const double *w, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += fabs(w[i]);
    return sum;
}

/* Set w to the weights of the values at n places x of the polynomial through
 * them at l. */
static void interpolate(double *w, const double *x, int n, double l)
{
    for (int i = 0; i < n; i++) {
        double above = 1, below = 1;
        for (int j = 0; j < n; j++)
            if (j != i) {
                above *= l - x[j];
                below *= x[i] - x[j];
            }
        w[i] = above / below;
    }
}

/* The same of the polynomial of a degree that fits them best; p has room for 2
 * n numbers. */
static void fit_best(double *w, const double *x, int n, int degree, double l,
                     double *p)
{
    double here = 1, past = 0, before = 0, *q = p + n;
    for (int i = 0; i < n; i++) {
        p[i] = 1;
        q[i] = w[i] = 0;
    }
    for (int k = 0; k <= degree; k++) {
        double norm = 0, mean = 0;
        for (int i = 0; i < n; i++) {
            norm += p[i] * p[i];
            mean += (x[i] - l) * p[i] * p[i];
        }
        if (!(norm > 0))
            return;
        mean /= norm;
        double share = k > 0 ? norm / before : 0, next;
        for (int i = 0; i < n; i++) {
            w[i] += p[i] * here / norm;
            next = (x[i] - l - mean) * p[i] - share * q[i];
            q[i] = p[i];
            p[i] = next;
        }
        next = -mean * here - share * past;
        past = here;
        here = next;
        before = norm;
    }
}

/* Return the first sample at or behind x. */
static int first_from(const darc_uneven *l, double x)
{
    int before = -1, behind = l->n;
    DARC_BISECT(int, before, behind, k, l->x[k] < x)
    return behind;
}

/* Return room for the weights of place i, from nodes first .. first + n - 1. */
static double *open_place(darc_uneven *l, int i, int first, int n)
{
    l->at[i] = i > 0 ? l->at[i - 1] + (size_t)l->count[i - 1] : 0;
    l->from[i] = first;
    l->count[i] = n;
    if (l->at[i] + (size_t)n > l->room) {
        l->room = 2 * (l->at[i] + (size_t)n);
        l->weight = darc_realloc(l->weight, l->room, sizeof *l->weight);
    }
    return l->weight + l->at[i];
}

/* Take the polynomial through the n samples in the middle around place i, `at`
 * the one before it.  Return whether noise stays small. */
static bool go_through(darc_uneven *l, int i, int at, int n)
{
    int first = at + 1 - n / 2;
    first = first + n > l->n ? l->n - n : first;
    first = first < 0 ? 0 : first;
    n = n < l->n ? n : l->n;
    double *w = open_place(l, i, first, n);
    interpolate(w, l->x + first, n, i);
    return sum_of(w, n) < most;
}

/* Take the one that fits samples up to `reach` from place i best, likewise. */
static bool go_between(darc_uneven *l, int i, double reach, int degree)
{
    int first = first_from(l, i - reach), n = first_from(l, i + reach) - first;
    if (n <= degree + 1)
        return false;
    double *w = open_place(l, i, first, n);
    fit_best(w, l->x + first, n, degree, i, l->work);
    return sum_of(w, n) < most;
}

void darc_uneven_find(darc_uneven *l, int places, double spacing, double turn)
{
    static const int reach[] = {6, 8, 12, 8, 12, 16, 12},
                     degree[] = {7, 7, 7, 5, 5, 5, 3};
    int at = 0;
    for (int i = 0; i < places; i++) {
        while (at + 2 < l->n && l->x[at + 1] <= i)
            at++;
        double near = spacing * NODES / 2;
        bool done = first_from(l, i + near) - first_from(l, i - near) > CROWD &&
                    go_between(l, i, near, NODES - 1);
        for (int n = NODES; n > 4 && !done; n -= 2)
            done = go_through(l, i, at, n);
        for (int k = 0; k < 7 && !done; k++)
            done = reach[k] * spacing * turn < farthest &&
                   go_between(l, i, reach[k] * spacing, degree[k]);
        if (!done && !go_through(l, i, at, 4))
            go_through(l, i, at, 2);
    }
}

void darc_uneven_nodes(int *first, int *last, const darc_uneven *l,
                       size_t begin, size_t end)
{
    *first = l->n;
    *last = 0;
    for (size_t i = begin; i < end; i++) {
        int until = l->from[i] + l->count[i] - 1;
        *first = l->from[i] < *first ? l->from[i] : *first;
        *last = until > *last ? until : *last;
    }
}
