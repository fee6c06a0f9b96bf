/* steps.c - steps of Levenberg and Marquardt, recording by recording. */
#include "base/mem.h"
#include "stats/dense.h"
#include "stats/lanes.h"
#include "trajectory/match.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

/* Return the sum of squares, HUGE_VAL where it exceeds `most`.  Without slopes
 * the plan has no columns, so that unknowns are not counted. */
static double square_of(darc_match *m, double most)
{
    double sum = 0;
    for (int r = 0; r < m->runs && sum <= most && sum < HUGE_VAL; r++) {
        size_t rows = darc_match_all_rows(m, r);
        double *left = darc_malloc((rows + 1) * sizeof *left);
        if (!darc_match_left(m, r, left, NULL))
            sum = HUGE_VAL;
        for (size_t i = 0; i < rows && sum < HUGE_VAL; i++)
            sum += left[i] * left[i];
        darc_free(left);
    }
    return sum <= most && isfinite(sum) ? sum : HUGE_VAL;
}

/* A linear problem, recording by recording. */
typedef struct {
    double **slopes, **left; /* of each recording; owned */
    double **triangle;       /* R of [unknowns, parameters, left]; owned */
    double *norm;            /* of each column of theta; owned */
    double *step;            /* of theta; owned */
    double rest;             /* what slopes say that it leaves of the square */
    double **move;           /* of the unknowns of each recording; owned */
    double **bound;          /* of these, where it ends at a bound; else NAN;
                                owned */
} linear;

static void open_linear(linear *l, const darc_match *m)
{
    size_t runs = (size_t)m->runs, p = (size_t)m->flow->params;
    l->slopes = darc_calloc(5 * runs, sizeof *l->slopes);
    l->left = l->slopes + runs;
    l->triangle = l->left + runs;
    l->move = l->triangle + runs;
    l->bound = l->move + runs;
    for (int r = 0; r < m->runs; r++) {
        size_t rows = darc_match_all_rows(m, r),
               u = (size_t)m->pieces[r].unknowns;
        size_t tall = rows + u + p + 1;
        l->slopes[r] = darc_malloc((rows * (u + p) + 1) * sizeof(double));
        l->left[r] = darc_malloc((rows + 1) * sizeof(double));
        l->triangle[r] = darc_malloc(tall * (u + p + 1) * sizeof(double));
        l->move[r] = darc_malloc((u + 1) * sizeof(double));
        l->bound[r] = darc_malloc((u + 1) * sizeof(double));
    }
    l->norm = darc_calloc(2 * (size_t)m->columns + 2, sizeof *l->norm);
    l->step = l->norm + m->columns + 1;
}

static void close_linear(linear *l, const darc_match *m)
{
    for (int r = 0; r < m->runs; r++)
        DARC_FREE(l->slopes[r], l->left[r], l->triangle[r], l->move[r],
                  l->bound[r]);
    DARC_FREE((void *)l->slopes, l->norm);
}

static double norm_of(const double *x, size_t n)
{
    return sqrt(darc_lanes_dot(x, x, n));
}

static bool linearise(linear *l, darc_match *m)
{
    int p = m->flow->params;
    memset(l->norm, 0, (size_t)m->columns * sizeof *l->norm);
    for (int r = 0; r < m->runs; r++) {
        if (!darc_match_left(m, r, l->left[r], l->slopes[r]))
            return false;
        size_t rows = darc_match_all_rows(m, r);
        for (int k = 0; k < p; k++) {
            int c = m->place[r * p + k];
            size_t at = (size_t)(m->pieces[r].unknowns + k) * rows;
            if (m->fixed[c])
                memset(l->slopes[r] + at, 0, rows * sizeof(double));
            l->norm[c] = hypot(l->norm[c], norm_of(l->slopes[r] + at, rows));
        }
    }
    return true;
}

