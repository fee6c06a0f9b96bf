#include "fit/smoothing.h"

#include "base/budget.h"
#include "base/mem.h"
#include "base/random.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"
#include "weak/piece.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* One draw of the same noise in the fields of both: the narrow one reaches less
 * far beyond the piece. */
static void draw_fields(darc_weak_work *work, darc_weak_work *narrow, int piece)
{
    int ahead = work->weak->left - narrow->weak->left;
    size_t n = darc_weak_field(work), m = darc_weak_field(narrow);
    assert(ahead >= 0 && narrow->weak->right <= work->weak->right);
    for (int c = 0; c < darc_weak_channels(work->weak); c++) {
        bool drawn = c < work->weak->channels && !work->weak->bound[c];
        darc_random random;
        darc_random_init(&random, (uint64_t)piece + 1, (uint64_t)c);
        for (size_t i = 0; i < n; i++)
            work->z[c][i] = drawn ? darc_random_normal(&random) : 0;
    }
    for (int c = 0; c < darc_weak_channels(narrow->weak); c++)
        if (c < narrow->weak->channels)
            memcpy(narrow->z[c], work->z[c] + ahead, m * sizeof **narrow->z);
        else
            memset(narrow->z[c], 0, m * sizeof **narrow->z);
}

/* Set d to 2 (x - y) c. */
static void subtract(double *d, const double *x, const double *y,
                     const darc_weak_work *work, const double *c)
{
    size_t k = (size_t)work->rows;
    double *e = darc_calloc(k, sizeof *e);
    darc_columns_combine(work, d, x, c);
    darc_columns_combine(work, e, y, c);
    for (size_t i = 0; i < k; i++)
        d[i] = 2 * (d[i] - e[i]);
    darc_free(e);
}

/* Load the piece, where draws of noise count at steps too, if all are at
 * samples: edges that the fit places take up noise of the samples around. */
static void load(darc_weak_work *work, int piece, const double *c)
{
    darc_weak_load(work, piece);
    darc_weak_load_partials(work);
    darc_weak_at(work, c);
    darc_weak_steps_load(work);
    work->sided = true;
    for (int i = 0; i < work->steps; i++)
        work->sided = work->sided && work->step[i].on;
}

/* What of d goes with what is left. */
typedef struct {
    double with, square;
} agreement;

/* Add the piece that both hold. */
static darc_status add_piece(darc_smoothing *s, agreement *a,
                             darc_weak_work *work, darc_weak_work *narrow,
                             const darc_point *at, darc_err *err)
{
    int coeffs = work->weak->coeffs;
    ptrdiff_t k = work->rows, n = k * coeffs;
    double *d, *x, *y;
    darc_weak_covariance(work);
    darc_columns_room b = {.factor = work->ab};
    assert(work->rows == narrow->rows);
    DARC_NEED(darc_sums_factorise(work->ab, work->band, work->rows, at, err));
    DARC_CARVE({&d, 3 * k}, {&x, n}, {&y, n});
    subtract(d, work->w, narrow->w, work, at->c);
    draw_fields(work, narrow, work->piece);
    darc_weak_forward(work, x);
    darc_weak_forward(narrow, y);
    subtract(d + k, x, y, work, at->c);
    darc_columns_combine(work, d + 2 * k, work->w, at->c);
    darc_columns_whiten(work, &b, d, 3, 'N');
    s->lambda += darc_lanes_dot(d, d, (size_t)k) -
                 darc_lanes_dot(d + k, d + k, (size_t)k);
    a->square += darc_lanes_dot(d, d, (size_t)k);
    a->with += darc_lanes_dot(d, d + 2 * k, (size_t)k);
    memcpy(x, work->w, (size_t)n * sizeof *x);
    darc_columns_whiten(work, &b, x, coeffs, 'N');
    for (int j = 0; j < coeffs; j++)
        s->score[j] += darc_lanes_dot(x + j * k, d, (size_t)k);
    darc_free(d);
    return DARC_OK;
}

darc_status darc_smoothing_take(darc_smoothing *s, const darc_point *at,
                                const darc_weak *narrow,
                                const darc_budget *budget, darc_err *err)
{
    const darc_weak *weak = at->weak;
    darc_status status = DARC_OK;
    darc_weak_work *a = darc_weak_work_new(weak);
    darc_weak_work *b = darc_weak_work_new(narrow);
    agreement with = {0};
    darc_smoothing_clear(s);
    s->score = darc_calloc((size_t)weak->coeffs, sizeof *s->score);
    for (int p = 0; p < weak->pieces; p++) {
        DARC_TRY(darc_budget_check(budget, err));
        load(a, p, at->c);
        load(b, p, at->c);
        DARC_TRY(add_piece(s, &with, a, b, at, err));
    }
    s->lambda = fmax(0, s->lambda);
    if (with.square > 0)
        s->made = fmin(s->lambda, with.with * with.with / with.square +
                                      DARC_SMOOTHING_ASIDE * s->lambda);
done:
    darc_weak_work_free(a);
    darc_weak_work_free(b);
    return status;
}

void darc_smoothing_clear(darc_smoothing *s)
{
    darc_free(s->score);
    *s = (darc_smoothing){0};
}

void darc_smoothing_shift(double *shift, const darc_smoothing *s,
                          const darc_gls *fit)
{
    int n = fit->coeffs, count = 0;
    int *index = darc_calloc((size_t)n, sizeof *index);
    double *b = darc_calloc((size_t)n, sizeof *b);
    for (int j = 0; j < n; j++)
        if (fit->free[j]) {
            b[count] = s->score[j];
            index[count++] = j;
        }
    bool solved = darc_solve_part(fit->info, n, index, count, b, 1);
    memset(shift, 0, (size_t)n * sizeof *shift);
    for (int i = 0; i < count && solved; i++)
        shift[index[i]] = b[i];
    DARC_FREE(index, b);
}