/* Set the triangle of recording r, its own unknowns damped. */
static bool reduce(linear *l, const darc_match *m, int r, double damp)
{
    size_t rows = darc_match_all_rows(m, r), u = (size_t)m->pieces[r].unknowns;
    size_t n = u + (size_t)m->flow->params, tall = rows + n + 1;
    double *a = l->triangle[r];
    memset(a, 0, tall * (n + 1) * sizeof *a);
    memcpy(a + n * tall, l->left[r], rows * sizeof *a);
    for (size_t c = 0; c < n; c++) {
        const double *slope = l->slopes[r] + c * rows;
        double size = norm_of(slope, rows);
        bool bound = c < u && isfinite(l->bound[r][c]);
        if (c < u)
            a[c * tall + rows + c] = damp * (size > 0 ? size : 1);
        if (bound)
            darc_lanes_add(a + n * tall, l->bound[r][c], slope, rows);
        else
            memcpy(a + c * tall, slope, rows * sizeof *a);
    }
    return darc_dense_triangle(a, (int)tall, (int)(n + 1));
}

/* Solve R x = -b, R the upper triangle of a, of `tall` rows, b column n. */
static void solve_back(double *x, const double *a, size_t tall, int n,
                       const double *b)
{
    for (int i = n - 1; i >= 0; i--) {
        double sum = -b[i];
        for (int k = i + 1; k < n; k++)
            sum -= a[(size_t)k * tall + (size_t)i] * x[k];
        double pivot = a[(size_t)i * tall + (size_t)i];
        x[i] = pivot != 0 ? sum / pivot : 0;
    }
}

/* Set the step of theta from all triangles. */
static bool join(linear *l, const darc_match *m, double damp)
{
    int p = m->flow->params;
    size_t all = (size_t)m->columns;
    size_t tall = (size_t)m->runs * (size_t)(p + 1) + all + 1;
    double *a = darc_calloc(tall * (all + 1), sizeof *a);
    for (int r = 0; r < m->runs; r++) {
        size_t u = (size_t)m->pieces[r].unknowns;
        size_t own = darc_match_all_rows(m, r) + u + (size_t)p + 1;
        for (int i = 0; i <= p; i++)
            for (int k = i; k <= p; k++) {
                size_t column = k < p ? (size_t)m->place[r * p + k] : all;
                a[column * tall + (size_t)(r * (p + 1) + i)] =
                    l->triangle[r][(u + (size_t)k) * own + u + (size_t)i];
            }
    }
    for (size_t c = 0; c < all; c++)
        a[c * tall + (size_t)m->runs * (size_t)(p + 1) + c] =
            l->norm[c] > 0 ? damp * l->norm[c] : 1;
    bool good = darc_dense_triangle(a, (int)tall, (int)(all + 1));
    if (good)
        solve_back(l->step, a, tall, m->columns, a + all * tall);
    l->rest = pow(a[all * tall + all], 2);
    darc_free(a);
    return good;
}

/* Set the moves of the unknowns of recording r by the step. */
static void follow(linear *l, const darc_match *m, int r)
{
    int u = m->pieces[r].unknowns, p = m->flow->params;
    size_t tall = darc_match_all_rows(m, r) + (size_t)(u + p) + 1;
    const double *a = l->triangle[r];
    double *b = darc_malloc((size_t)(u + 1) * sizeof *b);
    for (int i = 0; i < u; i++) {
        b[i] = a[(size_t)(u + p) * tall + (size_t)i];
        for (int k = 0; k < p; k++)
            b[i] += a[(size_t)(u + k) * tall + (size_t)i] *
                    l->step[m->place[r * p + k]];
    }
    solve_back(l->move[r], a, tall, u, b);
    for (int i = 0; i < u; i++)
        if (isfinite(l->bound[r][i]))
            l->move[r][i] = l->bound[r][i];
    darc_free(b);
}

/* Let steps of recording r that move beyond a sample end there; return whether
 * there is another one. */
static bool end_steps(linear *l, const darc_match *m, int r)
{
    const darc_pieces *x = m->pieces + r;
    bool more = false;
    for (int u = 0; u < x->unknowns; u++) {
        double from = x->x[x->unknown[u]], to = from + l->move[r][u];
        bool step = x->unknown[u] >= (int)m->run[r].n * m->flow->n;
        if (!step || isfinite(l->bound[r][u]) || (to >= 0 && to <= 1))
            continue;
        l->bound[r][u] = (to > 1) - from;
        more = true;
    }
    return more;
}

/* Those that end at a bound are not asked again. */
static bool solve(linear *l, const darc_match *m, double damp)
{
    for (int r = 0; r < m->runs; r++)
        DARC_FILL(l->bound[r], m->pieces[r].unknowns, NAN);
    for (bool more = true; more;) {
        for (int r = 0; r < m->runs; r++)
            if (!reduce(l, m, r, damp))
                return false;
        if (!join(l, m, damp))
            return false;
        more = false;
        for (int r = 0; r < m->runs; r++) {
            follow(l, m, r);
            more |= end_steps(l, m, r);
        }
    }
    return true;
}

/* Let all be the unknowns of m, of theta and of each recording, or `back`. */
static void carry(double *all, darc_match *m, bool back)
{
    for (int r = -1; r < m->runs; r++)
        for (int u = 0; u < (r < 0 ? m->columns : m->pieces[r].unknowns); u++) {
            double *x =
                r < 0 ? m->theta + u : m->pieces[r].x + m->pieces[r].unknown[u];
            *(back ? x : all) = *(back ? all : x);
            all++;
        }
}

static void move_by(darc_match *m, const linear *l, bool signs)
{
    for (int c = 0; c < m->columns; c++) {
        double from = m->theta[c], to = from + l->step[c];
        m->theta[c] = signs && to * from <= 0 ? from / 5 : to;
    }
    for (int r = 0; r < m->runs; r++)
        for (int u = 0; u < m->pieces[r].unknowns; u++) {
            int at = m->pieces[r].unknown[u];
            darc_match_place(m, r, at, m->pieces[r].x[at] + l->move[r][u]);
        }
}

/* One step of less than `square`; return whether there is one.  It is not tried
 * where slopes promise next to nothing: at a minimum each would be. */
static bool take_step(darc_match *m, linear *l, double *damp, bool signs)
{
    double before = m->square;
    size_t unknowns = (size_t)m->columns + 1;
    for (int r = 0; r < m->runs; r++)
        unknowns += (size_t)m->pieces[r].unknowns;
    double *from = darc_malloc(unknowns * sizeof *from);
    carry(from, m, false);
    bool less = false;
    for (; !less && *damp < DARC_MATCH_DAMPED; *damp *= less ? 1 : 8) {
        if (!solve(l, m, *damp))
            continue;
        if (before - l->rest < DARC_MATCH_HOPELESS * m->ends * before)
            break;
        move_by(m, l, signs);
        double now = square_of(m, before);
        less = now < before;
        if (less)
            m->square = now;
        else
            carry(from, m, true);
    }
    darc_free(from);
    *damp = fmax(*damp / 16, DARC_MATCH_LEAST_DAMP);
    return less;
}

darc_status darc_match_run(darc_match *m, int steps, bool signs, darc_err *err)
{
    darc_status status = DARC_OK;
    double damp = DARC_MATCH_DAMP;
    linear l;
    m->settled = false;
    m->square = square_of(m, HUGE_VAL);
    open_linear(&l, m);
    for (int i = 0; i < steps && !m->settled && m->square < HUGE_VAL; i++) {
        DARC_TRY(darc_budget_check(m->budget, err));
        double before = m->square;
        if (!linearise(&l, m)) {
            m->square = HUGE_VAL;
            break;
        }
        bool less = take_step(m, &l, &damp, signs);
        m->settled = !less || before - m->square < m->ends * m->square ||
                     m->square < 1e-18;
        if (m->square > m->hope && m->square - m->hope > (before - m->hope) / 2)
            break;
    }
done:
    close_linear(&l, m);
    return status;
}
